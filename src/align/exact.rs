//! Exact runs are whole: what both texts have word for word is never cut by a border that growing drew, nor by a neighbour.

use super::evidence::{self, Evidence, Share};
use super::merge::hull;
use super::pair::{Candidate, Origin, PairAligner, Which};
use super::passages::whole_text;
use super::runs::{self, Run};
use std::ops::Range;

impl PairAligner<'_> {
    /// Joins each exact run to the candidates on its diagonal, and adds those that are quotations by themselves.
    pub fn join_exact_runs(&mut self, candidates: &mut Vec<Candidate>) {
        let whole = whole_text(self);
        let runs = self.exact_runs();
        self.draw_in_to_quotations(&runs, candidates);
        for run in runs {
            let on_diagonal = |c: &Candidate| {
                touch(&c.submission, &run.submission) && touch(&c.source, &run.source) && c.origin != Origin::Summary
            };
            let (joined, mut others): (Vec<Candidate>, Vec<Candidate>) = candidates.drain(..).partition(on_diagonal);
            let joined = joined.into_iter().reduce(|a, b| self.join(&a, &b));
            let inside =
                |c: &Candidate| c.submission.start <= run.submission.start && run.submission.end <= c.submission.end;
            let length = self.submission.extent(run.submission.start, run.submission.end);
            let taken = match joined {
                Some(mut candidate) => {
                    candidate.submission = hull(&candidate.submission, &run.submission);
                    candidate.source = hull(&candidate.source, &run.source);
                    others.push(candidate);
                    true
                }
                None if length >= whole => {
                    others.push(Candidate::run(run.submission.clone(), run.source.clone()));
                    true
                }
                None if self.is_quotation(&run) && !others.iter().any(inside) => {
                    others.push(self.quotation_of(&run));
                    true
                }
                None => false,
            };
            if taken {
                let last = others.len() - 1;
                for other in &mut others[..last] {
                    give_way(&mut other.submission, &run.submission);
                }
                let mut at = 0;
                others.retain(|c| {
                    at += 1;
                    at > last || !c.submission.is_empty()
                });
            }
            *candidates = others;
        }
    }

    /// The quotations that stand in none of the passages, which are apart and sorted: two runs that adjoin in one text and stand far
    /// apart in the other may have made one candidate, which lost to a third.
    pub fn add_lost_quotations(&mut self, passages: &mut Vec<Candidate>) {
        for run in self.exact_runs() {
            let mut free = vec![];
            let mut at = run.submission.start;
            for passage in passages.iter().filter(|p| p.submission.start < run.submission.end) {
                free.push(at..passage.submission.start);
                at = at.max(passage.submission.end);
            }
            free.push(at..run.submission.end);
            for rest in free.into_iter().filter(|rest| !rest.is_empty()) {
                let from = run.source.start + rest.start - run.submission.start;
                let rest = Run { source: from..from + rest.len(), submission: rest };
                if self.is_quotation(&run) && 2 * rest.submission.len() > run.submission.len() {
                    let quotation = self.quotation_of(&rest);
                    let place = passages.partition_point(|p| p.submission.start < rest.submission.start);
                    passages.insert(place, quotation);
                }
            }
        }
    }

    fn quotation_of(&mut self, run: &Run) -> Candidate {
        let evidence = self.evidence_of(run);
        let quotation = Candidate::run(run.submission.clone(), run.source.clone());
        match evidence < evidence::from_nats(self.settings.quotation_evidence) {
            true => Candidate { evidence, ..quotation },
            false => quotation,
        }
    }

    /// Takes off what a candidate has before its first quotation and after its last, if that is not worth much: a few words
    /// that happen to stand on both sides.
    fn draw_in_to_quotations(&mut self, runs: &[Run], candidates: &mut [Candidate]) {
        for candidate in candidates.iter_mut().filter(|c| c.origin == Origin::Grown) {
            let (submission, source) = (candidate.submission.clone(), candidate.source.clone());
            let on_diagonal = |run: &&Run| touch(&submission, &run.submission) && touch(&source, &run.source);
            let first = runs.partition_point(|run| run.submission.end <= submission.start);
            let inside = runs[first..].iter().take_while(|run| run.submission.start < submission.end);
            let quotations: Vec<&Run> = inside.filter(on_diagonal).filter(|run| self.is_quotation(run)).collect();
            let Some(of_submission) = quotations.iter().map(|run| run.submission.clone()).reduce(|a, b| hull(&a, &b))
            else {
                continue;
            };
            let Some(of_source) = quotations.iter().map(|run| run.source.clone()).reduce(|a, b| hull(&a, &b)) else {
                continue;
            };
            // In a long passage a quotation is one piece among others.
            let extent = |range: &Range<usize>| f64::from(self.submission.extent(range.start, range.end));
            if extent(&of_submission) < self.settings.quotation_share * extent(&submission) {
                continue;
            }
            let least = evidence::from_nats(self.settings.beside_quotation);
            let before = (submission.start..of_submission.start, source.start..of_source.start);
            let after = (of_submission.end..submission.end, of_source.end..source.end);
            let mut worth = |(in_submission, in_source): &(Range<usize>, Range<usize>)| {
                self.sum(Which::Submission, in_submission.clone(), source.clone())
                    + self.sum(Which::Source, in_source.clone(), submission.clone())
            };
            if worth(&before) < least {
                candidate.submission.start = submission.start.max(of_submission.start);
                candidate.source.start = source.start.max(of_source.start);
            }
            if worth(&after) < least {
                candidate.submission.end = submission.end.min(of_submission.end);
                candidate.source.end = source.end.min(of_source.end);
            }
        }
    }

    /// All runs of equal units that are long enough to be joined to something, looked for once. Two may have a few units in
    /// common.
    fn exact_runs(&mut self) -> Vec<Run> {
        let found = self.exact.take().unwrap_or_else(|| self.find_exact_runs());
        self.exact.insert(found).clone()
    }

    fn find_exact_runs(&self) -> Vec<Run> {
        let (a, b) = (self.submission, self.source);
        let extent = |range: &Range<usize>| a.extent(range.start, range.end);
        let mut found = runs::runs(&a.feature, self.windows, &b.feature, extent, self.settings.joined_run, 0);
        // A feature may differ where the unit is the same: it knows its neighbours.
        for Run { submission, source } in &mut found {
            let equal =
                |i: usize, j: usize| self.hashes.0.get(i).is_some_and(|hash| self.hashes.1.get(j) == Some(hash));
            while equal(submission.end, source.end) {
                (submission.end, source.end) = (submission.end + 1, source.end + 1);
            }
            while submission.start > 0 && source.start > 0 && equal(submission.start - 1, source.start - 1) {
                (submission.start, source.start) = (submission.start - 1, source.start - 1);
            }
        }
        found.retain(|run| extent(&run.submission) >= self.least_run(&run.submission, 8, 13));
        found
    }

    /// The half words of a run of so many words, or so many Han characters, or both.
    fn least_run(&self, submission: &Range<usize>, words: u32, characters: u32) -> u32 {
        let extent = self.submission.extent(submission.start, submission.end) as usize;
        let han = (2 * submission.len() - extent) as f64 / submission.len().max(1) as f64;
        (f64::from(2 * words) * (1.0 - han) + f64::from(characters) * han).round() as u32
    }

    fn is_quotation(&self, run: &Run) -> bool {
        let settings = self.settings;
        let least = self.least_run(&run.submission, settings.quotation, settings.quotation_characters);
        settings.quotation > 0 && self.submission.extent(run.submission.start, run.submission.end) >= least
    }

    /// What a run is worth on one side.
    fn evidence_of(&mut self, run: &Run) -> Evidence {
        let share = Share::new(self.settings.copied_share_max);
        let (range, source) = (run.submission.clone(), run.source.clone());
        self.best_segment(Which::Submission, range.clone(), range, source, share, false).map_or(0, |s| s.evidence)
    }
}

fn touch(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Takes a run out of a range that holds an end of it. A range that holds all of it stays as it is.
fn give_way(range: &mut Range<usize>, run: &Range<usize>) {
    if range.start >= run.start && range.start < run.end {
        range.start = run.end.min(range.end);
    } else if range.end > run.start && range.end <= run.end {
        range.end = run.start;
    }
}
