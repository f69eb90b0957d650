//! The text of a document, from the bytes of its file: one file per format.

mod html;
mod json_line;
mod plain;
mod signature;

use thiserror::Error;

use super::Metadata;
use super::encoding::DecodeError;

pub use json_line::{JsonDocument, extract_json_line};

/// A format that one document is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Plain text and Markdown: the decoded file as it stands.
    Plain,
    /// HTML and XHTML.
    Html,
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

impl Format {
    /// The format that a file name's ending stands for, in any case; `None` for one that is not known.
    pub fn of_name(name: &str) -> Option<Format> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "txt" | "text" | "md" | "markdown" => Some(Format::Plain),
            "html" | "htm" | "xhtml" => Some(Format::Html),
            _ => None,
        }
    }

    /// Takes the text out of a file's bytes.
    pub fn extract(self, bytes: &[u8]) -> Result<Extracted, ExtractError> {
        if let Some(name) = signature::recognise(bytes) {
            return Err(ExtractError::OtherFormat(name));
        }
        let extracted = match self {
            Format::Plain => plain::extract(bytes)?,
            Format::Html => html::extract(bytes)?,
        };
        require_text(&extracted.text)?;
        Ok(extracted)
    }
}

/// Refuses a text in which there is nothing to compare.
fn require_text(text: &str) -> Result<(), ExtractError> {
    let mark = '\u{FEFF}';
    if text.chars().all(|c| c == mark) {
        Err(ExtractError::NoText)
    } else if text.chars().all(|c| c.is_whitespace() || c == mark) {
        Err(ExtractError::OnlyWhiteSpace)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
