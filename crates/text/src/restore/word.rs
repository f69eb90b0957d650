//! A Chinese word, by its characters.

/// The characters of the longest word that is looked for.
pub(super) const LONGEST: usize = 4;

/// A word, filled up with `'\0'`.
pub(super) type Word = [char; LONGEST];

/// The first characters as a word.
pub(super) fn word(characters: impl Iterator<Item = char>) -> Word {
    let mut word = ['\0'; LONGEST];
    word.iter_mut().zip(characters).for_each(|(place, character)| *place = character);
    word
}
