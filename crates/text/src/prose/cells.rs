//! Text that runs on from cell to cell.
//!
//! The cells of a table hold terms, figures or sentences. Where many begin with a sign that ends a clause, or end with a comma, one text runs
//! through them, and whether it runs along the rows or down the columns only its reader sees. What was compared are the rows; what of them
//! was found in other texts was compared, and the rest is not judged.

use crate::script::is_han;
use std::ops::Range;

/// What parts cells: a tab for those of a format, and the bar of tables that are drawn in plain text.
const PARTING: [char; 2] = ['\t', '|'];

/// Of fewer cells in rows below each other nothing is told, nor of fewer that are cut. Chosen by hand: the cells that a comma ends in tables
/// of 44 theses and 450 manuals are fewer, or one of more cells.
const FEWEST: usize = 12;
const FEWEST_CUT: usize = 3;

/// The share of cells that are cut: every twelfth. Prose has a comma or a full stop for every twelve words.
const CUT_ONE_IN: usize = 12;

const CLOSING: &str = "，。；：、！？）》」』”,.;:!?)";
const GOING_ON: &str = "，、；：（《「『“,;(";

/// Where rows of cells hold one text, in characters, in order.
pub(super) fn running(seen: &str) -> Vec<Range<u32>> {
    let mut found = Vec::new();
    if !seen.contains(PARTING) {
        return found;
    }
    let mut table = Table::default();
    let mut start = 0;
    for line in seen.split_inclusive('\n') {
        let end = start + line.chars().count() as u32;
        let cells = line.split(PARTING).map(str::trim).filter(|cell| !cell.is_empty());
        let (count, cut) = cells.fold((0, 0), |(count, cut), cell| (count + 1, cut + usize::from(is_cut(cell))));
        if count < 2 {
            found.extend(std::mem::take(&mut table).running());
        } else {
            table.add(start..end, count, cut);
        }
        start = end;
    }
    found.extend(table.running());
    found
}

/// Rows below each other.
#[derive(Default)]
struct Table {
    place: Range<u32>,
    cells: usize,
    cut: usize,
}

impl Table {
    fn add(&mut self, row: Range<u32>, cells: usize, cut: usize) {
        let start = if self.cells == 0 { row.start } else { self.place.start };
        *self = Table { place: start..row.end, cells: self.cells + cells, cut: self.cut + cut };
    }

    /// Where it is, if one text runs through it.
    fn running(self) -> Option<Range<u32>> {
        let is_cut = self.cut >= FEWEST_CUT && CUT_ONE_IN * self.cut >= self.cells;
        (self.cells >= FEWEST && is_cut).then_some(self.place)
    }
}

/// Whether a cell begins or ends within a clause.
fn is_cut(cell: &str) -> bool {
    let mut characters = cell.chars();
    let (first, second) = (characters.next(), characters.next());
    let begins = first.is_some_and(|c| CLOSING.contains(c))
        && second.is_none_or(|c| is_han(c) || c.is_whitespace())
        && (second.is_some() || !first.is_some_and(|c| c.is_ascii()));
    let mut back = cell.chars().rev();
    let ends = back.next().is_some_and(|c| GOING_ON.contains(c)) && back.next().is_some_and(char::is_alphabetic);
    begins || ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_through_which_one_text_runs_are_told_and_terms_and_sentences_in_cells_are_not() {
        let han = "但他的病\t苏阜宁县\t撒了手\n来得这样\t城；\t。阜宁\n快，\t他家在离\t是个偏辟\n只腹痛了\t城很远的\t的地方\n";
        let english =
            "Hebrew | the | by | which\ntext, | Mount | him, | will\nof | of | then | To\nwhich | Olives, | on | be\n";
        let terms = "河\t水\t。\n潮汐\t满潮\t退潮\n盐\t风\t岸\n沙\t堤\t田\nday\tnight\t3,5\na, b\tc, d\te, f\n";
        let sentences = "The tide rises.\tIt takes silt, and reeds.\n".repeat(8);
        assert_eq!(running(&format!("潮水。\n{han}")), vec![4..4 + han.chars().count() as u32]);
        assert_eq!(running(english).len(), 1);
        assert!(running(terms).is_empty() && running(&sentences).is_empty());
    }
}
