//! Han characters that stand upright below each other, in columns from the right to the left.
//!
//! A font for vertical writing says so. Other programs place each character by itself, and only the places tell.

use super::glyph::{Glyph, Seen};
use crate::extract::wide::is_wide;
use ahash::AHashMap;

// Lengths are in heights of the font. All were chosen by hand.

/// The fewest Han characters of such a page, and the least share of its glyphs that they are (one in this many).
const FEWEST: usize = 40;
const ONE_IN: usize = 2;

/// How far apart characters that follow each other stand, and how far aside they may stand.
const STEP: std::ops::Range<f64> = 0.8..1.4;
const ASIDE: f64 = 0.25;

/// The least share of the characters on a page that is read downwards that have one below them, and the largest share that have one
/// to the right. Manuscripts in a grid have both, and are read along.
const BELOW: f64 = 0.6;
const BESIDE: f64 = 0.2;

/// How far a character reaches above its baseline, and how far above theirs the middle of turned letters lies.
const ASCENT: f64 = 0.88;
const MIDDLE: f64 = 0.35;

/// Whether the Han characters of a page, all upright, are read downwards.
pub(super) fn is_vertical(glyphs: &[Glyph]) -> bool {
    let shown = glyphs.iter().filter(|glyph| glyph.seen == Seen::Plainly && !glyph.text.trim().is_empty());
    let han: Vec<&Glyph> = shown.clone().filter(|glyph| is_upright(glyph) && glyph.text.starts_with(is_wide)).collect();
    if han.len() < FEWEST || han.len() * ONE_IN < shown.count() {
        return false;
    }
    // Nearly always the next one to be drawn stands to the right.
    let share = |count: usize| count as f64 / han.len() as f64;
    if share(han.windows(2).filter(|pair| is_beside(pair[0], pair[1])).count()) > BESIDE {
        return false;
    }
    let mut sizes: Vec<f64> = han.iter().map(|glyph| glyph.size).collect();
    sizes.sort_by(f64::total_cmp);
    let side = sizes[sizes.len() / 2].max(1.0);
    let square = |glyph: &Glyph| ((glyph.from.x / side) as i32, (glyph.from.y / side) as i32);
    let mut squares: AHashMap<(i32, i32), Vec<&Glyph>> = AHashMap::new();
    han.iter().for_each(|glyph| squares.entry(square(glyph)).or_default().push(glyph));
    let has = |glyph: &Glyph, follows: fn(&Glyph, &Glyph) -> bool| {
        let (x, y) = square(glyph);
        let near = (-1..=2).flat_map(|right| (-1..=2).map(move |down| (x + right, y + down)));
        near.filter_map(|place| squares.get(&place)).flatten().any(|other| follows(glyph, other))
    };
    let count = |follows: fn(&Glyph, &Glyph) -> bool| share(han.iter().filter(|glyph| has(glyph, follows)).count());
    count(is_below) >= BELOW && count(is_beside) <= BESIDE
}

/// Where a glyph of such a page starts and ends in its column, and how far from the right the column stands.
pub(super) fn place(glyph: &Glyph, width: f64) -> (f64, f64, f64) {
    let (from, to) = (glyph.from, glyph.to);
    if is_upright(glyph) {
        let start = from.y - ASCENT * glyph.size;
        (start, start + glyph.size, width - (from.x + to.x) / 2.0)
    } else {
        (from.y.min(to.y), from.y.max(to.y), width - from.x - MIDDLE * glyph.size * glyph.up.x)
    }
}

fn is_upright(glyph: &Glyph) -> bool {
    glyph.up.y < -0.99
}

fn is_beside(glyph: &Glyph, other: &Glyph) -> bool {
    let (right, down) = ((other.from.x - glyph.from.x) / glyph.size, (other.from.y - glyph.from.y) / glyph.size);
    STEP.contains(&right) && down.abs() < ASIDE
}

fn is_below(glyph: &Glyph, other: &Glyph) -> bool {
    let (right, down) = ((other.from.x - glyph.from.x) / glyph.size, (other.from.y - glyph.from.y) / glyph.size);
    STEP.contains(&down) && right.abs() < ASIDE
}
