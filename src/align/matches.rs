//! What the aligner reports of a passage.

use super::candidate::{Candidate, RangePair};
use super::evidence::NAT;
use super::kind::{self, Kind, Tile};
use super::own::OwnText;
use super::settings::AlignSettings;
use super::tier;
use crate::text::ranges::without;
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
    /// What of `submission` stands in the source in no form: its author's own text, which counts as copied in nothing. In units and in
    /// characters, in order and apart.
    pub own: Vec<(Range<u32>, Range<u32>)>,
    /// What of `source` was not taken, in the same way.
    pub left_out: Vec<(Range<u32>, Range<u32>)>,
    /// The longest stretch of equal units in it, in half words: a Han character is one, any other unit two.
    pub longest: u32,
}

impl Match {
    /// The reported form of a candidate, and the common stretches of its two sides unless they are equal.
    pub(super) fn of(
        settings: &AlignSettings,
        submission: &Units,
        source: &Units,
        candidate: &Candidate,
    ) -> (Match, Vec<Tile>) {
        let (a, b) = (candidate.submission.clone(), candidate.source.clone());
        let likeness = kind::classify(submission, a.clone(), source, b.clone());
        let evidence = candidate.evidence as f64 / NAT;
        let weak = settings.verbatim_only.is_none()
            && tier::is_weak(
                settings,
                (submission, std::slice::from_ref(&a)),
                (source, std::slice::from_ref(&b)),
                (likeness.similarity, likeness.longest),
                evidence,
            );
        let chars = |units: &Units, range: &Range<usize>| units.span(range.start, range.end);
        let piece = |piece: &RangePair| (chars(submission, &piece.submission), chars(source, &piece.source));
        let found = Match {
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
            own: Vec::new(),
            left_out: Vec::new(),
        };
        (found, likeness.tiles)
    }

    /// The same, of which this text was not copied.
    pub(super) fn with_own_text(self, own: &OwnText, submission: &Units, source: &Units) -> Match {
        let ours = (&self.submission, &self.submission_chars);
        let theirs = (&self.source, &self.source_chars);
        Match {
            // Where no sentence has evidence of its own nothing was copied that a reader could be shown.
            weak: own.submission.iter().map(Range::len).sum::<usize>() == self.submission.len(),
            own: own.submission.iter().map(|range| gap(submission, range, ours)).collect(),
            left_out: own.source.iter().map(|range| gap(source, range, theirs)).collect(),
            ..self
        }
    }

    /// Whether a passage that is weak as a whole counts once this text is taken out of it: it reaches over what was not copied.
    pub(super) fn counts_without(
        &self,
        own: &OwnText,
        settings: &AlignSettings,
        submission: &Units,
        source: &Units,
    ) -> bool {
        let copied = without(&whole(&self.submission), &own.submission);
        let taken = without(&whole(&self.source), &own.source);
        if copied.is_empty() || taken.is_empty() {
            return false;
        }
        let similarity = kind::dice(submission, &copied, source, &taken);
        let (ours, theirs) = ((submission, &copied[..]), (source, &taken[..]));
        similarity >= tier::PARTED_SIMILARITY
            && !tier::is_weak(settings, ours, theirs, (similarity, self.longest), f64::from(self.evidence))
    }

    /// Whether it tells nothing, being weak: it is short on both sides, and no words in a row make a quotation of words.
    pub(super) fn is_by_chance(&self, settings: &AlignSettings, submission: &Units, source: &Units) -> bool {
        self.longest < 2 * settings.quotation
            && tier::is_short(submission, &whole(&self.submission))
            && tier::is_short(source, &whole(&self.source))
    }

    /// The ranges of the submission that were copied, in units: all of it but its author's own text.
    pub fn copied(&self) -> Vec<Range<u32>> {
        without(&self.submission, &units(&self.own))
    }

    /// The ranges of the source that were taken, in units.
    pub fn taken(&self) -> Vec<Range<u32>> {
        without(&self.source, &units(&self.left_out))
    }
}

/// A range of units as one of places.
fn whole(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// A gap in a match that reaches over `units` and `chars`: its units, and its characters from the first unit to the one behind it.
fn gap(text: &Units, gap: &Range<usize>, (units, chars): (&Range<u32>, &Range<u32>)) -> (Range<u32>, Range<u32>) {
    let gap = gap.start as u32..gap.end as u32;
    let border = |unit: u32| match unit {
        unit if unit == units.start => chars.start,
        unit if unit == units.end => chars.end,
        unit => text.start[unit as usize],
    };
    let characters = border(gap.start)..border(gap.end);
    (gap, characters)
}

fn units(gaps: &[(Range<u32>, Range<u32>)]) -> Vec<Range<u32>> {
    gaps.iter().map(|(units, _)| units.clone()).collect()
}
