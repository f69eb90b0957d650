//! The parts of a thesis: title page, abstracts, contents, chapters, references, and the quotations in them.
//!
//! What a format ([`Layout`]) or a title says is a claim: text is left out of the ratios only where its content bears the
//! claim out ([`policy`]). Titles of eleven languages are known ([`names`]).

mod citations;
mod contents;
mod declarations;
mod evidence;
mod formulas;
mod headings;
mod lines;
mod lists;
mod names;
mod numbers;
mod policy;
mod quotations;
mod sections;
mod titles;

pub use names::after_chapter_word;
pub use policy::{Claim, Origin, Verdict};
pub use quotations::Quotation;
pub use titles::is_title;

use crate::layout::Layout;
use serde::{Deserialize, Serialize};
use std::ops::Range;

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
        matches!(self, SectionKind::Abstract | SectionKind::Chapter | SectionKind::Appendix)
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

/// What was found in one text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Structure {
    /// The sections in order; they partition the text.
    pub sections: Vec<Section>,
    /// All headings in order, those below chapters included.
    pub headings: Vec<Range<u32>>,
    /// References to the literature, in order.
    pub citations: Vec<Range<u32>>,
    /// Quotations, in order.
    pub quotations: Vec<Quotation>,
    /// What was claimed not to count, in the order in which it was weighed.
    pub claims: Vec<Claim>,
    /// Menus and the margins of pages inside sections, in order, with the words that stand for them in a report.
    pub margins: Vec<(&'static str, Range<u32>)>,
}

/// Whether characters are sentences and no entries of a list, as far as there are enough of them to tell.
pub fn is_prose(text: &[char]) -> bool {
    let line = lines::TextLine { end: text.len() as u32, ..lines::TextLine::default() };
    evidence::Evidence::new(text).is_prose(&line)
}

impl Structure {
    /// Finds the parts of a text.
    pub fn find(text: &str, layout: &Layout) -> Structure {
        let characters: Vec<char> = text.chars().collect();
        let lines = lines::lines(text, layout);
        let evidence = evidence::Evidence::new(&characters);
        let (sections, headings, claims) = sections::find(&lines, layout, &evidence, characters.len() as u32);
        let margins = policy::margins(&lines, layout, &evidence);
        let citations = citations::find(&characters, layout);
        let quotations = quotations::find(&characters, layout, &citations);
        Structure { sections, headings, citations, quotations, claims, margins }
    }
}

#[cfg(test)]
mod tests;
