//! MinHash signatures (Broder 1997): n numbers from which the Jaccard similarity of two sets is estimated.
//!
//! Each hash function is affine over 32-bit integers, `a·x + b mod 2³²` with odd `a`. The shingles are hashed well
//! already, so a stronger family gains nothing measurable.

mod kernel;

use crate::hamming::cpu::Cpu;
use kernel::Minima;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A family of hash functions. Two families of equal size and seed are equal on every machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    multipliers: Vec<u32>,
    addends: Vec<u32>,
    size: usize,
    cpu: Cpu,
}

impl Family {
    /// The seed the hash functions are drawn from unless another is given.
    pub const DEFAULT_SEED: u64 = 0x636f_7079_7472_6163; // "copytrac" in ASCII

    /// The fewest and the most hash functions a family may have.
    pub const HASHES: std::ops::RangeInclusive<usize> = 16..=1024;

    /// Draws `size` functions (brought into [`Family::HASHES`]) from the raw output of xoshiro256++ seeded by `seed`.
    pub fn new(size: usize, seed: u64) -> Self {
        Self::with_cpu(size, seed, Cpu::best())
    }

    /// The same, computed by the given level of instructions; the values do not depend on it.
    pub fn with_cpu(size: usize, seed: u64, cpu: Cpu) -> Self {
        let size = size.clamp(*Self::HASHES.start(), *Self::HASHES.end());
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let drawn: Vec<u64> = (0..size).map(|_| random.next_u64()).collect();
        let padded = size.next_multiple_of(kernel::BLOCK);
        let mut family = Family { multipliers: vec![1; padded], addends: vec![0; padded], size, cpu };
        for (i, value) in drawn.into_iter().enumerate() {
            family.multipliers[i] = value as u32 | 1;
            family.addends[i] = (value >> 32) as u32;
        }
        family
    }

    /// How many functions there are: the length of every signature.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The signature of a set of shingles: for each function its smallest value; all ones for the empty set.
    pub fn signature(&self, shingles: &[u32]) -> Vec<u32> {
        let mut signature = Vec::new();
        self.signature_into(shingles, &mut signature);
        signature
    }

    /// As [`Family::signature`], in the memory of what `signature` held before. The shingles may be in any order, and
    /// stand there several times.
    pub fn signature_into(&self, shingles: &[u32], signature: &mut Vec<u32>) {
        signature.clear();
        signature.resize(self.multipliers.len(), u32::MAX);
        let (multipliers, addends) = (&self.multipliers[..], &self.addends[..]);
        self.cpu.run(Minima { shingles, multipliers, addends, minima: signature });
        signature.truncate(self.size);
    }

    /// The share of places in which two signatures agree: an unbiased estimate of the Jaccard similarity with
    /// variance J(1−J)/n. Signatures of empty sets agree with nothing.
    pub fn estimate(first: &[u32], second: &[u32]) -> f64 {
        debug_assert_eq!(first.len(), second.len());
        if first.is_empty() || Self::is_empty_set(first) || Self::is_empty_set(second) {
            return 0.0;
        }
        let equal = first.iter().zip(second).filter(|(a, b)| a == b).count();
        equal as f64 / first.len() as f64
    }

    /// Whether a signature is that of the empty set.
    pub fn is_empty_set(signature: &[u32]) -> bool {
        signature.iter().all(|&v| v == u32::MAX)
    }
}

#[cfg(test)]
mod tests;
