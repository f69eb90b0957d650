//! Files of SimHash fingerprints, what they say of themselves, and the search of one for those of another.
//!
//! - `.u64`: little-endian 64-bit words, nothing else.
//! - `.csv`: a column `fingerprint` of 16 hexadecimal digits, and where it is known a column `features`. Sentences also
//!   have the columns `document` and `sentence`.
//! - `.tables`: a Hamming [table](crate::FingerprintTable), built once and opened by memory map.
//!
//! What the fingerprints of a `.u64` or `.tables` file were made of stands in a small file beside it, `FILE.json`; without
//! that nothing is known.

mod error;
mod features;
mod file;
mod near;
mod rows;
mod words;

pub use error::{Error, FileError};
pub use features::{Features, Weights};
pub use file::{FingerprintFile, describe};
pub use near::{NearPair, for_each_near_pair, write_tables};
pub use rows::FileRow;
pub use words::write_words;

/// The columns of a CSV file with a row for each document.
pub const DOCUMENT_COLUMNS: &str = "document,features,fingerprint";
/// The columns of a CSV file with a row for each sentence; places are in characters, the end exclusive.
pub const SENTENCE_COLUMNS: &str = "document,sentence,start,end,features,fingerprint";

/// A fingerprint as it is written: 16 hexadecimal digits.
pub fn to_hexadecimal(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}

/// Reads a fingerprint of exactly 16 hexadecimal digits.
pub fn of_hexadecimal(text: &str) -> Option<u64> {
    let digits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    u64::from_str_radix(text, 16).ok().filter(|_| digits)
}
