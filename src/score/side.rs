//! What the texts of both sides of a passage tell of it: whether it is weak.

use super::cited::Cited;
use super::exclusion::units_within;
use super::facts::Facts;
use super::labels::{self, MOST_LISTED};
use super::wording::{Place, Wording, is_framed, length};
use crate::align::{AlignSettings, Match};
use crate::text::char_text::CharText;
use crate::text::layout::Layout;
use crate::text::structure::frames;
use crate::text::units::Units;
use std::cell::OnceCell;
use std::ops::Range;

/// In how many characters before and behind a passage an outline or thanks are looked for, of which the passage may hold a part.
const AROUND: u32 = 300;

impl Wording {
    /// Calls those passages weak that tell too little of copying. The text is the source's, if that is kept.
    pub(crate) fn weaken(
        &self,
        settings: &AlignSettings,
        units: &Units,
        source: Option<&CharText>,
        places: &mut [Match],
    ) {
        let cited = OnceCell::new();
        let source_cites = |source: &CharText| cited.get_or_init(|| Cited::of(source.text()));
        for place in places.iter_mut().filter(|place| !place.weak) {
            let copied = place.copied();
            let side = OnceCell::new();
            let of_source = |source| side.get_or_init(|| SourceSide::new(source, place));
            let are_labels = |source: &CharText| labels::are_labels(source.slice(&place.source_chars));
            let are_facts = |source| self.facts(units, &copied).are_told_anew(&of_source(source).facts());
            let ours = || (units, &copied[..]);
            place.weak = self.is_slight(settings, units, &copied)
                || is_framed(settings, ours(), &self.frames)
                    && source.is_some_and(|source| of_source(source).is_framed(settings, source, place))
                || self.agrees_in_labels(settings, units, place) && source.is_some_and(are_labels)
                || self.may_agree_in_facts(settings, units, place) && source.is_some_and(are_facts)
                || length(units, &copied) < MOST_LISTED
                    && source.is_some_and(|source| {
                        self.agrees_in_titles(settings, ours(), source_cites(source), || of_source(source).whole())
                    });
        }
    }
}

/// The wording of what a source has in a passage.
struct SourceSide {
    units: Units,
    /// What of it was taken, in units.
    taken: Vec<Range<u32>>,
    wording: Wording,
}

impl SourceSide {
    /// Of a source whose text is given.
    fn new(source: &CharText, place: &Match) -> Self {
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
    fn is_framed(&self, settings: &AlignSettings, source: &CharText, place: &Match) -> bool {
        let Range { start, end } = place.source_chars;
        let from = start.saturating_sub(AROUND);
        let inside = |at: u32| (from + at).clamp(start, end) - start;
        let frames = frames(source.slice(&(from..end + AROUND)));
        let frames = frames.iter().map(|frame| units_within(&self.units, &(inside(frame.start)..inside(frame.end))));
        is_framed(settings, (&self.units, &self.taken), &frames.collect::<Vec<_>>())
    }

    /// Its words, as [`Wording::facts`] gives them.
    fn facts(&self) -> Facts {
        self.wording.facts(&self.units, &self.taken)
    }

    /// What its words tell, and what of it was taken.
    fn whole(&self) -> (&Wording, Place<'_>) {
        (&self.wording, (&self.units, &self.taken))
    }
}
