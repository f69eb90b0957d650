//! From grown candidates to passages: they are merged, and what is promising is drawn anew, each saying of a part of the source by itself.

use super::candidate::{Candidate, Origin, RangePair};
use super::evidence::{self, Evidence};
use super::pair::PairAligner;
use crate::job::Cancel;
use std::ops::Range;

/// The share of the evidence a passage needs from which a candidate is drawn anew: drawing hardly adds to it. Of 110,000
/// candidates of PAN's texts that had less, 1 would have been accepted.
const PROMISING: f64 = 0.5;

/// From how many halves of its source's length on a merged candidate may say its source twice. Without that rule PAN's plagdet was .0002 lower.
const HALVES_OF_TWO: u32 = 3;

/// Merges candidates, and draws what is promising anew. What says a part of the source again is merged with what says it first, but each
/// unit of the source stands for one of the submission, so that one of them is drawn: what that leaves is merged and drawn by itself.
pub(super) fn merged_and_drawn(pair: &mut PairAligner, grown: Vec<Candidate>, cancel: &Cancel) -> Vec<Candidate> {
    let (mut drawn, mut parts, mut accepted) = (Vec::new(), grown, Vec::<RangePair>::new());
    loop {
        let (mut merged, mut is_left, before) = (parts.clone(), vec![false; parts.len()], accepted.len());
        pair.merge(&mut merged);
        for candidate in &mut merged {
            let promising = pair.needed(&candidate.submission, PROMISING * pair.settings.acceptance);
            if candidate.origin == Origin::Run || candidate.evidence < promising || cancel.is_cancelled() {
                continue;
            }
            let whole = candidate.pair();
            pair.claim(whole.submission.clone(), false);
            for passage in &accepted[..before] {
                pair.claim(passage.submission.clone(), true);
            }
            let is_of_whole = |part: &Candidate| whole.touches(&part.submission, &part.source);
            let saying = match may_say_twice(pair, &whole) && candidate.runs.is_none() {
                true => {
                    let held = parts.iter().filter(|part| is_of_whole(part)).cloned().collect();
                    first_saying(held, pair.needed(&whole.submission, pair.settings.counted_evidence))
                }
                false => None,
            };
            if let Some((first, again)) = &saying {
                (candidate.submission, candidate.source) = (first.submission.clone(), first.source.clone());
                note_besides_runs(pair, &[&accepted[..], again].concat());
            }
            pair.redraw(candidate);
            pair.claim(candidate.submission.clone(), true);
            if is_accepted(pair, candidate) {
                accepted.push(candidate.pair());
            } else if saying.is_none() {
                continue;
            }
            if saying.is_some() {
                note_besides_runs(pair, &accepted);
            }
            let passage = &candidate.submission;
            for (part, is_left) in parts.iter().zip(&mut is_left) {
                *is_left |= is_of_whole(part) && !part.pair().touches(passage, &part.source);
            }
        }
        drawn.append(&mut merged);
        let all = parts.len();
        let is_drawn =
            |part: &Candidate| accepted.iter().any(|passage| part.pair().touches(&passage.submission, &part.source));
        let left = parts.into_iter().zip(is_left).filter(|(part, is_left)| *is_left && !is_drawn(part));
        parts = left.map(|(part, _)| part).collect();
        if parts.is_empty() || parts.len() == all {
            return drawn;
        }
        note_besides_runs(pair, &accepted);
    }
}

/// Whether a merged candidate is long enough for saying its source twice.
fn may_say_twice(pair: &PairAligner, whole: &RangePair) -> bool {
    2 * pair.submission.length(&whole.submission) >= HALVES_OF_TWO * pair.source.length(&whole.source)
}

/// Notes what was copied besides the runs.
fn note_besides_runs(pair: &mut PairAligner, passages: &[RangePair]) {
    let is_held = |run: &RangePair, passage: &RangePair| {
        passage.submission.start <= run.submission.start && run.submission.end <= passage.submission.end
    };
    let mut copied = pair.runs.clone();
    copied.retain(|run| !passages.iter().any(|passage| is_held(run, passage)));
    copied.extend_from_slice(passages);
    pair.note_copied(copied);
}

/// Of some candidates the strongest with those around it, as far as none says again what another of them says, and the rest; `None` if either
/// has less than this evidence.
fn first_saying(mut held: Vec<Candidate>, least: Evidence) -> Option<(RangePair, Vec<RangePair>)> {
    held.sort_by_key(|part| (part.submission.start, part.submission.end));
    let strongest = (0..held.len()).max_by_key(|&at| (held[at].evidence, std::cmp::Reverse(at)))?;
    let says_again = |at: usize, taken: Range<usize>| {
        held[taken].iter().any(|part| part.says_again(&held[at].pair()) || held[at].says_again(&part.pair()))
    };
    let (mut from, mut to) = (strongest, strongest + 1);
    while to < held.len() && !says_again(to, from..to) {
        to += 1;
    }
    while from > 0 && !says_again(from - 1, from..to) {
        from -= 1;
    }
    let first: Vec<Candidate> = held.drain(from..to).collect();
    let evidence = |parts: &[Candidate]| parts.iter().map(|part| part.evidence).sum::<Evidence>();
    if evidence(&first).min(evidence(&held)) < least {
        return None;
    }
    let first = first.iter().map(Candidate::pair).reduce(|all, part| all.hull(&part))?;
    Some((first, held.iter().map(Candidate::pair).collect()))
}

/// Whether a candidate has the evidence that a passage needs.
pub(super) fn is_accepted(pair: &PairAligner, candidate: &Candidate) -> bool {
    let settings = pair.settings;
    let shorter = pair.submission.length(&candidate.submission).min(pair.source.length(&candidate.source));
    let acceptance = if shorter < 2 * settings.short { settings.acceptance_short } else { settings.acceptance };
    // With an exact run in the pair, what would not count is not asked for: it is mostly what surrounds the run.
    let acceptance = if pair.runs.is_empty() { acceptance } else { acceptance.max(settings.counted_evidence) };
    let needed = pair.needed(&candidate.submission, acceptance);
    candidate.origin == Origin::Run || candidate.evidence - unlikely_lengths(pair, candidate) >= needed
}

/// What the ratio of a candidate's lengths takes from its evidence.
fn unlikely_lengths(pair: &PairAligner, candidate: &Candidate) -> Evidence {
    let (ours, theirs) = (pair.submission.length(&candidate.submission), pair.source.length(&candidate.source));
    let ratio = f64::from(ours) / f64::from(theirs);
    evidence::from_nats(pair.settings.length_penalty * ratio.ln().powi(2))
}
