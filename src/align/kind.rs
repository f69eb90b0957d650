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

use super::Kind;
use super::features::key;
use crate::text::flag;
use crate::text::units::Units;
use ahash::AHashMap;
use std::ops::Range;

/// Share of tiled units whose disguise differs that makes a match a disguised one.
const DISGUISED: f64 = 0.02;
/// Share of both sides that the chain covers in a verbatim match.
const VERBATIM: f64 = 0.97;
/// Share of the landmarks out of order that makes a match a reordered one.
const REORDERED: f64 = 0.14;
/// Fewest landmarks out of order that count as more than an accident.
const LEAST_MOVED: usize = 3;

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
    pub pieces: Vec<Piece>,
}

/// A range of the submission, and the range of the source that it stands in.
pub type Piece = (Range<usize>, Range<usize>);

/// How alike a pair of ranges is.
pub fn classify(submission: &Units, a: Range<usize>, source: &Units, b: Range<usize>) -> Likeness {
    let tiling = Tiling::new(submission, a.clone(), source, b.clone());
    let landmarks = || Landmarks::new(&submission.hash[a.clone()], &source.hash[b.clone()]);
    let kind = tiling.kind(a.len(), b.len(), landmarks);
    let similarity = if tiling.identical { 1.0 } else { dice(submission, a, source, b) };
    let pieces = if kind == Kind::Reordered { pieces(&tiling.tiles) } else { Vec::new() };
    Likeness { kind, similarity, longest: tiling.longest, pieces }
}

/// The Dice coefficient of the multisets of features inside two ranges.
fn dice(submission: &Units, a: Range<usize>, source: &Units, b: Range<usize>) -> f32 {
    let mut counts: AHashMap<u64, u32> = AHashMap::with_capacity(a.len());
    // The pair of a range's last Han character reaches outside.
    let inside = |units: &Units, r: &Range<usize>| {
        let last = r.end - 1;
        if r.len() > 1 && units.flags[last] & flag::HAN != 0 { r.start..last } else { r.clone() }
    };
    let (a, b) = (inside(submission, &a), inside(source, &b));
    let total = a.len() + b.len();
    for i in a {
        *counts.entry(key(submission, i)).or_default() += 1;
    }
    let mut common = 0;
    for j in b {
        if let Some(count) = counts.get_mut(&key(source, j)).filter(|c| **c > 0) {
            *count -= 1;
            common += 1;
        }
    }
    (f64::from(2 * common) / total as f64) as f32
}

/// A common stretch of units.
#[derive(Debug, Clone, Copy)]
struct Tile {
    a: usize,
    b: usize,
    len: usize,
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
            let longest = half_words(submission, a.clone());
            return Self { identical: true, tiled: a.len(), in_order: a.len(), undone, longest, tiles: Vec::new() };
        }
        let tiles = tiles(submission, a, source, b);
        Self {
            identical: false,
            tiled: tiles.iter().map(|t| t.len).sum(),
            in_order: heaviest_chain(&tiles),
            longest: tiles.iter().map(|t| half_words(submission, t.a..t.a + t.len)).max().unwrap_or(0),
            undone: tiles.iter().map(|t| (0..t.len).filter(|k| undone(t.a + k, t.b + k)).count()).sum(),
            tiles,
        }
    }

    fn kind(&self, len_a: usize, len_b: usize, landmarks: impl Fn() -> Landmarks) -> Kind {
        let share = |part: usize, all: usize| part as f64 / all.max(1) as f64;
        if self.undone >= 2 && share(self.undone, self.tiled) >= DISGUISED {
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

/// The length of a range in half words: a Han character is one, a word two, and a number none.
fn half_words(units: &Units, range: Range<usize>) -> u32 {
    let worded = units.flags[range].iter().filter(|f| **f & flag::NUMBER == 0);
    worded.map(|f| 2 - u32::from(f & flag::HAN)).sum()
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

/// Places in the source that are tried for a tile, the first ones.
const TRIES: usize = 8;

/// Tiles two ranges from the left.
fn tiles(submission: &Units, a: Range<usize>, source: &Units, b: Range<usize>) -> Vec<Tile> {
    let (x, y) = (&submission.hash, &source.hash);
    let mut places: AHashMap<(u32, u32), (u8, [u32; TRIES])> = AHashMap::with_capacity(b.len());
    for j in b.start..b.end.saturating_sub(1) {
        let (len, at) = places.entry((y[j], y[j + 1])).or_default();
        if usize::from(*len) < TRIES {
            at[usize::from(*len)] = j as u32;
            *len += 1;
        }
    }
    let mut tiles: Vec<Tile> = Vec::new();
    let mut next = b.start;
    let mut i = a.start;
    while i + 1 < a.end {
        let least = if submission.flags[i] & flag::HAN == 0 { 2 } else { 3 };
        let length = |j: usize| (0..(a.end - i).min(b.end - j)).take_while(|k| x[i + k] == y[j + k]).count();
        let mut best = Tile { a: i, b: next, len: 0 };
        if let Some((len, at)) = places.get(&(x[i], x[i + 1])) {
            // The place where the last tile ended, and the next few, are the likeliest in a text that repeats itself.
            let onward = (next..b.end.min(next + 4)).filter(|&j| y[j] == x[i]);
            let listed = at[..usize::from(*len)].iter().map(|&j| j as usize);
            for j in onward.chain(listed) {
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

/// Units between two tiles of one piece, on the source's side.
const PIECE_GAP: usize = 12;
/// Fewest units of a piece.
const PIECE: usize = 4;

/// Joins tiles that follow each other on both sides to pieces.
fn pieces(tiles: &[Tile]) -> Vec<Piece> {
    let follows = |a: &Tile, b: &Tile| (a.b + a.len..=a.b + a.len + PIECE_GAP).contains(&b.b);
    let piece = |tiles: &[Tile]| {
        let (first, last) = (tiles[0], tiles[tiles.len() - 1]);
        (first.a..last.a + last.len, first.b..last.b + last.len)
    };
    tiles.chunk_by(follows).map(piece).filter(|piece| piece.0.len() >= PIECE).collect()
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
            [(0..15, 50..65), (20..38, 10..28)]
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
