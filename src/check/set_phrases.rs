//! Set phrases: sentences that several works hold, each among other words.
//!
//! "A p value of less than .05 was considered statistically significant" is nobody's. Such a sentence is known by who else has it: works of
//! different authors that share a few sentences with the text at most, and that go on in different words before and behind it. Where many
//! copied one paragraph, their paragraphs agree, and where one work was copied, the passages are longer; both count.
//!
//! The constants were chosen by hand and not measured apart; docs/RATIOS.md tells what the rule finds with them.

use super::findings::{Findings, FoundSource};
use super::forms::{are_works, is_one_work};
use super::surroundings::LONGEST;
use crate::align::extent::Extent;
use crate::score::Countable;
use crate::sketch::shingle::Overlap;
use std::ops::Range;

/// The fewest other works that hold one. Three may be copies of one work that nobody has.
const FEWEST: usize = 4;

/// The most half words that a work which holds some has in common with the text. Theses share some such sentences, hardly more than four.
const SHARED: u32 = 4 * LONGEST;

/// The share of a passage that another work holds, too.
const SAME: f64 = 0.7;

/// The part of the pairs of words around a passage that agree in copies of one paragraph. Of unrelated texts one in thirty agrees.
const ALIKE: usize = 4;

/// The most countable characters of all of a text, and the part of it that they are: who puts a text together of sentences that everybody
/// has is told.
const ALL: u64 = 1_500;
const PART: u64 = 20;

/// A passage that a work shares with a text.
struct Place<'f> {
    /// Where it stands in the text, in units.
    ours: &'f Range<u32>,
    counts: bool,
    /// What stands around it in the work.
    around: &'f [u32],
}

/// The passages of a submission that are set phrases, in units.
pub(super) fn of_submission(findings: &Findings) -> Vec<Range<u32>> {
    let sources: Vec<&FoundSource> = findings.sources.iter().filter(|source| !source.own_work).collect();
    if sources.len() < FEWEST {
        return Vec::new();
    }
    let units = findings.units();
    let length = |range: &Range<u32>| Extent::of(&units.flags[range.start as usize..range.end as usize]).half_words;
    let mut holders: Vec<Vec<Place<'_>>> = sources.iter().map(|source| places(source)).collect();
    for places in &mut holders {
        let lengths = || places.iter().map(|place| length(place.ours));
        if lengths().any(|length| length > LONGEST) || lengths().sum::<u32>() > SHARED {
            places.clear();
        }
    }
    let all = Countable::new(units);
    let mut found = Vec::new();
    for passage in holders.iter().flatten().filter(|place| place.counts) {
        // What stands around the passage in each source that holds it.
        let around: Vec<Option<&[u32]>> = holders.iter().map(|places| held(places, passage.ours, &all)).collect();
        let holding = (0..sources.len()).filter(|&at| around[at].is_some());
        let is_one = |a: usize, b: usize| is_one_work(sources[a], sources[b]) || are_alike(around[a], around[b]);
        if are_works(holding, FEWEST, &is_one) {
            found.push(passage.ours.clone());
        }
    }
    let characters = all.of_union(found.iter().cloned());
    if characters > ALL || characters * PART > all.total() { Vec::new() } else { found }
}

fn places(source: &FoundSource) -> Vec<Place<'_>> {
    let passages = [(&source.passages, true), (&source.weak, false)];
    let each = passages.into_iter().flat_map(|(passages, counts)| passages.iter().map(move |shared| (shared, counts)));
    each.map(|(shared, counts)| Place { ours: &shared.place.submission, counts, around: &shared.around }).collect()
}

/// What stands around a passage in a work, if that holds most of it.
fn held<'f>(places: &[Place<'f>], passage: &Range<u32>, all: &Countable) -> Option<&'f [u32]> {
    let holds = |place: &&Place<'f>| {
        let inside = place.ours.start.max(passage.start)..place.ours.end.min(passage.end);
        inside.start < inside.end && all.of(&inside) as f64 >= SAME * all.of(passage) as f64
    };
    places.iter().find(holds).map(|place| place.around)
}

/// Whether much of what stands around a passage is the same in two works, as far as that is known.
fn are_alike(first: Option<&[u32]>, second: Option<&[u32]>) -> bool {
    let (first, second) = (first.unwrap_or_default(), second.unwrap_or_default());
    let Overlap { common, .. } = Overlap::of(first, second);
    common * ALIKE >= first.len().min(second.len())
}
