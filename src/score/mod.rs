//! How much of a submission stands in other texts.
//!
//! Ratios count *countable characters*: letters, digits and Han characters of the normalised text. Punctuation, white
//! space and zero-width characters do not count, so padding a text with them changes no ratio.
//!
//! Constants of this room were chosen by hand and not measured apart, unless one says otherwise.
//!
//! Words: docs/ARCHITECTURE.md, *Of checks and reports*.

pub(crate) mod cited;
pub mod compared;
pub mod exclusion;
pub(crate) mod facts;
pub(crate) mod labels;
pub(crate) mod passages;
pub mod ratios;
pub(crate) mod recount;
pub(crate) mod segments;
mod side;
pub(crate) mod wording;

use crate::align::Match;
use crate::text::units::Units;
use exclusion::Exclusion;
use std::ops::Range;

/// Countable characters of a text, summed so that any range of units is answered at once.
#[derive(Debug, Clone)]
pub struct Countable {
    /// `before[i]`: countable characters of the units before unit i.
    before: Vec<u32>,
}

impl Countable {
    /// Sums up a text's units.
    pub fn new(units: &Units) -> Self {
        Self::of_counts(&units.countable)
    }

    fn of_counts(counts: &[u16]) -> Self {
        let mut before = Vec::with_capacity(counts.len() + 1);
        let mut sum = 0_u32;
        before.push(sum);
        for &count in counts {
            // A text has fewer characters than that.
            sum = sum.saturating_add(u32::from(count));
            before.push(sum);
        }
        Countable { before }
    }

    /// Sums up what counts of a text's units: those excluded count nothing, be it as text or as copied text.
    pub fn outside(units: &Units, exclusions: &[Exclusion]) -> Self {
        let mut counted = units.countable.clone();
        for exclusion in exclusions {
            counted[exclusion.units.start as usize..exclusion.units.end as usize].fill(0);
        }
        Self::of_counts(&counted)
    }

    /// Countable characters of the whole text.
    pub fn total(&self) -> u64 {
        u64::from(self.before[self.before.len() - 1])
    }

    /// Countable characters of a range of units.
    pub fn of(&self, units: &Range<u32>) -> u64 {
        u64::from(self.before[units.end as usize] - self.before[units.start as usize])
    }

    /// Countable characters in the union of ranges of units, each counted once.
    pub fn of_union(&self, ranges: impl IntoIterator<Item = Range<u32>>) -> u64 {
        let mut ranges: Vec<Range<u32>> = ranges.into_iter().collect();
        ranges.sort_unstable_by_key(|range| (range.start, range.end));
        let (mut sum, mut covered) = (0, 0);
        for range in ranges {
            let start = range.start.max(covered);
            if start < range.end {
                sum += self.of(&(start..range.end));
                covered = range.end;
            }
        }
        sum
    }

    /// What each of several sources, given by the units of its matches, is credited with: the countable characters that no better source
    /// has. The better of two sources is the one that has more for itself, or else the one that comes first. The credits
    /// add up to what all sources have together.
    pub fn credited(&self, sources: &[Vec<Range<u32>>]) -> Vec<u64> {
        let own: Vec<u64> = sources.iter().map(|ranges| self.of_union(ranges.iter().cloned())).collect();
        let mut order: Vec<usize> = (0..sources.len()).collect();
        order.sort_by_key(|&source| std::cmp::Reverse(own[source]));
        let mut taken = vec![false; self.before.len() - 1];
        let mut credits = vec![0; sources.len()];
        for source in order {
            for unit in sources[source].iter().cloned().flatten() {
                if !std::mem::replace(&mut taken[unit as usize], true) {
                    credits[source] += self.of(&(unit..unit + 1));
                }
            }
        }
        credits
    }

    /// Countable characters of the submission's side of these matches, each counted once.
    pub fn matched<'a>(&self, matches: impl IntoIterator<Item = &'a Match>) -> u64 {
        self.of_union(matches.into_iter().flat_map(Match::copied))
    }
}

/// `part / whole`; 0 when there is nothing to be part of.
pub fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_and_nested_ranges_count_once() {
        let countable = Countable::new(&Units::from_text("aa bbb c dddd"));
        assert_eq!(countable.total(), 10);
        assert_eq!(countable.of_union([0..2, 1..3, 0..1]), 6);
        assert_eq!(countable.of_union([3..4, 0..1]), 6);
        assert_eq!(countable.of_union([]), 0);
    }

    #[test]
    fn a_better_source_is_credited_first_and_of_equal_ones_the_first() {
        let countable = Countable::new(&Units::from_text("aa bbb c dddd"));
        let of = |sources: &[&[(u32, u32)]]| {
            let ranges = |ranges: &&[(u32, u32)]| ranges.iter().map(|&(from, to)| from..to).collect();
            countable.credited(&sources.iter().map(ranges).collect::<Vec<Vec<_>>>())
        };
        assert_eq!(of(&[&[(0, 2)], &[(1, 4)]]), [2, 8]);
        assert_eq!(of(&[&[(1, 3)], &[(1, 3)], &[(0, 1)]]), [4, 0, 2]);
        assert_eq!(of(&[&[(0, 1), (0, 2)], &[]]), [5, 0]);
        assert!(of(&[]).is_empty());
    }

    #[test]
    fn zero_width_characters_and_punctuation_do_not_dilute_a_text() {
        let plain = Countable::new(&Units::from_text("潮汐沼泽 marsh"));
        let stuffed = Countable::new(&Units::from_text("潮\u{200b}汐，，，沼\u{200d}泽…… m\u{200b}\u{200c}arsh!!!"));
        assert_eq!(plain.total(), 9);
        assert_eq!(stuffed.total(), 9);
    }

    proptest::proptest! {
        #[test]
        fn credits_add_up_to_what_is_matched_and_none_exceeds_the_sources_own(
            sources in proptest::collection::vec(proptest::collection::vec((0u32..30, 0u32..30), 0..4), 0..6),
        ) {
            let units = Units::from_text(&(0..30).map(|i| "x".repeat(i % 4 + 1)).collect::<Vec<_>>().join(" "));
            let countable = Countable::new(&units);
            let range = |&(a, b): &(u32, u32)| a.min(b)..a.max(b);
            let sources: Vec<Vec<Range<u32>>> = sources.iter().map(|ranges| ranges.iter().map(range).collect()).collect();
            let credits = countable.credited(&sources);
            assert_eq!(credits.iter().sum::<u64>(), countable.of_union(sources.iter().flatten().cloned()));
            for (credit, source) in credits.iter().zip(&sources) {
                assert!(*credit <= countable.of_union(source.iter().cloned()));
            }
        }

        #[test]
        fn the_union_equals_marking_every_unit(
            ranges in proptest::collection::vec((0u32..30, 0u32..30), 0..10),
        ) {
            let units = Units::from_text(&(0..30).map(|i| "x".repeat(i % 4 + 1)).collect::<Vec<_>>().join(" "));
            let ranges: Vec<Range<u32>> = ranges.into_iter().map(|(a, b)| a.min(b)..a.max(b)).collect();
            let marked = (0..30u32).filter(|i| ranges.iter().any(|r| r.contains(i)));
            let expected: u64 = marked.map(|i| u64::from(units.countable[i as usize])).sum();
            assert_eq!(Countable::new(&units).of_union(ranges), expected);
        }
    }
}
