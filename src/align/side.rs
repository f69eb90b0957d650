//! One of the two texts as the aligner sees it: numbers for features, and lengths.

use super::evidence;
use super::extent::{Extent, half_words};
use super::rates::{Count, Sort};
use crate::text::flag;
use crate::text::units::Units;
use std::ops::Range;

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

    /// The length of a range of units in half words.
    pub fn length(&self, range: &Range<usize>) -> u32 {
        self.half_words[range.end] - self.half_words[range.start]
    }

    /// The length of a range of units, and how much of it is Han.
    pub fn extent(&self, range: &Range<usize>) -> Extent {
        Extent::new(range.len(), self.length(range))
    }

    /// The length of the whole text in half words.
    pub fn whole(&self) -> u32 {
        self.half_words[self.len()]
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

    /// Adds the next unit's feature; [`Side::measure`] comes before.
    pub fn push(&mut self, feature: u32, flags: u8) {
        self.add_to_counts(feature, flags);
        self.feature.push(feature);
    }

    /// Counts how often each feature occurs; there are `features` of them.
    pub fn count(&mut self, features: usize) {
        self.counts.clear();
        self.counts.resize(features, Count::default());
        self.of_script = [0; 2];
        for unit in 0..self.len() {
            self.add_to_counts(self.feature[unit], self.flags[unit]);
        }
    }

    fn add_to_counts(&mut self, feature: u32, flags: u8) {
        let of_script = &mut self.of_script[usize::from(flags & flag::HAN)];
        if let Some(count) = self.counts.get_mut(feature as usize) {
            count.add(*of_script);
        }
        *of_script += 1;
    }

    /// Takes the lengths and flags of a text in place of those of the last one, and forgets its features.
    pub fn measure(&mut self, units: &Units) {
        self.feature.clear();
        self.counts.clear();
        self.of_script = [0; 2];
        self.flags.clear();
        self.flags.extend_from_slice(&units.flags);
        self.half_words.clear();
        self.half_words.push(0);
        let mut sum = 0u32;
        self.half_words.extend(self.flags.iter().map(|flags| {
            sum += half_words(flags);
            sum
        }));
    }

    /// Takes parts of another side, in order and apart, in place of the last text. They are one behind the other, but lengths are
    /// what they are in the whole, with what lies between the parts. Which counts are meant is left to say.
    pub fn take_parts(&mut self, whole: &Side, parts: &[Range<usize>]) {
        self.feature.clear();
        self.flags.clear();
        self.half_words.clear();
        for part in parts {
            self.feature.extend_from_slice(&whole.feature[part.clone()]);
            self.flags.extend_from_slice(&whole.flags[part.clone()]);
            self.half_words.extend_from_slice(&whole.half_words[part.clone()]);
        }
        self.half_words.push(parts.last().map_or(0, |last| whole.half_words[last.end]));
        self.of_script = whole.of_script;
    }
}

/// Writes the class of each feature's rate into `classes`: the greater of its rates in both texts. [`class_of`] finds them there.
pub fn rate_classes(sorts: &[Sort], a: &Side, b: &Side, smoothing: f64, classes: &mut Vec<u16>) {
    classes.clear();
    let counts = a.counts.iter().zip(&b.counts);
    classes.extend(
        sorts.iter().zip(counts).map(|(sort, (in_a, in_b))| rate_class(*sort, (a, *in_a), (b, *in_b), smoothing)),
    );
    classes.push(0);
}

/// The class of a feature's rate among those of [`rate_classes`]. The last of these, 0, is that of all features that the submission does
/// not have.
#[inline]
pub fn class_of(classes: &[u16], feature: u32) -> u16 {
    classes[(feature as usize).min(classes.len() - 1)]
}

/// The class of the greater of a feature's rates in two texts, given how often it occurs in each.
pub fn rate_class(sort: Sort, (a, in_a): (&Side, Count), (b, in_b): (&Side, Count), smoothing: f64) -> u16 {
    let script = match sort {
        Sort::Word => 0,
        Sort::Character => 1,
        Sort::NumberInRow => return evidence::CERTAIN,
    };
    let rate = in_a.rate(a.of_script[script], smoothing).max(in_b.rate(b.of_script[script], smoothing));
    if rate > 0.0 { evidence::class(rate as f32) } else { 0 }
}
