//! Runs: stretches in which both texts have the same features in the same order, but for small gaps.
//!
//! The source is anchored, at equal distances, with a hash of the next few features; a scan of the submission finds
//! every run long enough to hold an anchor for certain, and extends it in both directions. The scan goes on behind
//! each run it finds, so the work is linear even in a text that repeats itself.

use super::features::UNSHARED;
use ahash::AHashMap;
use std::ops::Range;

/// Units that must agree for a gap to be stepped over.
const RESUME: usize = 6;
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

/// The runs in which two sequences are equal, from the submission's beginning to its end.
///
/// A run has at least `least` half words on the submission's side, whose lengths `extent` tells. Runs do not overlap in the submission. `gap` units may differ on either side between stretches of at least six
/// equal ones.
pub fn runs(
    submission: &[u32],
    source: &[u32],
    extent: impl Fn(&Range<usize>) -> u32,
    least: u32,
    gap: usize,
) -> Vec<Run> {
    let mut found = Vec::new();
    // A run has at least `shortest` units, so it holds an anchor wherever it starts.
    let shortest = (least as usize).div_ceil(2).max(1);
    let anchor = (2 * shortest / 3).clamp(1, 6);
    let stride = (shortest + 1 - anchor).min(16);
    if submission.len() < anchor || source.len() < anchor {
        return found;
    }
    let mut anchors: AHashMap<u64, Places> = AHashMap::with_capacity(source.len() / stride + 1);
    for at in (0..=source.len() - anchor).step_by(stride) {
        if let Some(hash) = hash(&source[at..at + anchor]) {
            anchors.entry(hash).or_default().push(at as u32);
        }
    }
    if anchors.is_empty() {
        return found;
    }
    let pair = Texts { a: submission, b: source, gap };
    let (mut at, mut from) = (0, 0);
    while at + anchor <= submission.len() {
        let longest_at = |at: usize| {
            let places = hash(submission.get(at..at + anchor)?).and_then(|h| anchors.get(&h))?;
            let runs = places.iter().filter_map(|place| pair.extend(at, place as usize, anchor, from));
            runs.max_by_key(|run| (run.submission.len(), std::cmp::Reverse(run.source.start)))
        };
        match longest_at(at) {
            Some(run) if extent(&run.submission) >= least => {
                // A longer run may have its first anchor a little further on.
                let end = (at + stride).min(run.submission.end);
                let run = (at + 1..end)
                    .filter_map(longest_at)
                    .fold(run, |best, run| if run.submission.len() > best.submission.len() { run } else { best });
                at = run.submission.end;
                from = at;
                found.push(run);
            }
            _ => at += 1,
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
    fn extend(&self, at: usize, place: usize, anchor: usize, from: usize) -> Option<Run> {
        if self.a[at..at + anchor] != self.b[place..place + anchor] {
            return None;
        }
        let (mut i, mut j) = (at + anchor, place + anchor);
        loop {
            while i < self.a.len() && j < self.b.len() && self.a[i] == self.b[j] {
                (i, j) = (i + 1, j + 1);
            }
            match self.step(|x, y| self.resumes(i + x, j + y)) {
                Some((x, y)) => (i, j) = (i + x + RESUME, j + y + RESUME),
                None => break,
            }
        }
        let (mut p, mut q) = (at, place);
        loop {
            while p > from && q > 0 && self.a[p - 1] == self.b[q - 1] {
                (p, q) = (p - 1, q - 1);
            }
            let back = |x: usize, y: usize| {
                let (x, y) = (x + RESUME, y + RESUME);
                p >= from + x && q >= y && self.resumes(p - x, q - y)
            };
            match self.step(back) {
                Some((x, y)) => (p, q) = (p - x - RESUME, q - y - RESUME),
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
    fn resumes(&self, i: usize, j: usize) -> bool {
        match (self.a.get(i..i + RESUME), self.b.get(j..j + RESUME)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        }
    }
}
