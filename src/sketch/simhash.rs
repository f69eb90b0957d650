//! SimHash fingerprints (Charikar 2002): 64 bits of weighted terms, near in Hamming distance when the texts are near.

/// The fingerprint of weighted terms, given as (64-bit hash, weight) pairs. For each bit the weights of the terms
/// that have it count for, those of the others against it; a bit is 1 when more speaks for it than against it, so a
/// tie is 0, and so is the fingerprint of no terms at all. The sums are exact integers: order does not matter.
pub fn fingerprint(terms: impl IntoIterator<Item = (u64, u32)>) -> u64 {
    let mut sums = [0i64; 64];
    for (hash, weight) in terms {
        let weight = i64::from(weight);
        for (bit, sum) in sums.iter_mut().enumerate() {
            *sum += if hash >> bit & 1 == 1 { weight } else { -weight };
        }
    }
    sums.iter().enumerate().fold(0, |bits, (bit, &sum)| bits | u64::from(sum > 0) << bit)
}

/// The number of bits in which two fingerprints differ, 0 to 64.
pub fn hamming(first: u64, second: u64) -> u32 {
    (first ^ second).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_terms_and_ties_give_zeros() {
        assert_eq!(fingerprint([]), 0);
        assert_eq!(fingerprint([(0b01, 2), (0b10, 2)]), 0);
    }

    #[test]
    fn one_term_is_its_own_fingerprint_and_the_heavier_term_wins() {
        assert_eq!(fingerprint([(0xdead_beef, 1)]), 0xdead_beef);
        assert_eq!(fingerprint([(0xdead_beef, 3), (0x1234, 2)]), 0xdead_beef);
    }

    proptest::proptest! {
        #[test]
        fn the_order_of_terms_does_not_matter(terms in proptest::collection::vec((proptest::num::u64::ANY, 0u32..9), 0..30)) {
            let backwards: Vec<_> = terms.iter().rev().copied().collect();
            assert_eq!(fingerprint(terms), fingerprint(backwards));
        }

        #[test]
        fn hamming_distance_is_a_metric(a: u64, b: u64, c: u64) {
            assert_eq!(hamming(a, a), 0);
            assert_eq!(hamming(a, b), hamming(b, a));
            assert!(hamming(a, c) <= hamming(a, b) + hamming(b, c));
        }
    }
}
