//! Features: what of two texts is compared.
//!
//! The feature of a word is its stem. A single Han character says too little, so its feature is the pair it makes
//! with its right neighbour, which makes a word segmenter unnecessary.

use super::rates::{Count, Sort};
use super::runs::Windows;
use crate::text::flag;
use crate::text::units::Units;
use ahash::AHashMap;
use std::ops::Range;

/// The feature number of a source's unit whose feature the submission does not have.
pub const UNSHARED: u32 = u32::MAX;

/// Added to the key of a number that stands in a row of numbers.
pub const IN_A_ROW: u64 = 1 << 33;

/// The value-stable 64-bit key of the feature at unit `i`.
pub fn key(units: &Units, i: usize) -> u64 {
    let flags = units.flags[i];
    if flags & flag::NUMBER != 0 && in_row_of_numbers(units, i) {
        return u64::from(units.stem[i]) | IN_A_ROW;
    }
    if flags & flag::HAN == 0 {
        return u64::from(units.stem[i]);
    }
    let next = units.hash.get(i + 1).copied().unwrap_or(0);
    (u64::from(units.hash[i]) | 1 << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(next)
}

/// Whether unit `i` is one of several numbers in a row, as in a table, a list of contents or an axis.
fn in_row_of_numbers(units: &Units, i: usize) -> bool {
    let number = |at: usize| units.flags.get(at).is_some_and(|f| f & flag::NUMBER != 0);
    number(i + 1) || i > 0 && number(i - 1)
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
    /// How often each feature occurs.
    pub counts: Vec<Count>,
    /// How many units are words, and how many single characters.
    pub of_script: [u32; 2],
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

    fn push(&mut self, feature: u32, flags: u8) {
        let of_script = &mut self.of_script[usize::from(flags & flag::HAN)];
        if let Some(count) = self.counts.get_mut(feature as usize) {
            count.add(*of_script);
        }
        *of_script += 1;
        self.feature.push(feature);
    }

    fn measure(&mut self, units: &Units) {
        self.of_script = [0; 2];
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
    /// What sort of unit each feature is of.
    pub(super) sorts: Vec<Sort>,
    pub(super) windows: Windows,
    numbers: AHashMap<u64, u32>,
}

impl<'a> Submission<'a> {
    /// Numbers the features of a text in the order in which they first occur.
    pub fn new(units: &'a Units) -> Self {
        let mut side = Side::default();
        side.measure(units);
        let mut numbers = AHashMap::with_capacity(units.len() / 2);
        let mut sorts: Vec<Sort> = Vec::new();
        for i in 0..units.len() {
            let next = sorts.len() as u32;
            let key = key(units, i);
            let number = *numbers.entry(key).or_insert(next);
            if number == next {
                sorts.push(Sort::of(key, units.flags[i]));
                side.counts.push(Count::default());
            }
            side.push(number, units.flags[i]);
        }
        Self { units, side, sorts, windows: Windows::default(), numbers }
    }

    /// The part of it that is `range`, whose units are `units`, by itself. Words are as frequent as they are in the whole.
    pub(super) fn part<'b>(&self, units: &'b Units, range: Range<usize>) -> Submission<'b> {
        let mut part = Submission::new(units);
        for (here, there) in part.side.feature.iter().zip(&self.side.feature[range]) {
            part.side.counts[*here as usize] = self.side.counts[*there as usize];
        }
        part.side.of_script = self.side.of_script;
        part
    }

    /// The number of the feature with this key; [`UNSHARED`] when the submission does not have it.
    pub(super) fn number_of(&self, key: u64) -> u32 {
        self.numbers.get(&key).copied().unwrap_or(UNSHARED)
    }

    /// Writes a source's features, numbered by this vocabulary, into `side`.
    pub(super) fn number_source(&self, source: &Units, side: &mut Side) {
        side.measure(source);
        side.counts.clear();
        side.counts.resize(self.sorts.len(), Count::default());
        side.feature.clear();
        for i in 0..source.len() {
            let number = self.numbers.get(&key(source, i)).copied().unwrap_or(UNSHARED);
            side.push(number, source.flags[i]);
        }
    }
}
