//! Rounds: what is worked on at the same time.
//!
//! What is made of a text takes some ten times as much memory as the text. So what is worked on together is bounded by its size,
//! and not by the number of texts or threads.

use std::ops::Range;

/// Cuts things of these sizes into rounds of `most` together at most, in order. What is larger by itself is a round by itself.
pub(crate) fn rounds(sizes: impl IntoIterator<Item = u64>, most: u64) -> Vec<Range<usize>> {
    let mut rounds: Vec<Range<usize>> = Vec::new();
    let mut sum = 0u64;
    for (at, size) in sizes.into_iter().enumerate() {
        sum = sum.saturating_add(size);
        match rounds.last_mut() {
            Some(round) if sum <= most => round.end = at + 1,
            _ => {
                rounds.push(at..at + 1);
                sum = size;
            }
        }
    }
    rounds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_no_larger_than_allowed_and_nothing_is_lost() {
        let lengths = |most| rounds([4, 0, 6, 30, 1], most).iter().map(Range::len).collect::<Vec<_>>();
        assert_eq!(lengths(10), [3, 1, 1]);
        assert_eq!(lengths(9), [2, 1, 1, 1]);
        assert_eq!(lengths(40), [4, 1]);
        assert_eq!(lengths(1000), [5]);
        assert_eq!(lengths(1), [1, 1, 1, 1, 1]);
        assert!(rounds([], 10).is_empty());
    }
}
