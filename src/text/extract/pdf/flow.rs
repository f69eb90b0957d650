//! From lines on pages to one text.

use std::collections::{BTreeMap, BTreeSet};

use ahash::AHashSet;

use super::columns::in_reading_order;
use super::lines::{Line, Page, Special};
use crate::text::extract::builder::{Gap, TextBuilder, is_wide};
use crate::text::layout::MarkKind;

/// The share of a page's height, above and below, in which running headers and page numbers stand.
const MARGIN: f64 = 0.14;

/// Lines on neighbouring pages stand at the same height if they differ by at most so many points.
const SAME_HEIGHT: f64 = 4.0;

/// Letters so many times as high as most make a heading.
const HEADING_SIZE: f64 = 1.12;

/// Letters so many times as high as most make a note, at the foot of a page.
const NOTE_SIZE: f64 = 0.92;

/// A heading has at most so many characters.
const HEADING_CHARACTERS: usize = 150;

/// Writes the text of all pages, with pages, headings and notes marked.
pub(super) fn join(pages: &[Page]) -> TextBuilder {
    let running = RunningLines::find(pages);
    let body = body_size(pages);
    let levels = heading_levels(pages, body);
    let words = Words::of(pages);
    let mut flow = Flow { builder: TextBuilder::default(), body, levels, words, last: None, heading: None };
    for (number, page) in (1..).zip(pages) {
        let kind = MarkKind::Page(number);
        flow.builder.open(kind);
        let lines = page.lines.iter().filter(|line| !running.contains(page, line)).collect();
        let lines = in_reading_order(lines);
        if lines.is_empty() && pages.len() > 1 {
            flow.builder.point(MarkKind::Picture);
        }
        flow.page(page, &lines);
        flow.builder.close(kind);
    }
    flow.end_heading();
    flow.builder
}

/// Lines that are repeated from page to page.
struct RunningLines {
    /// How often a line with these words stands at these heights.
    found: BTreeMap<String, Vec<(f64, usize)>>,
    pages: usize,
}

impl RunningLines {
    fn find(pages: &[Page]) -> Self {
        let mut found: BTreeMap<String, Vec<(f64, usize)>> = BTreeMap::new();
        for page in pages {
            for line in page.lines.iter().filter(|line| in_margin(page, line)) {
                let places = found.entry(pattern(&line.text)).or_default();
                match places.iter_mut().find(|(top, _)| (top - line.top).abs() <= SAME_HEIGHT) {
                    Some((_, count)) => *count += 1,
                    None => places.push((line.top, 1)),
                }
            }
        }
        RunningLines { found, pages: pages.len() }
    }

    fn contains(&self, page: &Page, line: &Line) -> bool {
        if !in_margin(page, line) {
            return false;
        }
        let pattern = pattern(&line.text);
        let places = self.found.get(&pattern).map_or(&[][..], Vec::as_slice);
        let near = places.iter().filter(|(top, _)| (top - line.top).abs() <= SAME_HEIGHT);
        let repeated = near.map(|(_, count)| *count).sum::<usize>() >= if self.pages == 2 { 2 } else { 3 };
        repeated || is_page_number(&pattern)
    }
}

fn in_margin(page: &Page, line: &Line) -> bool {
    line.bottom < page.height * MARGIN || line.top > page.height * (1.0 - MARGIN)
}

/// A line with its numbers taken out.
fn pattern(text: &str) -> String {
    let mut pattern = String::new();
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        let c = if c.is_numeric() { '#' } else { c };
        if !(c == '#' && pattern.ends_with('#')) {
            pattern.push(c);
        }
    }
    pattern
}

/// Whether a pattern is that of a page number: 12, - 12 -, 第12页, Page 12 of 90, xiv.
fn is_page_number(pattern: &str) -> bool {
    let core = pattern.trim_matches(|c: char| matches!(c, '-' | '–' | '—' | '·' | '.' | '|' | '[' | ']' | '(' | ')'));
    matches!(
        core,
        "#" | "第#页" | "第#頁" | "Page#" | "page#" | "p.#" | "Page#of#" | "#/#" | "第#页共#页" | "第#页,共#页"
    ) || (core.len() <= 6 && !core.is_empty() && core.bytes().all(|b| matches!(b, b'i' | b'v' | b'x' | b'l')))
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

/// The heading sizes, each with its level: the greatest has level 1.
fn heading_levels(pages: &[Page], body: f64) -> BTreeMap<u64, u8> {
    let lines = pages.iter().flat_map(|page| &page.lines);
    let sizes: BTreeSet<u64> =
        lines.filter(|line| line.size >= body * HEADING_SIZE).map(|line| tenths(line.size)).collect();
    let levels = (1..=9_u8).chain(std::iter::repeat(9));
    sizes.into_iter().rev().zip(levels).collect()
}

/// The words of a document, for telling a hyphen from a broken word.
struct Words(AHashSet<String>);

impl Words {
    fn of(pages: &[Page]) -> Self {
        let mut words = AHashSet::new();
        let mut broken = false;
        for line in pages.iter().flat_map(|page| &page.lines) {
            // The two parts of a broken word are none.
            let first = usize::from(std::mem::replace(&mut broken, line.text.ends_with(['-', '\u{AD}', '‐'])));
            let count = line.text.split(' ').count() - usize::from(broken);
            words.extend(line.text.split(' ').take(count).skip(first).map(bare));
        }
        Words(words)
    }

    /// Whether `first-` at a line's end and `second` on the next line are a word with a hyphen, and not a broken one.
    fn keep_hyphen(&self, first: &str, second: &str) -> bool {
        let (first, second) = (bare(first), bare(second));
        let holds = |word: &str| self.0.contains(word);
        let broken = holds(&format!("{first}{second}"));
        holds(&format!("{first}-{second}")) || (!broken && holds(&first) && holds(&second))
    }
}

/// A word in lower case without punctuation around it.
fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// A line and the column around it.
struct Placed {
    line: Line,
    /// The right edge of the column.
    right: f64,
    /// The width that most lines of the page have.
    usual_width: f64,
}

struct Flow {
    builder: TextBuilder,
    body: f64,
    levels: BTreeMap<u64, u8>,
    words: Words,
    last: Option<Placed>,
    /// The heading that is open.
    heading: Option<MarkKind>,
}

impl Flow {
    fn page(&mut self, page: &Page, lines: &[&Line]) {
        let is_note = self.notes(page, lines);
        let usual_width = usual_width(lines);
        let mut notes = Notes::default();
        for (line, _) in lines.iter().zip(&is_note).filter(|(_, is_note)| **is_note) {
            notes.line(&line.text, &self.words);
        }
        for (line, _) in lines.iter().zip(&is_note).filter(|(_, is_note)| !**is_note) {
            let placed = Placed { line: (*line).clone(), right: column_right(lines, line), usual_width };
            self.line(placed, &mut notes);
        }
        for (_, note) in notes.0 {
            self.put_aside(note);
        }
    }

    fn put_aside(&mut self, mut note: TextBuilder) {
        note.close(MarkKind::Note);
        self.builder.put_aside(note);
    }

    /// Which lines are notes: runs of small lines in the lower half of the page, the first with a number.
    fn notes(&self, page: &Page, lines: &[&Line]) -> Vec<bool> {
        let mut notes = vec![false; lines.len()];
        let mut inside = false;
        for (at, line) in lines.iter().enumerate() {
            let small = line.size <= self.body * NOTE_SIZE && line.top > page.height / 2.0;
            inside = small && (inside || starts_note(&line.text));
            notes[at] = inside;
        }
        notes
    }

    /// Appends a line. `notes` are those of its page, of which it may take some.
    fn line(&mut self, placed: Placed, notes: &mut Notes) {
        let line = &placed.line;
        // A raised number may have been taken for a line of its own.
        if line.size < 0.8 * self.body && self.refer(line.text.trim(), notes) {
            return;
        }
        let level = self.levels.get(&tenths(line.size)).filter(|_| line.text.chars().count() <= HEADING_CHARACTERS);
        let heading = level.map(|level| MarkKind::FontHeading(*level));
        let goes_on = self.last.as_ref().is_some_and(|last| {
            if heading.is_some() || self.heading.is_some() {
                heading == self.heading && last.line.block == line.block
            } else {
                continues(last, &placed)
            }
        });
        if goes_on {
            join_lines(&mut self.builder, &line.text, &self.words);
        } else if self.heading.is_none() && self.last.as_ref().is_some_and(|last| same_row(&last.line, line)) {
            self.builder.gap(Gap::Cell);
        } else {
            self.end_heading();
            self.builder.end_paragraph();
            heading.into_iter().for_each(|kind| self.builder.open(kind));
            self.heading = heading;
        }
        self.write(line, notes);
        self.last = Some(placed);
    }

    /// Refers to a note of the page, which then stands after this paragraph; tells whether there is such a note.
    fn refer(&mut self, number: &str, notes: &mut Notes) -> bool {
        let Some(at) = notes.0.iter().position(|(known, _)| known == number && !number.is_empty()) else {
            return false;
        };
        let (_, note) = notes.0.remove(at);
        self.builder.point(MarkKind::NoteReference);
        self.put_aside(note);
        true
    }

    /// The text of a line. What is special in it is marked, and the numbers of notes on the page left out.
    fn write(&mut self, line: &Line, notes: &mut Notes) {
        let mut written = 0;
        for (special, range) in &line.special {
            let text = &line.text[range.clone()];
            let before = &line.text[written..range.start];
            written = range.end;
            self.builder.push(before.strip_suffix(' ').unwrap_or(before));
            if *special == Special::Raised && self.refer(text, notes) {
                continue;
            }
            let kind = match special {
                Special::Raised => MarkKind::Citation,
                Special::White => MarkKind::White,
                Special::Tiny => MarkKind::Tiny,
            };
            self.builder.push(if before.ends_with(' ') { " " } else { "" });
            self.builder.open(kind);
            self.builder.push(text);
            self.builder.close(kind);
        }
        self.builder.push(&line.text[written..]);
    }

    fn end_heading(&mut self) {
        if let Some(kind) = self.heading.take() {
            self.builder.close(kind);
        }
    }
}

/// Whether a line goes on with the paragraph of the line before.
fn continues(before: &Placed, placed: &Placed) -> bool {
    let (last, line) = (&before.line, &placed.line);
    let size = last.size.max(1.0);
    if (last.size - line.size).abs() > 0.1 * size || same_row(last, line) {
        return false;
    }
    // The first word of this line would not have fitted on the line before.
    let full = last.right + line.first_width + 0.3 * size > before.right;
    if !full {
        return false;
    }
    if last.block == line.block {
        let indented = line.left > last.left + 0.8 * size && placed.right - line.left > 4.0 * size;
        let apart = line.top - last.bottom > 0.8 * size;
        !indented && !apart
    } else {
        // A cell of a table ends its column too.
        let wide = last.right - last.left > 0.7 * before.usual_width;
        wide && !last.text.ends_with(['.', '。', '!', '?', '！', '？', ':', '：', '；', '”'])
    }
}

/// Whether two lines stand beside each other, as the cells of a table do.
fn same_row(last: &Line, line: &Line) -> bool {
    (last.top - line.top).abs() < 0.5 * last.size && line.left >= last.right
}

/// The width of the line that has as many wider as narrower ones on its page.
fn usual_width(lines: &[&Line]) -> f64 {
    let mut widths: Vec<f64> = lines.iter().map(|line| line.right - line.left).collect();
    widths.sort_by(f64::total_cmp);
    widths.get(widths.len() / 2).copied().unwrap_or(0.0)
}

/// The right edge of the column that a line stands in.
fn column_right(lines: &[&Line], line: &Line) -> f64 {
    let near = |other: &&&Line| (other.left - line.left).abs() <= 4.0 * line.size.max(1.0);
    lines.iter().filter(near).map(|other| other.right).fold(line.right, f64::max)
}

/// Prepares for the next line of a paragraph: a blank, nothing, or a hyphen taken back.
fn join_lines(builder: &mut TextBuilder, next: &str, words: &Words) {
    let (last, first) = (builder.text().chars().next_back(), next.chars().next());
    if last.is_some_and(is_wide) && first.is_some_and(is_wide) {
        return;
    }
    let broken = matches!(last, Some('-' | '\u{AD}' | '‐')) && first.is_some_and(char::is_lowercase);
    if broken {
        let word = builder.text().rsplit([' ', '\n', '\t']).next().unwrap_or_default();
        let keep = last != Some('\u{AD}') && words.keep_hyphen(word, next.split(' ').next().unwrap_or_default());
        if keep || builder.take_back_hyphen() {
            return;
        }
    }
    builder.blank();
}

/// The notes of a page, in order, each with the number it starts with.
#[derive(Default)]
struct Notes(Vec<(String, TextBuilder)>);

impl Notes {
    /// Adds a line: it starts a note or goes on with the last one.
    fn line(&mut self, text: &str, words: &Words) {
        if starts_note(text) || self.0.is_empty() {
            let mut note = TextBuilder::default();
            note.open(MarkKind::Note);
            note.push(strip_number(text));
            self.0.push((number(text).to_owned(), note));
        } else if let Some((_, note)) = self.0.last_mut() {
            join_lines(note, text, words);
            note.push(text);
        }
    }
}

/// Whether a line at the foot of a page starts a note.
fn starts_note(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '*' | '†' | '‡' | '[' | '①'..='⑳'))
}

/// The number that a note starts with.
fn number(note: &str) -> &str {
    &note[..note.bytes().take_while(u8::is_ascii_digit).count()]
}

/// A note without its number.
fn strip_number(text: &str) -> &str {
    if !starts_note(text) {
        return text;
    }
    let rest = text.trim_start_matches(|c: char| {
        c.is_ascii_digit() || matches!(c, '*' | '†' | '‡' | '[' | ']' | '.' | ')' | '①'..='⑳')
    });
    rest.trim_start()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Metadata;

    /// A page of 100 lines of 10 points; a line is (row, left, size, text) and 5 points a character wide.
    fn page(lines: &[(u32, f64, f64, &str)]) -> Page {
        let line = |&(row, left, size, text): &(u32, f64, f64, &str)| {
            let top = f64::from(row) * 10.0;
            let mut line = Line { left, right: left, top, bottom: top + size, ..Line::default() };
            for word in text.split(' ') {
                let start = if line.text.is_empty() { left } else { line.right + 5.0 };
                line.push(word, start, start + word.chars().count() as f64 * 5.0, size, false);
            }
            line
        };
        Page { height: 1000.0, lines: lines.iter().map(line).collect() }
    }

    /// The pages, each of one block.
    fn blocks<const N: usize>(mut pages: [Page; N]) -> [Page; N] {
        for (block, page) in pages.iter_mut().enumerate() {
            page.lines.iter_mut().for_each(|line| line.block = block);
        }
        pages
    }

    fn text(pages: &[Page]) -> String {
        join(pages).finish(Metadata::default()).text
    }

    #[test]
    fn lines_are_joined_and_paragraphs_kept_apart() {
        let page = page(&[
            (30, 0.0, 10.0, "The tide leaves a thin layer of silt be-"),
            (31, 0.0, 10.0, "tween the stems and the surface grows by"),
            (32, 0.0, 10.0, "a little."),
            (33, 0.0, 10.0, "A second paragraph starts after a short"),
            (34, 0.0, 10.0, "line."),
        ]);
        let expected = "The tide leaves a thin layer of silt between the stems and the surface grows by a little.\n\n\
                        A second paragraph starts after a short line.";
        assert_eq!(text(&[page]), expected);
    }

    #[test]
    fn running_headers_and_page_numbers_are_dropped() {
        let pages = blocks([1, 2, 3].map(|number| {
            let (header, footer) = (format!("Chapter {number} of a thesis"), format!("- {number} -"));
            page(&[(5, 0.0, 10.0, &header), (30, 0.0, 10.0, "Words of the page."), (95, 200.0, 10.0, &footer)])
        }));
        assert_eq!(text(&pages), ["Words of the page."; 3].join("\n\n"));
    }

    #[test]
    fn page_numbers_are_known_by_their_form() {
        for line in ["12", "- 12 -", "第 12 页", "xiv", "Page 3 of 90", "12 / 90"] {
            assert!(is_page_number(&pattern(line)), "{line}");
        }
        for line in ["Figure 12", "12 marshes", "civil engineering", "第12章", "1. Introduction"] {
            assert!(!is_page_number(&pattern(line)), "{line}");
        }
    }

    #[test]
    fn notes_wait_for_the_end_of_the_paragraph_that_goes_on_over_the_page() {
        let first = page(&[(30, 0.0, 10.0, "Stakes were set in a year that nobody"), (90, 0.0, 8.0, "1 The note.")]);
        let second = page(&[
            (30, 0.0, 10.0, "remembers now in the town."),
            (31, 0.0, 10.0, "New words are here, more than before."),
        ]);
        let extracted = join(&blocks([first, second])).finish(Metadata::default());
        let expected = "Stakes were set in a year that nobody remembers now in the town.\n\nThe note.\n\n\
                        New words are here, more than before.";
        assert_eq!(extracted.text, expected);
        assert_eq!(extracted.layout.of(MarkKind::Note).count(), 1);
        assert_eq!(extracted.layout.pages(), 2);
    }

    #[test]
    fn larger_letters_are_headings_by_size() {
        let page = page(&[
            (20, 0.0, 18.0, "第一章 绪论"),
            (30, 0.0, 14.0, "1.1 背景"),
            (32, 0.0, 10.0, "潮汐沼泽截留泥沙，每次涨潮都会带过溪岸的泥沙。"),
        ]);
        let extracted = join(&[page]).finish(Metadata::default());
        let headings: Vec<_> =
            extracted.layout.marks().iter().filter(|m| matches!(m.kind, MarkKind::FontHeading(_))).collect();
        assert_eq!(headings.len(), 2);
        assert_eq!(headings[0].kind, MarkKind::FontHeading(1));
        assert_eq!(headings[1].kind, MarkKind::FontHeading(2));
    }
}
