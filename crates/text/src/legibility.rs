//! Whether the characters of a text can be what a reader sees.
//!
//! A font without a usable map gives a text layer of private or arbitrary characters. What no reader could have written is
//! told by single characters, and by letters that no language spreads so, page by page.

use crate::layout::{Layout, Mark, MarkKind};
use crate::plausible::is_plausible;
use crate::script::{is_common_han, is_han};
use crate::visible::is_control;
use ahash::AHashSet;
use std::ops::Range;

/// A page with fewer letters is not judged by how they spread. Chosen by hand.
const ENOUGH: usize = 150;

/// Whether a letter is one of the nine that are frequent in every language written in Latin.
fn is_frequent(letter: char) -> bool {
    matches!(letter.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'n' | 'o' | 'r' | 's' | 't' | 'l')
}

/// The least share they have of a page, in hundredths. Chosen by hand.
const LEAST_FREQUENT: usize = 42;

/// The least share of frequent Han characters, in hundredths; arbitrary ones reach about a third.
const LEAST_PLAUSIBLE: usize = 40;

/// The hundredths of Han characters that stand once on a page from which on it is a list of them. Chosen by hand.
const MOST_DIFFERENT: usize = 80;

/// Letters in shorter words are signs of formulas: they are not judged by how they spread.
const SHORTEST_WORD: usize = 3;

/// The fewest bad characters in a row that stand for a word, and the fewest letters in a row beside which fewer do. Others are signs of formulas,
/// of which many fonts do not say what they are.
const BAD_IN_A_ROW: usize = 3;
const LETTERS_IN_A_ROW: usize = 2;

/// The hundredths of bad characters in words beyond which a page is illegible as a whole. Chosen by hand.
const MOST_BAD: usize = 12;

/// What of a text cannot be what a reader sees.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Legibility {
    /// Pages, or the whole of a text without pages, that cannot be read.
    pub illegible: Vec<Range<u32>>,
    /// Visible characters in them, and glyphs for which the file gives no character.
    pub bad: u32,
    /// All visible characters and such glyphs.
    pub all: u32,
}

impl Legibility {
    /// Judges a text.
    pub fn of(text: &str, layout: &Layout) -> Self {
        Self::of_characters(&text.chars().collect::<Vec<char>>(), layout)
    }

    /// Judges a text that is at hand character by character.
    pub fn of_characters(characters: &[char], layout: &Layout) -> Self {
        let end = characters.len() as u32;
        let mut pages: Vec<Range<u32>> = layout
            .marks()
            .iter()
            .filter(|mark| matches!(mark.kind, MarkKind::Page(_)))
            .map(|mark| mark.start.min(end)..mark.end.min(end))
            .collect();
        if pages.is_empty() {
            pages.push(0..end);
        }
        let mut legibility = Legibility::default();
        for page in pages {
            let shown = &characters[page.start as usize..page.end as usize];
            let visible = shown.iter().filter(|c| !c.is_whitespace()).count() as u32;
            let unmapped = unmapped(characters, layout, &page);
            legibility.all = legibility.all.saturating_add(visible).saturating_add(unmapped);
            let bad = bad_in_words(shown) as u32 + unmapped;
            if bad as usize * 100 > (visible + unmapped) as usize * MOST_BAD || is_no_language(shown) {
                legibility.bad = legibility.bad.saturating_add(visible).saturating_add(unmapped);
                legibility.illegible.push(page);
            }
        }
        legibility
    }

    /// Whether nearly all of the text is illegible, so that comparing the rest would mislead.
    pub fn is_hopeless(&self) -> bool {
        self.bad > 0 && u64::from(self.bad) * 2 >= u64::from(self.all)
    }
}

/// Glyphs without a character within a span, where they stand for words.
fn unmapped(text: &[char], layout: &Layout, span: &Range<u32>) -> u32 {
    let marks = layout.marks();
    let first = marks.partition_point(|mark| mark.start < span.start);
    let within = marks[first..].iter().take_while(|mark| mark.start <= span.end);
    let of = |mark: &Mark| match mark.kind {
        MarkKind::Unmapped(count) if stand_for_words(text, mark.start as usize, count as usize) => count,
        _ => 0,
    };
    within.map(of).sum()
}

/// The bad characters of a text that stand for letters of words.
fn bad_in_words(text: &[char]) -> usize {
    if !text.iter().any(|c| is_bad(*c)) {
        return 0;
    }
    let tokens = text.split(|c| !c.is_alphabetic() && !is_bad(*c));
    let bad = |token: &[char]| token.iter().filter(|c| is_bad(**c)).count();
    tokens.map(|token| (bad(token), token)).filter(|(bad, token)| *bad > 0 && is_word(token)).map(|(bad, _)| bad).sum()
}

/// Whether letters and bad characters that stand together are a word.
fn is_word(token: &[char]) -> bool {
    let in_a_row = |bad, fewest| {
        token.chunk_by(|a, b| is_bad(*a) == is_bad(*b)).any(|run| is_bad(run[0]) == bad && run.len() >= fewest)
    };
    in_a_row(true, BAD_IN_A_ROW) || in_a_row(false, LETTERS_IN_A_ROW)
}

/// Whether `count` glyphs without a character at a place stand for letters of words.
fn stand_for_words(text: &[char], place: usize, count: usize) -> bool {
    let place = place.min(text.len());
    let letters = |c: &&char| c.is_alphabetic();
    let beside =
        text[..place].iter().rev().take_while(letters).count() + text[place..].iter().take_while(letters).count();
    count >= BAD_IN_A_ROW || beside >= LETTERS_IN_A_ROW
}

/// Private, replacement and control characters.
fn is_bad(c: char) -> bool {
    matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFF}' | '\u{FFFD}') || is_control(c)
}

/// Whether there are enough letters to tell that they spread as in no language.
fn is_no_language(text: &[char]) -> bool {
    let (mut han, mut plausible, mut different) = (0, 0, AHashSet::new());
    let (mut all, mut frequent) = (0, 0);
    for &c in text {
        if c.is_ascii() {
            all += usize::from(c.is_ascii_alphabetic());
            frequent += usize::from(is_frequent(c));
        } else if is_han(c) {
            different.insert(c);
            if is_common_han(c) {
                han += 1;
                plausible += usize::from(is_plausible(c as u32 as u16));
            }
        }
    }
    let is_arbitrary = |all: usize, good: usize, least: usize| all >= ENOUGH && good * 100 < all * least;
    // All of them, and those of words: a table repeats the names of its columns.
    let words =
        || text.split(|c| !c.is_alphabetic() || is_han(*c)).filter(|word| word.len() >= SHORTEST_WORD).flatten();
    let no_letters = || {
        let of_words = || words().filter(|c| c.is_ascii_alphabetic());
        is_arbitrary(all, frequent, LEAST_FREQUENT)
            && is_arbitrary(of_words().count(), of_words().filter(|c| is_frequent(**c)).count(), LEAST_FREQUENT)
    };
    // A list of characters repeats none, as a text does whatever its letters stand for.
    let is_list = different.len() * 100 >= han * MOST_DIFFERENT;
    // What few letters there are beside a text in another script prove nothing.
    (all >= han && no_letters()) || (han >= all && !is_list && is_arbitrary(han, plausible, LEAST_PLAUSIBLE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Mark;

    const ENGLISH: &str = "Tidal marshes trap the silt that every flood carries over the banks of the creek. Engineers who \
        build dykes in front of it starve the surface, and within decades its channels widen until the plants drown. ";
    const CHINESE: &str = "每一次潮水都在植物的茎之间留下薄薄一层淤泥，地面随着海面一起升高，直到下一场风暴把它带走。\
        乡镇图书馆冬天借出的小说比夏天多，账册表明如此。";

    fn shifted(text: &str, by: u32) -> String {
        let shift = |c: char| if c.is_alphabetic() { char::from_u32(c as u32 + by).unwrap_or(c) } else { c };
        text.chars().map(shift).collect()
    }

    #[test]
    fn a_text_in_private_or_arbitrary_characters_is_illegible() {
        let cases = [
            (ENGLISH.to_owned(), false),
            (CHINESE.repeat(3), false),
            (shifted(ENGLISH, 0xE000), true),
            ("\u{FFFD}".repeat(100) + ENGLISH, true),
            (
                ENGLISH
                    .to_lowercase()
                    .chars()
                    .map(|c| if c.is_ascii_lowercase() { (b'a' + (c as u8 - b'a' + 3) % 26) as char } else { c })
                    .collect(),
                true,
            ),
            (shifted(&CHINESE.repeat(3), 1111), true),
        ];
        for (text, illegible) in cases {
            assert_eq!(Legibility::of(&text, &Layout::default()).is_hopeless(), illegible, "{text}");
        }
    }

    #[test]
    fn a_page_of_formulas_is_legible_and_words_without_some_of_their_letters_are_not() {
        let formulas = "x \u{e001} y \u{e002} z\u{e003}k p \u{e004} q w \u{e005} v ".repeat(40);
        for (text, illegible) in [
            (ENGLISH.to_owned() + &formulas, false),
            ("10 ES Cmax 21 DA ES Cmax 15 OPT ".repeat(40), false),
            ("k x y z v w p q f g h u ".repeat(30) + ENGLISH, false),
            (ENGLISH.replace(['e', 't', 'a'], "\u{e001}"), true),
        ] {
            assert_eq!(Legibility::of(&text, &Layout::default()).is_hopeless(), illegible, "{text}");
        }
        let text = "words of a page ".repeat(9);
        for (place, count, bad) in [(3, 1, 1), (15, 2, 2), (15, 3, 3)] {
            let text = text.replace("page ", "page x ");
            let layout = Layout::new(vec![Mark { kind: MarkKind::Unmapped(count), start: place, end: place }]);
            assert_eq!(unmapped(&text.chars().collect::<Vec<_>>(), &layout, &(0..40)), bad, "{place} {count}");
        }
        let apart: Vec<char> = "x  y".chars().collect();
        let layout = Layout::new(vec![Mark { kind: MarkKind::Unmapped(2), start: 2, end: 2 }]);
        assert_eq!(unmapped(&apart, &layout, &(0..4)), 0);
    }

    #[test]
    fn glyphs_without_a_character_count_as_illegible_on_their_page() {
        let marks = [
            Mark { kind: MarkKind::Page(1), start: 0, end: 100 },
            Mark { kind: MarkKind::Page(2), start: 102, end: 120 },
            Mark { kind: MarkKind::Unmapped(500), start: 110, end: 110 },
        ];
        let text = format!("{}\n\n{}", "tidal marsh ".repeat(9).get(..100).unwrap_or_default(), "two words and more");
        let found = Legibility::of(&text, &Layout::new(marks.to_vec()));
        assert_eq!(found.illegible, vec![102..120]);
        assert!(found.is_hopeless());
    }
}
