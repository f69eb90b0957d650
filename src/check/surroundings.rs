//! What stands around a passage in its source, by which [set phrases](super::set_phrases) are told from copied paragraphs.

use crate::align::Match;
use crate::text::char_text::CharText;
use crate::text::units::Units;
use std::ops::Range;

// Both are chosen by hand.

/// The most half words of a set phrase: a sentence of thirty words, or of sixty Han characters.
pub(super) const LONGEST: u32 = 60;

/// Characters before and behind a passage that are looked at.
const LOOKED_AT: u32 = 150;

/// What stands around a passage in its source, as pairs of neighbouring words in ascending order; nothing of one that is too long to be a
/// set phrase.
pub(super) fn around(source: &CharText, place: &Match) -> Vec<u32> {
    if place.submission.len() as u32 > LONGEST {
        return Vec::new();
    }
    let Range { start, end } = place.source_chars;
    let mut pairs = Vec::new();
    for side in [start.saturating_sub(LOOKED_AT)..start, end..end + LOOKED_AT] {
        let units = Units::from_text(source.slice(&side));
        pairs.extend(units.stem.windows(2).map(|pair| pair[0].rotate_left(16) ^ pair[1]));
    }
    pairs.sort_unstable();
    pairs
}
