//! Words by their first letters: every line of a document is held against all words that may begin a heading, and nearly none begins
//! with the letter of one.

use ahash::AHashMap;

/// Words in lower case, each with what it means, in the order in which they were given.
#[derive(Debug)]
pub(crate) struct FirstLetters<T>(AHashMap<char, Vec<(String, T)>>);

impl<T> FirstLetters<T> {
    /// Of words that are not empty.
    pub(crate) fn new<'a>(words: impl Iterator<Item = (&'a str, T)>) -> Self {
        let mut all: AHashMap<char, Vec<(String, T)>> = AHashMap::new();
        for (word, meaning) in words {
            if let Some(first) = word.chars().next() {
                all.entry(first).or_default().push((word.to_owned(), meaning));
            }
        }
        FirstLetters(all)
    }

    /// The words that begin with the letter with which a text begins, in either case.
    pub(crate) fn of(&self, text: &str) -> &[(String, T)] {
        let first = text.chars().next().and_then(|first| first.to_lowercase().next());
        first.and_then(|first| self.0.get(&first)).map_or(&[], Vec::as_slice)
    }
}
