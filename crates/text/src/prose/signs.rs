//! Words that are made of signs.
//!
//! A font can show letters for any characters of a file: for stars, arrows, dots of Braille or marks. None of these is a letter or a digit, so such
//! words would be in no count, and a text that is full of them would look compared. Honest texts have signs one by one, or rows of the same one. Where
//! rows of different signs stand as words do, they are no language, and each sign counts as a letter.

use super::{Cause, NotCompared};
use crate::normalise::compose::stands_for_letters;
use crate::normalise::ignorable::is_ignorable;
use crate::script::{is_basic_han, is_countable};
use crate::visible::is_combining_mark;
use ahash::AHashSet;
use std::ops::Range;

/// The fewest signs of a word, and the fewest different ones among them.
const SIGNS_OF_WORD: usize = 2;

/// The fewest different signs that such words have in all: letters of an alphabet have 20 in two lines. Of 448 theses and documents none
/// has more than 7 in words of rare signs.
const DIFFERENT: usize = 10;

/// The hundredths of a text that words of rare signs make up, from which on they count. The same documents have
/// .35 at most.
const MOST_RARE: usize = 1;

/// The same of words of any signs, the usual punctuation among them, with blanks on both sides: of these documents and 585 books none has more than
/// .7. With those beside letters a thesis full of formulas has 5.8, and a Chinese book full of speech 10.
const MOST_USUAL: usize = 3;

/// The most marks on one letter. Hebrew of the Bible has four. Chosen by hand; not measured apart.
const MARKS_OF_LETTER: usize = 4;

/// What a character is to words of signs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// A letter or a digit.
    Letter,
    /// It parts words.
    Blank,
    /// The punctuation of prose and of programs.
    Usual,
    /// Any other sign, and what shows nothing.
    Rare,
}

impl Class {
    #[inline]
    fn of(c: char) -> Class {
        match c {
            _ if is_basic_han(c) || is_countable(c) => Class::Letter,
            '\0'..='\x7f' => {
                if c.is_ascii_punctuation() {
                    Class::Usual
                } else {
                    Class::Blank
                }
            }
            _ if c.is_whitespace() || c == '\u{2800}' => Class::Blank,
            '\u{80}'..='\u{bf}'
            | '\u{d7}'
            | '\u{f7}'
            | '\u{2010}'..='\u{205e}'
            | '\u{3000}'..='\u{303f}'
            | '\u{ff00}'..='\u{ff65}' => Class::Usual,
            _ if stands_for_letters(c) => Class::Letter,
            _ => Class::Rare,
        }
    }
}

/// Words of signs, as they are gathered.
struct Words {
    /// Their places, in order and apart.
    places: Vec<Range<u32>>,
    different: AHashSet<char>,
    signs: usize,
    /// The word that has begun: where, and its signs.
    start: u32,
    word: Vec<char>,
    /// Whether a letter stands before it.
    is_behind: bool,
}

impl Words {
    fn new() -> Words {
        Words { places: Vec::new(), different: AHashSet::new(), signs: 0, start: 0, word: Vec::new(), is_behind: false }
    }

    fn put(&mut self, at: u32, sign: char) {
        if self.word.is_empty() {
            self.start = at;
        }
        self.word.push(sign);
    }

    /// Ends the word if none but blanks are around it: punctuation stands beside letters.
    #[inline]
    fn end_alone(&mut self, next: Class) {
        if self.is_behind || next == Class::Letter {
            self.word.clear();
        }
        self.end();
        self.is_behind = next == Class::Letter;
    }

    /// Ends the word. A row of one and the same sign is a rule, or leads to a number of a page.
    #[inline]
    fn end(&mut self) {
        if self.word.is_empty() {
            return;
        }
        if self.word.len() >= SIGNS_OF_WORD && self.word.iter().any(|sign| *sign != self.word[0]) {
            self.signs += self.word.len();
            self.different.extend(self.word.iter().copied());
            self.places.push(self.start..self.start + self.word.len() as u32);
        }
        self.word.clear();
    }

    /// Whether they are too many for an honest text with this number of `letters`: more than `most` hundredths of it.
    fn are_many(&self, letters: usize, most: usize) -> bool {
        self.different.len() >= DIFFERENT && self.signs * 100 > most * (letters + self.signs)
    }
}

/// The words of signs of a text, but for those that begin in the `settled` spans of characters, which are in order and apart; none where they are few.
pub(super) fn words_of_signs(text: &str, settled: &[Range<u32>]) -> Vec<NotCompared> {
    if !may_have_many(text) {
        return Vec::new();
    }
    let (mut rare, mut usual) = (Words::new(), Words::new());
    let (mut letters, mut marks, mut next) = (0, None, 0);
    for (at, c) in (0..).zip(text.chars()) {
        let class = Class::of(c);
        if class == Class::Letter {
            letters += 1;
            marks = Some(0);
        } else if class == Class::Rare && is_on_letter(c, &mut marks) {
            continue;
        } else {
            marks = None;
        }
        if class != Class::Rare {
            rare.end();
        }
        if matches!(class, Class::Letter | Class::Blank) {
            usual.end_alone(class);
            continue;
        }
        while settled.get(next).is_some_and(|span| span.end <= at) {
            next += 1;
        }
        if settled.get(next).is_some_and(|span| span.contains(&at)) {
            rare.end();
            usual.end_alone(Class::Blank);
            continue;
        }
        usual.put(at, c);
        if class == Class::Rare {
            rare.put(at, c);
        }
    }
    rare.end();
    usual.end();
    let words = if usual.are_many(letters, MOST_USUAL) {
        usual
    } else if rare.are_many(letters, MOST_RARE) {
        rare
    } else {
        return Vec::new();
    };
    let span = |place: Range<u32>| NotCompared {
        start: place.start,
        end: place.end,
        cause: Cause::NoLanguage,
        count: place.end - place.start,
    };
    words.places.into_iter().map(span).collect()
}

/// Whether words of signs may be many, found by looking at bytes: signs side by side, or bytes of a sign beyond ASCII.
fn may_have_many(text: &str) -> bool {
    let (mut pairs, mut letters, mut was_sign) = (0, 0, false);
    for byte in text.bytes() {
        let is_letter = byte.is_ascii_alphanumeric();
        let is_sign = byte > b' ' && !is_letter;
        pairs += usize::from(is_sign && was_sign);
        letters += usize::from(is_letter);
        was_sign = is_sign;
    }
    pairs * 100 > letters * MOST_RARE
}

/// Whether a sign belongs to the letter before it, which has this number of `marks` already: a mark on it, or what tells how it is drawn.
fn is_on_letter(sign: char, marks: &mut Option<usize>) -> bool {
    let Some(count) = marks.as_mut() else { return false };
    *count += 1;
    *count <= MARKS_OF_LETTER && (is_combining_mark(sign) || is_ignorable(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: &str = "Tidal marshes trap the silt that every flood carries over the banks of the creek. Engineers who build dykes in front of it \
        starve the surface, and within decades its channels widen until the plants drown. ";

    /// English with each small letter drawn as the sign that stands as far behind `first` as the letter behind `a`.
    fn drawn(first: u32) -> String {
        let sign = |c: char| if c.is_ascii_lowercase() { char::from_u32(first + c as u32 - 97).unwrap() } else { c };
        ENGLISH.to_lowercase().chars().map(sign).collect()
    }

    fn count(text: &str) -> u32 {
        words_of_signs(text, &[]).iter().map(|span| span.count).sum()
    }

    #[test]
    fn words_whose_letters_are_signs_count_whatever_signs_they_are() {
        let letters = ENGLISH.chars().filter(char::is_ascii_alphabetic).count() as u32;
        // Dingbats, lines of tables, Braille, arrows, operators, emoji, hexagrams, marks, selectors, controls of direction, dashes.
        for first in
            [0x2701, 0x2500, 0x2801, 0x2190, 0x2200, 0x1f600, 0x4dc0, 0x300, 0xe0100, 0xe0061, 0x2b00, 0x2010, 0xe000]
        {
            let text = ENGLISH.repeat(3) + &drawn(first).repeat(3);
            assert!(count(&text) > 3 * letters * 9 / 10, "{first:x}: {} of {}", count(&text), 3 * letters);
        }
        let ascii: String = drawn(0x2701)
            .chars()
            .map(|c| if c < '\u{2701}' { c } else { b"!\"#$%&'()*+,-./:;<=>?@[\\]^"[c as usize - 0x2701] as char })
            .collect();
        assert!(count(&ascii.repeat(3)) > 2 * letters);
        // Between the punctuation of Chinese, without blanks.
        assert!(count("，┴☱◰┖♠♔☖╼，☸◽☙┆◹╦♰┊┯┤。╋▀▷╼♔┒♔╯♔◴♔┡♿♰┏┏♀☄╦，♭♩▀☓☻☱◮╅。") > 40);
    }

    #[test]
    fn signs_of_honest_texts_do_not_count() {
        for sign in [
            "└──────┴──────┘ ├──┼──┤ ",
            "===== ----- ..... ",
            "「潮水！」「什麼？」「是的。」——「……」『地面』，「海！？」",
            "• one → two ⇒ three ✓ four ✗ five ",
            "👍🏽 👍🏽 ❤️ 😀😀 ",
            "⼀⾯靠⼭，⼀⾯临⽔。⼭⾼⽽⼟薄，⼩⽯⼀年四季都在往下⾛，⼤⽯⼗年才动⼀次。①②③④⑤⑥⑦⑧⑨⑩ ",
            "if (a[i] != b) { return -1; } /* ... */ ",
            "∀x ∈ A ∃y: x ≤ y ∧ ¬(y ≥ z) ",
            "हर ज्वार के साथ पौधों के तनों के बीच ",
            "בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים אֵ֥ת הַשָּׁמַ֖יִם ",
            "ပင်လယ်နှင့်အတူ မြေပြင်သည် ",
        ] {
            let text = ENGLISH.repeat(9) + &sign.repeat(9);
            assert_eq!(count(&text), 0, "{sign}");
        }
    }

    #[test]
    fn words_of_signs_in_settled_spans_do_not_count() {
        let text = drawn(0x2701).repeat(3);
        assert_eq!(words_of_signs(&text, std::slice::from_ref(&(0..text.len() as u32))), []);
    }
}
