//! Exact runs are whole: what both texts have word for word is never cut by a border that growing drew, nor by a neighbour.

use super::candidate::{Candidate, Origin, RangePair, Which, hull};
use super::evidence::{self, Evidence, Share};
use super::pair::PairAligner;
use super::passages::whole_text;
use super::runs::runs;
use std::ops::Range;

/// How much longer a run of words must be than one of Han characters to be joined, as a fraction: 16 half words, or 8 words, where
/// 12 characters do ([`AlignSettings::joined_run`](super::settings::AlignSettings::joined_run)). Chosen by hand; not measured apart.
pub(super) const WORDS_TO_CHARACTERS: (u32, u32) = (4, 3);

impl PairAligner<'_> {
    /// Joins each exact run to the candidates on its diagonal, and adds those that are quotations by themselves.
    pub fn join_exact_runs(&mut self, candidates: &mut Vec<Candidate>) {
        let whole = whole_text(self);
        let runs = self.exact_runs();
        self.draw_in_to_quotations(&runs, candidates);
        for run in runs {
            let on_diagonal = |c: &Candidate| run.touches(&c.submission, &c.source) && c.origin != Origin::Summary;
            let (joined, mut others): (Vec<Candidate>, Vec<Candidate>) = candidates.drain(..).partition(on_diagonal);
            let joined = joined.into_iter().reduce(|a, b| self.join(&a, &b));
            let inside =
                |c: &Candidate| c.submission.start <= run.submission.start && run.submission.end <= c.submission.end;
            let holder = match joined {
                Some(mut candidate) => {
                    candidate.submission = hull(&candidate.submission, &run.submission);
                    candidate.source = hull(&candidate.source, &run.source);
                    Some(candidate)
                }
                None if self.submission.length(&run.submission) >= whole => Some(Candidate::run(&run)),
                None if self.is_quotation(&run) && !others.iter().any(inside) => Some(self.quotation_of(&run)),
                None => None,
            };
            if holder.is_some() {
                others.iter_mut().for_each(|other| give_way(&mut other.submission, &run.submission));
                others.retain(|other| !other.submission.is_empty());
                others.extend(holder);
            }
            *candidates = others;
        }
    }

    /// The quotations that stand in none of the passages, which are apart and sorted: two runs that adjoin in one text and stand far
    /// apart in the other may have made one candidate, which lost to a third.
    pub fn add_lost_quotations(&mut self, passages: &mut Vec<Candidate>) {
        for run in self.exact_runs() {
            // What of the run no passage holds.
            let mut free = vec![];
            let mut at = run.submission.start;
            for passage in passages.iter().filter(|p| p.submission.start < run.submission.end) {
                free.push(at..passage.submission.start);
                at = at.max(passage.submission.end);
            }
            free.push(at..run.submission.end);
            for rest in free.into_iter().filter(|rest| !rest.is_empty()) {
                let from = run.source.start + rest.start - run.submission.start;
                let rest = RangePair { source: from..from + rest.len(), submission: rest };
                if self.is_quotation(&run) && 2 * rest.submission.len() > run.submission.len() {
                    let quotation = self.quotation_of(&rest);
                    let place = passages.partition_point(|p| p.submission.start < rest.submission.start);
                    passages.insert(place, quotation);
                }
            }
        }
    }

    /// A run as a passage by itself. Where its words are too common to make it count, its evidence says so.
    fn quotation_of(&mut self, run: &RangePair) -> Candidate {
        let evidence = self.evidence_of(run);
        let quotation = Candidate::run(run);
        match evidence < evidence::from_nats(self.settings.quotation_evidence) {
            true => Candidate { evidence, ..quotation },
            false => quotation,
        }
    }

    /// Takes off what a candidate has before its first quotation and after its last, if that is not worth much: a few words
    /// that happen to stand on both sides.
    fn draw_in_to_quotations(&mut self, runs: &[RangePair], candidates: &mut [Candidate]) {
        for candidate in candidates.iter_mut().filter(|c| c.origin == Origin::Grown) {
            let (submission, source) = (candidate.submission.clone(), candidate.source.clone());
            let first = runs.partition_point(|run| run.submission.end <= submission.start);
            let inside = runs[first..].iter().take_while(|run| run.submission.start < submission.end);
            let quotations = inside.filter(|run| run.touches(&submission, &source) && self.is_quotation(run));
            let Some(quoted) = quotations.cloned().reduce(|a, b| a.hull(&b)) else { continue };
            // In a long passage a quotation is one piece among others.
            let length = |range: &Range<usize>| f64::from(self.submission.length(range));
            if length(&quoted.submission) < self.settings.quotation_share * length(&submission) {
                continue;
            }
            let least = evidence::from_nats(self.settings.beside_quotation);
            let mut is_worth_little = |in_submission: Range<usize>, in_source: Range<usize>| {
                let of_submission = self.sum(Which::Submission, in_submission, source.clone());
                of_submission + self.sum(Which::Source, in_source, submission.clone()) < least
            };
            if is_worth_little(submission.start..quoted.submission.start, source.start..quoted.source.start) {
                candidate.submission.start = submission.start.max(quoted.submission.start);
                candidate.source.start = source.start.max(quoted.source.start);
            }
            if is_worth_little(quoted.submission.end..submission.end, quoted.source.end..source.end) {
                candidate.submission.end = submission.end.min(quoted.submission.end);
                candidate.source.end = source.end.min(quoted.source.end);
            }
        }
    }

    /// All runs of equal units that are long enough to be joined to something, looked for once. Two may have a few units in
    /// common.
    fn exact_runs(&mut self) -> Vec<RangePair> {
        let found = self.exact.take().unwrap_or_else(|| self.find_exact_runs());
        self.exact.insert(found).clone()
    }

    fn find_exact_runs(&self) -> Vec<RangePair> {
        let (a, b, least) = (self.submission, self.source, self.settings.joined_run);
        let mut found = runs(&a.feature, self.windows, &b.feature, |range| a.length(range), least, 0);
        // A feature may differ where the unit is the same: it knows its neighbours.
        for RangePair { submission, source } in &mut found {
            let equal =
                |i: usize, j: usize| self.hashes.0.get(i).is_some_and(|hash| self.hashes.1.get(j) == Some(hash));
            while equal(submission.end, source.end) {
                (submission.end, source.end) = (submission.end + 1, source.end + 1);
            }
            while submission.start > 0 && source.start > 0 && equal(submission.start - 1, source.start - 1) {
                (submission.start, source.start) = (submission.start - 1, source.start - 1);
            }
        }
        // The feature of the last Han character holds one more.
        let (words, characters) =
            (f64::from(least * WORDS_TO_CHARACTERS.0) / f64::from(WORDS_TO_CHARACTERS.1), f64::from(least + 1));
        found.retain(|run| {
            let extent = a.extent(&run.submission);
            extent.half_words >= extent.length_between(words, characters)
        });
        found
    }

    fn is_quotation(&self, run: &RangePair) -> bool {
        let settings = self.settings;
        let (words, characters) = (f64::from(2 * settings.quotation), f64::from(settings.quotation_characters));
        let extent = self.submission.extent(&run.submission);
        settings.quotation > 0 && extent.half_words >= extent.length_between(words, characters)
    }

    /// What a run is worth on one side.
    fn evidence_of(&mut self, run: &RangePair) -> Evidence {
        let share = Share::new(self.settings.copied_share_max);
        let (range, source) = (run.submission.clone(), run.source.clone());
        self.best_segment(Which::Submission, range.clone(), range, source, share, false).map_or(0, |s| s.evidence)
    }
}

/// Takes a run out of a range that holds an end of it. A range that holds all of it stays as it is.
fn give_way(range: &mut Range<usize>, run: &Range<usize>) {
    if range.start >= run.start && range.start < run.end {
        range.start = run.end.min(range.end);
    } else if range.end > run.start && range.end <= run.end {
        range.end = run.start;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::evidence::EvidenceTable;
    use crate::align::pair::Scratch;
    use crate::align::settings::AlignSettings;
    use crate::align::side::Side;
    use crate::align::submission::Submission;
    use crate::text::flag;
    use crate::text::units::Units;

    /// How long the exact runs are that are joined, of texts that share stretches of 1 to 20 units.
    fn joined(flags: u8, settings: &AlignSettings) -> Vec<usize> {
        let text = |own: u32| -> Units {
            let apart = (0..9).map(move |at| own + at);
            let hash: Vec<u32> =
                (1..=20).flat_map(|n| (0..n).map(move |at| 100 * n + at).chain(apart.clone())).collect();
            Units { stem: hash.clone(), flags: vec![flags; hash.len()], hash, ..Units::default() }
        };
        let (ours, theirs) = (text(10_000), text(20_000));
        let submission = Submission::new(&ours);
        let (mut source, mut scratch) = (Side::default(), Scratch::default());
        submission.number_source(&theirs, &mut source);
        let table = EvidenceTable::new(settings);
        let mut pair = PairAligner::new(&submission, (&source, &theirs), &mut scratch, &table, settings);
        pair.exact_runs().iter().map(|run| run.submission.len()).collect()
    }

    #[test]
    fn runs_are_joined_from_the_length_on_that_the_setting_gives() {
        for (joined_run, words, characters) in [(12, 8, 13), (6, 4, 7), (15, 10, 16)] {
            let settings = AlignSettings::balanced().with_joined_run(joined_run);
            assert_eq!(joined(0, &settings), (words..=20).collect::<Vec<_>>(), "words, {joined_run}");
            assert_eq!(joined(flag::HAN, &settings), (characters..=20).collect::<Vec<_>>(), "characters, {joined_run}");
        }
    }
}
