//! What the lines of a page are besides running text: headings, tables, captions, listings, block quotations.

use std::collections::BTreeMap;

use super::headings::Headings;
use super::lines::{PdfLine, SAME_SIZE};
use crate::extract::wide::is_wide;
use copytrace_text::languages::languages;
use copytrace_text::layout::MarkKind;

// What follows was chosen by hand on theses of many schools and programs. Heights are those of most letters of the document, or
// of the line that is looked at; distances are compared with the usual one of the page.

/// The fewest rows of several cells in a table. If this many of five end in a number alone, they are entries of contents.
const TABLE_ROWS: usize = 3;
const ENTRIES_OF_FIVE: usize = 3;

/// The most characters of the number of a page, as far as it stands in a cell of its own.
const LONGEST_PAGE_NUMBER: usize = 5;

/// The fewest lines of a listing.
const CODE_LINES: usize = 2;

/// The most lines of a caption; what is further below than this many times the distance of its first two is text.
const CAPTION_LINES: usize = 6;
const CAPTION_DISTANCE: f64 = 1.15;

/// The largest distance of lines that follow each other, as a multiple of the usual one; captions stand further below their figure.
const FOLLOWS: f64 = 1.25;

/// The largest distance in points of lines in one row.
const LEAST_DISTANCE: f64 = 1.0;

/// How many heights beside the caption the text below a part of a figure begins at least.
const BESIDE_CAPTION: f64 = 0.5;

/// The fewest lines and letters of a block quotation, and how many heights it stands in from the text, at least and at most.
const QUOTED_LINES: usize = 2;
const QUOTED_LETTERS: usize = 60;
const QUOTED_INDENT: f64 = 0.8;
const LARGEST_INDENT: f64 = 8.0;

/// The fewest letters of one that goes on over the page; there may be a single line of it.
const LETTERS_BEFORE_BREAK: usize = 25;

/// How many tenths of prose are letters at least.
const LETTERS_OF_TEN: usize = 7;

/// A page is set in another way if more than this many of five lines would be quoted.
const QUOTED_OF_FIVE: usize = 4;

/// Letters that differ from those of the text by a smaller share of their height are the same. Those of a quotation are at most
/// a little higher; from this share down they set it apart.
const ALIKE: f64 = 0.05;
const HIGHEST_QUOTED: f64 = 1.02;
const SMALLER: f64 = 0.96;

/// How many heights apart lines at one edge may begin.
const SAME_EDGE: f64 = 0.3;

/// How many heights the first line of a paragraph stands in at most.
const FIRST_INDENT: f64 = 3.0;

/// How many points beyond the text the lines of a block may end.
const BEYOND_TEXT: f64 = 1.0;

/// A block is set apart by more than this many times the usual distance, or by a line above it that ends more than this many heights early.
const SET_APART: f64 = 1.15;
const ENDS_EARLY: f64 = 4.0;

/// The width in heights of the blank before a first word, which must fit on a line with it.
const WORD_GAP: f64 = 0.3;

/// The distance of most lines from the one above, on a page.
pub(super) fn usual_distance(lines: &[&PdfLine]) -> f64 {
    let mut distances: Vec<f64> = lines
        .windows(2)
        .map(|pair| pair[1].bottom - pair[0].bottom)
        .filter(|distance| *distance > LEAST_DISTANCE)
        .collect();
    distances.sort_by(f64::total_cmp);
    distances.get(distances.len() / 2).copied().unwrap_or(0.0)
}

/// Whether two lines stand beside each other, as the cells of a table do.
pub(super) fn same_row(last: &PdfLine, line: &PdfLine) -> bool {
    line.is_in_row(last) && line.left >= last.right
}

/// The marks that each line of a page gets, in the order of reading.
pub(super) fn on(number: usize, lines: &[&PdfLine], headings: &Headings<'_>) -> Vec<Vec<MarkKind>> {
    let mut marks = headings.on(number, lines);
    let usual = usual_distance(lines);
    let mut mark = |range: std::ops::Range<usize>, kind: MarkKind| {
        for marks in &mut marks[range] {
            // What the outline names is a heading and nothing else.
            if !marks.iter().any(|mark| matches!(mark, MarkKind::OutlineHeading(_))) {
                *marks = vec![kind];
            }
        }
    };
    for range in quotations(lines, headings.body(), usual) {
        mark(range, MarkKind::Quotation);
    }
    for range in tables(lines) {
        mark(range, MarkKind::Table);
    }
    for range in runs(lines, CODE_LINES, |line| line.monospaced) {
        mark(range, MarkKind::Code);
    }
    let edge = |line: &PdfLine| {
        let beside = |other: &&&PdfLine| other.left < line.right && line.left < other.right;
        lines.iter().filter(beside).map(|other| other.right).fold(line.right, f64::max)
    };
    for at in 0..lines.len() {
        if is_caption(lines, at, usual, edge) {
            let goes_on = |next: &usize| {
                let (last, line) = (lines[*next - 1], lines[*next]);
                let apart = line.bottom - last.bottom;
                // The text below stands further apart than the lines of the caption, or below a short last one.
                let first = lines[at + 1].bottom - lines[at].bottom;
                let ends = last.text.ends_with(['.', '。'])
                    && last.right + line.first_width + WORD_GAP * last.size < edge(line);
                follows(last, line, usual) && apart < CAPTION_DISTANCE * first && !ends
            };
            let end = (at + 1..lines.len().min(at + CAPTION_LINES)).take_while(goes_on).last().map_or(at, |last| last);
            mark(at..end + 1, MarkKind::Caption);
        }
    }
    for (marks, line) in marks.iter_mut().zip(lines) {
        if line.turned {
            *marks = vec![MarkKind::Margin];
        }
    }
    marks
}

/// Whether a line stands directly below another one, set alike.
fn follows(last: &PdfLine, line: &PdfLine, usual: f64) -> bool {
    (line.size - last.size).abs() < SAME_SIZE * last.size
        && (0.0..FOLLOWS * usual.max(last.size)).contains(&(line.bottom - last.bottom))
        && line.left < last.right
        && last.left < line.right
}

/// Runs of `fewest` lines or more of which something holds.
fn runs(lines: &[&PdfLine], fewest: usize, holds: impl Fn(&PdfLine) -> bool) -> Vec<std::ops::Range<usize>> {
    let mut runs = Vec::new();
    let mut start = None;
    for at in 0..=lines.len() {
        let inside = lines.get(at).is_some_and(|line| holds(line));
        match start {
            None if inside => start = Some(at),
            Some(from) if !inside => {
                if at - from >= fewest {
                    runs.push(from..at);
                }
                start = None;
            }
            _ => {}
        }
    }
    runs
}

/// Rows of several cells below each other, unless they end in page numbers as a table of contents does.
fn tables(lines: &[&PdfLine]) -> Vec<std::ops::Range<usize>> {
    let mut rows: Vec<std::ops::Range<usize>> = Vec::new();
    for at in 0..lines.len() {
        match rows.last_mut() {
            Some(row) if same_row(lines[at - 1], lines[at]) => row.end = at + 1,
            _ => rows.push(at..at + 1),
        }
    }
    let mut tables = Vec::new();
    let mut table: Option<(std::ops::Range<usize>, usize, usize)> = None;
    let mut misses = 0;
    let mut finish = |table: Option<(std::ops::Range<usize>, usize, usize)>| {
        if let Some((range, several, numbered)) = table
            && several >= TABLE_ROWS
            && numbered * 5 < several * ENTRIES_OF_FIVE
        {
            tables.push(range);
        }
    };
    for row in rows {
        let ends_in_number = lines[row.end - 1].text.chars().all(|c| c.is_ascii_alphanumeric())
            && row.len() == 2
            && lines[row.start].text.chars().any(char::is_alphabetic)
            && lines[row.end - 1].text.len() <= LONGEST_PAGE_NUMBER;
        if row.len() > 1 {
            let (range, several, numbered) = table.get_or_insert((row.clone(), 0, 0));
            range.end = row.end;
            *several += 1;
            *numbered += usize::from(ends_in_number);
            misses = 0;
        } else {
            misses += 1;
            if misses > 1 {
                finish(table.take());
            }
        }
    }
    finish(table);
    tables
}

/// Whether a line starts a caption: "Table 3: Soils", "图 2-1 流程", and no sentence such as "Table 3 shows".
/// `edge` tells where its column ends.
fn is_caption(lines: &[&PdfLine], at: usize, usual: f64, edge: impl Fn(&PdfLine) -> f64) -> bool {
    let line = lines[at];
    let text = line.text.to_lowercase();
    let Some(rest) = languages().after(&text, |l| &l.pages.captions) else { return false };
    let rest = rest.trim_start();
    let label =
        rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '–' | '．')).len();
    if label == 0 || !rest.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    // What is written below a part of a figure may stand directly above: it does not reach to the edge.
    let is_labelled = rest[..label].ends_with('.') || rest[label..].starts_with([':', '：']);
    let is_below = |last: &PdfLine| {
        let is_short =
            (last.left - line.left).abs() > BESIDE_CAPTION * line.size || last.right + line.first_width < edge(line);
        !follows(last, line, usual) || is_labelled && is_short
    };
    let begins = at == 0 || is_below(lines[at - 1]);
    // The case of the title is that of the line itself.
    let title = &line.text[line.text.len() - (rest.len() - label).min(line.text.len())..];
    let sentence = title.trim_start().starts_with(|c: char| c.is_lowercase());
    // In a list of figures the number of the page stands beside it.
    let is_number = |next: &&PdfLine| {
        same_row(line, next) && next.text.len() <= LONGEST_PAGE_NUMBER && !next.text.contains(char::is_alphabetic)
    };
    begins && !sentence && lines.get(at + 1).copied().filter(|next| is_number(next)).is_none()
}

/// Blocks of prose that stand in from the text on the left, set apart from the line before.
fn quotations(lines: &[&PdfLine], body: f64, usual: f64) -> Vec<std::ops::Range<usize>> {
    let alike = |line: &&PdfLine| (line.size - body).abs() < ALIKE * body;
    let Some(left) = most_common(lines.iter().copied().filter(|line| alike(line)).map(|line| line.left)) else {
        return Vec::new();
    };
    let right = lines.iter().map(|line| line.right).fold(0.0, f64::max);
    let stands_in = |line: &PdfLine| {
        let indent = line.left - left;
        (QUOTED_INDENT * body..LARGEST_INDENT * body).contains(&indent)
            && line.size <= HIGHEST_QUOTED * body
            && line.right <= right + BEYOND_TEXT
            && !line.turned
            && !line.monospaced
    };
    // First lines of paragraphs stand in too: the lines around them do not.
    let first_line = |lines: &[&PdfLine]| {
        let stands_out = |line: &PdfLine| (line.left - left).abs() < SAME_EDGE * body;
        let alone = stands_out(lines[0]) && !stands_out(lines[1]) && stands_out(lines[2]);
        (alone && lines[1].left > left).then_some(lines[1].left)
    };
    let first_lines = most_common(lines.windows(3).filter_map(first_line));
    let block = Block { body, right, usual, first_lines };
    let mut found = Vec::new();
    for run in runs(lines, 1, stands_in) {
        // Parts of the run that follow each other without a gap; the text around stands further out or is larger.
        let mut start = run.start;
        let mut edge = lines[start].left;
        for at in run.start + 1..=run.end {
            // The first line of a paragraph in it may stand in further.
            let beyond = if at == start + 1 { FIRST_INDENT } else { SAME_EDGE };
            let ends = at == run.end
                || !follows(lines[at - 1], lines[at], usual)
                || lines[at].left < edge - beyond * body
                || (lines[at].size - lines[start].size).abs() > ALIKE * body;
            if ends {
                if block.is_quotation(lines, start..at) {
                    found.push(start..at);
                }
                start = at;
                edge = lines.get(at).map_or(0.0, |line| line.left);
            } else if at == start + 1 {
                edge = edge.min(lines[at].left);
            }
        }
    }
    let quoted: usize = found.iter().map(ExactSizeIterator::len).sum();
    if quoted * 5 > lines.len() * QUOTED_OF_FIVE { Vec::new() } else { found }
}

/// The place, to a point, at which most stand.
fn most_common(places: impl Iterator<Item = f64>) -> Option<f64> {
    let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
    places.for_each(|place| *counts.entry(place.round() as i64).or_default() += 1);
    counts.iter().max_by_key(|(_, count)| **count).map(|(place, _)| *place as f64)
}

/// What is around a block that may be a quotation.
struct Block {
    /// The size of most letters.
    body: f64,
    /// The right edge of the text.
    right: f64,
    /// The distance of most lines.
    usual: f64,
    /// Where first lines of paragraphs begin, if they stand in.
    first_lines: Option<f64>,
}

impl Block {
    fn is_quotation(&self, lines: &[&PdfLine], range: std::ops::Range<usize>) -> bool {
        let Block { body, right, usual, .. } = *self;
        let block = &lines[range.clone()];
        let letter = |c: char| usize::from(c.is_alphabetic()) * if is_wide(c) { 5 } else { 2 };
        let letters: usize = block.iter().flat_map(|line| line.text.chars()).map(letter).sum::<usize>() / 2;
        let shown = |line: &&PdfLine| line.text.chars().filter(|c| !c.is_whitespace()).count();
        let worded = |line: &&PdfLine| line.text.chars().filter(|c| c.is_alphabetic()).count();
        let is_prose =
            block.iter().map(worded).sum::<usize>() * 10 >= block.iter().map(shown).sum::<usize>() * LETTERS_OF_TEN;
        let at_break = range.start == 0 || range.end == lines.len();
        let fewest = if at_break { (1, LETTERS_BEFORE_BREAK) } else { (QUOTED_LINES, QUOTED_LETTERS) };
        if block.len() < fewest.0 || letters < fewest.1 || !is_prose {
            return false;
        }
        let smaller = block.iter().all(|line| line.size <= SMALLER * body);
        let edge = block.iter().map(|line| line.left).fold(f64::MAX, f64::min);
        let one_edge = block.iter().filter(|line| line.left - edge < SAME_EDGE * body).count() * 2 >= block.len();
        // Short paragraphs one after the other, of which only first lines are there.
        let end = block.iter().map(|line| line.right).fold(0.0, f64::max);
        let goes_on = |line: &&PdfLine| {
            line.right + line.first_width + WORD_GAP * body > end
                && !line.text.ends_with(['.', '。', ':', '：', ';', '；'])
        };
        let full = block.len() > 1 && block[..block.len() - 1].iter().all(goes_on);
        let first_lines =
            !smaller && !full && self.first_lines.is_some_and(|place| (place - edge).abs() < SAME_EDGE * body);
        // What hangs below a label of a list, or below the first line of a reference, goes on with it.
        let apart = range.start.checked_sub(1).is_none_or(|before| {
            let before = lines[before];
            let gap = block[0].bottom - before.bottom > SET_APART * usual || block[0].bottom < before.bottom;
            let set_apart = smaller && before.size > HIGHEST_QUOTED * block[0].size;
            let ends = before.text.ends_with([':', '：']) || before.right < right - ENDS_EARLY * body;
            !same_row(before, block[0]) && (gap || set_apart || ends)
        });
        let first = block[0].text.as_str();
        let listed = first.starts_with(['•', '·', '–', '-', '▪', '◦', '*', '(', '（', '['])
            || first
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .strip_prefix(['.', ')', '、', '．', '）'])
                .is_some_and(|_| first.starts_with(|c: char| c.is_ascii_digit()));
        one_edge && apart && !listed && !first_lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of (left, right, top, size, text).
    fn lines(rows: &[(f64, f64, f64, f64, &str)]) -> Vec<PdfLine> {
        let line = |&(left, right, top, size, text): &(f64, f64, f64, f64, &str)| PdfLine {
            text: text.to_owned(),
            left,
            right,
            top,
            bottom: top + size,
            size,
            weight: 1.0,
            ..PdfLine::default()
        };
        rows.iter().map(line).collect()
    }

    fn kinds(rows: &[(f64, f64, f64, f64, &str)]) -> Vec<Option<MarkKind>> {
        let lines = lines(rows);
        let page = super::super::lines::Page { lines: lines.clone(), ..Default::default() };
        let pages = [page];
        let headings = Headings::of(&pages, &[]);
        let marks = on(0, &lines.iter().collect::<Vec<_>>(), &headings);
        marks.iter().map(|marks| marks.first().copied()).collect()
    }

    const PROSE: &str = "the tide leaves a thin layer of silt between the stems";

    #[test]
    fn a_caption_begins_below_a_shorter_line_and_ends_with_its_own_short_one() {
        let full = |top: f64, text: &'static str| (72.0, 500.0, top, 12.0, text);
        let rows = [
            full(100.0, PROSE),
            full(114.0, PROSE),
            (120.0, 300.0, 128.0, 12.0, "(b) A second part"),
            full(142.0, "Table 1. The stems that were counted at the end of the"),
            (72.0, 200.0, 156.0, 12.0, "second year."),
            full(170.0, PROSE),
            full(184.0, PROSE),
        ];
        let caption = Some(MarkKind::Caption);
        assert_eq!(kinds(&rows), [None, None, None, caption, caption, None, None]);
    }

    #[test]
    fn a_block_that_stands_in_is_a_quotation_and_a_hanging_reference_is_none() {
        let quotation = [
            (50.0, 500.0, 100.0, 10.0, PROSE),
            (50.0, 500.0, 112.0, 10.0, PROSE),
            (50.0, 300.0, 124.0, 10.0, "As the old man wrote in his book:"),
            (80.0, 470.0, 142.0, 10.0, PROSE),
            (80.0, 470.0, 154.0, 10.0, PROSE),
            (50.0, 500.0, 172.0, 10.0, PROSE),
            (50.0, 500.0, 184.0, 10.0, PROSE),
        ];
        let found = kinds(&quotation);
        assert_eq!(found[3..5], [Some(MarkKind::Quotation); 2]);
        assert!(found[..3].iter().chain(&found[5..]).all(Option::is_none));
        // Its first line may stand in further.
        let mut indented = quotation;
        indented[3].0 = 95.0;
        assert_eq!(kinds(&indented)[3..5], [Some(MarkKind::Quotation); 2]);
        let references = [
            (50.0, 500.0, 100.0, 10.0, PROSE),
            (80.0, 500.0, 112.0, 10.0, PROSE),
            (80.0, 300.0, 124.0, 10.0, PROSE),
            (50.0, 500.0, 136.0, 10.0, PROSE),
            (80.0, 500.0, 148.0, 10.0, PROSE),
            (50.0, 500.0, 160.0, 10.0, PROSE),
            (50.0, 500.0, 172.0, 10.0, PROSE),
        ];
        assert!(kinds(&references).iter().all(Option::is_none));
    }

    #[test]
    fn tables_and_captions_are_known_and_contents_are_no_table() {
        let row = |top: f64| {
            [(50.0, 90.0, top, 10.0, "sand"), (150.0, 190.0, top, 10.0, "12 %"), (250.0, 290.0, top, 10.0, "wet")]
        };
        let caption =
            [(50.0, 200.0, 70.0, 10.0, "Table 3.1 Soils of the marsh"), (50.0, 500.0, 40.0, 10.0, "Table 3 shows it")];
        let rows: Vec<_> =
            caption[..1].iter().copied().chain((0..4).flat_map(|at| row(100.0 + 12.0 * f64::from(at)))).collect();
        let found = kinds(&rows);
        assert_eq!(found[0], Some(MarkKind::Caption));
        assert!(found[1..].iter().all(|kind| *kind == Some(MarkKind::Table)));
        assert_eq!(kinds(&caption[1..]), [None]);
        let entry = |top: f64| [(50.0, 190.0, top, 10.0, "The soils"), (450.0, 460.0, top, 10.0, "12")];
        let contents: Vec<_> = (0..5).flat_map(|at| entry(100.0 + 12.0 * f64::from(at))).collect();
        assert!(kinds(&contents).iter().all(Option::is_none));
    }
}
