//! Two columns are read one after the other.
//!
//! If a page has a gutter that hardly any line crosses, its lines are put in order here; else they stay from the top to the
//! bottom.

use super::lines::PdfLine;
use crate::extract::wide::is_wide;

// Chosen by hand on pages of articles and theses in one and two columns.

/// The fewest lines of a column.
const FEWEST_LINES: usize = 5;

/// The largest share of lines that cross the gutter (one in this many). More do above and below columns of prose: half of the lines
/// on each side have this many letters at least; cells of tables have fewer.
const CROSSING_SHARE: usize = 4;
const LETTERS_OF_PROSE: usize = 16;

/// How many heights apart the tops of lines in one row may be.
const SAME_ROW: f64 = 0.5;

/// The shares of the width of all lines between which two columns part.
const MIDDLE: std::ops::Range<f64> = 0.35..0.65;

/// How many points left of where lines begin a gutter is looked for.
const BEFORE_COLUMN: f64 = 0.5;

/// The most letters of a page number, and the least share of the lines in a right column that have more (one in this many).
const LETTERS_OF_NUMBER: usize = 3;
const WORDED_ONE_IN: usize = 2;

/// The fewest lines of prose on each side that are enough instead: beside a table of figures over both columns, most lines are its cells.
const LINES_OF_PROSE: usize = 10;

/// Of a table over both columns the fewest cells in a row of which one crosses the gutter, the fewest on each side in another row,
/// and the fewest such rows that follow each other: formulas beside each other are fewer. Its cells stay together.
const CELLS: usize = 3;
const CELLS_BESIDE: usize = 2;
const TABLE_ROWS: usize = 4;

/// The lines of a page in the order in which a person reads them.
pub(super) fn in_reading_order(mut lines: Vec<&PdfLine>) -> Vec<&PdfLine> {
    let Some(gutter) = gutter(&lines) else { return lines };
    lines.sort_by(|a, b| a.top.total_cmp(&b.top));
    let wide = over_both(&mut lines, gutter);
    let (mut ordered, mut left, mut right) = (Vec::with_capacity(lines.len()), Vec::new(), Vec::new());
    for (line, wide) in lines.into_iter().zip(wide) {
        if wide {
            // A line over both columns parts what is above it from what is below.
            ordered.append(&mut left);
            ordered.append(&mut right);
            ordered.push(line);
        } else if line.right <= gutter {
            left.push(line);
        } else {
            right.push(line);
        }
    }
    ordered.append(&mut left);
    ordered.append(&mut right);
    ordered
}

/// Which lines, in order of their places, stand over both columns or are cells of a table that does. These cells are put in order.
fn over_both(lines: &mut [&PdfLine], gutter: f64) -> Vec<bool> {
    let same_row = |above: &&PdfLine, line: &&PdfLine| line.top - above.top < SAME_ROW * line.size;
    let crosses = |line: &&PdfLine| line.left < gutter && line.right > gutter;
    let mut wide: Vec<bool> = lines.iter().map(crosses).collect();
    // A row of cells on both sides, of which one may cross.
    let is_of_cells = |row: &[&PdfLine]| {
        let left = row.iter().filter(|line| line.right <= gutter).count();
        let right = row.iter().filter(|line| line.left >= gutter).count();
        let cells = left.min(right) >= CELLS_BESIDE || row.len() >= CELLS && row.iter().any(crosses);
        cells && row.iter().all(|line| letters(line) < LETTERS_OF_PROSE)
    };
    let mut at = 0;
    let rows: Vec<(std::ops::Range<usize>, bool)> = lines
        .chunk_by(same_row)
        .map(|row| {
            at += row.len();
            (at - row.len()..at, is_of_cells(row))
        })
        .collect();
    for table in rows.chunk_by(|above, row| above.1 && row.1).filter(|rows| rows.len() >= TABLE_ROWS) {
        for (row, _) in table {
            lines[row.clone()].sort_by(|a, b| a.left.total_cmp(&b.left));
            wide[row.clone()].fill(true);
        }
    }
    wide
}

/// How many letters a line has, a wide one counted twice.
pub(super) fn letters(line: &PdfLine) -> usize {
    letters_of(line.text.chars())
}

/// The same of characters.
pub(super) fn letters_of(characters: impl Iterator<Item = char>) -> usize {
    characters.filter(|c| c.is_alphabetic()).map(|c| 1 + usize::from(is_wide(c))).sum()
}

/// The place between two columns, if there are two.
fn gutter(lines: &[&PdfLine]) -> Option<f64> {
    let first = lines.iter().map(|line| line.left).reduce(f64::min)?;
    let last = lines.iter().map(|line| line.right).reduce(f64::max)?;
    let sides = |at: f64| {
        let left = lines.iter().filter(|line| line.right <= at).count();
        let right = lines.iter().filter(|line| line.left >= at).count();
        (left, right, lines.len() - left - right)
    };
    // Right edges of lines in the middle third are where a gutter may begin.
    let middle = |at: &f64| (first + (last - first) * MIDDLE.start..first + (last - first) * MIDDLE.end).contains(at);
    let places = lines.iter().map(|line| line.left - BEFORE_COLUMN).filter(middle);
    let best =
        places.min_by(|a, b| (sides(*a).2, *a).partial_cmp(&(sides(*b).2, *b)).unwrap_or(std::cmp::Ordering::Equal))?;
    let (left, right, crossing) = sides(best);
    // Page numbers beside their entries are no column.
    let worded = |line: &&&PdfLine| line.left >= best && letters(line) > LETTERS_OF_NUMBER;
    let lines_of_prose = |is_there: &dyn Fn(&PdfLine) -> bool| {
        lines.iter().filter(|line| is_there(line) && letters(line) >= LETTERS_OF_PROSE).count()
    };
    let prose = |is_there: &dyn Fn(&PdfLine) -> bool, all: usize| 2 * lines_of_prose(is_there) >= all;
    let prose_beside =
        || lines_of_prose(&|line| line.right <= best).min(lines_of_prose(&|line| line.left >= best)) >= LINES_OF_PROSE;
    let two = left >= FEWEST_LINES
        && right >= FEWEST_LINES
        && (crossing * CROSSING_SHARE <= lines.len()
            || (prose(&|line| line.right <= best, left) && prose(&|line| line.left >= best, right)))
        && (lines.iter().filter(worded).count() * WORDED_ONE_IN >= right || prose_beside());
    two.then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, left: f64, right: f64, top: f64) -> PdfLine {
        PdfLine { text: text.to_owned(), left, right, top, bottom: top + 10.0, size: 10.0, ..PdfLine::default() }
    }

    #[test]
    fn columns_are_read_one_after_the_other_and_apart_above_and_below_a_wide_line() {
        let mut lines = vec![line("title", 0.0, 200.0, 0.0)];
        for row in 1..7 {
            let top = f64::from(row) * 12.0;
            lines.push(line(&format!("right {row}"), 110.0, 200.0, top + 0.1));
            lines.push(line(&format!("left {row}"), 0.0, 90.0, top));
        }
        let ordered: Vec<&str> =
            in_reading_order(lines.iter().collect()).iter().map(|line| line.text.as_str()).collect();
        assert_eq!(ordered[..3], ["title", "left 1", "left 2"]);
        assert_eq!(ordered[6..8], ["left 6", "right 1"]);
    }

    #[test]
    fn columns_of_prose_are_read_one_after_the_other_below_as_much_text_over_both() {
        let of = |cell: &str| {
            let mut lines: Vec<PdfLine> =
                (0..6).map(|row| line("text over both", 0.0, 200.0, f64::from(row) * 12.0)).collect();
            for row in 6..12 {
                lines.push(line(&format!("left {cell}"), 0.0, 90.0, f64::from(row) * 12.0));
                lines.push(line(&format!("right {cell}"), 110.0, 200.0, f64::from(row) * 12.0));
            }
            let ordered = in_reading_order(lines.iter().collect());
            ordered[6..].iter().take_while(|line| line.text.starts_with("left")).count()
        };
        // Short cells are a table's, which stays in rows.
        assert_eq!((of("of what the tide brought"), of("cell")), (6, 1));
    }

    #[test]
    fn columns_of_prose_are_read_one_after_the_other_below_a_table_of_figures_over_both_which_stays_in_rows() {
        let mut lines = Vec::new();
        for row in 0..20 {
            for cell in 0..9 {
                // In every second row no cell lies over the gutter.
                let left = f64::from(cell) * 22.0 + if row % 2 == 0 { 10.0 } else { 0.0 };
                lines.push(line(&format!("{row}.{cell}"), left, left + 15.0, f64::from(row) * 12.0));
            }
        }
        for row in 20..44 {
            lines.push(line("left of what the tide brought", 0.0, 99.0, f64::from(row) * 12.0));
            lines.push(line("right of what the tide brought", 104.0, 200.0, f64::from(row) * 12.0));
        }
        let ordered: Vec<&PdfLine> = in_reading_order(lines.iter().collect());
        let left = ordered.iter().skip_while(|line| line.text.contains(char::is_numeric));
        assert_eq!(left.take_while(|line| line.text.starts_with("left")).count(), 24);
        let cells = ordered.iter().take(180).map(|line| line.text.as_str());
        assert!(cells.eq(lines.iter().take(180).map(|line| line.text.as_str())));
    }

    #[test]
    fn page_numbers_of_contents_stay_beside_their_entries() {
        let mut lines = Vec::new();
        for row in 0..12 {
            lines.push(line("2.1 What the tide leaves", 0.0, 100.0, f64::from(row) * 12.0));
            lines.push(line("12", 110.0, 120.0, f64::from(row) * 12.0));
        }
        let before: Vec<&PdfLine> = lines.iter().collect();
        assert_eq!(in_reading_order(before.clone()), before);
    }

    #[test]
    fn a_table_in_one_column_of_text_stays_in_rows() {
        let mut lines: Vec<PdfLine> = (0..12).map(|row| line("wide text", 0.0, 200.0, f64::from(row) * 12.0)).collect();
        for row in 12..18 {
            lines.push(line("cell", 0.0, 90.0, f64::from(row) * 12.0));
            lines.push(line("cell", 110.0, 200.0, f64::from(row) * 12.0));
        }
        let before: Vec<&PdfLine> = lines.iter().collect();
        assert_eq!(in_reading_order(before.clone()), before);
    }
}
