//! What counts and what may only be looked at.
//!
//! A passage counts if it must convince a reader who has both sides at hand: it holds a quotation, word for word, or it is
//! long and similar and has much evidence. All else that was accepted is weak: a summary, a thin retelling, set phrases
//! of a field. Weak passages are reported apart and are in no ratio.

use super::candidate::Candidate;
use super::evidence::NAT;
use super::extent::Extent;
use super::kind::{self, Likeness};
use super::settings::AlignSettings;
use crate::text::units::Units;
use std::ops::Range;

/// The share of [`AlignSettings::counted_similarity`] that does where eight words stand in a row, or most units are Han characters.
/// Chosen by hand; not measured apart.
const EASED: f64 = 0.8;

/// Half words in a row of equal units that make up for some similarity: eight words. Chosen by hand; not measured apart.
const EASING_RUN: u32 = 16;

/// Evidence from which a passage is dense enough, as a share of what it needs to count. What one word is worth falls with the length of
/// the passage, since it stands in more of the other text by chance: pages of which every second or third content word was replaced fell
/// below [`AlignSettings::counted_density`], with a similarity of .7 and hundreds of nats. No passage of 44 theses against each other, of
/// texts of one field or of 277 books counts for it that did not before.
const AMPLE: f64 = 2.0;

/// Least similarity of what two sides of a passage have in common once own text and what was not taken are out of it, if the passage as a
/// whole is not similar enough to count. Of copied paragraphs with gaps in the source, one word in five replaced or put in, .75 and more is
/// usual; of what nobody copied, abstracts of one field have .54 at most and planted Chinese .47, and no passage between families of 44 theses
/// has it. In 807 of PAN's sources against 2,423 others eight passages count for it; all are reports, notices or advice that go back to one text.
pub const PARTED_SIMILARITY: f32 = 0.6;

/// Similarity from which a passage of Han characters counts with [`SIMILAR_EVIDENCE`]: what agrees in set phrases agrees in them alone.
const SIMILAR_HAN: f64 = 0.6;

/// The share of [`AlignSettings::counted_evidence_han`] that such a passage needs. Copied paragraphs of fifty to a hundred characters, one in
/// five or six of them replaced, were weak. Of 102 Chinese books against 204 others nine passages count for it, and all are quotations of
/// one text; of 44 theses against each other and of PAN 2013 none.
const SIMILAR_EVIDENCE: f64 = 0.5;

/// Half words that a weak passage has on one side at least: forty words. Of 106 shorter ones in the judged pairs of PAN 2013, 97 meet no planted
/// case; with them its precision is .933, without them .956, for .001 of recall (`docs/ALIGNMENT.md`).
const SHORTEST_WEAK: f64 = 80.0;
/// The same where all units are Han characters: edited passages of sixty are found.
const SHORTEST_WEAK_HAN: f64 = 40.0;

/// Whether a candidate would be a passage [by chance](super::matches::Match::is_by_chance), even with `more` times its evidence.
pub fn would_be_by_chance(
    settings: &AlignSettings,
    (submission, source): (&Units, &Units),
    candidate: &Candidate,
    more: f64,
) -> bool {
    let (a, b) = (&candidate.submission, &candidate.source);
    if settings.verbatim_only.is_some() || !is_short(submission, a) || !is_short(source, b) {
        return false;
    }
    let Likeness { similarity, longest, .. } = kind::classify(submission, a.clone(), source, b.clone());
    let [ours, theirs] = [(submission, a), (source, b)].map(|(units, range)| (units, std::slice::from_ref(range)));
    let evidence = more * candidate.evidence as f64 / NAT;
    longest < 2 * settings.quotation && is_weak(settings, ours, theirs, (similarity, longest), evidence)
}

/// Whether a range is shorter than a weak passage.
pub fn is_short(units: &Units, range: &Range<usize>) -> bool {
    let extent = Extent::of(&units.flags[range.clone()]);
    f64::from(extent.half_words) < extent.between(SHORTEST_WEAK, SHORTEST_WEAK_HAN)
}

/// Whether a passage is too thin to count that has these ranges on either side, `longest` equal half words in a row, and this evidence, in nats.
pub fn is_weak(
    settings: &AlignSettings,
    (submission, a): (&Units, &[Range<usize>]),
    (source, b): (&Units, &[Range<usize>]),
    (similarity, longest): (f32, u32),
    evidence: f64,
) -> bool {
    let (a, b) = (Extent::of_ranges(&submission.flags, a), Extent::of_ranges(&source.flags, b));
    let similarity = f64::from(similarity);
    let quotation = a.between(f64::from(2 * settings.quotation), f64::from(settings.quotation_characters));
    if f64::from(longest) >= quotation && evidence >= settings.quotation_evidence {
        return false;
    }
    let is_eased = a.han > 0.5 || longest >= EASING_RUN;
    let floor = if is_eased { EASED } else { 1.0 } * settings.counted_similarity;
    let of_han = if similarity >= SIMILAR_HAN { SIMILAR_EVIDENCE } else { 1.0 } * settings.counted_evidence_han;
    let counted = a.between(settings.counted_evidence, of_han);
    let dense = settings.counted_density * f64::from(a.half_words + b.half_words) / 2.0;
    evidence < counted
        || evidence < dense.min(AMPLE * counted)
        || similarity < floor
        || a.half_words.min(b.half_words) < 2 * settings.counted_length
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::candidate::RangePair;

    #[test]
    fn a_candidate_tells_nothing_if_it_is_short_and_thin_and_holds_no_quotation() {
        let words = |numbers: Range<usize>| numbers.map(|n| format!("word{n}x ")).collect::<String>();
        let would_be = |ours: &str, theirs: &str, evidence: i64| {
            let (ours, theirs) = (Units::from_text(ours), Units::from_text(theirs));
            let whole = RangePair { submission: 0..ours.len(), source: 0..theirs.len() };
            let candidate = Candidate { evidence: evidence * NAT as i64, ..Candidate::run(&whole) };
            would_be_by_chance(&AlignSettings::balanced(), (&ours, &theirs), &candidate, 1.0)
        };
        // Ten words in a row that both have, among twenty of their own.
        let text = |first: usize| words(0..10) + &words(first..first + 20);
        assert!(would_be(&text(100), &text(200), 30));
        assert!(!would_be(&words(0..30), &words(0..30), 90), "a quotation of thirty words");
        assert!(!would_be(&(text(100) + &words(300..320)), &text(200), 30), "fifty words, which are reported as weak");
    }
}
