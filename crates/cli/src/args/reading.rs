//! How documents are read.

use clap::Args;
use copytrace::formats::input::ReadLimits;

/// How documents are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub struct ReadingOptions {
    /// Read PDF pages that have no text layer by OCR: pdftoppm and tesseract must be installed, and a page takes
    /// some seconds
    #[arg(long)]
    pub ocr: bool,
}

impl ReadingOptions {
    /// The limits these options stand for.
    pub fn limits(&self) -> ReadLimits {
        if self.ocr { ReadLimits::default().with_ocr() } else { ReadLimits::default() }
    }
}
