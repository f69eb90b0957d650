//! Forms that no language's words tell: what several documents of different authors hold in the same kind of place, signed or dated.
//!
//! A declaration in a language without a file is known so, and the statement of a school in one that has a file. A copied abstract is
//! signed by nobody, and a copied foreword stands in the book it was taken from, however many copies of that book there are.
//!
//! The constants were chosen by hand and not measured apart.

use super::findings::{Findings, FoundSource, SharedPassage};
use crate::align::Match;
use crate::score::Countable;
use crate::sketch::simhash::hamming;
use crate::text::units::Units;
use std::ops::Range;

/// The fewest other documents that hold a form.
pub(super) const FEWEST: usize = 2;

/// The fewest bits in which their fingerprints differ: copies of one work differ in few, works of different authors in some thirty.
const APART: u32 = 10;

/// The most countable characters of a form, and of all forms of a text.
const LONGEST: u64 = 1_500;
const ALL: u64 = 3_000;

/// The largest share of a text that is a form: a short text of which more is shared was shared.
const SHARE: f64 = 0.25;

/// Of how many parts of a text a form begins in the first, or ends in the last one; and the most characters of each of these two.
const EDGE: u32 = 10;
const EDGE_CHARACTERS: u32 = 12_000;

/// The most characters between two passages of one form, where a name, a title or a number stands.
const SLOT: u32 = 200;

/// Within how many characters further down a form is signed or dated.
const SIGNED_WITHIN: u32 = 120;

/// The share of a passage that another document holds, too.
const SAME: f64 = 0.7;

/// A document that shares passages with a text.
pub(super) struct Holder {
    /// Where those stand in the text that stand at an edge of both, in units; and whether one counts.
    places: Vec<(Range<u32>, bool)>,
}

impl Holder {
    /// The passages of a text and a document, each with whether it counts. `characters` has how many characters the text has and how many the
    /// document; the text's own side of the passages is `side`.
    pub(super) fn new<'m>(characters: [u32; 2], passages: impl Iterator<Item = (&'m Match, bool)>, side: Side) -> Self {
        let at_edges = |(place, counts): (&'m Match, bool)| {
            let chars = [&place.submission_chars, &place.source_chars];
            let (ours, [text, other]) = match side {
                Side::Submission => (&place.submission, chars),
                Side::Source => (&place.source, [chars[1], chars[0]]),
            };
            let is_form = is_at_edge(text, characters[0]) && is_at_edge(other, characters[1]);
            is_form.then(|| (ours.clone(), counts))
        };
        Holder { places: passages.filter_map(at_edges).collect() }
    }
}

/// Which side of passages a text is.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Submission,
    Source,
}

/// The passages of a submission of which forms consist, in units.
pub(super) fn of_submission(findings: &Findings) -> Vec<Range<u32>> {
    if findings.sources.iter().filter(|source| !source.passages.is_empty()).count() < FEWEST {
        return Vec::new();
    }
    let units = findings.units();
    let sources: Vec<&FoundSource> = findings.sources.iter().filter(|source| !source.own_work).collect();
    let holder = |source: &&FoundSource| {
        let of = |passages, counts| passages_of(passages).map(move |place| (place, counts));
        let passages = of(&source.passages, true).chain(of(&source.weak, false));
        Holder::new([units.text_chars, source.characters], passages, Side::Submission)
    };
    let holders: Vec<Holder> = sources.iter().map(holder).collect();
    find(&holders, &findings.structure().signed, units, |a, b| is_one_work(sources[a], sources[b]))
}

fn passages_of(passages: &[SharedPassage]) -> impl Iterator<Item = &Match> {
    passages.iter().map(|passage| &passage.place)
}

/// Copies of one work, or two works of one author.
pub(super) fn is_one_work(first: &FoundSource, second: &FoundSource) -> bool {
    let author = &first.metadata.author;
    hamming(first.fingerprint, second.fingerprint) < APART || author.is_some() && second.metadata.author == *author
}

/// The passages of a text of which forms consist, in units. `signed` is where lines start on which somebody signs, and `is_one_work`
/// tells of two holders whether they are one work.
pub(super) fn find(
    holders: &[Holder],
    signed: &[u32],
    units: &Units,
    is_one_work: impl Fn(usize, usize) -> bool,
) -> Vec<Range<u32>> {
    let countable = Countable::new(units);
    let mut found = Vec::new();
    for holder in holders {
        for form in signed_groups(&holder.places, signed, units) {
            let is_short = countable.of_union(form.iter().map(|(place, _)| place.clone())) <= LONGEST;
            let is_held = |place: &Range<u32>| {
                let holding = (0..holders.len()).filter(|&at| holds(&holders[at], place, &countable));
                are_works(holding, FEWEST, &is_one_work)
            };
            let counts = form.into_iter().filter(|(place, counts)| is_short && *counts && is_held(place));
            found.extend(counts.map(|(place, _)| place));
        }
    }
    let all = countable.of_union(found.iter().cloned());
    if all > ALL || all as f64 > SHARE * countable.total() as f64 { Vec::new() } else { found }
}

/// Passages in groups that a signature or a date stands below.
fn signed_groups(places: &[(Range<u32>, bool)], signed: &[u32], units: &Units) -> Vec<Vec<(Range<u32>, bool)>> {
    let span = |(place, _): &(Range<u32>, bool)| units.span(place.start as usize, place.end as usize);
    let mut places = places.to_vec();
    places.sort_by_key(|(place, _)| (place.start, place.end));
    let groups = places.chunk_by(|first, second| span(second).start <= span(first).end.saturating_add(SLOT));
    let is_signed = |group: &&[(Range<u32>, bool)]| {
        let (start, end) =
            group.iter().map(span).fold((u32::MAX, 0), |(start, end), of| (start.min(of.start), end.max(of.end)));
        signed.iter().any(|line| (start..end.saturating_add(SIGNED_WITHIN)).contains(line))
    };
    groups.filter(is_signed).map(<[_]>::to_vec).collect()
}

fn is_at_edge(place: &Range<u32>, characters: u32) -> bool {
    let edge = (characters / EDGE).min(EDGE_CHARACTERS);
    place.start <= edge || place.end >= characters.saturating_sub(edge)
}

/// Whether a document holds most of a passage.
fn holds(holder: &Holder, passage: &Range<u32>, countable: &Countable) -> bool {
    let inside = holder.places.iter().map(|(place, _)| place.start.max(passage.start)..place.end.min(passage.end));
    let inside = countable.of_union(inside.filter(|range| range.start < range.end));
    inside as f64 >= SAME * countable.of(passage) as f64
}

/// Whether at least `fewest` of these documents are works of their own.
pub(super) fn are_works(
    holders: impl Iterator<Item = usize>,
    fewest: usize,
    is_one_work: &impl Fn(usize, usize) -> bool,
) -> bool {
    let mut works: Vec<usize> = Vec::new();
    for holder in holders {
        if !works.iter().any(|&work| is_one_work(work, holder)) {
            works.push(holder);
        }
        if works.len() >= fewest {
            return true;
        }
    }
    false
}
