//! What of a source is long enough for a sentence.

use crate::extract::unplaced::letters;

/// The fewest letters of an argument that is more than a term or a name. A Han character counts as two and a half.
const SENTENCE: usize = 60;

/// Whether a source is more than a term or a name, by its letters, those of names of commands aside.
pub(super) fn is_sentence(source: &str) -> bool {
    let names = source.split('\\').skip(1).map(|rest| rest.bytes().take_while(u8::is_ascii_alphabetic).count());
    letters(source).saturating_sub(names.sum()) >= SENTENCE
}
