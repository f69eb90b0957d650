//! The two texts being aligned, and the best segment of one against a range of the other.

use super::evidence::{self, Evidence, EvidenceTable, Share};
use super::features::{Side, Submission, UNSHARED};
use super::rates;
use super::runs::Windows;
use super::settings::AlignSettings;
use crate::text::flag;
use crate::text::units::Units;
use std::ops::Range;

/// A pair of ranges under consideration, in units.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Range in the submission.
    pub submission: Range<usize>,
    /// Range in the source.
    pub source: Range<usize>,
    /// Evidence of both sides together.
    pub evidence: Evidence,
    /// Estimated share of copied units in the submission's range.
    pub submission_share: Share,
    /// Estimated share of copied units in the source's range.
    pub source_share: Share,
    /// How its borders were found.
    pub origin: Origin,
    /// The runs inside it, from the first to the last, on either side.
    pub runs: Option<(Range<usize>, Range<usize>)>,
}

impl Candidate {
    /// A pair of ranges that is to grow.
    pub fn seed(submission: Range<usize>, source: Range<usize>, share: Share) -> Self {
        Self {
            submission,
            source,
            evidence: 0,
            submission_share: share,
            source_share: share,
            origin: Origin::Grown,
            runs: None,
        }
    }

    /// A run of equal features, with the evidence of units that nobody else writes: it is not weighed against chance.
    pub fn run(submission: Range<usize>, source: Range<usize>) -> Self {
        Self {
            evidence: evidence::from_nats(8.0 * submission.len() as f64),
            origin: Origin::Run,
            runs: Some((submission.clone(), source.clone())),
            ..Self::seed(submission, source, Share::new(1.0))
        }
    }
}

/// How a candidate's borders were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// By growing.
    Grown,
    /// A run of equal features: its borders are exact.
    Run,
    /// The parts of a summary together.
    Summary,
}

/// Which of the two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// The submission.
    Submission,
    /// The source.
    Source,
}

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
    /// The class of each feature's rate.
    pub rate_class: &'a [u16],
    pub table: &'a EvidenceTable,
    pub settings: &'a AlignSettings,
    /// The stamp of the range in which each feature was last seen.
    bag: &'a mut Vec<u32>,
    /// How often each feature of the bag stands in its range and is not accounted for yet.
    left: &'a mut Vec<u32>,
    /// The units of a window that agree with nothing that is left.
    spare: &'a mut Vec<bool>,
    stamp: &'a mut u32,
    /// The submission's units that belong to a candidate already.
    pub claimed: &'a mut Vec<bool>,
    /// Whether merged candidates are drawn anew, and no longer grown from seeds.
    pub drawing: bool,
    sentence_bonus: Evidence,
    line_bonus: Evidence,
}

/// Scratch memory that [`PairAligner`] borrows, kept from pair to pair.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    pub rate_class: Vec<u16>,
    pub bag: Vec<u32>,
    pub left: Vec<u32>,
    pub spare: Vec<bool>,
    pub stamp: u32,
    pub claimed: Vec<bool>,
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
        let Scratch { rate_class, bag, left, spare, stamp, claimed } = scratch;
        let Submission { side, sorts, .. } = submission;
        rates::classes(sorts, side, source, settings.rate_smoothing, rate_class);
        if bag.len() < sorts.len() {
            bag.resize(sorts.len(), 0);
            left.resize(sorts.len(), 0);
        }
        claimed.clear();
        claimed.resize(side.len(), false);
        Self {
            submission: side,
            source,
            windows: &submission.windows,
            hashes: (&submission.units.hash, &units.hash),
            rate_class,
            table,
            settings,
            bag,
            left,
            spare,
            stamp,
            claimed,
            drawing: false,
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

    /// The evidence that a range of the submission needs where words alone need so many nats.
    pub fn needed(&self, submission: &Range<usize>, nats: f64) -> Evidence {
        // A word is two half words long, a Han character one.
        let extent = self.submission.extent(submission.start, submission.end) as usize;
        let han = (2 * submission.len() - extent) as f64 / submission.len().max(1) as f64;
        evidence::from_nats(nats * (1.0 + self.settings.han_dependence * han))
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

    /// Remembers which features stand in a range of one text.
    fn fill_bag(&mut self, which: Which, range: Range<usize>) {
        *self.stamp = match self.stamp.checked_add(1) {
            Some(stamp) => stamp,
            None => {
                self.bag.fill(0);
                1
            }
        };
        for &feature in &self.side(which).feature[range] {
            if feature != UNSHARED {
                let f = feature as usize;
                let before = if self.bag[f] == *self.stamp { self.left[f] } else { 0 };
                self.bag[f] = *self.stamp;
                self.left[f] = before + 1;
            }
        }
    }

    /// Finds the units that agree with nothing that is left: each occurrence in the bag's range accounts for one in the other
    /// text. While candidates grow, those inside the core come first; while they are drawn, those nearest its middle.
    fn account(&mut self, which: Which, window: Range<usize>, core: Range<usize>) {
        let side = self.side(which);
        self.spare.clear();
        self.spare.resize(window.len(), false);
        if self.drawing {
            let middle = (core.start + core.end) / 2;
            let (mut before, mut after) = (middle, middle);
            while before > window.start || after < window.end {
                if after < window.end {
                    self.spare[after - window.start] = self.is_spare(side.feature[after]);
                    after += 1;
                }
                if before > window.start {
                    before -= 1;
                    self.spare[before - window.start] = self.is_spare(side.feature[before]);
                }
            }
            return;
        }
        for &feature in &side.feature[core.clone()] {
            self.is_spare(feature);
        }
        for i in (window.start..core.start).chain(core.end..window.end) {
            let feature = side.feature[i];
            self.spare[i - window.start] = feature != UNSHARED && self.left[feature as usize] == 0;
        }
    }

    /// Takes one occurrence of a feature out of the bag; whether there was none left.
    fn is_spare(&mut self, feature: u32) -> bool {
        if feature == UNSHARED || self.bag[feature as usize] != *self.stamp {
            return false;
        }
        let left = &mut self.left[feature as usize];
        let spare = *left == 0;
        *left = left.saturating_sub(1);
        spare
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
        let other_side = if which == Which::Submission { Which::Source } else { Which::Submission };
        self.fill_bag(other_side, other);
        let side = self.side(which);
        self.account(which, window.clone(), core.clone());
        let row = self.table.row(share);
        let (mut sum, mut best_start, mut start) = (0, Evidence::MIN, window.start);
        let mut best: Option<(Evidence, Range<usize>)> = None;
        for i in window.clone() {
            if unclaimed && self.claimed[i] {
                (sum, best_start) = (0, Evidence::MIN);
                continue;
            }
            if i < core.end {
                let value = self.bonus(side, i) - sum;
                if value > best_start {
                    (best_start, start) = (value, i);
                }
            }
            let (agrees, k) = self.agrees(side.feature[i], offset);
            let value = match agrees {
                true if self.spare[i - window.start] => 0,
                true => row.agree[k],
                false => row.differ,
            };
            sum += Evidence::from(value) >> (side.flags[i] & flag::HAN);
            if i >= core.start && best_start > Evidence::MIN {
                let value = sum + best_start + self.bonus(side, i + 1);
                if best.as_ref().is_none_or(|b| value > b.0) {
                    best = Some((value, start..i + 1));
                }
            }
        }
        let (evidence, range) = best?;
        let (mut agreeing, mut all) = (0i64, 0i64);
        for i in range.clone() {
            let (agrees, k) = self.agrees(side.feature[i], offset);
            let information = i64::from(row.information[k]) << (1 - (side.flags[i] & flag::HAN));
            all += information;
            if agrees {
                agreeing += information;
            }
        }
        Some(AgreeingRange { range, evidence, agreeing: agreeing as f64 / all.max(1) as f64 })
    }

    /// The evidence of a range of text `which` against `other`, a range of the other text, no border rewarded.
    pub fn sum(&mut self, which: Which, range: Range<usize>, other: Range<usize>) -> Evidence {
        let offset = evidence::length_offset(other.len());
        let other_side = if which == Which::Submission { Which::Source } else { Which::Submission };
        self.fill_bag(other_side, other);
        let side = self.side(which);
        let row = self.table.row(Share::new(self.settings.copied_share_max));
        let of_unit = |i: usize| {
            let (agrees, k) = self.agrees(side.feature[i], offset);
            Evidence::from(if agrees { row.agree[k] } else { row.differ }) >> (side.flags[i] & flag::HAN)
        };
        range.map(of_unit).sum()
    }

    /// Whether a feature is in the bag, and its index into a row of the table.
    #[inline]
    fn agrees(&self, feature: u32, offset: i32) -> (bool, usize) {
        if feature == UNSHARED {
            return (false, 0);
        }
        let f = feature as usize;
        (self.bag[f] == *self.stamp, evidence::index(self.rate_class[f], offset))
    }
}
