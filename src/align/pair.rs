//! The two texts being aligned, and the best segment of one against a range of the other.

use super::bag::Bag;
use super::best_range::best_range;
use super::candidate::{Candidate, RangePair, Which};
use super::evidence::{self, Evidence, EvidenceTable, Row, Share};
use super::rates::Sort;
use super::runs::Windows;
use super::settings::AlignSettings;
use super::side::{Side, class_of, rate_class, rate_classes};
use super::submission::Submission;
use crate::text::flag;
use crate::text::units::Units;
use std::ops::Range;

/// A segment of one text that agrees with a range of the other.
#[derive(Debug, Clone)]
pub struct AgreeingRange {
    /// Its units.
    pub range: Range<usize>,
    /// Its evidence, bonuses for its borders included.
    pub evidence: Evidence,
    /// The share of its information that agrees, 0–1.
    pub agreeing: f64,
}

/// The two texts of a pair, with what all steps ask of them.
pub struct PairAligner<'a> {
    pub submission: &'a Side,
    pub source: &'a Side,
    /// The submission's windows.
    pub windows: &'a Windows,
    /// The hashes of the units of either text.
    pub hashes: (&'a [u32], &'a [u32]),
    /// What sort of unit each feature is of.
    pub sorts: &'a [Sort],
    /// The class of each feature's rate, as [`rate_classes`] gives it.
    pub rate_class: &'a mut [u16],
    pub table: &'a EvidenceTable,
    pub settings: &'a AlignSettings,
    /// The features of the range that is compared with.
    bag: &'a mut Bag,
    /// The units of a window that agree with nothing that is left, while candidates are drawn.
    spare: &'a mut Vec<bool>,
    /// What each unit of a window is worth.
    values: &'a mut Vec<i32>,
    /// The submission's units that belong to a candidate already.
    pub claimed: &'a mut Vec<bool>,
    /// The runs long enough to be passages of their own, once they were taken.
    pub runs: Vec<RangePair>,
    /// What the submission may say again, in order: the runs, and what was accepted of passages that it says several times.
    pub copied: Vec<RangePair>,
    /// Whether merged candidates are drawn anew, and no longer grown from seeds.
    pub drawing: bool,
    /// The exact runs, once they were asked for.
    pub exact: Option<Vec<RangePair>>,
    sentence_bonus: Evidence,
    line_bonus: Evidence,
}

/// Scratch memory that [`PairAligner`] borrows, kept from pair to pair.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    rate_class: Vec<u16>,
    bag: Bag,
    spare: Vec<bool>,
    values: Vec<i32>,
    claimed: Vec<bool>,
}

impl<'a> PairAligner<'a> {
    /// Prepares a pair; the source's features are numbered as the submission's.
    pub fn new(
        submission: &'a Submission,
        (source, units): (&'a Side, &'a Units),
        scratch: &'a mut Scratch,
        table: &'a EvidenceTable,
        settings: &'a AlignSettings,
    ) -> Self {
        let Scratch { rate_class, bag, spare, values, claimed } = scratch;
        let (side, sorts) = (&submission.side, submission.sorts());
        rate_classes(sorts, side, source, settings.rate_smoothing, rate_class);
        bag.make_room(sorts.len());
        claimed.clear();
        claimed.resize(side.len(), false);
        Self {
            submission: side,
            source,
            windows: &submission.windows,
            hashes: (&submission.units.hash, &units.hash),
            sorts,
            rate_class,
            table,
            settings,
            bag,
            spare,
            values,
            claimed,
            runs: Vec::new(),
            copied: Vec::new(),
            drawing: false,
            exact: None,
            sentence_bonus: evidence::from_nats(settings.sentence_bonus),
            line_bonus: evidence::from_nats(settings.line_bonus),
        }
    }

    /// The text that is meant.
    pub fn side(&self, which: Which) -> &'a Side {
        match which {
            Which::Submission => self.submission,
            Which::Source => self.source,
        }
    }

    /// Claims or frees units of the submission.
    pub fn claim(&mut self, range: Range<usize>, taken: bool) {
        self.claimed[range].fill(taken);
    }

    /// Notes what was copied, in place of what was noted before: it says nothing of how frequent words are where the submission is its
    /// author's own, or says the same again.
    pub fn note_copied(&mut self, mut copied: Vec<RangePair>) {
        copied.sort_by_key(|copied| (copied.submission.start, copied.submission.end));
        let features = |of: &[RangePair], times: u32| -> Vec<(u32, u32)> {
            let of = of.iter().flat_map(|copied| &self.submission.feature[copied.submission.clone()]);
            of.map(|&feature| (feature, times)).collect()
        };
        // Those that were noted before are counted anew.
        let mut all = [features(&self.copied, 0), features(&copied, 1)].concat();
        self.copied = copied;
        all.sort_unstable();
        for same in all.chunk_by(|a, b| a.0 == b.0) {
            let feature = same[0].0 as usize;
            let (Some(count), Some(in_source)) = (self.submission.counts.get(feature), self.source.counts.get(feature))
            else {
                continue;
            };
            let left = count.without(same.iter().map(|(_, times)| times).sum());
            self.rate_class[feature] = rate_class(
                self.sorts[feature],
                (self.submission, left),
                (self.source, *in_source),
                self.settings.rate_smoothing,
            );
        }
    }

    /// The evidence that a range of the submission needs where one of words alone needs `nats`.
    pub fn needed(&self, submission: &Range<usize>, nats: f64) -> Evidence {
        evidence::from_nats(nats * (1.0 + self.settings.han_dependence * self.submission.extent(submission).han))
    }

    /// One candidate in place of two.
    pub fn join(&self, a: &Candidate, b: &Candidate) -> Candidate {
        a.join(b, Share::new(self.settings.copied_share_max))
    }

    fn bonus(&self, side: &Side, border: usize) -> Evidence {
        if border == 0 || border == side.len() {
            return self.sentence_bonus;
        }
        let flags = side.flags[border];
        if flags & flag::SENTENCE != 0 {
            self.sentence_bonus
        } else if flags & flag::LINE != 0 {
            self.line_bonus
        } else {
            0
        }
    }

    /// Fills the bag with the features of a range of one text.
    fn fill_bag(&mut self, which: Which, range: Range<usize>) {
        self.bag.fill(self.side(which).feature[range].iter().copied());
    }

    /// Takes out of the bag what a core agrees with, so that the units outside of it agree with what it leaves. That is how the
    /// bag is accounted for while candidates grow. Units of the core agree whatever is left, and one outside does not take from
    /// another: to account for each was tried and cost recall (docs/ALIGNMENT.md, *What was tried and left out*).
    fn take_core(&mut self, which: Which, core: Range<usize>) {
        for &feature in &self.side(which).feature[core] {
            self.bag.take(feature);
        }
    }

    /// Takes out of the bag what a window agrees with, unit by unit from the middle of its core outwards, and notes which units
    /// nothing was left for. That is how the bag is accounted for while candidates are drawn: each occurrence in it is good for
    /// one agreement.
    fn take_from_middle(&mut self, which: Which, window: &Range<usize>, core: &Range<usize>) {
        let side = self.side(which);
        self.spare.clear();
        self.spare.resize(window.len(), false);
        let middle = (core.start + core.end) / 2;
        let (mut before, mut after) = (middle, middle);
        while before > window.start || after < window.end {
            if after < window.end {
                self.spare[after - window.start] = !self.bag.take(side.feature[after]);
                after += 1;
            }
            if before > window.start {
                before -= 1;
                self.spare[before - window.start] = !self.bag.take(side.feature[before]);
            }
        }
    }

    /// The segment of text `which` with the greatest sum of evidence against `other`, a range of the other text.
    ///
    /// The segment lies inside `window`, overlaps `core`, and, where `unclaimed` is set, holds no claimed unit (which
    /// is for the submission only). `None` if there is none.
    pub fn best_segment(
        &mut self,
        which: Which,
        window: Range<usize>,
        core: Range<usize>,
        other: Range<usize>,
        share: Share,
        unclaimed: bool,
    ) -> Option<AgreeingRange> {
        let offset = evidence::length_offset(other.len());
        self.fill_bag(which.other(), other);
        match self.drawing {
            true => self.take_from_middle(which, &window, &core),
            false => self.take_core(which, core.clone()),
        }
        let (side, row) = (self.side(which), self.table.row(share));
        let (features, flags) = (&side.feature[window.clone()], &side.flags[window.clone()]);
        let (bag, classes) = (self.bag.filled(), &self.rate_class[..]);
        let class = |feature: u32| evidence::index(class_of(classes, feature), offset);
        self.values.clear();
        let units = features.iter().zip(flags);
        if self.drawing {
            let of_unit = |((&feature, &flags), &spare)| row.value(class(feature), flags, bag.of(feature).0, spare);
            self.values.extend(units.zip(&self.spare[..]).map(of_unit));
        } else {
            let (from, len) = (core.start - window.start, core.len());
            self.values.extend(units.enumerate().map(|(at, (&feature, &flags))| {
                let (agrees, left) = bag.of(feature);
                let is_outside = at.wrapping_sub(from) >= len;
                row.value(class(feature), flags, agrees, (left == 0) & is_outside)
            }));
        }
        let values = &self.values[..];
        let value = |i: usize| {
            let is_free = !(unclaimed && self.claimed[i]);
            is_free.then(|| Evidence::from(values[i - window.start]))
        };
        let (evidence, range) = best_range(window.clone(), core.clone(), value, |border| self.bonus(side, border))?;
        let (agreeing, all) = row.information_in(range.clone(), |i| {
            let feature = side.feature[i];
            (class(feature), side.flags[i], bag.of(feature).0)
        });
        Some(AgreeingRange { range, evidence, agreeing: agreeing as f64 / all.max(1) as f64 })
    }

    /// The evidence of a range of text `which` against `other`, a range of the other text, no border rewarded.
    pub fn sum(&mut self, which: Which, range: Range<usize>, other: Range<usize>) -> Evidence {
        let offset = evidence::length_offset(other.len());
        self.fill_bag(which.other(), other);
        let side = self.side(which);
        let row: Row = self.table.row(Share::new(self.settings.copied_share_max));
        let of_unit = |i: usize| {
            let feature = side.feature[i];
            Evidence::from(row.value(self.class(feature, offset), side.flags[i], self.bag.holds(feature), false))
        };
        range.map(of_unit).sum()
    }

    /// A feature's index into a row of the table.
    #[inline]
    pub fn class(&self, feature: u32, offset: u16) -> usize {
        evidence::index(class_of(self.rate_class, feature), offset)
    }
}
