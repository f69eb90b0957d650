//! Word documents of before 2007 (`.doc`), read by antiword when it is installed.
//!
//! Antiword writes DocBook (4.1.2) with headings and tables, but without the texts of notes, which are taken from what
//! it writes as plain text. That alone would not do: it has tables drawn with lines, and numbers before headings.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};

use ahash::AHashSet;

use super::builder::{Gap, TextBuilder};
use super::program::{Failure, run};
use super::style::is_reference_number;
use super::xml::{Node, walk};
use super::{ExtractError, Extracted};
use crate::text::Metadata;
use crate::text::layout::MarkKind;
use crate::text::limits::ReadLimits;

/// What antiword writes where a note is referred to; the latter where a text has footnotes and endnotes.
const NOTE_REFERENCES: [&[u8]; 2] = [b"<footnote>", b"[?]"];

/// Takes out text and marks.
pub(super) fn extract(bytes: &[u8], limits: &ReadLimits) -> Result<Extracted, ExtractError> {
    let book = antiword(bytes, &["-x", "db"], limits)?;
    let plain = || -> Result<String, ExtractError> {
        let text = antiword(bytes, &["-w", "0", "-m", "UTF-8.txt"], limits)?;
        Ok(String::from_utf8_lossy(&text).trim().to_owned())
    };
    // Broken files make broken DocBook.
    let Ok(extracted) = read(&book, VecDeque::new(), limits) else {
        return Ok(Extracted { text: plain()?, ..Extracted::default() });
    };
    let holds = |part: &&[u8]| book.windows(part.len()).any(|window| window == *part);
    if NOTE_REFERENCES.iter().any(holds) {
        return read(&book, notes(&plain()?, &extracted.text), limits);
    }
    Ok(extracted)
}

fn antiword(bytes: &[u8], options: &[&str], limits: &ReadLimits) -> Result<Vec<u8>, ExtractError> {
    let arguments = |path: &OsStr| options.iter().map(OsString::from).chain([path.to_owned()]).collect();
    run("antiword".as_ref(), bytes, arguments, limits).map_err(|failure| match failure {
        Failure::Missing => ExtractError::NeedsProgram("an old Word file (.doc)", "antiword"),
        Failure::Failed(_) => ExtractError::Damaged("antiword cannot read it".to_owned()),
        failure => failure.into(),
    })
}

/// The notes at the end of a plain text: `[1]The note.` They are those lines that the text without notes has not.
fn notes(plain: &str, without_notes: &str) -> VecDeque<String> {
    let letters = |line: &str| line.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let known: AHashSet<String> = without_notes.lines().map(letters).collect();
    let mut notes: VecDeque<String> = VecDeque::new();
    for line in plain.lines().filter(|line| !known.contains(&letters(line))) {
        let note = line.strip_prefix('[').and_then(|line| line.split_once(']'));
        match (note.filter(|(number, _)| number.bytes().all(|b| b.is_ascii_alphanumeric())), notes.back_mut()) {
            (Some((_, text)), _) => notes.push_back(text.trim().to_owned()),
            (None, Some(note)) => *note = format!("{note} {}", line.trim()),
            (None, None) => {}
        }
    }
    notes
}

/// Reads DocBook. The notes take their places; those without one stand at the end.
fn read(book: &[u8], notes: VecDeque<String>, limits: &ReadLimits) -> Result<Extracted, ExtractError> {
    let mut reader = Reader { notes, ..Reader::default() };
    walk("the output of antiword", book, limits, |node| {
        reader.node(&node);
        Ok(())
    })?;
    while !reader.notes.is_empty() {
        reader.note();
    }
    Ok(reader.builder.finish(reader.metadata))
}

#[derive(Default)]
struct Reader {
    builder: TextBuilder,
    metadata: Metadata,
    notes: VecDeque<String>,
    /// In what describes the document.
    in_information: bool,
    /// The field of the metadata that is being read.
    in_title: bool,
    /// In a raised text.
    raised: bool,
    /// In a footnote, which holds an empty paragraph.
    in_note: bool,
    /// Chapters and sections inside each other.
    level: u8,
}

impl Reader {
    fn node(&mut self, node: &Node<'_>) {
        match node {
            Node::Start(element) => self.start(element.name()),
            Node::End(name) => self.end(name),
            Node::Text(text) if self.in_information => {
                if self.in_title && !text.trim().is_empty() {
                    self.metadata.title = Some(text.trim().to_owned());
                }
            }
            Node::Text(text) => {
                let citation = self.raised && is_reference_number(text);
                if citation {
                    self.builder.open(MarkKind::Citation);
                }
                self.builder.push_collapsed(text);
                if citation {
                    self.builder.close(MarkKind::Citation);
                }
            }
        }
    }

    fn start(&mut self, name: &str) {
        match name {
            "bookinfo" => self.in_information = true,
            "title" if self.in_information => self.in_title = true,
            "chapter" | "sect1" | "sect2" | "sect3" | "sect4" | "sect5" => self.level = self.level.saturating_add(1),
            "title" => self.builder.open(MarkKind::Heading(self.level.max(1))),
            "superscript" => self.raised = true,
            "footnote" => {
                self.in_note = true;
                self.note();
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "bookinfo" => self.in_information = false,
            "title" if self.in_information => self.in_title = false,
            "chapter" | "sect1" | "sect2" | "sect3" | "sect4" | "sect5" => self.level = self.level.saturating_sub(1),
            "title" => {
                self.builder.close(MarkKind::Heading(self.level.max(1)));
                self.builder.end_paragraph();
            }
            "superscript" => self.raised = false,
            "footnote" => self.in_note = false,
            "entry" => self.builder.gap_of_cell(),
            "row" => self.builder.gap(Gap::Line),
            "para" | "informaltable" if !self.in_note => self.builder.end_paragraph(),
            _ => {}
        }
    }

    /// Refers to the next note.
    fn note(&mut self) {
        let Some(text) = self.notes.pop_front() else { return };
        self.builder.point(MarkKind::NoteReference);
        let mut note = TextBuilder::default();
        note.open(MarkKind::Note);
        note.push(&text);
        note.close(MarkKind::Note);
        self.builder.put_aside(note);
    }
}
