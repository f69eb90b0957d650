//! What counts and what may only be looked at.
//!
//! A passage counts if it must convince a reader who has both sides before him: it holds a quotation, word for word, or it is
//! long and similar and has much evidence. All else that was accepted is weak: a summary, a thin retelling, set phrases
//! of a field. Weak passages are reported apart and are in no ratio.

use super::kind::Likeness;
use super::settings::AlignSettings;
use crate::text::flag;
use crate::text::units::Units;
use std::ops::Range;

/// Whether a passage is too thin to count. `evidence` is in nats.
pub fn is_weak(
    settings: &AlignSettings,
    submission: &Units,
    a: Range<usize>,
    source: &Units,
    b: Range<usize>,
    likeness: &Likeness,
    evidence: f64,
) -> bool {
    let (a, b) = (Extent::of(submission, a), Extent::of(source, b));
    let between = |words: f64, characters: f64| words + (characters - words) * a.han;
    let quotation = between(f64::from(2 * settings.quotation), f64::from(settings.quotation_characters));
    if f64::from(likeness.longest) >= quotation && evidence >= settings.quotation_evidence {
        return false;
    }
    let similarity = f64::from(likeness.similarity);
    // Eight words in a row, or a sentence of Han characters, make up for some of it.
    let floor = if a.han > 0.5 || likeness.longest >= 16 { 0.8 } else { 1.0 } * settings.counted_similarity;
    evidence < between(settings.counted_evidence, settings.counted_evidence_han)
        || similarity < floor
        || a.half_words.min(b.half_words) < 2 * settings.counted_length
        || evidence < settings.counted_density * f64::from(a.half_words + b.half_words) / 2.0
}

/// The length of a range, and how much of it is Han.
struct Extent {
    half_words: u32,
    /// The share of its units that are single characters.
    han: f64,
}

impl Extent {
    fn of(units: &Units, range: Range<usize>) -> Self {
        let len = range.len();
        let han = units.flags[range].iter().filter(|f| **f & flag::HAN != 0).count();
        Extent { half_words: (2 * len - han) as u32, han: han as f64 / len.max(1) as f64 }
    }
}
