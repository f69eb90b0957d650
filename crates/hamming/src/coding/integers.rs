//! Codes for numbers whose size is not known beforehand, small ones in few bits.

use super::bits::{BitReader, BitWriter, PEEKED};

impl BitWriter {
    /// Appends a number in Elias's gamma code (1975) of the number plus one: 0 takes one bit, `v` about 2 log₂ v.
    pub fn put_gamma(&mut self, value: u32) {
        self.put_golomb(value, 0);
    }

    /// Appends a number in the exponential Golomb code of an order (Teuhola 1978): its lowest `order` bits as they are,
    /// and in gamma code how often 2^order goes into it. Short for numbers about 2^order, safe for any.
    pub fn put_golomb(&mut self, value: u32, order: u8) {
        self.put_long_golomb(u64::from(value), order);
    }

    /// As [`BitWriter::put_golomb`], for numbers below 2^63.
    pub fn put_long_golomb(&mut self, value: u64, order: u8) {
        let high = (value >> order) + 1;
        let width = high.ilog2() as u8;
        self.put_unary(u64::from(width));
        self.put(high, width);
        self.put(value, order);
    }
}

impl BitReader<'_> {
    /// The next number in gamma code; `None` when the bits are none.
    #[inline]
    pub fn take_gamma(&mut self) -> Option<u32> {
        self.take_golomb(0)
    }

    /// The next number in the exponential Golomb code of an order of at most 32; `None` when the bits are none.
    #[inline]
    pub fn take_golomb(&mut self, order: u8) -> Option<u32> {
        self.take_long_golomb(order)?.try_into().ok()
    }

    /// As [`BitReader::take_golomb`], for numbers below 2^63 and orders of at most 56.
    #[inline]
    pub fn take_long_golomb(&mut self, order: u8) -> Option<u64> {
        // Nearly every number lies in one word.
        let word = self.peek();
        let zeros = word.leading_zeros();
        let (gamma, order_bits) = (2 * zeros + 1, u32::from(order));
        if gamma + order_bits <= PEEKED {
            self.skip(gamma + order_bits);
            let high = (word >> (64 - gamma)) - 1;
            // In two steps, as a shift by 64 is none.
            let value = high << order | word << gamma >> 1 >> (63 - order_bits);
            return self.is_within().then_some(value);
        }
        let width = self.take_unary().filter(|&width| width + u64::from(order) < 64)? as u8;
        let high = (1 << width | self.take(width)) - 1;
        let value = high << order | self.take(order);
        self.is_within().then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// How many bits a number takes.
    fn bits_of(value: u32, order: u8) -> usize {
        let copies = 80;
        let mut out = BitWriter::default();
        (0..copies).for_each(|_| out.put_golomb(value, order));
        out.finish().len() * 8 / copies
    }

    proptest! {
        #[test]
        fn numbers_are_read_as_they_were_written(
            numbers in prop::collection::vec((any::<u32>(), 0u32..32, 0u8..=32), 0..60)
        ) {
            let mut out = BitWriter::default();
            for &(value, small, order) in &numbers {
                out.put_golomb(value >> small, order);
                out.put_gamma(value >> small);
            }
            let bytes = out.finish();
            let mut bits = BitReader::new(&bytes);
            for (value, small, order) in numbers {
                prop_assert_eq!(bits.take_golomb(order), Some(value >> small));
                prop_assert_eq!(bits.take_gamma(), Some(value >> small));
            }
        }

        #[test]
        fn long_numbers_are_read_as_they_were_written(
            numbers in prop::collection::vec((0u64..1 << 50, 0u32..50, 0u8..=40), 0..60)
        ) {
            let mut out = BitWriter::default();
            for &(value, small, order) in &numbers {
                out.put_long_golomb(value >> small, order);
            }
            let bytes = out.finish();
            let mut bits = BitReader::new(&bytes);
            for (value, small, order) in numbers {
                prop_assert_eq!(bits.take_long_golomb(order), Some(value >> small));
            }
        }

        #[test]
        fn arbitrary_bits_are_read_without_a_panic(bytes: Vec<u8>, order in 0u8..=32) {
            let mut bits = BitReader::new(&bytes);
            while bits.take_golomb(order).is_some() {}
        }
    }

    #[test]
    fn small_numbers_take_few_bits() {
        for (value, order, bits) in [(0, 0, 1), (1, 0, 3), (2, 0, 3), (3, 0, 5), (0, 5, 6), (31, 5, 6), (32, 5, 8)] {
            assert_eq!(bits_of(value, order), bits, "{value} in order {order}");
        }
    }
}
