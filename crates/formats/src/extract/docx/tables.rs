//! Tables that are being read: what is behind their cells, what their style says, and the order in which cells are shown.

use super::styles::Style;
use crate::extract::builder::TextBuilder;
use crate::extract::style::{Ground, LetterFormat};
use copytrace_text::script::is_right_to_left;

/// The characters that a line of a page holds, and the points of a row's height that a line takes, about; an exact height may cut off more.
const LINE: u32 = 90;
const LINE_POINTS: f64 = 10.0;

/// A table that is open.
pub(super) struct OpenTable {
    pub(super) style: Style,
    /// Which of the style's conditions hold, as the table says.
    pub(super) first_row: bool,
    pub(super) first_column: bool,
    pub(super) bands: bool,
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) hidden_row: bool,
    /// The exact height of the current row in points, and the characters before it.
    pub(super) height: Option<f64>,
    pub(super) start: u32,
    /// Of the table, the row and the cell: something was said that is not known to leave text visible.
    pub(super) unjudged: [bool; 3],
    /// Cells are shown from right to left. Those of the current row are kept apart then, and what was written before them.
    pub(super) is_turned: bool,
    pub(super) cells: Vec<TextBuilder>,
    pub(super) before: Option<TextBuilder>,
    /// The ground of the table, and the current cell's own.
    pub(super) fill: Option<Option<Ground>>,
    pub(super) cell: Option<Option<Ground>>,
    pub(super) behind: Ground,
}

impl OpenTable {
    /// The conditions of the style that hold for the current cell, the stronger first.
    pub(super) fn conditions(&self) -> impl Iterator<Item = &Style> {
        let header = usize::from(self.first_row);
        let band = if self.row.saturating_sub(header).is_multiple_of(2) { "band1Horz" } else { "band2Horz" };
        let holds = [
            ("firstRow", self.first_row && self.row == 0),
            ("firstCol", self.first_column && self.column == 0),
            (band, self.bands && self.row >= header),
        ];
        holds.into_iter().filter(|(_, holds)| *holds).filter_map(|(name, _)| self.style.conditions.get(name))
    }

    /// What is behind the text of the current cell.
    pub(super) fn ground(&self) -> Ground {
        let direct = self.cell.or(self.conditions().find_map(|style| style.cell));
        if let Some(ground) = direct.or(self.fill).or(self.style.cell) {
            return ground.unwrap_or(self.behind);
        }
        let is_filled = self.unknown_conditions().any(|style| style.cell.flatten().is_some());
        if is_filled { Ground::Unknown } else { self.behind }
    }

    /// The conditions of the style of which is not known whether they hold: which row or column is the last one is not known while reading.
    fn unknown_conditions(&self) -> impl Iterator<Item = &Style> {
        let names = ["lastRow", "lastCol", "band1Vert", "band2Vert", "nwCell", "neCell", "swCell", "seCell"];
        names.into_iter().filter_map(|name| self.style.conditions.get(name))
    }

    /// Whether the style hides some of its cells, but not known which.
    pub(super) fn may_hide(&self) -> bool {
        self.unknown_conditions().any(Style::is_hidden)
    }

    /// What the table's style says of letters here.
    pub(super) fn letters(&self) -> LetterFormat {
        self.conditions()
            .fold(LetterFormat::default(), |format, style| format.over(&style.format))
            .over(&self.style.format)
    }

    /// The cells of the row that ended, in the order in which they are read; nothing if they were not kept apart.
    pub(super) fn cells_as_read(&mut self) -> Vec<TextBuilder> {
        let mut cells = std::mem::take(&mut self.cells);
        if !cells.iter().any(|cell| cell.text().chars().any(is_right_to_left)) {
            cells.reverse();
        }
        cells
    }

    /// Whether the row that ends after this number of `characters` has more text than its exact height may show.
    pub(super) fn cuts_off(&self, characters: u32) -> bool {
        let lines = self.height.map(|height| (height / LINE_POINTS) as u32 + 1);
        lines.is_some_and(|lines| characters.saturating_sub(self.start) > lines * LINE)
    }
}
