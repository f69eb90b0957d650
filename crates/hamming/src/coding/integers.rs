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
        let high = (u64::from(value) >> order) + 1;
        let width = high.ilog2() as u8;
        self.put_unary(u64::from(width));
        self.put(high, width);
        self.put(u64::from(value), order);
    }

    /// Appends a number in the Rice code of an order (1979): as many zeros as 2^order goes into it, a one, and its lowest
    /// `order` bits. Of geometrically distributed numbers whose mean is 2^order to twice that it takes at most .15 bits more
    /// than their entropy, a third of a bit less than the exponential Golomb code; a number of 1,000 such means takes 1,000 bits.
    pub fn put_rice(&mut self, value: u64, order: u8) {
        self.put_unary(value >> order);
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
        // Nearly every number lies in one word.
        let word = self.peek();
        let zeros = word.leading_zeros();
        let (gamma, order_bits) = (2 * zeros + 1, u32::from(order));
        if gamma + order_bits <= PEEKED {
            self.skip(gamma + order_bits);
            let high = (word >> (64 - gamma)) - 1;
            // In two steps, as a shift by 64 is none.
            let value = high << order | word << gamma >> 1 >> (63 - order_bits);
            return value.try_into().ok().filter(|_| self.is_within());
        }
        let width = self.take_unary().filter(|&width| width + u64::from(order) < 64)? as u8;
        let high = (1 << width | self.take(width)) - 1;
        let value = high << order | self.take(order);
        value.try_into().ok().filter(|_| self.is_within())
    }

    /// The next number in the Rice code of an order of at most 56; `None` when the bits are none.
    #[inline]
    pub fn take_rice(&mut self, order: u8) -> Option<u64> {
        let high = self.take_unary().filter(|high| high.leading_zeros() >= u32::from(order))?;
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
            while bits.take_golomb(order.min(32)).is_some() {}
            let mut bits = BitReader::new(&bytes);
            while bits.take_rice(order).is_some() {}
        }
    }

    #[test]
    fn small_numbers_take_few_bits() {
        for (value, order, bits) in [(0, 0, 1), (1, 0, 3), (2, 0, 3), (3, 0, 5), (0, 5, 6), (31, 5, 6), (32, 5, 8)] {
            assert_eq!(bits_of(value, order), bits, "{value} in order {order}");
        }
    }
}
