//! Hashes of k neighbouring values, compiled for each level of vector instructions.
//!
//! With 512-bit vectors, which have products of 64 bits, it is three times as fast; shorter vectors would have to put them
//! together and gain nothing.

use super::{finish, fold};
use crate::hamming::cpu::{Cpu, Kernel};

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
    Cpu::best().run(Windows { values, k, hashes });
}

struct Windows<'a, H> {
    values: &'a [u32],
    k: usize,
    hashes: &'a mut Vec<H>,
}

impl<H: WindowHash> Kernel for Windows<'_, H> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Windows { values, k, hashes } = self;
        // With the number known the compiler unrolls the inner loop and widens the outer one.
        if k == 5 { hash_k::<5, H>(values, k, hashes) } else { hash_k::<0, H>(values, k, hashes) }
    }
}

/// `K` is `k`, or 0 if that is not known beforehand.
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
        fn every_level_hashes_windows_as_defined(values in proptest::collection::vec(0u32.., 0..100), k in 1usize..9) {
            let definition = |w: &[u32]| finish(w.iter().fold(k as u64, |state, &v| fold(state, v)));
            let expected: Vec<u64> = values.windows(k).map(definition).collect();
            let short: Vec<u32> = expected.iter().map(|hash| (hash >> 32) as u32).collect();
            for cpu in Cpu::available() {
                let (mut hashes, mut all) = (vec![7u32], vec![7u64]);
                cpu.run(Windows { values: &values, k, hashes: &mut hashes });
                cpu.run(Windows { values: &values, k, hashes: &mut all });
                assert_eq!((&hashes[1..], &all[1..]), (&short[..], &expected[..]));
            }
        }
    }
}
