//! jieba's words, with how often they are and in how few documents (Sun Junyi, MIT licence), as jieba-rs has them.
//!
//! jieba-rs can bring them too. It packs them anew whenever it is compiled, by a zstd that is built for that alone, so
//! `make_dictionary.py` has packed them once. A test holds the file to jieba-rs.

use jieba_rs::Jieba;
use std::sync::LazyLock;

/// How many words there are.
pub const WORDS: usize = 370_624;
/// The sum of the frequencies of all words.
pub const FREQUENCIES: usize = 60_101_964;
/// The median inverse document frequency: that of a word that has none of its own.
pub const MEDIAN: f64 = 11.9547675029;

/// A word of the dictionary.
pub struct Entry {
    /// The word.
    pub word: &'static str,
    /// How often it is among [`FREQUENCIES`]; 0 for a word by which texts are not cut.
    pub frequency: usize,
    /// Its inverse document frequency, where there is one.
    pub rarity: Option<f64>,
}

/// The words that `wanted` says yes to, given a line that begins with the word and a blank.
pub fn entries(wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = Entry> {
    let mut rarity = None;
    lines().filter_map(move |line| {
        if let Some(of_following) = line.strip_prefix('=') {
            rarity = of_following.parse().ok();
            return None;
        }
        let (word, frequency) = Some(line).filter(|line| wanted(line))?.split_once(' ')?;
        Some(Entry { word, frequency: frequency.parse().ok()?, rarity })
    })
}

/// The segmenter with all words.
pub fn jieba() -> &'static Jieba {
    static JIEBA: LazyLock<Jieba> = LazyLock::new(|| {
        let mut jieba = Jieba::empty();
        for entry in entries(|_| true).filter(|entry| entry.frequency > 0) {
            jieba.add_word(entry.word, Some(entry.frequency), None);
        }
        jieba
    });
    &JIEBA
}

/// All words with their frequencies, behind the inverse document frequency that they share.
fn lines() -> impl Iterator<Item = &'static str> {
    static LINES: LazyLock<&str> = LazyLock::new(|| {
        /// Bytes when unpacked, at most.
        const BYTES: usize = 5_000_000;
        let unpacked = zstd::bulk::decompress(include_bytes!("dictionary.zst"), BYTES).unwrap_or_default();
        // A process that checks one Chinese text waits for this: by the standard library it took 1.6 % of checking a book.
        simdutf8::basic::from_utf8(unpacked.leak()).unwrap_or_default()
    });
    let mut start = 0;
    memchr::memchr_iter(b'\n', LINES.as_bytes()).map(move |end| {
        let line = &LINES[start..end];
        start = end + 1;
        line
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dictionary_is_that_of_jieba() {
        let theirs = Jieba::new();
        let (mut frequencies, mut words, mut rarities) = (0, 0, Vec::new());
        for entry in entries(|_| true) {
            assert_eq!(theirs.has_word(entry.word), entry.frequency > 0, "{}", entry.word);
            assert_eq!(jieba().has_word(entry.word), entry.frequency > 0, "{}", entry.word);
            frequencies += entry.frequency;
            words += 1;
            rarities.extend(entry.rarity);
        }
        assert_eq!((frequencies, words), (FREQUENCIES, WORDS));
        rarities.sort_by(f64::total_cmp);
        assert_eq!(rarities[(rarities.len() - 1) / 2], MEDIAN);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_cut_as_by_the_dictionary_of_jieba(
            parts in proptest::collection::vec("[潮汐沼泽号店的水文在不是人中国大学研究生]{0,12}|[一-龥]{0,9}|[a-z0-9+#&.]{0,5}|\\PC{0,5}", 0..40),
        ) {
            static THEIRS: LazyLock<Jieba> = LazyLock::new(Jieba::new);
            let text = parts.concat();
            assert_eq!(jieba().cut(&text, false), THEIRS.cut(&text, false), "{text:?}");
        }
    }
}
