//! Chinese words by their characters, and by how they sound.

use super::han::LONGEST;
use crate::chinese::dictionary::{FREQUENCIES, entries};
use crate::prose::unpacked;
use crate::script::is_han;
use ahash::AHashMap;
use std::sync::LazyLock;

/// The least frequency of a word by which texts are restored: rarer ones would be seen everywhere.
const LEAST_FREQUENCY: usize = 8;

/// The most words that are looked at for one sound.
const MOST_ALIKE: usize = 12;

/// Words of one to four Han characters, simplified, from jieba's dictionary (Sun Junyi, MIT licence), and how characters sound, from
/// pypinyin (Mozillazg, MIT licence).
pub(super) struct Words {
    /// What each word costs: the negative logarithm of how likely it is, in tenths of a nat.
    costs: AHashMap<Word, u32>,
    /// The words of two and more by the sounds of their characters, the most frequent first.
    by_sound: AHashMap<Word, Vec<Word>>,
    /// The syllables by which each character is read, as characters that stand for them.
    sounds: AHashMap<char, Vec<char>>,
}

/// A word, filled up with `'\0'`.
pub(super) type Word = [char; LONGEST];

/// The first characters as a word.
pub(super) fn word(characters: &[char]) -> Word {
    let mut word = ['\0'; LONGEST];
    word.iter_mut().zip(characters).for_each(|(place, character)| *place = *character);
    word
}

impl Words {
    pub(super) fn built_in() -> &'static Words {
        static BUILT_IN: LazyLock<Words> = LazyLock::new(|| {
            let mut words = Words {
                costs: AHashMap::new(),
                by_sound: AHashMap::new(),
                sounds: sounds(&unpacked(include_bytes!("data/sounds.txt.zst"))),
            };
            let mut found = Vec::new();
            for entry in entries(|line| line.starts_with(is_han)).filter(|entry| entry.frequency >= LEAST_FREQUENCY) {
                let characters: Vec<char> = entry.word.chars().collect();
                if characters.len() <= LONGEST && characters.iter().all(|c| is_han(*c)) {
                    found.push((entry.frequency, word(&characters), characters));
                }
            }
            // In an order that is that of every machine.
            found.sort_unstable_by(|a, b| (b.0, &a.2).cmp(&(a.0, &b.2)));
            for (frequency, word, characters) in found {
                let cost = (10.0 * (FREQUENCIES as f64 / frequency as f64).ln()).round() as u32;
                words.costs.entry(word).or_insert(cost);
                if characters.len() > 1 {
                    for key in words.keys(&characters) {
                        words.by_sound.entry(key).or_default().push(word);
                    }
                }
            }
            words
        });
        &BUILT_IN
    }

    /// What a word costs, if it is one.
    pub(super) fn cost(&self, characters: &[char]) -> Option<u32> {
        self.costs.get(&word(characters)).copied()
    }

    /// The most frequent words of two and more characters that sound like these.
    pub(super) fn alike(&self, characters: &[char]) -> impl Iterator<Item = &Word> {
        let of_key = |key| self.by_sound.get(&key).into_iter().flatten().take(MOST_ALIKE);
        self.keys(characters).into_iter().flat_map(of_key)
    }

    /// The sounds of some characters, in all readings.
    fn keys(&self, characters: &[char]) -> Vec<Word> {
        let mut keys = vec![['\0'; LONGEST]];
        for (place, character) in characters.iter().enumerate() {
            let Some(readings) = self.sounds.get(character) else { return Vec::new() };
            let with = |key: &Word| {
                readings
                    .iter()
                    .map(|reading| {
                        let mut key = *key;
                        key[place] = *reading;
                        key
                    })
                    .collect::<Vec<_>>()
            };
            keys = keys.iter().flat_map(with).collect();
        }
        keys
    }
}

/// For each character its syllables, each by the first character that is read so.
fn sounds(lines: &str) -> AHashMap<char, Vec<char>> {
    let mut sounds: AHashMap<char, Vec<char>> = AHashMap::new();
    for line in lines.lines() {
        for character in line.chars() {
            sounds.entry(character).or_default().extend(line.chars().next());
        }
    }
    sounds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_sound_alike_are_found_by_their_sounds() {
        let alike = |text: &str| {
            let characters: Vec<char> = text.chars().collect();
            Words::built_in().alike(&characters).any(|found| *found == word(&['工', '程', '师']))
        };
        assert!(alike("公程师") && alike("工成诗") && !alike("工人们"));
        assert!(Words::built_in().cost(&['工', '程']) < Words::built_in().cost(&['汊']).or(Some(u32::MAX)));
    }
}
