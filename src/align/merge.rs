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

    /// One candidate in place of two.
    pub fn join(&self, a: &Candidate, b: &Candidate) -> Candidate {
        let share = Share::new(self.settings.copied_share_max);
        let runs = match (&a.runs, &b.runs) {
            (Some(a), Some(b)) => Some((hull(&a.0, &b.0), hull(&a.1, &b.1))),
            (one, other) => one.clone().or(other.clone()),
        };
        Candidate {
            evidence: a.evidence + b.evidence,
            runs,
            ..Candidate::seed(hull(&a.submission, &b.submission), hull(&a.source, &b.source), share)
        }
    }

    /// Draws the borders of a merged candidate anew. What runs it holds stays inside: in a text that repeats itself
    /// equal units are no evidence, and growing would lose them.
    pub fn redraw(&mut self, candidate: &mut Candidate) {
        let Some(mut grown) = self.grow(candidate.clone()) else { return };
        self.tighten(&mut grown);
        if let Some((submission, source)) = &candidate.runs {
            let of_runs = Candidate::run(submission.clone(), source.clone()).evidence;
            grown.submission = hull(&grown.submission, submission);
            grown.source = hull(&grown.source, source);
            grown.evidence = grown.evidence.max(of_runs);
        }
        *candidate = grown;
    }
}
