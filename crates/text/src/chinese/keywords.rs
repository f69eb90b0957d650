//! jieba's keywords of a text, without loading all of jieba.
//!
//! How jieba cuts a text depends on the words of its dictionary that stand in the text, and on the sum of all frequencies.
//! So the first texts of a process are cut by a [`Jieba`] that knows the words that can stand in them, and one more that
//! makes up the sum; that takes a fraction of the time that loading everything takes. Later texts are cut by all of it.
//! Property tests hold both ways to jieba-rs with its own dictionary.

use super::dictionary::{self, FREQUENCIES, MEDIAN, WORDS};
use super::tf_idf::{Keyword, heaviest};
use ahash::AHashMap;
use jieba_rs::Jieba;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// How many texts are cut in the short way: loading everything takes about as long.
const SHORT_WAYS: u32 = 10;

/// A word that is in no text that jieba cuts: not a character.
const FILLER: &str = "\u{10fffe}";

/// The heaviest keywords of a normalised text by jieba's TF-IDF, at most `most`, the heaviest first.
pub fn keywords(text: &str, most: usize) -> Vec<Keyword<'_>> {
    static CUT: AtomicU32 = AtomicU32::new(0);
    if CUT.load(Ordering::Relaxed) < SHORT_WAYS {
        CUT.fetch_add(1, Ordering::Relaxed);
        return by_words_of(text, most);
    }
    by_all_words(text, most)
}

fn by_all_words(text: &str, most: usize) -> Vec<Keyword<'_>> {
    static RARITIES: LazyLock<AHashMap<&str, f64>> = LazyLock::new(|| {
        let mut rarities = AHashMap::with_capacity(WORDS);
        rarities.extend(dictionary::entries(|_| true).filter_map(|entry| Some((entry.word, entry.rarity?))));
        rarities
    });
    heaviest(dictionary::jieba(), text, most, |word| *RARITIES.get(word).unwrap_or(&MEDIAN))
}

fn by_words_of(text: &str, most: usize) -> Vec<Keyword<'_>> {
    let neighbours = Neighbours::of(text);
    let mut jieba = Jieba::empty();
    let (mut rarities, mut left) = (AHashMap::new(), FREQUENCIES);
    // Most lines are done with at the first pair of characters.
    for entry in dictionary::entries(|line| neighbours.may_hold(line)) {
        if entry.frequency > 0 {
            jieba.add_word(entry.word, Some(entry.frequency), None);
            left -= entry.frequency;
        }
        rarities.extend(entry.rarity.map(|rarity| (entry.word, rarity)));
    }
    jieba.add_word(FILLER, Some(left), None);
    heaviest(&jieba, text, most, |word| *rarities.get(word).unwrap_or(&MEDIAN))
}

/// Which characters stand in a text, and which side by side: a bit for the hash of each pair.
struct Neighbours(Vec<u64>);

impl Neighbours {
    const BITS: u32 = 22;

    fn of(text: &str) -> Self {
        let mut neighbours = Neighbours(vec![0; 1 << (Self::BITS - 6)]);
        let mut before = '\0';
        for character in text.chars() {
            for (word, bit) in [Self::place('\0', character), Self::place(before, character)] {
                neighbours.0[word] |= bit;
            }
            before = character;
        }
        neighbours
    }

    /// Whether the word at the front of a line may stand in the text; surely not, where the answer is no.
    fn may_hold(&self, line: &str) -> bool {
        let mut before = '\0';
        for character in line.chars().take_while(|&character| character != ' ') {
            let (word, bit) = Self::place(before, character);
            if self.0[word] & bit == 0 {
                return false;
            }
            before = character;
        }
        true
    }

    /// The word and the bit in it of two neighbours; of a character by itself behind NUL.
    #[inline]
    fn place(first: char, second: char) -> (usize, u64) {
        let both = u64::from(first) << 21 | u64::from(second);
        let bit = both.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - Self::BITS);
        ((bit >> 6) as usize, 1 << (bit & 63))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jieba_rs::{KeywordExtract, TfIdf};

    fn assert_as_by_jieba(text: &str) {
        static THEIRS: LazyLock<(Jieba, TfIdf)> = LazyLock::new(|| (Jieba::new(), TfIdf::default()));
        let (jieba, tf_idf) = &*THEIRS;
        for most in [0, 3, 50, 1000] {
            let expected = tf_idf.extract_keywords(jieba, text, most, Vec::new());
            let expected: Vec<_> = expected.iter().map(|k| (k.keyword.as_str(), k.weight.to_bits())).collect();
            for keywords in [by_words_of(text, most), by_all_words(text, most)] {
                let keywords: Vec<_> = keywords.iter().map(|k| (k.word, k.weight.to_bits())).collect();
                assert_eq!(keywords, expected, "{text:?}");
            }
        }
    }

    #[test]
    fn the_keywords_of_a_text_are_those_that_jieba_finds() {
        for folder in ["../../corpora/demo/submissions", "../../corpora/demo/reference"] {
            for file in std::fs::read_dir(folder).unwrap() {
                let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
                assert_as_by_jieba(&crate::normalise::Normalised::of(&text).text);
            }
        }
        for text in ["", "潮", "1号店的c++和at&t，ok?", "㐀㐁㐂 zzz 潮汐潮汐 2010 php", "THE The the ÀÉ àé, IN 中国"]
        {
            assert_as_by_jieba(text);
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(24))]
        #[test]
        fn the_keywords_of_any_text_are_those_that_jieba_finds(
            parts in proptest::collection::vec("[潮汐沼泽号店的水文在不是人中国大学研究生]{0,12}|[一-龥]{0,9}|[a-z0-9+#&.]{0,5}|\\PC{0,5}", 0..40),
        ) {
            assert_as_by_jieba(&parts.concat());
        }
    }
}
