//! What the aligner reports of a passage.

use super::candidate::{Candidate, RangePair};
use super::evidence::NAT;
use super::kind::{self, Kind};
use super::settings::AlignSettings;
use super::tier;
use crate::text::units::Units;
use serde::{Deserialize, Serialize};
use std::ops::Range;

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

impl Match {
    /// The reported form of a candidate.
    pub(super) fn of(settings: &AlignSettings, submission: &Units, source: &Units, candidate: &Candidate) -> Match {
        let (a, b) = (candidate.submission.clone(), candidate.source.clone());
        let likeness = kind::classify(submission, a.clone(), source, b.clone());
        let evidence = candidate.evidence as f64 / NAT;
        let weak = settings.verbatim_only.is_none()
            && tier::is_weak(settings, submission, a.clone(), source, b.clone(), &likeness, evidence);
        let chars = |units: &Units, range: &Range<usize>| units.span(range.start, range.end);
        let piece = |piece: &RangePair| (chars(submission, &piece.submission), chars(source, &piece.source));
        Match {
            submission: a.start as u32..a.end as u32,
            source: b.start as u32..b.end as u32,
            submission_chars: chars(submission, &a),
            source_chars: chars(source, &b),
            similarity: likeness.similarity,
            kind: likeness.kind,
            evidence: evidence as f32,
            weak,
            pieces: likeness.pieces.iter().map(piece).collect(),
            longest: likeness.longest,
        }
    }
}
