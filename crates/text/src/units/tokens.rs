//! Cuts a normalised text at its word boundaries (Unicode Standard Annex #29), and at every low line: the annex has it join what
//! stands beside it, as in names of programs, but `_stress_` is no other word than `stress`, and a text with low lines in place of
//! blanks no other text.
//!
//! Where a word ends depends on nothing before its start, so a text can be cut token by token: ASCII words, Han characters
//! and the punctuation around them by the few rules that concern them, all else by the tables of
//! `unicode-segmentation`. A property test holds the outcome to that of the tables alone.

use crate::script::{is_basic_han, is_unit};
use unicode_segmentation::UnicodeSegmentation;

/// A piece of text between two word boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    /// The piece itself, never empty.
    pub text: &'a str,
    /// Its length in characters.
    pub chars: usize,
    /// How many of its characters are letters or digits.
    pub countable: usize,
    /// What it is.
    pub kind: Kind,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Punctuation, white space and the like: it has no letter or digit.
    Gap,
    /// A character of a script written without spaces.
    Single(char),
    /// A word of another script.
    Word,
}

/// The tokens of a text, in order.
pub(crate) struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        Tokens { rest: text }
    }

    /// What was not cut yet.
    #[inline]
    pub(super) fn rest(&self) -> &'a str {
        self.rest
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    // Inlined, and with nothing that is not a number coming out of the functions that are not, so that a token stays in
    // registers: written to memory in parts and read as a whole it would stall the processor.
    #[inline(always)]
    fn next(&mut self) -> Option<Token<'a>> {
        let rest = self.rest;
        let fast = match *rest.as_bytes().first()? {
            b'_' => Some(Token { text: &rest[..1], chars: 1, countable: 0, kind: Kind::Gap }),
            byte if byte.is_ascii() => ascii(rest),
            _ => single(rest),
        };
        let token = match fast {
            Some(token) => token,
            None => {
                let text = &rest[..len_by_tables(rest)];
                Token { text, chars: chars_of(text), countable: countable_of(text), kind: kind_of(text) }
            }
        };
        self.rest = &rest[token.text.len()..];
        Some(token)
    }
}

/// The first token, where it is ASCII and what follows does not belong to it; else none.
#[inline(always)]
fn ascii(rest: &str) -> Option<Token<'_>> {
    let bytes = rest.as_bytes();
    let first = bytes[0];
    let in_word = CLASSES[first as usize] & (LETTER | DIGIT) != 0;
    let (end, marks) = if in_word { word_len(rest)? } else { (1, 1) };
    if !bytes.get(end).is_none_or(u8::is_ascii) && !starts_with_loner(&rest[end..]) {
        return None;
    }
    let kind = if in_word { Kind::Word } else { Kind::Gap };
    Some(Token { text: &rest[..end], chars: end, countable: end - marks, kind })
}

/// The length of the word that a text starts with, and how many of its characters are no letters or digits; none where
/// that is not for ASCII alone to say.
#[inline(always)]
fn word_len(rest: &str) -> Option<(usize, usize)> {
    let bytes = rest.as_bytes();
    let (mut end, mut marks) = (0, 0);
    loop {
        end += letters_len(&bytes[end..]);
        // A mark between two letters or two digits may keep a word together.
        let Some(&mark) = bytes.get(end) else { break };
        let joins = CLASSES[mark as usize] & (CLASSES[bytes[end - 1] as usize] >> JOINS) & BOTH_KINDS;
        if joins == 0 {
            break;
        }
        match bytes.get(end + 1) {
            Some(&next) if next.is_ascii() => {
                if (CLASSES[next as usize] >> JOINS) & joins == 0 {
                    break;
                }
                end += 1;
                marks += 1;
            }
            Some(_) if !starts_with_loner(&rest[end + 1..]) => return None,
            _ => break,
        }
    }
    Some((end, marks))
}

/// The length of the run of letters and digits that bytes start with.
#[inline(always)]
fn letters_len(bytes: &[u8]) -> usize {
    let mut len = 0;
    // Eight at a time, as most words end within these.
    while let Some(eight) = bytes[len..].first_chunk::<8>() {
        let outside = !letters_and_digits(u64::from_le_bytes(*eight)) & (EACH * 0x80);
        if outside != 0 {
            return len + outside.trailing_zeros() as usize / 8;
        }
        len += 8;
    }
    len + bytes[len..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()
}

/// A one in each of the eight bytes of a number.
const EACH: u64 = 0x0101_0101_0101_0101;

/// The highest bit of each of eight bytes that is an ASCII letter or digit; the other bits mean nothing.
#[inline(always)]
fn letters_and_digits(bytes: u64) -> u64 {
    // Adding to a byte below 0x80 what is missing from a bound to 0x80 sets its highest bit if it reaches the bound.
    let low = bytes & (EACH * 0x7f);
    let reaches = |bytes: u64, bound: u8| bytes + EACH * u64::from(0x80 - bound);
    let small = low | (EACH * 0x20);
    let letters = reaches(small, b'a') & !reaches(small, b'z' + 1);
    let digits = reaches(low, b'0') & !reaches(low, b'9' + 1);
    (letters | digits) & !bytes
}

/// Bits of [`CLASSES`]: between which kinds of characters a mark keeps a word together ...
const BETWEEN_LETTERS: u8 = 1;
const BETWEEN_DIGITS: u8 = 1 << 1;
const BOTH_KINDS: u8 = BETWEEN_LETTERS | BETWEEN_DIGITS;
/// ... and what kind a character is, in the same order.
const JOINS: u32 = 2;
const LETTER: u8 = BETWEEN_LETTERS << JOINS;
const DIGIT: u8 = BETWEEN_DIGITS << JOINS;

/// What the rules on ASCII need to know of each byte.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            b'0'..=b'9' => DIGIT,
            b'.' | b'\'' => BETWEEN_LETTERS | BETWEEN_DIGITS,
            b':' => BETWEEN_LETTERS,
            b',' | b';' => BETWEEN_DIGITS,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// The first token, where it is a character that no neighbour joins; else none.
#[inline(always)]
fn single(rest: &str) -> Option<Token<'_>> {
    let first = rest.chars().next().filter(|&first| is_loner(first))?;
    let (text, after) = rest.split_at(first.len_utf8());
    if !after.as_bytes().first().is_none_or(u8::is_ascii) && !starts_with_loner(after) {
        return None;
    }
    let alphanumeric = is_basic_han(first) || first.is_alphanumeric();
    let kind = match alphanumeric {
        false => Kind::Gap,
        true if is_unit(first) => Kind::Single(first),
        true => Kind::Word,
    };
    Some(Token { text, chars: 1, countable: usize::from(alphanumeric), kind })
}

#[inline]
fn starts_with_loner(text: &str) -> bool {
    text.chars().next().is_some_and(is_loner)
}

/// Whether there is a word boundary before and after a character, whatever its neighbours are, but for characters that
/// join what is before them. Not all of these characters are listed, only frequent ones.
#[inline]
fn is_loner(character: char) -> bool {
    is_basic_han(character)
        || matches!(character,
            '\u{3001}'..='\u{3004}' | '\u{3008}'..='\u{3020}' | '\u{3041}'..='\u{3096}' | '\u{2010}'..='\u{2017}' | '\u{201c}'..='\u{201f}')
}

/// The length in bytes of the first token as the tables have it.
#[cold]
#[inline(never)]
fn len_by_tables(rest: &str) -> usize {
    let len = rest.split_word_bounds().next().map_or(rest.len(), str::len);
    rest[..len].find('_').unwrap_or(len)
}

#[cold]
#[inline(never)]
fn chars_of(text: &str) -> usize {
    text.chars().count()
}

#[cold]
#[inline(never)]
fn countable_of(text: &str) -> usize {
    text.chars().filter(|character| character.is_alphanumeric()).count()
}

#[cold]
#[inline(never)]
fn kind_of(text: &str) -> Kind {
    match text.chars().find(|character| character.is_alphanumeric()) {
        None => Kind::Gap,
        Some(first) if is_unit(first) => Kind::Single(first),
        Some(_) => Kind::Word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(text: &str) -> Token<'_> {
        Token { text, chars: chars_of(text), countable: countable_of(text), kind: kind_of(text) }
    }

    /// The tokens as the tables alone have them between low lines, gaps cut into their characters.
    fn slowly(text: &str) -> Vec<Token<'_>> {
        let parts = text.split_inclusive('_').flat_map(|part| match part.strip_suffix('_') {
            Some(before) => [before, "_"],
            None => [part, ""],
        });
        parts.flat_map(|part| part.split_word_bounds()).map(described).flat_map(without_groups).collect()
    }

    /// Neighbouring marks and blanks may be one token or several: what matters is each character.
    fn without_groups(token: Token<'_>) -> Vec<Token<'_>> {
        if token.kind != Kind::Gap {
            return vec![token];
        }
        token.text.split_inclusive(|_| true).map(described).collect()
    }

    /// A normalised text has no two blanks in a row. The tables take them together with a mark behind them, and some marks
    /// count as letters (U+1E08F, U+093E), so that they would make a word of the blanks.
    fn normalised(text: &str) -> String {
        let mut before = ' ';
        text.chars().filter(|&c| std::mem::replace(&mut before, c) != ' ' || c != ' ').collect()
    }

    fn check(text: &str) {
        let text = &normalised(text);
        let tokens: Vec<Token> = Tokens::of(text).flat_map(without_groups).collect();
        assert_eq!(tokens, slowly(text), "{text:?}");
    }

    #[test]
    fn a_mark_that_counts_as_a_letter_is_cut_as_the_tables_cut_it() {
        for before in ["", " ", "  ", "a  ", "_  ", "汉  ", "，  ", "\n  "] {
            for mark in ["\u{1e08f}", "\u{93e}", "\u{345}", "\u{301}"] {
                check(&format!("{before}{mark}"));
                check(&format!("{before}{mark}b  {mark}"));
            }
        }
    }

    #[test]
    fn loners_have_boundaries_on_both_sides() {
        for character in ('\0'..=char::MAX).filter(|&character| is_loner(character)) {
            for (before, after) in [("a", "a"), ("1", "1"), ("_", "_"), ("a.", ".a"), ("1,", ",1"), ("ア", "ア")] {
                let text = format!("{before}{character}{after}");
                assert!(text.split_word_bounds().any(|piece| piece.chars().eq([character])), "{text}");
            }
            assert!(!is_basic_han(character) || character.is_alphanumeric(), "{character}");
        }
    }

    #[test]
    fn eight_bytes_are_told_apart_as_one_is() {
        for byte in 0..=u8::MAX {
            for beside in [0, b'a', b'9', 0x7f, 0x80, 0xff] {
                let bytes = [beside, byte, beside, byte, byte, beside, beside, byte];
                let found = letters_and_digits(u64::from_le_bytes(bytes)).to_le_bytes();
                assert!(bytes.iter().zip(found).all(|(b, bits)| b.is_ascii_alphanumeric() == (bits >= 0x80)));
            }
        }
    }

    #[test]
    fn every_three_ascii_characters_are_cut_as_the_tables_cut_them() {
        let kinds = ['a', 'Z', '5', '_', '.', '\'', ':', ',', ';', '-', ' ', '\n', '"', '#', '\u{301}', '汉', 'é', '’'];
        for first in kinds {
            for second in kinds {
                for third in kinds {
                    for (before, after) in [("", ""), ("a", "a"), ("1", "1")] {
                        check(&format!("{before}{first}{second}{third}{after}"));
                    }
                }
            }
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(2000))]

        #[test]
        fn tokens_are_those_of_the_tables(
            text in "[a-z0-9_.',:; \n]{0,40}|[a-c1._' 汉字の、。“”’\u{301}\u{200d}アé\u{1f1e6}\u{5d0}\"]{0,30}|\\PC{0,40}|[\\s\\S]{0,20}"
        ) {
            check(&text);
        }
    }
}
