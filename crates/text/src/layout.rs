//! What a format says of a text besides its characters: headings, pages, notes, quotations, what is not to be seen.
//!
//! Every format gives the same value, a list of marked spans, and the detection of a thesis's parts
//! ([`structure`](super::structure)) and of manipulation ([`manipulation`](super::manipulation)) reads nothing else.
//! A plain text has no marks.

use crate::NotCounted;
use serde::{Deserialize, Serialize};

/// What a marked span of the text is, as far as the format says. All of it is a *claim* of whoever wrote the file:
/// [`structure`](super::structure) weighs what would leave text out of the ratios.
///
/// Kept and left out make up the file: an extractor keeps text in the text, marked where it should not count, or leaves a
/// mark with the size of what it dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MarkKind {
    /// The work's title, by its style.
    Title,
    /// A heading of a level from 1 (a chapter) on, by the format's own markup: a style, an element, a command; of level 0 that
    /// of a part that holds chapters.
    Heading(u8),
    /// The line that an entry of the file's outline (bookmarks) of a level from 1 on points to.
    OutlineHeading(u8),
    /// A line that is set as headings are (larger, bolder, apart), and so may be one; a guess of the extractor.
    FontHeading(u8),
    /// Where the appendices begin, by a command; the span is empty.
    Appendix,
    /// A page; pages are numbered from 1 in the order of the file.
    Page(u32),
    /// A table of contents that the program which wrote the file made.
    Contents,
    /// A list of references that such a program made.
    Bibliography,
    /// A menu, a breadcrumb or the like, that stands in the text.
    Navigation,
    /// Text in the margin of a page that stands in the text: a header, a footer, a binding line, a stamp.
    Margin,
    /// A footnote or an endnote.
    Note,
    /// Where a footnote or an endnote is referred to; the number itself is not in the text.
    NoteReference,
    /// A block quotation.
    Quotation,
    /// A reference to the literature, such as `\cite` or a raised number.
    Citation,
    /// A table; cells are parted by tabs.
    Table,
    /// What is written below or above a table or a figure.
    Caption,
    /// The listing of a program.
    Code,
    /// A formula.
    Formula,
    /// Text that the format hides from every reader, and its number of characters; it is not in the text, and the span is empty.
    Hidden(u32),
    /// The number of characters of the file that are not in the text, and why; the span is empty, where they would stand.
    LeftOut(LeftOut, u32),
    /// Text in the colour of its ground.
    White,
    /// Text in letters too small to be read.
    Tiny,
    /// Text that cannot be seen for another reason: drawn without ink, transparent, covered, outside the page.
    Unseen,
    /// A picture; the span is empty.
    Picture,
    /// The text of a page (or where it would stand) whose picture shows far more text than is in the text.
    TextPicture,
    /// A picture that shows prose, and the number of its letters as far as they can be counted; the span is empty.
    PictureText(u32),
    /// Text that is said to be what a picture shows: the text layer of a scan.
    PictureLayer,
    /// Where glyphs are drawn for which the file gives no character, and their number.
    Unmapped(u32),
    /// Text that is drawn otherwise than the file says.
    Contradicted,
    /// Text of which it is not known whether a reader sees it, or in which order.
    Unjudged,
}

impl MarkKind {
    /// How many characters of the file are not in the text at this mark; `None` for a mark of text that is.
    pub fn dropped(self) -> Option<u32> {
        match self {
            MarkKind::Hidden(count) | MarkKind::LeftOut(_, count) => Some(count),
            _ => None,
        }
    }
}

/// Why characters of a file are not in the text though nobody hid them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum LeftOut {
    /// Deleted in a tracked change.
    Deleted,
    /// A comment of a reviewer, or in the source.
    Comment,
    /// Headers and footers of pages, page and line numbers.
    RunningHead,
    /// Formulas, drawings and other environments whose characters are no text.
    Formula,
    /// Another form of what is in the text: a fallback, a description, a second drawing of the same letters.
    Alternate,
    /// What steers a program: field codes, definitions of commands, scripts, styles.
    Instruction,
    /// A part of the file that is not read.
    Unread,
    /// What another file would show here that the document names and that is not there; the number is estimated.
    Missing,
}

impl LeftOut {
    /// The words that stand for it in a report.
    pub fn as_str(self) -> &'static str {
        NotCounted::from(self).as_str()
    }
}

impl From<LeftOut> for NotCounted {
    fn from(reason: LeftOut) -> Self {
        match reason {
            LeftOut::Deleted => NotCounted::Deleted,
            LeftOut::Comment => NotCounted::Comment,
            LeftOut::RunningHead => NotCounted::RunningHead,
            LeftOut::Formula => NotCounted::Formula,
            LeftOut::Alternate => NotCounted::SecondForm,
            LeftOut::Instruction => NotCounted::Instruction,
            LeftOut::Unread => NotCounted::Unread,
            LeftOut::Missing => NotCounted::MissingFile,
        }
    }
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
