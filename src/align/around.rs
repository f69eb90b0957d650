//! Aligning what lies around places that retrieval found, in place of whole texts.

use super::aligner::Aligner;
use super::candidate::RangePair;
use super::matches::Match;
use super::submission::Submission;
use crate::text::units::{Stretch, Units};
use std::ops::Range;

/// Units of both texts before and behind a place that are aligned in place of a whole source. With 800 the same passages are
/// found: of 547 English and 390 Chinese ones planted in books, and of PAN's, no row that counts changes.
pub const ALIGNED_AROUND: u32 = 400;

/// A passage that ends no nearer than this to where a part of a text was cut off, in units, ends there in the whole too. Chosen by
/// hand; with it all 946 passages of 16 generated theses are the rows that whole alignments give (docs/SCALE.md).
const BORDER: usize = 100;

impl Aligner {
    /// The passages that a submission shares with a source around some places, pairs of a unit of each in ascending order:
    /// [`ALIGNED_AROUND`] units on either side of each are aligned by themselves, those of neighbours together. `None` if that may not
    /// be all of them: nothing is found, what is found may reach further, or two places are near each other in one text alone.
    pub(crate) fn align_around(
        &mut self,
        submission: &Submission,
        source: &Units,
        places: &[(u32, u32)],
    ) -> Option<Vec<Match>> {
        let mut parts: Vec<RangePair> = Vec::new();
        for &(ours, theirs) in places {
            let here =
                RangePair { submission: around(ours, submission.units.len()), source: around(theirs, source.len()) };
            match parts.last_mut() {
                Some(last) if here.submission.start < last.submission.end => {
                    if !last.touches(&here.submission, &here.source) {
                        return None;
                    }
                    *last = last.hull(&here);
                }
                _ => parts.push(here),
            }
        }
        let mut found: Vec<Match> = Vec::new();
        for RangePair { submission: ours, source: theirs } in parts {
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

    /// Whether a stretch of a source and as much of the submission around one of its units share a passage if they are aligned by
    /// themselves.
    pub(super) fn finds_any_around(&mut self, submission: &Submission, unit: u32, stretch: &Stretch) -> bool {
        let Units { hash, stem, flags, .. } = submission.units;
        let range = around(unit, hash.len());
        // Where the units stand in the text is not asked for, and not copied.
        let units = Units {
            hash: hash[range.clone()].to_vec(),
            stem: stem[range.clone()].to_vec(),
            flags: flags[range.clone()].to_vec(),
            ..Units::default()
        };
        self.finds_any(&submission.part(&units, range), stretch.units())
    }
}

/// The units of a text of `units` of them that are aligned in place of the whole, around one of them.
fn around(unit: u32, units: usize) -> Range<usize> {
    let (from, to) = (unit.saturating_sub(ALIGNED_AROUND), unit.saturating_add(ALIGNED_AROUND));
    from as usize..(to as usize).min(units)
}

fn shift(range: &mut Range<u32>, by: u32) {
    *range = range.start + by..range.end + by;
}

/// Whether a passage may go on where `part` of a text of `units` units ends.
fn reaches(passage: &Range<u32>, part: &Range<usize>, units: usize) -> bool {
    let (start, end) = (passage.start as usize, passage.end as usize);
    start < part.start + BORDER && part.start > 0 || end + BORDER > part.end && part.end < units
}
