//! Growing a seed into a passage: alternately on each side, the best segment against the other side's range.

use super::candidate::{Candidate, RangePair, Which};
use super::evidence::Share;
use super::pair::PairAligner;
use std::ops::Range;

/// Rounds of growing at most. Hardly any candidate needs more than four; a bound on it was worth nothing as a setting
/// (docs/ALIGNMENT.md, *What was tried and left out*).
const ROUNDS: usize = 8;

impl PairAligner<'_> {
    /// Grows a candidate until its borders stay, or for [`ROUNDS`] rounds. Units of the submission that are claimed
    /// stay outside. `None` if nothing is left.
    pub fn grow(&mut self, mut candidate: Candidate) -> Option<Candidate> {
        for _ in 0..ROUNDS {
            let before = (candidate.submission.clone(), candidate.source.clone());
            candidate.evidence = 0;
            for which in [Which::Submission, Which::Source] {
                let other = candidate.range(which.other()).clone();
                let (range, share) = candidate.side_mut(which);
                let window = self.window(which, range);
                let unclaimed = which == Which::Submission;
                let segment = self.best_segment(which, window, range.clone(), other, *share, unclaimed)?;
                (*range, *share) = (segment.range, self.growing_share(segment.agreeing));
                candidate.evidence += segment.evidence;
            }
            if before == (candidate.submission.clone(), candidate.source.clone()) {
                break;
            }
        }
        Some(candidate)
    }

    /// Draws the borders of a merged candidate anew. What runs it holds stays inside: in a text that repeats itself
    /// equal units are no evidence, and growing would lose them.
    pub fn redraw(&mut self, candidate: &mut Candidate) {
        let Some(mut grown) = self.grow(candidate.clone()) else { return };
        self.tighten(&mut grown);
        if let Some(runs) = &candidate.runs {
            let drawn = RangePair { submission: grown.submission, source: grown.source };
            RangePair { submission: grown.submission, source: grown.source } = drawn.hull(runs);
            grown.evidence = grown.evidence.max(Candidate::run(runs).evidence);
        }
        *candidate = grown;
    }

    /// Draws the borders in with the share of copied units that the whole candidate shows: growing caps the share
    /// so that thin stretches can be crossed, which leaves borders too wide.
    fn tighten(&mut self, candidate: &mut Candidate) {
        // The source first; the submission is then drawn against what is left of it.
        for which in [Which::Source, Which::Submission] {
            let other = candidate.range(which.other()).clone();
            let (range, share) = candidate.side_mut(which);
            let (window, unclaimed) = (self.window(which, range), which == Which::Submission);
            let measured = if unclaimed { range.clone() } else { window.clone() };
            let now = self.best_segment(which, measured, range.clone(), other.clone(), *share, unclaimed);
            let Some(share) = now.map(|now| self.tight_share(now.agreeing)) else { continue };
            if let Some(tight) = self.best_segment(which, window, range.clone(), other, share, unclaimed) {
                *range = tight.range;
            }
        }
    }

    /// The range in which the next round looks: half of the passage's length and a reach beyond each border.
    fn window(&self, which: Which, range: &Range<usize>) -> Range<usize> {
        let side = self.side(which);
        let beyond = 2 * self.settings.reach + side.length(range) / 2;
        side.back(range.start, beyond)..side.forth(range.end, beyond)
    }

    fn growing_share(&self, agreeing: f64) -> Share {
        let settings = self.settings;
        let most = if self.drawing { settings.drawn_share_max } else { settings.copied_share_max };
        Share::new(agreeing.clamp(settings.copied_share_min, most))
    }

    fn tight_share(&self, agreeing: f64) -> Share {
        Share::new((agreeing * self.settings.tightening).max(self.settings.copied_share_min))
    }
}
