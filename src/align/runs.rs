//! Runs: stretches in which both texts have the same features in the same order, but for small gaps.
//!
//! The source is anchored, at equal distances, with a hash of the next few features; a scan of the submission finds
//! every run long enough to hold an anchor for certain, and extends it in both directions. The scan goes on behind
//! each run it finds, so the work is linear even in a text that repeats itself.

use super::candidate::RangePair;
use super::features::UNSHARED;
use super::places::FirstPlaces;
use crate::sketch::hash_filter::HashFilter;
use ahash::AHashMap;
use std::ops::Range;
use std::sync::OnceLock;

/// Units that must agree for a gap to be stepped over. Chosen by hand; not measured apart.
const RESUME: usize = 6;

/// Units of the longest anchor: six words in a row stand in few places of a text. It changes what a scan costs, and of a text that
/// repeats itself which places are tried. Chosen by hand; not measured apart.
const LONGEST_ANCHOR: usize = 6;

/// Units between two anchors of the source at most, as [`LONGEST_ANCHOR`].
const WIDEST_STRIDE: usize = 16;

/// The hashes of as many features in a row of the submission as an anchor has, for each length made when it is first asked for:
/// a submission is compared with many sources.
#[derive(Debug, Clone, Default)]
pub struct Windows([OnceLock<Hashed>; LONGEST_ANCHOR]);

#[derive(Debug, Clone)]
struct Hashed {
    hashes: Vec<u64>,
    filter: HashFilter,
}

impl Windows {
    fn of(&self, submission: &[u32], anchor: usize) -> &Hashed {
        self.0[anchor - 1].get_or_init(|| {
            let hashes: Vec<u64> = submission.windows(anchor).filter_map(hash).collect();
            Hashed { filter: HashFilter::of(hashes.iter().copied(), hashes.len()), hashes }
        })
    }
}

/// The runs in which two sequences are equal, from the submission's beginning to its end.
///
/// A run has at least `least` half words on the submission's side, whose lengths `extent` tells. Runs do not overlap in
/// the submission. `gap` units may differ on either side between stretches of at least six equal ones. `windows` are those
/// of the submission, which holds no [`UNSHARED`] feature.
pub fn runs(
    submission: &[u32],
    windows: &Windows,
    source: &[u32],
    extent: impl Fn(&Range<usize>) -> u32,
    least: u32,
    gap: usize,
) -> Vec<RangePair> {
    let mut found = Vec::new();
    // A run has at least `shortest` units, so it holds an anchor wherever it starts.
    let shortest = (least as usize).div_ceil(2).max(1);
    let anchor = (2 * shortest / 3).clamp(1, LONGEST_ANCHOR);
    let stride = (shortest + 1 - anchor).min(WIDEST_STRIDE);
    if submission.len() < anchor || source.len() < anchor {
        return found;
    }
    let here = windows.of(submission, anchor);
    let mut anchors: AHashMap<u64, FirstPlaces> = AHashMap::new();
    for at in (0..=source.len() - anchor).step_by(stride) {
        if let Some(hash) = hash(&source[at..at + anchor]).filter(|&hash| here.filter.may_hold(hash)) {
            anchors.entry(hash).or_default().push(at);
        }
    }
    if anchors.is_empty() {
        return found;
    }
    let there = HashFilter::of(anchors.keys().copied(), anchors.len());
    let pair = Texts { a: submission, b: source, gap };
    let (mut at, mut from) = (0, 0);
    while at + anchor <= submission.len() {
        // The longest run that goes through the anchor at a unit of the submission.
        let longest_at = |at: usize| {
            let hash = here.hashes.get(at).filter(|&&hash| there.may_hold(hash))?;
            let places = anchors.get(hash)?;
            let runs = places.iter().filter_map(|place| pair.extend(at, place, anchor, from));
            runs.max_by_key(|run| (run.submission.len(), std::cmp::Reverse(run.source.start)))
        };
        match longest_at(at) {
            Some(run) if extent(&run.submission) >= least => {
                // A longer run may have its first anchor a little further on, or a short run may hold its beginning.
                let end = match extent(&run.submission) < 2 * least && gap == 0 {
                    true => run.submission.end + stride,
                    false => (at + stride).min(run.submission.end),
                };
                let first = run.clone();
                let run = (at + 1..end)
                    .filter_map(longest_at)
                    .fold(run, |best, run| if run.submission.len() > best.submission.len() { run } else { best });
                // What stands before the longer one is a run of its own, if it is long enough.
                let before = run.submission.start.saturating_sub(first.submission.start).min(first.submission.len());
                let before = RangePair {
                    submission: first.submission.start..first.submission.start + before,
                    source: first.source.start..first.source.start + before,
                };
                if gap == 0 && extent(&before.submission) >= least {
                    found.push(before);
                }
                at = run.submission.end;
                from = at;
                found.push(run);
            }
            _ => at += 1,
        }
    }
    found
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
    fn extend(&self, at: usize, place: usize, anchor: usize, from: usize) -> Option<RangePair> {
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
        Some(RangePair { submission: p..i, source: q..j })
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
        // Nearly all stretches differ in their first feature already.
        if self.a.get(i) != self.b.get(j) {
            return false;
        }
        match (self.a.get(i..i + RESUME), self.b.get(j..j + RESUME)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(a: &[u32], b: &[u32], gap: usize) -> Vec<[usize; 4]> {
        let found = runs(a, &Windows::default(), b, |range| 2 * range.len() as u32, 2 * 30, gap);
        found.iter().map(|r| [r.submission.start, r.submission.end, r.source.start, r.source.end]).collect()
    }

    #[test]
    fn a_run_is_found_wherever_it_stands_and_steps_over_small_gaps() {
        let source: Vec<u32> = (0..400).collect();
        for (from, to) in [(0, 30), (17, 60), (370, 400), (3, 399)] {
            let mut submission = vec![1000; 50];
            submission.extend_from_slice(&source[from..to]);
            submission.extend([1000; 50]);
            assert_eq!(find(&submission, &source, 3), [[50, 50 + to - from, from, to]]);
        }
        let mut changed = source[100..200].to_vec();
        changed[50] = 1000;
        changed.remove(80);
        assert_eq!(find(&changed, &source, 3), [[0, 99, 100, 200]]);
        assert_eq!(find(&changed, &source, 0), [[0, 50, 100, 150]]);
        assert_eq!(find(&source[..29], &source, 3), Vec::<[usize; 4]>::new());
    }

    #[test]
    fn a_short_run_does_not_take_the_beginning_of_a_longer_one() {
        // Of the source's first five to seven units the last ones begin a run of twenty elsewhere.
        for overlap in 1..6 {
            let passage: Vec<u32> = (0..20).collect();
            let before = [500, 501, 502, 503, 504, 505];
            let submission = [&[900; 9], &before[..], &passage, &[901; 9]].concat();
            let source = [&before[..], &passage[..overlap], &[902; 9], &passage, &[903; 9]].concat();
            let found = runs(&submission, &Windows::default(), &source, |range| 2 * range.len() as u32, 12, 0);
            let whole = |run: &RangePair| run.submission.start <= 15 && run.submission.end == 35;
            assert!(found.iter().any(whole), "{overlap}: {found:?}");
        }
    }

    #[test]
    fn a_run_that_ends_where_a_longer_one_begins_is_one_too() {
        for overlap in 0..4 {
            let (short, long): (Vec<u32>, Vec<u32>) = ((0..11).collect(), (100..160).collect());
            let submission = [&[900; 9], &short[..], &long, &[901; 9]].concat();
            let source = [&[902; 9], &short[..], &long[..overlap], &[903; 9], &long].concat();
            let found = runs(&submission, &Windows::default(), &source, |range| 2 * range.len() as u32, 12, 0);
            assert_eq!(found.len(), 2, "{overlap}: {found:?}");
            assert!(found[0].submission.start == 9 && found[0].submission.end >= 20, "{overlap}: {found:?}");
            assert_eq!(found[1].submission.end, 80, "{overlap}: {found:?}");
        }
    }

    #[test]
    fn of_two_runs_that_begin_alike_the_longer_one_is_taken() {
        let passage: Vec<u32> = (0..120).collect();
        for shift in 0..20 {
            let mut source = vec![1000; shift];
            source.extend_from_slice(&passage[..45]);
            source.extend([1001; 40]);
            let at = source.len();
            source.extend_from_slice(&passage);
            assert_eq!(find(&passage, &source, 3), [[0, 120, at, at + 120]], "{shift}");
        }
    }
}
