//! Strays: what may be put between words so that they meet no other text.

/// The share of the words of a sentence that numbers or single letters part from the one before, from which on they are put there: tables and
/// indexes have more, but not the frequent words of sentences.
pub(crate) const MOST_PARTED: f32 = 0.7;

/// The most strays that part two words: more are a row of a table.
pub(crate) const MOST_STRAYS: u32 = 3;

/// Whether a word is a letter that is none by itself, put between words as a number may be.
pub(crate) fn is_stray(word: &str) -> bool {
    word.chars().nth(1).is_none() && !matches!(word, "a" | "i")
}

/// Whether a frequent word may be put behind words as the name of a part of speech: IN and TO are, in the tags of the Penn Treebank.
pub(crate) fn is_tag(word: &str) -> bool {
    matches!(word, "in" | "to")
}
