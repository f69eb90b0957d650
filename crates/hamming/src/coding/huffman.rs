//! Canonical Huffman codes for small alphabets (Huffman 1952; canonical form after Schwartz and Kallick 1964).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::bits::{BitReader, BitWriter};

/// No code is longer than this many bits, so that one look-up decodes it.
pub const LONGEST: u8 = 12;

/// The length in bits of each symbol's code; 0 for symbols that never occur.
///
/// If a code would be longer than 12 bits, the counts are made more even until none is.
pub fn code_lengths(counts: &[u64]) -> Vec<u8> {
    let mut counts = counts.to_vec();
    loop {
        let lengths = unlimited_lengths(&counts);
        if lengths.iter().all(|&length| length <= LONGEST) {
            return lengths;
        }
        for count in counts.iter_mut().filter(|count| **count > 0) {
            *count = count.div_ceil(2) + 1;
        }
    }
}

fn unlimited_lengths(counts: &[u64]) -> Vec<u8> {
    // Each tree of the forest as the symbols in it; ties go by number, so that every machine builds the same code.
    let mut trees: Vec<Vec<usize>> = Vec::new();
    let mut heap = BinaryHeap::new();
    for (symbol, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        heap.push(Reverse((count, trees.len())));
        trees.push(vec![symbol]);
    }
    let mut lengths = vec![0; counts.len()];
    if trees.len() == 1 {
        lengths[trees[0][0]] = 1;
    }
    while let (Some(Reverse((count, tree))), Some(Reverse((other_count, other)))) = (heap.pop(), heap.pop()) {
        let mut joined = std::mem::take(&mut trees[tree]);
        joined.append(&mut trees[other]);
        for &symbol in &joined {
            lengths[symbol] += 1;
        }
        heap.push(Reverse((count + other_count, trees.len())));
        trees.push(joined);
    }
    lengths
}

/// Writes symbols.
#[derive(Debug)]
pub struct Encoder {
    codes: Vec<(u64, u8)>,
}

impl Encoder {
    /// For the lengths that [`code_lengths`] gave.
    pub fn new(lengths: &[u8]) -> Self {
        let mut codes = vec![(0, 0); lengths.len()];
        for (symbol, code) in canonical(lengths) {
            codes[symbol] = (code, lengths[symbol]);
        }
        Encoder { codes }
    }

    /// Appends a symbol's code; `None`, and nothing is appended, for a symbol that had no count.
    pub fn put(&self, symbol: usize, out: &mut BitWriter) -> Option<()> {
        let (code, length) = *self.codes.get(symbol).filter(|(_, length)| *length > 0)?;
        out.put(code, length);
        Some(())
    }
}

/// Reads symbols.
#[derive(Debug, Clone)]
pub struct Decoder {
    /// For every value of the next 12 bits, the symbol and the length of its code; length 0 where there is none.
    symbols: Vec<(u8, u8)>,
}

impl Decoder {
    /// For lengths read from a file; `None` if no code has these lengths.
    pub fn new(lengths: &[u8]) -> Option<Self> {
        let space: u64 =
            lengths.iter().filter(|&&l| l > 0).map(|&l| (1u64 << LONGEST).checked_shr(l.into()).unwrap_or(0)).sum();
        if lengths.len() > 256 || lengths.iter().any(|&length| length > LONGEST) || space > 1 << LONGEST {
            return None;
        }
        let mut symbols = vec![(0, 0); 1 << LONGEST];
        for (symbol, code) in canonical(lengths) {
            let free = LONGEST - lengths[symbol];
            let first = (code << free) as usize;
            symbols[first..first + (1 << free)].fill((symbol as u8, lengths[symbol]));
        }
        Some(Decoder { symbols })
    }

    /// The next symbol; `None` if the bits are no code.
    #[inline]
    pub fn take(&self, bits: &mut BitReader) -> Option<u8> {
        let (symbol, length) = self.first_of(bits.peek())?;
        bits.skip(length);
        Some(symbol)
    }

    /// The symbol with whose code the bits of a word begin, and the length of the code; `None` if they are no code.
    #[inline]
    pub fn first_of(&self, word: u64) -> Option<(u8, u32)> {
        let (symbol, length) = self.symbols[(word >> (64 - LONGEST)) as usize];
        (length > 0).then_some((symbol, u32::from(length)))
    }

    /// What `of` says of the symbol with whose code the bits begin, and of the code's length in bits, for each value of the next
    /// [`LONGEST`] bits; 0 if they are no code.
    pub fn tabulate(&self, of: impl Fn(u8, u8) -> u8) -> Vec<u8> {
        self.symbols.iter().map(|&(symbol, length)| if length > 0 { of(symbol, length) } else { 0 }).collect()
    }
}

/// Symbols in the order of their codes, with these.
fn canonical(lengths: &[u8]) -> Vec<(usize, u64)> {
    let mut symbols: Vec<usize> = (0..lengths.len()).filter(|&symbol| lengths[symbol] > 0).collect();
    symbols.sort_by_key(|&symbol| (lengths[symbol], symbol));
    let (mut code, mut length) = (0u64, 0);
    symbols
        .into_iter()
        .map(|symbol| {
            code <<= lengths[symbol] - length;
            length = lengths[symbol];
            code += 1;
            (symbol, code - 1)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn code_lengths_are_those_of_the_textbook() {
        assert_eq!(code_lengths(&[45, 13, 12, 16, 9, 5]), [1, 3, 3, 3, 4, 4]);
        assert_eq!(code_lengths(&[0, 7, 0]), [0, 1, 0]);
        assert_eq!(code_lengths(&[0, 0]), [0, 0]);
    }

    #[test]
    fn very_uneven_counts_still_have_codes_of_twelve_bits() {
        let counts: Vec<u64> = (0..60).map(|symbol| 1 << symbol).collect();
        let lengths = code_lengths(&counts);
        assert!(lengths.iter().all(|length| (1..=12).contains(length)), "{lengths:?}");
        assert!(Decoder::new(&lengths).is_some());
    }

    #[test]
    fn lengths_that_no_code_has_are_refused() {
        for lengths in [vec![1, 1, 1], vec![13], vec![1; 300]] {
            assert!(Decoder::new(&lengths).is_none());
        }
    }

    proptest! {
        #[test]
        fn symbols_are_read_as_they_were_written(
            counts in prop::collection::vec(0u64..1000, 65), picks in prop::collection::vec(0usize..65, 0..100),
        ) {
            let lengths = code_lengths(&counts);
            let (encoder, decoder) = (Encoder::new(&lengths), Decoder::new(&lengths).unwrap());
            let symbols: Vec<usize> = picks.into_iter().filter(|&symbol| counts[symbol] > 0).collect();
            let mut out = BitWriter::default();
            symbols.iter().for_each(|&symbol| encoder.put(symbol, &mut out).unwrap());
            let bytes = out.finish();
            let mut bits = BitReader::new(&bytes);
            for symbol in symbols {
                prop_assert_eq!(decoder.take(&mut bits), Some(symbol as u8));
            }
        }
    }
}
