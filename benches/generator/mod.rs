//! A deterministic generator of corpora, for benchmarks and tests: words (or Han characters) drawn by Zipf's law from a
//! large vocabulary, a share of near-duplicates, and heavy boilerplate. The same settings give the same texts on
//! every machine.
#![allow(dead_code, missing_docs)] // each bench and test uses a part of it

pub mod theses;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What is generated.
#[derive(Clone, Copy)]
pub struct Recipe {
    pub seed: u64,
    pub documents: usize,
    /// Mean words (or Han characters) of a document; lengths are from half to one and a half of it.
    pub length: usize,
    pub language: Language,
    /// In how many documents one is a near-duplicate of an earlier one; 0 for none.
    pub duplicate_every: usize,
    /// In how many documents one begins with one of a few boilerplate paragraphs; 0 for none.
    pub boilerplate_every: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Language {
    English,
    Chinese,
}

impl Recipe {
    pub fn english(documents: usize) -> Self {
        Recipe {
            seed: 1,
            documents,
            length: 300,
            language: Language::English,
            duplicate_every: 10,
            boilerplate_every: 20,
        }
    }

    pub fn chinese(documents: usize) -> Self {
        Recipe { length: 1000, language: Language::Chinese, ..Recipe::english(documents) }
    }
}

/// Draws the documents one after the other.
pub struct Generator {
    recipe: Recipe,
    random: Random,
    vocabulary: Vec<String>,
    cumulative: Vec<u64>,
    boilerplate: Vec<Vec<u32>>,
    /// The latest documents with their numbers, as word numbers: the originals of near-duplicates.
    recent: Vec<(usize, Vec<u32>)>,
    made: usize,
}

/// How many earlier documents a near-duplicate's original is chosen from.
const RECENT: usize = 1000;

impl Generator {
    pub fn new(recipe: Recipe) -> Self {
        let mut random = Random::new(recipe.seed);
        let vocabulary = match recipe.language {
            Language::English => {
                let frequent = FREQUENT_ENGLISH.split_ascii_whitespace().map(String::from);
                frequent.chain((0..60_000).map(english_word)).collect::<Vec<_>>()
            }
            Language::Chinese => {
                let rare = (0..6_000).filter_map(|i| char::from_u32(0x4e00 + i * 3));
                let rare = rare.filter(|&c| !FREQUENT_CHINESE.contains(c));
                FREQUENT_CHINESE.chars().chain(rare).map(String::from).collect()
            }
        };
        let mut sum = 0;
        let cumulative: Vec<u64> = (0..vocabulary.len() as u64)
            .map(|rank| {
                sum += (1 << 40) / (rank + 3);
                sum
            })
            .collect();
        let boilerplate = (0..5).map(|_| (0..60).map(|_| random.zipf(&cumulative)).collect()).collect();
        Generator { recipe, random, vocabulary, cumulative, boilerplate, recent: Vec::new(), made: 0 }
    }

    fn fresh(&mut self) -> Vec<u32> {
        let length = self.recipe.length / 2 + self.random.below(self.recipe.length as u64) as usize;
        (0..length).map(|_| self.random.zipf(&self.cumulative)).collect()
    }

    /// An earlier document's number, and its words with up to 6 % of them replaced, and sometimes a part of them gone.
    fn near_duplicate(&mut self) -> (usize, Vec<u32>) {
        let original = self.random.below(self.recent.len() as u64) as usize;
        let (original, mut words) = self.recent[original].clone();
        let per_mille = self.random.below(60);
        for word in &mut words {
            if self.random.below(1000) < per_mille {
                *word = self.random.zipf(&self.cumulative);
            }
        }
        if self.random.below(4) == 0 {
            words.truncate(words.len() * 4 / 5);
        }
        (original, words)
    }

    fn write(&mut self, words: &[u32]) -> String {
        let mut text = String::new();
        let (stop, blank) = match self.recipe.language {
            Language::English => (". ", " "),
            Language::Chinese => ("。", ""),
        };
        for (i, &word) in words.iter().enumerate() {
            text.push_str(&self.vocabulary[word as usize]);
            text.push_str(match (i + 1) % 18 {
                0 if (i + 1) % 126 == 0 => ".\n",
                0 => stop,
                9 if self.recipe.language == Language::Chinese => "，",
                _ => blank,
            });
        }
        text
    }
}

impl Iterator for Generator {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        self.next_with_original().map(|(text, _)| text)
    }
}

impl Generator {
    /// The next document, and of a near-duplicate the number of its original, counted from 0.
    pub fn next_with_original(&mut self) -> Option<(String, Option<usize>)> {
        if self.made == self.recipe.documents {
            return None;
        }
        self.made += 1;
        let every = |n: usize| n > 0 && self.made.is_multiple_of(n);
        let (duplicate, boilerplate) = (every(self.recipe.duplicate_every), every(self.recipe.boilerplate_every));
        let (original, mut words) = if duplicate && !self.recent.is_empty() {
            let (original, words) = self.near_duplicate();
            (Some(original), words)
        } else {
            (None, self.fresh())
        };
        if boilerplate {
            let which = self.random.below(self.boilerplate.len() as u64) as usize;
            words.splice(0..0, self.boilerplate[which].iter().copied());
        }
        let numbered = (self.made - 1, words.clone());
        if self.recent.len() < RECENT {
            self.recent.push(numbered);
        } else {
            self.recent[self.made % RECENT] = numbered;
        }
        Some((self.write(&words), original))
    }
}

/// The first ranks of Zipf's law belong to words that say nothing of the content, as in real texts: they are about half
/// of what is written in English, and a quarter in Chinese.
const FREQUENT_ENGLISH: &str = "the of and to in a is that for it as was with be by on not he his but at are this \
    have from or had an they which one you were her all she there would their we him been has when who will more no \
    if out so said what up its about into than them can only other new some could time these two may then do first \
    any my now such like our over man me even most made after also did many before must through back years where much \
    your way well down should because each just those people how too little state good very make world still own see \
    men work long get here between both life being under never day same another know while last might us great old";

const FREQUENT_CHINESE: &str =
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作";

/// Pronounceable, of three syllables or more, and different for different numbers.
fn english_word(number: u32) -> String {
    const HEADS: [&str; 16] = ["b", "c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t", "v", "st", "tr", "sh"];
    const TAILS: [&str; 8] = ["a", "e", "i", "o", "u", "an", "er", "on"];
    let mut word = String::new();
    let mut rest = number;
    loop {
        let syllable = rest % 128;
        word.push_str(HEADS[(syllable / 8) as usize]);
        word.push_str(TAILS[(syllable % 8) as usize]);
        rest /= 128;
        if rest == 0 && word.len() >= 5 {
            return word;
        }
    }
}

/// Raw output of xoshiro256++, whose values no version of a library changes.
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    pub fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    fn zipf(&mut self, cumulative: &[u64]) -> u32 {
        let total = cumulative[cumulative.len() - 1];
        let at = self.below(total);
        cumulative.partition_point(|&sum| sum <= at) as u32
    }
}
