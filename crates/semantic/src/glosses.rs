//! A dictionary with English glosses: how many more words of two passages translate each other than would by chance.
//!
//! The encoder knows what sentences are about; a dictionary knows words. What is alike for the one by chance seldom is for the other.

use copytrace_text::flag;
use copytrace_text::normalise::Normalised;
use copytrace_text::script::is_han;
use copytrace_text::units::{Segmenter, Units};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

type Map<K, V> = HashMap<K, V, ahash::RandomState>;

/// The language of the glosses.
const GLOSSES: &str = "en";

/// The share of translated words that have one of their glosses on the other side: a translator knows more words than a dictionary. Tried on
/// Chinese and English novels from .1 to .5: below .3 and at .5, true passages are told from others a little less well.
const GLOSSED: f32 = 0.4;

/// As how many words of text the dictionary counts, whose share of a gloss tells beside the text itself how often that is in it: in a
/// text about rivers, "river" is no evidence.
const PRIOR_WORDS: f32 = 300.0;

/// What is by chance is never taken to be more sure than this.
const MOST_BY_CHANCE: f32 = 0.95;

/// Words of a language, with the stems of their English glosses.
pub(crate) struct Dictionary {
    language: String,
    words: Map<Box<str>, Box<[u32]>>,
    /// The share of each stem among all glosses.
    shares: Map<u32, f32>,
    /// Bytes of the longest word.
    longest: usize,
}

/// Words of a passage that are in the dictionary, by the characters where they stand.
#[derive(Debug, PartialEq)]
pub(crate) struct Glossed<'a>(Vec<(Range<u32>, &'a [u32])>);

impl Glossed<'_> {
    /// Whether the dictionary knows no word of the passage.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The stems of English words that say something, by the characters where they stand.
#[derive(Debug, PartialEq)]
pub(crate) struct English(Vec<(Range<u32>, u32)>);

/// How often stems are in an English text.
pub(crate) struct Frequencies {
    counts: Map<u32, f32>,
    words: f32,
}

impl Dictionary {
    /// Reads lines of a word, a tabulator, and English words with blanks between them.
    pub(crate) fn read(language: &str, lines: &str) -> Result<Self, String> {
        let (mut words, mut shares, mut segmenter) = (Map::default(), Map::default(), Segmenter::new());
        let (mut all, mut longest) = (0.0, 0);
        for (number, line) in lines.lines().enumerate() {
            let (word, glosses) =
                line.split_once('\t').ok_or_else(|| format!("line {} has no tabulator", number + 1))?;
            let units = segmenter.units(&Normalised::of(glosses));
            let mut found: Vec<u32> = English::all(&units).0.into_iter().map(|(_, stem)| stem).collect();
            found.sort_unstable();
            found.dedup();
            if !found.is_empty() {
                found.iter().for_each(|&stem| *shares.entry(stem).or_default() += 1.0);
                all += found.len() as f32;
                longest = longest.max(word.len());
                words.insert(word.into(), found.into());
            }
        }
        shares.values_mut().for_each(|count: &mut f32| *count /= all);
        Ok(Dictionary { language: language.to_owned(), words, shares, longest })
    }

    /// Whether it is between these languages; and if so, whether the first is that of the glosses.
    pub(crate) fn is_between(&self, first: &str, second: &str) -> Option<bool> {
        match (first == self.language, second == self.language) {
            (true, false) if second == GLOSSES => Some(false),
            (false, true) if first == GLOSSES => Some(true),
            _ => None,
        }
    }

    /// The words of a passage that begins at character `start`: of Han characters the longest that the dictionary has, in other scripts
    /// whole words.
    pub(crate) fn glossed(&self, text: &str, start: u32) -> Glossed<'_> {
        let (mut found, mut rest, mut at) = (Vec::new(), text, start);
        while let Some(first) = rest.chars().next() {
            let whole = rest.find(|character| !is_of_word(character)).unwrap_or(rest.len());
            let (bytes, glosses) = match is_han(first) {
                true => {
                    self.longest_of(rest).map_or((first.len_utf8(), None), |(bytes, glosses)| (bytes, Some(glosses)))
                }
                false => (
                    whole.max(first.len_utf8()),
                    self.words.get(&*rest[..whole].to_lowercase()).map(|glosses| &**glosses),
                ),
            };
            let next = at + rest[..bytes].chars().count() as u32;
            found.extend(glosses.map(|glosses| (at..next, glosses)));
            (rest, at) = (&rest[bytes..], next);
        }
        Glossed(found)
    }

    /// The longest word that a text begins with: its bytes and glosses.
    fn longest_of(&self, text: &str) -> Option<(usize, &[u32])> {
        let mut ends = (1..=self.longest.min(text.len())).rev().filter(|&end| text.is_char_boundary(end));
        ends.find_map(|end| Some((end, &**self.words.get(&text[..end])?)))
    }

    /// How much more often words of two passages translate each other than by chance: the logarithm of how likely that is between a
    /// translation and its original, over how likely it is between others, in nats. Each word counts once.
    pub(crate) fn evidence(&self, glossed: &Glossed, english: &English, whole: &Frequencies) -> f32 {
        let here: HashSet<u32> = english.0.iter().map(|(_, stem)| *stem).collect();
        let words = english.0.len() as f32;
        let mut seen: HashSet<*const u32> = HashSet::new();
        let mut evidence = 0.0;
        for &(_, glosses) in &glossed.0 {
            if !seen.insert(glosses.as_ptr()) {
                continue;
            }
            let share = |stem: &u32| {
                // What the passage itself holds says nothing of what is usual.
                let elsewhere =
                    whole.counts.get(stem).map_or(0.0, |count| count - f32::from(u8::from(here.contains(stem))));
                (elsewhere.max(0.0) + PRIOR_WORDS * self.shares[stem]) / (whole.words + PRIOR_WORDS)
            };
            let often = glosses.iter().map(share).sum::<f32>().min(0.9);
            let chance = (1.0 - libm::powf(1.0 - often, words)).clamp(f32::EPSILON, MOST_BY_CHANCE);
            let translated = chance + (1.0 - chance) * GLOSSED;
            evidence += match glosses.iter().any(|stem| here.contains(stem)) {
                true => libm::logf(translated / chance),
                false => libm::logf((1.0 - translated) / (1.0 - chance)),
            };
        }
        evidence
    }
}

/// Whether a character is of a word that is written with letters.
fn is_of_word(character: char) -> bool {
    character.is_alphabetic() && !is_han(character)
}

impl English {
    /// The words within some characters of a text: none that are stop words, numbers or single letters.
    pub(crate) fn of(units: &Units, characters: &Range<u32>) -> Self {
        let from = units.start.partition_point(|&start| start < characters.start);
        let to = units.end.partition_point(|&end| end <= characters.end);
        let says = |&unit: &usize| {
            units.flags[unit] & (flag::HAN | flag::STOP | flag::NUMBER) == 0 && units.countable[unit] > 1
        };
        English((from..to).filter(says).map(|unit| (units.start[unit]..units.end[unit], units.stem[unit])).collect())
    }

    /// The words of a whole text.
    pub(crate) fn all(units: &Units) -> Self {
        English::of(units, &(0..units.text_chars))
    }

    /// How often its stems are.
    pub(crate) fn frequencies(&self) -> Frequencies {
        let mut counts: Map<u32, f32> = Map::default();
        self.0.iter().for_each(|(_, stem)| *counts.entry(*stem).or_default() += 1.0);
        Frequencies { counts, words: self.0.len() as f32 }
    }
}

/// Words of two stretches that translate each other, by where they stand; each word once.
pub(crate) fn pairs(glossed: &Glossed, english: &English) -> Vec<(Range<u32>, Range<u32>)> {
    let mut left: Vec<_> = english.0.iter().collect();
    let mut found = Vec::new();
    for (place, glosses) in &glossed.0 {
        if let Some(at) = left.iter().position(|(_, stem)| glosses.contains(stem)) {
            found.push((place.clone(), left.remove(at).0.clone()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dictionary() -> Dictionary {
        let lines = "河\triver\n河岸\triver bank\n过\tcross pass\n渡过\tcross\n的\tof\n船\tboat ship\n鸟\tbird\n雨\train\nfluss\triver\n";
        let others: String = (0..5000).map(|word| format!("{word}\tother{word}\n")).collect();
        Dictionary::read("zh", &(lines.to_owned() + &others)).unwrap()
    }

    fn english(text: &str) -> English {
        English::all(&Segmenter::new().units(&Normalised::of(text)))
    }

    fn evidence(chinese: &str, english: &str, whole: &str) -> f32 {
        let dictionary = dictionary();
        let whole = self::english(whole).frequencies();
        dictionary.evidence(&dictionary.glossed(chinese, 0), &self::english(english), &whole)
    }

    #[test]
    fn the_longest_words_are_taken_and_stand_where_they_stand() {
        let dictionary = dictionary();
        let places = |text| dictionary.glossed(text, 10).0.into_iter().map(|(place, _)| place).collect::<Vec<_>>();
        assert_eq!(places("他渡过的河岸x船"), [11..13, 14..16, 17..18]);
        assert_eq!(places("am fluss, flussabwärts Fluss"), [13..18, 33..38]);
        assert_eq!(places(""), []);
        let english = english("The Boats cross a 12 Ümit").0;
        assert_eq!(english.into_iter().map(|(place, _)| place).collect::<Vec<_>>(), [4..9, 10..15, 21..25]);
    }

    #[test]
    fn words_that_translate_each_other_are_evidence_and_others_speak_against_it() {
        let whole = "The council met in the hall and spoke of roads, taxes and schools. ".repeat(20);
        let of = |english: &str| evidence("船渡过河，鸟", english, &whole);
        let (all, some, none) =
            (of("The boats crossed the river, birds"), of("A boat on a pond"), of("The hall is old"));
        assert!(all > 8.0 && some < all && none < 0.0, "{all} {some} {none}");
        // What the whole text is about is little evidence.
        let about = "The river has boats, and birds cross it. ".repeat(50);
        assert!(evidence("船渡过河，鸟", "The boats crossed the river, birds", &about) < all / 3.0);
        assert_eq!(evidence("", "The boats", &whole), 0.0);
        assert!(evidence("船", "", &whole) < 0.0);
    }

    #[test]
    fn words_are_paired_once() {
        let dictionary = dictionary();
        let (chinese, english) = (dictionary.glossed("船和船在河。鸟", 0), english("A boat in a river"));
        assert_eq!(pairs(&chinese, &english), [(0..1, 2..6), (4..5, 12..17)]);
    }

    #[test]
    fn a_line_without_a_tabulator_is_named() {
        assert_eq!(Dictionary::read("zh", "河\triver\nriver").err().unwrap(), "line 2 has no tabulator");
    }
}
