//! Why a passage does not count in some ratio.

use super::exclusion::{Exclusion, units_within};
use super::{Countable, ratio};
use crate::text::NotCounted;
use crate::text::ranges::without;
use crate::text::structure::Structure;
use crate::text::units::Units;
use std::ops::Range;

/// The quotations that a citation stands by, in units, in order and apart.
pub(crate) fn cited_quotations(structure: &Structure, units: &Units) -> Vec<Range<u32>> {
    let cited = structure.quotations.iter().filter(|quotation| quotation.citation.is_some());
    let ranges = cited.map(|quotation| units_within(units, &(quotation.start..quotation.end)));
    ranges.filter(|range| range.start < range.end).collect()
}

/// The share of a passage from which on it belongs to the part or the quotation it lies in. Chosen by hand; not measured apart.
const MOSTLY: f64 = 0.9;

/// Why a passage does not count: it lies in a part that does not, the source is the author's own, or it is quoted. `all`
/// counts the whole text; `exclusions` and `quoted` are in order and apart.
pub(crate) fn why_not_counted(
    passage: &Range<u32>,
    all: &Countable,
    exclusions: &[Exclusion],
    is_own: bool,
    quoted: &[Range<u32>],
) -> Option<NotCounted> {
    match part_of(passage, all, exclusions) {
        Some(part) => Some(part.reason),
        None if is_own => Some(NotCounted::OwnWork),
        None if is_mostly_in(passage, all, quoted) => Some(NotCounted::Quotation),
        None => None,
    }
}

/// Fewer countable characters than these are no passage by themselves, when most of one lies in a part that does not count: a
/// declaration that stands before the same heading in both texts. With it, and exact runs that adjoin, 2 in place of 4 passages count
/// between real theses of different families (docs/ALIGNMENT.md, *Figures*).
const REST: u64 = 20;

/// The part that does not count in which a passage lies, nine tenths of it or all but some characters.
pub(crate) fn part_of<'a>(passage: &Range<u32>, all: &Countable, exclusions: &'a [Exclusion]) -> Option<&'a Exclusion> {
    let ranges: Vec<Range<u32>> = exclusions.iter().map(|exclusion| exclusion.units.clone()).collect();
    let part = exclusions.iter().find(|exclusion| exclusion.units.end > passage.start)?;
    let (outside, whole) = (outside(passage, all, &ranges), all.of(passage));
    let is_rest = outside < REST && 2 * outside < whole;
    (is_rest || ratio(outside, whole) <= 1.0 - MOSTLY).then_some(part)
}

fn is_mostly_in(passage: &Range<u32>, all: &Countable, ranges: &[Range<u32>]) -> bool {
    ratio(outside(passage, all, ranges), all.of(passage)) <= 1.0 - MOSTLY
}

/// How many countable characters of a passage lie outside of ranges.
fn outside(passage: &Range<u32>, all: &Countable, ranges: &[Range<u32>]) -> u64 {
    without(passage, ranges).iter().map(|range| all.of(range)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_is_left_out_for_the_part_it_lies_in_then_as_own_work_then_as_quoted() {
        let all = Countable::new(&Units::from_text("one two six ten now and but"));
        let references = NotCounted::References;
        let exclusions = [Exclusion::of_itself(references, 4..7)];
        let quoted = vec![0..2, 9..9];
        let cases = [
            (4..6, true, Some(references)),
            // Most of it lies in the part, and what does not is no passage.
            (3..6, false, Some(references)),
            (0..6, false, None),
            (0..6, true, Some(NotCounted::OwnWork)),
            (0..2, false, Some(NotCounted::Quotation)),
            (0..3, false, None),
        ];
        for (passage, is_own, expected) in cases {
            assert_eq!(why_not_counted(&passage, &all, &exclusions, is_own, &quoted), expected, "{passage:?}");
        }
    }
}
