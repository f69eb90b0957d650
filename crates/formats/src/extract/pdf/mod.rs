//! PDF (ISO 32000): read by `hayro`, an interpreter in safe Rust, in a process of its own.
//!
//! The [`reader`] gives lines on pages and the outline, and [`ocr`] lines of pages that are pictures. [`flow`] makes a text of
//! them: it drops running heads and page numbers, joins broken lines and words, reads columns in order, takes notes out of the way,
//! and marks what each line is.
//!
//! Constants of this room were chosen by hand and not measured apart, unless one says otherwise. Some files say on which pages:
//! `columns`, `flow`, `glyphs`.

mod baselines;
mod cells;
mod clip;
mod columns;
mod disorder;
mod fields;
mod flow;
mod glyph;
mod glyphs;
mod headings;
mod inner;
mod join;
mod layers;
mod lettered;
#[cfg(feature = "ocr")]
mod lies;
mod lines;
mod margins;
mod notes;
#[cfg(feature = "ocr")]
mod ocr;
mod outline;
mod paper;
mod reader;
mod roles;
mod rows;
mod running;
mod strings;
mod unnamed;
mod vertical;

use super::{ExtractError, Extracted};
use crate::limits::ReadLimits;
use copytrace_text::Metadata;

pub use reader::read_pdf_here;

/// From this share of glyphs without a character on, a text layer cannot be read.
const UNREADABLE: f64 = 0.3;

/// Takes out text, marks and metadata.
pub(super) fn extract(bytes: &[u8], limits: &ReadLimits) -> Result<Extracted, ExtractError> {
    let mut document = reader::read(bytes, limits)?;
    #[cfg(feature = "ocr")]
    if limits.ocr_pages > 0 {
        ocr::read_pictures(&mut document.pages, bytes, limits)?;
    }
    let unmapped: u64 = document.pages.iter().map(|page| u64::from(page.unmapped)).sum();
    let metadata = Metadata {
        title: document.title.take(),
        author: document.author.take(),
        date: document.date.take(),
        ..Metadata::default()
    };
    let extracted = flow::join(&document).finish(metadata);
    let characters = extracted.text.chars().filter(|c| !c.is_whitespace()).count() as f64;
    if unmapped as f64 > UNREADABLE * (unmapped as f64 + characters) {
        return Err(ExtractError::UnreadableTextLayer);
    }
    let no_text_layer = limits.ocr_pages == 0 && extracted.text.trim().is_empty();
    if no_text_layer { Err(ExtractError::NoTextLayer) } else { Ok(extracted) }
}

/// Reads a file that is attached to another one, in the process that reads that one.
fn read_attached(bytes: &[u8], limits: &ReadLimits) -> Result<Extracted, ExtractError> {
    Ok(flow::join(&reader::document(bytes.to_vec(), limits, false)?).finish(Metadata::default()))
}

#[cfg(test)]
mod hidden_tests;
#[cfg(test)]
mod tests;
