//! Numbers of any width in bits, written one after the other, the most significant bit first.

/// Collects bits into bytes.
#[derive(Debug, Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    /// Bits not yet in `bytes`, in the lowest places; fewer than 32 of them between calls.
    pending: u64,
    pending_bits: u8,
}

impl BitWriter {
    /// Appends the lowest `width` bits of `value` (0 to 64).
    #[inline]
    pub fn put(&mut self, value: u64, width: u8) {
        if width > 32 {
            self.put(value >> 32, width - 32);
            return self.put(value, 32);
        }
        self.pending = self.pending << width | value & ((1 << width) - 1);
        self.pending_bits += width;
        if self.pending_bits >= 32 {
            self.pending_bits -= 32;
            self.bytes.extend_from_slice(&((self.pending >> self.pending_bits) as u32).to_be_bytes());
        }
    }

    /// Appends `zeros` zeros and a one.
    pub fn put_unary(&mut self, zeros: u64) {
        for _ in 0..zeros / 32 {
            self.put(0, 32);
        }
        self.put(1, (zeros % 32) as u8 + 1);
    }

    /// How many bits were appended.
    pub fn bits(&self) -> usize {
        self.bytes.len() * 8 + usize::from(self.pending_bits)
    }

    /// Fills the last byte with zeros and hands over all bytes.
    pub fn finish(mut self) -> Vec<u8> {
        let last = (self.pending as u32).checked_shl(u32::from(32 - self.pending_bits)).unwrap_or(0);
        self.bytes.extend_from_slice(&last.to_be_bytes()[..usize::from(self.pending_bits.div_ceil(8))]);
        self.bytes
    }
}

/// Bits that [`BitReader::peek`] gives at least.
pub const PEEKED: u32 = 57;

/// Takes bits from bytes. Beyond the end come zeros; [`BitReader::is_within`] tells.
#[derive(Debug, Clone)]
pub struct BitReader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> BitReader<'a> {
    /// A reader of the bits of `bytes`, from the first on.
    pub fn new(bytes: &'a [u8]) -> Self {
        BitReader { bytes, position: 0 }
    }

    /// The next bits at the top of a word: at least [`PEEKED`] of them.
    #[inline]
    pub fn peek(&self) -> u64 {
        let byte = self.position / 8;
        let word = match self.bytes.get(byte..byte + 8) {
            Some(bytes) => bytes.try_into().map_or(0, u64::from_be_bytes),
            None => self.peek_at_end(byte),
        };
        word << (self.position % 8)
    }

    #[cold]
    fn peek_at_end(&self, byte: usize) -> u64 {
        let left = self.bytes.get(byte..).unwrap_or_default();
        let mut last = [0; 8];
        last[..left.len()].copy_from_slice(left);
        u64::from_be_bytes(last)
    }

    /// Passes over bits.
    #[inline]
    pub fn skip(&mut self, bits: u32) {
        self.position += bits as usize;
    }

    /// Passes over what is left of a byte that was begun.
    #[inline]
    pub fn align(&mut self) {
        self.position = self.position.next_multiple_of(8);
    }

    /// The next `width` bits as a number (0 to 64).
    #[inline(always)]
    pub fn take(&mut self, width: u8) -> u64 {
        if width > 56 {
            let high = self.take_some(width - 32);
            return high << 32 | self.take_some(32);
        }
        self.take_some(width)
    }

    /// The next `width` bits, at most 56.
    #[inline]
    fn take_some(&mut self, width: u8) -> u64 {
        // In two steps, as a shift by 64 is none.
        let value = self.peek() >> 1 >> (63 - width);
        self.skip(u32::from(width));
        value
    }

    /// The number of zeros before the next one; `None` if there is no further one.
    #[inline]
    pub fn take_unary(&mut self) -> Option<u64> {
        let mut zeros = 0;
        loop {
            let run = self.peek().leading_zeros();
            if run < 57 {
                self.skip(run + 1);
                return Some(zeros + u64::from(run));
            }
            self.skip(57);
            zeros += 57;
            if !self.is_within() {
                return None;
            }
        }
    }

    /// How many bits were taken or passed over.
    #[inline]
    pub fn position(&self) -> usize {
        self.position
    }

    /// How many bytes are left, the one that was begun among them.
    #[inline]
    pub fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.position / 8)
    }

    /// Whether nothing is left but the zeros that fill the last byte. What comes next must have a one in it if there is more.
    #[inline]
    pub fn is_filled(&self) -> bool {
        self.bytes.len() * 8 < self.position + 8 && self.peek() == 0
    }

    /// Whether all bits taken so far were there.
    #[inline]
    pub fn is_within(&self) -> bool {
        self.position <= self.bytes.len() * 8
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_are_read_as_they_were_written(
            numbers in prop::collection::vec((any::<u64>(), 0u8..=64, 0u64..200), 0..50)
        ) {
            let mut writer = BitWriter::default();
            for (value, width, zeros) in &numbers {
                writer.put(*value, *width);
                writer.put_unary(*zeros);
            }
            let bytes = writer.finish();
            let mut reader = BitReader::new(&bytes);
            for (value, width, zeros) in &numbers {
                let mask = if *width == 64 { u64::MAX } else { (1 << width) - 1 };
                prop_assert_eq!(reader.take(*width), value & mask);
                prop_assert_eq!(reader.take_unary(), Some(*zeros));
            }
            prop_assert!(reader.is_within());
        }
    }

    #[test]
    fn beyond_the_end_come_zeros_and_the_reader_knows() {
        let mut reader = BitReader::new(&[0xff, 0x00]);
        assert_eq!(reader.take(8), 0xff);
        assert_eq!(reader.take(60), 0);
        assert!(!reader.is_within());
        assert_eq!(BitReader::new(&[0; 20]).take_unary(), None);
    }
}
