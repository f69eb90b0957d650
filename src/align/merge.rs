//! Merging: candidates that are neighbours in both texts are one passage.

use super::evidence::{self, Share};
use super::pair::{Candidate, Origin, PairAligner, Which};
use std::ops::Range;

/// The shortest range that holds both.
pub(super) fn hull(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    a.start.min(b.start)..a.end.max(b.end)
}

impl PairAligner<'_> {
    /// Merges neighbours until none is left: so the sentences of a passage stay together in whatever order the source has
    /// them.
    ///
    /// Candidates are cut apart where there is a gap in one text, then in the other, until no group falls apart any more.
    /// So the sentences of a passage stay together in whatever order they stand in the source.
    pub fn merge(&self, candidates: &mut Vec<Candidate>) {
        loop {
            let before = candidates.len();
            let weakest = evidence::from_nats(self.settings.run_merge_evidence);
            let any_run = candidates.iter().any(|c| c.origin == Origin::Run);
            // Beside a run a weak candidate is nothing but its surroundings.
            let (weak, strong): (Vec<_>, Vec<_>) =
                candidates.drain(..).partition(|c| any_run && c.origin != Origin::Run && c.evidence < weakest);
            for set in [strong, weak] {
                for group in self.groups(set) {
                    candidates.extend(group.into_iter().reduce(|a, b| self.join(&a, &b)));
                }
            }
            candidates.sort_by_key(|c| (c.submission.start, c.source.start, c.submission.end));
            if candidates.len() == before {
                return;
            }
        }
    }

    /// Cuts candidates apart where there is a gap in one text, then in the other, until no group falls apart.
    fn groups(&self, candidates: Vec<Candidate>) -> Vec<Vec<Candidate>> {
        let mut groups = Vec::new();
        // A group, the text to cut it by, and whether the other text left it whole.
        let mut open = vec![(candidates, Which::Submission, false)];
        while let Some((group, which, held)) = open.pop() {
            let other = if which == Which::Submission { Which::Source } else { Which::Submission };
            let mut parts = self.cut_at_gaps(group, which);
            match parts.len() {
                0 => {}
                1 if held => groups.append(&mut parts),
                n => open.extend(parts.into_iter().map(|part| (part, other, n == 1))),
            }
        }
        groups
    }

    fn cut_at_gaps(&self, mut group: Vec<Candidate>, which: Which) -> Vec<Vec<Candidate>> {
        let range = |c: &Candidate| if which == Which::Submission { c.submission.clone() } else { c.source.clone() };
        group.sort_by_key(|c| (range(c).start, range(c).end));
        let mut parts: Vec<Vec<Candidate>> = Vec::new();
        // The one that reaches furthest so far.
        let (mut end, mut of_run) = (0, false);
        for candidate in group {
            let range = range(&candidate);
            let is_run = candidate.origin == Origin::Run;
            let settings = self.settings;
            let limit = 2 * if of_run || is_run { settings.run_merge_gap } else { settings.merge_gap };
            let near = range.start <= end || self.side(which).extent(end, range.start) <= limit;
            if range.end >= end {
                (end, of_run) = (range.end, is_run);
            }
            match parts.last_mut() {
                Some(part) if near => part.push(candidate),
                _ => parts.push(vec![candidate]),
            }
        }
        parts
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
