//! Which lines may be headings: by the outline of the file, and by how they are set.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::lines::{Page, PdfLine};
use super::outline::Bookmark;
use crate::extract::wide::is_wide;
use copytrace_text::layout::MarkKind;
use copytrace_text::structure;
use unicode_normalization::UnicodeNormalization;

// Chosen by hand on theses of many schools and programs.

/// A heading has letters of at least this many times the usual height, or this many times the usual ink in letters of at least this
/// share of the usual height.
const HEADING_SIZE: f64 = 1.12;
const BOLD: f32 = 1.25;
const USUAL_HEIGHT: f64 = 0.95;

/// Levels of headings by their size; all smaller ones have the last.
const LEVELS: u8 = 8;

/// The most characters of a heading, and of one that is bold only.
const LONGEST: usize = 150;
const LONGEST_BOLD: usize = 80;

/// The fewest letters of a word; one of Han characters or of Hangul may have a single one.
const SHORTEST_WORD: usize = 3;

/// The fewest lines that end in numbers on a page with a table of contents, and the most digits of these numbers.
const FEWEST_ENTRIES: usize = 5;
const LONGEST_PAGE_NUMBER: usize = 5;

/// How many heights apart the bottoms of lines in one row may be.
const SAME_ROW: f64 = 0.5;

/// The most lines in which an entry of the outline may stand, and the most characters of a label that it may lack, in UTF-8 twice as many bytes.
const OUTLINE_LINES: usize = 4;
const LONGEST_LABEL: usize = 12;

/// A line set as a heading stands for an entry of the outline if it has this share of its pairs of letters, of which there are as
/// many: most of a short title, and few by chance.
const RESEMBLING: f64 = 0.6;
const FEWEST_PAIRS: usize = 4;

/// How many entries of an outline that begin with a number show that those of chapters and sections do.
const FEWEST_NUMBERED: usize = 3;

/// How many heights apart the lines of a title stand at most.
const SAME_TITLE: f64 = 1.0;

/// What is known of the headings of a document.
pub(super) struct Headings<'d> {
    body: f64,
    /// The sizes above the usual one, each with its level: the greatest has level 1.
    levels: BTreeMap<u64, u8>,
    outline: &'d [Bookmark],
    /// Whether entries of the outline have their numbers: then an entry without one has none on the page either.
    is_numbered: bool,
}

impl<'d> Headings<'d> {
    pub(super) fn of(pages: &[Page], outline: &'d [Bookmark]) -> Self {
        let body = body_size(pages);
        let lines = pages.iter().flat_map(|page| &page.lines).filter(|line| is_worded(line) && !line.turned);
        let sizes: BTreeSet<u64> =
            lines.filter(|line| line.size >= body * HEADING_SIZE).map(|line| tenths(line.size)).collect();
        let levels = sizes.into_iter().rev().zip((1..=LEVELS).chain(std::iter::repeat(LEVELS))).collect();
        let numbers =
            outline.iter().filter(|bookmark| bookmark.title.starts_with(|c: char| c.is_ascii_digit())).count();
        Headings { body, levels, outline, is_numbered: numbers >= FEWEST_NUMBERED }
    }

    /// The height that most letters have.
    pub(super) fn body(&self) -> f64 {
        self.body
    }

    /// The marks of each line of a page, whose number counts from 0.
    pub(super) fn on(&self, number: usize, lines: &[&PdfLine]) -> Vec<Vec<MarkKind>> {
        let mut marks: Vec<Vec<MarkKind>> = vec![Vec::new(); lines.len()];
        let fonts: Vec<Option<u8>> = lines.iter().map(|line| self.by_font(line)).collect();
        for bookmark in self.outline.iter().filter(|bookmark| bookmark.page == Some(number)) {
            let whole = entry(bookmark, lines, self.is_numbered);
            for at in whole.unwrap_or_else(|| resembling(bookmark, lines, &fonts)) {
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
fn entry(bookmark: &Bookmark, lines: &[&PdfLine], is_numbered: bool) -> Option<Range<usize>> {
    let title = letters(&bookmark.title);
    if title.is_empty() {
        return None;
    }
    let mut found = Vec::new();
    // The number of a page may stand above a title.
    let is_none = |at: usize| is_numbered && lines[at].text.bytes().all(|byte| byte.is_ascii_digit());
    for start in (0..lines.len()).filter(|at| !is_none(*at) || title.starts_with(&lines[*at].text)) {
        let mut words = String::new();
        for (end, line) in (start + 1..).zip(&lines[start..]).take(OUTLINE_LINES) {
            words.push_str(&letters(&line.text));
            if words == title || end == start + 1 && agree(&title, &words) || labelled(&words, &title) {
                found.push(start..end);
                break;
            }
            if words.len() > title.len() + 2 * LONGEST_LABEL {
                break;
            }
        }
    }
    let nearest = nearest(bookmark, lines, &found)?;
    // "Chapter 1" may stand above the place that the entry points to.
    found.iter().find(|range| range.end == nearest.end).cloned()
}

/// The lines set as headings that read most like an entry of the outline: it may be a short form of the title ("Formulae" for
/// "Formulae, equations and algorithms"), or spell a drawn word.
fn resembling(bookmark: &Bookmark, lines: &[&PdfLine], fonts: &[Option<u8>]) -> Range<usize> {
    let title = pairs(&letters(&bookmark.title));
    // A title ends with its last line.
    let goes_on = |end: usize| {
        end < lines.len()
            && fonts[end] == fonts[end - 1]
            && lines[end].top - lines[end - 1].bottom < SAME_TITLE * lines[end].size
    };
    let mut found: Vec<(f64, Range<usize>)> = Vec::new();
    for start in 0..lines.len() {
        let mut words = String::new();
        for end in (start + 1..=lines.len()).take(OUTLINE_LINES).take_while(|end| fonts[end - 1].is_some()) {
            words.push_str(&letters(&lines[end - 1].text));
            if !goes_on(end) {
                let shared = title.intersection(&pairs(&words)).count();
                found.push((shared as f64 / title.len().max(FEWEST_PAIRS) as f64, start..end));
            }
        }
    }
    let most = found.iter().map(|(share, _)| *share).fold(RESEMBLING, f64::max);
    // Of those that share as much, the shortest: what stands before and behind is not the title's.
    let best = found.into_iter().filter(|(share, _)| *share >= most).map(|(_, range)| range);
    let mut best: Vec<Range<usize>> = best.collect();
    let shortest = best.iter().map(Range::len).min();
    best.retain(|range| Some(range.len()) == shortest);
    nearest(bookmark, lines, &best).cloned().unwrap_or(0..0)
}

/// The lines that stand nearest to the place an entry points to.
fn nearest<'r>(bookmark: &Bookmark, lines: &[&PdfLine], found: &'r [Range<usize>]) -> Option<&'r Range<usize>> {
    let distance = |range: &Range<usize>| bookmark.top.map_or(0.0, |top| (lines[range.start].top - top).abs());
    found.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.start.cmp(&b.start)))
}

/// Letters and digits, in lower case and without accents, which capitals may lack.
fn letters(text: &str) -> String {
    let bare = text.nfkd().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
    bare.map(|c| if c == 'ς' { 'σ' } else { c }).nfc().collect()
}

/// The different pairs of neighbouring letters.
fn pairs(letters: &str) -> BTreeSet<(char, char)> {
    letters.chars().zip(letters.chars().skip(1)).collect()
}

/// Whether the longer of two titles is the shorter one behind a label.
fn labelled(longer: &str, shorter: &str) -> bool {
    longer.strip_suffix(shorter).is_some_and(is_label)
}

/// Whether two titles differ in the labels before them: "1 Results" and "Results", 第一章 绪论 and "1 绪论".
fn agree(entry: &str, line: &str) -> bool {
    let common: usize =
        entry.chars().rev().zip(line.chars().rev()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let (first, second) = (&entry[..entry.len() - common], &line[..line.len() - common]);
    // Two numbers in the same figures are two numbers.
    let figures = |label: &str| !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_digit());
    common > 0 && is_label(first) && is_label(second) && !(figures(first) && figures(second))
}

/// Whether letters and digits are the label of a chapter or a section: 31, chapter3, 第三章, and "chapter" before a number.
fn is_label(text: &str) -> bool {
    text.chars().count() <= LONGEST_LABEL && structure::is_label(text)
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
        let bookmark =
            |title: &str, level, top| Bookmark { title: title.to_owned(), level, page: Some(0), top: Some(top) };
        let outline = [bookmark("Chapter 4 Results", 1, 98.0), bookmark("What the tide leaves", 2, 198.0)];
        let found: Vec<Option<MarkKind>> = marks(&outline, &lines).iter().map(|marks| marks.first().copied()).collect();
        let outline = |level| Some(MarkKind::OutlineHeading(level));
        assert_eq!(found, [None, outline(1), outline(1), outline(2), outline(2)]);
    }

    #[test]
    fn the_number_of_a_page_above_a_title_is_none_of_the_title_where_the_outline_has_numbers() {
        let lines = [
            line("21", 20.0, 10.0, 1.0),
            line("Acronyms", 60.0, 10.0, 1.0),
            line("1", 120.0, 30.0, 1.0),
            line("Introduction", 160.0, 16.0, 1.0),
        ];
        let bookmark = |title: &str, top| Bookmark { title: title.to_owned(), level: 1, page: Some(0), top: Some(top) };
        for numbers in [["1 Introduction", "2 Tides", "3 Silt"], ["Introduction", "Tides", "Silt"]] {
            let mut outline = vec![bookmark("Acronyms", 58.0)];
            outline.extend(numbers.map(|title| bookmark(title, 158.0)));
            let marked: Vec<bool> =
                marks(&outline, &lines).iter().map(|marks| marks.contains(&MarkKind::OutlineHeading(1))).collect();
            assert_eq!(marked[1..], [true; 3]);
            assert_eq!(marked[0], !numbers[0].starts_with('1'));
        }
    }

    #[test]
    fn entries_of_the_outline_are_found_though_title_and_entry_differ_in_label_accents_and_length() {
        let cases = [
            ("1 绪论", "第一章 绪论", 16.0, true),
            ("2 Results", "3 Results", 10.0, false),
            ("Εισαγωγής", "1. ΕΙΣΑΓΩΓΗΣ", 16.0, true),
            ("Mathem. Formeln etc.", "Kapitel 5 Mathematische Formeln und Gleichungen", 16.0, true),
            ("Mathem. Formeln etc.", "Mathematische Formeln und Gleichungen stehen hier", 10.0, false),
            ("Cover", "The tide and the river", 16.0, false),
        ];
        let lines = [
            line("Kapitel 5", 20.0, 16.0, 1.0),
            line("Mathematische Formeln und", 60.0, 16.0, 1.0),
            line("Gleichungen", 78.0, 16.0, 1.0),
            line("Formeln", 120.0, 16.0, 1.0),
        ];
        let bookmark = Bookmark { title: "Mathem. Formeln".to_owned(), level: 1, page: Some(0), top: Some(20.0) };
        let marks_of = marks(&[bookmark], &lines);
        let marked: Vec<bool> = marks_of.iter().map(|marks| marks.contains(&MarkKind::OutlineHeading(1))).collect();
        assert_eq!(marked, [false, true, true, false], "a title has all of its lines");
        for (entry, title, size, expected) in cases {
            let bookmark = Bookmark { title: entry.to_owned(), level: 1, page: Some(0), top: None };
            let marks = marks(&[bookmark], &[line("潮汐与河流的水", 10.0, 10.0, 1.0), line(title, 40.0, size, 1.0)]);
            assert_eq!(marks[1].contains(&MarkKind::OutlineHeading(1)), expected, "{entry}: {title}");
        }
    }
}
