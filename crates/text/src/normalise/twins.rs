//! Letters that look like a Latin letter.
//!
//! Drawn up by hand after the idea of Unicode Technical Standard #39 (confusables), with two differences: letters are
//! compared as they are, so upper and lower case are separate entries (В looks like B, в does not look like b), and only
//! letters that pass for the Latin one in running text are listed.

use super::alphabet::Alphabet;
use super::case;
use super::pairs::pairs;
use std::sync::LazyLock;

/// The Latin letter that a letter of another alphabet, or an unusual Latin one, looks like.
///
/// A capital without an entry of its own has its small letter's, so that case folding never makes a letter a
/// look-alike that was none before.
pub(super) fn latin(letter: char) -> Option<char> {
    if letter.is_ascii() {
        return None;
    }
    match COMMON.get(letter as usize) {
        Some(&twin) => twin,
        None => look_up(letter).or_else(|| look_up(case::fold(letter))),
    }
}

/// [`latin`] of all characters up to the end of the Armenian alphabet, for speed.
static COMMON: LazyLock<Vec<Option<char>>> =
    LazyLock::new(|| ('\0'..'\u{590}').map(|letter| look_up(letter).or_else(|| look_up(case::fold(letter)))).collect());

fn look_up(letter: char) -> Option<char> {
    let index = TWINS.binary_search_by_key(&letter, |&(letter, _)| letter).ok()?;
    Some(TWINS[index].1)
}

/// The letter of an alphabet that a letter of another one looks like: what [`latin`] maps to the same letter.
///
/// A capital without one has its small letter's, for the same reason as there.
pub(super) fn native(letter: char, alphabet: Alphabet) -> Option<char> {
    let inverse = |letter: char| {
        if Alphabet::of(letter) == Some(alphabet) {
            return Some(letter);
        }
        let latin = latin(letter).unwrap_or(letter);
        let of_alphabet = |&&(twin, of): &&(char, char)| of == latin && Alphabet::of(twin) == Some(alphabet);
        TWINS.iter().find(of_alphabet).map(|&(twin, _)| twin)
    };
    inverse(letter).or_else(|| inverse(case::fold(letter)))
}

/// Look-alikes with the Latin letter each looks like, sorted.
static TWINS: LazyLock<Vec<(char, char)>> = LazyLock::new(|| pairs(include_str!("twins.txt")).collect());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_maps_to_latin_letters_that_are_no_look_alikes_themselves() {
        assert!(TWINS.is_sorted_by(|a, b| a.0 < b.0));
        for &(twin, letter) in TWINS.iter() {
            assert_eq!(Alphabet::of(letter), Some(Alphabet::Latin), "{twin}");
            assert!(Alphabet::of(twin).is_some(), "{twin}");
            assert_eq!(latin(letter), None, "{twin}");
            assert_eq!(latin(case::fold(letter)), None, "{twin}");
        }
    }

    #[test]
    fn case_folding_makes_no_letter_a_look_alike() {
        for letter in ('\0'..=char::MAX).filter(|&letter| latin(letter).is_none()) {
            assert_eq!(latin(case::fold(letter)), None, "{letter}");
            for alphabet in Alphabet::FOREIGN {
                if Alphabet::of(letter) == Some(Alphabet::Latin) && native(letter, alphabet).is_none() {
                    assert_eq!(native(case::fold(letter), alphabet), None, "{letter}");
                }
            }
        }
    }

    #[test]
    fn upper_and_lower_case_are_separate() {
        assert_eq!(latin('В'), Some('B'));
        assert_eq!(latin('в'), None);
        assert_eq!(native('M', Alphabet::Cyrillic), Some('М'));
        assert_eq!(native('m', Alphabet::Cyrillic), None);
    }
}
