//! How long a range of units is: one measure for words and for Han characters.

use crate::text::flag;
use std::ops::Range;

/// The length of some units, and how much of it is Han.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// Half words: a Han character is one, any other unit two.
    pub half_words: u32,
    /// The share of the units that are Han characters, 0–1; 0 of no units.
    pub han: f64,
}

impl Extent {
    /// Of `units` units that are `half_words` long together; longer, and taken for words, where something between them was left out.
    pub fn new(units: usize, half_words: u32) -> Self {
        let characters = (2 * units).saturating_sub(half_words as usize);
        Extent { half_words, han: characters as f64 / units.max(1) as f64 }
    }

    /// Of units with these flags.
    pub fn of(flags: &[u8]) -> Self {
        Self::new(flags.len(), flags.iter().map(half_words).sum())
    }

    /// Of the units of some ranges of a text whose units have these flags.
    pub fn of_ranges(flags: &[u8], ranges: &[Range<usize>]) -> Self {
        let units = ranges.iter().map(Range::len).sum();
        Self::new(units, ranges.iter().flat_map(|range| &flags[range.clone()]).map(half_words).sum())
    }

    /// A value that is one for words and another for Han characters, by how much of the units is either.
    pub fn between(&self, words: f64, characters: f64) -> f64 {
        words + (characters - words) * self.han
    }

    /// The same for lengths, in half words and rounded to whole ones.
    pub fn length_between(&self, words: f64, characters: f64) -> u32 {
        (words * (1.0 - self.han) + characters * self.han).round() as u32
    }
}

/// The length of a unit with these flags in half words.
#[inline]
pub fn half_words(flags: &u8) -> u32 {
    2 - u32::from(flags & flag::HAN)
}
