//! Cells of several lines, which are read one after the other and not line by line across their row.

use super::columns::letters;
use super::lines::{PdfLine, SAME_ROW, SAME_SIZE};
use crate::extract::wide::is_wide;

// What follows was chosen by hand; heights are those of the letters of a line.

/// The fewest letters of a line that goes on below, a wide one counted twice: figures, names and terms go on nowhere.
const LETTERS: usize = 30;

/// How many heights apart the lines of a cell may begin, and how many heights below each other they stand at most.
const SAME_EDGE: f64 = 0.3;
const FARTHEST: f64 = 2.0;

/// The width in heights of the blank before a first word, which must fit on a line with it.
const WORD_GAP: f64 = 0.3;

/// How many lines further on a line may go on, and how many on either side of it tell how wide its cell is.
const WINDOW: usize = 24;

/// The lines of a page, of which those of a cell follow each other though others stand beside them.
pub(super) fn together(lines: Vec<&PdfLine>) -> Vec<&PdfLine> {
    let below = goes_on(&lines);
    let mut ordered = Vec::with_capacity(lines.len());
    let mut start = 0;
    while start < lines.len() {
        // A line that goes on behind others begins a row of cells, which reaches to the last line of them.
        let is_interrupted = |at: usize| below[at].is_some_and(|next| next > at + 1);
        if !is_interrupted(start) {
            ordered.push(lines[start]);
            start += 1;
            continue;
        }
        let (mut at, mut end) = (start, start + 1);
        while at < end {
            end = below[at].map_or(end, |next| end.max(next + 1));
            at += 1;
        }
        by_columns(&lines, &below, start..end, &mut ordered);
        start = end;
    }
    ordered
}

/// Of each line the one that it goes on with. Where a row has a cell that begins there, the whole row begins: a number before each line of a
/// program, figures behind each entry.
fn goes_on(lines: &[&PdfLine]) -> Vec<Option<usize>> {
    let mut is_below = vec![false; lines.len()];
    let mut free = |next: &usize| !std::mem::replace(&mut is_below[*next], true);
    let mut below: Vec<Option<usize>> = (0..lines.len()).map(|at| below(lines, at).filter(&mut free)).collect();
    loop {
        let begins = |next: usize| {
            let beside = next.saturating_sub(WINDOW)..lines.len().min(next + 1 + WINDOW);
            beside.into_iter().any(|other| !is_below[other] && lines[other].is_in_row(lines[next]))
        };
        let wrong: Vec<usize> = (0..lines.len()).filter(|at| below[*at].is_some_and(begins)).collect();
        if wrong.is_empty() {
            return below;
        }
        wrong.into_iter().filter_map(|at| below[at].take()).for_each(|next| is_below[next] = false);
    }
}

/// The line that a line goes on with: the next one below it, in the midst of a sentence and because the first word did not fit.
fn below(lines: &[&PdfLine], at: usize) -> Option<usize> {
    let line = lines[at];
    let ends = |c: char| c.is_ascii_digit() || ".。!?！？:：".contains(c);
    if letters(line) < LETTERS || line.turned || line.text.ends_with(ends) {
        return None;
    }
    let window = at + 1..lines.len().min(at + 1 + WINDOW);
    let overlaps = |other: &PdfLine| other.left < line.right && line.left < other.right;
    let next = window.clone().find(|&next| overlaps(lines[next]))?;
    let other = lines[next];
    let same_edge = |other: &PdfLine| (other.left - line.left).abs() < SAME_EDGE * line.size;
    let distance = other.bottom - line.bottom;
    let near = (SAME_ROW * line.size..FARTHEST * line.size).contains(&distance);
    let around = lines[at.saturating_sub(WINDOW)..window.end].iter().filter(|other| same_edge(other));
    let edge = around.map(|other| other.right).fold(line.right, f64::max);
    let full = line.right + other.first_width + WORD_GAP * line.size > edge;
    // What stands in the row of a line may be the other cells of an entry that ends there.
    let in_row = |between: &&PdfLine| between.is_in_row(line);
    let goes_on =
        other.text.starts_with(|c: char| c.is_lowercase() || is_wide(c)) || !lines[at + 1..next].iter().any(in_row);
    let alike = (other.size - line.size).abs() < SAME_SIZE * line.size && !other.turned;
    (near && full && goes_on && alike && same_edge(other)).then_some(next)
}

/// Writes a row of cells from the left to the right, each from the top to the bottom.
fn by_columns<'a>(
    lines: &[&'a PdfLine],
    below: &[Option<usize>],
    row: std::ops::Range<usize>,
    ordered: &mut Vec<&'a PdfLine>,
) {
    let mut is_below = vec![false; row.len()];
    row.clone().filter_map(|at| below[at]).for_each(|next| is_below[next - row.start] = true);
    let mut first: Vec<usize> = row.clone().filter(|at| !is_below[at - row.start]).collect();
    first.sort_by(|a, b| lines[*a].left.total_cmp(&lines[*b].left));
    let same_column = |a: &usize, b: &usize| lines[*b].left - lines[*a].left < SAME_EDGE * lines[*a].size;
    for column in first.chunk_by(same_column) {
        let mut cells = column.to_vec();
        cells.sort_unstable();
        for cell in cells {
            let mut next = Some(cell);
            while let Some(at) = next {
                ordered.push(lines[at]);
                next = below[at];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, left: f64, top: f64) -> PdfLine {
        let right = left + 5.0 * text.chars().count() as f64;
        let first_width = 5.0 * text.split(' ').next().unwrap_or_default().chars().count() as f64;
        let (text, size) = (text.to_owned(), 10.0);
        PdfLine { text, left, right, top, bottom: top + size, size, first_width, ..PdfLine::default() }
    }

    fn texts(lines: &[PdfLine]) -> Vec<&str> {
        together(lines.iter().collect()).iter().map(|line| line.text.as_str()).collect()
    }

    #[test]
    fn the_lines_of_a_cell_follow_each_other_though_names_and_figures_stand_between_them() {
        let lines = [
            line("It is often said that the tide leaves silt", 200.0, 100.0),
            line("Clerk", 0.0, 106.0),
            line("12.5", 100.0, 106.0),
            line("between the stems.", 200.0, 112.0),
            line("Smith", 0.0, 130.0),
            line("9.1", 100.0, 130.0),
            line("Nothing.", 200.0, 130.0),
        ];
        let expected = [
            "Clerk",
            "12.5",
            "It is often said that the tide leaves silt",
            "between the stems.",
            "Smith",
            "9.1",
            "Nothing.",
        ];
        assert_eq!(texts(&lines), expected);
    }

    #[test]
    fn two_cells_of_several_lines_are_read_one_after_the_other() {
        let left = ["the tide leaves a layer of silt in the", "marsh every day and every night of the", "year"];
        let right = ["no flood was ever seen to bring it back", "what the one before had taken with it", "again"];
        let row = |(at, (a, b)): (usize, (&&str, &&str))| {
            let top = 100.0 + 12.0 * at as f64;
            [line(a, 0.0, top), line(b, 250.0, top)]
        };
        let lines: Vec<PdfLine> = left.iter().zip(&right).enumerate().flat_map(row).collect();
        assert_eq!(texts(&lines), [left, right].concat());
    }

    #[test]
    fn a_line_with_a_number_of_its_own_goes_on_with_none() {
        let code =
            ["let tide = silt.between(the_stems_of_grass),", "let flood = before.bring_it_back(as_it_was),", "return"];
        let row = |(at, code): (usize, &&str)| {
            let top = 100.0 + 12.0 * at as f64;
            [line(&(351 + at).to_string(), 0.0, top), line(code, 30.0, top)]
        };
        let lines: Vec<PdfLine> = code.iter().enumerate().flat_map(row).collect();
        let before: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts(&lines), before);
    }

    #[test]
    fn titles_keep_the_numbers_of_their_pages_beside_them_and_text_stays_as_it_is() {
        let mut lines: Vec<PdfLine> = Vec::new();
        for at in 0..4 {
            lines.push(line("What the tide leaves behind in the marsh", 0.0, 100.0 + 12.0 * f64::from(at)));
            lines.push(line("12", 300.0, 100.0 + 12.0 * f64::from(at)));
        }
        lines.extend((5..9).map(|at| line("and the tide leaves a thin layer of", 0.0, 100.0 + 12.0 * f64::from(at))));
        let before: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts(&lines), before);
        let terms = ["the silt", "Internet Protocol"].iter().enumerate();
        let lines: Vec<PdfLine> = terms
            .flat_map(|(at, term)| {
                [line(term, 0.0, 100.0 + 12.0 * at as f64), line("IP", 300.0, 100.0 + 12.0 * at as f64)]
            })
            .collect();
        assert_eq!(texts(&lines), ["the silt", "IP", "Internet Protocol", "IP"]);
    }
}
