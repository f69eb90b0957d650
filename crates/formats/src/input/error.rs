//! What can go wrong while reading, in one type for all inputs.

use std::io;

use thiserror::Error;

use crate::encoding::DecodeError;
use crate::extract::ExtractError;

/// A document, file or folder that could not be read. It never ends the reading of the others.
#[derive(Debug, Error)]
#[error("{}: {}", printable(.place), printable(.reason))]
pub struct ReadError {
    place: String,
    id: String,
    kind: ReadErrorKind,
    reason: String,
    source: Option<io::Error>,
}

/// The kinds of [`ReadError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// There is no such file or folder.
    Missing,
    /// The file system does not allow it.
    PermissionDenied,
    /// Any other failure of the file system, or something that is no regular file.
    Unreadable,
    /// Nothing in it, or nothing but white space.
    NoText,
    /// Binary data, or a format that is not read.
    NotText,
    /// No encoding known explains the bytes.
    UnknownEncoding,
    /// Larger than [`ReadLimits`](super::ReadLimits) allow.
    TooLarge,
    /// Expands to more than [`ReadLimits`](super::ReadLimits) allow.
    ExpandsTooMuch,
    /// A compressed file ends too early; what came before was read.
    Truncated,
    /// A compressed file or archive contradicts itself.
    Damaged,
    /// A line that is not a JSON object, or has no `text`.
    InvalidJson,
    /// Something in an archive that is not followed: an archive, a link, an encrypted entry.
    NotFollowed,
    /// Reading was cancelled.
    Cancelled,
    /// A symbolic link that leads out of the folder given.
    OutsideFolder,
}

impl ReadError {
    pub(super) fn new(origin: &Origin, kind: ReadErrorKind, reason: impl Into<String>) -> Self {
        let reason = shortened(reason.into());
        ReadError { place: origin.place.clone(), id: origin.id.clone(), kind, reason, source: None }
    }

    pub(super) fn from_io(origin: &Origin, error: io::Error) -> Self {
        let (kind, reason) = match error.kind() {
            io::ErrorKind::NotFound => (ReadErrorKind::Missing, "no such file or folder".to_owned()),
            io::ErrorKind::PermissionDenied => (ReadErrorKind::PermissionDenied, "permission denied".to_owned()),
            _ => (ReadErrorKind::Unreadable, error.to_string()),
        };
        ReadError { source: Some(error), ..ReadError::new(origin, kind, reason) }
    }

    pub(super) fn from_extract(origin: &Origin, error: &ExtractError) -> Self {
        let kind = match error {
            ExtractError::NoText | ExtractError::OnlyWhiteSpace => ReadErrorKind::NoText,
            ExtractError::Undecodable(DecodeError::Unknown) => ReadErrorKind::UnknownEncoding,
            ExtractError::Undecodable(DecodeError::Binary) | ExtractError::OtherFormat(_) | ExtractError::NotPdf => {
                ReadErrorKind::NotText
            }
            ExtractError::NoTextLayer | ExtractError::UnreadableTextLayer => ReadErrorKind::NoText,
            ExtractError::Damaged(_) => ReadErrorKind::Damaged,
            ExtractError::Encrypted => ReadErrorKind::NotFollowed,
            ExtractError::TooLarge(_) | ExtractError::TooDeep(_) => ReadErrorKind::TooLarge,
            ExtractError::NeedsProgram(..) => ReadErrorKind::NotText,
            ExtractError::Program(_) => ReadErrorKind::Unreadable,
            ExtractError::Cancelled(_) => ReadErrorKind::Cancelled,
            ExtractError::InvalidJson(_) | ExtractError::NoTextField | ExtractError::TextNotString => {
                ReadErrorKind::InvalidJson
            }
        };
        ReadError::new(origin, kind, error.to_string())
    }

    /// The id that the document would have had.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Where it is: a path, an archive's path with the entry's, or `FILE:LINE`.
    pub fn path(&self) -> &str {
        &self.place
    }

    /// What is wrong with it, in a few words.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// Which kind of error it is.
    pub fn kind(&self) -> ReadErrorKind {
        self.kind
    }
}

/// Where something comes from: for a person to find it, and the id that it has in the results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) place: String,
    pub(super) id: String,
}

impl Origin {
    /// Something that has a name and no place.
    pub(super) fn named(name: &str) -> Origin {
        Origin { place: name.to_owned(), id: name.to_owned() }
    }

    /// Something inside: an entry of an archive, a line of a file.
    pub(super) fn inside(&self, separator: char, name: &str) -> Origin {
        Origin { place: format!("{}{separator}{name}", self.place), id: format!("{}{separator}{name}", self.id) }
    }
}

/// Bytes as people say them.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..0x400 => format!("{bytes} bytes"),
        0x400..0x10_0000 => format!("{} KiB", bytes >> 10),
        0x10_0000..0x4000_0000 => format!("{} MiB", bytes >> 20),
        _ => format!("{} GiB", bytes >> 30),
    }
}

/// The longest reason, in characters: parsers quote what they stumble over, which may be megabytes of a file made for it.
const LONGEST_REASON: usize = 300;

fn shortened(reason: String) -> String {
    match reason.char_indices().nth(LONGEST_REASON) {
        Some((end, _)) => format!("{}…", &reason[..end]),
        None => reason,
    }
}

/// File names may hold newlines and terminal controls, which must not reach a terminal.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}
