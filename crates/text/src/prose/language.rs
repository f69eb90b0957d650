//! The language that most of a text is in.

use crate::script::is_han;
use crate::spelling::languages::{Alphabet, Languages};
use std::collections::BTreeMap;

/// Bytes of a text that are looked at. Pages and papers are in one language, and say so in their first paragraphs.
const SAMPLE: usize = 20_000;

/// A text with fewer letters than two lines have is in no language that could be told. A Han character says as much as three letters.
const ENOUGH: usize = 120;
const HAN: usize = 3;

/// Japanese has this share of kana at least among its characters.
const KANA: f32 = 0.15;

/// The least share of the frequent words that its sentences have, by which a language is known.
const LEAST_FREQUENT: f32 = 0.4;

/// Languages with at least this share of the number of frequent words that another has are told from it by their letters.
const SISTERS: f32 = 0.7;

/// The codes (ISO 639-1) of the languages that are told apart, in no order.
pub fn languages_told() -> impl Iterator<Item = &'static str> {
    Languages::built_in().all.iter().map(|language| language.code).chain(["zh", "ja", "ko"])
}

/// The language of a text by its code; `None` if there is too little text, `und` if it is none of those that are told apart.
pub fn language_of(text: &str) -> Option<&'static str> {
    let text = text[..text.floor_char_boundary(SAMPLE)].to_lowercase();
    let (mut han, mut kana, mut hangul, mut others) = (0, 0, 0, 0);
    let mut letters: BTreeMap<Alphabet, usize> = BTreeMap::new();
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        match c {
            '\u{3041}'..='\u{30ff}' => kana += HAN,
            '\u{ac00}'..='\u{d7a3}' => hangul += HAN,
            c if is_han(c) => han += HAN,
            c => match Alphabet::of(c) {
                Some(alphabet) => *letters.entry(alphabet).or_default() += 1,
                None => others += 1,
            },
        }
    }
    let (alphabet, most) =
        letters.iter().max_by_key(|(_, letters)| **letters).map_or((None, 0), |(a, l)| (Some(*a), *l));
    let all = han + kana + hangul + others + letters.values().sum::<usize>();
    if all < ENOUGH {
        return None;
    }
    if han + kana > most.max(hangul).max(others) {
        return Some(if kana as f32 >= KANA * (han + kana) as f32 { "ja" } else { "zh" });
    }
    if hangul > most.max(others) {
        return Some("ko");
    }
    Some(alphabet.filter(|_| most > others).and_then(|alphabet| by_words(&text, alphabet)).unwrap_or("und"))
}

/// The language of a text in one alphabet: by its frequent words, and among sisters by its letters.
fn by_words(text: &str, alphabet: Alphabet) -> Option<&'static str> {
    let languages = Languages::built_in();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).collect();
    let mut frequent = vec![0.0; languages.all.len()];
    for word in &words {
        let having = languages.with_frequent(crate::units::word_hash(word));
        frequent.iter_mut().enumerate().for_each(|(at, count)| *count += (having >> at & 1) as f32);
    }
    let of_alphabet = || languages.all.iter().zip(&frequent).filter(|(language, _)| language.alphabet == alphabet);
    let most = of_alphabet().map(|(_, count)| *count).fold(1.0, f32::max);
    let near = of_alphabet().filter(|(language, count)| {
        **count >= SISTERS * most && **count >= LEAST_FREQUENT * language.function * words.len() as f32
    });
    let bits = |language: &crate::spelling::languages::Language| {
        let (sum, trigrams) =
            words.iter().map(|word| language.bits_of(word)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        sum as f32 / trigrams.max(1) as f32
    };
    near.min_by(|(a, _), (b, _)| bits(a).total_cmp(&bits(b))).map(|(language, _)| language.code)
}
