//! English whose letters are drawn for other ones: those of another alphabet, or each for another of a to z.
//!
//! A font can show letters of English for any others. Such words are solved as a substitution cipher is: among all ways to read
//! their letters the one is looked for whose trigrams are the likeliest in English. Words of other languages have none that is likely.

use super::languages::{Language, Languages};
use ahash::AHashMap;
use std::ops::Range;
use std::sync::LazyLock;

/// The words that are solved together, and the stretches of a text of which each is judged alone.
const WORDS: usize = 600;
const STRETCHES: usize = 8;

/// Fewer trigrams are not judged: too few to tell letters by. Chosen by hand; not measured apart.
const ENOUGH: usize = 500;

/// No alphabet has more letters. Chosen by hand; not measured apart.
const LETTERS: usize = 80;

/// The most bits of a trigram of English that was solved, as a multiple of those of its honest sentences. Of four English documents 600 words have 1
/// to 1.2; of one in French 1.36 at least, of one each in Spanish and German 1.6 and 1.8.
const MOST_BITS: f32 = 1.25;

/// How many times the bits of words as they stand are those of what they are read as, at least, if letters stand for others: 1.7 and more where the
/// five vowels do, or four letters.
const GAIN: f32 = 1.2;

/// The letters of English, the most frequent first.
const BY_FREQUENCY: &[u8; 26] = b"etaoinsrhldcumfpgwybvkxjqz";

/// How many times the search begins, each time with other letters in place of some.
const STARTS: usize = 8;

/// Words that are English once letters are read for others.
pub(crate) struct Solved {
    /// Which of the words.
    pub(crate) words: Range<usize>,
    /// For each of their letters which of a to z it stands for.
    pub(crate) letters: AHashMap<char, u8>,
}

/// Which of the words of a text, in their order, are English in other letters, and none as they stand.
pub(crate) fn solved(words: &[&str]) -> Vec<Solved> {
    let all = words.len();
    let length = all.div_ceil(STRETCHES).max(WORDS);
    let stretches = (0..all).step_by(length).map(|start| start..(start + length).min(all));
    let of_stretch = |stretch: Range<usize>| {
        // The short rest of a text goes with the words before it.
        let start = stretch.start.min(all.saturating_sub(WORDS));
        let sample = &words[start..stretch.end.min(start + WORDS)];
        let as_they_stand = sample.iter().map(|word| ENGLISH.bits_of(word)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        let as_they_stand = as_they_stand.0 as f32 / as_they_stand.1.max(1) as f32;
        let (bits, letters) = likeliest(sample)?;
        let is_exchanged = bits <= MOST_BITS * ENGLISH.bits && GAIN * bits <= as_they_stand;
        is_exchanged.then_some(Solved { words: stretch, letters })
    };
    stretches.filter_map(of_stretch).collect()
}

static ENGLISH: LazyLock<&'static Language> = LazyLock::new(|| {
    let languages = Languages::built_in();
    &languages.all[languages.english()]
});

/// The bits of each three letters in English, as digits to the base of 26.
static TRIGRAMS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let letter = |at: usize| (b'a' + (at % 26) as u8) as char;
    let bits = |at: usize| ENGLISH.bits_of(&String::from_iter([letter(at / 676), letter(at / 26), letter(at)])).0 as u8;
    (0..26 * 26 * 26).map(bits).collect()
});

/// The bits of a trigram of words, read as the likeliest English, and the letters that are read; none where that cannot be told.
fn likeliest(words: &[&str]) -> Option<(f32, AHashMap<char, u8>)> {
    let mut numbers: AHashMap<char, usize> = AHashMap::new();
    let mut trigrams: AHashMap<[usize; 3], u32> = AHashMap::new();
    let mut counts: Vec<usize> = Vec::new();
    // A mark with which a word begins is cut off together with the blank before it.
    let parts = words.iter().flat_map(|word| word.split(|c: char| !c.is_alphabetic()));
    for word in parts {
        let mut number = |letter: char| {
            let next = numbers.len();
            let number = *numbers.entry(letter).or_insert(next);
            counts.resize(counts.len().max(number + 1), 0);
            counts[number] += 1;
            number
        };
        let letters: Vec<usize> = word.chars().map(&mut number).collect();
        letters.windows(3).for_each(|three| *trigrams.entry([three[0], three[1], three[2]]).or_default() += 1);
    }
    let all: u32 = trigrams.values().sum();
    if (all as usize) < ENOUGH || numbers.len() > LETTERS {
        return None;
    }
    let mut trigrams: Vec<([usize; 3], u32)> = trigrams.into_iter().collect();
    trigrams.sort_unstable();
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|number| std::cmp::Reverse(counts[*number]));
    let mut of_letter = vec![Vec::new(); counts.len()];
    for (at, (three, _)) in trigrams.iter().enumerate() {
        let different = (0..3).filter(|place| !three[..*place].contains(&three[*place]));
        different.for_each(|place| of_letter[three[place]].push(at));
    }
    let search = Search { trigrams, of_letter, order };
    let (bits, key) = (0..STARTS).map(|start| search.from(start)).min()?;
    let letters = numbers.into_iter().map(|(letter, number)| (letter, b'a' + key[number] as u8)).collect();
    Some((bits as f32 / all as f32, letters))
}

/// What is searched in.
struct Search {
    /// The trigrams of the words, by the numbers of their letters, and how often each stands there.
    trigrams: Vec<([usize; 3], u32)>,
    /// Those that have a letter.
    of_letter: Vec<Vec<usize>>,
    /// The letters, the most frequent first.
    order: Vec<usize>,
}

impl Search {
    /// The least bits that are found by swapping what two letters stand for, and what each stands for then. At first letters stand for those of the
    /// same rank; in later starts for one near to it.
    fn from(&self, start: usize) -> (u32, Vec<usize>) {
        let mut key = vec![0; self.order.len()];
        for (rank, number) in self.order.iter().enumerate() {
            let first = rank / (start + 1) * (start + 1);
            let near = first + (start - rank % (start + 1));
            key[*number] = usize::from(BY_FREQUENCY[near.min(25)] - b'a');
        }
        loop {
            let mut is_best = true;
            for first in 0..self.order.len() {
                for second in 0..first {
                    let (one, other) = (self.order[first], self.order[second]);
                    let before = self.bits_with(&key, one, other);
                    key.swap(one, other);
                    if self.bits_with(&key, one, other) < before {
                        is_best = false;
                    } else {
                        key.swap(one, other);
                    }
                }
            }
            if is_best {
                return ((0..self.trigrams.len()).map(|at| self.bits(&key, at)).sum(), key);
            }
        }
    }

    /// The bits of all trigrams that have one of two letters.
    fn bits_with(&self, key: &[usize], one: usize, other: usize) -> u32 {
        let of_one = self.of_letter[one].iter();
        let of_other = self.of_letter[other].iter().filter(|at| !self.trigrams[**at].0.contains(&one));
        of_one.chain(of_other).map(|at| self.bits(key, *at)).sum()
    }

    fn bits(&self, key: &[usize], at: usize) -> u32 {
        let ([a, b, c], times) = self.trigrams[at];
        times * u32::from(TRIGRAMS[(key[a] * 26 + key[b]) * 26 + key[c]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The letter that stands for another one, of the 26 that begin at `first`: `by` letters further on.
    fn letter(first: u32, by: u32, letter: char) -> char {
        char::from_u32(first + (letter as u32 - 97 + by) % 26).unwrap()
    }

    fn drawn(first: u32, by: u32) -> String {
        let text = crate::prose::demo("en").concat().to_lowercase();
        let letter = |c: char| if c.is_ascii_lowercase() { letter(first, by, c) } else { c };
        text.chars().map(letter).collect()
    }

    fn words(text: &str) -> Vec<&str> {
        text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).take(WORDS).collect()
    }

    #[test]
    fn english_is_read_in_letters_of_any_alphabet_and_other_languages_are_not() {
        // Syriac, Mongolian, Tifinagh, Armenian, and the letters of English themselves.
        for (first, by) in [(0x712, 0), (0x1820, 0), (0x2d30, 0), (0x561, 0), (0x61, 3)] {
            let text = drawn(first, by);
            let [Solved { letters, .. }] = &solved(&words(&text))[..] else { panic!("{first:x}") };
            let is_right = |c: &char| letters.get(&letter(first, by, *c)) == Some(&(*c as u8));
            let right: String = ('a'..='z').filter(is_right).collect();
            // Of the rarest letters 600 words say too little.
            assert!(right.len() >= 20, "{first:x}: {right}");
        }
        for (language, text) in crate::prose::HONEST.into_iter().filter(|(language, _)| *language != "English") {
            let text = text.to_lowercase().repeat(3);
            assert!(solved(&words(&text)).is_empty(), "{language}");
        }
    }
}
