//! Growing a seed into a passage: alternately on each side, the best segment against the other side's range.

use super::evidence::Share;
use super::pair::{AgreeingRange, Candidate, PairAligner, Which};
use std::ops::Range;

/// Rounds of growing at most; hardly any candidate needs more than four.
const ROUNDS: usize = 8;

impl PairAligner<'_> {
    /// Grows a candidate until its borders stay, or for [`ROUNDS`] rounds. Units of the submission that are claimed
    /// stay outside. `None` if nothing is left.
    pub fn grow(&mut self, mut candidate: Candidate) -> Option<Candidate> {
        for _ in 0..ROUNDS {
            let before = (candidate.submission.clone(), candidate.source.clone());
            let window = self.window(Which::Submission, &candidate.submission);
            let segment = self.best_segment(
                Which::Submission,
                window,
                candidate.submission.clone(),
                candidate.source.clone(),
                candidate.submission_share,
                true,
            )?;
            candidate.submission = segment.range;
            candidate.submission_share = self.growing_share(segment.agreeing);
            candidate.evidence = segment.evidence;
            let window = self.window(Which::Source, &candidate.source);
            let segment = self.best_segment(
                Which::Source,
                window,
                candidate.source.clone(),
                candidate.submission.clone(),
                candidate.source_share,
                false,
            )?;
            candidate.source = segment.range;
            candidate.source_share = self.growing_share(segment.agreeing);
            candidate.evidence += segment.evidence;
            if before == (candidate.submission.clone(), candidate.source.clone()) {
                break;
            }
        }
        Some(candidate)
    }

    /// Draws the borders in with the share of copied units that the whole candidate shows: growing caps the share
    /// so that thin stretches can be crossed, which leaves borders too wide.
    pub fn tighten(&mut self, candidate: &mut Candidate) {
        let agreeing = |segment: Option<AgreeingRange>| segment.map(|s| s.agreeing);
        let (submission, source) = (candidate.submission.clone(), candidate.source.clone());
        let window = self.window(Which::Source, &source);
        let share = candidate.source_share;
        let now = self.best_segment(Which::Source, window.clone(), source.clone(), submission.clone(), share, false);
        if let Some(share) = agreeing(now).map(|a| self.tight_share(a))
            && let Some(s) = self.best_segment(Which::Source, window, source, submission.clone(), share, false)
        {
            candidate.source = s.range;
        }
        let source = candidate.source.clone();
        let share = candidate.submission_share;
        let inside = submission.clone();
        let now = self.best_segment(Which::Submission, inside, submission.clone(), source.clone(), share, true);
        if let Some(share) = agreeing(now).map(|a| self.tight_share(a)) {
            let window = self.window(Which::Submission, &submission);
            if let Some(s) = self.best_segment(Which::Submission, window, submission, source, share, true) {
                candidate.submission = s.range;
            }
        }
    }

    /// The range in which the next round looks: half of the passage's length and a reach beyond each border.
    pub fn window(&self, which: Which, range: &Range<usize>) -> Range<usize> {
        let side = self.side(which);
        let beyond = 2 * self.settings.reach + side.extent(range.start, range.end) / 2;
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
