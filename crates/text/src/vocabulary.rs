//! How much of a text is words of one kind, in the language that has most of them.

use crate::script::{is_hangul, is_unspaced};
use aho_corasick::{AhoCorasick, BuildError};
use std::collections::BTreeMap;

/// Shorter words of an alphabet say nothing by themselves: most are articles, pronouns and the like. Chosen by hand.
const SHORTEST_WORD: usize = 4;

/// A beginning of a word with more letters is known inside of compounds too. Chosen by hand.
const LONGEST_BEGINNING: usize = 4;

/// A Han character, a kana or a Hangul syllable says as much as two and a half letters.
const HALVES: u32 = 2;
const HALVES_OF_WIDE: u32 = 5;

/// Beginnings of words, each with the languages that have it.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    beginnings: AhoCorasick,
    /// For each the languages, a bit for each.
    languages: Vec<u32>,
}

/// What of a text is in words of a vocabulary.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Weighed {
    /// Letters of all words that say something: not of short ones of an alphabet, and not hiragana or figures.
    pub(crate) letters: u32,
    /// Letters of those that are known, in the language that knows most.
    pub(crate) known: u32,
    /// The beginnings that are in the text.
    pub(crate) words: Vec<u32>,
}

impl Vocabulary {
    /// Of the words of each language.
    pub(crate) fn new<'a>(
        of_languages: impl Iterator<Item = impl Iterator<Item = &'a str>>,
    ) -> Result<Self, BuildError> {
        let mut all: BTreeMap<&str, u32> = BTreeMap::new();
        for (language, words) in of_languages.enumerate() {
            words.for_each(|word| *all.entry(word).or_default() |= 1 << (language % u32::BITS as usize));
        }
        Ok(Vocabulary { beginnings: AhoCorasick::new(all.keys())?, languages: all.into_values().collect() })
    }

    /// Weighs a text in lower case.
    pub(crate) fn weigh(&self, text: &str) -> Weighed {
        let mut of_bytes = vec![0_u32; text.len()];
        let mut words = Vec::new();
        for found in self.beginnings.find_overlapping_iter(text) {
            if begins_word(text, found.start(), found.end()) {
                of_bytes[found.range()].iter_mut().for_each(|languages| *languages |= self.languages[found.pattern()]);
                words.push(found.pattern().as_u32());
            }
        }
        words.sort_unstable();
        words.dedup();
        let (mut letters, mut known) = (0, [0; u32::BITS as usize]);
        let mut add = |halves: u32, languages: u32| {
            letters += halves;
            (0..u32::BITS).filter(|bit| languages >> bit & 1 == 1).for_each(|bit| known[bit as usize] += halves);
        };
        let mut rest = text.char_indices().peekable();
        while let Some((at, c)) = rest.next() {
            if is_wide(c) {
                let says = c.is_alphabetic() && !matches!(c, '\u{3040}'..='\u{309f}');
                add(if says { HALVES_OF_WIDE } else { 0 }, of_bytes[at]);
            } else if c.is_alphanumeric() {
                let (mut languages, mut count, mut is_figure) = (of_bytes[at], 1, c.is_numeric());
                while let Some((at, c)) = rest.next_if(|(_, c)| c.is_alphanumeric() && !is_wide(*c)) {
                    languages |= of_bytes[at];
                    count += 1;
                    is_figure |= c.is_numeric();
                }
                add(if !is_figure && count >= SHORTEST_WORD { HALVES * count as u32 } else { 0 }, languages);
            }
        }
        let known = known.into_iter().max().unwrap_or(0);
        Weighed { letters: letters / HALVES, known: known / HALVES, words }
    }
}

/// Whether a place in a text, in bytes, parts a word.
pub(crate) fn is_inside_word(text: &str, at: usize) -> bool {
    text[..at].ends_with(is_of_word) && text[at..].starts_with(is_of_word)
}

/// Whether a find begins a word, or is long enough to be a part of a compound.
pub(crate) fn begins_word(text: &str, start: usize, end: usize) -> bool {
    let found = &text[start..end];
    found.starts_with(is_wide) || found.chars().count() > LONGEST_BEGINNING || !text[..start].ends_with(is_of_word)
}

/// Whether a character stands for a syllable or more, with no need of blanks: Hangul is compared without.
fn is_wide(c: char) -> bool {
    is_unspaced(c) || is_hangul(c)
}

/// Whether a character is a letter or figure of a word between blanks.
pub(crate) fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() && !is_wide(c)
}
