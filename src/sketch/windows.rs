//! Hashes of k neighbouring values, compiled once for each instruction set and chosen while running.
//!
//! All variants are the same Rust code over exact integers, so they give the same bits. With 512-bit vectors, which have
//! products of 64 bits, it is three times as fast; shorter vectors would have to put them together and gain nothing.
#![allow(unsafe_code)]

use super::instructions::Instructions;
use super::{finish, fold};

/// A hash of a window: all 64 bits, or the highest 32 of them.
pub trait WindowHash: Copy + Default {
    /// What is kept of 64 bits.
    fn of(bits: u64) -> Self;
}

impl WindowHash for u32 {
    #[inline(always)]
    fn of(bits: u64) -> Self {
        (bits >> 32) as u32
    }
}

impl WindowHash for u64 {
    #[inline(always)]
    fn of(bits: u64) -> Self {
        bits
    }
}

/// Hashes every `k` neighbours in a row of values and appends the hashes, in the order of the row.
pub fn hash_windows<H: WindowHash>(values: &[u32], k: usize, hashes: &mut Vec<H>) {
    hash_windows_with(Instructions::best(), values, k, hashes);
}

/// [`hash_windows`] with the given instructions, if this processor has them.
pub fn hash_windows_with<H: WindowHash>(instructions: Instructions, values: &[u32], k: usize, hashes: &mut Vec<H>) {
    match instructions {
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512 if Instructions::Avx512.available() => {
            // SAFETY: the processor was just found to have the instructions the function is compiled for.
            unsafe { hash_avx512(values, k, hashes) }
        }
        _ => hash_portably(values, k, hashes),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
fn hash_avx512<H: WindowHash>(values: &[u32], k: usize, hashes: &mut Vec<H>) {
    hash_portably(values, k, hashes);
}

#[inline(always)]
fn hash_portably<H: WindowHash>(values: &[u32], k: usize, hashes: &mut Vec<H>) {
    // With the number known the compiler unrolls the inner loop and widens the outer one.
    if k == 5 { hash_k::<5, H>(values, k, hashes) } else { hash_k::<0, H>(values, k, hashes) }
}

/// `K` is `k`, or 0 if that is not known beforehand. Loops, not closures: only those take on a function's instructions.
#[inline(always)]
fn hash_k<const K: usize, H: WindowHash>(values: &[u32], k: usize, hashes: &mut Vec<H>) {
    let k = if K == 0 { k } else { K };
    let count = (values.len() + 1).saturating_sub(k);
    let before = hashes.len();
    hashes.resize(before + count, H::default());
    for (i, hash) in hashes[before..].iter_mut().enumerate() {
        let mut state = k as u64;
        for &value in &values[i..i + k] {
            state = fold(state, value);
        }
        *hash = H::of(finish(state));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn all_instructions_hash_windows_as_defined(values in proptest::collection::vec(0u32.., 0..100), k in 1usize..9) {
            let definition = |w: &[u32]| finish(w.iter().fold(k as u64, |state, &v| fold(state, v)));
            let expected: Vec<u64> = values.windows(k).map(definition).collect();
            let short: Vec<u32> = expected.iter().map(|hash| (hash >> 32) as u32).collect();
            for instructions in Instructions::ALL.into_iter().filter(|instructions| instructions.available()) {
                let (mut hashes, mut all) = (vec![7u32], vec![7u64]);
                hash_windows_with(instructions, &values, k, &mut hashes);
                hash_windows_with(instructions, &values, k, &mut all);
                assert_eq!((&hashes[1..], &all[1..]), (&short[..], &expected[..]));
            }
        }
    }
}
