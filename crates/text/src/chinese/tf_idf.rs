//! Keywords by TF-IDF, as jieba defines them.

use ahash::AHashMap;
use jieba_rs::Jieba;

/// Characters of a keyword, at least.
const MIN_CHARACTERS: usize = 2;

/// Words that are no keywords, however they are capitalised: those that jieba leaves out.
const STOP_WORDS: [&str; 31] = [
    "the", "of", "is", "and", "to", "in", "that", "we", "for", "an", "are", "by", "be", "as", "on", "with", "can",
    "if", "from", "which", "you", "it", "this", "then", "at", "have", "all", "not", "one", "has", "or",
];

/// Bytes of a stop word at most; those of Han characters that may be keywords have more.
const LONGEST_STOP_WORD: usize = 5;

/// A keyword of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Keyword<'a> {
    /// The word.
    pub word: &'a str,
    /// The word's share of the words that may be keywords, times its inverse document frequency.
    pub weight: f64,
}

/// The heaviest keywords of a text as `jieba` cuts it, at most `most`: the heaviest first, of equals the smallest word.
/// `rarity` gives a word's inverse document frequency.
pub fn heaviest<'a>(jieba: &Jieba, text: &'a str, most: usize, rarity: impl Fn(&str) -> f64) -> Vec<Keyword<'a>> {
    let mut counts: AHashMap<&str, u64> = AHashMap::new();
    for token in jieba.cut(text, false) {
        if may_be_keyword(token.word) {
            *counts.entry(token.word).or_default() += 1;
        }
    }
    let total: u64 = counts.values().sum();
    let weigh = |(word, count): (&'a str, u64)| Keyword { word, weight: count as f64 * rarity(word) / total as f64 };
    let mut keywords: Vec<Keyword> = counts.into_iter().map(weigh).collect();
    let heavier = |a: &Keyword, b: &Keyword| b.weight.total_cmp(&a.weight).then_with(|| a.word.cmp(b.word));
    // Of a thesis's thousands of words only those that are kept are sorted.
    if most < keywords.len() {
        keywords.select_nth_unstable_by(most, heavier);
        keywords.truncate(most);
    }
    keywords.sort_unstable_by(heavier);
    keywords
}

fn may_be_keyword(word: &str) -> bool {
    word.chars().nth(MIN_CHARACTERS - 1).is_some()
        && (word.len() > LONGEST_STOP_WORD
            || !STOP_WORDS.contains(&word) && !STOP_WORDS.contains(&word.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_left_out_are_those_that_jieba_leaves_out() {
        let theirs: Vec<&str> = jieba_rs::DEFAULT_STOP_WORDS.iter().map(String::as_str).collect();
        let mut ours = STOP_WORDS.to_vec();
        ours.sort_unstable();
        assert_eq!(ours, theirs);
        assert_eq!(ours.iter().map(|word| word.len()).max(), Some(LONGEST_STOP_WORD));
    }
}
