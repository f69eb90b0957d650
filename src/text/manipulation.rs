//! Signs that a text was made to deceive a program: what a reader does not see, or sees differently.
//!
//! A flag is a hint for a person. Most have innocent causes too, which their explanations name.

use super::flag::{LOOKALIKE, ZERO_WIDTH};
use super::layout::{Layout, MarkKind};
use super::units::Units;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What kind of sign it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlagKind {
    /// Zero-width characters inside words.
    ZeroWidth,
    /// Letters of another alphabet that look like the ones they replace.
    LookAlike,
    /// Words of two alphabets that are not explained by look-alikes.
    MixedScript,
    /// So many replaced letters that it cannot be chance; over the whole text.
    ReplacedLetters,
    /// Text in the colour of the page.
    WhiteText,
    /// Text too small to be read.
    TinyText,
    /// Text that the format does not show.
    HiddenText,
    /// A picture, or a page without text among others.
    Picture,
    /// White space of unusual kinds, or between the letters of words.
    WhiteSpace,
}

impl FlagKind {
    /// The word that stands for it in a CSV file.
    pub fn as_str(self) -> &'static str {
        match self {
            FlagKind::ZeroWidth => "zero_width",
            FlagKind::LookAlike => "look_alike",
            FlagKind::MixedScript => "mixed_script",
            FlagKind::ReplacedLetters => "replaced_letters",
            FlagKind::WhiteText => "white_text",
            FlagKind::TinyText => "tiny_text",
            FlagKind::HiddenText => "hidden_text",
            FlagKind::Picture => "picture",
            FlagKind::WhiteSpace => "white_space",
        }
    }

    /// What was found, in a sentence for a person.
    pub fn explanation(self) -> &'static str {
        match self {
            FlagKind::ZeroWidth => "words with invisible characters inside; text copied from web pages may have some",
            FlagKind::LookAlike => "words with letters of another alphabet that look like the right ones",
            FlagKind::MixedScript => "words of two alphabets; formulas and names of species may have some",
            FlagKind::ReplacedLetters => "words with replaced letters all over the text, more than by chance",
            FlagKind::WhiteText => "characters in white on white",
            FlagKind::TinyText => "characters in letters of less than four points",
            FlagKind::HiddenText => "characters that the format hides; they are left out of the text",
            FlagKind::Picture => "pictures whose text, if any, is not compared; a page of a PDF file without any text",
            FlagKind::WhiteSpace => "blanks of unusual kinds or between the letters of words",
        }
    }
}

/// A sign of manipulation. Offsets are characters of the extracted text, the end exclusive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flag {
    /// What it is.
    pub kind: FlagKind,
    /// Where it starts.
    pub start: u32,
    /// Where it ends; the start, for what is not in the text.
    pub end: u32,
    /// How many words, characters or pictures it is about, as the explanation says.
    pub count: u32,
}

/// Signs of one kind within so many characters of each other are one flag.
const NEAR: u32 = 500;

/// From so many replaced words, and this share of all words, letters were replaced by a program.
const MANY_WORDS: usize = 20;
const MANY_SHARE: usize = 100;

/// So many single letters in a row with blanks between them are a word pulled apart.
const SPACED_LETTERS: usize = 6;

/// All flags of a text, by kind and place. `units` are those of `text`.
pub fn find(text: &str, layout: &Layout, units: &Units) -> Vec<Flag> {
    let mut signs = Signs::default();
    for unit in 0..units.len() {
        let span = units.start[unit]..units.end[unit];
        for (bit, kind) in [(ZERO_WIDTH, FlagKind::ZeroWidth), (LOOKALIKE, FlagKind::LookAlike)] {
            if units.flags[unit] & bit != 0 {
                signs.add(kind, span.clone(), 1);
            }
        }
    }
    for mark in layout.marks() {
        let span = mark.start..mark.end;
        match mark.kind {
            MarkKind::White => signs.add(FlagKind::WhiteText, span, mark.end - mark.start),
            MarkKind::Tiny => signs.add(FlagKind::TinyText, span, mark.end - mark.start),
            MarkKind::Hidden(count) => signs.add(FlagKind::HiddenText, span, count),
            MarkKind::Picture => signs.add(FlagKind::Picture, span, 1),
            _ => {}
        }
    }
    let characters: Vec<char> = text.chars().collect();
    unusual_white_space(&characters, &mut signs);
    mixed_scripts(&characters, units, &mut signs);
    let replaced = units.flags.iter().filter(|flags| **flags & LOOKALIKE != 0).count();
    if replaced >= MANY_WORDS && replaced * MANY_SHARE >= units.len() {
        signs.add(FlagKind::ReplacedLetters, 0..characters.len() as u32, replaced as u32);
    }
    signs.finish()
}

/// Signs as they are found, neighbours of one kind joined.
#[derive(Default)]
struct Signs(Vec<Flag>);

impl Signs {
    /// Signs of one kind must come in the order of their places.
    fn add(&mut self, kind: FlagKind, span: Range<u32>, count: u32) {
        let last = self.0.iter_mut().rev().find(|flag| flag.kind == kind);
        match last.filter(|flag| span.start <= flag.end.saturating_add(NEAR)) {
            Some(flag) => {
                flag.end = flag.end.max(span.end);
                flag.count = flag.count.saturating_add(count);
            }
            None => self.0.push(Flag { kind, start: span.start, end: span.end, count }),
        }
    }

    fn finish(mut self) -> Vec<Flag> {
        self.0.sort_by_key(|flag| (flag.kind, flag.start, flag.end));
        self.0
    }
}

/// Blanks of unusual width between letters, and words with a blank after each letter.
fn unusual_white_space(text: &[char], signs: &mut Signs) {
    let letter = |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(|c| c.is_alphabetic());
    let is_latin = |c: char| c.is_alphabetic() && c < '\u{2E80}';
    let mut at = 0;
    while at < text.len() {
        let odd = matches!(text[at], '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{2800}');
        if odd && letter(at.checked_sub(1)) && letter(Some(at + 1)) {
            signs.add(FlagKind::WhiteSpace, at as u32..at as u32 + 1, 1);
        }
        // A letter, a blank, a letter, a blank: how many letters stand alone from here on?
        let alone = |at: usize| is_latin(text[at]) && !letter(at.checked_sub(1)) && !letter(Some(at + 1));
        if alone(at) {
            let mut end = at;
            while end + 2 < text.len() && text[end + 1] == ' ' && alone(end + 2) {
                end += 2;
            }
            let letters = (end - at) / 2 + 1;
            if letters >= SPACED_LETTERS {
                signs.add(FlagKind::WhiteSpace, at as u32..end as u32 + 1, letters as u32);
            }
            at = end;
        }
        at += 1;
    }
}

/// Words of at least four letters in which Latin letters stand beside Greek, Cyrillic or Armenian ones.
fn mixed_scripts(text: &[char], units: &Units, signs: &mut Signs) {
    for unit in 0..units.len() {
        let span = units.start[unit]..units.end[unit];
        if units.flags[unit] & LOOKALIKE != 0 || span.len() < 4 {
            continue;
        }
        let Some(word) = text.get(span.start as usize..span.end as usize) else { continue };
        let latin = word.iter().any(|c| c.is_ascii_alphabetic() || matches!(c, '\u{C0}'..='\u{24F}'));
        let other =
            word.iter().any(|c| matches!(c, '\u{370}'..='\u{52F}' | '\u{531}'..='\u{58F}') && c.is_alphabetic());
        if latin && other {
            signs.add(FlagKind::MixedScript, span, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::layout::Mark;

    /// Kind, start, end and count.
    type Found = (&'static str, u32, u32, u32);

    fn flags(text: &str) -> Vec<Found> {
        let found = find(text, &Layout::default(), &Units::from_text(text));
        found.into_iter().map(|flag| (flag.kind.as_str(), flag.start, flag.end, flag.count)).collect()
    }

    #[test]
    fn disguises_of_letters_and_blanks_are_flagged() {
        let cases: &[(&str, &[Found])] = &[
            ("an ordinary text, 潮汐沼泽 and naïve café", &[]),
            ("the ma\u{200b}rsh and the ti\u{200b}de", &[("zero_width", 4, 24, 2)]),
            ("the m\u{430}rsh lies there", &[("look_alike", 4, 9, 1)]),
            ("a\u{2005}b and c\u{2009}d", &[("white_space", 1, 10, 2)]),
            ("they m a r s h e s say", &[("white_space", 5, 18, 7)]),
            ("plan A B C of them", &[]),
            ("a wide\u{3000}blank 中\u{3000}文", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(flags(text), *expected, "{text}");
        }
    }

    #[test]
    fn words_of_two_alphabets_that_no_look_alike_explains_are_flagged() {
        let found = flags("the m\u{436}rsh\u{444} lies there");
        assert_eq!(found, [("mixed_script", 4, 10, 1)]);
    }

    #[test]
    fn letters_replaced_all_over_are_a_flag_of_the_whole_text() {
        let text = "the m\u{430}rsh ".repeat(25);
        let found = flags(&text);
        assert_eq!(found.last(), Some(&("replaced_letters", 0, 250, 25)));
    }

    #[test]
    fn what_the_format_hides_is_flagged_with_its_size() {
        let marks = [
            Mark { kind: MarkKind::Hidden(12), start: 3, end: 3 },
            Mark { kind: MarkKind::White, start: 4, end: 9 },
            Mark { kind: MarkKind::Tiny, start: 4, end: 6 },
            Mark { kind: MarkKind::Picture, start: 7, end: 7 },
        ];
        let text = "one three and more";
        let found = find(text, &Layout::new(marks.to_vec()), &Units::from_text(text));
        let found: Vec<_> = found.iter().map(|flag| (flag.kind, flag.start, flag.end, flag.count)).collect();
        assert_eq!(
            found,
            [
                (FlagKind::WhiteText, 4, 9, 5),
                (FlagKind::TinyText, 4, 6, 2),
                (FlagKind::HiddenText, 3, 3, 12),
                (FlagKind::Picture, 7, 7, 1),
            ]
        );
    }
}
