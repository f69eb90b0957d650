//! Theses of real length with natural collocations: drawn from an n-gram model of texts that are given, with terms of their
//! own, shared boilerplate and planted passages. The same texts and numbers give the same theses on every machine.
//!
//! Words follow each other as in the texts (characters of Chinese follow two others), mostly as they do near a place that
//! is the thesis's subject, so that theses of one subject share more.

use super::Random;
use std::collections::HashMap;
use std::path::Path;
use std::{fs, io};

/// A model of which words follow which.
pub struct Model {
    words: Vec<String>,
    /// Words, or characters, with white space between words.
    spaced: bool,
    /// The texts, as numbers of words, ...
    tokens: Vec<u32>,
    /// ... the context at each place, ...
    contexts: Vec<u32>,
    /// ... and by context the places: `places[begins[c]..begins[c + 1]]`.
    begins: Vec<u32>,
    places: Vec<u32>,
}

impl Model {
    /// Reads the text files of a folder, in the order of their names, until they have `most` bytes.
    pub fn train(folder: &Path, most: usize) -> io::Result<Model> {
        let mut paths: Vec<_> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        paths.sort();
        let mut text = String::new();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "txt")) {
            if text.len() < most {
                text.push_str(&String::from_utf8_lossy(&fs::read(path)?));
                text.push('\n');
            }
        }
        let sample = text.chars().take(100_000).filter(|c| !c.is_whitespace());
        let (han, others): (Vec<char>, Vec<char>) = sample.partition(|c| ('\u{4e00}'..'\u{a000}').contains(c));
        Ok(Model::of(&text, han.len() < others.len()))
    }

    fn of(text: &str, spaced: bool) -> Model {
        let (mut numbers, mut words): (HashMap<&str, u32>, Vec<String>) = (HashMap::new(), Vec::new());
        let mut number = |word| {
            *numbers.entry(word).or_insert_with(|| {
                words.push(String::from(word));
                words.len() as u32 - 1
            })
        };
        let tokens: Vec<u32> = if spaced {
            text.split_whitespace().map(&mut number).collect()
        } else {
            let characters = text.char_indices().filter(|(_, c)| !c.is_whitespace());
            characters.map(|(at, c)| number(&text[at..at + c.len_utf8()])).collect()
        };
        let mut pairs: HashMap<(u32, u32), u32> = HashMap::new();
        let context = |at: usize| {
            if spaced {
                return tokens[at];
            }
            let next = pairs.len() as u32;
            *pairs.entry((if at == 0 { 0 } else { tokens[at - 1] }, tokens[at])).or_insert(next)
        };
        // The last place has no follower.
        let contexts: Vec<u32> = (0..tokens.len().saturating_sub(1)).map(context).collect();
        let mut begins = vec![0; contexts.iter().max().map_or(1, |last| *last as usize + 2)];
        for &context in &contexts {
            begins[context as usize + 1] += 1;
        }
        for at in 1..begins.len() {
            begins[at] += begins[at - 1];
        }
        let (mut next, mut places) = (begins.clone(), vec![0; contexts.len()]);
        for (place, &context) in (0..).zip(&contexts) {
            places[next[context as usize] as usize] = place;
            next[context as usize] += 1;
        }
        Model { words, spaced, tokens, contexts, begins, places }
    }

    /// Appends about `bytes` bytes of text to `text`, on the subject of a place.
    fn write(&self, bytes: usize, subject: u32, terms: &[String], random: &mut Random, text: &mut String) {
        let (end, mut at, mut line) = (text.len() + bytes, subject, text.len());
        while text.len() < end {
            let Some(&context) = self.contexts.get(at as usize) else {
                at = 0;
                continue;
            };
            let (from, to) = (self.begins[context as usize], self.begins[context as usize + 1]);
            let mut draw = || self.places[(u64::from(from) + random.below(u64::from(to - from))) as usize];
            let drawn = [draw(), draw(), draw()];
            at = drawn.into_iter().min_by_key(|place| place.abs_diff(subject)).unwrap_or(at) + 1;
            let word = &self.words[self.tokens[at as usize] as usize];
            match random.below(120) {
                // The smaller numbers more often: as by Zipf's law some terms of a thesis stand on every page.
                0 if !terms.is_empty() => {
                    let most = random.below(terms.len() as u64) + 1;
                    text.push_str(&terms[random.below(most) as usize]);
                }
                _ => text.push_str(word),
            }
            let sentence_ends = word.ends_with(['.', '。', '？', '！']);
            if sentence_ends && text.len() - line > 800 {
                text.push('\n');
                line = text.len();
            } else if self.spaced {
                text.push(' ');
            }
        }
        text.push('\n');
    }

    /// Terms that no other number gives.
    fn terms(&self, number: usize) -> Vec<String> {
        let mut random = Random::new(0x7e57 + number as u64);
        let syllable = |random: &mut Random| {
            let (head, tail) = (random.below(16) as usize, random.below(5) as usize);
            format!("{}{}", &"bcdfghklmnprstvz"[head..=head], &"aeiou"[tail..=tail])
        };
        let term = |random: &mut Random| match self.spaced {
            true => (0..4).map(|_| syllable(random)).collect(),
            false => (0..3).filter_map(|_| char::from_u32(0x4e00 + random.below(20_000) as u32)).collect(),
        };
        (0..200).map(|_| term(&mut random)).collect()
    }
}

/// One thesis, and from which earlier ones passages were copied.
pub struct Thesis {
    pub text: String,
    /// The numbers of the theses that passages come from, and the bytes of each passage in this thesis.
    pub planted: Vec<(usize, std::ops::Range<usize>)>,
}

/// Draws theses.
pub struct Theses {
    model: Model,
    /// The least and the greatest length, in bytes.
    lengths: (usize, usize),
    /// Declarations of as many universities.
    boilerplate: Vec<String>,
}

/// In how many theses one has passages of others.
const PLANTED: u64 = 20;

impl Theses {
    pub fn new(model: Model, lengths: (usize, usize)) -> Theses {
        let mut random = Random::new(5);
        let mut declaration = |_| {
            let (mut text, subject) = (String::new(), random.below(model.contexts.len() as u64) as u32);
            model.write(1500, subject, &[], &mut random, &mut text);
            text
        };
        Theses { boilerplate: (0..50).map(&mut declaration).collect(), model, lengths }
    }

    /// The thesis of a number, whatever others were drawn.
    pub fn thesis(&self, number: usize) -> Thesis {
        let mut random = Random::new(number as u64);
        let subject = random.below(self.model.contexts.len() as u64) as u32;
        let (terms, spread) = (self.model.terms(number), self.lengths.1 - self.lengths.0);
        // Short ones are more frequent than long ones.
        let share = random.below(1 << 20) as f64 / f64::from(1 << 20);
        let length = self.lengths.0 + (spread as f64 * share * share) as usize;
        let mut text = self.boilerplate[random.below(self.boilerplate.len() as u64) as usize].clone();
        let mut planted = Vec::new();
        let copies = if number > 0 && random.below(PLANTED) == 0 { 3 } else { 0 };
        for copy in 0..copies {
            self.model.write(length / 4, subject, &terms, &mut random, &mut text);
            let source = random.below(number as u64) as usize;
            let passage = self.passage(source, 600 + 500 * copy);
            let from = text.len();
            text.push_str(&passage);
            planted.push((source, from..text.len()));
            text.push('\n');
        }
        let left = length.saturating_sub(text.len());
        self.model.write(left, subject, &terms, &mut random, &mut text);
        Thesis { text, planted }
    }

    /// Some bytes from the middle of a thesis, which is without planted passages there: what stands behind its declaration.
    fn passage(&self, number: usize, bytes: usize) -> String {
        let mut random = Random::new(number as u64);
        let subject = random.below(self.model.contexts.len() as u64) as u32;
        random.below(1 << 20);
        let mut text = self.boilerplate[random.below(self.boilerplate.len() as u64) as usize].clone();
        let from = text.len();
        if number > 0 {
            random.below(PLANTED);
        }
        self.model.write(bytes, subject, &self.model.terms(number), &mut random, &mut text);
        text[from..].trim_end().replace('\n', " ")
    }
}
