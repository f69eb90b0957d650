//! Pairs of ranges under consideration, and how two of them become one.

use super::evidence::{self, Evidence, Share};
use std::ops::Range;

/// Which of the two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// The submission.
    Submission,
    /// The source.
    Source,
}

impl Which {
    /// The other text.
    pub fn other(self) -> Self {
        match self {
            Which::Submission => Which::Source,
            Which::Source => Which::Submission,
        }
    }
}

/// A range of the submission and a range of the source, in units: a run of equal units, or a part to be aligned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RangePair {
    /// Range in the submission.
    pub submission: Range<usize>,
    /// Range in the source.
    pub source: Range<usize>,
}

impl RangePair {
    /// The shortest ranges that hold those of both.
    pub fn hull(&self, other: &RangePair) -> RangePair {
        RangePair { submission: hull(&self.submission, &other.submission), source: hull(&self.source, &other.source) }
    }

    /// Whether the two overlap in both texts.
    pub fn touches(&self, submission: &Range<usize>, source: &Range<usize>) -> bool {
        touch(&self.submission, submission) && touch(&self.source, source)
    }
}

/// The shortest range that holds both.
pub fn hull(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    a.start.min(b.start)..a.end.max(b.end)
}

fn touch(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// A pair of ranges that may become a passage, in units.
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
    /// The runs inside it, from the first to the last.
    pub runs: Option<RangePair>,
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

/// Evidence of each unit of a run, in nats. A unit of a grown candidate has 2.8 at most on either side (a copied share of 0.4, a
/// chance of 0.025), so of two candidates of one length the run is the stronger. Chosen by hand; not measured apart.
const RUN_NATS: f64 = 8.0;

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

    /// A run of equal features. It is not weighed against chance: it has [`RUN_NATS`] for each unit.
    pub fn run(run: &RangePair) -> Self {
        Self {
            evidence: evidence::from_nats(RUN_NATS * run.submission.len() as f64),
            origin: Origin::Run,
            runs: Some(run.clone()),
            ..Self::seed(run.submission.clone(), run.source.clone(), Share::new(1.0))
        }
    }

    /// One candidate in place of two, to be grown from `share`.
    pub fn join(&self, other: &Candidate, share: Share) -> Candidate {
        let runs = match (&self.runs, &other.runs) {
            (Some(a), Some(b)) => Some(a.hull(b)),
            (one, other) => one.clone().or(other.clone()),
        };
        Candidate {
            evidence: self.evidence + other.evidence,
            runs,
            ..Candidate::seed(hull(&self.submission, &other.submission), hull(&self.source, &other.source), share)
        }
    }

    /// Whether most of it, in the source, is what a run was taken from that stands elsewhere in the submission.
    pub fn says_again(&self, run: &RangePair) -> bool {
        let (from, to) = (self.source.start.max(run.source.start), self.source.end.min(run.source.end));
        !touch(&self.submission, &run.submission) && 2 * to.saturating_sub(from) > self.source.len()
    }

    /// Its ranges.
    pub fn pair(&self) -> RangePair {
        RangePair { submission: self.submission.clone(), source: self.source.clone() }
    }

    /// Its range in one of the texts.
    pub fn range(&self, which: Which) -> &Range<usize> {
        match which {
            Which::Submission => &self.submission,
            Which::Source => &self.source,
        }
    }

    /// Its range in one of the texts, and the share of copied units there.
    pub fn side_mut(&mut self, which: Which) -> (&mut Range<usize>, &mut Share) {
        match which {
            Which::Submission => (&mut self.submission, &mut self.submission_share),
            Which::Source => (&mut self.source, &mut self.source_share),
        }
    }
}
