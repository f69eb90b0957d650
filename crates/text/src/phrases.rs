//! Many phrases sought in a text at once.

use crate::vocabulary::{begins_word, is_inside_word};
use ahash::AHashSet;
use aho_corasick::{AhoCorasick, BuildError};

/// The bytes up to which a phrase is a word by itself and not the beginning of one. Chosen by hand.
const SHORT: usize = 4;

/// A set of phrases. Where two overlap in a text, both are found.
#[derive(Debug)]
pub(crate) struct Phrases(AhoCorasick);

impl Phrases {
    /// Prepares the search; a phrase that is given twice is one.
    pub(crate) fn new<'a>(phrases: impl Iterator<Item = &'a str>) -> Result<Self, BuildError> {
        let phrases: AHashSet<&str> = phrases.collect();
        AhoCorasick::new(phrases).map(Phrases)
    }

    /// The same of phrases whose letters of ASCII may stand in a text in any case.
    pub(crate) fn in_any_case<'a>(phrases: impl Iterator<Item = &'a str>) -> Result<Self, BuildError> {
        AhoCorasick::builder().ascii_case_insensitive(true).build(phrases).map(Phrases)
    }

    /// Whether any of them is in the text, anywhere.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// How many different phrases stand in a text.
    pub(crate) fn different(&self, text: &str) -> usize {
        let found: AHashSet<_> = self.0.find_overlapping_iter(text).map(|found| found.pattern()).collect();
        found.len()
    }

    /// Whether a phrase stands in a text as words: short ones of an alphabet are no part of another word.
    pub(crate) fn is_said(&self, text: &str) -> bool {
        self.0.find_overlapping_iter(text).any(|found| {
            let ends = !is_inside_word(text, found.end());
            begins_word(text, found.start(), found.end()) && (ends || found.len() > SHORT)
        })
    }

    /// Where phrases begin words of a text, in bytes, in order.
    pub(crate) fn begin(&self, text: &str) -> Vec<usize> {
        let starts = self.0.find_overlapping_iter(text).map(|found| found.start());
        let mut starts: Vec<usize> = starts.filter(|start| !is_inside_word(text, *start)).collect();
        starts.sort_unstable();
        starts.dedup();
        starts
    }

    /// At how many places of a text a phrase stands.
    pub(crate) fn places(&self, text: &str) -> usize {
        self.0.find_overlapping_iter(text).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn phrases_are_found_as_by_looking_for_one_after_the_other(
            phrases in proptest::collection::btree_set("[ab说]{1,4}", 0..9),
            text in "[ab说]{0,30}",
        ) {
            let found = Phrases::new(phrases.iter().chain(&phrases).map(String::as_str)).unwrap();
            let places = |phrase: &String| (0..text.len()).filter(|&at| text.as_bytes()[at..].starts_with(phrase.as_bytes())).count();
            assert_eq!(found.different(&text), phrases.iter().filter(|phrase| text.contains(phrase.as_str())).count());
            assert_eq!(found.places(&text), phrases.iter().map(places).sum::<usize>());
        }
    }
}
