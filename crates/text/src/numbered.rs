//! Letters that are written by their numbers: `th\u0069s`, `th&#105;s`, `th%69s`.
//!
//! What shows a text may show such a number as its letter, and a word with some of them meets no other text. Programs and addresses have a few; where
//! they stand in the words of a text, each is read as its letter.

use std::ops::Range;

/// The fewest letters that are written so on purpose, and the most words for each of them, as of signs inside words.
const FEWEST: usize = 20;
const WORDS_OF_ONE: usize = 20;

/// What stands before the number of a letter, the base of the number, and the fewest and the most digits it may have.
const BEFORE: [(&str, u32, usize, usize); 12] = [
    ("\\u{", 16, 2, 6),
    ("\\u", 16, 4, 4),
    ("\\U", 16, 8, 8),
    ("\\x{", 16, 2, 6),
    ("\\x", 16, 2, 2),
    ("\\", 8, 3, 3),
    ("U+", 16, 4, 4),
    ("u+", 16, 4, 4),
    ("&#x", 16, 2, 6),
    ("&#", 10, 2, 4),
    ("%", 16, 2, 2),
    ("=", 16, 2, 2),
];

/// A letter that is written by its number, and the place of that in characters.
pub(crate) struct Numbered {
    pub place: Range<usize>,
    pub letter: char,
}

/// Whether a text may have such letters, found by looking at bytes.
pub(crate) fn may_have(text: &str) -> bool {
    let begins = |byte: &u8| matches!(byte, b'\\' | b'+' | b'&' | b'%' | b'=');
    let followed =
        |two: &[u8]| begins(&two[0]) && (two[1].is_ascii_digit() || matches!(two[1], b'u' | b'U' | b'x' | b'#'));
    let may = text.as_bytes().windows(2).filter(|two| followed(two)).take(FEWEST).count();
    may >= FEWEST
}

/// The letters of a text that are written by their numbers in words; none where they are few.
pub(crate) fn letters(text: &[char]) -> Vec<Numbered> {
    let (mut found, mut at) = (Vec::<Numbered>::new(), 0);
    while at < text.len() {
        match letter_at(text, at) {
            Some(numbered) => {
                at = numbered.place.end;
                found.push(numbered);
            }
            None => at += 1,
        }
    }
    let is_letter = |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(char::is_ascii_alphabetic);
    let begins = |at: usize| found.binary_search_by_key(&at, |numbered| numbered.place.start).is_ok();
    let is_in_word =
        |place: &Range<usize>| is_letter(place.start.checked_sub(1)) || is_letter(Some(place.end)) || begins(place.end);
    let in_words = found.iter().filter(|numbered| is_in_word(&numbered.place)).count();
    let words = text.iter().filter(|c| **c == ' ').count();
    if in_words >= FEWEST && in_words * WORDS_OF_ONE >= words { found } else { Vec::new() }
}

/// The letter whose number is written at a place.
fn letter_at(text: &[char], at: usize) -> Option<Numbered> {
    if !matches!(text[at], '\\' | 'U' | 'u' | '&' | '%' | '=') {
        return None;
    }
    BEFORE.iter().find_map(|(before, base, fewest, most)| {
        let start = at + before.len();
        if !text.get(at..start)?.iter().copied().eq(before.chars()) {
            return None;
        }
        let digits = text[start..].iter().take(*most).take_while(|c| c.is_digit(*base)).count();
        let number: String = text[start..start + digits].iter().collect();
        let letter = char::from_u32(u32::from_str_radix(&number, *base).ok()?)?;
        let mut end = start + digits;
        let closing = match (before.ends_with('{'), before.starts_with('&')) {
            (true, _) => Some('}'),
            (_, true) => Some(';'),
            _ => None,
        };
        if let Some(closing) = closing {
            text.get(end).filter(|c| **c == closing)?;
            end += 1;
        }
        (digits >= *fewest && letter.is_ascii_alphabetic()).then_some(Numbered { place: at..end, letter })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let mut characters: Vec<Option<char>> = text.chars().map(Some).collect();
        for numbered in letters(&text.chars().collect::<Vec<_>>()) {
            characters[numbered.place.clone()].fill(None);
            characters[numbered.place.start] = Some(numbered.letter);
        }
        characters.into_iter().flatten().collect()
    }

    #[test]
    fn letters_that_are_written_by_their_numbers_are_read_however_they_are_written() {
        let honest = "the engineers built a wall along the river before the water rose again ".repeat(3);
        let ways: [fn(u32) -> String; 10] = [
            |n| format!("\\u{n:04x}"),
            |n| format!("\\u{{{n:x}}}"),
            |n| format!("\\U{n:08X}"),
            |n| format!("\\x{n:02x}"),
            |n| format!("\\{n:03o}"),
            |n| format!("U+{n:04X}"),
            |n| format!("&#{n};"),
            |n| format!("&#x{n:X};"),
            |n| format!("%{n:02X}"),
            |n| format!("={n:02X}"),
        ];
        for way in ways {
            for letters in ["e", "aeiou", "abcdefghijklmnopqrstuvwxyz"] {
                let write = |c: char| if letters.contains(c) { way(c as u32) } else { c.to_string() };
                let spoilt: String = honest.chars().map(write).collect();
                assert!(may_have(&spoilt));
                assert_eq!(read(&spoilt), honest, "{spoilt}");
            }
        }
    }

    #[test]
    fn few_numbers_of_letters_and_numbers_apart_from_words_stay() {
        let few = "A program writes \\u0061 for a, th\\u0069s for this, and an address has %61 in it. ".to_owned();
        let table = "x =61 y =62 10%65 U+0061 \\x61 ".repeat(20);
        for text in [few.clone() + &"Words of a report follow. ".repeat(20), table] {
            assert_eq!(read(&text), text);
        }
    }
}
