//! The ratios of a submission, as sums over its segments.

use super::ratio;
use super::segments::{CountedSegment, Status, matched};
use serde::{Deserialize, Serialize};

/// A numerator, a denominator, and what comes of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Ratio {
    /// Countable characters that stand in sources.
    pub matched: u64,
    /// Countable characters of the submission that count.
    pub characters: u64,
    /// `matched / characters`; 0 when nothing counts.
    pub ratio: f64,
}

impl Ratio {
    /// The ratio of two numbers of countable characters.
    pub(crate) fn new(matched: u64, characters: u64) -> Self {
        Ratio { matched, characters, ratio: ratio(matched, characters) }
    }
}

/// The ratios of a submission.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Ratios {
    /// All that stands in sources.
    pub all: Ratio,
    /// Without what is quoted and cited.
    pub without_quotes: Ratio,
    /// Without what only the author's own works hold.
    pub without_own_work: Ratio,
    /// The one source with the most.
    pub largest_source: Ratio,
    /// What stands outside of passages in runs of a few words that some document holds, each too short to be a passage. It is in
    /// no other ratio.
    pub in_short_runs: Ratio,
}

impl Ratios {
    /// The ratios of a text of these segments. `largest_source` are the countable characters that the largest source has of it, and
    /// `in_short_runs` those in short runs.
    pub(crate) fn new(segments: &[CountedSegment], largest_source: u64, in_short_runs: u64) -> Self {
        let total = segments.iter().map(|segment| segment.characters).sum();
        let sum = |counts: &dyn Fn(&CountedSegment) -> bool| Ratio::new(matched(segments, counts), total);
        Ratios {
            all: sum(&|_| true),
            without_quotes: sum(&|segment| segment.status != Status::QuotedAndCited),
            without_own_work: sum(&|segment| !segment.own_work),
            largest_source: Ratio::new(largest_source, total),
            in_short_runs: Ratio::new(in_short_runs, total),
        }
    }
}
