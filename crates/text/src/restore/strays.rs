//! What was put between the words of spoilt English: numbers, single letters, or other words.

use crate::spelling::strays::{MOST_PARTED, MOST_STRAYS, is_stray, is_tag};
use crate::units::{ENGLISH_STOP_WORDS, Kind, Token};
use ahash::AHashSet;
use std::collections::BTreeSet;
use std::ops::Range;

/// The fewest pairs of stop words with the same number of words between them where words were put between, and as many more for each pair side by
/// side. In honest prose three stand side by side for four that have a word between; where every second word is a foreign one, none.
const PAIRS: usize = 20;

/// Where strays stand, of tokens with their places in a text and whether they are spoilt.
pub(super) fn strays(tokens: &[(Token, Range<usize>, bool)]) -> BTreeSet<usize> {
    let numbers = numbers(tokens);
    if numbers.is_empty() { words(tokens) } else { numbers }
}

/// Where numbers and single letters stand that were put between words: in spoilt text, if most words are parted by them.
fn numbers(tokens: &[(Token, Range<usize>, bool)]) -> BTreeSet<usize> {
    let (mut words, mut parted, mut here, mut all) = (0_u32, 0_u32, Vec::new(), BTreeSet::new());
    for (token, place, _) in tokens.iter().filter(|(token, _, is_spoilt)| token.kind != Kind::Gap && *is_spoilt) {
        let is_number = token.text.contains(char::is_numeric) && !token.text.contains(char::is_alphabetic);
        if is_number || token.kind == Kind::Word && is_stray(token.text) {
            here.push(place.start);
            continue;
        }
        words += 1;
        if (1..=MOST_STRAYS as usize).contains(&here.len()) {
            parted += 1;
            all.extend(here.iter().copied());
        }
        here.clear();
    }
    if parted as f32 >= MOST_PARTED * words as f32 { all } else { BTreeSet::new() }
}

/// Where words stand that were put between words: behind each one, or two behind each. Where the others are is told by the stop words.
fn words(tokens: &[(Token, Range<usize>, bool)]) -> BTreeSet<usize> {
    let stop_words: AHashSet<&str> = ENGLISH_STOP_WORDS.split_ascii_whitespace().filter(|word| !is_tag(word)).collect();
    let spoilt = tokens.iter().filter(|(token, _, is_spoilt)| token.kind == Kind::Word && *is_spoilt);
    let words: Vec<(usize, bool)> =
        spoilt.map(|(token, place, _)| (place.start, stop_words.contains(token.text))).collect();
    let pairs = |apart: usize| words.iter().zip(words.iter().skip(apart)).filter(|(a, b)| a.1 && b.1).count();
    let period = if pairs(2) >= pairs(3) { 2 } else { 3 };
    if (pairs(1) + 1) * PAIRS > pairs(period) {
        return BTreeSet::new();
    }
    let mut phase = words.iter().position(|word| word.1).unwrap_or_default() % period;
    let mut is_stray = |at: usize, is_stop: bool| {
        phase = if is_stop { at % period } else { phase };
        at % period != phase
    };
    words.iter().enumerate().filter(|(at, word)| is_stray(*at, word.1)).map(|(_, word)| word.0).collect()
}
