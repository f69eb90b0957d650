//! Case folding.

use caseless::Caseless;
use std::sync::LazyLock;

/// Unicode's case folding of one character, where it is one character.
///
/// Foldings to several characters (ß to ss) are undone by `compose` before, because what they become may compose
/// with what follows. Combining marks keep their form: U+0345 alone would become a letter.
pub(super) fn fold(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_lowercase();
    }
    match ALPHABETS.get(character as usize) {
        Some(&folded) => folded,
        None => look_up(character),
    }
}

/// [`look_up`] of the alphabets with upper and lower case that are written most (up to U+1FFF), for speed.
static ALPHABETS: LazyLock<Vec<char>> = LazyLock::new(|| ('\0'..'\u{2000}').map(look_up).collect());

fn look_up(character: char) -> char {
    if character == '\u{345}' {
        return character;
    }
    let mut folded = std::iter::once(character).default_case_fold();
    match (folded.next(), folded.next()) {
        (Some(single), None) => single,
        _ => character,
    }
}

/// The full case folding of a character that becomes several: ß gives ss. None for all others.
pub(super) fn expand(character: char) -> Option<impl Iterator<Item = char>> {
    // The first character with such a folding is ß.
    if character < 'ß' {
        return None;
    }
    // İ would give an i with a dot above it, which is nothing but an i.
    let dotted = (character == 'İ').then_some('i');
    if dotted.is_none() && std::iter::once(character).default_case_fold().nth(1).is_none() {
        return None;
    }
    let folded = std::iter::once(character).default_case_fold().filter(move |_| dotted.is_none());
    Some(dotted.into_iter().chain(folded))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_fold_to_one_form() {
        for (letter, folded) in
            [('A', 'a'), ('É', 'é'), ('ς', 'σ'), ('Σ', 'σ'), ('Я', 'я'), ('ǆ', 'ǆ'), ('中', '中'), ('ß', 'ß')]
        {
            assert_eq!(fold(letter), folded, "{letter}");
        }
    }

    #[test]
    fn foldings_to_several_characters_are_written_out() {
        for (letter, folded) in [('ß', Some("ss")), ('ẞ', Some("ss")), ('İ', Some("i")), ('É', None), ('s', None)]
        {
            assert_eq!(expand(letter).map(String::from_iter).as_deref(), folded, "{letter}");
        }
    }

    #[test]
    fn folding_twice_changes_nothing_more() {
        for letter in '\0'..=char::MAX {
            assert_eq!(fold(fold(letter)), fold(letter), "{letter}");
        }
    }
}
