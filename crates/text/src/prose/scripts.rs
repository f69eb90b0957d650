//! Whether what is written in scripts that have no table can be a language at all.
//!
//! A font can show letters of English for characters of any script. Which script it is does not matter: a script of syllables or of words has far
//! more signs than an alphabet, and one whose vowels are marks on consonants has many marks.

use super::counts::Counts;
use crate::script::{is_han, is_hangul};
use crate::visible::is_combining_mark;

/// How often two signs of a text in syllables or words are the same one, at most. Letters of English are .067. Of 198,000 places of 300 characters in
/// Chinese books a hundredth has more than .017, and the sixth .057; of 12,800 in theses and documents three have more, which are lists of headings.
/// A few sentences of Korean, Amharic and Japanese in kana have .01 to .03.
const MOST_SAME: f32 = 0.052;

/// Fewer pairs of signs are not judged: those of 90 signs. Chosen by hand; not measured apart.
const ENOUGH_PAIRS: u32 = 4000;

/// The least share of marks where vowels are marks: a few sentences in Thai have .26, in Hindi, Tamil, Khmer and Burmese .38 and more; English in letters of
/// Tibetan, some of which are written as a letter and a mark, has .16.
const LEAST_MARKS: f32 = 0.18;

/// Fewer letters and marks are not judged. Chosen by hand; not measured apart.
const ENOUGH_MARKED: u32 = 60;

/// The most frequent syllables of Korean, .44 of its text by the model of lingua (Peter M. Stahl, Apache-2.0), and the least share of them: of a thousand
/// sentences of newspapers 30 syllables have .167 at least. A font that shows Chinese for syllables in any order has .004.
const KOREAN: &str = "이다는에을의지고가한로하기서사대은를도시해인전자수정일리으원장부있주과어들보아상";
const LEAST_KOREAN: f32 = 0.12;

/// Fewer syllables, with those around, are not judged.
const ENOUGH_HANGUL: u32 = 60;

/// Signs that are told apart: those with the same last bits are taken for one, which a thousandth of all pairs are by chance.
const PLACES: usize = 1 << 10;

/// Signs of one script that are looked at in a window, which may hold a word of any length.
const SIGNS: u32 = 1000;

/// The scripts of syllables and words; Chinese and Japanese are one.
const SCRIPTS: usize = 6;

/// The number of the script of syllables or words that a sign is of.
fn syllabary(sign: char) -> Option<usize> {
    Some(match sign {
        '\u{3041}'..='\u{30ff}' => 0,
        c if is_han(c) => 0,
        c if is_hangul(c) => 1,
        '\u{1200}'..='\u{139f}' | '\u{2d80}'..='\u{2ddf}' | '\u{ab00}'..='\u{ab2f}' => 2,
        '\u{1400}'..='\u{167f}' | '\u{18b0}'..='\u{18ff}' => 3,
        '\u{a000}'..='\u{a48f}' => 4,
        '\u{a500}'..='\u{a63f}' => 5,
        _ => return None,
    })
}

/// Whether a letter or mark is of a script whose vowels are marks: those of India and of what lies behind it, and Thaana. The few among them whose
/// vowels are letters are left out.
fn has_marks(letter: char) -> bool {
    matches!(letter, '\u{780}'..='\u{7bf}' | '\u{900}'..='\u{109f}' | '\u{1700}'..='\u{17ff}' | '\u{1900}'..='\u{194f}'
        | '\u{1a00}'..='\u{1aaf}' | '\u{1b00}'..='\u{1c4f}' | '\u{a880}'..='\u{a8ff}' | '\u{a930}'..='\u{a95f}' | '\u{a980}'..='\u{aa7f}'
        | '\u{abc0}'..='\u{abff}')
}

/// The signs of a window, as they are counted.
pub(super) struct Spread {
    same: [u16; PLACES],
    of_script: [u32; SCRIPTS],
}

impl Spread {
    pub(super) fn new() -> Spread {
        Spread { same: [0; PLACES], of_script: [0; SCRIPTS] }
    }

    /// Counts a sign of a window.
    #[inline]
    pub(super) fn put(&mut self, sign: char, counts: &mut Counts) {
        if is_hangul(sign) {
            counts.hangul += 1;
            counts.korean += u32::from(KOREAN.contains(sign));
        }
        if let Some(script) = syllabary(sign) {
            let all = &mut self.of_script[script];
            if *all < SIGNS {
                let same = &mut self.same[sign as usize % PLACES];
                counts.pairs += *all;
                counts.same_pairs += u32::from(*same);
                *all += 1;
                *same += 1;
            }
        } else if has_marks(sign) {
            counts.marked += 1;
            counts.marks += u32::from(is_combining_mark(sign));
        }
    }

    /// Begins a window.
    pub(super) fn clear(&mut self) {
        if self.of_script.iter().any(|signs| *signs > 0) {
            *self = Spread::new();
        }
    }
}

/// Whether what was counted is as scripts of syllables and words, and scripts with marks, are.
pub(super) fn are_plausible(counts: &Counts) -> bool {
    let is_alphabet = counts.pairs >= ENOUGH_PAIRS && counts.same_pairs as f32 > MOST_SAME * counts.pairs as f32;
    let lacks_marks = counts.marked >= ENOUGH_MARKED && (counts.marks as f32) < LEAST_MARKS * counts.marked as f32;
    let is_korean = counts.hangul < ENOUGH_HANGUL || counts.korean as f32 >= LEAST_KOREAN * counts.hangul as f32;
    !is_alphabet && !lacks_marks && is_korean
}
