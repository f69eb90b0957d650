//! The source's side of a passage, as its text tells.

use super::exclusion::units_within;
use super::facts::Facts;
use super::wording::{Place, Wording, is_framed};
use crate::align::{AlignSettings, Match};
use crate::text::char_text::CharText;
use crate::text::layout::Layout;
use crate::text::structure::frames;
use crate::text::units::Units;
use std::ops::Range;

/// In how many characters before and behind a passage an outline or thanks are looked for, of which the passage may hold a part.
const AROUND: u32 = 300;

/// The wording of what a source has in a passage.
pub(super) struct SourceSide {
    units: Units,
    /// What of it was taken, in units.
    taken: Vec<Range<u32>>,
    wording: Wording,
}

impl SourceSide {
    /// Of a source whose text is given.
    pub(super) fn new(source: &CharText, place: &Match) -> Self {
        let text = source.slice(&place.source_chars);
        let units = Units::from_text(text);
        let unit_at =
            |character: u32| units.start.partition_point(|start| *start + place.source_chars.start < character) as u32;
        let (mut taken, mut from) = (Vec::new(), 0);
        for (_, characters) in &place.left_out {
            taken.push(from..unit_at(characters.start));
            from = unit_at(characters.end);
        }
        taken.push(from..units.len() as u32);
        SourceSide { wording: Wording::of_excerpt(text, &Layout::default(), &units), units, taken }
    }

    /// Whether it is an outline or thanks, as the text around it tells: [`is_framed`].
    pub(super) fn is_framed(&self, settings: &AlignSettings, source: &CharText, place: &Match) -> bool {
        let Range { start, end } = place.source_chars;
        let from = start.saturating_sub(AROUND);
        let inside = |at: u32| (from + at).clamp(start, end) - start;
        let frames = frames(source.slice(&(from..end + AROUND)));
        let frames = frames.iter().map(|frame| units_within(&self.units, &(inside(frame.start)..inside(frame.end))));
        is_framed(settings, (&self.units, &self.taken), &frames.collect::<Vec<_>>())
    }

    /// Its words, as [`Wording::facts`] gives them.
    pub(super) fn facts(&self) -> Facts {
        self.wording.facts(&self.units, &self.taken)
    }

    /// What its words tell, and what of it was taken.
    pub(super) fn whole(&self) -> (&Wording, Place<'_>) {
        (&self.wording, (&self.units, &self.taken))
    }
}
