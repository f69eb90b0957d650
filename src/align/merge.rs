//! Merging: candidates that are neighbours in both texts are one passage.

use super::candidate::{Candidate, Origin, Which};
use super::evidence;
use super::pair::PairAligner;

impl PairAligner<'_> {
    /// Merges neighbours until no two candidates are neighbours in both texts.
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
                    self.join_all(group, candidates);
                }
            }
            candidates.sort_by_key(|c| (c.submission.start, c.source.start, c.submission.end));
            if candidates.len() == before {
                return;
            }
        }
    }

    /// Joins a group; what says again what was copied beside it is a passage of its own. Each is joined to the first of these or to the last,
    /// so that a paragraph that stands a thousand times costs no million looks.
    fn join_all(&self, mut group: Vec<Candidate>, joined: &mut Vec<Candidate>) {
        group.sort_by_key(|candidate| candidate.submission.start);
        let first = joined.len();
        for candidate in group {
            let is_apart = |other: &Candidate| self.says_again(&candidate, other) || self.says_again(other, &candidate);
            let places = [first, joined.len().max(first + 1) - 1];
            match places.into_iter().find(|&place| joined.get(place).is_some_and(|other| !is_apart(other))) {
                Some(place) => joined[place] = self.join(&joined[place], &candidate),
                None => joined.push(candidate),
            }
        }
    }

    /// Whether one says again something copied that the other holds.
    fn says_again(&self, one: &Candidate, other: &Candidate) -> bool {
        let begin = self.copied.partition_point(|copied| copied.submission.end <= other.submission.start);
        let held = self.copied[begin..].iter().take_while(|copied| copied.submission.start < other.submission.end);
        held.filter(|copied| copied.touches(&other.submission, &other.source)).any(|copied| one.says_again(copied))
    }

    /// Cuts candidates apart where there is a gap in one text, then in the other, until no group falls apart.
    fn groups(&self, candidates: Vec<Candidate>) -> Vec<Vec<Candidate>> {
        let mut groups = Vec::new();
        // A group, the text to cut it by, and whether the other text left it whole.
        let mut open = vec![(candidates, Which::Submission, false)];
        while let Some((group, which, held)) = open.pop() {
            let mut parts = self.cut_at_gaps(group, which);
            match parts.len() {
                0 => {}
                1 if held => groups.append(&mut parts),
                n => open.extend(parts.into_iter().map(|part| (part, which.other(), n == 1))),
            }
        }
        groups
    }

    fn cut_at_gaps(&self, mut group: Vec<Candidate>, which: Which) -> Vec<Vec<Candidate>> {
        group.sort_by_key(|c| (c.range(which).start, c.range(which).end));
        let mut parts: Vec<Vec<Candidate>> = Vec::new();
        // The one that reaches furthest so far.
        let (mut end, mut of_run) = (0, false);
        for candidate in group {
            let range = candidate.range(which).clone();
            let is_run = candidate.origin == Origin::Run;
            let settings = self.settings;
            // A run has exact borders, so what belongs to it stands nearer.
            let limit = 2 * if of_run || is_run { settings.run_merge_gap } else { settings.merge_gap };
            let near = range.start <= end || self.side(which).length(&(end..range.start)) <= limit;
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
}
