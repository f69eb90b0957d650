//! English words, and which of them a spoilt word may stand for.

use crate::packed::unpacked;
use ahash::AHashMap;
use std::sync::LazyLock;

/// The least letters of a spoilt word that is led to one of other letters: shorter ones are near to many.
const LEAST_LETTERS: usize = 4;

/// The letters of the longest word that is looked for.
pub(super) const LONGEST: usize = 18;

/// The words of SCOWL's lists (Kevin Atkinson and others) up to size 50; `make_tables.py` makes them.
pub(super) struct Vocabulary {
    /// The number of SCOWL's list that first has a word: 10 for the most frequent ones.
    tiers: AHashMap<&'static str, u8>,
    /// The words by the hash of what one deletion makes of them, and by that of their letters in order, sorted (Garbe's
    /// deletion neighbourhoods: two words that are one edit apart have a neighbour in common).
    near: Vec<(u32, &'static str)>,
}

impl Vocabulary {
    pub(super) fn built_in() -> &'static Vocabulary {
        static LINES: LazyLock<String> = LazyLock::new(|| unpacked(include_bytes!("data/words.txt.zst")));
        static BUILT_IN: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary::of(LINES.lines()));
        &BUILT_IN
    }

    fn of(lines: impl Iterator<Item = &'static str>) -> Vocabulary {
        let (mut tier, mut tiers, mut near) = (0, AHashMap::new(), Vec::new());
        for line in lines {
            match line.strip_prefix('=') {
                Some(number) => tier = number.parse().unwrap_or(u8::MAX),
                None => {
                    tiers.insert(line, tier);
                    near.extend(keys(line).map(|key| (key, line)));
                }
            }
        }
        near.sort_unstable();
        near.dedup();
        Vocabulary { tiers, near }
    }

    /// The list that first has a word; none of a word that is in none.
    pub(super) fn tier(&self, word: &str) -> Option<u8> {
        self.tiers.get(word).copied()
    }

    /// All words of this length, in letters.
    pub(super) fn of_length(&self, letters: usize) -> impl Iterator<Item = &'static str> {
        self.tiers.keys().copied().filter(move |word| word.len() == letters)
    }

    /// The known word that one wrong, missing, doubled or swapped letter makes of this, or else all its letters in another order: of
    /// several the most frequent, of equal ones the first. None of a word that is longer than any. A short one
    /// has its letters in another order, if any.
    pub(super) fn nearest(&self, word: &str) -> Option<&'static str> {
        if !(2..=LONGEST).contains(&word.len()) || !word.is_ascii() {
            return None;
        }
        let of_key = |key: u32| {
            let first = self.near.partition_point(|entry| entry.0 < key);
            self.near[first..].iter().take_while(move |entry| entry.0 == key).map(|entry| entry.1)
        };
        let is_near =
            |known: &str| word.len() >= LEAST_LETTERS || known.len() == word.len() && sorted(known) == sorted(word);
        let rank = |known: &'static str| {
            let distance = distance(word, known).filter(|_| is_near(known))?;
            Some((distance, *self.tiers.get(known)?, known))
        };
        keys(word).flat_map(of_key).filter_map(rank).min().map(|best| best.2)
    }
}

/// What two words that are near to each other have in common.
fn keys(word: &str) -> impl Iterator<Item = u32> {
    let without = (0..word.len()).map(|at| hash([&word.as_bytes()[..at], &word.as_bytes()[at + 1..]].concat()));
    let mut sorted = sorted(word);
    // The order of letters apart from the words.
    sorted.push(b'*');
    [hash(word.as_bytes().to_vec()), hash(sorted)].into_iter().chain(without)
}

fn hash(bytes: Vec<u8>) -> u32 {
    rapidhash::v3::rapidhash_v3(&bytes) as u32
}

fn sorted(word: &str) -> Vec<u8> {
    let mut letters = word.as_bytes().to_vec();
    letters.sort_unstable();
    letters
}

/// How far apart two different words are: 1 at one edit (Damerau's: a letter wrong, missing, too many, or swapped with the next one), 2 if
/// they have the same letters, none else.
fn distance(word: &str, known: &str) -> Option<u8> {
    let (a, b) = (word.as_bytes(), known.as_bytes());
    let before = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a_rest, b_rest) = (&a[before..], &b[before..]);
    let behind = a_rest.iter().rev().zip(b_rest.iter().rev()).take_while(|(x, y)| x == y).count();
    match (&a_rest[..a_rest.len() - behind], &b_rest[..b_rest.len() - behind]) {
        ([_], [_]) | ([], [_]) | ([_], []) => Some(1),
        ([first, second], [third, fourth]) if (first, second) == (fourth, third) => Some(1),
        _ => (a != b && sorted(word) == sorted(known)).then_some(2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spoilt_word_is_led_to_the_known_one() {
        for (spoilt, known) in [
            ("morsh", Some("marsh")),
            ("sedimnet", Some("sediment")),
            ("engneer", Some("engineer")),
            ("riverr", Some("river")),
            ("enigeenr", Some("engineer")),
            ("qzxwv", None),
            ("teh", Some("the")),
            ("tgx", None),
        ] {
            assert_eq!(Vocabulary::built_in().nearest(spoilt), known, "{spoilt}");
        }
    }

    proptest::proptest! {
        /// Against the obvious version: all words are tried.
        #[test]
        fn the_nearest_word_is_the_nearest_of_all(word in "[a-e]{4,6}") {
            let words = ["=10", "abcd", "bead", "cabbed", "decade", "=20", "ebb", "abed", "bade", "dace", "aced", "deed"];
            let vocabulary = Vocabulary::of(words.into_iter());
            let all = vocabulary.tiers.iter().filter_map(|(known, tier)| Some((distance(&word, known)?, *tier, *known)));
            assert_eq!(vocabulary.nearest(&word), all.min().map(|best| best.2));
        }
    }
}
