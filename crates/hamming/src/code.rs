//! How a block of sorted 64-bit keys is written in few bits.
//!
//! n random keys cannot take fewer than about 64 − log₂ n + 1.44 bits each. Both codes write the first key of a block
//! raw and then the way from each key to the next:
//!
//! - [`Code::FirstBit`], of Manku, Jain and Das Sarma (WWW 2007, section 3.2): the position of the first bit in which they
//!   differ, as a Huffman code, then the bits behind it. (The bit itself is known: the larger key has the one.)
//! - [`Code::Rice`]: their difference, its quotient by 2^r in unary and the remainder in r bits (Rice 1979; Golomb 1966),
//!   with the r that makes the block shortest. It is within a few hundredths of a bit of the least possible for random
//!   keys, and needs no table to decode.

use super::permutation::low_bits;
use crate::coding::bits::{BitReader, BitWriter};
use crate::coding::huffman::{Decoder, Encoder, code_lengths};

/// A code for blocks of sorted keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// The position of the first differing bit (Huffman) and the remaining bits.
    FirstBit,
    /// Differences in Rice codes.
    Rice,
}

/// Symbols of the first-bit code: a bit position, or 64 for equal keys.
const POSITIONS: usize = 65;

/// Writes blocks.
pub(super) enum BlockEncoder {
    FirstBit(Encoder),
    Rice,
}

impl BlockEncoder {
    /// A writer for blocks of `block` keys of these, and what a [`BlockDecoder`] must be told.
    pub fn new(code: Code, keys: &[u64], block: usize) -> (Self, Vec<u8>) {
        if code == Code::Rice {
            return (BlockEncoder::Rice, Vec::new());
        }
        let mut counts = [0; POSITIONS];
        for keys in keys.chunks(block) {
            for pair in keys.windows(2) {
                counts[(pair[0] ^ pair[1]).leading_zeros() as usize] += 1;
            }
        }
        let lengths = code_lengths(&counts);
        (BlockEncoder::FirstBit(Encoder::new(&lengths)), lengths)
    }

    /// A block of ascending keys as bytes.
    pub fn encode(&self, keys: &[u64]) -> Vec<u8> {
        let mut out = BitWriter::default();
        out.put(keys.first().copied().unwrap_or(0), 64);
        match self {
            BlockEncoder::FirstBit(encoder) => {
                for pair in keys.windows(2) {
                    let position = (pair[0] ^ pair[1]).leading_zeros();
                    let put = encoder.put(position as usize, &mut out);
                    debug_assert!(put.is_some(), "the code was made of these very keys");
                    out.put(pair[1], 63u32.saturating_sub(position) as u8);
                }
            }
            BlockEncoder::Rice => {
                let r = best_parameter(keys);
                out.put(u64::from(r), 6);
                for pair in keys.windows(2) {
                    let gap = pair[1] - pair[0];
                    out.put_unary(gap >> r);
                    out.put(gap, r);
                }
            }
        }
        out.finish()
    }
}

/// The r that makes a block shortest. It is near the logarithm of the mean gap, and never so small that the quotients,
/// which add up to at most (last − first) / 2^r, take more than some bits for each key.
fn best_parameter(keys: &[u64]) -> u8 {
    let (Some(first), Some(last)) = (keys.first(), keys.last()) else {
        return 0;
    };
    let mean = ((last - first) / keys.len() as u64).max(1).ilog2() as u8;
    let length = |r: u8| keys.windows(2).map(|pair| ((pair[1] - pair[0]) >> r) + 1 + u64::from(r)).sum::<u64>();
    (mean.saturating_sub(2)..=mean).min_by_key(|&r| length(r)).unwrap_or(mean)
}

/// Reads blocks.
#[derive(Debug, Clone)]
pub(super) enum BlockDecoder {
    FirstBit(Decoder),
    Rice,
}

impl BlockDecoder {
    /// From what [`BlockEncoder::new`] returned; `None` if that was damaged.
    pub fn new(code: Code, told: &[u8]) -> Option<Self> {
        match code {
            Code::Rice => told.is_empty().then_some(BlockDecoder::Rice),
            Code::FirstBit if told.len() == POSITIONS => Decoder::new(told).map(BlockDecoder::FirstBit),
            Code::FirstBit => None,
        }
    }

    /// Calls `visit` with each of the `count` keys of the block at the front of `bytes` until it returns false. Damaged
    /// bytes end the block early or give other keys.
    #[inline]
    pub fn decode(&self, bytes: &[u8], count: usize, mut visit: impl FnMut(u64) -> bool) {
        let mut bits = BitReader::new(bytes);
        let mut key = bits.take(64);
        if !bits.is_within() || count == 0 || !visit(key) {
            return;
        }
        match self {
            BlockDecoder::FirstBit(decoder) => {
                for _ in 1..count {
                    let Some(position) = decoder.take(&mut bits) else {
                        return;
                    };
                    if position < 64 {
                        let below = 63 - position;
                        key = (key >> below | 1) << below | bits.take(below);
                    }
                    if !bits.is_within() || !visit(key) {
                        return;
                    }
                }
            }
            BlockDecoder::Rice => {
                let r = bits.take(6) as u8;
                for _ in 1..count {
                    let Some(quotient) = bits.take_unary() else {
                        return;
                    };
                    let gap = quotient << r | bits.take(r) & low_bits(r);
                    key = key.wrapping_add(gap);
                    if !bits.is_within() || !visit(key) {
                        return;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn round_trip(code: Code, mut keys: Vec<u64>) -> usize {
        keys.sort_unstable();
        let (encoder, told) = BlockEncoder::new(code, &keys, keys.len().max(1));
        let bytes = encoder.encode(&keys);
        let mut read = Vec::new();
        BlockDecoder::new(code, &told).unwrap().decode(&bytes, keys.len(), |key| {
            read.push(key);
            true
        });
        assert_eq!(read, keys, "{code:?}");
        bytes.len()
    }

    proptest! {
        #[test]
        fn keys_are_read_as_they_were_written(
            spread in prop::collection::vec(any::<u64>(), 0..100),
            base in any::<u64>(),
            near in prop::collection::vec(0u64..4, 0..100),
        ) {
            for code in [Code::FirstBit, Code::Rice] {
                round_trip(code, spread.clone());
                let mut both = spread.clone();
                both.extend(near.iter().map(|step| base.saturating_add(*step)));
                round_trip(code, both);
            }
        }

        #[test]
        fn damaged_bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let lengths = code_lengths(&[3; POSITIONS]);
            for decoder in [BlockDecoder::new(Code::FirstBit, &lengths), BlockDecoder::new(Code::Rice, &[])] {
                let mut visited = 0;
                decoder.unwrap().decode(&bytes, 128, |_| { visited += 1; true });
                prop_assert!(visited <= 128);
            }
        }
    }

    #[test]
    fn the_farthest_keys_are_possible() {
        for code in [Code::FirstBit, Code::Rice] {
            for keys in [vec![0, u64::MAX], vec![u64::MAX; 3], vec![0; 5], vec![0, 1], vec![0, 0, 0, u64::MAX], vec![9]]
            {
                round_trip(code, keys);
            }
        }
    }

    #[test]
    fn a_rice_coded_block_never_grows_much_beyond_the_raw_keys() {
        let mut clustered: Vec<u64> = (0..127).collect();
        clustered.push(u64::MAX);
        assert!(round_trip(Code::Rice, clustered) < 128 * 9);
    }
}
