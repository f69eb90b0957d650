//! Features: what of two texts is compared.
//!
//! The feature of a word is its stem. A single Han character says too little, so its feature is the pair it makes
//! with its right neighbour, which makes a word segmenter unnecessary.

use crate::text::flag;
use crate::text::units::Units;

/// The feature number of a source's unit whose feature the submission does not have.
pub const UNSHARED: u32 = u32::MAX;

/// Added to the key of a number that stands in a row of numbers.
pub const IN_A_ROW: u64 = 1 << 33;

/// The value-stable 64-bit key of the feature at unit `i`. Whoever compares a text with many others numbers the keys
/// first ([`Submission`](super::submission::Submission)).
pub fn key(units: &Units, i: usize) -> u64 {
    let flags = units.flags[i];
    if flags & flag::NUMBER != 0 && in_row_of_numbers(units, i) {
        return u64::from(units.stem[i]) | IN_A_ROW;
    }
    if flags & flag::HAN == 0 {
        return u64::from(units.stem[i]);
    }
    let next = units.hash.get(i + 1).copied().unwrap_or(0);
    (u64::from(units.hash[i]) | 1 << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(next)
}

/// Whether unit `i` is one of several numbers in a row, as in a table, a list of contents or an axis.
fn in_row_of_numbers(units: &Units, i: usize) -> bool {
    let number = |at: usize| units.flags.get(at).is_some_and(|f| f & flag::NUMBER != 0);
    number(i + 1) || i > 0 && number(i - 1)
}
