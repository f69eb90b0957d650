//! What kind of match a passage is, and how similar its two sides are.
//!
//! Both sides are tiled with common stretches of units (equal in their normalised form): two words or three Han
//! characters at least, found from the left, a tile going on where the one before ended if it can. The heaviest
//! chain of tiles that stand in the same order on both sides tells how much agrees in order. What was moved shows in
//! the *landmarks*, the units that occur exactly once on either side: the longest sequence of landmarks that stand in
//! the same order (patience sorting, as in the comparison of files) leaves out those that were moved. It sees moved
//! paragraphs and words shuffled within a clause alike, and a replaced word is no landmark.
//!
//! | kind | rule |
//! |---|---|
//! | disguised | at least 2 % of the tiled units, and two, were found only after undoing a disguise |
//! | verbatim | the chain covers at least 97 % of both sides |
//! | reordered | at least 14 % of the landmarks, and three, are out of order |
//! | edited | all else |
//!
//! The first rule that holds decides.

use super::candidate::RangePair;
use super::extent::half_words;
use super::features::key;
use super::places::FirstPlaces;
use crate::text::flag;
use crate::text::units::Units;
use ahash::AHashMap;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What kind of match a passage is, by the first rule that holds (see the page of this module in the source, and docs/ALIGNMENT.md).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The same units in the same order.
    Verbatim,
    /// Copied with changes.
    Edited,
    /// A good part stands in another order.
    Reordered,
    /// Found only after undoing zero-width characters, look-alike letters or a change of script.
    Disguised,
}

impl Kind {
    /// The word that stands for it in a CSV file.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Verbatim => "verbatim",
            Kind::Edited => "edited",
            Kind::Reordered => "reordered",
            Kind::Disguised => "disguised",
        }
    }
}

/// Share of tiled units whose disguise differs that makes a match a disguised one. Chosen by hand; not measured
/// apart.
const DISGUISED: f64 = 0.02;
/// Fewest such units. Chosen by hand; not measured apart.
const LEAST_DISGUISED: usize = 2;
/// Share of both sides that the chain covers in a verbatim match. Chosen by hand; not measured apart.
const VERBATIM: f64 = 0.97;
/// Share of the landmarks out of order that makes a match a reordered one. The value was chosen by hand and not measured apart. What
/// it is a share of was: the tiles outside the heaviest chain, in place of landmarks, told 2 of 54 passages with words shuffled
/// inside clauses.
const REORDERED: f64 = 0.14;
/// Fewest landmarks out of order that count as more than an accident. Chosen by hand; not measured apart.
const LEAST_MOVED: usize = 3;
/// Fewest units of a tile, of words and of Han characters. Chosen by hand; not measured apart.
const LEAST_TILE: (usize, usize) = (2, 3);
/// Units behind the last tile that are tried for the next one before all other places. Chosen by hand; not measured apart.
const ONWARD: usize = 4;

/// How alike two ranges are.
#[derive(Debug, Clone)]
pub struct Likeness {
    /// What kind of match they are.
    pub kind: Kind,
    /// The Dice coefficient of the multisets of features (stems; pairs of neighbouring Han characters) inside the two
    /// ranges: 1 if they are the same, 0 if nothing agrees.
    pub similarity: f32,
    /// The longest stretch of equal units, in half words, numbers not counted.
    pub longest: u32,
    /// Where the parts of a reordered match stand on either side, in units; none of other kinds.
    pub pieces: Vec<RangePair>,
    /// The common stretches, from the left; none where the two ranges are equal.
    pub tiles: Vec<Tile>,
}

/// How alike a pair of ranges is.
pub fn classify(submission: &Units, a: Range<usize>, source: &Units, b: Range<usize>) -> Likeness {
    let tiling = Tiling::new(submission, a.clone(), source, b.clone());
    let landmarks = || Landmarks::new(&submission.hash[a.clone()], &source.hash[b.clone()]);
    let kind = tiling.kind(a.len(), b.len(), landmarks);
    let similarity = if tiling.identical { 1.0 } else { dice(submission, &[a], source, &[b]) };
    let pieces = if kind == Kind::Reordered { pieces(&tiling.tiles) } else { Vec::new() };
    Likeness { kind, similarity, longest: tiling.longest, pieces, tiles: tiling.tiles }
}

/// The Dice coefficient of the multisets of features inside some ranges of either side.
pub fn dice(submission: &Units, a: &[Range<usize>], source: &Units, b: &[Range<usize>]) -> f32 {
    let mut counts: AHashMap<u64, u32> = AHashMap::with_capacity(a.iter().map(Range::len).sum());
    // The pair of a range's last Han character reaches outside.
    let inside = |units: &Units, r: &Range<usize>| {
        let last = r.end - 1;
        if r.len() > 1 && units.flags[last] & flag::HAN != 0 { r.start..last } else { r.clone() }
    };
    let (mut total, mut common) = (0, 0);
    for i in a.iter().flat_map(|range| inside(submission, range)) {
        *counts.entry(key(submission, i)).or_default() += 1;
        total += 1;
    }
    for j in b.iter().flat_map(|range| inside(source, range)) {
        total += 1;
        if let Some(count) = counts.get_mut(&key(source, j)).filter(|c| **c > 0) {
            *count -= 1;
            common += 1;
        }
    }
    (f64::from(2 * common) / total as f64) as f32
}

/// A common stretch of units.
#[derive(Debug, Clone, Copy)]
pub struct Tile {
    /// Its first unit in the submission.
    pub a: usize,
    /// Its first unit in the source.
    pub b: usize,
    /// Its units.
    pub len: usize,
}

#[derive(Debug, Default)]
struct Tiling {
    identical: bool,
    tiled: usize,
    in_order: usize,
    undone: usize,
    /// The longest tile, in half words, numbers not counted.
    longest: u32,
    tiles: Vec<Tile>,
}

impl Tiling {
    fn new(submission: &Units, a: Range<usize>, source: &Units, b: Range<usize>) -> Self {
        let undone = |i: usize, j: usize| (submission.flags[i] ^ source.flags[j]) & flag::DISGUISE != 0;
        if submission.hash[a.clone()] == source.hash[b.clone()] {
            let undone = a.clone().zip(b).filter(|&(i, j)| undone(i, j)).count();
            let longest = worded(submission, a.clone());
            return Self { identical: true, tiled: a.len(), in_order: a.len(), undone, longest, tiles: Vec::new() };
        }
        let tiles = tiles(submission, a, source, b);
        Self {
            identical: false,
            tiled: tiles.iter().map(|t| t.len).sum(),
            in_order: heaviest_chain(&tiles),
            longest: tiles.iter().map(|t| worded(submission, t.a..t.a + t.len)).max().unwrap_or(0),
            undone: tiles.iter().map(|t| (0..t.len).filter(|k| undone(t.a + k, t.b + k)).count()).sum(),
            tiles,
        }
    }

    fn kind(&self, len_a: usize, len_b: usize, landmarks: impl Fn() -> Landmarks) -> Kind {
        let share = |part: usize, all: usize| part as f64 / all.max(1) as f64;
        if self.undone >= LEAST_DISGUISED && share(self.undone, self.tiled) >= DISGUISED {
            return Kind::Disguised;
        }
        if share(self.in_order, len_a.max(len_b)) >= VERBATIM {
            return Kind::Verbatim;
        }
        let landmarks = landmarks();
        if landmarks.moved >= LEAST_MOVED && share(landmarks.moved, landmarks.all) >= REORDERED {
            Kind::Reordered
        } else {
            Kind::Edited
        }
    }
}

/// The length of a range in half words, numbers not counted.
fn worded(units: &Units, range: Range<usize>) -> u32 {
    units.flags[range].iter().filter(|flags| *flags & flag::NUMBER == 0).map(half_words).sum()
}

/// The units that occur exactly once on either side.
#[derive(Debug, PartialEq)]
struct Landmarks {
    all: usize,
    /// Those outside the longest sequence that stands in the same order on both sides.
    moved: usize,
}

impl Landmarks {
    fn new(a: &[u32], b: &[u32]) -> Self {
        #[derive(Default)]
        struct Standing {
            in_a: u32,
            in_b: u32,
            at_b: usize,
        }
        let mut places: AHashMap<u32, Standing> = AHashMap::with_capacity(a.len());
        for unit in a {
            places.entry(*unit).or_default().in_a += 1;
        }
        for (j, unit) in b.iter().enumerate() {
            if let Some(place) = places.get_mut(unit) {
                place.in_b += 1;
                place.at_b = j;
            }
        }
        // Patience sorting: the last landmarks of the best sequences of each length.
        let mut ends: Vec<usize> = Vec::new();
        let mut all = 0;
        for place in a.iter().filter_map(|unit| places.get(unit)) {
            if (place.in_a, place.in_b) == (1, 1) {
                all += 1;
                let rank = ends.partition_point(|end| *end < place.at_b);
                match ends.get_mut(rank) {
                    Some(end) => *end = place.at_b,
                    None => ends.push(place.at_b),
                }
            }
        }
        Self { all, moved: all - ends.len() }
    }
}

/// Tiles two ranges from the left.
fn tiles(submission: &Units, a: Range<usize>, source: &Units, b: Range<usize>) -> Vec<Tile> {
    let (x, y) = (&submission.hash, &source.hash);
    let mut places: AHashMap<(u32, u32), FirstPlaces> = AHashMap::with_capacity(b.len());
    for j in b.start..b.end.saturating_sub(1) {
        places.entry((y[j], y[j + 1])).or_default().push(j);
    }
    let mut tiles: Vec<Tile> = Vec::new();
    let mut next = b.start;
    let mut i = a.start;
    while i + 1 < a.end {
        let least = if submission.flags[i] & flag::HAN == 0 { LEAST_TILE.0 } else { LEAST_TILE.1 };
        let length = |j: usize| (0..(a.end - i).min(b.end - j)).take_while(|k| x[i + k] == y[j + k]).count();
        let mut best = Tile { a: i, b: next, len: 0 };
        if let Some(listed) = places.get(&(x[i], x[i + 1])) {
            // The place where the last tile ended, and the next few, are the likeliest in a text that repeats itself.
            let onward = (next..b.end.min(next + ONWARD)).filter(|&j| y[j] == x[i]);
            for j in onward.chain(listed.iter()) {
                let len = length(j);
                if len > best.len {
                    best = Tile { a: i, b: j, len };
                }
            }
        }
        if best.len >= least {
            (i, next) = (i + best.len, best.b + best.len);
            tiles.push(best);
        } else {
            i += 1;
        }
    }
    tiles
}

/// Units between two tiles of one piece at most, on the source's side. Chosen by hand; not measured apart.
const PIECE_GAP: usize = 12;
/// Fewest units of a piece: shorter ones are told with their neighbours. Chosen by hand; not measured apart.
const PIECE: usize = 4;

/// Joins tiles that follow each other on both sides to pieces.
fn pieces(tiles: &[Tile]) -> Vec<RangePair> {
    let follows = |a: &Tile, b: &Tile| (a.b + a.len..=a.b + a.len + PIECE_GAP).contains(&b.b);
    let piece = |tiles: &[Tile]| {
        let (first, last) = (tiles[0], tiles[tiles.len() - 1]);
        RangePair { submission: first.a..last.a + last.len, source: first.b..last.b + last.len }
    };
    tiles.chunk_by(follows).map(piece).filter(|piece| piece.submission.len() >= PIECE).collect()
}

/// The greatest number of units in tiles that stand in the same order on both sides, and apart.
fn heaviest_chain(tiles: &[Tile]) -> usize {
    // A Fenwick tree of maxima over where tiles end in the source, filled in the order of the submission.
    let mut ends: Vec<usize> = tiles.iter().map(|t| t.b + t.len).collect();
    ends.sort_unstable();
    ends.dedup();
    let mut tree = vec![0usize; ends.len() + 1];
    let mut best = 0;
    for tile in tiles {
        let mut rank = ends.partition_point(|&end| end <= tile.b);
        let mut sum = 0;
        while rank > 0 {
            sum = sum.max(tree[rank]);
            rank &= rank - 1;
        }
        sum += tile.len;
        best = best.max(sum);
        let mut rank = ends.partition_point(|&end| end < tile.b + tile.len) + 1;
        while rank < tree.len() {
            tree[rank] = tree[rank].max(sum);
            rank += rank & rank.wrapping_neg();
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn landmarks_are_the_units_that_occur_once_on_either_side() {
        // (submission, source, landmarks, moved)
        type Case = (&'static [u32], &'static [u32], usize, usize);
        let cases: &[Case] = &[
            (&[], &[], 0, 0),
            (&[1, 2, 3], &[1, 2, 3], 3, 0),
            (&[1, 2, 3], &[4, 5], 0, 0),
            (&[1, 1, 2], &[1, 2], 1, 0),
            (&[3, 1, 2], &[1, 2, 3], 3, 1),
            (&[4, 5, 6, 1, 2, 3], &[1, 2, 3, 4, 5, 6], 6, 3),
            (&[2, 1, 4, 3, 6, 5], &[1, 2, 3, 4, 5, 6], 6, 3),
        ];
        for (a, b, all, moved) in cases {
            assert_eq!(Landmarks::new(a, b), Landmarks { all: *all, moved: *moved }, "{a:?} {b:?}");
        }
    }

    #[test]
    fn tiles_that_follow_each_other_on_both_sides_are_a_piece() {
        let tile = |a, b, len| Tile { a, b, len };
        assert_eq!(pieces(&[]), []);
        assert_eq!(
            pieces(&[tile(0, 50, 5), tile(6, 56, 9), tile(20, 10, 3), tile(30, 20, 8), tile(38, 60, 2)]),
            [(0..15, 50..65), (20..38, 10..28)].map(|(submission, source)| RangePair { submission, source })
        );
    }

    #[test]
    fn the_heaviest_chain_keeps_the_order_on_both_sides() {
        let tile = |a, b, len| Tile { a, b, len };
        assert_eq!(heaviest_chain(&[]), 0);
        assert_eq!(heaviest_chain(&[tile(0, 0, 5), tile(6, 6, 4)]), 9);
        assert_eq!(heaviest_chain(&[tile(0, 10, 5), tile(6, 0, 4)]), 5);
        assert_eq!(heaviest_chain(&[tile(0, 10, 5), tile(6, 0, 4), tile(11, 4, 3)]), 7);
        assert_eq!(heaviest_chain(&[tile(0, 0, 5), tile(6, 3, 4)]), 5);
    }
}
