//! The range of a text with the greatest sum of evidence: what the aligner and the look grow by.

use super::evidence::Evidence;
use std::ops::Range;

/// The range that lies inside `window`, overlaps `core` and has the greatest sum of its units' values and its two borders'
/// bonuses; and that sum. Of equal ones the first to end, and of these the first to start. `None` if there is none.
///
/// `value` is what a unit is worth, or `None` where no range may go. `bonus(i)` is what a border before unit `i` is worth.
#[inline]
pub fn best_range(
    window: Range<usize>,
    core: Range<usize>,
    value: impl Fn(usize) -> Option<Evidence>,
    bonus: impl Fn(usize) -> Evidence,
) -> Option<(Evidence, Range<usize>)> {
    // Kadane's scan. For an end the best start is the one before which least was summed up; it is kept along the way.
    let (mut sum, mut best_start, mut start) = (0, Evidence::MIN, window.start);
    let mut best: Option<(Evidence, Range<usize>)> = None;
    for at in window {
        let Some(value) = value(at) else {
            // A range cannot reach over this unit: whatever began before it is lost.
            (sum, best_start) = (0, Evidence::MIN);
            continue;
        };
        // To overlap the core, a range starts before the core's end ...
        if at < core.end {
            let gain = bonus(at) - sum;
            if gain > best_start {
                (best_start, start) = (gain, at);
            }
        }
        sum += value;
        // ... and ends behind its start.
        if at >= core.start && best_start > Evidence::MIN {
            let total = sum + best_start + bonus(at + 1);
            if best.as_ref().is_none_or(|best| total > best.0) {
                best = Some((total, start..at + 1));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_best_range_has_the_greatest_sum_of_all_that_overlap_the_core(
            values in proptest::collection::vec(proptest::option::weighted(0.9, -9i64..9), 1..30),
            bonuses in proptest::collection::vec(0i64..4, 31),
            (a, b) in (0usize..30, 0usize..30),
        ) {
            let (a, b) = (a % values.len(), b % values.len());
            let core = a.min(b)..a.max(b) + 1;
            let sum = |range: Range<usize>| -> Option<Evidence> {
                let sum: Evidence = values[range.clone()].iter().copied().sum::<Option<Evidence>>()?;
                Some(sum + bonuses[range.start] + bonuses[range.end])
            };
            let ends = || core.start + 1..values.len() + 1;
            let all = ends().flat_map(|end| (0..core.end.min(end)).map(move |start| start..end));
            let most = all.filter_map(sum).max();
            let found = best_range(0..values.len(), core.clone(), |at| values[at], |at| bonuses[at]);
            prop_assert_eq!(found.as_ref().map(|found| found.0), most);
            if let Some((evidence, range)) = found {
                prop_assert_eq!(sum(range), Some(evidence));
            }
        }
    }
}
