//! Writes a text and the marks on it, paragraph by paragraph, the same way for every format with paragraphs.
//!
//! An empty line parts paragraphs, a tab the cells of a table's row, and a newline its rows. Footnotes and text boxes
//! stand after the paragraph they belong to.

use super::Extracted;
use super::looks::Looks;
use super::style::{Ground, LetterFormat, is_reference_number};
use super::unplaced::Unplaced;
use super::wide::is_wide;
use copytrace_text::Metadata;
use copytrace_text::layout::{Layout, LeftOut, Mark, MarkKind};

/// A page header of more characters than this, white space aside, holds prose and is text.
pub(super) const RUNNING_HEAD: usize = 200;

/// A reading above or beside a word, and the sign of a note, have no more letters.
const LONGEST_READING: usize = 24;

/// A sign or unit, to which a raised number may belong as its power, has no more letters.
const LONGEST_SYMBOL: usize = 3;

/// A text of fewer characters at a place of its own, such as a box or a frame, is read where that is, which is not known; a longer one
/// is read by itself.
const PIECE: u32 = 40;

/// Why what stands above or beside a word is left out: a text that is put there is no second form of that word, and letters over
/// letters, or over nothing, are none either. `before` is the text up to there.
pub(super) fn of_reading(text: &str, before: &str) -> LeftOut {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let is_over = before.trim_end().chars().next_back().is_none_or(|c| is_wide(c) || !c.is_alphabetic());
    if letters > LONGEST_READING || (letters > 0 && !is_over) { LeftOut::Unread } else { LeftOut::Alternate }
}

/// Collects text and marks.
#[derive(Debug, Default)]
pub(super) struct TextBuilder {
    text: String,
    /// Characters in `text`.
    characters: u32,
    marks: Vec<Mark>,
    /// Marks that were opened and not closed yet; their starts are known from their first character on.
    open: Vec<(MarkKind, Option<u32>)>,
    /// What must stand before the next character, unless it is the first.
    gap: Gap,
    /// Builders of notes and boxes that wait for the end of the paragraph.
    aside: Vec<TextBuilder>,
    /// Builders of notes that are printed behind the text.
    endnotes: Vec<TextBuilder>,
    /// How the paragraphs are set, of which nothing else says what they are.
    looks: Looks,
    /// Text of the file that is not read, and of which it is not known that nobody sees it.
    unplaced: Unplaced,
}

/// White space between two pieces of text, the weaker first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    #[default]
    None,
    /// A blank, between two words.
    Blank,
    /// A tab, between two cells.
    Cell,
    /// A newline, between two lines or rows.
    Line,
    /// An empty line, between two paragraphs.
    Paragraph,
}

impl TextBuilder {
    /// Appends text as it stands.
    pub(super) fn push(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let gap = match std::mem::take(&mut self.gap) {
            _ if self.text.is_empty() => "",
            Gap::None => "",
            Gap::Blank => " ",
            Gap::Cell => "\t",
            Gap::Line => "\n",
            Gap::Paragraph => "\n\n",
        };
        self.text.push_str(gap);
        self.characters += gap.len() as u32;
        if !text.trim().is_empty() {
            // Those that were opened since the last character stand at the end; of unclosed ones there may be many.
            for (_, start) in self.open.iter_mut().rev().take_while(|(_, start)| start.is_none()) {
                *start = Some(self.characters);
            }
        }
        self.text.push_str(text);
        self.characters += text.chars().count() as u32;
    }

    /// Appends text whose runs of white space count as one blank, and as none at a line's start.
    pub(super) fn push_collapsed(&mut self, text: &str) {
        let mut pieces = text.split(|c: char| c.is_ascii_whitespace()).peekable();
        while let Some(piece) = pieces.next() {
            self.push(piece);
            if pieces.peek().is_some() {
                self.blank();
            }
        }
    }

    /// A blank, unless white space is there already.
    pub(super) fn blank(&mut self) {
        if !self.text.ends_with([' ', '\t', '\n']) {
            self.gap(Gap::Blank);
        }
    }

    /// Whether the last word is too long for a number behind it to be its power.
    fn ends_with_word(&self) -> bool {
        let letters = self.text.chars().rev().take_while(|c| c.is_alphabetic() && !is_wide(*c));
        self.gap == Gap::None && letters.take(LONGEST_SYMBOL + 1).count() > LONGEST_SYMBOL
    }

    /// The letter that the text ends with, unless something parts it from what follows.
    pub(super) fn letter_before(&self) -> Option<char> {
        self.text.chars().next_back().filter(|c| self.gap == Gap::None && c.is_alphabetic())
    }

    /// Deletes the hyphen at the end, if it stands after a letter; tells whether it did.
    pub(super) fn take_back_hyphen(&mut self) -> bool {
        let mut characters = self.text.chars();
        let hyphen = characters.next_back();
        if self.gap != Gap::None || hyphen.is_none() || !characters.next_back().is_some_and(char::is_alphabetic) {
            return false;
        }
        self.text.pop();
        self.characters -= 1;
        for mark in &mut self.marks {
            mark.start = mark.start.min(self.characters);
            mark.end = mark.end.min(self.characters);
        }
        true
    }

    /// What follows stands apart from what came before, by `gap` at least.
    pub(super) fn gap(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// A cell of a table ended: the next one of the row stands after a tab, whatever line breaks its paragraphs left.
    pub(super) fn gap_of_cell(&mut self) {
        if self.gap <= Gap::Line {
            self.gap = Gap::Cell;
        }
    }

    /// Between paragraphs: those of notes and boxes come now.
    pub(super) fn end_paragraph(&mut self) {
        self.looks.end_paragraph();
        self.gap(Gap::Paragraph);
        for aside in std::mem::take(&mut self.aside) {
            self.append(aside);
            self.gap(Gap::Paragraph);
        }
    }

    /// Lets the text of a note or a box wait for the end of this paragraph.
    pub(super) fn put_aside(&mut self, aside: TextBuilder) {
        self.aside.push(aside);
    }

    /// Lets the text of a note wait for the end of the document.
    pub(super) fn put_at_end(&mut self, note: TextBuilder) {
        self.endnotes.push(note);
    }

    /// The text ends: the notes behind it come now, in the order in which they are referred to.
    pub(super) fn write_endnotes(&mut self) {
        if !self.endnotes.is_empty() {
            self.end_paragraph();
        }
        for note in std::mem::take(&mut self.endnotes) {
            self.append(note);
            self.gap(Gap::Paragraph);
        }
    }

    /// Appends another text with its marks.
    pub(super) fn append(&mut self, mut other: TextBuilder) {
        other.end_all();
        self.endnotes.append(&mut other.endnotes);
        if !other.text.is_empty() {
            self.push(&other.text);
        }
        let shift = self.characters - other.characters;
        self.looks.append(other.looks, shift);
        self.unplaced.append(other.unplaced, |at| at + shift);
        let moved =
            other.marks.into_iter().map(|mark| Mark { start: mark.start + shift, end: mark.end + shift, ..mark });
        self.marks.extend(moved);
    }

    /// A text that was read, to go on writing or to be put into another.
    pub(super) fn of(extracted: Extracted) -> Self {
        TextBuilder {
            characters: extracted.text.chars().count() as u32,
            text: extracted.text,
            marks: extracted.layout.marks().to_vec(),
            ..TextBuilder::default()
        }
    }

    /// Counts another text, and what it left out itself, instead of appending it.
    pub(super) fn left_out_all(&mut self, reason: LeftOut, mut other: TextBuilder) {
        other.write_endnotes();
        other.end_all();
        self.left_out(reason, &other.text);
        let here = self.characters;
        self.unplaced.append(other.unplaced, |_| here);
        let dropped = other.marks.into_iter().filter(|mark| mark.kind.dropped().is_some());
        self.marks.extend(dropped.map(|mark| Mark { start: here, end: here, ..mark }));
    }

    /// Takes in a page header: it is text of its own if it holds prose, which no running head does. Short ones that are prose together are told as
    /// not read: there may be one for each page.
    pub(super) fn append_running_head(&mut self, mut header: TextBuilder) {
        header.end_all();
        if header.text.chars().filter(|c| !c.is_whitespace()).count() > RUNNING_HEAD {
            self.end_paragraph();
            self.append(header);
            self.end_paragraph();
        } else {
            self.left_out_unless_prose(LeftOut::RunningHead, &std::mem::take(&mut header.text));
            self.left_out_all(LeftOut::RunningHead, header);
        }
    }

    /// Opens a mark at the next character.
    pub(super) fn open(&mut self, kind: MarkKind) {
        self.open.push((kind, None));
    }

    /// Closes the innermost open mark of this kind; one with no character in it leaves nothing.
    pub(super) fn close(&mut self, kind: MarkKind) {
        let Some(at) = self.open.iter().rposition(|(open, _)| *open == kind) else { return };
        if let (kind, Some(start)) = self.open.remove(at)
            && start < self.characters
        {
            self.mark(kind, start);
        }
    }

    /// Takes back the innermost open mark of this kind.
    pub(super) fn forget(&mut self, kind: MarkKind) {
        if let Some(at) = self.open.iter().rposition(|(open, _)| *open == kind) {
            self.open.remove(at);
        }
    }

    /// Characters written so far.
    pub(super) fn characters(&self) -> u32 {
        self.characters
    }

    /// Marks what was written since a character.
    pub(super) fn mark(&mut self, kind: MarkKind, start: u32) {
        // Neighbouring runs of one kind are one span.
        let joins = |mark: &Mark| mark.kind == kind && mark.end == start && !matches!(kind, MarkKind::Page(_));
        match self.marks.last_mut().filter(|mark| joins(mark)) {
            Some(mark) => mark.end = self.characters,
            None => self.marks.push(Mark { kind, start, end: self.characters }),
        }
    }

    /// It is not known whether what was written since a character is seen.
    pub(super) fn mark_unjudged(&mut self, start: u32) {
        if start < self.characters {
            self.mark(MarkKind::Unjudged, start);
        }
    }

    /// What was written since a character stands at a place of its own.
    pub(super) fn mark_piece(&mut self, start: u32) {
        if self.characters.checked_sub(start).is_some_and(|length| (1..PIECE).contains(&length)) {
            self.mark(MarkKind::Unjudged, start);
        }
    }

    /// A mark of no length at this place.
    pub(super) fn point(&mut self, kind: MarkKind) {
        self.marks.push(Mark { kind, start: self.characters, end: self.characters });
    }

    /// A picture that shows `letters` letters of prose.
    pub(super) fn picture_of(&mut self, letters: Option<&u32>) {
        let letters = letters.filter(|letters| **letters > 0);
        letters.into_iter().for_each(|letters| self.point(MarkKind::PictureText(*letters)));
    }

    /// Text that the format shows to nobody and that is not taken over, at this place.
    pub(super) fn hidden(&mut self, text: &str) {
        self.dropped(text, MarkKind::Hidden);
    }

    /// Text that is not taken over for another reason. What steers a program is no prose: where it is, a program may show it.
    pub(super) fn left_out(&mut self, reason: LeftOut, text: &str) {
        match reason {
            LeftOut::Instruction => self.left_out_unless_prose(reason, text),
            _ => self.dropped(text, |count| MarkKind::LeftOut(reason, count)),
        }
    }

    /// The same of text that is left out for this reason only as long as it is no prose, which is told as not read.
    pub(super) fn left_out_unless_prose(&mut self, reason: LeftOut, text: &str) {
        self.unplaced.add(self.characters, text, Some(reason));
    }

    /// What steers a program and is shown to nobody, whatever it holds: what programs of references keep of an article, for example.
    pub(super) fn data(&mut self, text: &str) {
        self.dropped(text, |count| MarkKind::LeftOut(LeftOut::Instruction, count));
    }

    /// Text that stands where the format has none, such as a long attribute: if it is prose, it is told as not read.
    pub(super) fn unplaced(&mut self, text: &str) {
        self.unplaced.add(self.characters, text, None);
    }

    /// What was dropped at one place for one reason is one mark, which has its length without white space.
    fn dropped(&mut self, text: &str, kind: impl Fn(u32) -> MarkKind) {
        let count = text.chars().filter(|c| !c.is_whitespace()).count() as u32;
        if count == 0 {
            return;
        }
        let here = self.characters;
        let same = |mark: &&mut Mark| mark.kind.dropped().is_some_and(|before| mark.kind == kind(before));
        let mut before = self.marks.iter_mut().rev().take(16).take_while(|mark| mark.start == here && mark.end == here);
        match before.find(same) {
            Some(mark) => mark.kind = kind(mark.kind.dropped().unwrap_or_default().saturating_add(count)),
            None => self.point(kind(count)),
        }
    }

    /// Appends a run that nobody sees, or that is a raised number, with its mark.
    pub(super) fn push_marked(&mut self, mark: Option<MarkKind>, text: &str, push: fn(&mut TextBuilder, &str)) {
        if mark == Some(MarkKind::Citation) && text.starts_with(|c: char| c.is_ascii_digit()) && self.ends_with_word() {
            self.gap(Gap::Blank);
        }
        mark.into_iter().for_each(|kind| self.open(kind));
        push(self, text);
        mark.into_iter().for_each(|kind| self.close(kind));
    }

    /// The same of letters of a known format, by which a paragraph may be told that nothing marks.
    fn push_letters(
        &mut self,
        mark: Option<MarkKind>,
        text: &str,
        push: fn(&mut TextBuilder, &str),
        format: &LetterFormat,
    ) {
        let is_plain = mark.is_none() && self.open.is_empty();
        let (bytes, before) = (self.text.len(), self.characters);
        self.push_marked(mark, text, push);
        if is_plain {
            self.looks.letters(before, &self.text[bytes..], format);
        }
    }

    /// Appends a run of this format on a ground, or counts it if it is hidden. `outside` is what is around it, if that is not seen.
    pub(super) fn push_run(
        &mut self,
        text: &str,
        push: fn(&mut TextBuilder, &str),
        format: &LetterFormat,
        ground: Ground,
        outside: Option<MarkKind>,
    ) {
        if format.hidden == Some(true) {
            return self.hidden(text);
        }
        if format.joins() && text.chars().all(|c| matches!(c, ' ' | '\u{A0}')) {
            return;
        }
        let raised = format.raised == Some(true) && is_reference_number(text);
        let mark = format.unseen(ground).or(outside).or(raised.then_some(MarkKind::Citation));
        self.push_letters(mark, text, push, format);
    }

    /// Bytes written so far.
    pub(super) fn bytes(&self) -> usize {
        self.text.len() + self.aside.iter().map(TextBuilder::bytes).sum::<usize>()
    }

    /// The text so far.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    fn end_all(&mut self) {
        self.end_paragraph();
        while let Some(&(kind, _)) = self.open.last() {
            self.close(kind);
        }
    }

    /// The text without white space at its end, and its marks.
    pub(super) fn finish(mut self, metadata: Metadata) -> Extracted {
        self.write_endnotes();
        self.end_all();
        let kept = self.text.trim_end().len();
        self.characters -= self.text[kept..].chars().count() as u32;
        self.text.truncate(kept);
        let end = self.characters;
        self.marks.extend(self.looks.marks());
        self.marks.extend(self.unplaced.marks(&self.text));
        for mark in &mut self.marks {
            mark.start = mark.start.min(end);
            mark.end = mark.end.min(end);
        }
        Extracted { text: self.text, metadata, replaced: 0, layout: Layout::new(self.marks) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_stand_between_and_never_at_the_ends() {
        let mut builder = TextBuilder::default();
        builder.gap(Gap::Paragraph);
        builder.push("one");
        builder.gap(Gap::Cell);
        builder.gap(Gap::Line);
        builder.push("two");
        builder.end_paragraph();
        builder.end_paragraph();
        builder.push_collapsed("  a \n b ");
        assert_eq!(builder.finish(Metadata::default()).text, "one\ntwo\n\na b");
    }

    #[test]
    fn marks_count_characters_and_what_was_put_aside_moves_with_its_marks() {
        let mut builder = TextBuilder::default();
        builder.push("正文");
        let mut note = TextBuilder::default();
        note.open(MarkKind::Note);
        note.push("脚注");
        builder.put_aside(note);
        builder.hidden("看不见");
        builder.push("完。");
        builder.end_paragraph();
        builder.open(MarkKind::Heading(1));
        builder.push("第一章");
        builder.close(MarkKind::Heading(1));
        let extracted = builder.finish(Metadata::default());
        assert_eq!(extracted.text, "正文完。\n\n脚注\n\n第一章");
        let marks = [
            Mark { kind: MarkKind::Hidden(3), start: 2, end: 2 },
            Mark { kind: MarkKind::Note, start: 6, end: 8 },
            Mark { kind: MarkKind::Heading(1), start: 10, end: 13 },
        ];
        assert_eq!(extracted.layout.marks(), marks);
    }
}
