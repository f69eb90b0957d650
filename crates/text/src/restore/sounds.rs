//! Chinese words by their characters, and by how they sound.

use super::word::{LONGEST, Word, word};
use crate::chinese::dictionary::{FREQUENCIES, entries};
use crate::packed::unpacked;
use crate::script::is_han;
use ahash::AHashMap;
use std::cmp::Reverse;
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
    /// The words, the most frequent first.
    words: Vec<Word>,
    /// The places in `words` of those of two and more characters, by how they sound, sorted.
    by_sound: Vec<(Word, u32)>,
    sounds: Sounds,
}

/// The syllables by which each character is read, as characters that stand for them; `'\0'` where there is no second one.
type Sounds = AHashMap<char, [char; READINGS]>;

/// Readings of a character, at most.
const READINGS: usize = 2;

impl Words {
    pub(super) fn built_in() -> &'static Words {
        static BUILT_IN: LazyLock<Words> = LazyLock::new(|| {
            let mut found: Vec<(usize, Word)> = Vec::new();
            for entry in entries(|line| line.starts_with(is_han)).filter(|entry| entry.frequency >= LEAST_FREQUENCY) {
                let len = entry.word.chars().count();
                if len <= LONGEST && entry.word.chars().all(is_han) {
                    found.push((entry.frequency, word(entry.word.chars())));
                }
            }
            // In an order that is that of every machine.
            found.sort_unstable_by_key(|(frequency, word)| (Reverse(*frequency), *word));
            let sounds = sounds(&unpacked(include_bytes!("data/sounds.txt.zst")));
            let mut words = Words {
                costs: AHashMap::with_capacity(found.len()),
                words: found.iter().map(|(_, word)| *word).collect(),
                by_sound: Vec::with_capacity(2 * found.len()),
                sounds,
            };
            for (at, (frequency, word)) in (0..).zip(found) {
                let cost = (10.0 * (FREQUENCIES as f64 / frequency as f64).ln()).round() as u32;
                words.costs.entry(word).or_insert(cost);
                let len = word.iter().take_while(|c| **c != '\0').count();
                if len > 1 {
                    words.by_sound.extend(keys(&words.sounds, &word[..len]).map(|key| (key, at)));
                }
            }
            words.by_sound.sort_unstable();
            words
        });
        &BUILT_IN
    }

    /// What a word costs, if it is one.
    pub(super) fn cost(&self, characters: &[char]) -> Option<u32> {
        self.costs.get(&word(characters.iter().copied())).copied()
    }

    /// The most frequent words of two and more characters that sound like these.
    pub(super) fn alike(&self, characters: &[char]) -> impl Iterator<Item = &Word> {
        keys(&self.sounds, characters).flat_map(|key| {
            let first = self.by_sound.partition_point(|(other, _)| *other < key);
            let of_key = self.by_sound[first..].iter().take_while(move |(other, _)| *other == key);
            of_key.take(MOST_ALIKE).map(|(_, at)| &self.words[*at as usize])
        })
    }
}

/// The sounds of up to [`LONGEST`] characters, in all readings; none where one of them has no sound that is known.
fn keys(sounds: &Sounds, characters: &[char]) -> impl Iterator<Item = Word> + use<> {
    let (len, mut readings) = (characters.len(), [['\0'; READINGS]; LONGEST]);
    let mut places = characters.iter().zip(&mut readings);
    let are_known = places.all(|(character, of)| sounds.get(character).map(|known| *of = *known).is_some());
    let ways = if are_known { READINGS.pow(len as u32) } else { 0 };
    (0..ways).filter_map(move |way| {
        let mut key = ['\0'; LONGEST];
        for (at, sound) in key[..len].iter_mut().enumerate() {
            *sound = Some(readings[at][way >> (len - 1 - at) & 1]).filter(|reading| *reading != '\0')?;
        }
        Some(key)
    })
}

/// For each character its syllables, each by the first character that is read so.
fn sounds(lines: &str) -> Sounds {
    let mut sounds = Sounds::new();
    for line in lines.lines() {
        let first = line.chars().next().unwrap_or_default();
        for character in line.chars() {
            let readings = sounds.entry(character).or_default();
            if let Some(free) = readings.iter_mut().find(|reading| **reading == '\0') {
                *free = first;
            }
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
            Words::built_in().alike(&characters).any(|found| *found == word("工程师".chars()))
        };
        assert!(alike("公程师") && alike("工成诗") && !alike("工人们"));
        let readings = unpacked(include_bytes!("data/sounds.txt.zst"));
        let most = sounds(&readings).keys().map(|c| readings.matches(*c).count()).max();
        assert_eq!(most, Some(READINGS), "no reading is left out");
        assert!(Words::built_in().cost(&['工', '程']) < Words::built_in().cost(&['汊']).or(Some(u32::MAX)));
    }
}
