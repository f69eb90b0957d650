//! From text to numbers: shingle sets, MinHash signatures, SimHash fingerprints, and the containment sketch.
//!
//! Words: docs/ARCHITECTURE.md, *Of sketches*.

pub mod analysers;
pub mod analysis;
pub mod banding;
pub(crate) mod containment;
pub(crate) mod features;
pub mod fingerprinter;
pub(crate) mod hash_filter;
pub(crate) mod marks;
pub mod minhash;
pub(crate) mod pool;
pub(crate) mod profile;
pub mod settings;
pub(crate) mod settings_table;
pub mod shingle;
pub mod signer;
#[doc(hidden)] // its kernel is measured alone
pub mod simhash;
pub(crate) mod terms;
pub(crate) mod unread;
pub(crate) mod windows;

/// Folds one more 32-bit value into a 64-bit running hash (multiply and rotate; value-stable). Order matters.
#[inline(always)]
pub(crate) fn fold(state: u64, value: u32) -> u64 {
    (state ^ u64::from(value)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

/// Spreads a 64-bit state over all its bits (the SplitMix64 finaliser of Steele, Lea and Flood, 2014).
#[inline(always)]
pub(crate) fn finish(state: u64) -> u64 {
    let mut x = state;
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
