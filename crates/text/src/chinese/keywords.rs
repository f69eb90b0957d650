//! jieba's keywords of a text, without loading all of jieba.
//!
//! How jieba cuts a text depends on the words of its dictionary that stand in the text, and on the sum of all frequencies;
//! which words it takes for keywords depends on the frequencies of those in documents, and on the median of all. So the first
//! texts of a process are cut by a [`Jieba`] that knows the words that can stand in them, and one more that makes up the sum;
//! that takes a fraction of the time that loading everything takes. Later texts are cut by all of it.
//!
//! The words are jieba's own, with their frequencies (Sun Junyi, MIT licence), as jieba-rs has them. A property test holds
//! the short way to jieba-rs with its own dictionary.

use super::cutting::jieba;
use jieba_rs::{Jieba, Keyword, KeywordExtract, KeywordExtractConfig, TfIdf};
use std::fmt::Write;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// How many texts are cut in the short way: loading everything takes about as long.
const SHORT_WAYS: u32 = 10;

/// The sum of the frequencies of all words.
const FREQUENCIES: usize = 60_101_964;
/// The median inverse document frequency, as jieba-rs finds it.
const MEDIAN: f64 = 11.9547675029;
/// A word that is in no text that jieba cuts: not a character.
const FILLER: &str = "\u{10fffe}";

/// The heaviest keywords of a normalised text by jieba's TF-IDF, at most `most`, the heaviest first.
pub fn keywords(text: &str, most: usize) -> Vec<Keyword> {
    static CUT: AtomicU32 = AtomicU32::new(0);
    if CUT.load(Ordering::Relaxed) < SHORT_WAYS {
        CUT.fetch_add(1, Ordering::Relaxed);
        return by_words_of(text, most);
    }
    by_all_words(text, most)
}

fn by_all_words(text: &str, most: usize) -> Vec<Keyword> {
    static WEIGHTS: LazyLock<TfIdf> = LazyLock::new(TfIdf::default);
    WEIGHTS.extract_keywords(jieba(), text, most, Vec::new())
}

fn by_words_of(text: &str, most: usize) -> Vec<Keyword> {
    let neighbours = Neighbours::of(text);
    let mut jieba = Jieba::empty();
    let (mut rarities, mut rarity, mut known, mut left) = (String::new(), "", 0, FREQUENCIES);
    for line in DICTIONARY.split('\n') {
        if let Some(of_following) = line.strip_prefix('=') {
            rarity = of_following;
            continue;
        }
        // Most lines are done with at the first pair of characters.
        let Some((word, frequency)) =
            Some(line).filter(|line| neighbours.may_hold(line)).and_then(|l| l.split_once(' '))
        else {
            continue;
        };
        if let Some(frequency) = frequency.parse().ok().filter(|&frequency| frequency > 0) {
            jieba.add_word(word, Some(frequency), None);
            left -= frequency;
        }
        if !rarity.is_empty() {
            let _ = writeln!(rarities, "{word} {rarity}");
            known += 1;
        }
    }
    jieba.add_word(FILLER, Some(left), None);
    // More of the median than of all else leave it where it is.
    for _ in 0..=known {
        let _ = writeln!(rarities, "{FILLER} {MEDIAN}");
    }
    TfIdf::new(Some(&mut rarities.as_bytes()), KeywordExtractConfig::default()).extract_keywords(
        &jieba,
        text,
        most,
        Vec::new(),
    )
}

/// All words with their frequencies, behind the inverse document frequency that they share.
static DICTIONARY: LazyLock<String> = LazyLock::new(|| {
    /// Bytes when unpacked, at most.
    const BYTES: usize = 5_000_000;
    let unpacked = zstd::bulk::decompress(include_bytes!("dictionary.zst"), BYTES).unwrap_or_default();
    String::from_utf8(unpacked).unwrap_or_default()
});

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

    fn assert_as_by_all_words(text: &str) {
        for most in [3, 50, 1000] {
            assert_eq!(by_words_of(text, most).iter().map(of).collect::<Vec<_>>(), expected(text, most), "{text:?}");
        }
    }

    fn expected(text: &str, most: usize) -> Vec<(String, u64)> {
        by_all_words(text, most).iter().map(of).collect()
    }

    fn of(keyword: &Keyword) -> (String, u64) {
        (keyword.keyword.clone(), keyword.weight.to_bits())
    }

    #[test]
    fn the_words_of_a_text_give_the_keywords_that_all_words_give() {
        for folder in ["../../corpora/demo/submissions", "../../corpora/demo/reference"] {
            for file in std::fs::read_dir(folder).unwrap() {
                let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
                assert_as_by_all_words(&crate::normalise::Normalised::of(&text).text);
            }
        }
        for text in ["", "潮", "1号店的c++和at&t，ok?", "㐀㐁㐂 zzz 潮汐潮汐 2010 php"] {
            assert_as_by_all_words(text);
        }
    }

    #[test]
    fn the_dictionary_is_that_of_jieba() {
        let (mut frequencies, mut words) = (0, 0);
        let mut rarities: Vec<(f64, usize)> = Vec::new();
        for line in DICTIONARY.lines() {
            if let Some(rarity) = line.strip_prefix('=') {
                rarities.extend(rarity.parse().map(|rarity: f64| (rarity, 0)).ok());
                continue;
            }
            let (word, frequency) = line.split_once(' ').unwrap();
            let frequency: usize = frequency.parse().unwrap();
            assert_eq!(jieba().has_word(word), frequency > 0, "{word}");
            frequencies += frequency;
            words += 1;
            rarities.last_mut().into_iter().for_each(|last| last.1 += 1);
        }
        assert_eq!((frequencies, words), (FREQUENCIES, 370_624));
        rarities.sort_by(|a, b| a.0.total_cmp(&b.0));
        let all: usize = rarities.iter().map(|rarity| rarity.1).sum();
        let mut below = 0;
        let median = rarities.iter().find(|(_, count)| {
            below += count;
            below > (all - 1) / 2
        });
        assert_eq!(median.unwrap().0, MEDIAN);
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(24))]
        #[test]
        fn the_words_of_any_text_give_the_keywords_that_all_words_give(
            parts in proptest::collection::vec("[潮汐沼泽号店的水文在不是人中国大学研究生]{0,12}|[一-龥]{0,9}|[a-z0-9+#&.]{0,5}|\\PC{0,5}", 0..40),
        ) {
            assert_as_by_all_words(&parts.concat());
        }
    }
}
