//! The weighted terms of a text, from which its SimHash fingerprint is made.
//!
//! Chinese texts give jieba's TF-IDF keywords. Other words weigh term frequency × a stand-in for rarity that needs no
//! collection: the word's length, for frequent words are short (Zipf's law of abbreviation); stop words weigh nothing.
//! Both are integers of the same scale, so that mixed texts mix.

use super::finish;
use super::simhash::Term;
use crate::text::chinese;
use crate::text::flag;
use crate::text::units::Units;
use rapidhash::v3::rapidhash_v3;

/// How many of a Chinese text's keywords count.
pub const KEYWORDS: usize = 50;

/// A word longer than this many characters is no rarer for it.
const LONGEST: u32 = 10;

/// The terms of a normalised text with their weights, in no particular order. A word stands there as often as it occurs,
/// each time with a weight of its own.
pub fn weighted_terms(text: &str, units: &Units) -> Vec<Term> {
    let mut terms = Vec::with_capacity(units.len() + KEYWORDS);
    let is = |unit: usize, flag: u8| units.flags[unit] & flag != 0;
    let words = (0..units.len()).filter(|&unit| !is(unit, flag::HAN) && !is(unit, flag::STOP));
    let han = (0..units.len()).any(|unit| is(unit, flag::HAN));
    weigh(words.map(|unit| (units.stem[unit], units.countable[unit])), han, text, &mut terms);
    terms
}

/// Appends the terms of a normalised text, given by the stem and the countable characters of each word that is no stop
/// word, and whether there is a Han character.
pub(super) fn weigh(words: impl Iterator<Item = (u32, u16)>, han: bool, text: &str, terms: &mut Vec<Term>) {
    terms.extend(words.map(|(stem, countable)| (finish(u64::from(stem)), u32::from(countable).min(LONGEST))));
    if han {
        terms.extend(keywords(text));
    }
}

/// jieba's keywords, each weighing its count × inverse document frequency, rounded.
fn keywords(text: &str) -> impl Iterator<Item = Term> {
    let keywords = chinese::keywords(text, KEYWORDS);
    // The weights are shares of the text's words; what the lightest keyword weighs becomes the unit of ten.
    let lightest = keywords.iter().map(|k| k.weight).fold(f64::INFINITY, f64::min);
    keywords.into_iter().filter(|k| k.word.contains(|c| c > '\u{2e7f}')).map(move |k| {
        let weight = (k.weight / lightest * f64::from(LONGEST)).round();
        (rapidhash_v3(k.word.as_bytes()), weight as u32)
    })
}

#[cfg(test)]
mod tests {
    use super::super::simhash::{fingerprint, hamming};
    use super::*;
    use crate::text::normalise::Normalised;

    fn of(text: &str) -> u64 {
        fingerprint(&weighted_terms(&Normalised::of(text).text, &Units::from_text(text)))
    }

    #[test]
    fn a_text_of_stop_words_has_no_terms() {
        assert_eq!(of("the of and it is not"), 0);
        assert_eq!(of(""), 0);
    }

    #[test]
    fn word_order_and_script_do_not_change_the_fingerprint() {
        assert_eq!(of("tidal marshes flood twice"), of("twice flood the tidal marshes"));
        let (simplified, traditional) =
            ("图书馆的借阅制度与乡镇居民的阅读习惯", "圖書館的借閱制度與鄉鎮居民的閱讀習慣");
        assert_eq!(of(simplified), of(traditional));
    }

    #[test]
    fn a_changed_word_moves_a_few_bits_and_another_text_many() {
        let text = "Tidal marshes trap sediment when the flood slackens. Each tide leaves a thin layer of silt between \
                    the stems, and the surface rises as the sea does. Engineers who build dykes in front of a marsh \
                    starve it of sediment; within decades its creeks widen and the plants drown.";
        let edited = text.replace("Engineers", "Planners");
        let other = "Village libraries lend more novels in winter than in summer, and the ledgers of nine branches show \
                     that readers return within a fortnight when the librarian knows them by name.";
        assert!(hamming(of(text), of(&edited)) <= 12, "{}", hamming(of(text), of(&edited)));
        assert!(hamming(of(text), of(other)) >= 20);
    }
}
