//! Tails: what a table stores of a fingerprint beside its lower 32 bits.

use super::permutation::low_bits;

/// How the tails of a table are laid out: the row number in as few bytes as the largest takes, then the bits between the
/// directory's and the lower 32 in ⌈(32 − d) / 8⌉ bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tail {
    row_bytes: u32,
    middle_bytes: u32,
}

impl Tail {
    /// For a directory of `directory` bits, and at most 2³² fingerprints.
    pub fn new(directory: u8, count: u64) -> Self {
        let largest_row = count.saturating_sub(1).max(1);
        let row_bytes = (64 - largest_row.leading_zeros()).div_ceil(8);
        Tail { row_bytes, middle_bytes: u32::from(32u8.saturating_sub(directory)).div_ceil(8) }
    }

    /// The bytes of one tail, at most 8.
    pub fn bytes(self) -> usize {
        (self.row_bytes + self.middle_bytes) as usize
    }

    /// A tail, and zeros behind it.
    pub fn pack(self, row: u32, middle: u32) -> [u8; 8] {
        (u64::from(middle) << (8 * self.row_bytes) | u64::from(row)).to_le_bytes()
    }

    /// The row number and the middle bits of a tail.
    #[inline]
    pub fn unpack(self, tail: &[u8]) -> Option<(u32, u32)> {
        let mut both = [0; 8];
        both[..self.bytes()].copy_from_slice(tail.get(..self.bytes())?);
        let both = u64::from_le_bytes(both);
        Some(((both & low_bits(8 * self.row_bytes as u8)) as u32, (both >> (8 * self.row_bytes)) as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tail_gives_its_row_and_middle_bits_back_in_as_few_bytes_as_they_take() {
        for (directory, count, bytes) in [
            (28, 1, 2),
            (17, 1 << 8, 3),
            (16, 1 << 16, 4),
            (16, (1 << 16) + 1, 5),
            (4, 1 << 24, 7),
            (4, u64::from(u32::MAX), 8),
        ] {
            let tail = Tail::new(directory, count);
            assert_eq!(tail.bytes(), bytes, "{directory} bits, {count}");
            let (row, middle) = ((count - 1) as u32, low_bits(32 - directory) as u32);
            assert_eq!(tail.unpack(&tail.pack(row, middle)[..bytes]), Some((row, middle)));
            assert_eq!(tail.unpack(&[0; 8][..bytes - 1]), None);
        }
    }
}
