//! Forms that no language's words tell: what several documents of different authors hold in the same kind of place, signed or dated.
//!
//! A declaration in a language without a file is known so, and the statement of a school in one that has a file. A copied abstract is
//! signed by nobody, and a copied foreword stands in the book it was taken from, however many copies of that book there are.

use super::findings::{Findings, FoundSource};
use crate::align::Match;
use crate::score::Countable;
use crate::sketch::simhash::hamming;
use crate::text::units::Units;
use std::ops::Range;

// All are chosen by hand.

/// The fewest other documents that hold a form.
const FEWEST: usize = 2;

/// Their fingerprints differ in so many bits: copies of one work differ in few, works of different authors in some thirty.
const APART: u32 = 10;

/// The most countable characters of a form, and of all forms of a text.
const LONGEST: u64 = 1_500;
const ALL: u64 = 3_000;

/// A form begins in the first part of a text, or ends in its last one: a tenth of it, and so many characters.
const EDGE: u32 = 10;
const EDGE_CHARACTERS: u32 = 12_000;

/// Between two passages of one form stand a name, a title or a number, of so many characters.
const SLOT: u32 = 200;

/// It is signed or dated at most so many characters further down.
const SIGNED_WITHIN: u32 = 120;

/// The share of a passage that another document holds, too.
const SAME: f64 = 0.7;

/// The passages of which forms consist, in units.
pub(super) fn forms(findings: &Findings) -> Vec<Range<u32>> {
    if findings.sources.iter().filter(|source| !source.passages.is_empty()).count() < FEWEST {
        return Vec::new();
    }
    let units = findings.units();
    let countable = Countable::new(units);
    let sources = || findings.sources.iter().filter(|source| !source.own_work);
    let edges = |source: &FoundSource| -> Vec<Range<u32>> {
        let at_edges = |place: &&Match| {
            is_at_edge(&place.submission_chars, units.text_chars) && is_at_edge(&place.source_chars, source.characters)
        };
        let places = source.passages.iter().chain(&source.weak).map(|passage| &passage.place);
        places.filter(at_edges).map(|place| place.submission.clone()).collect()
    };
    let held: Vec<(&FoundSource, Vec<Range<u32>>)> = sources().map(|source| (source, edges(source))).collect();
    let mut found = Vec::new();
    for (source, places) in &held {
        for form in signed(places, findings, units) {
            let is_short = countable.of_union(form.iter().cloned()) <= LONGEST;
            let is_held = |passage: &Range<u32>| {
                let holds = |(_, places): &&(&FoundSource, Vec<Range<u32>>)| holds(places, passage, &countable);
                different(held.iter().filter(holds).map(|(source, _)| *source)) >= FEWEST
            };
            let counts =
                |passage: &&Range<u32>| source.passages.iter().any(|other| other.place.submission == **passage);
            found.extend(form.iter().filter(|passage| is_short && is_held(passage)).filter(counts).cloned());
        }
    }
    if countable.of_union(found.iter().cloned()) > ALL { Vec::new() } else { found }
}

/// The passages of one source in groups that a signature or a date stands below.
fn signed(places: &[Range<u32>], findings: &Findings, units: &Units) -> Vec<Vec<Range<u32>>> {
    let span = |place: &Range<u32>| units.span(place.start as usize, place.end as usize);
    let mut places = places.to_vec();
    places.sort_by_key(|place| (place.start, place.end));
    let groups = places.chunk_by(|first, second| span(second).start <= span(first).end.saturating_add(SLOT));
    let is_signed = |group: &&[Range<u32>]| {
        let (start, end) =
            group.iter().map(span).fold((u32::MAX, 0), |(start, end), of| (start.min(of.start), end.max(of.end)));
        findings.structure().signed.iter().any(|line| (start..end.saturating_add(SIGNED_WITHIN)).contains(line))
    };
    groups.filter(is_signed).map(<[_]>::to_vec).collect()
}

fn is_at_edge(place: &Range<u32>, characters: u32) -> bool {
    let edge = (characters / EDGE).min(EDGE_CHARACTERS);
    place.start <= edge || place.end >= characters.saturating_sub(edge)
}

/// Whether passages of a document hold most of another one.
fn holds(places: &[Range<u32>], passage: &Range<u32>, countable: &Countable) -> bool {
    let inside = places.iter().map(|place| place.start.max(passage.start)..place.end.min(passage.end));
    let inside = countable.of_union(inside.filter(|range| range.start < range.end));
    inside as f64 >= SAME * countable.of(passage) as f64
}

/// How many of these documents are works of their own.
fn different<'a>(sources: impl Iterator<Item = &'a FoundSource>) -> usize {
    let mut works: Vec<&FoundSource> = Vec::new();
    for source in sources {
        let author = &source.metadata.author;
        let is_known = |work: &&FoundSource| {
            hamming(work.fingerprint, source.fingerprint) < APART || author.is_some() && work.metadata.author == *author
        };
        if !works.iter().any(is_known) {
            works.push(source);
        }
    }
    works.len()
}
