//! What is known of a word by itself: its hash, its stem, whether it is a stop word.

use ahash::AHashMap;
use rapidhash::v3::rapidhash_v3;
use rust_stemmers::{Algorithm, Stemmer};

/// English function words and the most frequent verbs and adverbs of running text, lower case, without
/// apostrophes (`don't` is `dont`).
const ENGLISH_STOP_WORDS: &str = "a about above after again against all almost also although always am among an and \
    another any are arent as at be became because been before being below between both but by can cannot cant \
    come could did didnt do does doesnt doing done dont down during each either else ever every few first for \
    from further get give given go good had has have havent having he her here hers herself him himself his how \
    however i if im in into is isnt it its itself just know like made make many may me might mine more most much \
    must my myself near neither never no nor not nothing now of off often on once one only onto or other others \
    our ours out over own per perhaps quite rather same say see shall she should since so some such take than \
    that thats the their theirs them themselves then there these they thing this those though three through thus \
    to too toward two under until up upon us use used very was wasnt way we well were what when where whether \
    which while who whom whose why will with within without wont would yet you your yours yourself";

/// The hundred most frequent characters of written Chinese, and the commonest grammatical ones beside them,
/// in simplified script.
const CHINESE_STOP_CHARACTERS: &str = "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年\
    过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实与及或被把将并且则又者等由此";

/// What [`WordTable::look_up`] tells of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WordFacts {
    /// Value-stable hash of the word.
    pub hash: u32,
    /// Value-stable hash of its English stem; for words that are not Latin the same as `hash`.
    pub stem: u32,
    /// Whether it is a stop word.
    pub stop: bool,
}

/// Facts about words, remembered: texts repeat few words often, and stemming one costs more than finding it again.
pub(super) struct WordTable {
    known: AHashMap<Box<str>, WordFacts>,
    stop: ahash::AHashSet<&'static str>,
    stemmer: Stemmer,
    bare: String,
}

/// Past this many words the memory is emptied, so that a hostile text of ever new words cannot fill it.
const MOST_REMEMBERED: usize = 1 << 16;

impl WordTable {
    pub(super) fn new() -> Self {
        WordTable {
            known: AHashMap::new(),
            stop: ENGLISH_STOP_WORDS.split_ascii_whitespace().collect(),
            stemmer: Stemmer::create(Algorithm::English),
            bare: String::new(),
        }
    }

    /// Looks up a normalised word. Apostrophes do not count: `don’t`, `don't` and `dont` are one word.
    pub(super) fn look_up(&mut self, word: &str) -> WordFacts {
        if let Some(facts) = self.known.get(word) {
            return *facts;
        }
        self.bare.clear();
        self.bare.extend(word.chars().filter(|c| !matches!(c, '\'' | '\u{2019}' | '\u{02bc}' | '\u{2018}')));
        let hash = stable_hash(&self.bare);
        let latin = self.bare.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
        let facts = WordFacts {
            hash,
            stem: if latin { stable_hash(&self.stemmer.stem(&self.bare)) } else { hash },
            stop: self.stop.contains(self.bare.as_str()),
        };
        if self.known.len() >= MOST_REMEMBERED {
            self.known.clear();
        }
        self.known.insert(word.into(), facts);
        facts
    }
}

/// The low 32 bits of the word's rapidhash (version 3, default secrets): the same on every machine.
fn stable_hash(word: &str) -> u32 {
    rapidhash_v3(word.as_bytes()) as u32
}

/// Value-stable hash of a single character (the finaliser of MurmurHash3, which is a bijection).
pub(super) fn character_hash(character: char) -> u32 {
    let mut x = character as u32 ^ 0x9e37_79b9;
    x = (x ^ (x >> 16)).wrapping_mul(0x85eb_ca6b);
    x = (x ^ (x >> 13)).wrapping_mul(0xc2b2_ae35);
    x ^ (x >> 16)
}

/// Whether a Han character is so frequent that it says nothing of the content.
pub(super) fn is_stop_character(character: char) -> bool {
    static TABLE: std::sync::LazyLock<ahash::AHashSet<char>> =
        std::sync::LazyLock::new(|| CHINESE_STOP_CHARACTERS.chars().filter(|c| !c.is_whitespace()).collect());
    TABLE.contains(&character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflected_words_share_a_stem_but_not_a_hash() {
        let mut table = WordTable::new();
        let (one, many) = (table.look_up("marsh"), table.look_up("marshes"));
        assert_ne!(one.hash, many.hash);
        assert_eq!(one.stem, many.stem);
    }

    #[test]
    fn apostrophes_do_not_tell_words_apart() {
        let mut table = WordTable::new();
        assert_eq!(table.look_up("don't"), table.look_up("don\u{2019}t"));
        assert_eq!(table.look_up("don't"), table.look_up("dont"));
        assert!(table.look_up("don't").stop);
    }

    #[test]
    fn word_hashes_are_the_same_on_every_machine() {
        let mut table = WordTable::new();
        assert_eq!(table.look_up("marsh").hash, 2_968_102_654);
        assert_eq!(character_hash('水'), 79_986_911);
    }

    #[test]
    fn a_text_of_ever_new_words_does_not_fill_the_memory() {
        let mut table = WordTable::new();
        for i in 0..3 * MOST_REMEMBERED {
            table.look_up(&format!("w{i}"));
        }
        assert!(table.known.len() <= MOST_REMEMBERED);
    }
}
