//! From two texts to the passages they share: the order of the steps, and what is kept of their results.

use super::candidate::{Candidate, RangePair};
use super::drawing::{is_accepted, merged_and_drawn};
use super::evidence::{self, Share};
use super::features;
use super::pair::PairAligner;
use super::runs::runs;
use super::seeds::Seed;
use super::side::Side;
use super::verbatim::verbatim_runs;
use crate::job::Cancel;
use crate::text::flag;
use std::collections::BTreeMap;
use std::ops::Range;

/// All passages worth reporting, whatever their length; some of them once `cancel` says so.
pub(super) fn passages(pair: &mut PairAligner, cancel: &Cancel) -> Vec<Candidate> {
    let settings = pair.settings;
    // Runs come first and claim their units, so that nothing is grown across them.
    take_runs(pair);
    let mut candidates: Vec<Candidate> = pair.runs.iter().map(Candidate::run).collect();
    if cancel.is_cancelled() {
        return Vec::new();
    }
    grow_seeds(pair, &mut candidates, cancel);
    if cancel.is_cancelled() {
        return Vec::new();
    }
    let summaries =
        if settings.summaries && pair.runs.is_empty() { pair.take_summaries(&mut candidates) } else { Vec::new() };
    // What was merged has borders that its parts drew, each against a piece of the other side: they are drawn anew.
    pair.drawing = true;
    let mut candidates = merged_and_drawn(pair, candidates, cancel);
    candidates.retain(|c| {
        summaries.iter().all(|s| c.submission.end <= s.submission.start || c.submission.start >= s.submission.end)
    });
    candidates.retain(|c| is_accepted(pair, c));
    pair.follow(&mut candidates);
    pair.merge(&mut candidates);
    candidates.extend(summaries);
    pair.join_exact_runs(&mut candidates);
    candidates
}

/// Finds the runs long enough to be passages of their own, and claims them.
fn take_runs(pair: &mut PairAligner) {
    let settings = pair.settings;
    let (ours, theirs) = (pair.submission, &pair.source.feature);
    let length = |range: &Range<usize>| ours.length(range);
    let found = runs(&ours.feature, pair.windows, theirs, length, 2 * settings.run, settings.run_gap as usize);
    for run in &found {
        pair.claim(run.submission.clone(), true);
    }
    pair.note_copied(found.clone());
    pair.runs = found;
}

/// Grows seeds, best first, and claims what is promising.
fn grow_seeds(pair: &mut PairAligner, candidates: &mut Vec<Candidate>, cancel: &Cancel) {
    let settings = pair.settings;
    let shorter = pair.submission.whole().min(pair.source.whole());
    let mut left = settings.max_seeds as usize + (shorter / (2 * settings.words_per_seed.max(1))) as usize;
    let least = evidence::from_nats(settings.candidate_evidence);
    let share = Share::new(settings.copied_share_max);
    let mut tried = Tried::new(pair.submission.len());
    for seed in pair.seeds() {
        if left == 0 || cancel.is_cancelled() {
            break;
        }
        // Most of it belongs to a passage already, or growing has been here.
        let claimed = pair.claimed[seed.submission.clone()].iter().filter(|c| **c).count();
        if 2 * claimed > seed.submission.len() || tried.near(&seed, settings.block as usize) {
            continue;
        }
        left -= 1;
        tried.push(seed.submission.clone(), seed.source.clone());
        let grown = pair.grow(Candidate::seed(seed.submission, seed.source, share));
        if let Some(grown) = grown {
            tried.push(grown.submission.clone(), grown.source.clone());
            if grown.evidence >= least {
                pair.claim(grown.submission.clone(), true);
                candidates.push(grown);
            }
        }
    }
}

/// The pairs of ranges that growing has covered, in buckets of the submission.
struct Tried {
    buckets: Vec<Vec<RangePair>>,
}

impl Tried {
    /// Units of the submission in a bucket: several seeds' worth, so that a pair of ranges stands in few buckets. It changes no
    /// result.
    const BUCKET: usize = 256;

    fn new(len: usize) -> Self {
        Self { buckets: vec![Vec::new(); len / Self::BUCKET + 1] }
    }

    fn push(&mut self, submission: Range<usize>, source: Range<usize>) {
        for bucket in submission.start / Self::BUCKET..=submission.end / Self::BUCKET {
            if let Some(bucket) = self.buckets.get_mut(bucket) {
                bucket.push(RangePair { submission: submission.clone(), source: source.clone() });
            }
        }
    }

    /// Whether the middle of a seed lies in, or at most `margin` units from, a pair of ranges.
    fn near(&self, seed: &Seed, margin: usize) -> bool {
        let a = (seed.submission.start + seed.submission.end) / 2;
        let b = (seed.source.start + seed.source.end) / 2;
        let within = |range: &Range<usize>, at: usize| at + margin >= range.start && at < range.end + margin;
        let buckets = a.saturating_sub(margin) / Self::BUCKET..=(a + margin) / Self::BUCKET;
        buckets
            .filter_map(|i| self.buckets.get(i))
            .flatten()
            .any(|tried| within(&tried.submission, a) && within(&tried.source, b))
    }
}

/// Every run of at least `least` countable characters, a word of a script with spaces counting two.
pub(super) fn strict(pair: &PairAligner, least: u32) -> Vec<Candidate> {
    let lengths = (&pair.submission.half_words[..], &pair.source.half_words[..]);
    verbatim_runs(pair.hashes.0, pair.hashes.1, lengths, least).iter().map(Candidate::run).collect()
}

/// Keeps candidates apart in the submission: a weaker one gives up what it has in common with a stronger one, and
/// goes if that is half of it. Sorted by where they start.
pub(super) fn apart(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by_key(|c| (-c.evidence, c.submission.start, c.source.start));
    let mut kept: BTreeMap<usize, Candidate> = BTreeMap::new();
    for mut candidate in candidates {
        let len = candidate.submission.len();
        let range = &mut candidate.submission;
        while let Some((_, before)) = kept.range(..=range.start).next_back()
            && before.submission.end > range.start
        {
            range.start = before.submission.end;
        }
        if let Some((next, _)) = kept.range(range.start..).next() {
            range.end = range.end.min(*next);
        }
        if 2 * (range.end.saturating_sub(range.start)) > len {
            kept.insert(range.start, candidate);
        }
    }
    kept.into_values().collect()
}

/// A Han character's feature reaches over its right neighbour, so a passage ends one character too early when its
/// last feature stands in the other text's passage too. Takes that character along where it is free.
pub(super) fn take_last_characters(pair: &PairAligner, candidates: &mut [Candidate]) {
    for i in 0..candidates.len() {
        let free = candidates.get(i + 1).map_or(pair.submission.len(), |next| next.submission.start);
        let candidate = &mut candidates[i];
        let (a, b) = (candidate.submission.clone(), candidate.source.clone());
        let ends_early = |side: &Side, range: &Range<usize>, other: &[u32]| {
            let last = range.end - 1;
            let pair_of_han = side.flags.get(last..last + 2).is_some_and(|f| f[0] & f[1] & flag::HAN != 0);
            pair_of_han && side.feature[last] != features::UNSHARED && other.contains(&side.feature[last])
        };
        if a.end < free && ends_early(pair.submission, &a, &pair.source.feature[b.clone()]) {
            candidate.submission.end += 1;
        }
        if ends_early(pair.source, &b, &pair.submission.feature[a]) {
            candidate.source.end += 1;
        }
    }
}

/// From how many half words on a run is as good as the whole of the shorter text.
pub(super) fn whole_text(pair: &PairAligner) -> u32 {
    let shorter = f64::from(pair.submission.whole().min(pair.source.whole()));
    let share = (shorter * pair.settings.whole_share).ceil() as u32;
    share.max(2 * pair.settings.whole_run)
}
