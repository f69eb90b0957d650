//! Runs: stretches in which both texts have the same features in the same order, but for small gaps.
//!
//! The source is anchored at every 16th unit with a hash of the next few features; a scan of the submission finds
//! every run long enough to hold an anchor, and extends it in both directions. The scan goes on behind each run it
//! finds, so the work is linear even in a text that repeats itself.

use super::features::{Side, UNSHARED};
use ahash::AHashMap;
use std::ops::Range;

/// Units that an anchor's hash covers.
const ANCHOR: usize = 6;
/// Every so many units of the source one anchor.
const STRIDE: usize = 16;
/// Places in the source that are tried for an equal hash, the first ones.
const TRIES: usize = 8;

/// A stretch of equal features.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Range in the submission, in units.
    pub submission: Range<usize>,
    /// Range in the source, in units.
    pub source: Range<usize>,
}

/// The runs of at least `half_words` half words on the submission's side, from its beginning to its end.
///
/// A run of fewer than `ANCHOR + STRIDE` units may be missed. Runs do not overlap in the submission. `gap` units may
/// differ on either side between stretches of at least six equal ones.
pub fn runs(submission: &Side, source: &Side, half_words: u32, gap: usize) -> Vec<Run> {
    let mut found = Vec::new();
    if submission.len() < ANCHOR || source.len() < ANCHOR {
        return found;
    }
    let mut anchors: AHashMap<u64, Places> = AHashMap::with_capacity(source.len() / STRIDE + 1);
    for at in (0..=source.len() - ANCHOR).step_by(STRIDE) {
        if let Some(hash) = hash(&source.feature[at..at + ANCHOR]) {
            anchors.entry(hash).or_default().push(at as u32);
        }
    }
    if anchors.is_empty() {
        return found;
    }
    let pair = Texts { a: &submission.feature, b: &source.feature, gap };
    let (mut at, mut from) = (0, 0);
    while at + ANCHOR <= submission.len() {
        let places = hash(&submission.feature[at..at + ANCHOR]).and_then(|hash| anchors.get(&hash));
        let best = places.and_then(|places| {
            let longest = places.iter().filter_map(|place| pair.extend(at, place as usize, from));
            longest.max_by_key(|run| (run.submission.len(), std::cmp::Reverse(run.source.start)))
        });
        match best {
            Some(run) if submission.extent(run.submission.start, run.submission.end) >= half_words => {
                at = run.submission.end;
                from = at;
                found.push(run);
            }
            // A short run is passed over, except its last units, which a longer one may need.
            Some(run) => at = (at + 1).max((run.submission.end + 1).saturating_sub(ANCHOR + STRIDE)),
            None => at += 1,
        }
    }
    found
}

/// The first places of a hash.
#[derive(Default)]
struct Places {
    at: [u32; TRIES],
    len: u8,
}

impl Places {
    fn push(&mut self, at: u32) {
        if usize::from(self.len) < TRIES {
            self.at[usize::from(self.len)] = at;
            self.len += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.at[..usize::from(self.len)].iter().copied()
    }
}

/// A hash of features; `None` if the submission lacks one of them.
fn hash(features: &[u32]) -> Option<u64> {
    features.iter().try_fold(0u64, |hash, &f| {
        (f != UNSHARED).then(|| (hash ^ u64::from(f)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23))
    })
}

struct Texts<'a> {
    a: &'a [u32],
    b: &'a [u32],
    gap: usize,
}

impl Texts<'_> {
    /// The run around an anchor, not reaching before unit `from` of the submission. `None` if the hash deceived.
    fn extend(&self, at: usize, place: usize, from: usize) -> Option<Run> {
        if self.a[at..at + ANCHOR] != self.b[place..place + ANCHOR] {
            return None;
        }
        let (mut i, mut j) = (at + ANCHOR, place + ANCHOR);
        loop {
            while i < self.a.len() && j < self.b.len() && self.a[i] == self.b[j] {
                (i, j) = (i + 1, j + 1);
            }
            match self.step(|x, y| self.equal(i + x, j + y)) {
                Some((x, y)) => (i, j) = (i + x + ANCHOR, j + y + ANCHOR),
                None => break,
            }
        }
        let (mut p, mut q) = (at, place);
        loop {
            while p > from && q > 0 && self.a[p - 1] == self.b[q - 1] {
                (p, q) = (p - 1, q - 1);
            }
            let back = |x: usize, y: usize| {
                let (x, y) = (x + ANCHOR, y + ANCHOR);
                p >= from + x && q >= y && self.equal(p - x, q - y)
            };
            match self.step(back) {
                Some((x, y)) => (p, q) = (p - x - ANCHOR, q - y - ANCHOR),
                None => break,
            }
        }
        Some(Run { submission: p..i, source: q..j })
    }

    /// The smallest step over differing units after which `equal` holds.
    fn step(&self, equal: impl Fn(usize, usize) -> bool) -> Option<(usize, usize)> {
        for sum in 1..=2 * self.gap {
            for x in sum.saturating_sub(self.gap)..=sum.min(self.gap) {
                if equal(x, sum - x) {
                    return Some((x, sum - x));
                }
            }
        }
        None
    }

    /// Whether the next few features are equal.
    fn equal(&self, i: usize, j: usize) -> bool {
        match (self.a.get(i..i + ANCHOR), self.b.get(j..j + ANCHOR)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        }
    }
}
