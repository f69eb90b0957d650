//! The features of a text that its SimHash fingerprint is made of, with their weights.

use super::shingle::ShingleSet;
use super::{finish, terms};
use crate::text::chinese::{for_each_word, keywords};
use crate::text::normalise::Normalised;
use crate::text::units::Units;
use ahash::AHashMap;
use copytrace_hamming::fingerprints::{Features, Weights};
use rapidhash::v3::rapidhash_v3;

/// The features of a text as (64-bit value-stable hash, weight) pairs, in no particular order. A text without any
/// (no letter, no digit; for terms and keywords also stop words alone) has none.
pub fn features_of(features: Features, normalised: &Normalised, units: &Units) -> Vec<(u64, u32)> {
    match features {
        Features::Terms => terms::weighted_terms(&normalised.text, units),
        Features::Chars(_) if units.is_empty() => Vec::new(),
        Features::Chars(k) => {
            let characters = characters(&normalised.text);
            let shingles = ShingleSet::of_values(&characters, usize::from(k).min(characters.len()));
            shingles.as_slice().iter().map(|&shingle| (finish(u64::from(shingle)), 1)).collect()
        }
        Features::Words(weights) => {
            let mut counts: AHashMap<&str, u32> = AHashMap::new();
            for_each_word(&normalised.text, |word| *counts.entry(word).or_default() += 1);
            weighted(counts.iter().map(|(word, &count)| (*word, f64::from(count))), weights)
        }
        Features::Keywords(most, weights) => {
            let keywords = keywords(&normalised.text, usize::from(most));
            weighted(keywords.iter().map(|keyword| (keyword.word, keyword.weight)), weights)
        }
    }
}

/// The weight of a word above 0 as an integer, given the heaviest of its text.
fn weight(weights: Weights, weight: f64, heaviest: f64) -> u32 {
    let share = weight / heaviest;
    match weights {
        Weights::Equal => 1,
        Weights::Levels => ((share * 5.0).ceil() as u32).clamp(1, 5),
        Weights::Real => ((share * 65_536.0).round() as u32).max(1),
    }
}

/// The characters of a text, every run of white space as one blank.
fn characters(text: &str) -> Vec<u32> {
    let mut characters: Vec<u32> = Vec::with_capacity(text.len());
    for character in text.trim().chars() {
        let character = if character.is_whitespace() { ' ' } else { character };
        if character != ' ' || characters.last() != Some(&u32::from(' ')) {
            characters.push(character.into());
        }
    }
    characters
}

/// Words with their weights as features.
fn weighted<'a>(words: impl Iterator<Item = (&'a str, f64)> + Clone, weights: Weights) -> Vec<(u64, u32)> {
    let heaviest = words.clone().map(|(_, weight)| weight).fold(0.0, f64::max);
    words.map(|(word, weight)| (rapidhash_v3(word.as_bytes()), self::weight(weights, weight, heaviest))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::simhash::{fingerprint, hamming};
    use super::*;
    use crate::text::normalise::Normalised;
    use std::collections::BTreeSet;

    fn features(features: &str, text: &str) -> Vec<(u64, u32)> {
        features_of(features.parse().unwrap(), &Normalised::of(text), &Units::from_text(text))
    }

    fn weights_of(name: &str, text: &str) -> Vec<u32> {
        let mut weights: Vec<u32> = features(name, text).into_iter().map(|feature| feature.1).collect();
        weights.sort_unstable();
        weights
    }

    #[test]
    fn python_is_sexy_has_eleven_four_grams_that_each_have_one_vote() {
        let grams = ["pyth", "ytho", "thon", "hon ", "on i", "n is", " is ", "is s", "s se", " sex", "sexy"];
        let hash = |gram: &str| {
            let characters: Vec<u32> = gram.chars().map(u32::from).collect();
            finish(u64::from(ShingleSet::of_values(&characters, 4).as_slice()[0]))
        };
        let found: BTreeSet<(u64, u32)> = features("chars:4", " Python is\nSexy ").into_iter().collect();
        assert_eq!(found, grams.iter().map(|gram| (hash(gram), 1)).collect());

        // Eleven votes on each bit: six make it a one.
        let votes = |bit: u32| grams.iter().filter(|gram| hash(gram) >> bit & 1 == 1).count();
        let expected = (0..64).fold(0u64, |bits, bit| bits | u64::from(votes(bit) >= 6) << bit);
        assert_eq!(fingerprint(&features("chars:4", "Python is sexy")), expected);
    }

    #[test]
    fn the_weights_of_keywords_are_real_or_five_levels() {
        let text = "潮汐沼泽 潮汐沼泽 沼泽 沼泽 图书馆的借阅制度与乡镇居民的阅读习惯";
        assert!(weights_of("keywords:20", text).iter().all(|weight| (1..=65_536).contains(weight)));
        assert_eq!(weights_of("keywords:20", text).last(), Some(&65_536));
        let levels = weights_of("keywords:20 levels", text);
        assert!(levels.iter().all(|level| (1..=5).contains(level)) && levels.last() == Some(&5));
        assert!(weights_of("keywords:20 equal", text).iter().all(|weight| *weight == 1));
        assert_eq!(weights_of("keywords:3", text).len(), 3);
    }

    #[test]
    fn a_word_weighs_how_often_it_stands_there() {
        assert_eq!(weights_of("words", "row row row your boat"), [21_845, 21_845, 65_536]);
        assert_eq!(weights_of("words levels", "row row row your boat"), [2, 2, 5]);
        assert_eq!(features("words", "潮汐沼泽的水文").len(), 4, "潮汐 沼泽 的 水文");
    }

    #[test]
    fn a_text_without_letters_has_no_features_and_the_fingerprint_zero() {
        for name in ["terms", "chars:4", "words", "keywords:20"] {
            for text in ["", "  \n", "... !?", "——。"] {
                assert_eq!(features(name, text), [], "{name} of {text:?}");
            }
        }
        assert_eq!(fingerprint(&features("chars:4", "")), 0);
    }

    #[test]
    fn a_text_shorter_than_one_gram_is_one_gram() {
        assert_eq!(features("chars:9", "abc").len(), 1);
        assert_ne!(features("chars:9", "abc"), features("chars:9", "abd"));
    }

    #[test]
    fn every_choice_of_features_puts_an_edited_text_nearer_than_another() {
        let text = "潮汐沼泽在涨潮变缓时留住泥沙。每一次潮水都在植物的茎之间留下薄薄一层淤泥，地面随着海面一起升高。\
                    在沼泽前面修筑堤坝的工程师使它失去泥沙，几十年之内河汊变宽，植物淹死。";
        let edited = text.replace("工程师", "规划者");
        let other = "乡镇图书馆冬天借出的小说比夏天多，九个分馆的账册表明，管理员叫得出读者名字的地方，\
                     读者两个星期之内就会回来。";
        for name in ["terms", "chars:4", "words", "keywords:20", "keywords:20 levels"] {
            let of = |text: &str| fingerprint(&features(name, text));
            let (near, far) = (hamming(of(text), of(&edited)), hamming(of(text), of(other)));
            assert!(near < far, "{name}: {near} and {far}");
        }
    }

    proptest::proptest! {
        #[test]
        fn white_space_and_case_change_no_features(text in "[a-zA-Z ]{0,60}") {
            let spread = text.to_uppercase().replace(' ', "  ");
            for name in ["chars:3", "words"] {
                let sorted = |text: &str| features(name, text).into_iter().collect::<BTreeSet<_>>();
                assert_eq!(sorted(&text), sorted(&spread));
            }
        }
    }
}
