//! How the words of each language are spelt: how likely three letters stand side by side, and which words are the most frequent.

use crate::packed::unpacked;
use ahash::AHashMap;
use std::sync::{LazyLock, OnceLock};

/// What a trigram takes that its language's table does not have, in bits.
const UNKNOWN: u32 = 12;

/// The languages and their frequent words, from the models of lingua (Peter M. Stahl, Apache-2.0); `make_tables.py` tells what they hold.
static LANGUAGES: LazyLock<String> = LazyLock::new(|| unpacked(include_bytes!("data/languages.txt.zst")));

/// Their trigrams, a line for each number of bits. What reads as English or Chinese is known without them.
static TRIGRAMS: LazyLock<String> = LazyLock::new(|| unpacked(include_bytes!("data/trigrams.txt.zst")));

/// One language.
pub(crate) struct Language {
    /// Its code (ISO 639-1).
    pub code: &'static str,
    /// What a trigram of its honest prose takes on average, in bits.
    pub bits: f32,
    /// The share of its words that its most frequent ones make up.
    pub function: f32,
    /// Where the block of its script begins in Unicode.
    pub alphabet: Alphabet,
    /// Which one it is in the tables.
    number: usize,
    trigrams: OnceLock<AHashMap<[char; 3], u8>>,
}

/// All languages that have a table.
pub(crate) struct Languages {
    pub all: Vec<Language>,
    /// For the hash of each frequent word, a bit for each language that has it.
    frequent: AHashMap<u32, u128>,
}

/// What letters are of one script, roughly: languages of one alphabet are compared with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Alphabet {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Hebrew,
    Arabic,
    Georgian,
}

impl Alphabet {
    /// The alphabet of a letter, if languages of it have tables.
    pub(crate) fn of(letter: char) -> Option<Alphabet> {
        Some(match letter {
            letter if is_african(letter) => Alphabet::Latin,
            'a'..='z' | 'A'..='Z' | '\u{aa}' | '\u{ba}' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => {
                Alphabet::Latin
            }
            '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Alphabet::Greek,
            '\u{400}'..='\u{52f}' => Alphabet::Cyrillic,
            '\u{530}'..='\u{58f}' => Alphabet::Armenian,
            '\u{590}'..='\u{5ff}' => Alphabet::Hebrew,
            '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}' => Alphabet::Arabic,
            '\u{10a0}'..='\u{10ff}' => Alphabet::Georgian,
            _ => return None,
        })
    }
}

/// Letters of phonetic writing that are also letters of languages, in Africa and of Azerbaijani.
pub(crate) fn is_african(letter: char) -> bool {
    matches!(letter, 'ɓ' | 'ɔ' | 'ɖ' | 'ɗ' | 'ə' | 'ɛ' | 'ɣ' | 'ɩ' | 'ɨ' | 'ɲ' | 'ʉ' | 'ʋ' | 'ʊ')
}

impl Languages {
    pub(crate) fn built_in() -> &'static Languages {
        static BUILT_IN: LazyLock<Languages> = LazyLock::new(|| Languages::read(&LANGUAGES));
        &BUILT_IN
    }

    fn read(text: &'static str) -> Languages {
        let mut languages = Languages { all: Vec::new(), frequent: AHashMap::new() };
        let mut lines = text.lines();
        while let Some(head) = lines.next() {
            let mut fields = head.trim_start_matches('=').split(' ');
            let code = fields.next().unwrap_or_default();
            let mut hundredths =
                || fields.next().and_then(|field| field.parse::<f32>().ok()).unwrap_or_default() / 100.0;
            let (bits, function) = (hundredths(), hundredths());
            let words = lines.next().unwrap_or_default();
            for word in words.split(' ') {
                *languages.frequent.entry(crate::units::word_hash(word)).or_default() |= 1 << languages.all.len();
            }
            let alphabet = words.chars().find_map(Alphabet::of).unwrap_or(Alphabet::Latin);
            let number = languages.all.len();
            languages.all.push(Language { code, bits, function, alphabet, number, trigrams: OnceLock::new() });
        }
        languages
    }

    /// The number of English.
    pub(crate) fn english(&self) -> usize {
        self.all.iter().position(|language| language.code == "en").unwrap_or_default()
    }

    /// The numbers of the languages that have a word among their most frequent ones, as bits.
    pub(crate) fn with_frequent(&self, word: u32) -> u128 {
        self.frequent.get(&word).copied().unwrap_or_default()
    }
}

impl Language {
    /// Its lines of trigrams, by the number of their bits.
    fn lines(&self) -> impl Iterator<Item = &'static str> {
        TRIGRAMS.lines().skip(self.number * UNKNOWN as usize).take(UNKNOWN as usize)
    }

    /// The bits that the trigrams of a word take, and how many trigrams there are.
    pub(crate) fn bits_of(&self, word: &str) -> (u32, u32) {
        let trigrams = self.trigrams.get_or_init(|| {
            let mut trigrams = AHashMap::new();
            for (bits, line) in self.lines().enumerate() {
                let letters: Vec<char> = line.chars().collect();
                trigrams.extend(letters.chunks_exact(3).map(|three| ([three[0], three[1], three[2]], bits as u8)));
            }
            trigrams
        });
        let (mut sum, mut count) = (0, 0);
        // What an apostrophe parts is parted here too.
        for part in word.split(|letter: char| !letter.is_alphabetic()) {
            let mut letters = part.chars();
            let (Some(mut first), Some(mut second)) = (letters.next(), letters.next()) else { continue };
            for third in letters {
                sum += trigrams.get(&[first, second, third]).map_or(UNKNOWN, |bits| u32::from(*bits));
                count += 1;
                (first, second) = (second, third);
            }
        }
        (sum, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_words_letters_and_figures_of_its_prose() {
        let languages = &Languages::built_in().all;
        assert!(languages.len() < 128);
        for language in languages {
            assert!(
                language.bits > 1.0 && language.function > 0.0 && language.lines().count() == UNKNOWN as usize,
                "{}",
                language.code
            );
            assert!(language.bits_of("qxj").0 >= 8, "{}", language.code);
        }
        let english = languages.iter().find(|language| language.code == "en").unwrap();
        let (bits, count) = english.bits_of("there");
        assert!(count == 3 && bits < 9);
    }

    #[test]
    fn frequent_words_tell_languages() {
        let languages = Languages::built_in();
        let codes = |word: &str| {
            let bits = languages.with_frequent(crate::units::word_hash(word));
            (0..languages.all.len())
                .filter(|at| bits >> at & 1 == 1)
                .map(|at| languages.all[at].code)
                .collect::<Vec<_>>()
        };
        assert!(codes("the").contains(&"en") && codes("und").contains(&"de") && codes("marsh").is_empty());
    }
}
