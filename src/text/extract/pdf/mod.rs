//! PDF (ISO 32000): read by poppler's `pdftotext` when it is installed, else by `pdf-extract` in a process of our own.
//!
//! Both give lines on pages, and so does [`ocr`] for pages that are pictures. What makes a text of them is [`flow`]: running headers and page numbers go, broken lines
//! and words are joined, columns read in order, notes taken out of the way.

mod columns;
mod fallback;
mod flow;
mod lines;
#[cfg(feature = "ocr")]
mod ocr;
mod poppler;
mod white;

use super::program::Failure;
use super::{ExtractError, Extracted};
use crate::text::limits::ReadLimits;

pub use fallback::pages_without_poppler;

/// Takes out text, marks and metadata.
pub(super) fn extract(bytes: &[u8], limits: &ReadLimits) -> Result<Extracted, ExtractError> {
    let read = match poppler::read(bytes, limits) {
        Err(Reading::Program(Failure::Missing)) => fallback::read(bytes, limits),
        read => read,
    };
    let (mut pages, metadata) = read.map_err(|reading| match reading {
        Reading::Program(Failure::Missing) => {
            ExtractError::NeedsProgram("a PDF file", "poppler-utils and poppler-data")
        }
        Reading::Program(Failure::Failed(said)) if said.contains("ncorrect password") => ExtractError::Encrypted,
        Reading::Program(failure) => failure.into(),
        Reading::Output(error) => error,
    })?;
    #[cfg(feature = "ocr")]
    if limits.ocr_pages > 0 {
        ocr::read_pictures(&mut pages, bytes, limits)?;
    }
    let extracted = flow::join(&pages).finish(metadata);
    let no_text_layer = limits.ocr_pages == 0 && extracted.text.trim().is_empty();
    if no_text_layer { Err(ExtractError::NoTextLayer) } else { Ok(extracted) }
}

/// Why one of the readers gave no pages.
enum Reading {
    Program(Failure),
    Output(ExtractError),
}

impl From<Failure> for Reading {
    fn from(failure: Failure) -> Self {
        Reading::Program(failure)
    }
}

impl From<ExtractError> for Reading {
    fn from(error: ExtractError) -> Self {
        Reading::Output(error)
    }
}
