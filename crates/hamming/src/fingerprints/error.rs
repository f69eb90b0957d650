//! What can go wrong with files of fingerprints.

use super::Features;
use copytrace_job::Cancelled;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// An error of reading, building or searching files of fingerprints.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A file is at fault.
    #[error("{}: {source}", path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// What is wrong with it.
        source: FileError,
    },
    /// Fingerprints of different features cannot be compared.
    #[error("the table's fingerprints are made of {first}, the queries' of {second}")]
    FeaturesDiffer {
        /// The table's features.
        first: Features,
        /// The queries' features.
        second: Features,
    },
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled(#[from] Cancelled),
    /// The search was asked for something impossible.
    #[error(transparent)]
    Search(#[from] crate::Error),
}

/// What is wrong with a file of fingerprints.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// A file of words ended within a word.
    #[error("a file of 64-bit fingerprints has {bytes} bytes, which is no multiple of 8")]
    NotWords {
        /// Its length in bytes, as far as it was read.
        bytes: u64,
    },
    /// The name's ending stands for no kind of file.
    #[error("a file of fingerprints is a .u64, .csv or .tables file")]
    UnknownKind,
    /// Tables are searched; their fingerprints are not read one by one.
    #[error("tables can be searched (--table) but not listed; give the file that they were built from")]
    OnlySearched,
    /// A CSV file has no fingerprints.
    #[error("there is no column `fingerprint`")]
    NoFingerprintColumn,
    /// A file has no sentences.
    #[error("not the fingerprints of sentences (made by `copytrace fingerprint --sentences -o FILE.csv`)")]
    NoSentences,
    /// A row of a CSV file is wrong.
    #[error("line {line}: {what}")]
    Row {
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        what: String,
    },
    /// The file beside it does not tell its features.
    #[error("the .json file beside it does not tell its features: {what}")]
    Description {
        /// What is wrong with it.
        what: String,
    },
    /// The tables are damaged, of another version, or of another format.
    #[error(transparent)]
    Tables(#[from] crate::Error),
    /// A CSV file cannot be read.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl FileError {
    /// The error of the file at a path.
    pub(super) fn of(path: &Path) -> impl Fn(FileError) -> Error + use<> {
        let path = path.to_owned();
        move |source| Error::File { path: path.clone(), source }
    }
}
