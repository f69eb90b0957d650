//! Which lines may be headings: by the outline of the file, and by how they are set.

use std::collections::{BTreeMap, BTreeSet};

use super::lines::{Page, PdfLine};
use super::outline::Bookmark;
use crate::extract::wide::is_wide;
use copytrace_text::layout::MarkKind;
use copytrace_text::structure::after_chapter_word;

// Chosen by hand on theses of many schools and programs.

/// Letters so many times as high as most make a heading; so does so much more ink in letters of the usual height, of which they
/// have this share at least.
const HEADING_SIZE: f64 = 1.12;
const BOLD: f32 = 1.25;
const USUAL_HEIGHT: f64 = 0.95;

/// Levels of headings by their size; all smaller ones have the last.
const LEVELS: u8 = 8;

/// A heading has at most so many characters; one that is bold only, so many.
const LONGEST: usize = 150;
const LONGEST_BOLD: usize = 80;

/// A word has so many letters, one of Han characters or of Hangul a single one.
const SHORTEST_WORD: usize = 3;

/// A page with so many lines that end in numbers, of at most so many digits, has a table of contents.
const FEWEST_ENTRIES: usize = 5;
const LONGEST_PAGE_NUMBER: usize = 5;

/// Lines stand in one row if they end within so many heights of each other.
const SAME_ROW: f64 = 0.5;

/// An entry of the outline may stand in so many lines, and may lack a label of so many characters, in UTF-8 twice as many bytes.
const OUTLINE_LINES: usize = 4;
const LONGEST_LABEL: usize = 12;

/// What is known of the headings of a document.
pub(super) struct Headings<'d> {
    body: f64,
    /// The sizes above the usual one, each with its level: the greatest has level 1.
    levels: BTreeMap<u64, u8>,
    outline: &'d [Bookmark],
}

impl<'d> Headings<'d> {
    pub(super) fn of(pages: &[Page], outline: &'d [Bookmark]) -> Self {
        let body = body_size(pages);
        let lines = pages.iter().flat_map(|page| &page.lines).filter(|line| is_worded(line) && !line.turned);
        let sizes: BTreeSet<u64> =
            lines.filter(|line| line.size >= body * HEADING_SIZE).map(|line| tenths(line.size)).collect();
        let levels = sizes.into_iter().rev().zip((1..=LEVELS).chain(std::iter::repeat(LEVELS))).collect();
        Headings { body, levels, outline }
    }

    /// The height that most letters have.
    pub(super) fn body(&self) -> f64 {
        self.body
    }

    /// The marks of each line of a page, whose number counts from 0.
    pub(super) fn on(&self, number: usize, lines: &[&PdfLine]) -> Vec<Vec<MarkKind>> {
        let mut marks: Vec<Vec<MarkKind>> = vec![Vec::new(); lines.len()];
        for bookmark in self.outline.iter().filter(|bookmark| bookmark.page == number) {
            for at in entry(bookmark, lines) {
                if marks[at].is_empty() {
                    marks[at].push(MarkKind::OutlineHeading(bookmark.level));
                }
            }
        }
        let entries = entries(lines);
        for ((marks, line), entry) in marks.iter_mut().zip(lines).zip(entries) {
            marks.extend(self.by_font(line).filter(|_| !entry).map(MarkKind::FontHeading));
        }
        marks
    }

    fn by_font(&self, line: &PdfLine) -> Option<u8> {
        let characters = line.text.chars().count();
        if line.turned || characters > LONGEST || !is_worded(line) {
            return None;
        }
        let large = self.levels.get(&tenths(line.size)).copied();
        let sentence = line.text.ends_with(['.', '。', ',', '，', ';', '；', '、']);
        let bold =
            line.weight >= BOLD && line.size >= USUAL_HEIGHT * self.body && characters <= LONGEST_BOLD && !sentence;
        large.or_else(|| bold.then(|| self.levels.values().max().map_or(1, |level| level + 1)))
    }
}

/// Which lines are entries of a table of contents: those of rows that end in a number, if there are many on the page.
fn entries(lines: &[&PdfLine]) -> Vec<bool> {
    let is_number = |text: &str| {
        let digits = text.rsplit([' ', '.', '…', '·']).next().unwrap_or_default();
        !digits.is_empty()
            && digits.len() <= LONGEST_PAGE_NUMBER
            && digits.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'i' | b'v' | b'x'))
    };
    let ends_row =
        |at: usize| lines.get(at + 1).is_none_or(|next| (next.bottom - lines[at].bottom).abs() > SAME_ROW * next.size);
    let mut entries = vec![false; lines.len()];
    for at in (0..lines.len()).rev() {
        entries[at] = if ends_row(at) {
            is_number(&lines[at].text) && (lines[at].text.len() > LONGEST_PAGE_NUMBER || at > 0 && !ends_row(at - 1))
        } else {
            entries[at + 1]
        };
    }
    if entries.iter().filter(|entry| **entry).count() >= FEWEST_ENTRIES { entries } else { vec![false; lines.len()] }
}

/// The lines in which an entry of the outline stands.
fn entry(bookmark: &Bookmark, lines: &[&PdfLine]) -> std::ops::Range<usize> {
    let title = letters(&bookmark.title);
    if title.is_empty() {
        return 0..0;
    }
    let distance =
        |range: &std::ops::Range<usize>| bookmark.top.map_or(0.0, |top| (lines[range.start].top - top).abs());
    let mut found = Vec::new();
    for start in 0..lines.len() {
        let mut words = String::new();
        for (end, line) in (start + 1..).zip(&lines[start..]).take(OUTLINE_LINES) {
            words.push_str(&letters(&line.text));
            // The line may have a number or a word for chapters that the entry lacks, and the other way round.
            let labelled = |longer: &str, shorter: &str| longer.strip_suffix(shorter).is_some_and(is_label);
            if words == title || labelled(&words, &title) || (end == start + 1 && labelled(&title, &words)) {
                found.push(start..end);
                break;
            }
            if words.len() > title.len() + 2 * LONGEST_LABEL {
                break;
            }
        }
    }
    let nearest = found.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.start.cmp(&b.start)));
    // "Chapter 1" may stand above the place that the entry points to.
    let whole = nearest.and_then(|nearest| found.iter().find(|range| range.end == nearest.end));
    whole.cloned().unwrap_or(0..0)
}

/// Letters and digits, in lower case.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether letters and digits are the label of a chapter or a section: 31, chapter3, 第三章, and "chapter" before a number.
fn is_label(text: &str) -> bool {
    const HAN: &str = "一二三四五六七八九十百章节節编編篇部장절";
    let label = after_chapter_word(text).unwrap_or(text).trim_start_matches(['第', '제']);
    text.chars().count() <= LONGEST_LABEL && label.chars().all(|c| c.is_numeric() || HAN.contains(c))
}

/// Whether a line is made of words, and not of formulas and numbers.
fn is_worded(line: &PdfLine) -> bool {
    let shown = line.text.chars().filter(|c| !c.is_whitespace()).count();
    let letters = line.text.chars().filter(|c| c.is_alphabetic()).count();
    let formula = line.text.contains(['=', '≤', '≥', '≈', '∈', '∑', '∫', '√', '∞', '→', '×']);
    let word = line.text.split(|c: char| !c.is_alphabetic()).any(|word| {
        let letters = word.chars().count();
        letters >= SHORTEST_WORD || (letters >= 1 && word.chars().all(|c| is_wide(c) || ('가'..='힣').contains(&c)))
    });
    letters * 2 >= shown && word && !formula
}

/// The height that most letters have.
fn body_size(pages: &[Page]) -> f64 {
    let mut sizes: BTreeMap<u64, usize> = BTreeMap::new();
    for line in pages.iter().flat_map(|page| &page.lines) {
        *sizes.entry(tenths(line.size)).or_default() += line.text.len();
    }
    sizes.iter().max_by_key(|(_, letters)| **letters).map_or(0.0, |(size, _)| *size as f64 / 10.0)
}

fn tenths(size: f64) -> u64 {
    (size * 10.0).round().clamp(0.0, 1e6) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, top: f64, size: f64, weight: f32) -> PdfLine {
        PdfLine { text: text.to_owned(), right: 300.0, top, bottom: top + size, size, weight, ..PdfLine::default() }
    }

    fn marks(outline: &[Bookmark], lines: &[PdfLine]) -> Vec<Vec<MarkKind>> {
        let body =
            line("the body of the text is set in this size and has most of the letters on the page", 500.0, 10.0, 1.0);
        let page = Page { lines: lines.iter().cloned().chain([body]).collect(), ..Page::default() };
        let pages = [page];
        let headings = Headings::of(&pages, outline);
        let mut marks = headings.on(0, &pages[0].lines.iter().collect::<Vec<_>>());
        marks.pop();
        marks
    }

    #[test]
    fn larger_and_bolder_lines_are_headings_and_formulas_are_none() {
        let lines = [
            line("Chapter One", 10.0, 18.0, 1.0),
            line("1.1 Background", 30.0, 14.0, 1.4),
            line("Sampling", 50.0, 10.0, 1.4),
            line("Ends as a sentence does.", 60.0, 10.0, 1.4),
            line("∑ x + y = 12", 70.0, 14.0, 1.0),
            line("3.14 2.71", 80.0, 14.0, 1.0),
            line("논의", 90.0, 18.0, 1.0),
        ];
        let levels: Vec<Option<MarkKind>> = marks(&[], &lines).iter().map(|marks| marks.first().copied()).collect();
        let font = |level| Some(MarkKind::FontHeading(level));
        assert_eq!(levels, [font(1), font(2), font(3), None, None, None, font(1)]);
    }

    #[test]
    fn entries_of_the_outline_are_found_with_and_without_numbers_and_over_two_lines() {
        let lines = [
            line("Results", 40.0, 10.0, 1.0),
            line("Chapter 4", 100.0, 10.0, 1.0),
            line("Results", 120.0, 10.0, 1.0),
            line("4.1 What the tide", 200.0, 10.0, 1.0),
            line("leaves", 212.0, 10.0, 1.0),
        ];
        let bookmark = |title: &str, level, top| Bookmark { title: title.to_owned(), level, page: 0, top: Some(top) };
        let outline = [bookmark("Chapter 4 Results", 1, 98.0), bookmark("What the tide leaves", 2, 198.0)];
        let found: Vec<Option<MarkKind>> = marks(&outline, &lines).iter().map(|marks| marks.first().copied()).collect();
        let outline = |level| Some(MarkKind::OutlineHeading(level));
        assert_eq!(found, [None, outline(1), outline(1), outline(2), outline(2)]);
    }
}
