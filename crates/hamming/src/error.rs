//! What can go wrong when a table is built, opened or asked.

use crate::features::Features;
use copytrace_job::Cancelled;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// An error of the Hamming search, or of reading, building or searching files of fingerprints.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A distance that no engine is made for.
    #[error("a Hamming distance of {k} bits was asked for; 0 to {} are possible", super::format::MAX_DISTANCE)]
    DistanceOutOfRange {
        /// The distance asked for, in bits.
        k: u8,
    },
    /// A query asked a table for more than it was built to find.
    #[error("a Hamming distance of {asked} bits was asked of a table built for {built}")]
    BeyondTable {
        /// The distance asked for, in bits.
        asked: u8,
        /// The distance the table was built for, in bits.
        built: u8,
    },
    /// More fingerprints than a table's 32-bit row numbers can name.
    #[error("{count} fingerprints in one table; at most {} are possible", u32::MAX)]
    TooMany {
        /// How many there were.
        count: usize,
    },
    /// The bytes are not a table of this program.
    #[error("not a fingerprint table: the first bytes are of another format")]
    Foreign,
    /// The table was written by another version of this program.
    #[error("fingerprint table of version {found}; this program reads version {}", super::format::VERSION)]
    Version {
        /// The version the table names.
        found: u32,
    },
    /// The bytes are of a table, but were changed or cut off since they were written.
    #[error("damaged fingerprint table: {what}")]
    Damaged {
        /// The part that does not hold together.
        what: &'static str,
    },
    /// The name of an engine is unknown.
    #[error("unknown engine \"{name}\": auto, scan, blocks, multi-index, permuted, compressed or compressed-huffman")]
    UnknownEngine {
        /// The name given.
        name: String,
    },
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
    /// Fingerprints of different features cannot be compared.
    #[error("the table's fingerprints are made of {first}, the queries' of {second}")]
    FeaturesDiffer {
        /// The table's features.
        first: Features,
        /// The queries' features.
        second: Features,
    },
    /// A file is at fault.
    #[error("{}: {source}", path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<Error>,
    },
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled(#[from] Cancelled),
    /// A CSV file cannot be read.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Error {
    /// The error of the file at a path.
    pub(crate) fn of(path: &Path) -> impl Fn(Error) -> Error + use<> {
        let path = path.to_owned();
        move |source| Error::File { path: path.clone(), source: Box::new(source) }
    }
}
