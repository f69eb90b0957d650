//! Counting differing bits, many words at a time.
//!
//! Words that are near enough are rare. So the loops take the least number of differing bits of a block of words, which
//! every compiler turns into vector instructions, and look at single words only where that is small enough.

use crate::cpu::Kernel;
#[cfg(target_arch = "aarch64")]
use crate::neon;

/// Words of 32 bits taken together: one vector of 512 bits.
const BLOCK: usize = 16;
/// Words of 64 bits taken together.
const WIDE_BLOCK: usize = 32;

/// A run of little-endian 32-bit words to be compared with one query.
#[derive(Debug, Clone, Copy)]
pub(super) struct WordRun<'a> {
    /// The words; bytes beyond the last whole word are ignored.
    pub words: &'a [u8],
    /// What they are compared with.
    pub query: u32,
    /// The most bits that may differ.
    pub within: u32,
}

/// A word that was near enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Near {
    /// The position of its run among the runs.
    pub run: u32,
    /// Its position in the run, in words.
    pub position: u32,
}

/// The loop that appends the positions of the little-endian 64-bit words within `within` bits of `query`, ascending. Bytes beyond the
/// last whole word are ignored.
pub(super) struct NearWords<'a> {
    pub words: &'a [u8],
    pub query: u64,
    pub within: u32,
    pub found: &'a mut Vec<usize>,
}

impl Kernel for NearWords<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (words, _) = self.words.as_chunks::<8>();
        for (number, block) in words.chunks(WIDE_BLOCK).enumerate() {
            #[cfg(target_arch = "aarch64")]
            if block.try_into().is_ok_and(|block| neon::least_of_64(block, self.query) > self.within) {
                continue;
            }
            let mut least = u64::MAX;
            for word in block {
                least = least.min(u64::from((u64::from_le_bytes(*word) ^ self.query).count_ones()));
            }
            if least <= u64::from(self.within) {
                for (place, word) in block.iter().enumerate() {
                    if (u64::from_le_bytes(*word) ^ self.query).count_ones() <= self.within {
                        self.found.push(number * WIDE_BLOCK + place);
                    }
                }
            }
        }
    }
}

/// The loop that appends, for each run in turn, the positions of its words within its bounds, ascending.
pub(super) struct NearInRuns<'a> {
    pub runs: &'a [WordRun<'a>],
    pub found: &'a mut Vec<Near>,
}

impl Kernel for NearInRuns<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (number, run) in self.runs.iter().enumerate() {
            let mut blocks = Blocks::new(run.words);
            while let Some(block) = blocks.next() {
                block.compare(run.query, run.within, number as u32, self.found);
            }
        }
    }
}

/// The loop that appends each pair of a query and a word within `within` bits: the query's position as the run, and the word's
/// position among the little-endian 32-bit words. In arbitrary order.
pub(super) struct NearAny<'a> {
    pub words: &'a [u8],
    pub queries: &'a [u32],
    pub within: u32,
    pub found: &'a mut Vec<Near>,
}

impl Kernel for NearAny<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut blocks = Blocks::new(self.words);
        while let Some(block) = blocks.next() {
            for (number, &query) in self.queries.iter().enumerate() {
                block.compare(query, self.within, number as u32, self.found);
            }
        }
    }
}

/// Little-endian 32-bit words in blocks, zeros behind the last of them.
struct Blocks<'a> {
    words: &'a [[u8; 4]],
    first: u32,
}

struct Block {
    words: [u32; BLOCK],
    /// How many of them are words and not zeros behind the last one.
    len: u32,
    /// The position of the first word.
    first: u32,
}

impl<'a> Blocks<'a> {
    #[inline(always)]
    fn new(bytes: &'a [u8]) -> Self {
        Blocks { words: bytes.as_chunks::<4>().0, first: 0 }
    }

    #[inline(always)]
    fn next(&mut self) -> Option<Block> {
        let first = self.first;
        if let Some((block, rest)) = self.words.split_first_chunk::<BLOCK>() {
            (self.words, self.first) = (rest, first + BLOCK as u32);
            let mut words = [0; BLOCK];
            for (word, bytes) in words.iter_mut().zip(block) {
                *word = u32::from_le_bytes(*bytes);
            }
            return Some(Block { words, len: BLOCK as u32, first });
        }
        let rest = std::mem::take(&mut self.words);
        if rest.is_empty() {
            return None;
        }
        let mut words = [0; BLOCK];
        for (word, bytes) in words.iter_mut().zip(rest) {
            *word = u32::from_le_bytes(*bytes);
        }
        Some(Block { words, len: rest.len() as u32, first })
    }
}

impl Block {
    /// Appends the words within `within` bits of the query.
    #[inline(always)]
    fn compare(&self, query: u32, within: u32, run: u32, found: &mut Vec<Near>) {
        #[cfg(target_arch = "aarch64")]
        if neon::least_of_32(&self.words, query) > within {
            return;
        }
        let mut counts = [0; BLOCK];
        for (count, word) in counts.iter_mut().zip(&self.words) {
            *count = (word ^ query).count_ones();
        }
        let mut least = u32::MAX;
        for count in counts {
            least = least.min(count);
        }
        if least <= within {
            for (place, count) in (0..self.len).zip(counts) {
                if count <= within {
                    found.push(Near { run, position: self.first + place });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cpu::Cpu;

    proptest! {
        #[test]
        fn every_level_finds_the_64_bit_words_that_the_obvious_loop_finds(
            words in prop::collection::vec(any::<u64>(), 0..70),
            query in any::<u64>(),
            within in 0u32..40,
            skip in 0usize..9,
        ) {
            // An odd first byte: tables in a memory map need not be aligned.
            let mut bytes = vec![0; skip];
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
            let expected: Vec<usize> =
                (0..words.len()).filter(|&i| (words[i] ^ query).count_ones() <= within).collect();
            for cpu in Cpu::available() {
                let mut found = Vec::new();
                cpu.run(NearWords { words: &bytes[skip..], query, within, found: &mut found });
                prop_assert_eq!(&found, &expected, "{}", cpu.name());
            }
        }

        #[test]
        fn every_level_finds_the_32_bit_words_that_the_obvious_loops_find(
            runs in prop::collection::vec((prop::collection::vec(any::<u32>(), 0..70), any::<u32>()), 0..5),
            within in 0u32..20,
        ) {
            let bytes: Vec<Vec<u8>> =
                runs.iter().map(|s| s.0.iter().flat_map(|word| word.to_le_bytes()).collect()).collect();
            let queries: Vec<u32> = runs.iter().map(|run| run.1).collect();
            let near = |words: &[u32], query: u32, run: u32| -> Vec<Near> {
                let is_near = |(_, word): &(u32, &u32)| (*word ^ query).count_ones() <= within;
                (0..).zip(words).filter(is_near).map(|(position, _)| Near { run, position }).collect()
            };
            let asked: Vec<WordRun> =
                bytes.iter().zip(&queries).map(|(words, &query)| WordRun { words, query, within }).collect();
            let of_runs: Vec<Near> =
                (0..).zip(&runs).flat_map(|(number, (words, query))| near(words, *query, number)).collect();
            for cpu in Cpu::available() {
                let mut found = Vec::new();
                cpu.run(NearInRuns { runs: &asked, found: &mut found });
                prop_assert_eq!(&found, &of_runs, "{}", cpu.name());
                for ((words, _), bytes) in runs.iter().zip(&bytes) {
                    let of_any: Vec<Near> =
                        (0..).zip(&queries).flat_map(|(number, &query)| near(words, query, number)).collect();
                    found.clear();
                    cpu.run(NearAny { words: bytes, queries: &queries, within, found: &mut found });
                    found.sort_unstable_by_key(|near| (near.run, near.position));
                    prop_assert_eq!(&found, &of_any, "{}", cpu.name());
                }
            }
        }
    }
}
