//! What a format says of a text besides its characters: headings, pages, notes, quotations, what is not to be seen.
//!
//! Every format gives the same value, a list of marked spans, and the detection of a thesis's parts
//! ([`structure`](super::structure)) and of manipulation ([`manipulation`](super::manipulation)) reads nothing else.
//! A plain text has no marks.

use serde::{Deserialize, Serialize};

/// What a marked span of the text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MarkKind {
    /// The work's title, by its style.
    Title,
    /// A heading of a level from 1 (a chapter) on.
    Heading(u8),
    /// A page; pages are numbered from 1 in the order of the file.
    Page(u32),
    /// A table of contents that the program which wrote the file made.
    Contents,
    /// A list of references that such a program made.
    Bibliography,
    /// A footnote or an endnote.
    Note,
    /// Where a footnote or an endnote is referred to; the number itself is not in the text.
    NoteReference,
    /// A block quotation.
    Quotation,
    /// A reference to the literature, such as `\cite` or a raised number.
    Citation,
    /// Text that the format shows nowhere, so many characters; it is not in the text, and the span is empty.
    Hidden(u32),
    /// Text in the colour of the page.
    White,
    /// Text in letters too small to be read.
    Tiny,
    /// A picture; the span is empty.
    Picture,
}

/// A span of the text and what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// What it is.
    pub kind: MarkKind,
    /// Its first character.
    pub start: u32,
    /// Where it ends, exclusive.
    pub end: u32,
}

/// The marks of one text, in the order of their starts, the longer ones first. They may nest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    marks: Vec<Mark>,
}

impl Layout {
    /// Sorts the marks.
    pub fn new(mut marks: Vec<Mark>) -> Self {
        marks.sort_by_key(|mark| (mark.start, std::cmp::Reverse(mark.end), mark.kind));
        Layout { marks }
    }

    /// The marks in order.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// The marks of one kind.
    pub fn of(&self, kind: MarkKind) -> impl Iterator<Item = &Mark> {
        self.marks.iter().filter(move |mark| mark.kind == kind)
    }

    /// The number of pages; 0 when the format has none.
    pub fn pages(&self) -> usize {
        self.marks.iter().filter(|mark| matches!(mark.kind, MarkKind::Page(_))).count()
    }
}
