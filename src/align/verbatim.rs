//! Verbatim runs, every one of them: the rule "N characters in a row".
//!
//! A *window* is the shortest stretch from a unit on that has the length asked for. Two windows of equal units are
//! equally long, so a run of that length begins at a place of the submission exactly if the window there stands in
//! the source too. All windows of the source are hashed, and no place is left out, however often a text repeats
//! itself. Of equal windows the first few are compared for reach; a longer run elsewhere is covered all the same by its
//! later windows, but for a last unit that is shorter than the others.

use super::candidate::RangePair;
use super::places::FirstPlaces;
use ahash::AHashMap;

/// Odd multiplier of the polynomial hash of a window.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// The runs of equal units in which a submission and a source agree over at least `least` of what `length` gives for
/// a unit's hash position; apart on the submission's side, and from its beginning to its end.
///
/// `lengths` are running sums, one longer than the texts: unit `i` of the submission is `lengths.0[i + 1] -
/// lengths.0[i]` long. A run that begins inside another one is reported from where that ends.
pub fn verbatim_runs(submission: &[u32], source: &[u32], lengths: (&[u32], &[u32]), least: u32) -> Vec<RangePair> {
    let least = least.max(1);
    let mut places: AHashMap<u64, FirstPlaces> = AHashMap::new();
    for (at, hash) in windows(source, lengths.1, least) {
        places.entry(hash).or_default().push(at);
    }
    let windows: Vec<u64> = windows(submission, lengths.0, least).map(|(_, hash)| hash).collect();
    // How far the run from a unit on reaches, and where it stands in the source.
    let longest = |at: usize| {
        let reach = |place: usize| submission[at..].iter().zip(&source[place..]).take_while(|(a, b)| a == b).count();
        let runs = places.get(windows.get(at)?)?.iter().map(|place| (reach(place), place));
        let (reach, place) = runs.max_by_key(|(reach, place)| (*reach, !place))?;
        // Hashes may be equal by chance.
        (lengths.0[at + reach] - lengths.0[at] >= least).then_some((at + reach, place))
    };
    let mut found: Vec<RangePair> = Vec::new();
    let (mut at, mut end) = (0, 0);
    while at < windows.len() {
        // Of the windows inside the run before, only the last can be part of one that reaches further.
        if at < end && lengths.0[end] - lengths.0[at + 1] >= least {
            at += 1;
            continue;
        }
        match longest(at) {
            Some((reach, place)) if reach > end => {
                let skipped = end.saturating_sub(at);
                found.push(RangePair { submission: at + skipped..reach, source: place + skipped..place + reach - at });
                end = reach;
                // A run of its own behind this one is better than the rest of one that begins inside.
                at = if longest(end).is_some() { end } else { at + 1 };
            }
            _ => at += 1,
        }
    }
    found
}

/// Where each window starts, and its hash.
fn windows<'a>(units: &'a [u32], lengths: &'a [u32], least: u32) -> impl Iterator<Item = (usize, u64)> + 'a {
    // Of the window's units u: the sum of u·BASE^(end − 1 − i).
    let (mut hash, mut power, mut end) = (0u64, 1u64, 0);
    (0..units.len()).map_while(move |start| {
        while end < units.len() && lengths[end] - lengths[start] < least {
            hash = hash.wrapping_mul(BASE).wrapping_add(u64::from(units[end]) + 1);
            power = power.wrapping_mul(BASE);
            end += 1;
        }
        if lengths[end] - lengths[start] < least {
            return None;
        }
        let window = hash;
        // The inverse of BASE takes one factor off again.
        power = power.wrapping_mul(INVERSE);
        hash = hash.wrapping_sub((u64::from(units[start]) + 1).wrapping_mul(power));
        // Low bits of a polynomial hash modulo 2^64 are weak.
        Some((start, window ^ window >> 32))
    })
}

/// The inverse of [`BASE`] modulo 2^64, by Newton's iteration.
const INVERSE: u64 = {
    let mut inverse = BASE;
    let mut i = 0;
    while i < 6 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(BASE.wrapping_mul(inverse)));
        i += 1;
    }
    inverse
};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Lengths of units: 1, and 2 for those that divide by five.
    fn lengths(units: &[u32]) -> Vec<u32> {
        let mut sums = vec![0];
        for unit in units {
            sums.push(sums[sums.len() - 1] + 1 + u32::from(unit % 5 == 0));
        }
        sums
    }

    fn find(a: &[u32], b: &[u32], least: u32) -> Vec<RangePair> {
        verbatim_runs(a, b, (&lengths(a), &lengths(b)), least)
    }

    #[test]
    fn the_constant_inverse_is_one() {
        assert_eq!(BASE.wrapping_mul(INVERSE), 1);
    }

    #[test]
    fn table_of_runs() {
        // (submission, source, least, runs as [start, end, source start])
        type Case = (&'static [u32], &'static [u32], u32, &'static [[usize; 3]]);
        let cases: &[Case] = &[
            (&[], &[1, 2], 1, &[]),
            (&[1, 2, 3], &[1, 2, 3], 3, &[[0, 3, 0]]),
            (&[1, 2, 3], &[1, 2, 4], 3, &[]),
            (&[5, 6], &[5, 6], 3, &[[0, 2, 0]]),
            (&[9, 1, 2, 3, 9], &[1, 2, 3, 7, 1, 2, 3, 9], 3, &[[1, 5, 4]]),
            (&[1, 2, 3, 4, 6], &[1, 2, 3, 8, 2, 3, 4, 6], 3, &[[0, 3, 0], [3, 5, 6]]),
            (&[7; 9], &[7; 4], 3, &[[0, 4, 0], [4, 8, 0], [8, 9, 3]]),
            (&[1, 5, 3, 1], &[5, 3, 2, 1, 5], 2, &[[0, 2, 3], [2, 3, 1]]),
        ];
        for (a, b, least, expected) in cases {
            let found: Vec<[usize; 3]> =
                find(a, b, *least).iter().map(|r| [r.submission.start, r.submission.end, r.source.start]).collect();
            assert_eq!(&found, expected, "{a:?} {b:?} {least}");
        }
    }

    proptest! {
        #[test]
        fn exactly_the_units_inside_some_common_run_are_covered(
            // None that divides by five, so all units are equally long.
            a in proptest::collection::vec(1..5u32, 0..60),
            b in proptest::collection::vec(1..5u32, 0..60),
            least in 1..9u32,
        ) {
            let sums = lengths(&a);
            let mut expected = vec![false; a.len()];
            for i in 0..a.len() {
                for j in 0..b.len() {
                    let n = a[i..].iter().zip(&b[j..]).take_while(|(x, y)| x == y).count();
                    if sums[i + n] - sums[i] >= least {
                        expected[i..i + n].fill(true);
                    }
                }
            }
            let mut covered = vec![false; a.len()];
            let mut end = 0;
            for run in find(&a, &b, least) {
                prop_assert!(run.submission.start >= end && !run.submission.is_empty());
                prop_assert_eq!(&a[run.submission.clone()], &b[run.source.clone()]);
                end = run.submission.end;
                covered[run.submission].fill(true);
            }
            prop_assert_eq!(covered, expected);
        }
    }
}
