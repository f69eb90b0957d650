//! The two texts being aligned, and the best segment of one against a range of the other.

use super::evidence::{self, Evidence, EvidenceTable, Share};
use super::features::{Side, Submission};
use super::rates::{self, Sort};
use super::runs::{Run, Windows};
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
    /// What sort of unit each feature is of, and the class of its rate.
    pub sorts: &'a [Sort],
    pub rate_class: &'a [u16],
    pub table: &'a EvidenceTable,
    pub settings: &'a AlignSettings,
    /// For each feature, whether it stands in the range that is compared with.
    bag: &'a mut Vec<InBag>,
    /// The units of a window that agree with nothing that is left, while candidates are drawn.
    spare: &'a mut Vec<bool>,
    stamp: &'a mut u32,
    /// The submission's units that belong to a candidate already.
    pub claimed: &'a mut Vec<bool>,
    /// Whether merged candidates are drawn anew, and no longer grown from seeds.
    pub drawing: bool,
    /// The exact runs, once they were asked for.
    pub exact: Option<Vec<Run>>,
    sentence_bonus: Evidence,
    line_bonus: Evidence,
}

/// What is known of a feature while ranges are compared.
#[derive(Debug, Clone, Copy, Default)]
pub struct InBag {
    /// The stamp of the range in which it was last seen.
    stamp: u32,
    /// How often it stands there and is not accounted for yet.
    left: u32,
}

/// Scratch memory that [`PairAligner`] borrows, kept from pair to pair.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    pub rate_class: Vec<u16>,
    pub bag: Vec<InBag>,
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
        let Scratch { rate_class, bag, spare, stamp, claimed } = scratch;
        let Submission { side, sorts, .. } = submission;
        rates::classes(sorts, side, source, settings.rate_smoothing, rate_class);
        if bag.len() < sorts.len() {
            bag.resize(sorts.len(), InBag::default());
        }
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
            stamp,
            claimed,
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
                self.bag.fill(InBag::default());
                1
            }
        };
        for &feature in &self.side(which).feature[range] {
            if let Some(in_bag) = self.bag.get_mut(feature as usize) {
                let before = if in_bag.stamp == *self.stamp { in_bag.left } else { 0 };
                *in_bag = InBag { stamp: *self.stamp, left: before + 1 };
            }
        }
    }

    /// Takes out of the bag what the units of a text agree with first: each occurrence in the bag's range accounts for one. While
    /// candidates grow, those inside the core come first, and the others agree with what they leave; while they are drawn, those
    /// nearest its middle.
    fn account(&mut self, which: Which, window: Range<usize>, core: Range<usize>) {
        let side = self.side(which);
        if !self.drawing {
            for &feature in &side.feature[core] {
                self.is_spare(feature);
            }
            return;
        }
        self.spare.clear();
        self.spare.resize(window.len(), false);
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
    }

    /// Takes one occurrence of a feature out of the bag; whether there was none left.
    fn is_spare(&mut self, feature: u32) -> bool {
        match self.bag.get_mut(feature as usize) {
            Some(in_bag) if in_bag.stamp == *self.stamp => {
                let spare = in_bag.left == 0;
                in_bag.left = in_bag.left.saturating_sub(1);
                spare
            }
            _ => false,
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
            let value = match self.in_bag(side.feature[i]) {
                None => row.differ,
                Some(_) if self.drawing && self.spare[i - window.start] => 0,
                Some(InBag { left: 0, .. }) if !self.drawing && !core.contains(&i) => 0,
                Some(_) => row.agree[self.class(side.feature[i], offset)],
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
            let class = self.class(side.feature[i], offset);
            let information = i64::from(row.information[class]) << (1 - (side.flags[i] & flag::HAN));
            all += information;
            if self.in_bag(side.feature[i]).is_some() {
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
            let agreeing = self.in_bag(side.feature[i]).map(|_| row.agree[self.class(side.feature[i], offset)]);
            Evidence::from(agreeing.unwrap_or(row.differ)) >> (side.flags[i] & flag::HAN)
        };
        range.map(of_unit).sum()
    }

    /// A feature that is in the bag.
    #[inline]
    fn in_bag(&self, feature: u32) -> Option<&InBag> {
        self.bag.get(feature as usize).filter(|in_bag| in_bag.stamp == *self.stamp)
    }

    /// A feature's index into a row of the table.
    #[inline]
    fn class(&self, feature: u32, offset: i32) -> usize {
        self.rate_class.get(feature as usize).map_or(0, |class| evidence::index(*class, offset))
    }
}
