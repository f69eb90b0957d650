//! Word documents of before 2007 (`.doc`, [MS-DOC]): the text by the piece table, with the properties of its runs and
//! paragraphs. Older ones, of before 1997, are read by antiword, if it is installed.

mod file;
mod properties;
mod styles;
mod summary;

use std::ffi::{OsStr, OsString};

use self::file::File;
use self::properties::{Letters, Lines};
use super::builder::{Gap, TextBuilder};
use super::program::{Failure, run};
use super::style::{LetterFormat, PAPER};
use super::{Damage, ExtractError, Extracted};
use crate::limits::ReadLimits;
use copytrace_text::layout::{LeftOut, MarkKind};

/// The first format number of Word 97.
const WORD_97: u16 = 193;

/// Takes out text, marks and metadata.
pub(super) fn extract(bytes: &[u8], limits: &ReadLimits) -> Result<Extracted, ExtractError> {
    let file = File::open(bytes, limits)?;
    if file.version < WORD_97 {
        let text = antiword(bytes, &["-w", "0", "-m", "UTF-8.txt"], limits)?;
        return Ok(Extracted { text: String::from_utf8_lossy(&text).trim().to_owned(), ..Extracted::default() });
    }
    let mut builder = TextBuilder::default();
    let stories = &file.stories;
    let notes = file.notes();
    let beyond = stories.beyond(&notes, file.units.len());
    let mut reader = DocReader { file: &file, notes, builder: &mut builder };
    reader.story(stories.text.clone());
    let unread = std::mem::take(&mut reader.notes);
    reader.builder.end_paragraph();
    reader.builder.write_endnotes();
    for unread in unread.into_iter().map(|(_, note)| note).chain(beyond) {
        reader.apart(unread, |builder, unread| builder.left_out_all(LeftOut::Unread, unread));
    }
    reader.apart(stories.boxes.clone(), |builder, boxes| builder.append(boxes));
    reader.apart(stories.headers.clone(), TextBuilder::append_running_head);
    reader.apart(stories.header_boxes.clone(), TextBuilder::append_running_head);
    reader.apart(stories.comments.clone(), |builder, comments| builder.left_out_all(LeftOut::Comment, comments));
    // Which picture stands at which sign is not read.
    builder.picture_of(Some(&file.lettering));
    Ok(builder.finish(file.metadata))
}

/// The text of a file's pieces.
#[cfg(test)]
pub(super) fn units(bytes: &[u8], limits: &ReadLimits) -> Result<Vec<u16>, ExtractError> {
    File::open(bytes, limits).map(|file| file.units)
}

fn antiword(bytes: &[u8], options: &[&str], limits: &ReadLimits) -> Result<Vec<u8>, ExtractError> {
    let arguments = |path: &OsStr| options.iter().map(OsString::from).chain([path.to_owned()]).collect();
    let output = run("antiword".as_ref(), bytes, arguments, limits).map_err(|failure| match failure {
        Failure::Missing => ExtractError::NeedsAntiword,
        Failure::Failed(_) => Damage::AntiwordFailed.into(),
        failure => failure.into(),
    })?;
    Ok(output.bytes)
}

/// Characters that steer the text.
mod sign {
    pub const PICTURE: u16 = 1;
    pub const NOTE: u16 = 2;
    pub const COMMENT: u16 = 5;
    pub const CELL: u16 = 7;
    pub const DRAWING: u16 = 8;
    pub const LINE: u16 = 0x0B;
    pub const PAGE: u16 = 0x0C;
    pub const PARAGRAPH: u16 = 0x0D;
    pub const COLUMN: u16 = 0x0E;
    pub const FIELD: u16 = 0x13;
    pub const FIELD_RESULT: u16 = 0x14;
    pub const FIELD_END: u16 = 0x15;
    pub const HYPHEN: u16 = 0x1E;
    pub const SOFT_HYPHEN: u16 = 0x1F;
}

/// Writes stories: the body, notes, boxes.
struct DocReader<'a> {
    file: &'a File,
    /// Notes that were not referred to yet: where each is referred to, and where its text is.
    notes: Vec<(usize, std::ops::Range<usize>)>,
    builder: &'a mut TextBuilder,
}

impl DocReader<'_> {
    /// Reads a story of its own and hands it over.
    fn apart(&mut self, story: std::ops::Range<usize>, take: impl Fn(&mut TextBuilder, TextBuilder)) {
        let mut builder = TextBuilder::default();
        DocReader { file: self.file, notes: Vec::new(), builder: &mut builder }.story(story);
        self.builder.end_paragraph();
        take(self.builder, builder);
        self.builder.end_paragraph();
    }

    fn story(&mut self, story: std::ops::Range<usize>) {
        let (mut start, mut in_table) = (story.start, false);
        let mut fields: Vec<bool> = Vec::new();
        while start < story.end {
            let is_end = |unit: &u16| matches!(*unit, sign::PARAGRAPH | sign::CELL | sign::PAGE);
            let units = &self.file.units[start..story.end];
            let end = start + units.iter().position(is_end).unwrap_or(units.len() - 1);
            let lines = self.file.lines_at(end);
            if lines.in_table != in_table {
                in_table = lines.in_table;
                if in_table {
                    self.builder.gap(Gap::Paragraph);
                    self.builder.open(MarkKind::Table);
                } else {
                    self.builder.close(MarkKind::Table);
                    self.builder.end_paragraph();
                }
            }
            let mark = self.file.units[end];
            let text_end = if is_end(&mark) { end } else { end + 1 };
            lines.role.into_iter().for_each(|role| self.builder.open(role));
            self.paragraph(start..text_end, &lines, &mut fields);
            lines.role.into_iter().for_each(|role| self.builder.close(role));
            // The code of a field ends with its paragraph at the latest, so that a broken field hides nothing.
            fields.iter_mut().for_each(|code| *code = false);
            match mark {
                _ if lines.ends_row => self.builder.gap(Gap::Line),
                sign::CELL => self.builder.gap_of_cell(),
                _ if in_table => self.builder.gap(Gap::Line),
                _ => self.builder.end_paragraph(),
            }
            start = end + 1;
        }
        if in_table {
            self.builder.close(MarkKind::Table);
        }
    }

    fn paragraph(&mut self, range: std::ops::Range<usize>, lines: &Lines, fields: &mut Vec<bool>) {
        let mut at = range.start;
        while at < range.end {
            let (letters, end) = self.file.letters_at(at, range.end, lines);
            let mut pending: Vec<u16> = Vec::new();
            for place in at..end {
                let unit = self.file.units[place];
                if unit >= 0x20 || unit == 9 {
                    pending.push(unit);
                    continue;
                }
                self.write(&std::mem::take(&mut pending), &letters, lines, fields);
                match unit {
                    sign::PICTURE | sign::DRAWING => self.builder.point(MarkKind::Picture),
                    sign::NOTE => self.note(place),
                    sign::LINE | sign::COLUMN => self.write(&[0x0A], &letters, lines, fields),
                    sign::HYPHEN => self.write(&[0x2D], &letters, lines, fields),
                    sign::SOFT_HYPHEN => self.write(&[0xAD], &letters, lines, fields),
                    sign::FIELD => fields.push(true),
                    sign::FIELD_RESULT => fields.last_mut().into_iter().for_each(|code| *code = false),
                    sign::FIELD_END => drop(fields.pop()),
                    sign::COMMENT => {}
                    _ => {}
                }
            }
            self.write(&pending, &letters, lines, fields);
            at = end;
        }
    }

    fn write(&mut self, units: &[u16], letters: &Letters, lines: &Lines, fields: &[bool]) {
        if units.is_empty() {
            return;
        }
        let text = String::from_utf16_lossy(units);
        if fields.iter().any(|code| *code) {
            self.builder.left_out(LeftOut::Instruction, &text);
        } else if letters.deleted {
            self.builder.left_out(LeftOut::Deleted, &text);
        } else {
            let format = LetterFormat { indent: Some(lines.indent.0 + lines.indent.1.min(0.0)), ..letters.format };
            self.builder.push_run(&text, TextBuilder::push, &format, lines.ground.unwrap_or(PAPER), None);
        }
    }

    /// Refers to a note, whose text waits for the end of the paragraph or of the document.
    fn note(&mut self, place: usize) {
        let Ok(found) = self.notes.binary_search_by_key(&place, |(reference, _)| *reference) else { return };
        let (_, text) = self.notes.remove(found);
        let is_endnote = self.file.stories.endnotes.contains(&text.start);
        self.builder.point(MarkKind::NoteReference);
        let mut note = TextBuilder::default();
        note.open(MarkKind::Note);
        DocReader { file: self.file, notes: Vec::new(), builder: &mut note }.story(text);
        note.close(MarkKind::Note);
        if is_endnote { self.builder.put_at_end(note) } else { self.builder.put_aside(note) }
    }
}
