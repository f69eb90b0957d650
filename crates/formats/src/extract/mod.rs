//! The text of a document, from the bytes of its file: one file per format.

#[cfg(feature = "markup")]
mod builder;
#[cfg(feature = "documents")]
mod bytes;
#[cfg(feature = "markup")]
mod colour;
#[cfg(feature = "markup")]
mod described;
#[cfg(feature = "documents")]
mod doc;
#[cfg(feature = "documents")]
mod docx;
#[cfg(feature = "documents")]
mod drawing;
#[cfg(feature = "documents")]
mod embedded;
#[cfg(feature = "documents")]
mod epub;
pub(crate) mod error;
#[cfg(feature = "documents")]
mod fields;
#[cfg(feature = "markup")]
mod html;
mod json_line;
#[cfg(feature = "documents")]
pub(crate) mod latex;
#[cfg(feature = "documents")]
mod latex_includes;
#[cfg(feature = "documents")]
mod lettering;
#[cfg(feature = "markup")]
mod looks;
#[cfg(feature = "markup")]
mod markdown;
#[cfg(feature = "documents")]
mod missing;
#[cfg(feature = "documents")]
mod odt;
#[cfg(feature = "documents")]
mod package;
#[cfg(feature = "documents")]
mod pdf;
#[cfg(feature = "documents")]
mod pictures;
#[cfg(all(feature = "markup", not(feature = "documents")))]
#[path = "no_pictures.rs"]
mod pictures;
mod plain;
#[cfg(feature = "documents")]
mod processor_time;
#[cfg(feature = "documents")]
mod program;
#[cfg(feature = "markup")]
mod references;
#[cfg(feature = "documents")]
mod rtf;
#[cfg(feature = "documents")]
mod said;
mod signature;
mod source_folder;
#[cfg(feature = "markup")]
mod style;
#[cfg(feature = "markup")]
mod table;
#[cfg(feature = "markup")]
mod unplaced;
#[cfg(all(test, feature = "documents"))]
mod unplaced_tests;
#[cfg(feature = "markup")]
mod wide;
#[cfg(feature = "documents")]
mod xml;

use std::path::Path;

use crate::limits::ReadLimits;
use copytrace_text::Metadata;
use copytrace_text::layout::Layout;
use copytrace_text::legibility::Legibility;

#[cfg(feature = "documents")]
pub(crate) use self::source_folder::Entries;
pub(crate) use self::source_folder::SourceFolder;
pub use crate::encoding::DecodeError;
#[doc(hidden)]
pub use crate::json_fields::FIELDS;
pub use crate::json_fields::JsonFields;
pub use error::{Damage, Excess, ExtractError, UnreadFormat};
// For harvesting alone: pages of a crawl.
#[cfg(feature = "markup")]
#[doc(hidden)]
pub use html::menus::without_menus;
// For the program alone, which reads lines as they come, and a PDF file in a process of its own.
#[doc(hidden)]
pub use json_line::{JsonDocument, extract_json_line};
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
        let folder = folder.filter(|_| self == Format::Latex).and_then(SourceFolder::on_disk);
        self.extract_from(bytes, folder.as_ref(), limits)
    }

    /// The same of a document in a folder that may be one of an archive.
    pub(crate) fn extract_from(
        self,
        bytes: &[u8],
        folder: Option<&SourceFolder>,
        limits: &ReadLimits,
    ) -> Result<Extracted, ExtractError> {
        limits.cancel.check()?;
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
            return Err(Excess::TextBytes { limit: limits.text_bytes >> 20 }.into());
        }
        Ok(extracted)
    }

    /// The formats that are more than text.
    #[cfg_attr(not(feature = "documents"), allow(unused_variables))]
    fn extract_marked_up(
        self,
        bytes: &[u8],
        folder: Option<&SourceFolder>,
        limits: &ReadLimits,
    ) -> Result<Extracted, ExtractError> {
        match self {
            Format::Plain => plain::extract(bytes),
            #[cfg(feature = "markup")]
            Format::Markdown => markdown::extract(bytes),
            #[cfg(feature = "markup")]
            Format::Html => html::extract(bytes),
            #[cfg(feature = "documents")]
            Format::Pdf => pdf::extract(bytes, limits),
            #[cfg(feature = "documents")]
            Format::Docx => docx::extract(bytes, limits),
            #[cfg(feature = "documents")]
            Format::Odt => odt::extract(bytes, limits),
            #[cfg(feature = "documents")]
            Format::Epub => epub::extract(bytes, limits),
            #[cfg(feature = "documents")]
            Format::Rtf => rtf::extract(bytes, limits),
            #[cfg(feature = "documents")]
            Format::Latex => latex::extract(bytes, folder, limits),
            #[cfg(feature = "documents")]
            Format::Doc => doc::extract(bytes, limits),
            #[cfg(not(feature = "documents"))]
            _ => Err(ExtractError::OtherFormat { format: UnreadFormat::NotBuiltIn }),
        }
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
mod seen_tests;
#[cfg(all(test, feature = "documents"))]
mod tests;
#[cfg(all(test, feature = "documents"))]
mod unseen_tests;
