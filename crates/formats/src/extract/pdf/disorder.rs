//! Whether the lines of a page may be in another order than a reader takes them: text layers of scans have baselines that jump so far from
//! word to word that nobody can tell by them which words make a line.
//!
//! In an ordered page lines stand below each other, with the height of their letters between their baselines, or beside each other with
//! a wide gap between. Lines that share most of their heights, or that go on right beside each other a little higher or lower, are pieces
//! of others.

use super::lines::PdfLine;
use copytrace_text::script::{is_mathematical, is_technical};

// Lengths are in heights of the letters. All were chosen by hand.

/// The least distance between the baselines of lines below each other.
const LEADING: f64 = 0.75;

/// Lines of one baseline differ by less.
const LEVEL: f64 = 0.15;

/// The largest gap between a line and one that goes on beside it.
const BESIDE: f64 = 1.0;

/// Shorter lines are pieces of formulas and labels.
const FEWEST_LETTERS: usize = 3;

/// The least share of the characters on a page in disorder that stand in pieces of lines (one in this many), and the fewest such lines.
const ONE_IN: usize = 5;
const FEWEST_LINES: usize = 8;

/// Whether the order of the lines of a page is not known because too many are pieces of others.
pub(super) fn is_in_disorder<'l>(lines: impl IntoIterator<Item = &'l PdfLine>) -> bool {
    let is_worded = |line: &&PdfLine| {
        let letters = line.text.chars().filter(|c| c.is_alphabetic()).count();
        !line.turned && letters >= FEWEST_LETTERS && !line.text.contains(is_of_formula)
    };
    let mut worded: Vec<&PdfLine> = lines.into_iter().filter(is_worded).collect();
    worded.sort_by(|a, b| a.bottom.total_cmp(&b.bottom));
    let mut are_pieces = vec![false; worded.len()];
    for (at, line) in worded.iter().enumerate() {
        let near = worded[at + 1..].iter().take_while(|other| other.bottom - line.bottom < LEADING * other.size);
        for (other, below) in (at + 1..).zip(near) {
            if are_of_one(line, below) {
                (are_pieces[at], are_pieces[other]) = (true, true);
            }
        }
    }
    let length = |line: &&PdfLine| line.text.chars().count();
    let all: usize = worded.iter().map(length).sum();
    let pieces = || worded.iter().zip(&are_pieces).filter(|(_, is)| **is).map(|(line, _)| line);
    pieces().count() >= FEWEST_LINES && pieces().map(length).sum::<usize>() * ONE_IN >= all
}

/// Whether of two lines, one a little higher, both are pieces of one or of two.
fn are_of_one(line: &PdfLine, below: &PdfLine) -> bool {
    let size = line.size.min(below.size);
    let apart = below.bottom - line.bottom;
    let (gap, common) = (
        (below.left - line.right).max(line.left - below.right),
        line.right.min(below.right) - line.left.max(below.left),
    );
    let is_below = common > 0.5 * (line.right - line.left).min(below.right - below.left);
    (LEVEL * size..LEADING * size).contains(&apart) && (is_below || gap.abs() < BESIDE * size)
}

/// Whether a character is one of formulas, whose pieces stand above and beside each other.
fn is_of_formula(c: char) -> bool {
    matches!(c, '=' | '+' | '<' | '>' | '±' | '×' | '\u{1d400}'..='\u{1d7ff}') || is_mathematical(c) || is_technical(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of letters ten points high, from the left and the top, with what they say.
    fn page(places: impl IntoIterator<Item = (f64, f64, &'static str)>) -> Vec<PdfLine> {
        let line = |(left, top, text): (f64, f64, &str)| PdfLine {
            text: text.to_owned(),
            right: left + 5.0 * text.len() as f64,
            bottom: top + 10.0,
            size: 10.0,
            left,
            top,
            ..PdfLine::default()
        };
        places.into_iter().map(line).collect()
    }

    #[test]
    fn lines_columns_tables_and_formulas_are_in_order_and_pieces_of_lines_are_not() {
        let at = |row: u32| f64::from(row) * 12.0;
        let lines = page((0..12).map(|row| (50.0, at(row), "a whole line of the marsh")));
        let columns =
            page((0..12).flat_map(|row| [(50.0, at(row), "left of it"), (300.0, at(row) + 5.0, "right of it")]));
        let table = page(
            (0..12).flat_map(|row| [(50.0, at(row), "tide"), (150.0, at(row), "depth"), (250.0, at(row), "silt")]),
        );
        let formulas =
            page((0..12).flat_map(|row| [(50.0, at(2 * row), "lnP = 𝜋 sum"), (60.0, at(2 * row) + 5.0, "𝜋 + norm")]));
        let beside = page((0..12).flat_map(|row| [(50.0, at(row), "first words"), (108.0, at(row) + 3.0, "and more")]));
        let between =
            page((0..12).flat_map(|row| [(50.0, at(row), "every other word"), (60.0, at(row) + 5.0, "of two lines")]));
        for (lines, expected) in
            [(lines, false), (columns, false), (table, false), (formulas, false), (beside, true), (between, true)]
        {
            assert_eq!(is_in_disorder(&lines), expected, "{:?}", lines.iter().take(2).collect::<Vec<_>>());
        }
    }
}
