//! Notes at the foot of a page.

use super::join::{Words, join_lines};
use super::lines::{Page, PdfLine, Special};
use crate::extract::builder::TextBuilder;
use copytrace_text::layout::MarkKind;
use copytrace_text::structure::is_title;

/// Letters smaller than this share of most letters make a note, at the foot of a page.
const NOTE_SIZE: f64 = 0.92;

/// Letters of a note are at most a little higher than most.
const HIGHEST: f64 = 1.02;

/// Lines of one block have less between them, in heights of their letters.
const NEAR: f64 = 0.8;

/// Which lines are notes: runs of lines in the lower half of the page down to the end of their column, the first with a number.
/// They are small, or the number is raised and stands raised in the text above, too.
pub(super) fn find(page: &Page, lines: &[&PdfLine], body: f64) -> Vec<bool> {
    let mut notes = vec![false; lines.len()];
    let is_small = |line: &PdfLine| line.size <= body * NOTE_SIZE && !line.turned;
    let is_low = |line: &PdfLine| line.top > page.height / 2.0 && !line.turned;
    let is_referred_to = |at: usize| {
        let number = raised(lines[at]).find(|(start, _)| *start == 0).map(|(_, number)| number);
        let refers = |above: &&PdfLine| raised(above).any(|(start, other)| start > 0 && Some(other) == number);
        number.is_some() && lines[..at].iter().any(refers)
    };
    // The most that letters of the run that goes on here have for their height.
    let mut inside = None;
    for (at, line) in lines.iter().enumerate() {
        // Notes stand apart from what is above them: a list of references in small letters goes on.
        let goes_on =
            at.checked_sub(1).filter(|before| !notes[*before]).map(|before| lines[before]).is_some_and(|before| {
                let near = (0.0..NEAR * line.size).contains(&(line.top - before.bottom));
                is_title(&before.text) || near && is_small(before)
            });
        inside = inside.filter(|highest| is_low(line) && line.size <= *highest);
        if inside.is_none() && is_low(line) && starts_note(&line.text) {
            if is_small(line) && !goes_on {
                inside = Some(body * NOTE_SIZE);
            } else if is_referred_to(at) {
                inside = Some(body * HIGHEST);
            }
        }
        notes[at] = inside.is_some();
    }
    for at in (0..lines.len()).rev() {
        // The next line stands in another column, or there is none.
        let last = lines.get(at + 1).is_none_or(|next| next.bottom < lines[at].top || next.turned);
        notes[at] &= last || notes[at + 1];
    }
    notes
}

/// The raised numbers of a line, and where they start.
fn raised(line: &PdfLine) -> impl Iterator<Item = (usize, &str)> {
    let raised = line.special.iter().filter(|(kind, _)| *kind == Special::Raised);
    raised.map(|(_, range)| (range.start, line.text[range.clone()].trim()))
}

/// The notes of a page, in order, each with the number it starts with.
#[derive(Default)]
pub(super) struct PdfNotes(Vec<(String, TextBuilder)>);

impl PdfNotes {
    /// Adds a line: it starts a note or goes on with the last one.
    pub(super) fn line(&mut self, line: &PdfLine, words: &Words) {
        if self.0.is_empty() || self.starts(line) {
            let mut note = TextBuilder::default();
            note.open(MarkKind::Note);
            note.push(strip_number(&line.text));
            self.0.push((number(&line.text).to_owned(), note));
        } else if let Some((_, note)) = self.0.last_mut() {
            join_lines(note, &line.text, words);
            note.push(&line.text);
        }
    }

    /// A line that begins with a number starts a note if the number is raised, or the next one: it may be a year.
    fn starts(&self, line: &PdfLine) -> bool {
        let raised = raised(line).any(|(start, _)| start == 0);
        let value = |number: &str| number.parse::<u32>().ok();
        let before = self.0.last().and_then(|(before, _)| value(before));
        starts_note(&line.text)
            && (raised
                || match (before, value(number(&line.text))) {
                    (Some(before), Some(number)) => number == before + 1,
                    _ => true,
                })
    }

    /// Takes out the note with this number.
    pub(super) fn take(&mut self, number: &str) -> Option<TextBuilder> {
        let at = self.0.iter().position(|(known, _)| known == number && !number.is_empty())?;
        Some(self.0.remove(at).1)
    }

    /// What is left.
    pub(super) fn rest(self) -> impl Iterator<Item = TextBuilder> {
        self.0.into_iter().map(|(_, note)| note)
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
    use copytrace_text::Metadata;

    #[test]
    fn a_list_in_small_letters_that_goes_on_to_the_foot_of_the_page_is_no_note() {
        let line = |top: f64, size: f64, text: &str| PdfLine {
            text: text.to_owned(),
            top,
            bottom: top + size,
            size,
            right: 200.0,
            ..PdfLine::default()
        };
        let page = Page { width: 400.0, height: 800.0, ..Page::default() };
        let list: Vec<PdfLine> =
            (0..30).map(|at| line(300.0 + f64::from(at) * 10.0, 8.0, &format!("[{at}] An entry."))).collect();
        let foot: Vec<PdfLine> =
            (0..30).map(|at| line(300.0 + f64::from(at) * 12.0, 10.0, "Words of the text.")).collect();
        let foot: Vec<PdfLine> = foot.into_iter().chain([line(680.0, 8.0, "1 The note.")]).collect();
        let titled =
            [line(500.0, 10.0, "References"), line(530.0, 8.0, "1. An entry."), line(540.0, 8.0, "2. Another.")];
        let count = |lines: &[PdfLine]| {
            find(&page, &lines.iter().collect::<Vec<_>>(), 10.0).into_iter().filter(|is_note| *is_note).count()
        };
        assert_eq!((count(&list), count(&foot), count(&titled)), (0, 1, 0));
    }

    #[test]
    fn a_note_in_letters_of_the_text_is_known_by_its_raised_number_that_the_text_has_too() {
        let line = |top: f64, text: &str, raised: std::ops::Range<usize>| PdfLine {
            text: text.to_owned(),
            top,
            bottom: top + 10.0,
            size: 10.0,
            right: 200.0,
            special: if raised.is_empty() { Vec::new() } else { vec![(Special::Raised, raised)] },
            ..PdfLine::default()
        };
        let page = Page { width: 400.0, height: 800.0, ..Page::default() };
        let notes_below = |above: &str, raised: std::ops::Range<usize>| {
            let lines = [
                line(300.0, above, raised),
                line(700.0, "1 The note", 0..1),
                line(712.0, "goes on.", 0..0),
                line(724.0, "2 Another.", 0..1),
            ];
            find(&page, &lines.iter().collect::<Vec<_>>(), 10.0)
        };
        assert_eq!(notes_below("The tide.1 More.", 9..10), [false, true, true, true]);
        assert_eq!(notes_below("The tide of 1953.", 0..0), [false; 4]);
    }

    #[test]
    fn a_line_of_a_note_that_begins_with_a_year_goes_on_with_it() {
        let mut notes = PdfNotes::default();
        for text in ["1 The flood of", "1953 was the worst", "2 Another note", "[3] is a citation"] {
            let line = PdfLine { text: text.to_owned(), ..PdfLine::default() };
            notes.line(&line, &Words::of(&[]));
        }
        let texts: Vec<String> = notes.rest().map(|note| note.finish(Metadata::default()).text).collect();
        assert_eq!(texts, ["The flood of 1953 was the worst", "Another note", "is a citation"]);
    }
}
