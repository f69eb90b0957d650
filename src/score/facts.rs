//! What two texts have in common that tell the same facts in words of their own: names, dates, figures.
//!
//! Two lives of one composer have his towns, his years and his wives in common, and two guides of one city its rivers and bridges: rare words
//! all of them, which are much evidence. But nobody can tell them otherwise. Whoever copied has words in common besides, such as may be
//! chosen. So a passage without a quotation counts only if its *plain* words agree: neither names nor numbers nor words of function.

use crate::sketch::shingle::Overlap;
use ahash::AHashSet;

/// The Dice coefficient of the plain words of both sides from which they are copied, and how many words that agree do in any case, as many
/// as a quotation has. Of eight pairs of texts that tell one thing each in words of their own, lives, cities, a flight, written for this,
/// five have less, a sixth .38; of some 2,500 passages that PAN 2013 reworded, 3 % have, mostly lists of names (docs/ALIGNMENT.md).
const LEAST: f64 = 1.0 / 3.0;
const ENOUGH: usize = 12;

/// Letters of the shortest word that is looked at: of most languages nobody listed the words of function, which are short.
pub(super) const LONG_WORD: u16 = 5;

/// The words of one side of a passage: plain ones, and names.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// Stems, and whether the word is a name, in ascending order.
    words: Vec<(u32, bool)>,
}

impl Facts {
    pub(super) fn new(words: impl Iterator<Item = (u32, bool)>) -> Self {
        let mut words: Vec<(u32, bool)> = words.collect();
        words.sort_unstable();
        Facts { words }
    }

    /// Whether this side tells what the other tells in words of its own.
    pub(crate) fn are_told_anew(&self, other: &Facts) -> bool {
        let Overlap { common, first, second } = Overlap::of(&self.plain_beside(other), &other.plain_beside(self));
        common < ENOUGH && 2.0 * (common as f64) < LEAST * (first + second) as f64
    }

    /// The stems of the plain words, in ascending order. What the other side does not take for a name is none, so that capitals hide
    /// nothing.
    fn plain_beside(&self, other: &Facts) -> Vec<u32> {
        let plain: AHashSet<u32> = other.words.iter().filter(|(_, is_name)| !is_name).map(|(stem, _)| *stem).collect();
        self.words.iter().filter(|(stem, is_name)| !is_name || plain.contains(stem)).map(|(stem, _)| *stem).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(plain: impl IntoIterator<Item = u32>, names: impl IntoIterator<Item = u32>) -> Facts {
        let plain = plain.into_iter().map(|word| (word, false));
        Facts::new(plain.chain(names.into_iter().map(|word| (word, true))))
    }

    #[test]
    fn words_that_agree_are_counted_as_often_as_they_stand_on_both_sides() {
        for (ours, theirs, expected) in [
            (&[1, 2, 3, 4, 5, 6][..], &[5, 6, 7, 8, 9, 10][..], false),
            (&[1, 2, 3, 4, 5], &[5, 6, 7, 8, 9], true),
            (&[5, 5, 5, 5, 5], &[5, 6, 7, 8, 9], true),
            (&[5, 5, 5], &[5, 5, 9], false),
            (&[], &[], false),
        ] {
            let names = 100..130;
            let told = facts(ours.to_vec(), names.clone()).are_told_anew(&facts(theirs.to_vec(), names));
            assert_eq!(told, expected, "{ours:?} {theirs:?}");
        }
        assert!(!facts(0..100, []).are_told_anew(&facts(88..188, [])), "twelve are enough of any number");
        assert!(facts(0..100, []).are_told_anew(&facts(89..189, [])));
    }

    #[test]
    fn a_word_is_a_name_if_neither_side_has_it_as_a_plain_one() {
        assert!(facts(0..9, 50..80).are_told_anew(&facts(20..29, 50..80)));
        assert!(!facts(0..9, 50..80).are_told_anew(&facts(50..80, [])), "capitals of one side make no names");
    }
}
