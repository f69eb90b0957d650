//! SimHash fingerprints (Charikar 2002): 64 bits of weighted terms, near in Hamming distance when the texts are near.

use crate::hamming::cpu::{Cpu, Kernel};

/// A term: its 64-bit hash and what it weighs.
pub type Term = (u64, u32);

/// The fingerprint of weighted terms. For each bit the weights of the terms that have it count for, those of the others
/// against it; a bit is 1 when more speaks for it than against it, so a tie is 0, and so is the fingerprint of no terms
/// at all. The sums are exact integers: the order of the terms does not matter, nor whether a term stands there once or
/// its weight is spread over several places.
pub fn fingerprint(terms: &[Term]) -> u64 {
    fingerprint_with(Cpu::best(), terms)
}

/// The same, computed by the given level of instructions; the value does not depend on it.
pub fn fingerprint_with(cpu: Cpu, terms: &[Term]) -> u64 {
    let sums = cpu.run(Sums { terms });
    let total: u64 = terms.iter().map(|&(_, weight)| u64::from(weight)).sum();
    sums.iter().enumerate().fold(0, |bits, (bit, &sum)| bits | u64::from(2 * sum > total) << bit)
}

/// For each bit the sum of the weights of the terms whose hash has it.
struct Sums<'a> {
    terms: &'a [Term],
}

impl Kernel for Sums<'_> {
    type Output = [u64; 64];

    #[inline(always)]
    fn run(self) -> [u64; 64] {
        let mut sums = [0; 64];
        for &(hash, weight) in self.terms {
            for (bit, sum) in sums.iter_mut().enumerate() {
                *sum += (hash >> bit & 1).wrapping_neg() & u64::from(weight);
            }
        }
        sums
    }
}

/// The number of bits in which two fingerprints differ, 0 to 64.
pub fn hamming(first: u64, second: u64) -> u32 {
    (first ^ second).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, word for word.
    fn obvious(terms: &[Term]) -> u64 {
        let mut sums = [0i64; 64];
        for &(hash, weight) in terms {
            for (bit, sum) in sums.iter_mut().enumerate() {
                *sum += if hash >> bit & 1 == 1 { i64::from(weight) } else { -i64::from(weight) };
            }
        }
        sums.iter().enumerate().fold(0, |bits, (bit, &sum)| bits | u64::from(sum > 0) << bit)
    }

    #[test]
    fn no_terms_and_ties_give_zeros() {
        assert_eq!(fingerprint(&[]), 0);
        assert_eq!(fingerprint(&[(0b01, 2), (0b10, 2)]), 0);
    }

    #[test]
    fn one_term_is_its_own_fingerprint_and_the_heavier_term_wins() {
        assert_eq!(fingerprint(&[(0xdead_beef, 1)]), 0xdead_beef);
        assert_eq!(fingerprint(&[(0xdead_beef, 3), (0x1234, 2)]), 0xdead_beef);
    }

    proptest::proptest! {
        #[test]
        fn every_level_gives_the_bits_of_the_definition_in_any_order(
            terms in proptest::collection::vec((proptest::num::u64::ANY, 0u32..9), 0..30),
        ) {
            let expected = obvious(&terms);
            let backwards: Vec<_> = terms.iter().rev().copied().collect();
            for cpu in Cpu::available() {
                assert_eq!(fingerprint_with(cpu, &terms), expected, "{cpu:?}");
                assert_eq!(fingerprint_with(cpu, &backwards), expected, "{cpu:?}");
            }
        }

        #[test]
        fn hamming_distance_is_a_metric(a: u64, b: u64, c: u64) {
            assert_eq!(hamming(a, a), 0);
            assert_eq!(hamming(a, b), hamming(b, a));
            assert!(hamming(a, c) <= hamming(a, b) + hamming(b, c));
        }
    }
}
