//! Where exactly two texts agree.
//!
//! [`Aligner::align`] compares a submission with one source and returns the passages they share. It needs no
//! sentences, no word segmenter and no statistics of a collection, and works on [`Units`] of any language.
//!
//! 1. [`features`]: the stem of a word; a Han character with its right neighbour.
//! 2. [`runs`]: long stretches with the same features are taken with their exact borders.
//! 3. [`seeds`]: squares of neighbouring blocks that share more than chance would have it.
//! 4. [`grow`]: each seed grows into the pair of ranges with the greatest [`evidence`] of copying.
//! 5. [`summary`]: pieces close together in the submission and far apart in the source are a summary.
//! 6. [`merge`]: neighbours become one passage, which is drawn in once more.
//! 7. What has evidence enough and is long enough is reported with its [`kind`] and similarity.

mod evidence;
mod features;
mod grow;
mod kind;
mod merge;
mod pair;
mod runs;
mod seeds;
mod settings;
mod summary;

pub use features::Submission;
pub use settings::AlignSettings;

use crate::text::units::Units;
use evidence::{Evidence, EvidenceTable, NAT, Share};
use features::Side;
use pair::{Candidate, Origin, Pair, Scratch, Which};
use std::ops::Range;

/// What kind of match a passage is; the rules stand in the documentation of the aligner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// The same units in the same order.
    Verbatim,
    /// Copied with changes.
    Edited,
    /// A good part stands in another order.
    Reordered,
    /// Found only after undoing zero-width characters, look-alike letters or a change of script.
    Disguised,
}

impl Kind {
    /// The word that stands for it in a CSV file.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Verbatim => "verbatim",
            Kind::Edited => "edited",
            Kind::Reordered => "reordered",
            Kind::Disguised => "disguised",
        }
    }
}

/// A passage that two texts share.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// Range in the submission, in units.
    pub submission: Range<u32>,
    /// Range in the source, in units.
    pub source: Range<u32>,
    /// Range in the submission's extracted text, in characters, adjoining punctuation taken along.
    pub submission_chars: Range<u32>,
    /// Range in the source's extracted text, in characters, adjoining punctuation taken along.
    pub source_chars: Range<u32>,
    /// Dice coefficient of the multisets of features on both sides, 0–1.
    pub similarity: f32,
    /// What kind of match it is.
    pub kind: Kind,
    /// Evidence that the agreement is copying and not chance, in nats.
    pub evidence: f32,
}

/// Aligns pairs of texts. Holds scratch memory: make one per thread and keep it.
#[derive(Debug, Clone)]
pub struct Aligner {
    settings: AlignSettings,
    table: EvidenceTable,
    scratch: Scratch,
    source: Side,
    source_counts: Vec<u32>,
}

impl Aligner {
    /// An aligner with the given settings.
    pub fn new(settings: AlignSettings) -> Self {
        Self {
            settings,
            table: EvidenceTable::new(&settings),
            scratch: Scratch::default(),
            source: Side::default(),
            source_counts: Vec::new(),
        }
    }

    /// The settings it was made with.
    pub fn settings(&self) -> &AlignSettings {
        &self.settings
    }

    /// The passages that a submission shares with a source, sorted by where they start in the submission.
    ///
    /// Passages do not overlap in the submission; in the source they may, when it was copied from twice. The result
    /// depends on nothing but the two texts and the settings.
    pub fn align(&mut self, submission: &Submission, source: &Units) -> Vec<Match> {
        if submission.units.is_empty() || source.is_empty() {
            return Vec::new();
        }
        let units = submission.units;
        if units.hash == source.hash {
            let whole = Candidate {
                submission: 0..units.len(),
                source: 0..source.len(),
                evidence: run_evidence(units.len()),
                submission_share: Share::new(1.0),
                source_share: Share::new(1.0),
                origin: Origin::Run,
            };
            return vec![finish(units, source, &whole)];
        }
        submission.number_source(source, &mut self.source, &mut self.source_counts);
        let mut pair = Pair::new(
            &submission.side,
            &self.source,
            &submission.counts,
            &self.source_counts,
            &mut self.scratch,
            &self.table,
            &self.settings,
        );
        let candidates = match self.settings.verbatim_only {
            Some(least) => verbatim_runs(&pair, units, source, least),
            None => passages(&mut pair),
        };
        let long_enough = |m: &Match| {
            m.submission_chars.len() >= self.settings.min_match as usize
                && m.source_chars.len() >= self.settings.min_match_source as usize
        };
        let mut matches: Vec<Match> =
            apart(candidates).iter().map(|candidate| finish(units, source, candidate)).filter(long_enough).collect();
        matches.sort_by_key(|m| (m.submission.start, m.source.start));
        matches
    }
}

/// The evidence given to a run, which is not weighed against chance: that of units nobody else writes.
fn run_evidence(len: usize) -> Evidence {
    evidence::from_nats(8.0 * len as f64)
}

/// All passages worth reporting, whatever their length.
fn passages(pair: &mut Pair) -> Vec<Candidate> {
    let settings = pair.settings;
    let mut candidates = exact_runs(pair);
    let any_run = !candidates.is_empty();
    grow_seeds(pair, &mut candidates);
    let summaries = if settings.summaries && !any_run { pair.take_summaries(&mut candidates) } else { Vec::new() };
    pair.merge(&mut candidates);
    for candidate in &mut candidates {
        if candidate.origin == Origin::Run {
            continue;
        }
        pair.claim(candidate.submission.clone(), false);
        if let Some(grown) = pair.grow(candidate.clone()) {
            *candidate = grown;
            pair.tighten(candidate);
        }
        pair.claim(candidate.submission.clone(), true);
    }
    candidates.retain(|c| {
        summaries.iter().all(|s| c.submission.end <= s.submission.start || c.submission.start >= s.submission.end)
    });
    let acceptance = if any_run { settings.acceptance_beside_run } else { settings.acceptance };
    let acceptance = evidence::from_nats(acceptance);
    candidates.retain(|c| {
        let (x, y) = (
            f64::from(pair.submission.extent(c.submission.start, c.submission.end)),
            f64::from(pair.source.extent(c.source.start, c.source.end)),
        );
        let r = (x / y).ln();
        c.origin == Origin::Run || c.evidence - evidence::from_nats(settings.length_penalty * r * r) >= acceptance
    });
    candidates.extend(summaries);
    candidates
}

/// The runs that are passages of their own, claimed.
fn exact_runs(pair: &mut Pair) -> Vec<Candidate> {
    let settings = pair.settings;
    let mut kept = Vec::new();
    let extent = |range: &Range<usize>| pair.submission.extent(range.start, range.end);
    let (a, b) = (&pair.submission.feature, &pair.source.feature);
    for run in runs::runs(a, b, extent, 2 * settings.run, settings.run_gap as usize) {
        let share = Share::new(settings.copied_share_start);
        let seed = Candidate {
            submission: run.submission.clone(),
            source: run.source.clone(),
            evidence: 0,
            submission_share: share,
            source_share: share,
            origin: Origin::Grown,
        };
        if is_part_of_more(pair, &seed) {
            continue;
        }
        pair.claim(run.submission.clone(), true);
        kept.push(as_candidate(run));
    }
    kept
}

/// Whether a run grows into a clearly larger passage, of which it is only a part.
fn is_part_of_more(pair: &mut Pair, run: &Candidate) -> bool {
    let settings = pair.settings;
    let Some(grown) = pair.grow(run.clone()) else {
        return false;
    };
    let (a, b) = (&run.submission, &grown.submission);
    if b.start > a.start + 3 || b.end + 3 < a.end {
        return false;
    }
    let shorter = grown.submission.len().min(grown.source.len()) as f64;
    if shorter < settings.run_growth * a.len() as f64 {
        return false;
    }
    let share = grown.submission_share;
    let mut evidence = |range: &Range<usize>| {
        let (window, source) = (range.clone(), grown.source.clone());
        let segment = pair.best_segment(Which::Submission, window, range.clone(), source, share, false);
        segment.map_or(0, |s| s.evidence)
    };
    evidence(b) - evidence(a) >= evidence::from_nats(settings.run_growth_evidence)
}

/// Grows seeds, best first, and claims what is promising.
fn grow_seeds(pair: &mut Pair, candidates: &mut Vec<Candidate>) {
    let settings = pair.settings;
    let shorter = pair.submission.half_words[pair.submission.len()].min(pair.source.half_words[pair.source.len()]);
    let mut left = settings.max_seeds as usize + (shorter / (2 * settings.words_per_seed.max(1))) as usize;
    let least = evidence::from_nats(settings.candidate_evidence);
    let share = Share::new(settings.copied_share_start);
    let mut tried = Tried::new(pair.submission.len());
    for seed in pair.seeds() {
        if left == 0 {
            break;
        }
        let claimed = pair.claimed[seed.submission.clone()].iter().filter(|c| **c).count();
        if 2 * claimed > seed.submission.len() || tried.near(&seed, settings.block as usize) {
            continue;
        }
        left -= 1;
        tried.push(seed.submission.clone(), seed.source.clone());
        let grown = pair.grow(Candidate {
            submission: seed.submission,
            source: seed.source,
            evidence: 0,
            submission_share: share,
            source_share: share,
            origin: Origin::Grown,
        });
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
    buckets: Vec<Vec<(Range<usize>, Range<usize>)>>,
}

impl Tried {
    const BUCKET: usize = 256;

    fn new(len: usize) -> Self {
        Self { buckets: vec![Vec::new(); len / Self::BUCKET + 1] }
    }

    fn push(&mut self, submission: Range<usize>, source: Range<usize>) {
        for bucket in submission.start / Self::BUCKET..=submission.end / Self::BUCKET {
            if let Some(bucket) = self.buckets.get_mut(bucket) {
                bucket.push((submission.clone(), source.clone()));
            }
        }
    }

    /// Whether the middle of a seed lies in, or at most `margin` units from, a pair of ranges.
    fn near(&self, seed: &seeds::Seed, margin: usize) -> bool {
        let a = (seed.submission.start + seed.submission.end) / 2;
        let b = (seed.source.start + seed.source.end) / 2;
        let within = |range: &Range<usize>, at: usize| at + margin >= range.start && at < range.end + margin;
        let buckets = a.saturating_sub(margin) / Self::BUCKET..=(a + margin) / Self::BUCKET;
        buckets.filter_map(|i| self.buckets.get(i)).flatten().any(|(x, y)| within(x, a) && within(y, b))
    }
}

/// Every run of at least `least` countable characters, a word of a script with spaces counting two.
fn verbatim_runs(pair: &Pair, submission: &Units, source: &Units, least: u32) -> Vec<Candidate> {
    let extent = |range: &Range<usize>| pair.submission.extent(range.start, range.end);
    let found = runs::runs(&submission.hash, &source.hash, extent, least, 0);
    found.into_iter().map(as_candidate).collect()
}

/// A run as a candidate that is not weighed further.
fn as_candidate(run: runs::Run) -> Candidate {
    let share = Share::new(1.0);
    Candidate {
        evidence: run_evidence(run.submission.len()),
        submission: run.submission,
        source: run.source,
        submission_share: share,
        source_share: share,
        origin: Origin::Run,
    }
}

/// Keeps candidates apart in the submission: a weaker one gives up what it has in common with a stronger one, and
/// goes if that is half of it.
fn apart(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by_key(|c| (-c.evidence, c.submission.start, c.source.start));
    let mut kept: Vec<Candidate> = Vec::with_capacity(candidates.len());
    for mut candidate in candidates {
        let len = candidate.submission.len();
        for other in &kept {
            let (a, b) = (&mut candidate.submission, &other.submission);
            if a.start < b.end && b.start < a.end {
                if b.start <= a.start {
                    a.start = b.end.min(a.end);
                } else {
                    a.end = b.start;
                }
            }
        }
        if 2 * candidate.submission.len() > len {
            kept.push(candidate);
        }
    }
    kept
}

/// The reported form of a candidate.
fn finish(submission: &Units, source: &Units, candidate: &Candidate) -> Match {
    let (a, b) = (candidate.submission.clone(), candidate.source.clone());
    let (kind, similarity) = kind::classify(submission, a.clone(), source, b.clone());
    Match {
        submission: a.start as u32..a.end as u32,
        source: b.start as u32..b.end as u32,
        submission_chars: characters(submission, &a),
        source_chars: characters(source, &b),
        similarity,
        kind,
        evidence: (candidate.evidence as f64 / NAT) as f32,
    }
}

/// The characters of a range of units, with the punctuation that adjoins it.
fn characters(units: &Units, range: &Range<usize>) -> Range<u32> {
    let (first, last) = (range.start, range.end - 1);
    units.start[first] - u32::from(units.open[first])..units.end[last] + u32::from(units.close[last])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::units::flag;
    use proptest::prelude::*;

    /// Units from numbers: each a word two characters long and one apart, a sentence every ten words.
    fn words(numbers: &[u32]) -> Units {
        let mut units = Units { text_chars: 3 * numbers.len() as u32, ..Units::default() };
        for (i, &n) in numbers.iter().enumerate() {
            units.hash.push(n);
            units.stem.push(n);
            units.start.push(3 * i as u32);
            units.end.push(3 * i as u32 + 2);
            units.open.push(0);
            units.close.push(0);
            units.flags.push(if i % 10 == 0 { flag::SENTENCE } else { 0 });
        }
        units
    }

    fn han(numbers: &[u32]) -> Units {
        let mut units = words(numbers);
        units.flags.iter_mut().for_each(|f| *f |= flag::HAN);
        units
    }

    fn align(submission: &Units, source: &Units) -> Vec<Match> {
        Aligner::new(AlignSettings::balanced()).align(&Submission::new(submission), source)
    }

    /// A text of `len` words drawn from the numbers from `base` on, no two alike.
    fn text(base: u32, len: u32) -> Vec<u32> {
        (base..base + len).collect()
    }

    #[test]
    fn an_empty_text_shares_nothing() {
        let (empty, full) = (words(&[]), words(&text(0, 100)));
        assert!(align(&empty, &full).is_empty());
        assert!(align(&full, &empty).is_empty());
        assert!(align(&empty, &empty).is_empty());
    }

    #[test]
    fn identical_texts_are_one_verbatim_match_of_similarity_one() {
        for len in [40, 1000] {
            let units = words(&text(0, len));
            let found = align(&units, &units);
            assert_eq!(found.len(), 1);
            assert_eq!((found[0].submission.clone(), found[0].source.clone()), (0..len, 0..len));
            assert_eq!((found[0].kind, found[0].similarity), (Kind::Verbatim, 1.0));
        }
    }

    #[test]
    fn a_planted_quotation_is_found_with_its_borders() {
        for make in [words, han] {
            let mut submission = text(10_000, 300);
            let source = text(0, 500);
            submission.splice(120..120, source[200..260].iter().copied());
            let (submission, source) = (make(&submission), make(&source));
            let found = align(&submission, &source);
            assert_eq!(found.len(), 1, "{found:?}");
            assert_eq!(found[0].kind, Kind::Verbatim);
            assert_eq!((found[0].submission.clone(), found[0].source.clone()), (120..180, 200..260));
            assert_eq!(found[0].submission_chars, 360..539);
        }
    }

    #[test]
    fn a_passage_quoted_twice_is_found_twice() {
        let mut submission = text(10_000, 900);
        let source = text(0, 300);
        submission.splice(700..700, source[100..160].iter().copied());
        submission.splice(100..100, source[100..160].iter().copied());
        let found = align(&words(&submission), &words(&source));
        let starts: Vec<u32> = found.iter().map(|m| m.submission.start).collect();
        assert_eq!(starts, [100, 760]);
    }

    #[test]
    fn unrelated_texts_share_nothing() {
        assert!(align(&words(&text(0, 2000)), &words(&text(5000, 2000))).is_empty());
    }

    #[test]
    fn a_text_of_one_repeated_sentence_is_one_match_with_a_longer_one() {
        let sentence = text(0, 9);
        let (a, b) = (sentence.repeat(3000), sentence.repeat(4000));
        let found = align(&words(&a), &words(&b));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].submission, 0..27_000);
        assert_eq!((found[0].kind, found[0].similarity), (Kind::Verbatim, 1.0));
    }

    #[test]
    fn swapped_halves_are_reordered_and_a_few_changed_words_edited() {
        let source = text(0, 120);
        let around = text(10_000, 200);
        let plant = |passage: &[u32]| words(&[&around[..100], passage, &around[100..]].concat());
        let swapped: Vec<u32> = source[30..60].iter().chain(&source[0..30]).copied().collect();
        let found = align(&plant(&swapped), &words(&source));
        assert_eq!(found.iter().map(|m| m.kind).collect::<Vec<_>>(), [Kind::Reordered]);
        let mut edited = source[0..60].to_vec();
        edited[20] = 77_777;
        edited[41] = 77_778;
        edited[45] = 77_779;
        let found = align(&plant(&edited), &words(&source));
        assert_eq!(found.iter().map(|m| m.kind).collect::<Vec<_>>(), [Kind::Edited]);
    }

    #[test]
    fn units_that_only_folding_made_equal_are_disguised() {
        let source = words(&text(0, 100));
        let mut submission = words(&text(0, 100));
        for i in (0..100).step_by(7) {
            submission.flags[i] |= flag::SCRIPT;
        }
        let found = align(&submission, &source);
        assert_eq!(found.iter().map(|m| m.kind).collect::<Vec<_>>(), [Kind::Disguised]);
    }

    #[test]
    fn strict_reports_runs_of_thirteen_countable_characters_only() {
        let source = text(0, 400);
        let mut submission = text(10_000, 400);
        submission.splice(50..50, source[10..22].iter().copied());
        submission.splice(200..200, source[100..113].iter().copied());
        let mut strict = Aligner::new(AlignSettings::strict());
        let (submission, source) = (han(&submission), han(&source));
        let found = strict.align(&Submission::new(&submission), &source);
        assert_eq!(found.iter().map(|m| m.submission.clone()).collect::<Vec<_>>(), vec![200..213]);
    }

    /// Random texts that share pieces, with frequent words, in both kinds of units.
    fn unit_texts() -> impl Strategy<Value = (Units, Units)> {
        let word = prop_oneof![0..8u32, 100..4000u32];
        let text = proptest::collection::vec(word, 0..300);
        let pieces = proptest::collection::vec((0..300usize, 0..120usize, 0..300usize), 0..4);
        let flags = proptest::collection::vec(0..128u8, 700);
        (text.clone(), text, pieces, flags).prop_map(|(mut a, b, pieces, flags)| {
            for (from, len, to) in pieces {
                let piece = b[from.min(b.len())..(from + len).min(b.len())].to_vec();
                let to = to.min(a.len());
                a.splice(to..to, piece);
            }
            let make = |numbers: &[u32], flags: &[u8]| {
                let mut units = words(numbers);
                units.flags.iter_mut().zip(flags.iter().cycle()).for_each(|(f, g)| *f = *g);
                // Whether a unit is a Han character is a matter of the unit.
                units.flags.iter_mut().zip(numbers).for_each(|(f, n)| *f = *f & !flag::HAN | (n % 3 == 0) as u8);
                units
            };
            (make(&a, &flags), make(&b, &flags[7..]))
        })
    }

    fn check(found: &[Match], a: &Units, b: &Units) -> Result<(), TestCaseError> {
        for m in found {
            prop_assert!(m.submission.start < m.submission.end && m.submission.end as usize <= a.len());
            prop_assert!(m.source.start < m.source.end && m.source.end as usize <= b.len());
            prop_assert!(m.submission_chars.start < m.submission_chars.end && m.submission_chars.end <= a.text_chars);
            prop_assert!(m.source_chars.start < m.source_chars.end && m.source_chars.end <= b.text_chars);
            prop_assert!((0.0..=1.0).contains(&m.similarity) && m.evidence > 0.0);
        }
        for pair in found.windows(2) {
            prop_assert!(pair[0].submission.end <= pair[1].submission.start);
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn matches_lie_inside_and_apart_with_any_preset((a, b) in unit_texts()) {
            for settings in [AlignSettings::balanced(), AlignSettings::strict(), AlignSettings::sensitive()] {
                check(&Aligner::new(settings).align(&Submission::new(&a), &b), &a, &b)?;
            }
        }

        #[test]
        fn a_used_aligner_gives_what_a_new_one_gives((a, b) in unit_texts(), (c, d) in unit_texts()) {
            let mut used = Aligner::new(AlignSettings::balanced());
            used.align(&Submission::new(&c), &d);
            prop_assert_eq!(used.align(&Submission::new(&a), &b), align(&a, &b));
        }

        #[test]
        fn any_text_is_one_match_with_itself((a, _) in unit_texts()) {
            let found = align(&a, &a);
            prop_assert_eq!(found.len(), usize::from(!a.is_empty()));
            for m in &found {
                prop_assert_eq!((m.submission.len(), m.similarity, m.kind), (a.len(), 1.0, Kind::Verbatim));
            }
        }
    }
}
