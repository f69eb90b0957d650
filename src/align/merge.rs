//! Merging: candidates that are neighbours in both texts are one passage.

use super::evidence::{self, Share};
use super::features::Side;
use super::pair::{Candidate, Origin, Pair};
use std::ops::Range;

/// Half words between two ranges; 0 if they touch or overlap.
fn gap(side: &Side, a: &Range<usize>, b: &Range<usize>) -> u32 {
    let (end, start) = (a.end.min(b.end), a.start.max(b.start));
    if start <= end { 0 } else { side.extent(end, start) }
}

fn hull(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    a.start.min(b.start)..a.end.max(b.end)
}

impl Pair<'_> {
    /// Merges neighbours until none is left.
    pub fn merge(&self, candidates: &mut Vec<Candidate>) {
        loop {
            candidates.sort_by_key(|c| (c.submission.start, c.source.start, c.submission.end));
            let before = candidates.len();
            let mut merged: Vec<Candidate> = Vec::with_capacity(before);
            for next in candidates.drain(..) {
                // Merged candidates are sorted by where they start, and hardly overlap: only the last few are near.
                let near = merged.iter().rev().take(8).position(|c| self.neighbours(c, &next));
                match near {
                    Some(back) => {
                        let at = merged.len() - 1 - back;
                        let joined = self.join(&merged[at], &next);
                        merged[at] = joined;
                    }
                    None => merged.push(next),
                }
            }
            *candidates = merged;
            if candidates.len() == before {
                return;
            }
        }
    }

    fn neighbours(&self, a: &Candidate, b: &Candidate) -> bool {
        let settings = self.settings;
        let beside_run = a.origin == Origin::Run || b.origin == Origin::Run;
        let limit = 2 * if beside_run { settings.run_merge_gap } else { settings.merge_gap };
        let weak = a.evidence.min(b.evidence) < evidence::from_nats(settings.run_merge_evidence);
        gap(self.submission, &a.submission, &b.submission) <= limit
            && gap(self.source, &a.source, &b.source) <= limit
            && !(beside_run && weak)
    }

    pub fn join(&self, a: &Candidate, b: &Candidate) -> Candidate {
        let share = Share::new(self.settings.copied_share_max);
        Candidate {
            submission: hull(&a.submission, &b.submission),
            source: hull(&a.source, &b.source),
            evidence: a.evidence + b.evidence,
            submission_share: share,
            source_share: share,
            origin: Origin::Grown,
        }
    }
}
