//! What can go wrong with an index. Every error names the folder or file it is about.

use std::io;
use std::path::{Path, PathBuf};

/// Why an index could not be read or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The folder holds no index.
    #[error("{path}: not an index (make one with `copytrace index create`)")]
    NotAnIndex {
        /// The folder.
        path: PathBuf,
    },
    /// A new index was to be made where something is already.
    #[error("{path}: is there already")]
    AlreadyThere {
        /// The folder.
        path: PathBuf,
    },
    /// The index or a file of it was written by a version of this program with another format.
    #[error(
        "{path}: written in format {found}; this version reads format {known} only: {}",
        if found > known { "a newer version of copytrace is needed" } else { "build the index anew" }
    )]
    OtherFormat {
        /// The index's folder, or the file.
        path: PathBuf,
        /// The format it is written in.
        found: u32,
        /// The format this version reads and writes.
        known: u32,
    },
    /// The settings asked for, or those of an analysis, are not those of the index.
    #[error("{path}: the index was made with other settings: {difference}")]
    SettingsDiffer {
        /// The folder.
        path: PathBuf,
        /// What differs: what was found, and what was expected.
        difference: String,
    },
    /// Another process is changing the index.
    #[error("{path}: being changed by another process ({holder}); try again when it is done")]
    Locked {
        /// The folder.
        path: PathBuf,
        /// Who holds the lock, as far as known.
        holder: String,
    },
    /// Something in the index is not as it was written.
    #[error("{path}: damaged ({what}); `copytrace index verify` tells more")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found wrong.
        what: String,
    },
    /// A file that the catalogue lists is not there.
    #[error("{path}: segment {segment} is missing")]
    Missing {
        /// The file.
        path: PathBuf,
        /// The number of its segment.
        segment: u32,
    },
    /// Two documents of a corpus have the same id.
    #[error("{id}: another document has this id already; only the first is kept")]
    DuplicateId {
        /// The id.
        id: String,
    },
    /// No document can have such an id.
    #[error("{id}: refused as an id: {reason}")]
    BadId {
        /// The id, control characters escaped.
        id: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The index has no document of this number.
    #[error("the index has no document of the number {document}")]
    NoDocument {
        /// The number.
        document: u32,
    },
    /// An earlier change failed, and this writer was not rolled back since.
    #[error("{path}: an earlier change failed; roll the writer back, or open another one")]
    WriterFailed {
        /// The catalogue's file.
        path: PathBuf,
    },
    /// The catalogue has a write-ahead log that cannot be read, because SQLite would have to write a file beside it.
    #[error(
        "{path}: holds the latest changes, which cannot be read without writing in this folder: \
         make it writable, or copy the index to where it is"
    )]
    UnreadableLog {
        /// The log's file.
        path: PathBuf,
    },
    /// The catalogue could not be read or written.
    #[error("{path}: {error}")]
    Catalogue {
        /// The catalogue's file.
        path: PathBuf,
        /// What SQLite says.
        error: rusqlite::Error,
    },
    /// A file could not be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

impl IndexError {
    /// Whether a commit that ended with this error may turn out to be real after a crash: when all was written, and could not
    /// be synced.
    pub(super) fn leaves_it_open(&self) -> bool {
        use rusqlite::{ErrorCode::SystemIoFailure, ffi::SQLITE_IOERR_WRITE};
        match self {
            IndexError::Catalogue { error, .. } => error
                .sqlite_error()
                .is_some_and(|error| error.code == SystemIoFailure && error.extended_code != SQLITE_IOERR_WRITE),
            _ => false,
        }
    }

    pub(super) fn io(path: &Path, error: io::Error) -> Self {
        IndexError::Io { path: path.to_owned(), error }
    }

    pub(super) fn damaged(path: &Path, what: impl Into<String>) -> Self {
        IndexError::Damaged { path: path.to_owned(), what: what.into() }
    }
}
