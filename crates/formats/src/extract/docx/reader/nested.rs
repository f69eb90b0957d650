//! Tables and text boxes, which stand in a text and hold one.

use super::{DocxReader, Place};
use crate::extract::builder::Gap;
use crate::extract::docx::drawing::is_overfull;
use crate::extract::docx::tables::OpenTable;
use crate::extract::style::Ground;
use copytrace_text::layout::MarkKind;

impl DocxReader {
    pub(super) fn start_table(&mut self) {
        self.here.builder.gap(Gap::Paragraph);
        if self.here.tables.is_empty() {
            self.here.builder.open(MarkKind::Table);
        }
        self.here.tables.push(OpenTable {
            style: self.shared.styles.table(),
            first_row: false,
            first_column: false,
            bands: true,
            row: 0,
            column: 0,
            hidden_row: false,
            height: None,
            start: 0,
            unjudged: [false; 3],
            is_turned: false,
            cells: Vec::new(),
            before: None,
            fill: None,
            cell: None,
            behind: self.here.behind,
        });
    }

    pub(super) fn start_row(&mut self) {
        if let Some(table) = self.here.tables.last_mut() {
            self.here.builder.gap(Gap::Line);
            (table.column, table.hidden_row, table.height) = (0, false, None);
            table.start = self.here.builder.characters();
            table.unjudged[1] = false;
            if table.is_turned {
                table.before = Some(std::mem::take(&mut self.here.builder));
            }
        }
    }

    /// Puts the cells of a row together, in the order in which they are read.
    pub(super) fn end_row(&mut self) {
        let Some(table) = self.here.tables.last_mut() else { return };
        table.row += 1;
        if let Some(before) = table.before.take() {
            let rest = std::mem::replace(&mut self.here.builder, before);
            for cell in table.cells_as_read() {
                self.here.builder.append(cell);
                self.here.builder.gap_of_cell();
            }
            self.here.builder.append(rest);
        }
        if table.cuts_off(self.here.builder.characters()) {
            self.here.builder.mark(MarkKind::Unjudged, table.start);
        }
    }

    pub(super) fn start_cell(&mut self) {
        if let Some(table) = self.here.tables.last_mut() {
            table.cell = None;
            table.unjudged[2] = false;
            self.here.behind = table.ground();
        }
    }

    /// A text box in the midst of a paragraph: it is written aside.
    pub(super) fn enter_box(&mut self) {
        self.close_role();
        let transparent = self.shapes.last().is_none_or(|shape| !shape.is_filled());
        let behind = if transparent && self.here.paragraph.covered { Ground::Unknown } else { self.paragraph_ground() };
        let ground = self.shapes.last().map_or(behind, |shape| shape.ground(behind));
        let is_unseen = self.away || self.shapes.last().is_some_and(|shape| shape.is_unseen);
        let run = self.here.run.clone();
        let inner = Place { behind: ground, run, is_unseen, ..Place::default() };
        self.outer.push(std::mem::replace(&mut self.here, inner));
    }

    pub(super) fn leave_box(&mut self) {
        self.close_role();
        let Some(outer) = self.outer.pop() else { return };
        let mut inner = std::mem::replace(&mut self.here, outer);
        inner.builder.mark_piece(0);
        let size = self.shapes.last().and_then(|shape| shape.size);
        if size.is_some_and(|size| is_overfull(size, inner.builder.characters())) {
            inner.builder.mark_unjudged(0);
        }
        self.here.builder.put_aside(inner.builder);
    }
}
