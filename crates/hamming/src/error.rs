//! What can go wrong when a table is built, opened or asked.

use std::io;

use thiserror::Error;

/// An error of the Hamming search.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A distance that no engine is made for.
    #[error("a Hamming distance of {k} bits was asked for; 0 to {} are possible", super::MAX_DISTANCE)]
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
    #[error("fingerprint table of version {found}; this program reads version {}", super::container::VERSION)]
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
    /// Writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}
