//! Files of SimHash fingerprints, what they say of themselves, and the search of one for those of another.
//!
//! - `.u64`: little-endian 64-bit words, nothing else.
//! - `.csv`: a column `fingerprint` of 16 hexadecimal digits, and where it is known a column `features`. Sentences also
//!   have the columns `document` and `sentence`.
//! - `.tables`: a Hamming [table](crate::FingerprintTable), built once and opened by memory map.
//!
//! What the fingerprints of a `.u64` or `.tables` file were made of stands in a small file beside it, `FILE.json`; without
//! that nothing is known.

mod features;
mod file;
mod near;
mod rows;
mod words;

pub use features::{Features, Weights};
pub use file::FingerprintFile;
pub use rows::FileRow;
