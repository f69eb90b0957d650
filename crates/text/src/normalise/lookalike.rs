//! Step 5: letters of another alphabet that pass for the ones around them.
//!
//! A word of one alphabet only is what it seems, unless the whole text has no real word of that alphabet: "асе" in
//! Cyrillic letters is a disguise in an English text and a word in a Russian one. A word that mixes alphabets is
//! brought into one of them: into Latin if every foreign letter has a Latin twin, into the foreign alphabet if it has
//! letters without one and all other letters of the word have twins there. What fits neither (μm, Δt) stays.

use super::alphabet::{Alphabet, is_mark};
use super::item::{self, Item};
use super::twins;
use crate::flag::LOOKALIKE;
use std::ops::Range;

/// A number for each of [`Alphabet::FOREIGN`].
type Counts = [usize; Alphabet::FOREIGN.len()];

/// How often each foreign alphabet is itself in a text, and how often it may be a disguise.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Census {
    /// Words with a letter that has no Latin twin and without Latin letters, for each of [`Alphabet::FOREIGN`].
    genuine: Counts,
    /// Words that mix the alphabet with Latin, or in which every letter has a Latin twin.
    suspicious: Counts,
}

impl Census {
    /// Counts the words of some items.
    pub(super) fn count(&mut self, items: &[Item]) {
        for word in words(items) {
            let letters = Letters::of(&items[word]);
            if letters.is_symbol() {
                continue;
            }
            for (index, &total) in letters.foreign.iter().enumerate().filter(|&(_, &total)| total > 0) {
                if total == letters.total && letters.twinless[index] > 0 {
                    self.genuine[index] += 1;
                } else {
                    self.suspicious[index] += 1;
                }
            }
        }
    }

    /// Whether an alphabet is native to the text, so that its words are what they seem.
    fn is_native(&self, foreign: usize) -> bool {
        self.genuine[foreign] > 0 && self.genuine[foreign] >= self.suspicious[foreign]
    }
}

/// Replaces look-alike letters. `census` counts the whole text's words and is called only when it matters.
pub(super) fn undo<'a>(items: &mut [Item], mut census: impl FnMut() -> &'a Census) {
    let mut start = 0;
    while let Some(word) = next_word(items, start) {
        start = word.end;
        let word = &mut items[word];
        match Letters::of(word).verdict(&mut census) {
            Verdict::Keep => {}
            Verdict::Foreign(alphabet) => {
                for item in word {
                    replace(item, |letter| twins::native(letter, alphabet), LOOKALIKE);
                }
            }
            Verdict::Latin => {
                let last = word.len() - 1;
                for (place, item) in word.iter_mut().enumerate() {
                    let at_edge = place == 0 || place == last;
                    let plain_use = item.character.is_some_and(|letter| is_plain_use(letter, at_edge));
                    replace(item, twins::latin, if plain_use { 0 } else { LOOKALIKE });
                }
            }
        }
    }
}

/// Replaces the Greek lunate sigma beside a Latin letter by the c it looks like, before composition makes it an ordinary
/// sigma, which looks like no Latin letter.
pub(super) fn undo_lunate_sigmas(items: &mut [Item]) {
    for index in 0..items.len() {
        let twin = match items[index].character {
            Some('ϲ') => 'c',
            Some('Ϲ') => 'C',
            _ => continue,
        };
        let neighbours = [item::before(items, index), item::from(items, index + 1)];
        if neighbours.iter().flatten().any(|(_, letter)| letter.is_ascii_alphabetic()) {
            items[index].character = Some(twin);
            items[index].flags |= LOOKALIKE;
        }
    }
}

fn replace(item: &mut Item, twin: impl Fn(char) -> Option<char>, flags: u8) {
    let Some(letter) = item.character else { return };
    if let Some(twin) = twin(letter).filter(|&twin| twin != letter) {
        item.character = Some(twin);
        item.flags |= flags;
    }
}

/// Whether a look-alike has an ordinary use, so that it folds without being called a disguise: the Turkish ı, and
/// Greek small letters at the edge of a Latin word, which are symbols (TNFα, cosα).
fn is_plain_use(letter: char, at_edge: bool) -> bool {
    letter == 'ı' || (at_edge && is_greek_symbol(letter))
}

fn is_greek_symbol(letter: char) -> bool {
    Alphabet::of(letter) == Some(Alphabet::Greek) && letter.is_lowercase() && letter != 'ο'
}

/// What is to be done with a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Keep,
    Latin,
    Foreign(Alphabet),
}

/// The letters of one word, counted.
struct Letters<'a> {
    word: &'a [Item],
    total: usize,
    /// Letters of each of [`Alphabet::FOREIGN`].
    foreign: Counts,
    /// Those of them without a Latin twin.
    twinless: Counts,
    /// Latin letters that have a Latin twin themselves.
    unusual: usize,
}

impl<'a> Letters<'a> {
    fn of(word: &'a [Item]) -> Self {
        let mut letters = Self { word, total: 0, foreign: Counts::default(), twinless: Counts::default(), unusual: 0 };
        for (letter, alphabet) in letters_of(word) {
            let twinless = usize::from(twins::latin(letter).is_none());
            letters.total += 1;
            match alphabet.foreign_index() {
                Some(index) => {
                    letters.foreign[index] += 1;
                    letters.twinless[index] += twinless;
                }
                None => letters.unusual += 1 - twinless,
            }
        }
        letters
    }

    /// Whether the word is a lone Greek letter used as a symbol.
    fn is_symbol(&self) -> bool {
        self.total == 1
            && self.foreign[0] == 1
            && letters_of(self.word).all(|(letter, _)| is_greek_symbol(letter) || twins::latin(letter).is_none())
    }

    fn verdict<'c>(&self, census: &mut impl FnMut() -> &'c Census) -> Verdict {
        let foreign: usize = self.foreign.iter().sum();
        if foreign == 0 {
            return self.verdict_within_latin();
        }
        if self.is_symbol() {
            return Verdict::Keep;
        }
        let pure = self.foreign.iter().position(|&total| total == self.total);
        if self.twinless.iter().all(|&count| count == 0) {
            return match pure {
                Some(index) if census().is_native(index) => Verdict::Keep,
                _ => Verdict::Latin,
            };
        }
        match pure {
            Some(_) => Verdict::Keep,
            None => self.foreign_home().map_or(Verdict::Keep, Verdict::Foreign),
        }
    }

    /// The foreign alphabet that a mixed word belongs to, if it is clearly one.
    fn foreign_home(&self) -> Option<Alphabet> {
        let mut homes = (0..Alphabet::FOREIGN.len()).filter(|&index| self.twinless[index] > 0);
        let (index, None) = (homes.next()?, homes.next()) else {
            return None;
        };
        let alphabet = Alphabet::FOREIGN[index];
        // One or two Greek letters with Latin ones are a formula (ΔE, ΔΔH), not a word.
        let least = if alphabet == Alphabet::Greek { 3 } else { 1 };
        let clear = self.foreign[index] >= least && 2 * self.foreign[index] >= self.total;
        let possible = letters_of(self.word).all(|(letter, _)| twins::native(letter, alphabet).is_some());
        (clear && possible).then_some(alphabet)
    }

    /// Unusual Latin letters among ordinary ones; a word that has other unusual ones too is phonetic writing.
    fn verdict_within_latin(&self) -> Verdict {
        let ordinary = |&(letter, _): &(char, Alphabet)| twins::latin(letter).is_none() && letter <= '\u{17f}';
        if self.unusual == 0 || self.total == 1 {
            return Verdict::Keep;
        }
        let ordinary = letters_of(self.word).filter(ordinary).count();
        let disguised = self.unusual + ordinary == self.total && (ordinary > 0 || self.total > 2);
        if disguised { Verdict::Latin } else { Verdict::Keep }
    }
}

/// The letters among some items, each with its alphabet.
fn letters_of(items: &[Item]) -> impl Iterator<Item = (char, Alphabet)> + '_ {
    items.iter().filter_map(|item| {
        let letter = item.character?;
        Some((letter, Alphabet::of(letter)?))
    })
}

/// The next word from an item on: from its first letter to its last. A word is a maximal run of letters of the four
/// alphabets, deleted characters and combining marks aside.
fn next_word(items: &[Item], start: usize) -> Option<Range<usize>> {
    let is_letter = |item: &Item| item.character.is_some_and(|letter| Alphabet::of(letter).is_some());
    let first = start + items[start..].iter().position(is_letter)?;
    let mut end = first + 1;
    for (index, item) in items.iter().enumerate().skip(end) {
        if is_letter(item) {
            end = index + 1;
        } else if item.character.is_some_and(|character| !is_mark(character)) {
            break;
        }
    }
    Some(first..end)
}

/// All words of some items, in order.
fn words(items: &[Item]) -> impl Iterator<Item = Range<usize>> + '_ {
    std::iter::successors(next_word(items, 0), |word| next_word(items, word.end))
}

#[cfg(test)]
mod tests {
    use super::super::item::{items_of, text_of};
    use super::*;

    fn undone(text: &str) -> (String, u8) {
        let mut items = items_of(text);
        let mut census = Census::default();
        undo_lunate_sigmas(&mut items);
        census.count(&items);
        undo(&mut items, || &census);
        let flags = items.iter().fold(0, |bits, item| bits | item.flags);
        (text_of(&items), flags)
    }

    #[test]
    fn disguised_words_come_back() {
        for (text, expected) in [
            ("the соmmittее decided", "the committee decided"),
            ("ΤΗΕ WΟRD in Greek capitals", "THE WORD in Greek capitals"),
            ("асе and hοuse", "ace and house"),
            ("ɡrɑnt", "grant"),
            ("Ꭺnd ꓔhe ꓳther", "And The Other"),
            ("ϲopy Ϲat aϲϲept", "copy Cat accept"),
            ("sᴍᴀʟʟ ᴄᴀᴘs", "small caps"),
            ("օf tհe house", "of the house"),
            ("в Mоскве говорят", "в Москве говорят"),
        ] {
            assert_eq!(undone(text), (expected.to_owned(), LOOKALIKE), "{text}");
        }
    }

    #[test]
    fn honest_words_stay() {
        for text in [
            "plain English",
            "Это слово о себе, а оно у нас",
            "Η αρχή είναι το ήμισυ του παντός",
            "5 μm, 3 kΩ, ΔT, ΔE, ΔΔH, α = 0.05, ν, Σx",
            "сfемы Rшы",
            "naïve café Žižek",
            "[ˈhʊzə] ɪ",
            "北京大学 ß",
            "Ես հայ եմ",
            "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ",
            "ꓡꓲ-ꓢꓴ ꓥꓪꓽ ꓵꓸ ꓤ",
        ] {
            assert_eq!(undone(text), (text.to_owned(), 0), "{text}");
        }
    }

    #[test]
    fn ordinary_uses_fold_without_being_called_a_disguise() {
        for (text, expected) in [("kırmızı", "kirmizi"), ("TNFα and cosα", "TNFa and cosa")] {
            assert_eq!(undone(text), (expected.to_owned(), 0), "{text}");
        }
    }

    #[test]
    fn an_alphabet_is_native_when_its_real_words_are_no_fewer_than_the_suspicious_ones() {
        assert_eq!(undone("асе").0, "ace");
        assert_eq!(undone("асе жду").0, "асе жду");
        assert_eq!(undone("асе жду ора").0, "ace жду opa");
        assert_eq!(undone("асе жду ора щи").0, "асе жду ора щи");
    }
}
