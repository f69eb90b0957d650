//! The submission's text, cut so that a match covers each piece as a whole or not at all. Every ratio is a sum over
//! these segments, whichever sources and statuses are looked at.

use super::Countable;
use super::exclusion::{Exclusion, units_within};
use crate::text::structure::Structure;
use crate::text::units::Units;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// How text that stands in a source too is presented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// As the author's own words.
    NoAttribution,
    /// In quotation marks or as a block quotation, with no citation near.
    QuotedNotCited,
    /// As a quotation with a citation.
    QuotedAndCited,
    /// It does not count: in a list of references, in a template, in the author's own earlier work.
    Excluded,
}

impl Status {
    /// All of them, the gravest first.
    pub const ALL: [Status; 4] =
        [Status::NoAttribution, Status::QuotedNotCited, Status::QuotedAndCited, Status::Excluded];
}

/// A piece of the submission that matches cover as a whole or not at all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CountedSegment {
    /// Its first character.
    pub start: u32,
    /// Where it ends, exclusive.
    pub end: u32,
    /// Countable characters of it that count.
    pub characters: u64,
    /// How the submission presents it.
    pub status: Status,
    /// Whether a match covers it.
    pub matched: bool,
    /// Whether no match but such with the author's own works covers it.
    pub own_work: bool,
}

impl CountedSegment {
    /// The status it is shown with: what only the author's own works hold is excluded.
    pub fn shown(&self) -> Status {
        if self.own_work { Status::Excluded } else { self.status }
    }
}

/// The text, cut at every border of an exclusion, a quotation, a section, and of `others`: matches and pages, in
/// characters. Nothing covers it yet.
pub(crate) fn cut(
    units: &Units,
    counted: &Countable,
    structure: &Structure,
    exclusions: &[Exclusion],
    others: &[Range<u32>],
) -> Vec<CountedSegment> {
    let quotations: Vec<(Range<u32>, bool)> = structure
        .quotations
        .iter()
        .map(|quotation| (units_within(units, &(quotation.start..quotation.end)), quotation.citation.is_some()))
        .filter(|(range, _)| range.start < range.end)
        .collect();
    let span = |range: &Range<u32>| units.span(range.start as usize, range.end as usize);
    let mut borders = vec![0, units.text_chars];
    let mut border = |range: Range<u32>| borders.extend([range.start, range.end]);
    others.iter().for_each(|range| border(range.clone()));
    exclusions.iter().for_each(|exclusion| border(span(&exclusion.units)));
    quotations.iter().for_each(|(range, _)| border(span(range)));
    structure.sections.iter().for_each(|section| border(section.start..section.end));
    borders.retain(|&border| border <= units.text_chars);
    borders.sort_unstable();
    borders.dedup();
    let cut_out = |(start, end): (u32, u32)| {
        let within = units_within(units, &(start..end));
        let exclusion = exclusions.get(exclusions.partition_point(|exclusion| exclusion.units.end <= within.start));
        let quotation = quotations.get(quotations.partition_point(|(range, _)| range.end <= within.start));
        let holds = |range: &Range<u32>| range.start < within.end && within.start < within.end;
        let status = match (exclusion, quotation) {
            (Some(exclusion), _) if holds(&exclusion.units) => Status::Excluded,
            (_, Some((range, true))) if holds(range) => Status::QuotedAndCited,
            (_, Some((range, false))) if holds(range) => Status::QuotedNotCited,
            _ => Status::NoAttribution,
        };
        CountedSegment { start, end, characters: counted.of(&within), status, matched: false, own_work: false }
    };
    borders.windows(2).map(|pair| cut_out((pair[0], pair[1]))).collect()
}

/// The segments that a match covers. They were cut at its borders.
pub(crate) fn covered(segments: &[CountedSegment], characters: &Range<u32>) -> Range<usize> {
    let first_from = |character: u32| segments.partition_point(|segment| segment.start < character);
    first_from(characters.start)..first_from(characters.end)
}

/// Countable characters of the segments that are matched and pass a test.
pub(crate) fn matched(segments: &[CountedSegment], counts: impl Fn(&CountedSegment) -> bool) -> u64 {
    let counted = segments.iter().filter(|segment| segment.matched && counts(segment));
    counted.map(|segment| segment.characters).sum()
}
