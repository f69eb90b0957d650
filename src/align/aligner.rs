//! One pair of texts from end to end.

use super::beside::{Beside, Thin, eased, length_in};
use super::candidate::{Candidate, Origin, RangePair};
use super::evidence::EvidenceTable;
use super::matches::Match;
use super::own::{OwnText, own_text};
use super::pair::{PairAligner, Scratch};
use super::passages;
use super::settings::AlignSettings;
use super::side::Side;
use super::submission::{NewNumbers, Submission};
use super::tier;
use crate::job::Cancel;
use crate::text::units::Units;
use std::sync::Arc;

/// Aligns pairs of texts. Holds scratch memory: clone it for each thread and keep it.
///
/// It reads both texts whole, which takes milliseconds for long ones. To find out which of many texts are worth it, ask an index:
/// a [`Checker`](crate::check::Checker) does both.
#[derive(Debug, Clone)]
pub struct Aligner {
    pub(super) settings: AlignSettings,
    pub(super) table: Arc<EvidenceTable>,
    scratch: Scratch,
    /// The source at hand.
    pub(super) source: Side,
    pub(super) numbers: NewNumbers,
    cancel: Cancel,
}

/// How many passages two texts share.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PassageCounts {
    /// Those that tell nothing each by itself.
    pub thin: usize,
    /// All others.
    pub others: usize,
}

impl Aligner {
    /// An aligner with the given settings.
    pub fn new(settings: AlignSettings) -> Self {
        Self {
            settings,
            table: Arc::new(EvidenceTable::new(&settings)),
            scratch: Scratch::default(),
            source: Side::default(),
            numbers: NewNumbers::default(),
            cancel: Cancel::default(),
        }
    }

    /// The same, ended early by `cancel`: what it finds from then on is incomplete.
    pub fn ended_by(mut self, cancel: &Cancel) -> Self {
        self.end_by(cancel);
        self
    }

    /// Ends what is aligned next by `cancel`.
    pub(crate) fn end_by(&mut self, cancel: &Cancel) {
        self.cancel.clone_from(cancel);
    }

    /// One that accepts passages with this share of the evidence they need.
    pub(super) fn accepting(&self, share: f64) -> Self {
        let AlignSettings { acceptance, acceptance_short, .. } = self.settings;
        let settings =
            self.settings.with_acceptance(share * acceptance).with_acceptance_short(share * acceptance_short);
        Self { settings, ..self.clone() }
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
        let units = submission.units;
        if units.is_empty() || source.is_empty() {
            return Vec::new();
        }
        if units.hash == source.hash {
            let whole = Candidate::run(&RangePair { submission: 0..units.len(), source: 0..source.len() });
            return vec![Match { weak: false, ..Match::of(&self.settings, units, source, &whole).0 }];
        }
        let mut side = std::mem::take(&mut self.source);
        submission.number_source(source, &mut side);
        let mut found = self.align_sides(submission, (&side, source));
        self.add_sentences(&mut found, true, submission, (&side, source));
        self.source = side;
        found
    }

    /// The same, of a source whose features are numbered.
    pub(super) fn align_sides(&mut self, submission: &Submission, (side, source): (&Side, &Units)) -> Vec<Match> {
        let (cancel, units) = (self.cancel.clone(), submission.units);
        let (mut pair, candidates) = self.candidates(submission, (side, source));
        if cancel.is_cancelled() {
            return Vec::new();
        }
        // From here on no two passages share a unit of the submission.
        let mut candidates = passages::apart(candidates);
        if pair.settings.verbatim_only.is_none() {
            pair.add_lost_quotations(&mut candidates);
            passages::take_last_characters(&pair, &mut candidates);
        }
        let whole = passages::whole_text(&pair);
        let settings = *pair.settings;
        let is_whole = |m: &Match| length_in(pair.submission, m) >= whole;
        let long_enough = |m: &Match| is_whole(m) || settings.are_long_enough(&m.submission_chars, &m.source_chars);
        let by_chance = |m: &Match| m.weak && !is_whole(m) && m.is_by_chance(&settings, units, source);
        let counted = |candidate: &Candidate, settings: &AlignSettings| {
            let (found, tiles) = Match::of(settings, units, source, candidate);
            let is_divided = long_enough(&found) && !by_chance(&found) && settings.verbatim_only.is_none();
            let own = is_divided.then(|| own_text(&pair, candidate, &tiles));
            let counts = |own: &OwnText| !found.weak || found.counts_without(own, settings, units, source);
            let own = own.filter(counts);
            (Match { weak: found.weak && own.is_none(), ..found }, own)
        };
        let report = |candidate: &Candidate, settings: &AlignSettings| {
            let (mut found, mut own) = counted(candidate, settings);
            let narrowed = own.as_ref().filter(|_| candidate.origin != Origin::Summary);
            if let Some(narrowed) = narrowed.and_then(|own| own.narrowed(&candidate.source)) {
                let tight = counted(&Candidate { source: narrowed, ..candidate.clone() }, settings);
                if !tight.0.weak && long_enough(&tight.0) {
                    (found, own) = tight;
                }
            }
            long_enough(&found).then(|| match own {
                Some(own) => found.with_own_text(&own, units, source),
                None => found,
            })
        };
        let reported = candidates.iter().filter_map(|candidate| Some((report(candidate, &settings)?, candidate)));
        let (mut found, candidates): (Vec<Match>, Vec<&Candidate>) = reported.unzip();
        if settings.verbatim_only.is_none() {
            let eased = eased(&settings);
            let thin = |at: usize| {
                let is_thin = found[at].weak && candidates[at].origin != Origin::Summary;
                let eased = is_thin.then(|| report(candidates[at], &eased)).flatten().filter(|eased| !eased.weak)?;
                let length = length_in(pair.submission, &eased);
                Some(Thin { found: (at, eased), length, is_short: by_chance(&found[at]) })
            };
            let thin = Beside::of(pair.submission, &found).that_count(found.len(), thin);
            thin.into_iter().for_each(|(at, eased)| found[at] = eased);
        }
        found.retain(|m| !by_chance(m));
        found
    }

    /// How many passages there are, however short in characters, in a source whose features are numbered. Places of units, and what hugs
    /// them, are not asked for. This aligner accepts `share` of the evidence that is needed.
    pub(super) fn count(&mut self, submission: &Submission, source: (&Side, &Units), share: f64) -> PassageCounts {
        if submission.units.is_empty() || source.1.is_empty() {
            return PassageCounts::default();
        }
        let (settings, units) = (self.settings, (submission.units, source.1));
        let is_thin = |candidate: &&Candidate| tier::would_be_by_chance(&settings, units, candidate, 1.0 / share);
        let (_, candidates) = self.candidates(submission, source);
        let thin = candidates.iter().filter(is_thin).count();
        PassageCounts { thin, others: candidates.len() - thin }
    }

    /// A submission and a source whose features are numbered.
    pub(super) fn pair<'a>(&'a mut self, submission: &'a Submission, source: (&'a Side, &'a Units)) -> PairAligner<'a> {
        PairAligner::new(submission, source, &mut self.scratch, &self.table, &self.settings)
    }

    /// The pair, and the passages that are worth reporting if they are long enough.
    fn candidates<'a>(
        &'a mut self,
        submission: &'a Submission,
        source: (&'a Side, &'a Units),
    ) -> (PairAligner<'a>, Vec<Candidate>) {
        let cancel = self.cancel.clone();
        let mut pair = self.pair(submission, source);
        let candidates = match pair.settings.verbatim_only {
            Some(least) => passages::strict(&pair, least),
            None => passages::passages(&mut pair, &cancel),
        };
        (pair, candidates)
    }
}
