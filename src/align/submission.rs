//! A submission made ready for being aligned with many sources.

use super::features::{UNSHARED, key};
use super::rates::{Count, Sort};
use super::runs::Windows;
use super::side::Side;
use crate::text::units::Units;
use ahash::AHashMap;
use std::ops::Range;
use std::sync::Arc;

/// A submission made ready, once, for being aligned with any number of sources. Sources need nothing of the kind: they are
/// numbered while they are aligned.
#[derive(Debug, Clone)]
pub struct Submission<'a> {
    pub(super) units: &'a Units,
    pub(super) side: Side,
    features: Arc<Features>,
    pub(super) windows: Windows,
}

/// The features of a submission, which parts of it share.
#[derive(Debug)]
struct Features {
    /// What sort of unit each is of.
    sorts: Vec<Sort>,
    /// Their numbers, by their keys.
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
        Self { units, side, features: Arc::new(Features { sorts, numbers }), windows: Windows::default() }
    }

    /// Parts of it, in order and apart, whose units are `units`, as if they were a text. Its words are as frequent as they are in the
    /// whole: in a part of some hundred units every word looks rare, and chance like copying.
    pub(super) fn parts<'b>(&self, units: &'b Units, parts: &[Range<usize>]) -> Submission<'b> {
        let mut side = Side::default();
        side.take_parts(&self.side, parts);
        Submission { units, side, features: Arc::clone(&self.features), windows: Windows::default() }
    }

    /// What sort of unit each feature is of.
    pub(super) fn sorts(&self) -> &[Sort] {
        &self.features.sorts
    }

    /// The number of the feature with this key; [`UNSHARED`] when the submission does not have it.
    pub(super) fn number_of(&self, key: u64) -> u32 {
        self.features.numbers.get(&key).copied().unwrap_or(UNSHARED)
    }

    /// Writes a source's features, numbered by this vocabulary, into `side`.
    pub(super) fn number_source(&self, source: &Units, side: &mut Side) {
        side.measure(source);
        side.counts.resize(self.sorts().len(), Count::default());
        for i in 0..source.len() {
            side.push(self.number_of(key(source, i)), source.flags[i]);
        }
    }
}
