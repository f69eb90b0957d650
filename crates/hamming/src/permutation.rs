//! Orders of the 64 bits of a fingerprint.
//!
//! A table sorted by some of the bits needs those bits at the top. A [`Permutation`] moves chosen runs of bits to the
//! front; the others follow in their order, beginning with those behind the last run, and around. Manku, Jain and Das
//! Sarma (WWW 2007, section 3) call it π. With a single run in front it is a rotation, which takes one instruction.

use std::ops::Range;

/// An order of 64 bits: some runs of bits first, then the rest around from the last of them. Bits are numbered from 0, the most significant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permutation {
    leading: Vec<Range<u8>>,
    moves: Moves,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Moves {
    /// To the left, by this many bits.
    Rotation(u32),
    Runs(Vec<Move>),
}

/// A run of bits and where it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Move {
    from: u8,
    to: u8,
    mask: u64,
}

impl Permutation {
    /// The order that begins with the given runs of bits; `None` if they are empty, overlap or go beyond bit 63.
    pub fn leading(runs: &[Range<u8>]) -> Option<Self> {
        let mut taken = 0u64;
        for run in runs {
            if run.start >= run.end || run.end > 64 {
                return None;
            }
            let bits = low_bits(run.end - run.start) << (64 - run.end);
            if taken & bits != 0 {
                return None;
            }
            taken |= bits;
        }
        let mut order = runs.to_vec();
        let around = runs.last().map_or(0, |run| run.end);
        for bit in (around..64).chain(0..around).filter(|bit| taken >> (63 - bit) & 1 == 0) {
            order.push(bit..bit + 1);
        }
        let mut merged: Vec<Range<u8>> = Vec::new();
        for run in order {
            match merged.last_mut() {
                Some(last) if last.end == run.start => last.end = run.end,
                _ => merged.push(run),
            }
        }
        if let [first, rest @ ..] = &merged[..]
            && rest.iter().map(|run| run.start).eq((first.start > 0).then_some(0))
        {
            let moves = Moves::Rotation(first.start.into());
            return Some(Permutation { leading: runs.to_vec(), moves });
        }
        let mut to = 0;
        let moves = merged
            .iter()
            .map(|run| {
                let width = run.end - run.start;
                to += width;
                Move { from: 64 - run.end, to: 64 - to, mask: low_bits(width) }
            })
            .collect();
        Some(Permutation { leading: runs.to_vec(), moves: Moves::Runs(moves) })
    }

    /// The runs of bits that come first.
    pub fn leading_runs(&self) -> &[Range<u8>] {
        &self.leading
    }

    /// The bits of `fingerprint` in this order.
    #[inline]
    pub fn apply(&self, fingerprint: u64) -> u64 {
        match &self.moves {
            Moves::Rotation(bits) => fingerprint.rotate_left(*bits),
            Moves::Runs(runs) => runs.iter().fold(0, |key, run| key | (fingerprint >> run.from & run.mask) << run.to),
        }
    }

    /// The fingerprint whose bits in this order are `key`.
    #[inline]
    pub fn invert(&self, key: u64) -> u64 {
        match &self.moves {
            Moves::Rotation(bits) => key.rotate_right(*bits),
            Moves::Runs(runs) => runs.iter().fold(0, |word, run| word | (key >> run.to & run.mask) << run.from),
        }
    }
}

/// The `width` lowest bits set (0 to 64).
#[inline]
pub(super) fn low_bits(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The `width` highest bits set (0 to 64).
#[inline]
pub(super) fn high_bits(width: u8) -> u64 {
    !low_bits(64 - width.min(64))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn chosen_runs_come_first_and_the_rest_follows_around() {
        let order = Permutation::leading(&[48..64, 12..16]).unwrap();
        assert_eq!(order.apply(0xabc1_2345_6789_def0), 0xdef0_1234_5678_9abc);
        let same = Permutation::leading(&[0..16, 16..28]).unwrap();
        assert_eq!(same.apply(0x0123_4567_89ab_cdef), 0x0123_4567_89ab_cdef);
        assert_eq!(Permutation::leading(&[]).unwrap().apply(7), 7);
    }

    #[test]
    fn a_single_run_in_front_is_a_rotation() {
        for start in 0..64 {
            let run = start..64.min(start + 16);
            let order = Permutation::leading(std::slice::from_ref(&run)).unwrap();
            assert_eq!(order.moves, Moves::Rotation(start.into()));
            assert_eq!(order.apply(0x0123_4567_89ab_cdef), 0x0123_4567_89ab_cdef_u64.rotate_left(start.into()));
        }
    }

    #[test]
    fn impossible_runs_are_refused() {
        for runs in [[0..8, 7..9], [0..1, 60..65], [0..1, 3..3]] {
            assert_eq!(Permutation::leading(&runs), None, "{runs:?}");
        }
    }

    proptest! {
        #[test]
        fn inverting_gives_the_fingerprint_back_and_distances_stay(
            a in any::<u64>(), b in any::<u64>(), first in 0u8..32, width in 1u8..32, other in 33u8..60,
        ) {
            let runs = [other..other + 4, first..(first + width).min(33)];
            let order = Permutation::leading(&runs).unwrap();
            prop_assert_eq!(order.invert(order.apply(a)), a);
            prop_assert_eq!((order.apply(a) ^ order.apply(b)).count_ones(), (a ^ b).count_ones());
        }
    }
}
