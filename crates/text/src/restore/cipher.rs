//! Letters that stand for those of a to z all over a text: some of other alphabets, or of none, or all of them.
//!
//! A word in which some letters are foreign can be one of few known words: those that have its other letters at their places. Each foreign
//! letter is taken for the letter that most words want there, and the words vote again with what the first votes said (expectation
//! maximisation). So no list of look-alikes is needed.

use super::vocabulary::{LONGEST, Vocabulary};
use crate::spelling::substitution::solved;
use crate::units::{Kind, Token, Tokens};
use ahash::AHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The least letters of a word that votes, and the words that do, the first of the text.
const LEAST_LETTERS: usize = 3;
const VOTING: usize = 400;

/// How often the words vote.
const ROUNDS: usize = 4;

/// The share of the votes that a letter has more of, if it is taken.
const LEAST_SHARE: f64 = 0.5;

/// What no vote counts for, so that a letter that nothing speaks for is never certain.
const DOUBT: f64 = 1.0;

/// What letters stand for.
pub(super) struct Cipher {
    /// Foreign ones, wherever they stand.
    foreign: AHashMap<char, u8>,
    /// All of them, in some stretches of characters.
    exchanged: Vec<(Range<usize>, AHashMap<char, u8>)>,
}

impl Cipher {
    /// Of a normalised text, whose `tokens` have their places and whether they are spoilt; those that begin at `strays` were put between.
    pub(super) fn of(text: &str, tokens: &[(Token, Range<usize>, bool)], strays: &BTreeSet<usize>) -> Cipher {
        let is_word = |token: &Token, place: &Range<usize>| token.kind == Kind::Word && !strays.contains(&place.start);
        let spoilt = tokens.iter().filter(|(token, place, is_spoilt)| *is_spoilt && is_word(token, place));
        let (words, places): (Vec<&str>, Vec<&Range<usize>>) =
            spoilt.map(|(token, place, _)| (token.text, place)).unzip();
        let exchanged = solved(&words).into_iter();
        let exchanged = exchanged.map(|of| (places[of.words.start].start..places[of.words.end - 1].end, of.letters));
        Cipher { foreign: letters(text), exchanged: exchanged.collect() }
    }

    /// What a letter at a character of the text stands for; none for what is no letter.
    pub(super) fn letter(&self, at: usize, letter: char) -> Option<u8> {
        match self.exchanged.iter().find(|(stretch, _)| stretch.contains(&at)) {
            Some((_, letters)) => letters.get(&letter).copied(),
            None if letter.is_ascii_lowercase() => Some(letter as u8),
            None => self.foreign.get(&letter).copied(),
        }
    }
}

/// For each foreign letter of a normalised text, and each figure in its words, which of a to z it stands for, as far as the words tell.
fn letters(text: &str) -> AHashMap<char, u8> {
    let is_foreign = |c: &char| c.is_ascii_digit() || !c.is_ascii() && c.is_alphabetic();
    let is_mixed = |word: &&str| word.contains(|c: char| c.is_ascii_lowercase()) && word.contains(|c| is_foreign(&c));
    // Words have no blanks, and few texts have what may be mixed.
    let words = text.split_whitespace().filter(is_mixed).flat_map(Tokens::of);
    let words = words.filter(|token| token.kind == Kind::Word && (LEAST_LETTERS..=LONGEST).contains(&token.chars));
    let words: BTreeSet<&str> = words.map(|token| token.text).filter(is_mixed).take(VOTING).collect();
    let mut by_length: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    let mut meanings: Vec<(Vec<char>, Vec<&str>)> = Vec::new();
    for word in words {
        let characters: Vec<char> = word.chars().collect();
        let of_length = by_length.entry(characters.len()).or_insert_with(|| {
            let mut words: Vec<&str> = Vocabulary::built_in().of_length(characters.len()).collect();
            words.sort_unstable();
            words
        });
        let fits =
            |known: &&&str| characters.iter().zip(known.chars()).all(|(c, letter)| is_foreign(c) || *c == letter);
        let known = of_length.iter().filter(fits).copied().collect();
        meanings.push((characters, known));
    }
    let mut shares: BTreeMap<(char, u8), f64> = BTreeMap::new();
    for _ in 0..ROUNDS {
        let mut votes: BTreeMap<(char, u8), f64> = BTreeMap::new();
        for (characters, known) in &meanings {
            let foreign = |known: &&str| {
                let pairs = characters.iter().copied().zip(known.bytes());
                pairs.filter(|(c, _)| is_foreign(c)).collect::<Vec<(char, u8)>>()
            };
            let weight = |pairs: &[(char, u8)]| -> f64 {
                pairs
                    .iter()
                    .map(|pair| if shares.is_empty() { 1.0 } else { shares.get(pair).copied().unwrap_or(0.0) })
                    .product()
            };
            let known: Vec<Vec<(char, u8)>> = known.iter().map(foreign).collect();
            let all: f64 = known.iter().map(|pairs| weight(pairs)).sum();
            for pairs in known.iter().filter(|_| all > 0.0) {
                let vote = weight(pairs) / all;
                pairs.iter().for_each(|pair| *votes.entry(*pair).or_default() += vote);
            }
        }
        let mut sums: BTreeMap<char, f64> = BTreeMap::new();
        votes.iter().for_each(|((character, _), vote)| *sums.entry(*character).or_insert(DOUBT) += vote);
        shares = votes.into_iter().map(|(pair, vote)| (pair, vote / sums[&pair.0])).collect();
    }
    shares.into_iter().filter(|(_, share)| *share > LEAST_SHARE).map(|(pair, _)| pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_letters_are_told_by_the_words_they_stand_in() {
        for e in ['ꭼ', '3'] {
            let text =
                "the engineer built the wall before water rose, and ꮪilt sꮪtayed bꮪehind".replace('e', &e.to_string());
            assert_eq!(letters(&text).get(&e), Some(&b'e'));
        }
    }

    #[test]
    fn honest_words_of_other_languages_tell_nothing_of_english_letters() {
        assert!(letters("").is_empty());
        assert!(letters("潮汐沼泽 вода и речка").is_empty());
    }
}
