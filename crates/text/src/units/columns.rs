//! The units of a text as columns.

use crate::flag;
use std::ops::Range;

/// The units of one text, in reading order, as parallel arrays of equal length.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Units {
    /// Value-stable hash of the normalised form.
    pub hash: Vec<u32>,
    /// Value-stable hash of the word's stem; of a Han character the same as `hash`.
    pub stem: Vec<u32>,
    /// Where the unit starts in the extracted text, in characters.
    pub start: Vec<u32>,
    /// Where it ends in the extracted text, in characters, exclusive.
    pub end: Vec<u32>,
    /// Characters of opening punctuation right before the unit (at most 255).
    pub open: Vec<u8>,
    /// Characters of closing punctuation right after the unit (at most 255).
    pub close: Vec<u8>,
    /// Bits of [`flag`](crate::flag).
    pub flags: Vec<u8>,
    /// Countable characters: the letters and digits of the normalised unit (at most 65,535). Zero-width characters
    /// and the like are none, so that stuffing them in does not change a ratio.
    pub countable: Vec<u16>,
    /// Characters (Unicode scalar values) of the whole extracted text.
    pub text_chars: u32,
}

impl Units {
    /// Parts of the text, in order and apart, as if they were one; places in the text stay what they are.
    pub fn parts(&self, parts: &[Range<usize>]) -> Units {
        fn cut<T: Copy>(column: &[T], parts: &[Range<usize>]) -> Vec<T> {
            parts.iter().flat_map(|part| &column[part.clone()]).copied().collect()
        }
        Units {
            hash: cut(&self.hash, parts),
            stem: cut(&self.stem, parts),
            start: cut(&self.start, parts),
            end: cut(&self.end, parts),
            open: cut(&self.open, parts),
            close: cut(&self.close, parts),
            flags: cut(&self.flags, parts),
            countable: cut(&self.countable, parts),
            text_chars: self.text_chars,
        }
    }

    /// The number of units.
    pub fn len(&self) -> usize {
        self.hash.len()
    }

    /// Makes room for this number of further units.
    pub fn reserve(&mut self, units: usize) {
        let Units { hash, stem, start, end, open, close, flags, countable, text_chars: _ } = self;
        [hash, stem, start, end].into_iter().for_each(|column| column.reserve(units));
        [open, close, flags].into_iter().for_each(|column| column.reserve(units));
        countable.reserve(units);
    }

    /// Whether there is no unit at all.
    pub fn is_empty(&self) -> bool {
        self.hash.is_empty()
    }

    /// The units of each sentence, in order; together they are all.
    pub fn sentences(&self) -> Vec<Range<usize>> {
        let starts: Vec<usize> = (0..self.len()).filter(|&unit| self.flags[unit] & flag::SENTENCE != 0).collect();
        let ends = starts.iter().skip(1).copied().chain([self.len()]);
        starts.iter().zip(ends).map(|(&start, end)| start..end).collect()
    }

    /// The characters of the units `from..to` (which may not be empty), with the punctuation that hugs them:
    /// from the first opening mark before to the last closing mark after.
    pub fn span(&self, from: usize, to: usize) -> Range<u32> {
        self.start[from] - u32::from(self.open[from])..self.end[to - 1] + u32::from(self.close[to - 1])
    }
}
