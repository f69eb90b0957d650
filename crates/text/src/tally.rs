//! How many characters of one kind stand in a span, at a bit and a half for each character.

use std::ops::Range;

/// A bit for each character of a text, and how many are set before each sixty-four of them.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    bits: Vec<u64>,
    before: Vec<u32>,
    all: u32,
}

impl FromIterator<bool> for Tally {
    fn from_iter<T: IntoIterator<Item = bool>>(kind: T) -> Self {
        let mut kind = kind.into_iter();
        let words = kind.size_hint().0.div_ceil(64);
        let mut tally = Tally { bits: Vec::with_capacity(words), before: Vec::with_capacity(words), all: 0 };
        loop {
            let (mut bits, mut length) = (0, 0);
            for counts in kind.by_ref().take(64) {
                bits |= u64::from(counts) << length;
                length += 1;
            }
            if length == 0 {
                return tally;
            }
            tally.before.push(tally.all);
            tally.bits.push(bits);
            tally.all += bits.count_ones();
        }
    }
}

impl Tally {
    /// How many count in all.
    pub fn all(&self) -> u32 {
        self.all
    }

    /// How many of the characters before a place count; a place past the end is the end.
    pub fn before(&self, at: usize) -> u32 {
        match self.bits.get(at / 64) {
            Some(bits) => self.before[at / 64] + (bits & ((1 << (at % 64)) - 1)).count_ones(),
            None => self.all,
        }
    }

    /// How many of the characters in a span count.
    pub fn within(&self, span: &Range<u32>) -> u32 {
        self.before(span.end as usize) - self.before(span.start as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn a_span_holds_what_is_counted_one_by_one(kind in proptest::collection::vec(proptest::bool::ANY, 0..400)) {
            let tally: Tally = kind.iter().copied().collect();
            let counted = |from: usize, to: usize| kind[from..to].iter().filter(|counts| **counts).count() as u32;
            assert_eq!(tally.all(), counted(0, kind.len()));
            for from in 0..=kind.len() {
                assert_eq!(tally.before(from), counted(0, from));
                assert_eq!(tally.within(&(from as u32..kind.len() as u32 + 70)), counted(from, kind.len()));
            }
        }
    }
}
