//! A submission made ready for being aligned with many sources.

use super::features::{UNSHARED, key};
use super::rates::{Count, Sort};
use super::runs::Windows;
use super::sentence::Sentence;
use super::side::Side;
use crate::text::units::Units;
use ahash::AHashMap;
use std::ops::Range;

/// A submission made ready, once, for being aligned with any number of sources. Sources need nothing of the kind: they are
/// numbered while they are aligned.
#[derive(Debug, Clone)]
pub struct Submission<'a> {
    pub(super) units: &'a Units,
    pub(super) side: Side,
    /// What sort of unit each feature is of.
    sorts: Vec<Sort>,
    /// The numbers of features by their keys; none in parts of a submission.
    numbers: AHashMap<u64, u32>,
    pub(super) windows: Windows,
    /// Its sentences that may be reworded ones, in order; none in parts of a submission.
    pub(super) long_sentences: Vec<Sentence<'a>>,
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
        let long_sentences = Sentence::all_long(units);
        Self { units, side, sorts, numbers, windows: Windows::default(), long_sentences }
    }

    /// Parts of it, in order and apart, whose units are `units`, as if they were a text. Its words are as frequent as they are in the
    /// whole: in a part of some hundred units every word looks rare, and chance like copying. Their features, and those of the `source`
    /// that they are aligned with, are numbered anew; `numbers` tells how.
    pub(super) fn parts<'b>(
        &self,
        units: &'b Units,
        parts: &[Range<usize>],
        source: &mut Side,
        numbers: &mut NewNumbers,
    ) -> Submission<'b> {
        let mut side = Side::default();
        side.take_parts(&self.side, parts);
        numbers.give(self.sorts.len(), [&mut side.feature, &mut source.feature]);
        side.counts = numbers.pick(&self.side.counts);
        Submission {
            units,
            side,
            sorts: numbers.pick(&self.sorts),
            numbers: AHashMap::new(),
            windows: Windows::default(),
            long_sentences: Vec::new(),
        }
    }

    /// What sort of unit each feature is of.
    pub(super) fn sorts(&self) -> &[Sort] {
        &self.sorts
    }

    /// The number of the feature with this key; [`UNSHARED`] when the submission does not have it.
    pub(super) fn number_of(&self, key: u64) -> u32 {
        self.numbers.get(&key).copied().unwrap_or(UNSHARED)
    }

    /// Writes a source's features, numbered by this vocabulary, into `side`.
    pub(super) fn number_source(&self, source: &Units, side: &mut Side) {
        self.take_features(source, side);
        side.count(self.sorts.len());
    }

    /// The same, and nothing is counted.
    pub(super) fn take_features(&self, source: &Units, side: &mut Side) {
        side.measure(source);
        side.feature.extend((0..source.len()).map(|i| self.number_of(key(source, i))));
    }
}

/// Numbers for the features of parts of two texts, from 0 on. The aligner has tables with a row for each feature, of which a whole thesis
/// has very many more than parts of some hundred units (docs/SCALE.md, *What is made for each feature*).
#[derive(Debug, Clone, Default)]
pub(super) struct NewNumbers {
    /// The new number of each feature, [`UNSHARED`] of one that no part has. Between two uses, of all.
    new: Vec<u32>,
    /// The old numbers, by the new ones.
    old: Vec<u32>,
}

impl NewNumbers {
    /// Numbers the features of parts anew, of a submission of `features` of them.
    fn give(&mut self, features: usize, parts: [&mut [u32]; 2]) {
        self.old.clear();
        if self.new.len() < features {
            self.new.resize(features, UNSHARED);
        }
        for feature in parts.into_iter().flatten().filter(|feature| **feature != UNSHARED) {
            let new = &mut self.new[*feature as usize];
            if *new == UNSHARED {
                *new = self.old.len() as u32;
                self.old.push(*feature);
            }
            *feature = *new;
        }
        self.old.iter().for_each(|&old| self.new[old as usize] = UNSHARED);
    }

    /// How many features have a new number.
    pub(super) fn len(&self) -> usize {
        self.old.len()
    }

    /// What is known of each feature, by the new numbers, of what is known by the old ones.
    pub(super) fn pick<T: Copy>(&self, of_old: &[T]) -> Vec<T> {
        self.old.iter().map(|&old| of_old[old as usize]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn features_numbered_anew_are_equal_where_they_were_and_numbered_from_nought_on(
            uses in proptest::collection::vec((proptest::collection::vec(0u32..40, 0..60), proptest::collection::vec(0u32..45, 0..60)), 1..4),
        ) {
            let mut numbers = NewNumbers::default();
            let names: Vec<u32> = (0..40).map(|old| old + 1000).collect();
            for (ours, theirs) in uses {
                // A source has features that the submission has not.
                let theirs: Vec<u32> = theirs.into_iter().map(|old| if old < 40 { old } else { UNSHARED }).collect();
                let (mut our_new, mut their_new) = (ours.clone(), theirs.clone());
                numbers.give(40, [&mut our_new, &mut their_new]);
                let picked = numbers.pick(&names);
                proptest::prop_assert_eq!(numbers.len(), picked.len());
                let name = |number: u32| picked.get(number as usize).copied();
                for (old, new) in [ours, theirs].concat().into_iter().zip([our_new, their_new].concat()) {
                    proptest::prop_assert_eq!(name(new), names.get(old as usize).copied());
                    proptest::prop_assert_eq!(new == UNSHARED, old == UNSHARED);
                }
                let different: std::collections::BTreeSet<u32> = picked.iter().copied().collect();
                proptest::prop_assert_eq!(different.len(), picked.len());
            }
        }
    }
}
