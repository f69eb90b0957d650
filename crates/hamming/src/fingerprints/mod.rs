//! Files of SimHash fingerprints, what they say of themselves, and the search of one for those of another.
//!
//! - `.u64`: little-endian 64-bit words, nothing else.
//! - `.csv`: a column `fingerprint` of 16 hexadecimal digits, and where it is known a column `features`. Sentences also
//!   have the columns `document` and `sentence`.
//! - `.tables`: a Hamming [table](crate::FingerprintTable), built once and opened by memory map.
//!
//! `FILE.json` beside a `.u64` or `.tables` file says what the fingerprints were made of; without that file nothing is
//! known.

mod file;
mod hexadecimal;
mod near;
mod rows;
mod words;

pub use crate::features::{Features, Weights};
pub use file::FingerprintFile;
pub use rows::FileRow;
