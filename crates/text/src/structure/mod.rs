//! The parts of a thesis: title page, abstracts, contents, chapters, references, and the quotations in them.
//!
//! What a format ([`Layout`]) or a title says is a claim: text is left out of the ratios only where its content bears the
//! claim out ([`policy`]). Titles are known in all [`languages`](crate::languages).
//!
//! Constants of this room were chosen by hand and not measured apart, unless one says otherwise. docs/RATIOS.md tells the rules that
//! they make.

mod citations;
mod contents;
mod declarations;
mod evidence;
mod flowing;
mod frames;
mod headings;
mod lines;
mod lists;
mod names;
mod numbers;
mod policy;
mod quotations;
mod section;
mod sections;
mod titles;
mod wording;

pub use frames::frames;
/// How claims were weighed: for measuring, and no part of a report.
#[doc(hidden)]
pub use policy::{Claim, Origin, Verdict};
pub use quotations::Quotation;
pub use section::{Section, SectionKind};

// What readers of PDF files ask of a line.
#[doc(hidden)]
pub use names::after_ordinal_word;
#[doc(hidden)]
pub use numbers::is_label;
#[doc(hidden)]
pub use titles::is_title;

use crate::NotCounted;
use crate::layout::Layout;
use std::ops::Range;

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
    #[doc(hidden)]
    pub claims: Vec<Claim>,
    /// Where short lines start that stand alone and are dated, or on which somebody signs.
    #[doc(hidden)]
    pub signed: Vec<u32>,
    /// Menus, margins of pages and references outside of lists inside sections, in order, with why they do not count.
    pub margins: Vec<(NotCounted, Range<u32>)>,
}

/// Whether characters are sentences and no entries of a list, as far as there are enough of them to tell.
#[doc(hidden)]
pub fn is_prose(text: &[char]) -> bool {
    let line = lines::TextLine { end: text.len() as u32, ..lines::TextLine::default() };
    evidence::Evidence::new(text).is_prose(&line)
}

/// What of a text is entries of references by its shape, in lists and wherever else it stands, in characters, in order.
#[doc(hidden)]
pub fn entries(text: &str) -> Vec<Range<u32>> {
    lists::entries(&lines::lines(text, &Layout::default()))
}

impl Structure {
    /// Finds the parts of a text.
    pub fn find(text: &str, layout: &Layout) -> Structure {
        let characters: Vec<char> = text.chars().collect();
        let lines = lines::lines(text, layout);
        let evidence = evidence::Evidence::new(&characters);
        let (sections, headings, claims) = sections::find(&lines, layout, &evidence, characters.len() as u32);
        let mut margins = policy::margins(&lines, layout, &evidence);
        margins.extend(lists::alone(&lines, layout, &evidence, &sections));
        margins.sort_by_key(|(_, span)| (span.start, span.end));
        let signed = declarations::signed(&lines, &evidence);
        let citations = citations::find(&characters, layout);
        let quotations = quotations::find(&characters, layout, &citations);
        Structure { sections, headings, citations, quotations, claims, signed, margins }
    }
}

#[cfg(test)]
mod tests;
