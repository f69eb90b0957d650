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
mod exact;
mod features;
mod grow;
mod kind;
pub(crate) mod look;
mod merge;
mod pair;
mod passages;
mod places;
mod rates;
mod runs;
mod seeds;
mod settings;
mod summary;
#[cfg(test)]
mod tests;
mod tier;
mod verbatim;

pub use features::Submission;
pub use settings::AlignSettings;

use crate::job::Cancel;
use crate::text::units::Units;
use evidence::{EvidenceTable, NAT};
use features::Side;
use pair::{Candidate, PairAligner, Scratch};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

/// What kind of match a passage is; the rules stand in the documentation of the aligner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// Whether it is too thin to count: a person may look at it, but it is in no ratio.
    pub weak: bool,
    /// Of a reordered match: where its parts stand on either side, in characters of the extracted texts, in the order of the
    /// submission. None of other kinds.
    pub pieces: Vec<(Range<u32>, Range<u32>)>,
    /// The longest stretch of equal units in it, in half words: a Han character is one, any other unit two.
    pub longest: u32,
}

/// A passage that ends no nearer than this to where a part of a text was cut off, in units, ends there in the whole too.
const BORDER: usize = 100;

/// Aligns pairs of texts. Holds scratch memory: clone it for each thread and keep it.
#[derive(Debug, Clone)]
pub struct Aligner {
    settings: AlignSettings,
    table: Arc<EvidenceTable>,
    scratch: Scratch,
    source: Side,
    cancel: Cancel,
}

impl Aligner {
    /// An aligner with the given settings.
    pub fn new(settings: AlignSettings) -> Self {
        Self {
            settings,
            table: Arc::new(EvidenceTable::new(&settings)),
            scratch: Scratch::default(),
            source: Side::default(),
            cancel: Cancel::default(),
        }
    }

    /// The same, ended early by `cancel`: what it finds from then on is incomplete.
    pub fn ended_by(self, cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), ..self }
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
            let whole = Candidate::run(0..units.len(), 0..source.len());
            return vec![Match { weak: false, ..finish(&self.settings, units, source, &whole) }];
        }
        let cancel = self.cancel.clone();
        let (mut pair, candidates) = self.candidates(submission, source);
        if cancel.is_cancelled() {
            return Vec::new();
        }
        let mut candidates = passages::apart(candidates);
        if pair.settings.verbatim_only.is_none() {
            pair.add_lost_quotations(&mut candidates);
            passages::take_last_characters(&pair, &mut candidates);
        }
        let whole = passages::whole_text(&pair);
        let settings = *pair.settings;
        let long_enough = |m: &Match| {
            pair.submission.extent(m.submission.start as usize, m.submission.end as usize) >= whole
                || m.submission_chars.len() >= settings.min_match as usize
                    && m.source_chars.len() >= settings.min_match_source as usize
        };
        candidates.iter().map(|candidate| finish(&settings, units, source, candidate)).filter(long_enough).collect()
    }

    /// The passages that a submission shares with a source around some places, pairs of a unit of each in ascending order:
    /// [`look::ALIGNED_AROUND`] units on either side of each are aligned by themselves, of neighbours together. `None` if that may not
    /// be all of them: nothing is found, what is found may reach further, or two places are near each other in one text alone.
    pub(crate) fn align_around(
        &mut self,
        submission: &Submission,
        source: &Units,
        places: &[(u32, u32)],
    ) -> Option<Vec<Match>> {
        let mut parts: Vec<(Range<usize>, Range<usize>)> = Vec::new();
        for &(ours, theirs) in places {
            let (ours, theirs) = (look::around(ours, submission.units.len()), look::around(theirs, source.len()));
            match parts.last_mut() {
                Some(last) if ours.start < last.0.end => {
                    if theirs.start >= last.1.end || last.1.start >= theirs.end {
                        return None;
                    }
                    *last = (merge::hull(&last.0, &ours), merge::hull(&last.1, &theirs));
                }
                _ => parts.push((ours, theirs)),
            }
        }
        let mut found: Vec<Match> = Vec::new();
        for (ours, theirs) in parts {
            let units = submission.units.part(ours.clone());
            for mut m in self.align(&submission.part(&units, ours.clone()), &source.part(theirs.clone())) {
                shift(&mut m.submission, ours.start as u32);
                shift(&mut m.source, theirs.start as u32);
                if reaches(&m.submission, &ours, submission.units.len()) || reaches(&m.source, &theirs, source.len()) {
                    return None;
                }
                found.push(m);
            }
        }
        (!found.is_empty()).then_some(found)
    }

    /// Whether there is a passage, however short in characters. Places of units, and what hugs them, are not asked for.
    fn finds_any(&mut self, submission: &Submission, source: &Units) -> bool {
        !submission.units.is_empty() && !source.is_empty() && !self.candidates(submission, source).1.is_empty()
    }

    /// The pair, and the passages that are worth reporting if they are long enough.
    fn candidates<'a>(
        &'a mut self,
        submission: &'a Submission,
        source: &'a Units,
    ) -> (PairAligner<'a>, Vec<Candidate>) {
        submission.number_source(source, &mut self.source);
        let of_source = (&self.source, source);
        let mut pair = PairAligner::new(submission, of_source, &mut self.scratch, &self.table, &self.settings);
        let candidates = match self.settings.verbatim_only {
            Some(least) => passages::strict(&pair, submission.units, source, least),
            None => passages::passages(&mut pair, &self.cancel),
        };
        (pair, candidates)
    }
}

fn shift(range: &mut Range<u32>, by: u32) {
    *range = range.start + by..range.end + by;
}

/// Whether a passage may go on where `part` of a text of so many units ends.
fn reaches(passage: &Range<u32>, part: &Range<usize>, units: usize) -> bool {
    let (start, end) = (passage.start as usize, passage.end as usize);
    start < part.start + BORDER && part.start > 0 || end + BORDER > part.end && part.end < units
}

/// The reported form of a candidate.
fn finish(settings: &AlignSettings, submission: &Units, source: &Units, candidate: &Candidate) -> Match {
    let (a, b) = (candidate.submission.clone(), candidate.source.clone());
    let likeness = kind::classify(submission, a.clone(), source, b.clone());
    let evidence = candidate.evidence as f64 / NAT;
    let weak = settings.verbatim_only.is_none()
        && tier::is_weak(settings, submission, a.clone(), source, b.clone(), &likeness, evidence);
    let chars = |(a, b): &kind::Piece| (submission.span(a.start, a.end), source.span(b.start, b.end));
    Match {
        submission: a.start as u32..a.end as u32,
        source: b.start as u32..b.end as u32,
        submission_chars: submission.span(a.start, a.end),
        source_chars: source.span(b.start, b.end),
        similarity: likeness.similarity,
        kind: likeness.kind,
        evidence: evidence as f32,
        weak,
        pieces: likeness.pieces.iter().map(chars).collect(),
        longest: likeness.longest,
    }
}
