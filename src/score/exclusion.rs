//! What does not count in a submission's ratios, and why.

use crate::align::Match;
use crate::text::layout::{Layout, MarkKind};
use crate::text::structure::{SectionKind, Structure};
use crate::text::units::Units;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Why some ratio leaves a span out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It is in a part that is not the author's running text.
    Part(SectionKind),
    /// It is in the colour of the page.
    WhiteText,
    /// It is too small to be read.
    TinyText,
    /// It stands in a template.
    Template,
    /// It stands in the author's own earlier work.
    OwnWork,
    /// It is a quotation with a citation.
    Quotation,
}

impl Reason {
    /// The words that stand for it in a report.
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::Part(kind) => kind.as_str(),
            Reason::WhiteText => "white text",
            Reason::TinyText => "tiny text",
            Reason::Template => "template",
            Reason::OwnWork => "own work",
            Reason::Quotation => "quotation",
        }
    }
}

/// A span of a submission that counts neither as text nor as copied text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exclusion {
    /// Why.
    pub reason: Reason,
    /// The span, in units.
    pub units: Range<u32>,
}

/// Parts of a thesis that are not its running text, and text that nobody sees.
pub fn of_parts(structure: &Structure, layout: &Layout, units: &Units) -> Vec<Exclusion> {
    let parts = structure.sections.iter().filter(|section| !section.kind.counts());
    let parts = parts.map(|section| (Reason::Part(section.kind), section.start..section.end));
    let unseen = layout.marks().iter().filter_map(|mark| match mark.kind {
        MarkKind::White => Some((Reason::WhiteText, mark.start..mark.end)),
        MarkKind::Tiny => Some((Reason::TinyText, mark.start..mark.end)),
        _ => None,
    });
    parts.chain(unseen).map(|(reason, chars)| Exclusion { reason, units: units_within(units, &chars) }).collect()
}

/// Text that stands in a template, such as a university's form.
pub fn of_template(matches: &[Match]) -> impl Iterator<Item = Exclusion> {
    matches.iter().map(|m| Exclusion { reason: Reason::Template, units: m.submission.clone() })
}

/// The exclusions in order and apart: what several hold belongs to the first of them.
pub fn apart(mut exclusions: Vec<Exclusion>) -> Vec<Exclusion> {
    exclusions.sort_by_key(|exclusion| (exclusion.units.start, exclusion.units.end));
    let mut covered = 0;
    exclusions.retain_mut(|exclusion| {
        exclusion.units.start = exclusion.units.start.max(covered);
        covered = covered.max(exclusion.units.end);
        exclusion.units.start < exclusion.units.end
    });
    exclusions
}

/// The units that start within a range of characters.
pub fn units_within(units: &Units, chars: &Range<u32>) -> Range<u32> {
    let first_from = |character: u32| units.start.partition_point(|&start| start < character) as u32;
    first_from(chars.start)..first_from(chars.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exclusions_are_cut_so_that_each_unit_has_one_reason() {
        let exclusion = |reason, units| Exclusion { reason, units };
        let found = apart(vec![
            exclusion(Reason::Template, 8..12),
            exclusion(Reason::Part(SectionKind::Contents), 2..10),
            exclusion(Reason::WhiteText, 3..5),
            exclusion(Reason::Part(SectionKind::References), 20..20),
        ]);
        assert_eq!(found, [exclusion(Reason::Part(SectionKind::Contents), 2..10), exclusion(Reason::Template, 10..12)]);
    }

    #[test]
    fn units_are_within_when_they_start_within() {
        let units = Units::from_text("one two 三四");
        assert_eq!(units_within(&units, &(0..4)), 0..1);
        assert_eq!(units_within(&units, &(4..9)), 1..3);
        assert_eq!(units_within(&units, &(5..20)), 2..4);
    }
}
