//! What is known of a word by itself: its hash, its stem, whether it is a stop word.

use crate::flag;
use crate::script::HanSet;
use rapidhash::v3::rapidhash_v3;
use rust_stemmers::{Algorithm, Stemmer};
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// English function words and the most frequent verbs and adverbs of running text, lower case, without
/// apostrophes (`don't` is `dont`).
pub const ENGLISH_STOP_WORDS: &str = "a about above after again against all almost also although always am among an and \
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

/// What is known of a word besides its hash.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct WordFacts {
    /// Value-stable hash of its English stem; for words that are not Latin that of the word.
    pub stem: u32,
    /// Whether it is a stop word.
    pub stop: bool,
    /// Whether it is a number: digits and the marks between them.
    pub number: bool,
}

impl WordFacts {
    /// Bits of [`flag`].
    pub(super) fn flags(self) -> u8 {
        (if self.stop { flag::STOP } else { 0 }) | if self.number { flag::NUMBER } else { 0 }
    }

    fn packed(self) -> u64 {
        u64::from(self.flags()) << 32 | u64::from(self.stem)
    }

    fn unpacked(packed: u64) -> Self {
        let flags = (packed >> 32) as u8;
        WordFacts { stem: packed as u32, stop: flags & flag::STOP != 0, number: flags & flag::NUMBER != 0 }
    }
}

/// Facts about words, remembered: texts repeat few words often, and stemming one costs far more than finding it again.
///
/// A word has one slot, by its bytes, and shares it with others: the last one that was looked up is remembered. So the
/// table has a bound, however many words there are, and what it says does not depend on what it remembers.
pub(super) struct WordTable {
    slots: Vec<Slot>,
    /// Words that were not found since the table was last made larger.
    missed: usize,
    stop: ahash::AHashSet<&'static str>,
    stemmer: Stemmer,
    bare: String,
}

/// A padded word and, packed, the facts about it.
type Slot = [u64; 3];

/// The bytes of a word of at most 16, filled up with zeros, which no word has. All zeros in an empty slot.
pub(super) type Padded = [u64; 2];

/// The most slots: they take 6 MiB. A quarter of them, which a large corpus's vocabulary overfills, costs twice the time.
const MOST_SLOTS: usize = 1 << 18;

/// The slots at first, so that one text touches no more memory than its words need.
const FEWEST_SLOTS: usize = 1 << 12;

impl WordTable {
    pub(super) fn new() -> Self {
        WordTable {
            slots: vec![[0; 3]; FEWEST_SLOTS],
            missed: 0,
            stop: ENGLISH_STOP_WORDS.split_ascii_whitespace().collect(),
            stemmer: Stemmer::create(Algorithm::English),
            bare: String::new(),
        }
    }

    /// Value-stable hash of a normalised word. Apostrophes do not count: `don’t`, `don't` and `dont` are one word.
    pub(super) fn hash(&mut self, word: &str) -> u32 {
        self.set_bare(word);
        stable_hash(&self.bare)
    }

    /// Looks up a normalised word that has been padded.
    #[inline]
    pub(super) fn look_up(&mut self, word: Padded) -> WordFacts {
        let slot = self.slot_of(word);
        let [first, second, packed] = self.slots[slot];
        if [first, second] == word {
            return WordFacts::unpacked(packed);
        }
        let bytes = unpadded(word);
        let facts = self.facts(str::from_utf8(&bytes).unwrap_or_default().trim_end_matches('\0'));
        self.slots[slot] = [word[0], word[1], facts.packed()];
        self.missed += 1;
        if 2 * self.missed > self.slots.len() && self.slots.len() < MOST_SLOTS {
            self.grow();
        }
        facts
    }

    #[inline]
    fn slot_of(&self, word: Padded) -> usize {
        let mixed = (word[0] ^ word[1].rotate_left(23)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (u64::BITS - self.slots.len().ilog2())) as usize
    }

    #[cold]
    fn grow(&mut self) {
        self.missed = 0;
        let larger = vec![[0; 3]; 4 * self.slots.len()];
        for slot in std::mem::replace(&mut self.slots, larger) {
            let at = self.slot_of([slot[0], slot[1]]);
            self.slots[at] = slot;
        }
    }

    /// The facts about any normalised word.
    pub(super) fn facts(&mut self, word: &str) -> WordFacts {
        self.set_bare(word);
        let latin = self.bare.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
        let stem = if latin { self.stemmer.stem(&self.bare) } else { self.bare.as_str().into() };
        let plain = is_decorated(&self.bare).then(|| without_marks(&self.bare));
        let stem = plain.as_deref().map(|plain| self.stemmer.stem(plain)).unwrap_or(stem);
        let number = self.bare.starts_with(|c: char| c.is_ascii_digit()) && !self.bare.contains(char::is_alphabetic);
        WordFacts { stem: stable_hash(&stem), stop: self.stop.contains(self.bare.as_str()), number }
    }

    fn set_bare(&mut self, word: &str) {
        self.bare.clear();
        self.bare.extend(word.chars().filter(|c| !matches!(c, '\'' | '\u{2019}' | '\u{02bc}' | '\u{2018}')));
    }
}

/// Whether a word has letters with marks of which only Vietnamese and transliterations have many (ẹ, ḷ), and is no syllable
/// of Vietnamese, which has one group of vowels, no f, j, w or z, and ends in a vowel or one of few consonants. Such marks
/// are put on English words to disguise them.
fn is_decorated(word: &str) -> bool {
    if !word.contains(|c| matches!(c, '\u{1E00}'..='\u{1EFF}')) {
        return false;
    }
    let plain = without_marks(word);
    let is_vowel = |c: char| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
    let groups = plain.split(|c| !is_vowel(c)).filter(|group| !group.is_empty()).count();
    let ends = |c: char| is_vowel(c) || matches!(c, 'c' | 'h' | 'm' | 'n' | 'g' | 'p' | 't');
    groups != 1 || plain.contains(['f', 'j', 'w', 'z']) || !plain.ends_with(ends)
}

fn without_marks(word: &str) -> String {
    word.nfd().filter(|&c| !is_combining_mark(c)).collect()
}

/// The bytes behind [`Padded`].
fn unpadded(word: Padded) -> [u8; 16] {
    ((u128::from(word[1]) << 64) | u128::from(word[0])).to_le_bytes()
}

/// Pads a word; none of one that is too long.
#[inline]
pub(super) fn padded(word: &str) -> Option<Padded> {
    let word = word.as_bytes();
    let eight = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
    let four = |bytes: &[u8; 4]| u64::from(u32::from_le_bytes(*bytes));
    let len = word.len();
    if let (9..=16, Some(first), Some(last)) = (len, word.first_chunk(), word.last_chunk()) {
        return Some([eight(first), eight(last) >> (8 * (16 - len))]);
    }
    if let (4..=8, Some(first), Some(last)) = (len, word.first_chunk(), word.last_chunk()) {
        return Some([four(first) | four(last) << (8 * (len - 4)), 0]);
    }
    (len < 4).then(|| [word.iter().rev().fold(0, |bytes, &byte| bytes << 8 | u64::from(byte)), 0])
}

/// The low 32 bits of the word's rapidhash (version 3, default secrets): the same on every machine. It is
/// [`WordTable::hash`] of a word without apostrophes.
#[inline]
pub(crate) fn stable_hash(word: &str) -> u32 {
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
#[inline]
pub(super) fn is_stop_character(character: char) -> bool {
    static CHARACTERS: LazyLock<HanSet> = LazyLock::new(|| HanSet::of(CHINESE_STOP_CHARACTERS));
    CHARACTERS.has(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stem(word: &str) -> u32 {
        WordTable::new().facts(word).stem
    }

    fn hash(word: &str) -> u32 {
        WordTable::new().hash(word)
    }

    #[test]
    fn inflected_words_share_a_stem_but_not_a_hash() {
        assert_ne!(hash("marsh"), hash("marshes"));
        assert_eq!(stem("marsh"), stem("marshes"));
        // Marks that disguise a word, and those that tell Vietnamese words apart.
        assert_eq!(stem("river"), stem("rivẹr"));
        assert_ne!(stem("ma"), stem("mạ"));
    }

    #[test]
    fn apostrophes_do_not_tell_words_apart() {
        for other in ["don\u{2019}t", "dont"] {
            assert_eq!((hash("don't"), stem("don't")), (hash(other), stem(other)));
        }
        assert!(WordTable::new().facts("don't").stop);
    }

    #[test]
    fn word_hashes_are_the_same_on_every_machine() {
        assert_eq!(hash("marsh"), 2_968_102_654);
        assert_eq!(character_hash('水'), 79_986_911);
    }

    #[test]
    fn stop_characters_are_those_of_the_list() {
        let found: usize = ('\0'..=char::MAX).filter(|&c| is_stop_character(c)).count();
        let listed: std::collections::BTreeSet<char> =
            CHINESE_STOP_CHARACTERS.chars().filter(|c| !c.is_whitespace()).collect();
        assert!(listed.iter().all(|&c| is_stop_character(c)));
        assert_eq!(found, listed.len());
    }

    proptest::proptest! {
        #[test]
        fn what_is_remembered_is_what_was_found(words in proptest::collection::vec("[a-zé漢’']{1,18}|[a-c]{1,3}", 1..60)) {
            let mut table = WordTable::new();
            for word in &words {
                let facts = table.facts(word);
                if let Some(word) = padded(word) {
                    assert_eq!(table.look_up(word), facts);
                    assert_eq!(table.look_up(word), facts);
                }
            }
        }

        #[test]
        fn padding_keeps_words_apart(first in "[a-b]{0,17}", second in "[a-b]{0,17}") {
            if let (Some(a), Some(b)) = (padded(&first), padded(&second)) {
                assert_eq!(a == b, first == second);
            }
        }
    }
}
