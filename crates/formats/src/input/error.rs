//! What can go wrong while reading, in one type for all inputs.

use std::io;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::extract::ExtractError;
use crate::extract::error::said;

/// A document, file or folder that could not be read. It never ends the reading of the others.
#[derive(Debug, Error)]
#[error("{}: {}", printable(.place), printable(&.reason.to_string()))]
pub struct ReadError {
    place: String,
    id: String,
    reason: ReadReason,
    source: Option<io::Error>,
}

/// Why a document, file or folder could not be read: a stable code with figures, and an English sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
#[cfg_attr(test, derive(strum::EnumIter))]
#[non_exhaustive]
pub enum ReadReason {
    /// There is no such file or folder.
    #[error("no such file or folder")]
    Missing,
    /// The file system does not allow it.
    #[error("permission denied")]
    PermissionDenied,
    /// Another program has it open and lets nobody else read it, as programs on Windows may.
    #[error("open in another program, such as Word, which lets nobody else read it; close it there and try again")]
    InUse,
    /// OneDrive, or what is like it, keeps it elsewhere and cannot fetch it now.
    #[error("kept online alone, and it cannot be fetched now; have OneDrive keep it on this device, and try again")]
    KeptOnline,
    /// Any other failure of the file system.
    #[error("{said}")]
    Unreadable {
        /// What the system says.
        said: String,
    },
    /// Something that is no regular file.
    #[error("neither a file nor a folder")]
    NoFile,
    /// A folder without a file that can be read.
    #[error("no file in it of a kind that is read")]
    NothingKnown,
    /// An archive without a document.
    #[error("no document in it")]
    NoDocument,
    /// The folder of a report.
    #[error("a report that copytrace wrote; not read")]
    OwnReport,
    /// A symbolic link that leads out of the folder given.
    #[error("a symbolic link that leads out of the folder; not followed")]
    OutsideFolder,
    /// A file that is larger than allowed.
    #[error("larger than the limit of {}", size(*limit))]
    Larger {
        /// How much is allowed, in bytes.
        limit: u64,
    },
    /// A line that is longer than allowed.
    #[error("a line longer than the limit of {}", size(*limit))]
    LongLine {
        /// How much is allowed, in bytes.
        limit: u64,
    },
    /// An archive with more entries than allowed.
    #[error("{entries} entries, more than the limit of {limit}")]
    ManyEntries {
        /// How many there are.
        entries: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// An archive that expands to more than allowed.
    #[error("the archive expands to more than {}; the rest of it is not read", size(*limit))]
    ArchiveExpands {
        /// How much is allowed, in bytes.
        limit: u64,
    },
    /// An entry of an archive that does.
    #[error("expands to more than {}", size(*limit))]
    EntryExpands {
        /// How much is allowed, in bytes.
        limit: u64,
    },
    /// Compressed lines that do.
    #[error("expands to more than {}; stopped {}", size(*limit), after(*line))]
    LinesExpand {
        /// How much is allowed, in bytes.
        limit: u64,
        /// The last line that was read, from 1; 0 for none.
        line: u64,
    },
    /// Compressed lines that end too early; what came before was read.
    #[error("truncated: the compressed data end {}", after(*line))]
    Truncated {
        /// The last line that was read, from 1; 0 for none.
        line: u64,
    },
    /// Compressed lines that contradict themselves; what came before was read.
    #[error("damaged {}: {said}", after(*line))]
    LinesDamaged {
        /// The last line that was read, from 1; 0 for none.
        line: u64,
        /// What is wrong.
        said: String,
    },
    /// What is called a zip archive is none.
    #[error("not a zip archive, or a damaged or truncated one ({said})")]
    NoArchive {
        /// What is wrong.
        said: String,
    },
    /// An archive or an entry of it that cannot be opened.
    #[error("{said}")]
    EntryUnreadable {
        /// What is wrong.
        said: String,
        /// Whether it is well formed, but of a kind that is not read.
        unsupported: bool,
    },
    /// An entry whose bytes contradict themselves.
    #[error("damaged: {said}")]
    EntryDamaged {
        /// What is wrong.
        said: String,
    },
    /// A version of the library that reads no archives.
    #[error("a zip archive; not readable by this version")]
    ArchivesUnread,
    /// An archive inside an archive.
    #[error("an archive inside an archive; unpack it first")]
    NestedArchive,
    /// An entry that is encrypted.
    #[error("protected by a password; pack it without one")]
    EncryptedEntry,
    /// An entry that is a link.
    #[error("a symbolic link inside an archive")]
    ArchivedLink,
    /// A row that its holder cannot make a document of.
    #[error("{said}")]
    BadRow {
        /// What the holder says.
        said: String,
    },
    /// There is no text in the bytes of a document.
    #[error(transparent)]
    #[serde(untagged)]
    #[cfg_attr(test, strum(disabled))]
    NotExtracted(#[from] ExtractError),
}

impl ReadError {
    pub(super) fn new(origin: &Origin, reason: impl Into<ReadReason>) -> Self {
        ReadError { place: origin.place.clone(), id: origin.id.clone(), reason: reason.into(), source: None }
    }

    pub(super) fn from_io(origin: &Origin, error: io::Error) -> Self {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => ReadReason::Missing,
            io::ErrorKind::PermissionDenied => ReadReason::PermissionDenied,
            _ if is_in_use(&error) => ReadReason::InUse,
            _ if cfg!(windows) && error.raw_os_error().is_some_and(is_kept_online) => ReadReason::KeptOnline,
            _ => ReadReason::Unreadable { said: said(&error) },
        };
        ReadError { source: Some(error), ..ReadError::new(origin, reason) }
    }

    /// The id that the document would have had.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Where it is: a path, an archive's path with the entry's, or `FILE:LINE`.
    pub fn path(&self) -> &str {
        &self.place
    }

    /// What is wrong with it.
    pub fn reason(&self) -> &ReadReason {
        &self.reason
    }
}

/// Whether another program keeps a file to itself: all of it, or the bytes that were asked for.
fn is_in_use(error: &io::Error) -> bool {
    const SHARING_VIOLATION: i32 = 32;
    const LOCK_VIOLATION: i32 = 33;
    // Other systems mean other things by these numbers, and lock no file against reading.
    cfg!(windows) && matches!(error.raw_os_error(), Some(SHARING_VIOLATION | LOCK_VIOLATION))
}

/// Whether this error of Windows is one of fetching a file that is kept online alone: its names begin with `ERROR_CLOUD_FILE`, or it is
/// `ERROR_FILE_OFFLINE`. Reading such a file fetches it, as a rule, so that nothing shows.
fn is_kept_online(error: i32) -> bool {
    matches!(error, 358 | 362..=366 | 374..=375 | 377..=383 | 386..=398 | 404 | 426 | 475 | 4350)
}

/// Up to where lines were read.
fn after(line: u64) -> String {
    match line {
        0 => "before the first line".to_owned(),
        line => format!("after line {line}"),
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
fn size(bytes: u64) -> String {
    match bytes {
        0..0x400 => format!("{bytes} bytes"),
        0x400..0x10_0000 => format!("{} KiB", bytes >> 10),
        0x10_0000..0x4000_0000 => format!("{} MiB", bytes >> 20),
        _ => format!("{} GiB", bytes >> 30),
    }
}

/// File names may hold newlines and terminal controls, which must not reach a terminal.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use copytrace_messages::told_everywhere;
    use strum::IntoEnumIterator;

    #[test]
    fn a_file_that_cannot_be_fetched_is_no_file_that_is_open_or_missing() {
        // Windows's ERROR_CLOUD_FILE_NETWORK_UNAVAILABLE and ERROR_CLOUD_FILE_PROVIDER_NOT_RUNNING.
        assert!([388, 362].into_iter().all(is_kept_online));
        // Not found, access denied, sharing violation.
        assert!(![2, 5, 32].into_iter().any(is_kept_online));
    }

    #[test]
    fn every_reason_has_its_message_in_every_language_and_reads_back() {
        let all: Vec<ReadReason> = ReadReason::iter().collect();
        told_everywhere(&all).unwrap();
        for reason in all {
            let json = serde_json::to_string(&reason).unwrap();
            assert_eq!(serde_json::from_str::<ReadReason>(&json).unwrap(), reason, "{json}");
        }
    }
}
