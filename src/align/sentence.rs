//! A sentence of a text, and whether it is another one reworded.

use super::extent::Extent;
use super::side::Side;
use crate::text::flag;
use crate::text::units::Units;
use std::ops::Range;

/// Half words of the shortest sentence that is looked up as a reworded one: eight words, or sixteen Han characters.
const SHORTEST_REWORDED: u32 = 16;

/// Units of the longest one. Chosen by hand; not measured apart.
const LONGEST_REWORDED: usize = 200;

/// The share of the units of two sentences that stand in both in the same order, from which on one is the other reworded: of words, and of Han
/// characters. With .5 dialogues of several novels by one author count.
const REWORDED: f64 = 0.6;
const REWORDED_HAN: f64 = 0.55;

/// The share of its features that stand in the source, of a sentence of Han characters: where one is another, two features are. Chosen by hand; not
/// measured apart.
const LEAST_HAN_FEATURES: f64 = 0.1;

/// A sentence of a text, in units.
#[derive(Debug, Clone)]
pub(super) struct Sentence<'a> {
    pub range: Range<usize>,
    stems: &'a [u32],
    extent: Extent,
    marks: Marks,
}

impl<'a> Sentence<'a> {
    /// One that may be looked up as a reworded one.
    pub fn long(text: &'a Units, range: Range<usize>) -> Option<Self> {
        let extent = Extent::of(&text.flags[range.clone()]);
        let is_long = range.len() <= LONGEST_REWORDED && extent.half_words >= SHORTEST_REWORDED;
        let stems = &text.stem[range.clone()];
        is_long.then(|| Sentence { marks: Marks::of(stems), stems, range, extent })
    }

    /// All of a text that may be, in order.
    pub fn all_long(text: &'a Units) -> Vec<Self> {
        text.sentences().into_iter().filter_map(|range| Self::long(text, range)).collect()
    }

    /// The same, around a unit. It looks no further than a sentence may be long: a text may have no sentences.
    pub fn around(text: &'a Units, unit: usize) -> Option<Self> {
        let begins = |at: &usize| text.flags[*at] & flag::SENTENCE != 0;
        let (first, last) = (unit.saturating_sub(LONGEST_REWORDED), text.len().min(unit + LONGEST_REWORDED));
        let start = (first..=unit).rev().find(begins).unwrap_or(first);
        Self::long(text, start..(unit + 1..last).find(begins).unwrap_or(last))
    }

    /// Whether enough of its features stand in a source for it to be a sentence of that reworded, which may be shorter.
    pub fn may_be_of(&self, ours: &Side, theirs: &Side) -> bool {
        let stands = |feature: &&u32| theirs.counts[**feature as usize].all > 0;
        let standing = ours.feature[self.range.clone()].iter().filter(stands).count() as f64;
        let least = self.extent.between(REWORDED / (2.0 - REWORDED), LEAST_HAN_FEATURES);
        standing >= least * self.range.len() as f64
    }

    /// Whether it is another one reworded: twice the units that stand in both in the same order are [`REWORDED`] of all, or more.
    pub fn is_reworded(&self, other: &Sentence) -> bool {
        let (a, b) = (self.stems, other.stems);
        let least = self.extent.between(REWORDED, REWORDED_HAN) * (a.len() + b.len()) as f64;
        let may_be = |common: usize| 2.0 * common as f64 >= least;
        // Hardly any two sentences have enough units in common in any order, which is found out sooner.
        may_be(a.len().min(b.len())) && may_be(self.marks.at_most_in(b)) && may_be(longest_common_subsequence(a, b))
    }
}

/// Which units a sentence has, by eight bits of each.
#[derive(Debug, Clone)]
struct Marks([u64; 4]);

impl Marks {
    fn of(units: &[u32]) -> Self {
        let mut marks = [0; 4];
        for unit in units {
            marks[Self::word(unit)] |= 1 << (unit & 63);
        }
        Marks(marks)
    }

    fn word(unit: &u32) -> usize {
        (unit >> 6 & 3) as usize
    }

    /// How many of some units it may have: no fewer than it does.
    fn at_most_in(&self, units: &[u32]) -> usize {
        units.iter().map(|unit| (self.0[Self::word(unit)] >> (unit & 63) & 1) as usize).sum()
    }
}

/// The length of the longest common subsequence: a row of the usual table in a word for each 64 units, whose zeros are where it grows
/// (H. Hyyrö, Bit-parallel LCS-length computation revisited, 2004).
fn longest_common_subsequence(a: &[u32], b: &[u32]) -> usize {
    let blocks = a.chunks(u64::BITS as usize);
    let mut row = [u64::MAX; LONGEST_REWORDED.div_ceil(u64::BITS as usize)];
    for unit in b {
        let mut carry = false;
        for (word, block) in row.iter_mut().zip(blocks.clone()) {
            let same = block.iter().rev().fold(0, |bits, other| bits << 1 | u64::from(other == unit));
            let met = *word & same;
            let (sum, over) = word.carrying_add(met, carry);
            (*word, carry) = (sum | *word & !same, over);
        }
    }
    let grown = |(word, block): (&u64, &[u32])| (!word << (u64::BITS as usize - block.len())).count_ones() as usize;
    row.iter().zip(blocks).map(grown).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_longest_common_subsequence_is_the_longest_that_both_have(
            a in prop::collection::vec(0u32..6, 0..9), b in prop::collection::vec(0u32..6, 0..9),
        ) {
            let subsequence = |units: u32| -> Vec<u32> {
                a.iter().enumerate().filter(|(at, _)| units >> at & 1 == 1).map(|(_, unit)| *unit).collect()
            };
            let stands = |of: &[u32]| {
                let mut left = b.iter();
                of.iter().all(|unit| left.any(|other| other == unit))
            };
            let longest = (0..1 << a.len()).map(subsequence).filter(|of| stands(of)).map(|of| of.len()).max();
            prop_assert_eq!(longest, Some(longest_common_subsequence(&a, &b)));
        }
    }

    #[test]
    fn the_sentence_around_a_unit_is_the_one_that_holds_it_and_none_where_there_is_no_sentence() {
        let word = |at: usize| format!("word{at}x");
        let sentence = |first: usize| format!("W{}. ", (first..first + 16).map(word).collect::<Vec<_>>().join(" "));
        let units = Units::from_text(&(0..3).map(|at| sentence(16 * at)).collect::<String>());
        let held = units.sentences().into_iter().flat_map(|sentence| vec![sentence.clone(); sentence.len()]);
        let around = (0..units.len()).map(|unit| Sentence::around(&units, unit).unwrap().range);
        assert!(held.eq(around));
        let endless = Units::from_text(&"word ".repeat(3 * LONGEST_REWORDED));
        assert!(Sentence::around(&endless, 3 * LONGEST_REWORDED / 2).is_none());
    }

    #[test]
    fn the_same_words_in_another_order_are_no_reworded_sentence() {
        let written = "The keeper of the sluice counts the boats that pass below his narrow window.";
        let reworded = "A keeper of this sluice counts small boats that pass below his narrow door.";
        let shuffled = "Below the narrow window the boats pass that the keeper of his sluice counts.";
        let units = [written, reworded, shuffled].map(Units::from_text);
        let [written, reworded, shuffled] = units.each_ref().map(|units| Sentence::around(units, 5).unwrap());
        assert!(written.is_reworded(&reworded) && !written.is_reworded(&shuffled));
    }
}
