//! All near-duplicate pairs of a corpus, each verified exactly, and the clusters they form.
//!
//! Two passes over the input keep the memory small. The first signs every document and keeps its band keys alone. Sorted
//! band by band they tell which documents share a bucket; only those are read again, for their shingle sets, whole
//! signatures and SimHash fingerprints ([`corpus`]). An index takes the place of both passes ([`of_index`]).
//! Candidate pairs are then verified and handed on, one document at a time, in the order of the ids ([`join`]). So they are
//! never all in memory.
//!
//! Documents that normalise to the same text are collapsed into one before they are put into buckets, and expanded when
//! pairs are handed on.

mod buckets;
mod clusters;
mod corpus;
mod documents;
mod join;
mod of_index;
mod profiles;
mod sample;

pub use clusters::Clusters;
pub use corpus::{Corpus, Watcher};
pub use join::Join;
pub use sample::{Expectation, Sample};

use super::DocumentSimilarity;
use crate::index::IndexError;
use crate::job::Cancelled;
use std::io;

/// A pair of similar documents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimilarPair<'a> {
    /// The id that comes first.
    pub first: &'a str,
    /// The other id.
    pub second: &'a str,
    /// How similar they are.
    pub similarity: DocumentSimilarity,
}

/// What became of the search for pairs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// Pairs handed on.
    pub pairs: u64,
    /// Candidate pairs verified; copies of one text count once.
    pub candidates: u64,
    /// Whether the search was ended before all pairs were found, because as many as were asked for had been.
    pub cut_short: bool,
}

/// Why the pairs of a corpus could not be found.
#[derive(Debug, thiserror::Error)]
pub enum PairsError {
    /// The index is damaged.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The memory allowed does not do for the documents.
    #[error("{} of memory is too little for {documents} documents: at least {} is needed", Bytes(*given), Bytes(*needed))]
    TooLittleMemory {
        /// What was allowed, in bytes.
        given: u64,
        /// What is needed, in bytes.
        needed: u64,
        /// The documents.
        documents: u64,
    },
    /// The input was not the same when it was read again.
    #[error("{id}: changed while the corpus was being read; run it again")]
    Changed {
        /// The document.
        id: String,
    },
    /// The temporary file could not be written or read.
    #[error("temporary file: {0}")]
    TemporaryFile(#[source] io::Error),
    /// It was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A reader among the inputs failed.
    #[error("the documents could not be read: {0}")]
    Reader(#[source] io::Error),
}

/// A number of bytes, shown in the largest decimal unit that leaves it at 1 or more.
struct Bytes(u64);

impl std::fmt::Display for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            // Rounded up: what is said to be needed must be enough.
            bytes @ 1_000_000_000.. => write!(f, "{:.1} GB", bytes.div_ceil(100_000_000) as f64 / 10.0),
            bytes @ 1_000_000.. => write!(f, "{} MB", bytes.div_ceil(1_000_000)),
            bytes @ 1_000.. => write!(f, "{} kB", bytes.div_ceil(1_000)),
            bytes => write!(f, "{bytes} bytes"),
        }
    }
}

#[cfg(test)]
mod tests;
