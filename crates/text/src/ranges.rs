//! Ranges of places in a text.

use std::ops::Range;

/// Ranges in order and apart: those that overlap or touch are one.
pub fn union<T: Ord + Copy>(mut ranges: Vec<Range<T>>) -> Vec<Range<T>> {
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    ranges.dedup_by(|later, first| {
        let joins = later.start <= first.end;
        if joins {
            first.end = first.end.max(later.end);
        }
        joins
    });
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_overlap_or_touch_are_one() {
        assert_eq!(union(vec![7..9, 0..2, 2..3, 1..2, 8..8, 4..6]), [0..3, 4..6, 7..9]);
        assert!(union(Vec::<Range<u32>>::new()).is_empty());
    }
}
