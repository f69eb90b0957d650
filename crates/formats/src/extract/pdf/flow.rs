//! From lines on pages to one text.

use std::collections::BTreeMap;

use super::cells;
use super::columns::in_reading_order;
use super::disorder::is_in_disorder;
use super::headings::Headings;
use super::join::{HYPHENS, Words, join_lines};
use super::lines::{FEW_CHARACTERS, Page, PdfLine, SAME_SIZE, Special};
use super::margins::{self, Margins};
use super::notes::{self, PdfNotes};
use super::outline;
use super::reader::Document;
use super::roles::{self, same_row, usual_distance};
use super::running::RunningLines;
use crate::extract::builder::{Gap, TextBuilder};
use copytrace_text::layout::{LeftOut, MarkKind};
use copytrace_text::structure::{after_ordinal_word, is_title};

// What follows was chosen by hand on theses of many schools and programs. Heights are those of the letters of a line.

/// Fewer letters on a page that nobody sees are what drawings leave behind.
const STRAY: usize = 10;

/// Distances of lines are even if they differ by a smaller share; lines of a paragraph stand apart by fewer heights.
const EVEN: f64 = 0.03;
const FARTHEST: f64 = 3.0;

/// The largest difference in points of line ends at one edge, and the fewest lines, and the least share of all (one in this many),
/// at an edge that a longer line is beyond.
const SAME_EDGE: f64 = 1.0;
const FEWEST_AT_EDGE: usize = 5;
const AT_EDGE_ONE_IN: usize = 3;

/// How many heights apart lines in one column may begin.
const SAME_COLUMN: f64 = 4.0;

/// Pictures cover this share of a page of pictures.
const PICTURE_PAGE: f64 = 0.4;

/// A line of letters smaller than this share of most may be the number of a note alone.
const NUMBER_ALONE: f64 = 0.8;

/// How many heights below each other the lines of one heading end at most.
const HEADING_DISTANCE: f64 = 2.2;

/// A line whose distance is that of most, or this many heights where the page tells nothing, times [`PARAGRAPH_GAP`], begins a
/// paragraph.
const LEAST_DISTANCE: f64 = 1.1;
const PARAGRAPH_GAP: f64 = 1.3;

/// The least distance in points of lines that stand below each other, and not in one row.
const BELOW: f64 = 0.1;

/// The width in heights of the blank before a first word, which must fit on a line with it.
const WORD_GAP: f64 = 0.3;

/// By how many heights the first line of a paragraph stands in from the line before, and how many heights it has to the right edge
/// at least: what is centred begins none.
const INDENT: f64 = 0.8;
const LEFT_ON_LINE: f64 = 4.0;

/// On the next column or page a paragraph goes on after a line of this share of the usual width; cells are narrower.
const WHOLE_LINE: f64 = 0.7;

/// The fewest dots that lead to the number of a page, and the most digits of that number.
const FEWEST_DOTS: usize = 3;
const LONGEST_PAGE_NUMBER: usize = 5;

/// The most digits of a label of a list; a year has more.
const LONGEST_LABEL: usize = 3;

/// Writes the text of all pages, with pages, headings, notes and what else is known marked.
pub(super) fn join(document: &Document) -> TextBuilder {
    let pages = &document.pages;
    let headings = Headings::of(pages, &document.outline);
    let running = RunningLines::find(pages, headings.body());
    let margins = Margins::of(pages);
    let words = Words::of(pages);
    let mut flow = Flow { builder: TextBuilder::default(), body: headings.body(), words, last: None, open: Vec::new() };
    for (number, page) in pages.iter().enumerate() {
        let kind = MarkKind::Page(number as u32 + 1);
        flow.builder.open(kind);
        let is_running = running.on(number, page, headings.body());
        let mut left_out = 0;
        let mut lines = Vec::new();
        for (line, is_running) in page.lines.iter().zip(is_running) {
            if is_running {
                left_out += count(&line.text);
            } else {
                lines.push(line);
            }
        }
        let is_beside = margins.on(number, page, &lines, &headings);
        let (beside, lines): (Vec<_>, Vec<_>) = lines.into_iter().zip(is_beside).partition(|(_, is_beside)| *is_beside);
        let [beside, lines] = [beside, lines].map(|lines| lines.into_iter().map(|(line, _)| line).collect::<Vec<_>>());
        let lines = cells::together(in_reading_order(lines));
        let doubt = if page.contradicted {
            Some(MarkKind::Contradicted)
        } else if page.uncertain || is_in_disorder(lines.iter().copied()) {
            Some(MarkKind::Unjudged)
        } else {
            page.is_layer().then_some(MarkKind::PictureLayer)
        };
        doubt.into_iter().for_each(|doubt| flow.builder.open(doubt));
        flow.page(page, number, &lines, &beside, &headings);
        flow.remarks(page, left_out, pages.len());
        doubt.into_iter().for_each(|doubt| flow.builder.close(doubt));
        flow.builder.close(kind);
    }
    flow.end_marks();
    document.comments.iter().for_each(|text| flow.builder.left_out(LeftOut::Comment, text));
    document.elsewhere.iter().for_each(|text| flow.builder.unplaced(text));
    let lines: Vec<&str> = pages.iter().flat_map(|page| &page.lines).map(|line| line.text.as_str()).collect();
    let besides = outline::besides(&document.outline, &lines);
    if besides > 0 {
        flow.builder.point(MarkKind::LeftOut(LeftOut::Unread, besides));
    }
    flow.builder
}

/// Characters that are not white space.
fn count(text: &str) -> u32 {
    text.chars().filter(|c| !c.is_whitespace()).count() as u32
}

/// A line with its marks, and what is around it.
struct Placed {
    /// The number of its page, from 0.
    page: usize,
    line: PdfLine,
    marks: Vec<MarkKind>,
    /// The right edge of the column.
    right: f64,
    /// The width that most lines of the page have, and the distance of lines there or around this one.
    usual_width: f64,
    usual_distance: f64,
}

struct Flow {
    builder: TextBuilder,
    body: f64,
    words: Words,
    last: Option<Placed>,
    /// Marks that are open: those of the last line.
    open: Vec<MarkKind>,
}

impl Flow {
    /// Appends the lines of a page. Notes of the lines that stand beside them come behind the paragraphs that stand there.
    fn page(&mut self, page: &Page, number: usize, lines: &[&PdfLine], beside: &[&PdfLine], headings: &Headings<'_>) {
        let mut beside = margins::notes(beside, &self.words).into_iter().peekable();
        let is_note = notes::find(page, lines, self.body);
        let mut notes = PdfNotes::default();
        for (line, _) in lines.iter().zip(&is_note).filter(|(_, is_note)| **is_note) {
            notes.line(line, &self.words);
        }
        let body: Vec<&PdfLine> =
            lines.iter().zip(&is_note).filter(|(_, is_note)| !**is_note).map(|(line, _)| *line).collect();
        let marks = roles::on(number, &body, headings);
        let (usual_width, usual_distance) = (usual_width(lines), usual_distance(&body));
        let distances = distances(&body, usual_distance);
        let mut rights: BTreeMap<(i64, i64), f64> = BTreeMap::new();
        for ((line, marks), usual_distance) in body.into_iter().zip(marks).zip(distances) {
            while let Some((_, note)) = beside.next_if(|(top, _)| *top < line.bottom) {
                self.put_aside(note);
            }
            let place = (line.left.round() as i64, line.size.round() as i64);
            let right = rights.entry(place).or_insert_with(|| column_right(lines, line)).max(line.right);
            self.line(
                Placed { page: number, line: line.clone(), marks, right, usual_width, usual_distance },
                &mut notes,
            );
        }
        beside.map(|(_, note)| note).chain(notes.rest()).for_each(|note| self.put_aside(note));
    }

    /// What is to be said of a page besides its text.
    fn remarks(&mut self, page: &Page, running: u32, pages: usize) {
        let mut stray = 0;
        for (special, text) in &page.unseen {
            if text.chars().filter(|c| c.is_alphanumeric()).count() < STRAY {
                stray += count(text);
                continue;
            }
            let kind = if *special == Special::White { MarkKind::White } else { MarkKind::Unseen };
            let mut unseen = TextBuilder::default();
            unseen.open(kind);
            unseen.push_collapsed(text.trim());
            unseen.close(kind);
            self.builder.put_aside(unseen);
        }
        let characters: u32 = page.lines.iter().map(|line| count(&line.text)).sum();
        let left_out = [
            (LeftOut::RunningHead, running),
            (LeftOut::Alternate, page.doubled),
            (LeftOut::Formula, page.labels + stray),
        ];
        for (reason, size) in left_out.into_iter().filter(|(_, size)| *size > 0) {
            self.builder.point(MarkKind::LeftOut(reason, size));
        }
        if page.unmapped > 0 {
            self.builder.point(MarkKind::Unmapped(page.unmapped));
        }
        if page.unread || page.undrawn > 0 {
            self.builder.point(MarkKind::LeftOut(LeftOut::Unread, page.undrawn));
        }
        if page.shows_text && characters < FEW_CHARACTERS as u32 {
            self.builder.point(MarkKind::TextPicture);
        } else if page.lettering > 0 {
            self.builder.point(MarkKind::PictureText(page.lettering));
        } else if (page.lines.is_empty() && pages > 1) || page.pictures >= PICTURE_PAGE {
            self.builder.point(MarkKind::Picture);
        }
    }

    fn put_aside(&mut self, mut note: TextBuilder) {
        note.close(MarkKind::Note);
        self.builder.put_aside(note);
    }

    /// Appends a line. `notes` are those of its page, of which it may take some.
    fn line(&mut self, placed: Placed, notes: &mut PdfNotes) {
        let line = &placed.line;
        // A raised number may have been taken for a line of its own.
        if line.size < NUMBER_ALONE * self.body && self.refer(line.text.trim(), notes) {
            return;
        }
        let beside = self.last.as_ref().is_some_and(|last| last.page == placed.page && same_row(&last.line, line));
        let same = placed.marks == self.open;
        let is_heading = |marks: &[MarkKind]| {
            marks.iter().any(|mark| matches!(mark, MarkKind::OutlineHeading(_) | MarkKind::FontHeading(_)))
        };
        let is_title = || self.last.iter().any(|last| is_title(&last.line.text)) || is_title(&line.text);
        let goes_on = self.last.as_ref().is_some_and(|last| {
            same && if is_heading(&placed.marks) {
                heading_goes_on(last, &placed)
            } else if placed.marks == [MarkKind::Quotation] && is_below(last, &placed) {
                true
            } else {
                !beside && !is_title() && continues(last, &placed)
            }
        });
        if goes_on {
            join_lines(&mut self.builder, &line.text, &self.words);
        } else if same && beside {
            self.builder.gap(Gap::Cell);
        } else if same && matches!(self.open[..], [MarkKind::Table | MarkKind::Code]) {
            self.builder.gap(Gap::Line);
        } else {
            self.end_marks();
            self.builder.end_paragraph();
            self.open.clone_from(&placed.marks);
            self.open.iter().for_each(|kind| self.builder.open(*kind));
        }
        self.write(line, notes);
        self.last = Some(placed);
    }

    /// Refers to a note of the page, which then stands after this paragraph; tells whether there is such a note.
    fn refer(&mut self, number: &str, notes: &mut PdfNotes) -> bool {
        let Some(note) = notes.take(number) else { return false };
        self.builder.point(MarkKind::NoteReference);
        self.put_aside(note);
        true
    }

    /// The text of a line. What is special in it is marked, and the numbers of notes on the page left out.
    fn write(&mut self, line: &PdfLine, notes: &mut PdfNotes) {
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
                Special::Unseen => MarkKind::Unseen,
            };
            self.builder.push(if before.ends_with(' ') { " " } else { "" });
            self.builder.push_marked(Some(kind), text, TextBuilder::push);
        }
        self.builder.push(&line.text[written..]);
    }

    fn end_marks(&mut self) {
        for kind in std::mem::take(&mut self.open) {
            self.builder.close(kind);
        }
    }
}

/// Whether a line is of the heading that the line before is of.
fn heading_goes_on(before: &Placed, placed: &Placed) -> bool {
    let (last, line) = (&before.line, &placed.line);
    let near = (0.0..HEADING_DISTANCE * line.size).contains(&(line.bottom - last.bottom)) || same_row(last, line);
    // The next heading has a number of its own.
    let numbered = line.text.starts_with(|c: char| c.is_ascii_digit()) || after_ordinal_word(&line.text).is_some();
    before.page == placed.page && near && (line.size - last.size).abs() < SAME_SIZE * last.size && !numbered
}

/// Whether a line stands directly below the one before, as those of a block quotation do, the lines of a poem too.
fn is_below(before: &Placed, placed: &Placed) -> bool {
    let distance = placed.line.bottom - before.line.bottom;
    (BELOW..PARAGRAPH_GAP * placed.usual_distance.max(LEAST_DISTANCE * placed.line.size)).contains(&distance)
}

/// Whether a line goes on with the paragraph of the line before.
fn continues(before: &Placed, placed: &Placed) -> bool {
    let (last, line) = (&before.line, &placed.line);
    let size = last.size.max(1.0);
    if (last.size - line.size).abs() > SAME_SIZE * size || same_row(last, line) || last.turned != line.turned {
        return false;
    }
    if ends_entry(&last.text) {
        return false;
    }
    // The first word of this line would not have fitted on the line before.
    let full = last.right + line.first_width + WORD_GAP * size > before.right;
    if !full {
        return false;
    }
    let distance = line.bottom - last.bottom;
    let below = distance > 0.0 && line.left < last.right && last.left < line.right;
    if below {
        // Entries of lists hang below their labels; what goes on in the middle of a sentence is no new paragraph.
        let goes_on = line.text.starts_with(char::is_lowercase)
            && last.text.ends_with(|c: char| c.is_alphabetic() || HYPHENS.contains(&c));
        let hangs = goes_on || is_labelled(&last.text) && !is_labelled(&line.text);
        let indented =
            line.left > last.left + INDENT * size && placed.right - line.left > LEFT_ON_LINE * size && !hangs;
        let apart = distance > PARAGRAPH_GAP * placed.usual_distance.max(LEAST_DISTANCE * size);
        !indented && !apart
    } else {
        // On the next column or page. A cell of a table ends its column too.
        let wide = last.right - last.left > WHOLE_LINE * before.usual_width;
        wide && !last.text.ends_with(['.', '。', '!', '?', '！', '？', ':', '：', '；', '”'])
    }
}

/// Whether a line begins with the label of an entry: [12], (3), 4. A year is none.
fn is_labelled(text: &str) -> bool {
    let inside = text.trim_start_matches(['[', '［', '(', '（']);
    let rest = inside.trim_start_matches(|c: char| c.is_ascii_digit());
    (1..=LONGEST_LABEL).contains(&(inside.len() - rest.len())) && rest.starts_with([']', '］', ')', '）', '.'])
}

/// Whether an entry of a table of contents ends with a line: with dots and the number of a page, or that number alone.
fn ends_entry(text: &str) -> bool {
    let title = text.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, 'i' | 'v' | 'x'));
    let dots = title.trim_end().chars().rev().take_while(|c| matches!(c, '.' | '…' | '·' | ' ' | '_'));
    let number = text.len() - title.len();
    (1..=LONGEST_PAGE_NUMBER).contains(&number)
        && (title.is_empty() || dots.filter(|c| *c != ' ').count() >= FEWEST_DOTS)
}

/// The width of the line that has as many wider as narrower ones on its page.
fn usual_width(lines: &[&PdfLine]) -> f64 {
    let mut widths: Vec<f64> = lines.iter().map(|line| line.right - line.left).collect();
    widths.sort_by(f64::total_cmp);
    widths.get(widths.len() / 2).copied().unwrap_or(0.0)
}

/// How far lines stand apart at each line: as most of the page do, or as far as this one and a neighbour do.
fn distances(lines: &[&PdfLine], usual: f64) -> Vec<f64> {
    let above: Vec<f64> = lines.windows(2).map(|pair| pair[1].bottom - pair[0].bottom).collect();
    let local = |at: usize| {
        let own = *above.get(at.checked_sub(1)?)?;
        let same = |other: Option<&f64>| other.is_some_and(|other| (other - own).abs() < EVEN * own);
        let is_even = same(above.get(at)) || at.checked_sub(2).is_some_and(|before| same(above.get(before)));
        (is_even && own < FARTHEST * lines[at].size).then_some(own)
    };
    (0..lines.len()).map(|at| local(at).unwrap_or(usual).max(usual)).collect()
}

/// The right edge of the column that a line stands in: where most lines end, else where the longest does.
fn column_right(lines: &[&PdfLine], line: &PdfLine) -> f64 {
    let near = |other: &&&PdfLine| (other.left - line.left).abs() <= SAME_COLUMN * line.size.max(1.0);
    let mut ends: Vec<f64> = lines.iter().filter(near).map(|other| other.right).collect();
    ends.sort_by(f64::total_cmp);
    let edge = ends.chunk_by(|a, b| b - a < SAME_EDGE).max_by_key(|ends| ends.len()).unwrap_or_default();
    let end = if edge.len() >= FEWEST_AT_EDGE && edge.len() * AT_EDGE_ONE_IN >= ends.len() {
        edge.last()
    } else {
        ends.last()
    };
    end.copied().unwrap_or(line.right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use copytrace_text::Metadata;

    /// A page of 100 lines of 10 points; a line is (row, left, size, text) and 5 points a character wide.
    fn page(lines: &[(u32, f64, f64, &str)]) -> Page {
        let line = |&(row, left, size, text): &(u32, f64, f64, &str)| {
            let top = f64::from(row) * 10.0;
            let mut line = PdfLine { left, right: left, top, bottom: top + size, ..PdfLine::default() };
            for word in text.split(' ') {
                let start = if line.text.is_empty() { left } else { line.right + 5.0 };
                line.push(word, start, start + word.chars().count() as f64 * 5.0, size);
            }
            line
        };
        Page { width: 600.0, height: 1000.0, lines: lines.iter().map(line).collect(), ..Page::default() }
    }

    fn joined<const N: usize>(pages: [Page; N]) -> crate::extract::Extracted {
        join(&Document { pages: pages.into(), ..Document::default() }).finish(Metadata::default())
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
        assert_eq!(joined([page]).text, expected);
    }

    #[test]
    fn lines_that_stand_far_apart_all_over_the_page_are_joined() {
        let line = "The tide leaves a thin layer of silt and";
        let page = page(&[(30, 0.0, 10.0, line), (33, 0.0, 10.0, line), (36, 0.0, 10.0, line), (39, 0.0, 10.0, line)]);
        assert_eq!(joined([page]).text, [line; 4].join(" "));
    }

    #[test]
    fn a_line_that_is_too_long_elsewhere_on_the_page_parts_no_paragraph() {
        let line = "The tide leaves a thin layer of silt and";
        let long = "int main(int argc, char **argv) { return argc; }";
        let lines: Vec<(u32, f64, f64, &str)> = (0..6).map(|row| (30 + row, 0.0, 10.0, line)).collect();
        let page = page(&[lines, vec![(50, 0.0, 10.0, long)]].concat());
        assert_eq!(joined([page]).text, format!("{}\n\n{long}", [line; 6].join(" ")));
    }

    #[test]
    fn words_in_capitals_are_joined_if_the_document_has_them_whole() {
        let page = page(&[
            (30, 0.0, 10.0, "The society, which is called here the MN-"),
            (31, 0.0, 10.0, "RAS or sometimes the MNRAS, met at the A-"),
            (32, 0.0, 10.0, "B road."),
        ]);
        let expected = "The society, which is called here the MNRAS or sometimes the MNRAS, met at the A- B road.";
        assert_eq!(joined([page]).text, expected);
    }

    #[test]
    fn entries_of_contents_are_paragraphs_of_their_own() {
        let page = page(&[
            (30, 0.0, 10.0, "1.1 What the tide leaves . . . . . . . 12"),
            (31, 0.0, 10.0, "1.2 What the river brings, and what it"),
            (32, 0.0, 10.0, "takes away . . . . . . . . . . . . . . 14"),
            (33, 0.0, 10.0, "Chapter 1 The long way out to the marsh"),
        ]);
        let paragraphs: Vec<String> = joined([page]).text.split("\n\n").map(str::to_owned).collect();
        assert_eq!(paragraphs.len(), 3);
        assert!(paragraphs[1].starts_with("1.2") && paragraphs[1].ends_with("14"), "{paragraphs:?}");
    }

    #[test]
    fn entries_of_references_go_on_below_their_labels() {
        let page = page(&[
            (30, 0.0, 10.0, "[1] Smith: Of the marshes and of the sea"),
            (31, 20.0, 10.0, "(2016)."),
            (32, 0.0, 10.0, "[2] Jones: Of the dykes and of the river"),
            (33, 20.0, 10.0, "(1953)."),
        ]);
        let expected =
            "[1] Smith: Of the marshes and of the sea (2016).\n\n[2] Jones: Of the dykes and of the river (1953).";
        assert_eq!(joined([page]).text, expected);
    }

    #[test]
    fn what_goes_on_in_a_sentence_is_no_paragraph_and_a_title_is_one() {
        let page = page(&[
            (30, 0.0, 10.0, "Silt is what the tide leaves between the"),
            (31, 30.0, 10.0, "stems, and it is what grows"),
            (40, 0.0, 10.0, "TABLE OF CONTENTS"),
            (41, 0.0, 10.0, "INTRODUCTION . . . . . . . . . . . . . . 12"),
        ]);
        let paragraphs: Vec<String> = joined([page]).text.split("\n\n").map(str::to_owned).collect();
        let expected = ["Silt is what the tide leaves between the stems, and it is what grows", "TABLE OF CONTENTS"];
        assert_eq!(paragraphs[..2], expected);
    }

    #[test]
    fn running_headers_and_page_numbers_are_dropped() {
        let words = ["Words of the first.", "Something of the second.", "What is on the third."];
        let mut number = 0;
        let pages = words.map(|words| {
            number += 1;
            let (header, footer) = (format!("Chapter {number} of a thesis"), format!("- {number} -"));
            page(&[(5, 0.0, 10.0, &header), (30, 0.0, 10.0, words), (95, 200.0, 10.0, &footer)])
        });
        let extracted = joined(pages);
        assert_eq!(extracted.text, words.join("\n\n"));
        let left_out = extracted.layout.marks().iter().filter_map(|mark| match mark.kind {
            MarkKind::LeftOut(LeftOut::RunningHead, size) => Some(size),
            _ => None,
        });
        assert_eq!(left_out.sum::<u32>(), 3 * (17 + 3));
    }

    #[test]
    fn notes_wait_for_the_end_of_the_paragraph_that_goes_on_over_the_page() {
        let first = page(&[(30, 0.0, 10.0, "Stakes were set in a year that nobody"), (90, 0.0, 8.0, "1 The note.")]);
        let second = page(&[
            (30, 0.0, 10.0, "remembers now in the town."),
            (31, 0.0, 10.0, "New words are here, more than before."),
        ]);
        let extracted = joined([first, second]);
        let expected = "Stakes were set in a year that nobody remembers now in the town.\n\nThe note.\n\n\
                        New words are here, more than before.";
        assert_eq!(extracted.text, expected);
        assert_eq!(extracted.layout.of(MarkKind::Note).count(), 1);
        assert_eq!(extracted.layout.pages(), 2);
    }

    #[test]
    fn notes_in_the_margin_stand_behind_the_paragraph_that_they_are_beside() {
        let text = |what: &str| -> Vec<String> {
            (0..6).map(|row| format!("The {what} {row} leaves a thin layer of silt and")).collect()
        };
        let pages = ["tide", "wind", "rain"].map(|what| {
            let text = text(what);
            let mut lines: Vec<_> = (30..).zip(&text).map(|(row, line)| (row, 100.0, 10.0, line.as_str())).collect();
            if what == "rain" {
                lines.extend([(32, 20.0, 8.0, "Silt grows by"), (33, 20.0, 8.0, "the stems")]);
                lines.sort_by_key(|line| line.0);
            }
            page(&lines)
        });
        let paragraph = ["tide", "wind", "rain"].map(|what| text(what).join(" ")).join(" ");
        assert_eq!(joined(pages).text, format!("{paragraph}\n\nSilt grows by the stems"));
    }

    #[test]
    fn what_nobody_sees_stands_apart_and_is_marked() {
        let mut page = page(&[(30, 0.0, 10.0, "What a reader sees.")]);
        page.unseen = vec![(Special::White, "white words ".to_owned()), (Special::Unseen, "covered words".to_owned())];
        let extracted = joined([page]);
        assert_eq!(extracted.text, "What a reader sees.\n\nwhite words\n\ncovered words");
        let marks: Vec<_> = extracted.layout.marks().iter().map(|mark| (mark.kind, mark.start, mark.end)).collect();
        assert!(marks.contains(&(MarkKind::White, 21, 32)) && marks.contains(&(MarkKind::Unseen, 34, 47)), "{marks:?}");
    }
}
