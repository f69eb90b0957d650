//! Letters that look like a Latin letter.
//!
//! Drawn up by hand after the idea of Unicode Technical Standard #39 (confusables), with two differences: letters are
//! compared as they are, so upper and lower case are separate entries (В looks like B, в does not look like b), and only
//! letters that pass for the Latin one in running text are listed.

use super::alphabet::Alphabet;
use super::case;
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
#[rustfmt::skip]
const TWINS: &[(char, char)] = &[
    // Latin
    ('ı', 'i'), ('ƒ', 'f'), ('Ɩ', 'l'), ('ǀ', 'l'), ('ɑ', 'a'), ('ɡ', 'g'), ('ɢ', 'g'), ('ɩ', 'i'),
    ('ɪ', 'i'), ('ɴ', 'n'), ('ʀ', 'r'), ('ʏ', 'y'), ('ʙ', 'b'), ('ʜ', 'h'), ('ʟ', 'l'),
    // Greek
    ('Ϳ', 'J'), ('Α', 'A'), ('Β', 'B'), ('Ε', 'E'), ('Ζ', 'Z'), ('Η', 'H'), ('Ι', 'I'), ('Κ', 'K'),
    ('Μ', 'M'), ('Ν', 'N'), ('Ο', 'O'), ('Ρ', 'P'), ('Τ', 'T'), ('Υ', 'Y'), ('Χ', 'X'), ('α', 'a'),
    ('ι', 'i'), ('ν', 'v'), ('ο', 'o'), ('ρ', 'p'), ('υ', 'u'), ('ϳ', 'j'),
    // Cyrillic
    ('Ѐ', 'È'), ('Ё', 'Ë'), ('Ѕ', 'S'), ('І', 'I'), ('Ї', 'Ï'), ('Ј', 'J'), ('А', 'A'), ('В', 'B'),
    ('Е', 'E'), ('К', 'K'), ('М', 'M'), ('Н', 'H'), ('О', 'O'), ('Р', 'P'), ('С', 'C'), ('Т', 'T'),
    ('У', 'Y'), ('Х', 'X'), ('а', 'a'), ('е', 'e'), ('к', 'k'), ('о', 'o'), ('р', 'p'), ('с', 'c'),
    ('у', 'y'), ('х', 'x'), ('ѐ', 'è'), ('ё', 'ë'), ('ѕ', 's'), ('і', 'i'), ('ї', 'ï'), ('ј', 'j'),
    ('Ѵ', 'V'), ('ѵ', 'v'), ('Ү', 'Y'), ('ү', 'y'), ('һ', 'h'), ('Ӏ', 'I'), ('ӏ', 'l'), ('Ӓ', 'Ä'),
    ('ӓ', 'ä'), ('Ӕ', 'Æ'), ('ӕ', 'æ'), ('Ә', 'Ə'), ('ә', 'ə'), ('Ӧ', 'Ö'), ('ӧ', 'ö'), ('ԁ', 'd'),
    ('Ԍ', 'G'), ('Ԛ', 'Q'), ('ԛ', 'q'), ('Ԝ', 'W'), ('ԝ', 'w'),
    // Armenian
    ('Ս', 'U'), ('Տ', 'S'), ('Օ', 'O'), ('ա', 'w'), ('գ', 'q'), ('զ', 'q'), ('հ', 'h'), ('յ', 'j'),
    ('ո', 'n'), ('ս', 'u'), ('ց', 'g'), ('օ', 'o'),
    // Cherokee
    ('Ꭰ', 'D'), ('Ꭱ', 'R'), ('Ꭲ', 'T'), ('Ꭵ', 'I'), ('Ꭹ', 'Y'), ('Ꭺ', 'A'), ('Ꭻ', 'J'), ('Ꭼ', 'E'),
    ('Ꮃ', 'W'), ('Ꮇ', 'M'), ('Ꮋ', 'H'), ('Ꮓ', 'Z'), ('Ꮤ', 'W'), ('Ꮥ', 'S'), ('Ꮩ', 'V'), ('Ꮪ', 'S'),
    ('Ꮮ', 'L'), ('Ꮯ', 'C'), ('Ꮲ', 'P'), ('Ꮶ', 'K'), ('Ᏼ', 'B'),
    // Latin small capitals
    ('ᴀ', 'a'), ('ᴄ', 'c'), ('ᴅ', 'd'), ('ᴇ', 'e'), ('ᴊ', 'j'), ('ᴋ', 'k'), ('ᴍ', 'm'), ('ᴏ', 'o'),
    ('ᴘ', 'p'), ('ᴛ', 't'), ('ᴜ', 'u'), ('ᴠ', 'v'), ('ᴡ', 'w'), ('ᴢ', 'z'),
    // Lisu
    ('ꓐ', 'B'), ('ꓑ', 'P'), ('ꓓ', 'D'), ('ꓔ', 'T'), ('ꓖ', 'G'), ('ꓗ', 'K'), ('ꓙ', 'J'), ('ꓚ', 'C'),
    ('ꓜ', 'Z'), ('ꓝ', 'F'), ('ꓟ', 'M'), ('ꓠ', 'N'), ('ꓡ', 'L'), ('ꓢ', 'S'), ('ꓣ', 'R'), ('ꓦ', 'V'),
    ('ꓧ', 'H'), ('ꓪ', 'W'), ('ꓫ', 'X'), ('ꓬ', 'Y'), ('ꓮ', 'A'), ('ꓰ', 'E'), ('ꓲ', 'I'), ('ꓳ', 'O'),
    ('ꓴ', 'U'),
    // Latin small capitals
    ('ꜰ', 'f'), ('ꜱ', 's'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_maps_to_latin_letters_that_are_no_look_alikes_themselves() {
        assert!(TWINS.is_sorted_by(|a, b| a.0 < b.0));
        for &(twin, letter) in TWINS {
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
