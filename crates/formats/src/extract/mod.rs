//! The text of a document, from the bytes of its file: one file per format.

#[cfg(feature = "documents")]
mod builder;
#[cfg(feature = "documents")]
mod colour;
#[cfg(feature = "documents")]
mod doc;
#[cfg(feature = "documents")]
mod docx;
#[cfg(feature = "documents")]
mod epub;
#[cfg(feature = "documents")]
mod html;
mod json_line;
#[cfg(feature = "documents")]
mod latex;
pub(crate) mod latex_includes;
#[cfg(feature = "documents")]
mod looks;
#[cfg(feature = "documents")]
mod markdown;
#[cfg(feature = "documents")]
mod odt;
#[cfg(feature = "documents")]
mod package;
#[cfg(feature = "documents")]
mod pdf;
mod plain;
#[cfg(feature = "documents")]
mod processor_time;
#[cfg(feature = "documents")]
mod program;
#[cfg(feature = "documents")]
mod rtf;
mod signature;
#[cfg(feature = "documents")]
mod style;
#[cfg(feature = "documents")]
mod table;
#[cfg(feature = "documents")]
mod wide;
#[cfg(feature = "documents")]
mod xml;

use std::path::Path;

use thiserror::Error;

use crate::encoding::DecodeError;
use crate::limits::ReadLimits;
use copytrace_job::Cancelled;
use copytrace_text::Metadata;
use copytrace_text::layout::Layout;
use copytrace_text::legibility::Legibility;

pub use json_line::{JsonDocument, JsonFields, extract_json_line};
// For the program alone, which reads a PDF file in a process of its own.
#[cfg(feature = "documents")]
#[doc(hidden)]
pub use pdf::read_pdf_here;

/// A format that one document is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Plain text: the decoded file as it stands.
    Plain,
    /// Markdown: the same, with its headings.
    Markdown,
    /// HTML and XHTML.
    Html,
    /// PDF.
    Pdf,
    /// Word, Office Open XML.
    Docx,
    /// OpenDocument text.
    Odt,
    /// EPUB.
    Epub,
    /// Rich Text Format.
    Rtf,
    /// LaTeX.
    Latex,
    /// Word before 2007.
    Doc,
}

/// What a document's bytes hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extracted {
    /// The text, with at least one character that is not white space.
    pub text: String,
    /// Title, author and the like, as far as the format has them.
    pub metadata: Metadata,
    /// How many characters could not be decoded and are U+FFFD in the text.
    pub replaced: usize,
    /// Headings, pages and what else the format says of the text.
    pub layout: Layout,
}

/// Why there is no text in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExtractError {
    /// No bytes, or none that are text.
    #[error("no text in it")]
    NoText,
    /// The text holds nothing but white space.
    #[error("only white space in it")]
    OnlyWhiteSpace,
    /// The bytes are no text in any encoding known.
    #[error(transparent)]
    Undecodable(#[from] DecodeError),
    /// The bytes start like those of a format that is not read, which is named.
    #[error("{0}; not readable by this version")]
    OtherFormat(&'static str),
    /// A file that is called a PDF file and does not start like one.
    #[error("not a PDF file, though its name says so; export it as PDF again")]
    NotPdf,
    /// A PDF file of pictures.
    #[error("no text layer: needs OCR (--ocr)")]
    NoTextLayer,
    /// A PDF file whose text layer has other characters than a reader sees.
    #[error("unreadable text layer: needs OCR (--ocr)")]
    UnreadableTextLayer,
    /// The file is protected by a password.
    #[error("protected by a password; save it without one")]
    Encrypted,
    /// The file contradicts itself or ends too early.
    #[error("damaged: {0}")]
    Damaged(String),
    /// More of something than [`ReadLimits`] allow, which is named.
    #[error("too large: {0}")]
    TooLarge(String),
    /// Elements, groups or brackets are nested deeper than [`ReadLimits`] allow.
    #[error("more than {0} levels inside each other")]
    TooDeep(usize),
    /// A format (named first) that is read by a program which is not installed.
    #[error("{0}; to read it, install {1}")]
    NeedsProgram(&'static str, &'static str),
    /// A program that reads the format could not be run.
    #[error("the program that reads it: {0}")]
    Program(String),
    /// Nobody wants it any more.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The line is not a JSON object.
    #[error("not a JSON object: {0}")]
    InvalidJson(String),
    /// The JSON object has no `text`.
    #[error("no `text` field")]
    NoTextField,
    /// The JSON object's `text` is a number, a list or the like.
    #[error("`text` is not a string")]
    TextNotString,
}

/// Characters of what an error says of a file: libraries put whole parts of it into their messages.
const ERROR_CHARACTERS: usize = 300;

impl ExtractError {
    /// The error with no more than so much of the file in it.
    fn bounded(mut self) -> Self {
        if let ExtractError::Damaged(what) | ExtractError::TooLarge(what) | ExtractError::Program(what) = &mut self
            && let Some((end, _)) = what.char_indices().nth(ERROR_CHARACTERS)
        {
            what.truncate(end);
            what.push('…');
        }
        self
    }
}

impl Format {
    /// The format that a file name's ending stands for, in any case; `None` for one that is not known.
    pub fn of_name(name: &str) -> Option<Format> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "txt" | "text" => Some(Format::Plain),
            "md" | "markdown" => Some(Format::Markdown),
            "html" | "htm" | "xhtml" => Some(Format::Html),
            "pdf" => Some(Format::Pdf),
            "docx" | "docm" => Some(Format::Docx),
            "odt" => Some(Format::Odt),
            "epub" => Some(Format::Epub),
            "rtf" => Some(Format::Rtf),
            "tex" | "latex" => Some(Format::Latex),
            "doc" => Some(Format::Doc),
            _ => None,
        }
    }

    /// Takes the text out of a file's bytes. What the bytes show to be another format that is read is read as such.
    ///
    /// `folder` is where the file lies, for formats whose documents are made of several files; `None` if it lies in
    /// an archive or came through a pipe.
    pub fn extract(self, bytes: &[u8], folder: Option<&Path>, limits: &ReadLimits) -> Result<Extracted, ExtractError> {
        limits.cancel.check()?;
        self.extract_unbounded(bytes, folder, limits).map_err(ExtractError::bounded)
    }

    fn extract_unbounded(
        self,
        bytes: &[u8],
        folder: Option<&Path>,
        limits: &ReadLimits,
    ) -> Result<Extracted, ExtractError> {
        let format = signature::recognise(bytes, self)?;
        let extracted = match format {
            Format::Plain => plain::extract(bytes)?,
            format => format.extract_marked_up(bytes, folder, limits)?,
        };
        require_text(&extracted.text)?;
        if format == Format::Pdf && Legibility::of(&extracted.text, &extracted.layout).is_hopeless() {
            return Err(ExtractError::UnreadableTextLayer);
        }
        if extracted.text.len() as u64 > limits.text_bytes {
            return Err(ExtractError::TooLarge(format!("more than {} MiB of text", limits.text_bytes >> 20)));
        }
        Ok(extracted)
    }

    /// The formats that are more than text.
    #[cfg(feature = "documents")]
    fn extract_marked_up(
        self,
        bytes: &[u8],
        folder: Option<&Path>,
        limits: &ReadLimits,
    ) -> Result<Extracted, ExtractError> {
        match self {
            Format::Plain => plain::extract(bytes),
            Format::Markdown => markdown::extract(bytes),
            Format::Html => html::extract(bytes),
            Format::Pdf => pdf::extract(bytes, limits),
            Format::Docx => docx::extract(bytes, limits),
            Format::Odt => odt::extract(bytes, limits),
            Format::Epub => epub::extract(bytes, limits),
            Format::Rtf => rtf::extract(bytes, limits),
            Format::Latex => latex::extract(bytes, folder, limits),
            Format::Doc => doc::extract(bytes, limits),
        }
    }

    #[cfg(not(feature = "documents"))]
    fn extract_marked_up(self, _: &[u8], _: Option<&Path>, _: &ReadLimits) -> Result<Extracted, ExtractError> {
        Err(ExtractError::OtherFormat("a format that is more than plain text"))
    }
}

/// Refuses a text in which there is nothing to compare.
pub(super) fn require_text(text: &str) -> Result<(), ExtractError> {
    let mark = '\u{FEFF}';
    if text.chars().all(|c| c == mark) {
        Err(ExtractError::NoText)
    } else if text.chars().all(|c| c.is_whitespace() || c == mark) {
        Err(ExtractError::OnlyWhiteSpace)
    } else {
        Ok(())
    }
}

#[cfg(all(test, feature = "documents"))]
mod office_tests;
#[cfg(all(test, feature = "documents"))]
mod tests;
#[cfg(all(test, feature = "documents"))]
mod unseen_tests;
