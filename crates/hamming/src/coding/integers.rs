//! Codes for numbers whose size is not known beforehand, small ones in few bits.

use super::bits::{BitReader, BitWriter, PEEKED};

impl BitWriter {
    /// Appends a number in Elias's gamma code (1975) of the number plus one: 0 takes one bit, `v` about 2 log₂ v.
    pub fn put_gamma(&mut self, value: u32) {
        let above = u64::from(value) + 1;
        let width = above.ilog2() as u8;
        self.put_unary(u64::from(width));
        self.put(above, width);
    }

    /// Appends a number below `bound`, all of which are as likely, in truncated binary code: log₂ `bound` bits, and at most .09 more.
    pub fn put_below(&mut self, value: u32, bound: u32) {
        let (width, short) = truncated(bound);
        let value = u64::from(value);
        if value < short { self.put(value, width - 1) } else { self.put(value + short, width) }
    }

    /// Appends a number in the Rice code of an order (1979): as many zeros as 2^order goes into it, a one, and its lowest
    /// `order` bits. Of geometrically distributed numbers whose mean is 2^order to twice that it takes at most .15 bits more
    /// than their entropy; a number of 1,000 such means takes 1,000 bits.
    pub fn put_rice(&mut self, value: u64, order: u8) {
        self.put_unary(value >> order);
        self.put(value, order);
    }
}

impl BitReader<'_> {
    /// The next number in gamma code; `None` when the bits are none.
    #[inline]
    pub fn take_gamma(&mut self) -> Option<u32> {
        // Nearly every number lies in one word.
        let word = self.peek();
        let bits = 2 * word.leading_zeros() + 1;
        let above = if bits <= PEEKED {
            self.skip(bits);
            word >> (64 - bits)
        } else {
            let width = self.take_unary().filter(|&width| width < 64)? as u8;
            1 << width | self.take(width)
        };
        u32::try_from(above - 1).ok().filter(|_| self.is_within())
    }

    /// The next number below `bound` in truncated binary code. From other bits it may be above.
    #[inline]
    pub fn take_below(&mut self, bound: u32) -> u32 {
        let (width, short) = truncated(bound);
        let value = self.take(width.saturating_sub(1));
        if value < short || width == 0 { value as u32 } else { ((value << 1 | self.take(1)) - short) as u32 }
    }

    /// The next number in the Rice code of an order of at most 56; `None` when the bits are none.
    #[inline]
    pub fn take_rice(&mut self, order: u8) -> Option<u64> {
        let high = self.take_unary().filter(|high| high.leading_zeros() >= u32::from(order))?;
        let value = high << order | self.take(order);
        self.is_within().then_some(value)
    }
}

/// The bits that the largest numbers below `bound` take in truncated binary code, and how many of the smallest take one less.
fn truncated(bound: u32) -> (u8, u64) {
    let width = 32 - bound.saturating_sub(1).leading_zeros();
    (width as u8, (1 << width) - u64::from(bound.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_read_as_they_were_written(numbers in prop::collection::vec((any::<u32>(), 0u32..32), 0..60)) {
            let mut out = BitWriter::default();
            for &(value, small) in &numbers {
                out.put_gamma(value >> small);
                out.put_below((value / 3) >> small, ((u32::MAX / 3) >> small) + 1);
            }
            let bytes = out.finish();
            let mut bits = BitReader::new(&bytes);
            for (value, small) in numbers {
                prop_assert_eq!(bits.take_gamma(), Some(value >> small));
                prop_assert_eq!(bits.take_below(((u32::MAX / 3) >> small) + 1), (value / 3) >> small);
            }
        }

        #[test]
        fn numbers_in_rice_code_are_read_as_they_were_written(
            numbers in prop::collection::vec((0u64..200, any::<u64>(), 0u8..=56), 0..60)
        ) {
            let of = |(high, low, order): (u64, u64, u8)| (high << order | low & ((1 << order) - 1), order);
            let mut out = BitWriter::default();
            for (value, order) in numbers.iter().copied().map(of) {
                out.put_rice(value, order);
            }
            let bytes = out.finish();
            let mut bits = BitReader::new(&bytes);
            for (value, order) in numbers.into_iter().map(of) {
                prop_assert_eq!(bits.take_rice(order), Some(value));
            }
        }

        #[test]
        fn arbitrary_bits_are_read_without_a_panic(bytes: Vec<u8>, order in 0u8..=56) {
            let mut bits = BitReader::new(&bytes);
            while bits.take_gamma().is_some() {}
            let mut bits = BitReader::new(&bytes);
            while bits.take_rice(order).is_some() {}
        }
    }

    #[test]
    fn small_numbers_take_few_bits() {
        for (value, bits) in [(0, 1), (1, 3), (2, 3), (3, 5), (6, 5), (7, 7)] {
            let copies = 80;
            let mut out = BitWriter::default();
            (0..copies).for_each(|_| out.put_gamma(value));
            assert_eq!(out.finish().len() * 8 / copies, bits, "{value}");
        }
    }
}
