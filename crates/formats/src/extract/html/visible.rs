//! Writes text the way a page shows it: white space collapsed, blocks on lines of their own.
//!
//! The rules are those of `innerText` in the HTML Standard (section 3.2.7), and of CSS Text level 3 (section 4.1)
//! for white space.

use crate::extract::Extracted;
use crate::extract::builder::TextBuilder;
use crate::extract::wide::is_wide;
use copytrace_text::Metadata;
use copytrace_text::layout::{LeftOut, MarkKind};

/// Newlines before and after a note.
const NOTE_BREAKS: usize = 2;

/// Collects the visible text.
#[derive(Default)]
pub(super) struct VisibleText {
    out: TextBuilder,
    /// Newlines that must stand before the next text.
    breaks: usize,
    /// White space that shows as one space if text follows on the line.
    space: Option<Space>,
    /// Newlines at the end of the text.
    newlines: usize,
    /// Notes that wait for the end of the block.
    notes: Vec<TextBuilder>,
}

/// Collapsed white space.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Space {
    Plain,
    /// With a newline of the source in it, which shows as nothing between two Han characters.
    Newline,
    /// Between two cells of a table row.
    Cell,
}

impl VisibleText {
    /// Appends text in which white space collapses.
    pub(super) fn push_collapsed(&mut self, text: &str) {
        for piece in text.split_inclusive(|c: char| c.is_ascii_whitespace()) {
            let word = piece.trim_end_matches(|c: char| c.is_ascii_whitespace());
            if let Some(first) = word.chars().next() {
                self.flush(Some(first));
                self.out.push(word);
                self.newlines = 0;
            }
            if word.len() < piece.len() {
                let newline = piece.ends_with(['\n', '\r']) || self.space == Some(Space::Newline);
                if self.space != Some(Space::Cell) {
                    self.space = Some(if newline { Space::Newline } else { Space::Plain });
                }
            }
        }
    }

    /// Appends text as it stands, as in `pre`. Newlines become line feeds.
    pub(super) fn push_preformatted(&mut self, text: &str) {
        for (index, line) in text.replace("\r\n", "\n").split(['\n', '\r']).enumerate() {
            if index > 0 {
                self.line_break();
            }
            if !line.is_empty() {
                self.flush(None);
                self.out.push(line);
                self.newlines = 0;
            }
        }
    }

    /// Ends the line, as `br` does.
    pub(super) fn line_break(&mut self) {
        self.space = None;
        self.flush(None);
        if !self.out.text().is_empty() {
            self.out.push("\n");
            self.newlines += 1;
        }
    }

    /// A block starts or ends: what follows stands at least `newlines` newlines further. Notes come now.
    pub(super) fn block(&mut self, newlines: usize) {
        self.breaks = self.breaks.max(newlines);
        for note in std::mem::take(&mut self.notes) {
            self.breaks = NOTE_BREAKS;
            self.flush(None);
            self.out.append(note);
            self.newlines = 0;
            self.breaks = NOTE_BREAKS;
        }
    }

    /// Lets a note wait for the end of this block.
    pub(super) fn put_aside(&mut self, note: VisibleText) {
        self.notes.push(note.out);
    }

    /// A table cell starts: a tab parts it from one before it on the same line.
    pub(super) fn cell(&mut self) {
        if self.breaks == 0 && self.newlines == 0 {
            self.space = Some(Space::Cell);
        }
    }

    /// Writes the white space that is due before text that starts with `next`.
    fn flush(&mut self, next: Option<char>) {
        let space = self.space.take();
        let last = self.out.text().chars().next_back();
        if last.is_some() {
            for _ in self.newlines..self.breaks {
                self.out.push("\n");
                self.newlines += 1;
            }
            if self.newlines == 0 {
                match space {
                    Some(Space::Cell) => self.out.push("\t"),
                    Some(Space::Newline) if last.is_some_and(is_wide) && next.is_some_and(is_wide) => {}
                    Some(_) => self.out.push(" "),
                    None => {}
                }
            }
        }
        self.breaks = 0;
    }

    /// Opens a mark at the next character.
    pub(super) fn open(&mut self, kind: MarkKind) {
        self.out.open(kind);
    }

    /// Closes the innermost open mark of this kind.
    pub(super) fn close(&mut self, kind: MarkKind) {
        self.out.close(kind);
    }

    /// Takes back the innermost open mark of this kind.
    pub(super) fn forget(&mut self, kind: MarkKind) {
        self.out.forget(kind);
    }

    /// The text so far, and its characters.
    pub(super) fn text(&self) -> &str {
        self.out.text()
    }

    pub(super) fn characters(&self) -> u32 {
        self.out.characters()
    }

    /// What was written since a character stands at a place of its own.
    pub(super) fn mark_piece(&mut self, start: u32) {
        self.out.mark_piece(start);
    }

    /// It is not known whether what was written since a character is seen.
    pub(super) fn mark_unjudged(&mut self, start: u32) {
        self.out.mark_unjudged(start);
    }

    /// Marks this place.
    pub(super) fn point(&mut self, kind: MarkKind) {
        self.out.point(kind);
    }

    /// Text at this place that is not shown.
    pub(super) fn hidden(&mut self, text: &str) {
        self.out.hidden(text);
    }

    /// Text at this place that is left out for another reason.
    pub(super) fn left_out(&mut self, reason: LeftOut, text: &str) {
        self.out.left_out(reason, text);
    }

    /// The same of text that is told as not read if it is prose.
    pub(super) fn left_out_unless_prose(&mut self, reason: LeftOut, text: &str) {
        self.out.left_out_unless_prose(reason, text);
    }

    /// What steers a program and is shown to nobody.
    pub(super) fn data(&mut self, text: &str) {
        self.out.data(text);
    }

    /// Text that stands where the format has none.
    pub(super) fn unplaced(&mut self, text: &str) {
        self.out.unplaced(text);
    }

    /// Counts a text that stands around this one.
    pub(super) fn left_out_all(&mut self, mut around: VisibleText) {
        around.block(1);
        self.out.left_out_all(LeftOut::RunningHead, around.out);
    }

    /// Appends another text on lines of its own.
    pub(super) fn append_block(&mut self, mut other: VisibleText) {
        other.block(1);
        self.block(1);
        self.flush(None);
        self.out.append(other.out);
        self.newlines = 0;
        self.breaks = 1;
    }

    /// The text, without white space at its end, and the marks.
    pub(super) fn finish(self, metadata: Metadata) -> Extracted {
        self.out.finish(metadata)
    }
}
