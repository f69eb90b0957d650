//! The SimHash of a page of a crawl (Charikar 2002), by which those are found that are another one but for some words. It is made at the
//! speed of reading: words are taken as they are written, without the dictionaries and stems of an index's fingerprints.

use copytrace_text::script::{is_common_han, is_unspaced};

/// Bits in which the fingerprints of near duplicates differ at most; Manku, Jain and Das Sarma (2007) found 3 of 64 to fit pages of the web.
pub(crate) const NEAR: u8 = 3;

/// The most letters of a frequent word (Zipf's law of abbreviation), which weighs 1.
const FREQUENT: u32 = 3;

/// Other words weigh as many as they have letters, but no more than this.
const HEAVIEST: u32 = 10;

/// What a number weighs that is short, and two neighbours of a script without blanks, whose words have two characters for the most part.
const MIDDLING: u32 = 4;

/// For each byte the same bits, each in a byte of its own.
const SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut byte = 0;
    while byte < spread.len() {
        let mut bit = 0;
        while bit < 8 {
            spread[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    spread
};

/// The fingerprint of a text; `None` if it has no word. A bit is 1 when the words whose hash has it weigh more than half of all.
pub(crate) fn fingerprint(text: &str) -> Option<u64> {
    let mut sums = Sums { few: [0; 8], room: u8::MAX.into(), sums: [0; 64], total: 0 };
    let (mut word, mut before) = (Word::default(), None);
    for character in text.chars() {
        if character.is_ascii_alphanumeric() {
            word.push(character.to_ascii_lowercase());
            before = None;
        } else if !character.is_ascii() && (is_common_han(character) || character.is_alphanumeric()) {
            if is_unspaced(character) {
                sums.take(&mut word);
                if let Some(before) = before.replace(character) {
                    let mut two = Word::default();
                    two.push(before);
                    two.push(character);
                    sums.add(two.hash, MIDDLING);
                }
            } else {
                character.to_lowercase().for_each(|letter| word.push(letter));
                before = None;
            }
        } else {
            sums.take(&mut word);
            before = None;
        }
    }
    sums.take(&mut word);
    sums.bits()
}

/// The letters of a word so far.
#[derive(Default)]
struct Word {
    hash: u64,
    letters: u32,
    is_number: bool,
}

impl Word {
    fn push(&mut self, letter: char) {
        self.hash = (self.hash.rotate_left(5) ^ u64::from(letter)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.letters = self.letters.saturating_add(1);
        self.is_number |= letter.is_numeric();
    }
}

/// For each bit the weights of the words whose hash has it.
struct Sums {
    /// Those of the last few words, eight in each number; `room` is how much more weight fits in.
    few: [u64; 8],
    room: u32,
    sums: [u64; 64],
    total: u64,
}

impl Sums {
    fn take(&mut self, word: &mut Word) {
        let Word { hash, letters, is_number } = std::mem::take(word);
        match letters {
            0 => {}
            1..=FREQUENT if is_number => self.add(hash, MIDDLING),
            1..=FREQUENT => self.add(hash, 1),
            _ => self.add(hash, letters.min(HEAVIEST)),
        }
    }

    fn add(&mut self, hash: u64, weight: u32) {
        if self.room < weight {
            self.sum_up();
        }
        self.room -= weight;
        self.total += u64::from(weight);
        for (few, bits) in self.few.iter_mut().zip(finished(hash).to_le_bytes()) {
            *few += SPREAD[usize::from(bits)] * u64::from(weight);
        }
    }

    fn sum_up(&mut self) {
        for (sum, few) in self.sums.iter_mut().zip(self.few.iter().flat_map(|few| few.to_le_bytes())) {
            *sum += u64::from(few);
        }
        (self.few, self.room) = ([0; 8], u8::MAX.into());
    }

    fn bits(mut self) -> Option<u64> {
        self.sum_up();
        let set = self.sums.iter().map(|sum| 2 * sum > self.total);
        (self.total > 0).then(|| set.enumerate().fold(0, |bits, (bit, set)| bits | u64::from(set) << bit))
    }
}

/// Spreads a hash over all its bits (the finaliser of SplitMix64).
fn finished(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws numbers below others.
    struct Random(u64);

    impl Random {
        fn below(&mut self, most: usize) -> usize {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            (finished(self.0) % most as u64) as usize
        }
    }

    /// A vocabulary of words that are the longer the rarer they are.
    fn vocabulary(random: &mut Random, letters: &[char], longest: usize) -> Vec<String> {
        let length = |rank: u32| (1 + (u32::BITS - rank.leading_zeros()) as usize * 2 / 3).min(longest);
        (0..4000).map(|rank| (0..length(rank)).map(|_| letters[random.below(letters.len())]).collect()).collect()
    }

    /// `words` words of a vocabulary, the frequent ones more often (Zipf), and the rare ones by the subject of the page.
    fn page(random: &mut Random, vocabulary: &[String], words: usize) -> Vec<String> {
        let subject = random.below(vocabulary.len());
        let mut word = || {
            let most = 1 << (3 + random.below(9));
            match random.below(most) {
                rank @ 0..64 => vocabulary[rank].clone(),
                rank => vocabulary[64 + (rank + subject) % (vocabulary.len() - 64)].clone(),
            }
        };
        (0..words).map(|_| word()).collect()
    }

    fn distance(a: &str, b: &str) -> u32 {
        (fingerprint(a).unwrap() ^ fingerprint(b).unwrap()).count_ones()
    }

    #[test]
    fn the_sums_are_those_of_the_definition_however_heavy_a_text_is() {
        for (text, words) in [
            ("Silt in the CREEK, silt!", vec![("silt", 4), ("in", 1), ("the", 1), ("creek", 5), ("silt", 4)]),
            ("Öl: 1 Überschwemmung", vec![("öl", 1), ("1", 4), ("überschwemmung", 10)]),
            ("潮水涨 and 水", vec![("潮水", 4), ("水涨", 4), ("and", 1)]),
        ] {
            for times in [1, 100] {
                let mut sums = [0i64; 64];
                for (word, weight) in &words {
                    let mut hash = Word::default();
                    word.chars().for_each(|letter| hash.push(letter));
                    let counts = |bit: usize| if finished(hash.hash) >> bit & 1 == 1 { *weight } else { -*weight };
                    sums.iter_mut().enumerate().for_each(|(bit, sum)| *sum += counts(bit));
                }
                let expected = (0..64).fold(0, |bits, bit| bits | u64::from(sums[bit] > 0) << bit);
                assert_eq!(fingerprint(&format!("{text}. ").repeat(times)), Some(expected), "{text} × {times}");
            }
        }
        assert_eq!(fingerprint(" … 。!"), None);
        assert_eq!(fingerprint("水"), None, "one character is no pair");
    }

    #[test]
    fn of_pages_with_few_changed_words_nearly_all_are_near_and_of_other_pages_none() {
        let (mut random, latin, han) = (Random(36), Vec::from_iter('a'..='z'), Vec::from_iter('一'..='龥'));
        for (letters, longest, between) in [(&latin, 9, " "), (&han, 2, "")] {
            let vocabulary = vocabulary(&mut random, letters, longest);
            let pages: Vec<Vec<String>> = (0..200).map(|_| page(&mut random, &vocabulary, 1000)).collect();
            let mut found = 0;
            for page in &pages {
                let mut edited = page.clone();
                for _ in 0..3 {
                    let (at, other) = (random.below(page.len()), random.below(vocabulary.len()));
                    edited[at].clone_from(&vocabulary[other]);
                }
                found += u32::from(distance(&page.join(between), &edited.join(between)) <= NEAR.into());
            }
            assert!(found >= 180, "{found} of 200 in {between:?}");
            let prints: Vec<u64> = pages.iter().filter_map(|page| fingerprint(&page.join(between))).collect();
            let near = |a: usize, b: usize| (prints[a] ^ prints[b]).count_ones() <= NEAR.into();
            assert_eq!((0..200).flat_map(|a| (0..a).map(move |b| (a, b))).filter(|(a, b)| near(*a, *b)).count(), 0);
        }
    }

    #[test]
    fn pages_that_differ_in_numbers_or_short_words_only_are_told_apart() {
        let row = |number: u32| format!("Page {number} tells of tide {number} and of shore {}.", number * 7);
        let (mut random, letters) = (Random(36), Vec::from_iter('a'..='e'));
        let mut words = |_| vocabulary(&mut random, &letters, 3)[..20].join(" ");
        let short: Vec<String> = (0..10).map(&mut words).collect();
        for number in 0..9 {
            assert!(distance(&row(number), &row(number + 1)) > u32::from(NEAR), "{number}");
            let (one, other) = (&short[number as usize], &short[number as usize + 1]);
            assert!(distance(one, other) > u32::from(NEAR), "{one} {other}");
        }
    }
}
