//! What passages amount to: the one place where segments are told what covers them, for a new report, for one without some of its
//! sources or passages, and for one that is verified.

use super::ratios::Ratios;
use super::segments::CountedSegment;
use std::ops::Range;

/// What a passage covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cover {
    /// The rank of its source.
    pub source: usize,
    /// The segments, which were cut at its borders.
    pub segments: Range<usize>,
}

/// What passages amount to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Recount {
    /// The segments, each with what covers it.
    pub segments: Vec<CountedSegment>,
    /// How many sources hold each segment. (The passages of one source lie apart.)
    pub holders: Vec<u32>,
    /// Countable characters of the submission that each source has.
    pub of_sources: Vec<u64>,
    /// The ratios.
    pub ratios: Ratios,
}

/// Counts what covers the segments; which of the sources are the author's own work is in `own_work`. `in_short_runs` are the countable
/// characters outside of passages in runs too short to be one, which no passage changes.
pub(crate) fn recount(
    mut segments: Vec<CountedSegment>,
    own_work: &[bool],
    mut covers: Vec<Cover>,
    in_short_runs: u64,
) -> Recount {
    // How many more passages cover a segment than the one before: of all sources, and of other authors' works.
    let mut changes = vec![(0i64, 0i64); segments.len() + 1];
    let mut of_sources = vec![0u64; own_work.len()];
    // What a source has twice counts once, so its passages are taken in order.
    let mut counted_until = vec![0usize; own_work.len()];
    covers.sort_unstable_by_key(|cover| cover.segments.start);
    for Cover { source, segments: range } in covers {
        let foreign = i64::from(!own_work[source]);
        for (at, sign) in [(range.start, 1), (range.end, -1)] {
            changes[at].0 += sign;
            changes[at].1 += sign * foreign;
        }
        let new = range.start.max(counted_until[source])..range.end.max(counted_until[source]);
        counted_until[source] = new.end;
        of_sources[source] += segments[new].iter().map(|segment| segment.characters).sum::<u64>();
    }
    let (mut all, mut foreign) = (0, 0);
    let mut holders = Vec::with_capacity(segments.len());
    for (segment, change) in segments.iter_mut().zip(changes) {
        (all, foreign) = (all + change.0, foreign + change.1);
        segment.matched = all > 0;
        segment.own_work = segment.matched && foreign == 0;
        holders.push(all as u32);
    }
    let largest = of_sources.iter().copied().max().unwrap_or(0);
    let ratios = Ratios::new(&segments, largest, in_short_runs);
    Recount { segments, holders, of_sources, ratios }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Countable;
    use crate::score::exclusion::{Exclusion, apart};
    use crate::score::segments::{covered, cut, matched};
    use crate::text::NotCounted;
    use crate::text::structure::Structure;
    use crate::text::units::Units;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_over_segments_equal_unions_of_units(
            matches in proptest::collection::vec((0u32..20, 0u32..20, any::<bool>()), 0..8),
            excluded in proptest::collection::vec((0u32..20, 0u32..20), 0..3),
        ) {
            let text = "aa “bbb c dddd eee” [1] ff. «gg hhh ii», jj k lll mm; nn oo (pp) qq 潮汐沼 泽";
            let units = Units::from_text(text);
            let structure = Structure::find(text, &Default::default());
            let range = |a: u32, b: u32| a.min(b)..a.max(b) + 1;
            let exclusions = apart(
                excluded.iter().map(|&(a, b)| Exclusion::of_others(NotCounted::Template, range(a, b))).collect(),
            );
            let counted = Countable::outside(&units, &exclusions);
            let chars = |range: &Range<u32>| units.span(range.start as usize, range.end as usize);
            let borders: Vec<Range<u32>> = matches.iter().map(|&(a, b, _)| chars(&range(a, b))).collect();
            let segments = cut(&units, &counted, &structure, &exclusions, &borders);
            // Each match is a source's.
            let covers: Vec<Cover> =
                borders.iter().enumerate().map(|(source, chars)| Cover { source, segments: covered(&segments, chars) }).collect();
            let own_work: Vec<bool> = matches.iter().map(|&(_, _, own_work)| own_work).collect();
            let Recount { segments, of_sources, .. } = recount(segments, &own_work, covers, 0);

            for (&(a, b, _), of_source) in matches.iter().zip(of_sources) {
                prop_assert_eq!(of_source, counted.of(&range(a, b)));
            }
            prop_assert_eq!(segments.iter().map(|segment| segment.characters).sum::<u64>(), counted.total());
            prop_assert!(segments.windows(2).all(|pair| pair[0].end == pair[1].start));
            let all = matches.iter().map(|&(a, b, _)| range(a, b));
            prop_assert_eq!(matched(&segments, |_| true), counted.of_union(all));
            let foreign = matches.iter().filter(|m| !m.2).map(|&(a, b, _)| range(a, b));
            prop_assert_eq!(matched(&segments, |segment| !segment.own_work), counted.of_union(foreign));
        }
    }
}
