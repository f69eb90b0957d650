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
    let core = core.start.clamp(window.start, window.end)..core.end.clamp(window.start, window.end);
    let mut scan = Scan { sum: 0, best_start: Evidence::MIN, start: window.start, best: Evidence::MIN, range: 0..0 };
    // To overlap the core, a range starts before the core's end ...
    for at in window.start..core.start {
        match value(at) {
            Some(value) => scan.start(at, &bonus).add(value),
            None => scan.lose(),
        }
    }
    for at in core.clone() {
        match value(at) {
            Some(value) => {
                scan.start(at, &bonus).add(value);
                scan.end(at + 1, &bonus);
            }
            None => scan.lose(),
        }
    }
    // ... and ends behind its start.
    if scan.best_start > Evidence::MIN {
        for at in core.end..window.end {
            let Some(value) = value(at) else { break };
            scan.add(value);
            scan.end(at + 1, &bonus);
        }
    }
    (scan.best > Evidence::MIN).then_some((scan.best, scan.range))
}

/// Kadane's scan. For an end the best start is the one before which least was summed up; it is kept along the way.
struct Scan {
    sum: Evidence,
    /// What a range gains by its start: the bonus of the border less what was summed up before it.
    best_start: Evidence,
    start: usize,
    best: Evidence,
    range: Range<usize>,
}

impl Scan {
    #[inline]
    fn start(&mut self, at: usize, bonus: impl Fn(usize) -> Evidence) -> &mut Self {
        let gain = bonus(at) - self.sum;
        if gain > self.best_start {
            (self.best_start, self.start) = (gain, at);
        }
        self
    }

    #[inline]
    fn add(&mut self, value: Evidence) {
        self.sum += value;
    }

    #[inline]
    fn end(&mut self, at: usize, bonus: impl Fn(usize) -> Evidence) {
        let total = self.sum + self.best_start + bonus(at);
        if total > self.best {
            (self.best, self.range) = (total, self.start..at);
        }
    }

    /// A range cannot reach over a unit: whatever began before it is lost.
    fn lose(&mut self) {
        (self.sum, self.best_start) = (0, Evidence::MIN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_best_range_has_the_greatest_sum_of_all_in_the_window_that_overlap_the_core(
            values in proptest::collection::vec(proptest::option::weighted(0.9, -9i64..9), 1..30),
            bonuses in proptest::collection::vec(0i64..4, 31),
            (a, b, c, d) in (0usize..30, 0usize..30, 0usize..30, 0usize..30),
        ) {
            let range = |a: usize, b: usize| a.min(b) % values.len()..a.max(b) % values.len() + 1;
            let (window, core) = (range(a, b), range(c, d));
            prop_assume!(!window.is_empty() && !core.is_empty());
            let sum = |range: Range<usize>| -> Option<Evidence> {
                let sum: Evidence = values[range.clone()].iter().copied().sum::<Option<Evidence>>()?;
                Some(sum + bonuses[range.start] + bonuses[range.end])
            };
            let all = window.clone().flat_map(|start| (start + 1..window.end + 1).map(move |end| start..end));
            let overlapping = all.filter(|range| range.start < core.end && range.end > core.start);
            let most = overlapping.filter_map(sum).max();
            let found = best_range(window.clone(), core.clone(), |at| values[at], |at| bonuses[at]);
            prop_assert_eq!(found.as_ref().map(|found| found.0), most);
            if let Some((evidence, range)) = found {
                prop_assert_eq!(sum(range), Some(evidence));
            }
        }
    }
}
