//! Words in Latin letters: joined and parted as known words, then led to the known word they are near to.
//!
//! A clause is one stream of letters, with the borders between its words. Among all ways to cut it the one is taken whose words are the
//! most frequent; a border inside a word, or a word that begins without one, makes it dearer (Viterbi's algorithm over a unigram model).
//! So blanks, signs and letters of other alphabets inside words, and blanks that are missing, are undone alike.

use super::Edit;
use super::cipher::Cipher;
use super::strays::strays;
use super::vocabulary::{LONGEST, Vocabulary};
use crate::units::{Kind, Token, Tokens};
use std::ops::Range;

/// What a word costs, in units of a tier's number: a word of the most frequent list 10 + this.
const OF_A_WORD: u32 = 30;

/// What it costs besides to take out borders within a word, to begin a word where there is none, or to lead one to a known word. Without
/// it any "to day" were one word.
const OF_A_CHANGE: u32 = 45;

/// What a word costs that is not known, and each of its letters: several known words are cheaper than a long one, so that what was joined
/// is parted.
const UNKNOWN: u32 = 100;
const UNKNOWN_LETTER: u32 = 15;

/// What each letter of it costs that is beyond those of the longest known word: what has more letters is words that were joined.
const LETTER_TOO_MANY: u32 = 45;

/// Letters of a clause that are looked at together.
const CLAUSE: usize = 2000;

/// A letter a to z, and where it stands.
struct Letter {
    letter: u8,
    /// Its place in the normalised text, with the signs of its word that stand behind it, and of the first before it.
    place: Range<usize>,
    /// Whether a word begins with it.
    begins: bool,
    /// Whether another one stands there for it.
    is_other: bool,
}

/// The words of one clause, letter by letter.
#[derive(Default)]
struct Clause {
    letters: Vec<Letter>,
}

/// What to write in place of the words of the normalised text that stand at `is_spoilt` characters.
pub(super) fn edits(text: &str, mut is_spoilt: impl FnMut(usize) -> bool) -> Vec<Edit> {
    let mut at = 0;
    let tokens: Vec<(Token, Range<usize>, bool)> = Tokens::of(text)
        .map(|token| {
            let place = at..at + token.chars;
            at = place.end;
            let is_spoilt = token.kind != Kind::Gap && is_spoilt(place.start);
            (token, place, is_spoilt)
        })
        .collect();
    let strays = strays(&tokens);
    let cipher = Cipher::of(text, &tokens, &strays);
    let (mut edits, mut clause) = (Vec::new(), Clause::default());
    for (token, place, is_spoilt) in tokens {
        if strays.contains(&place.start) {
            edits.push(Edit { place, text: " ".to_owned() });
            continue;
        }
        let ends = match token.kind {
            Kind::Gap => token.text.contains(['.', '!', '?', ';']) || token.text.contains("\n\n"),
            _ if !is_spoilt || !clause.add(&token, place.clone(), |c| cipher.letter(place.start, c)) => true,
            _ => clause.letters.len() > CLAUSE,
        };
        if ends {
            std::mem::take(&mut clause).restore(&mut edits);
        }
    }
    clause.restore(&mut edits);
    edits
}

impl Clause {
    /// Adds a word, unless it has apostrophes, or nothing that stands for a Latin letter but figures.
    fn add(&mut self, token: &Token, place: Range<usize>, letter: impl Fn(char) -> Option<u8>) -> bool {
        let is_letter = |c: char| !c.is_numeric() && letter(c).is_some();
        if token.text.contains('\'') || !token.text.contains(is_letter) {
            // One letter of another alphabet between the parts of a word is passed over.
            return token.chars == 1 && token.kind == Kind::Word && !token.text.is_ascii();
        }
        let first = self.letters.len();
        for (at, character) in place.clone().zip(token.text.chars()) {
            let begins = self.letters.len() == first;
            match (letter(character), self.letters.last_mut()) {
                (Some(letter), _) => self.letters.push(Letter {
                    letter,
                    place: at..at + 1,
                    begins,
                    is_other: char::from(letter) != character,
                }),
                (None, Some(before)) if !begins => before.place.end = at + 1,
                _ => {}
            }
        }
        self.letters[first].place.start = place.start;
        true
    }

    /// Restores the words of the clause that changed.
    fn restore(self, edits: &mut Vec<Edit>) {
        if self.letters.is_empty() {
            return; // the vocabulary is read for the first clause that has some
        }
        let text: String = self.letters.iter().map(|letter| letter.letter as char).collect();
        for (word, restored) in self.cut(&text) {
            let letters = &text[word.clone()];
            let place = self.letters[word.start].place.start..self.letters[word.end - 1].place.end;
            let begins = self.letters[word.start].begins;
            let stands_there = self.letters[word].iter().all(|letter| !letter.is_other);
            if restored != letters || place.len() != letters.len() || !begins || !stands_there {
                let blank = if begins { "" } else { " " };
                edits.push(Edit { place, text: format!("{blank}{restored}") });
            }
        }
    }

    /// The cheapest words that the letters can be cut into, each with its letters and with what it is.
    fn cut<'a>(&self, text: &'a str) -> Vec<(Range<usize>, &'a str)> {
        let (letters, vocabulary) = (&self.letters, Vocabulary::built_in());
        // For each end the cheapest way there: its cost, where its last word begins, and what that is.
        let mut best = vec![(u32::MAX, 0, ""); letters.len() + 1];
        best[0].0 = 0;
        let mut borders = vec![0; letters.len() + 1];
        for (at, letter) in letters.iter().enumerate() {
            borders[at + 1] = borders[at] + u32::from(letter.begins);
        }
        for start in 0..letters.len() {
            let cost = best[start].0;
            if cost == u32::MAX {
                continue;
            }
            let begins = letters[start].begins;
            let entry = if begins { 0 } else { OF_A_CHANGE };
            let mut put = |end: usize, more: u32, word: &'a str| {
                let cost = cost.saturating_add(entry + more);
                if cost < best[end].0 {
                    best[end] = (cost, start, word);
                }
            };
            for end in start + 1..=(start + LONGEST).min(letters.len()) {
                if let Some(tier) = vocabulary.tier(&text[start..end]) {
                    let joins = borders[end] > borders[start + 1];
                    put(end, OF_A_WORD + u32::from(tier) + if joins { OF_A_CHANGE } else { 0 }, &text[start..end]);
                }
            }
            if begins {
                let end = (start + 1..letters.len()).find(|at| letters[*at].begins).unwrap_or(letters.len());
                let word = &text[start..end];
                let beyond = word.len().saturating_sub(LONGEST) as u32;
                put(end, UNKNOWN + UNKNOWN_LETTER * word.len() as u32 + LETTER_TOO_MANY * beyond, word);
                if vocabulary.tier(word).is_none()
                    && let Some(known) = vocabulary.nearest(word)
                {
                    let tier = vocabulary.tier(known).unwrap_or(u8::MAX);
                    put(end, OF_A_WORD + u32::from(tier) + OF_A_CHANGE, known);
                }
            }
        }
        let (mut words, mut end) = (Vec::new(), letters.len());
        while end > 0 {
            let (_, start, word) = best[end];
            words.push((start..end, word));
            end = start;
        }
        words.reverse();
        words
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Edit, applied};
    use super::*;
    use crate::normalise::Normalised;

    fn restored(text: &str) -> String {
        let normalised = Normalised::of(text);
        let edits: Vec<Edit> = edits(&normalised.text, |_| true);
        applied(&normalised, edits).text
    }

    #[test]
    fn spoilt_words_are_restored_however_they_were_spoilt() {
        let honest = "the engineers built a wall along the river before the water rose again";
        for spoilt in [
            honest,
            "the eng ineers bu ilt a wa ll along the riv er bef ore the wat er rose ag ain",
            "t h e e n g i n e e r s b u i l t a w a l l a l o n g t h e r i v e r b e f o r e t h e w a t e r r o s e a g a i n",
            "theengineers built a wallalong theriver beforethe waterrose again",
            "the enginoers buitl a wall aloong the rivre befor the watar rose agian",
            "the eng\u{26c}ineers bu\u{26c}ilt a wall al\u{26c}ong the ri\u{26c}ver bef\u{26c}ore the wat\u{26c}er rose again",
            "thⲉ ⲉⲛgiⲛⲉⲉrs built ⲁ wⲁll ⲁlⲟⲛg thⲉ rivⲉr bⲉfⲟrⲉ thⲉ wⲁtⲉr rⲟsⲉ ⲁgⲁiⲛ",
            "the eng2ineers bu7ilt a wa4ll al1ong the ri8ver bef3ore the wat9er ro6se ag5ain",
            "7h3 3ng1n33r5 bu1l7 a wall al0ng 7h3 r1v3r b3f0r3 7h3 wa73r r053 aga1n",
            "the eng*ineers bu*ilt a wa*ll al*ong the ri*ver bef*ore the wat*er ro*se ag*ain",
        ] {
            assert_eq!(restored(spoilt), honest, "{spoilt}");
        }
    }

    #[test]
    fn numbers_and_single_letters_between_words_go_and_those_that_are_few_stay() {
        let honest = "the engineers built a wall along the river before the water rose again";
        let words = |restored: String| restored.split_whitespace().collect::<Vec<_>>().join(" ");
        for stray in ["3", "x", "0.37", "7 q", "b\n"] {
            let spoilt: String = honest.split(' ').map(|word| format!("{word} {stray} ")).collect();
            assert_eq!(
                words(restored(&spoilt)).trim_end_matches([' ', '3', 'x', '0', '.', '7', 'q', 'b']),
                honest,
                "{stray}"
            );
        }
        let few = "the 3 engineers built 2 walls along the river before the water rose by 4 metres";
        assert_eq!(words(restored(few)), few);
    }

    #[test]
    fn words_put_between_words_go_and_so_do_two_even_where_one_is_missing() {
        let honest =
            "the engineers of the town built a wall along the river before the water that was in it rose again "
                .repeat(9);
        let honest = honest.trim_end();
        for filler in ["nn", "quay", "nn jj"] {
            let put =
                |(at, word): (usize, &str)| if at == 21 { format!("{word} ") } else { format!("{word} {filler} ") };
            let restored = restored(&honest.split(' ').enumerate().map(put).collect::<String>());
            let left = restored.split_whitespace().filter(|word| filler.split(' ').any(|put| put == *word)).count();
            let kept = restored.split_whitespace().count() - left;
            assert!(left < 6 && kept > 9 * 19 - 6, "{filler}: {restored}");
        }
    }

    #[test]
    fn letters_that_stand_for_others_all_over_are_read_as_these() {
        let text = crate::prose::demo("en").concat().to_lowercase();
        // A word that is joined with the next one would shift all behind it.
        let left = |restored: &str| {
            let mut words: Vec<&str> = text.split_whitespace().collect();
            let all = words.len();
            for word in restored.split_whitespace() {
                words.iter().position(|honest| *honest == word).map(|at| words.swap_remove(at));
            }
            (words.len(), all)
        };
        let letters =
            |by: u8| move |c: char| if c.is_ascii_lowercase() { ((c as u8 - 97 + by) % 26 + 97) as char } else { c };
        let vowels = |c: char| "aeioua".split_once(c).and_then(|(_, behind)| behind.chars().next()).unwrap_or(c);
        for spoilt in [text.chars().map(letters(7)).collect::<String>(), text.chars().map(vowels).collect()] {
            let restored = restored(&spoilt);
            let (left, all) = left(&restored);
            assert!(left * 20 < all, "{left} of {all}: {restored}");
        }
    }

    #[test]
    fn honest_words_stay_as_they_are() {
        for honest in ["into the harbour", "in to it", "Zygmunt and Kowalczyk met", "an x-ray at 5 pm", ""] {
            assert_eq!(restored(honest), Normalised::of(honest).text);
        }
    }
}
