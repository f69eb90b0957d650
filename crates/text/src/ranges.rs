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

/// A range without what others, in order and apart, hold of it.
pub fn without<T: Ord + Copy>(range: &Range<T>, others: &[Range<T>]) -> Vec<Range<T>> {
    let first = others.partition_point(|other| other.end <= range.start);
    let (mut left, mut start) = (Vec::new(), range.start);
    for other in others[first..].iter().take_while(|other| other.start < range.end) {
        left.push(start..other.start.max(start));
        start = other.end.min(range.end);
    }
    left.push(start..range.end);
    left.retain(|range| range.start < range.end);
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_overlap_or_touch_are_one() {
        assert_eq!(union(vec![7..9, 0..2, 2..3, 1..2, 8..8, 4..6]), [0..3, 4..6, 7..9]);
        assert!(union(Vec::<Range<u32>>::new()).is_empty());
    }

    #[test]
    fn what_others_hold_is_cut_out_of_a_range() {
        let others = [0..2, 4..6, 9..12];
        assert_eq!(without(&(1..10), &others), [2..4, 6..9]);
        assert_eq!(without(&(4..6), &others), []);
        assert_eq!(without(&(6..8), &others), vec![6..8]);
    }
}
