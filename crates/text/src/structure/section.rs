//! What a section of a thesis is.

use crate::NotCounted;
use serde::{Deserialize, Serialize};

/// What a section of a thesis is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SectionKind {
    /// Title page and declarations of authorship.
    TitlePage,
    /// An abstract, in any language.
    Abstract,
    /// The table of contents.
    Contents,
    /// A chapter, or text that is in no other part.
    Chapter,
    /// The list of references.
    References,
    /// Thanks.
    Acknowledgements,
    /// An appendix.
    Appendix,
}

impl SectionKind {
    /// The words that stand for it in a report.
    pub fn as_str(self) -> &'static str {
        match self {
            SectionKind::TitlePage => "title page",
            SectionKind::Abstract => "abstract",
            SectionKind::Contents => "contents",
            SectionKind::Chapter => "chapter",
            SectionKind::References => "references",
            SectionKind::Acknowledgements => "acknowledgements",
            SectionKind::Appendix => "appendix",
        }
    }

    /// Whether it is the author's own running text, which the ratios are of.
    pub fn counts(self) -> bool {
        self.not_counted().is_none()
    }

    /// As what it does not count; `None` if it counts.
    #[doc(hidden)] // for the engine
    pub fn not_counted(self) -> Option<NotCounted> {
        match self {
            SectionKind::TitlePage => Some(NotCounted::TitlePage),
            SectionKind::Contents => Some(NotCounted::Contents),
            SectionKind::References => Some(NotCounted::References),
            SectionKind::Acknowledgements => Some(NotCounted::Acknowledgements),
            SectionKind::Abstract | SectionKind::Chapter | SectionKind::Appendix => None,
        }
    }
}

/// A section. Offsets are characters of the extracted text, the end exclusive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// What it is.
    pub kind: SectionKind,
    /// Its heading; empty for a title page and for text before the first heading.
    pub title: String,
    /// Where it starts, its heading included.
    pub start: u32,
    /// Where the next one starts, or the end of the text.
    pub end: u32,
}
