//! A set of hashes that says of a hash whether it may be in it.

/// A Bloom filter with one hash function (B. Bloom, Space/time trade-offs in hash coding with allowable errors, 1970): most hashes that are
/// asked for are not in it, and asking a map for each takes most of the time.
#[derive(Debug, Clone)]
pub struct HashFilter {
    bits: Vec<u64>,
    shift: u32,
}

impl HashFilter {
    /// A filter with sixteen bits or more for each of `count` hashes.
    pub fn of(hashes: impl Iterator<Item = u64>, count: usize) -> Self {
        let words = (count / 4).max(1).next_power_of_two();
        let mut filter = HashFilter { bits: vec![0; words], shift: 64 - (64 * words).ilog2() };
        for hash in hashes {
            let (word, bit) = filter.place(hash);
            filter.bits[word] |= bit;
        }
        filter
    }

    /// Whether a hash may be in the set; it may if it is.
    pub fn may_hold(&self, hash: u64) -> bool {
        let (word, bit) = self.place(hash);
        self.bits[word] & bit != 0
    }

    fn place(&self, hash: u64) -> (usize, u64) {
        let at = hash.wrapping_mul(0xd6e8_feb8_6659_fd93) >> self.shift;
        ((at / 64) as usize, 1 << (at % 64))
    }
}
