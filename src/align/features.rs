//! Features: what of two texts is compared.
//!
//! The feature of a word is its stem. A single Han character says too little, so its feature is the pair it makes
//! with its right neighbour, which makes a word segmenter unnecessary.

use crate::text::flag;
use crate::text::units::Units;
use ahash::AHashMap;

/// The feature number of a source's unit whose feature the submission does not have.
pub const UNSHARED: u32 = u32::MAX;

/// The value-stable 64-bit key of the feature at unit `i`.
pub fn key(units: &Units, i: usize) -> u64 {
    if units.flags[i] & flag::HAN == 0 {
        return u64::from(units.stem[i]);
    }
    let next = units.hash.get(i + 1).copied().unwrap_or(0);
    (u64::from(units.hash[i]) | 1 << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(next)
}

/// One text as the aligner sees it: feature numbers, and lengths in half words.
#[derive(Debug, Clone, Default)]
pub struct Side {
    /// The feature number of each unit; numbers are those of the submission's vocabulary.
    pub feature: Vec<u32>,
    /// Half words before each unit, and in all: a Han character is one half word, any other unit two.
    pub half_words: Vec<u32>,
    /// The bits of [`flag`] of each unit.
    pub flags: Vec<u8>,
}

impl Side {
    /// The number of units.
    pub fn len(&self) -> usize {
        self.feature.len()
    }

    /// Half words from unit `start` to unit `end`, exclusive.
    pub fn extent(&self, start: usize, end: usize) -> u32 {
        self.half_words[end] - self.half_words[start]
    }

    /// The first unit that starts at most `half_words` before unit `i`.
    pub fn back(&self, i: usize, half_words: u32) -> usize {
        let target = self.half_words[i].saturating_sub(half_words);
        let mut at = i.saturating_sub(half_words as usize);
        while self.half_words[at] < target {
            at += 1;
        }
        at
    }

    /// The last border that lies at most `half_words` after border `i`.
    pub fn forth(&self, i: usize, half_words: u32) -> usize {
        let target = self.half_words[i].saturating_add(half_words);
        let mut at = self.len().min(i + half_words as usize);
        while self.half_words[at] > target {
            at -= 1;
        }
        at
    }

    fn measure(&mut self, units: &Units) {
        self.flags.clear();
        self.flags.extend_from_slice(&units.flags);
        self.half_words.clear();
        self.half_words.push(0);
        let mut sum = 0u32;
        self.half_words.extend(units.flags.iter().map(|f| {
            sum += if f & flag::HAN == 0 { 2 } else { 1 };
            sum
        }));
    }
}

/// A submission made ready, once, for being aligned with any number of sources.
#[derive(Debug, Clone)]
pub struct Submission<'a> {
    pub(super) units: &'a Units,
    pub(super) side: Side,
    /// How often each feature occurs.
    pub(super) counts: Vec<u32>,
    numbers: AHashMap<u64, u32>,
}

impl<'a> Submission<'a> {
    /// Numbers the features of a text in the order in which they first occur.
    pub fn new(units: &'a Units) -> Self {
        let mut side = Side::default();
        side.measure(units);
        let mut numbers = AHashMap::with_capacity(units.len() / 2);
        let mut counts: Vec<u32> = Vec::new();
        for i in 0..units.len() {
            let next = counts.len() as u32;
            let number = *numbers.entry(key(units, i)).or_insert(next);
            if number == next {
                counts.push(0);
            }
            counts[number as usize] += 1;
            side.feature.push(number);
        }
        Self { units, side, counts, numbers }
    }

    /// The size of the vocabulary.
    pub fn vocabulary(&self) -> usize {
        self.counts.len()
    }

    /// The number of the feature with this key; [`UNSHARED`] when the submission does not have it.
    pub(super) fn number_of(&self, key: u64) -> u32 {
        self.numbers.get(&key).copied().unwrap_or(UNSHARED)
    }

    /// Writes a source's features, numbered by this vocabulary, into `side` and their counts into `counts`.
    pub(super) fn number_source(&self, source: &Units, side: &mut Side, counts: &mut Vec<u32>) {
        side.measure(source);
        counts.clear();
        counts.resize(self.vocabulary(), 0);
        side.feature.clear();
        side.feature.extend((0..source.len()).map(|i| match self.numbers.get(&key(source, i)) {
            Some(&number) => {
                counts[number as usize] += 1;
                number
            }
            None => UNSHARED,
        }));
    }
}
