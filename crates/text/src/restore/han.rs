//! Chinese: signs between characters passed over, and characters that sound like the right ones, stand in the wrong order or were put
//! in.
//!
//! A run of Han characters was made of words, by a channel that puts in a character, takes one for another that sounds the same, or swaps
//! two neighbours. The likeliest words are found by Viterbi's algorithm, over jieba's frequencies of words.

use super::Edit;
use super::sounds::Words;
use super::word::{LONGEST, Word, word};
use crate::script::is_han;
use crate::units::{Kind, Token, Tokens};

/// What a change costs, in tenths of a nat: one character in three is changed, and put in is any of some thousand, or taken one of some
/// twenty that sound alike.
const PUT_IN: u32 = 110;
const SOUNDS_ALIKE: u32 = 40;
const SWAPPED: u32 = 25;

/// What a character costs that is no word.
const UNKNOWN: u32 = 150;

/// The longest sign between Han characters that is passed over, in characters.
const LONGEST_SIGN: usize = 2;

/// The longest note in brackets that is passed over, in characters.
const LONGEST_NOTE: usize = 10;

/// Characters that are looked at together.
const CLAUSE: usize = 500;

/// Han characters of one clause, with their places in the normalised text.
#[derive(Default)]
struct Clause {
    characters: Vec<char>,
    places: Vec<usize>,
    /// Signs between them, which may be followed by no further character.
    signs: Vec<(usize, usize)>,
}

/// What to write in place of the Han characters of the normalised text that stand at `is_spoilt` places, and of signs between them.
pub(super) fn edits(text: &str, mut is_spoilt: impl FnMut(usize) -> bool) -> Vec<Edit> {
    let (mut edits, mut clause, mut at) = (Vec::new(), Clause::default(), 0);
    let mut tokens = Tokens::of(text).peekable();
    while let Some(token) = tokens.next() {
        let mut place = at..at + token.chars;
        at = place.end;
        let goes_on = match token.kind {
            Kind::Gap if !clause.characters.is_empty() && token.text.ends_with('(') && is_spoilt(place.start) => {
                // A note, if it is short.
                let note = |token: &Token| token.kind != Kind::Gap || !token.text.contains([')', '。', '\n']);
                while let Some(inside) = tokens.next_if(|next| note(next) && at - place.start < LONGEST_NOTE) {
                    at += inside.chars;
                }
                let closes = tokens.next_if(|next| next.text.starts_with(')'));
                at += closes.map_or(0, |token| token.chars);
                place.end = at;
                clause.signs.push((place.start, place.end));
                closes.is_some_and(|token| token.text.len() == 1)
            }
            Kind::Gap => !token.text.contains(['。', '，', '、', ';', ':', '!', '?', ',', '\n']),
            _ if !is_spoilt(place.start) => false,
            Kind::Single(character) if is_han(character) => {
                // Signs behind which no character came are none between two.
                for (first, last) in clause.signs.drain(..) {
                    edits.push(Edit { place: first..last, text: String::new() });
                }
                clause.characters.push(character);
                clause.places.push(place.start);
                clause.characters.len() <= CLAUSE
            }
            _ if !clause.characters.is_empty() && token.chars <= LONGEST_SIGN => {
                clause.signs.push((place.start, place.end));
                clause.signs.len() <= 1
            }
            _ => false,
        };
        if !goes_on {
            std::mem::take(&mut clause).restore(&mut edits);
        }
    }
    clause.restore(&mut edits);
    edits
}

/// The characters that stand in the place of some: as many, or none for one that was put in.
type Written = Vec<Option<char>>;

impl Clause {
    fn restore(self, edits: &mut Vec<Edit>) {
        if self.characters.is_empty() {
            return; // the words are read for the first clause that has some
        }
        for ((written, character), place) in
            likeliest(&self.characters).into_iter().zip(self.characters).zip(self.places)
        {
            if written != Some(character) {
                edits.push(Edit { place: place..place + 1, text: written.map(String::from).unwrap_or_default() });
            }
        }
    }
}

/// For each of some characters the one that was likeliest meant, or none if it was put in.
fn likeliest(characters: &[char]) -> Written {
    let words = Words::built_in();
    // For each end the cheapest way there: its cost, where its last step begins, and what is written there.
    let mut best: Vec<(u32, usize, Written)> = vec![(u32::MAX, 0, Vec::new()); characters.len() + 1];
    best[0].0 = 0;
    for start in 0..characters.len() {
        let so_far = best[start].0;
        let rest = &characters[start..];
        let mut put = |cost: u32, written: &dyn Fn() -> Written, len: usize| {
            let cost = so_far.saturating_add(cost);
            if cost < best[start + len].0 {
                best[start + len] = (cost, start, written());
            }
        };
        let as_it_is = |part: &[char]| part.iter().copied().map(Some).collect::<Written>();
        put(UNKNOWN, &|| as_it_is(&rest[..1]), 1);
        put(PUT_IN, &|| vec![None], 1);
        for len in 1..=LONGEST.min(rest.len()) {
            let part = &rest[..len];
            if let Some(cost) = words.cost(part) {
                put(cost, &|| as_it_is(part), len);
            }
            if len == 1 {
                continue;
            }
            for alike in words.alike(part) {
                let changed = part.iter().zip(alike).filter(|(a, b)| a != b).count() as u32;
                let cost = words.cost(&alike[..len]).unwrap_or(UNKNOWN) + changed * SOUNDS_ALIKE;
                put(cost, &|| as_it_is(&alike[..len]), len);
            }
            for at in 1..len {
                // Two neighbours swapped, within a word or where two words meet.
                let mut swapped = word(part.iter().copied());
                swapped.swap(at - 1, at);
                for border in 1..=len {
                    if let Some(cost) = of_words(words, &swapped, border, len) {
                        put(cost + SWAPPED, &|| as_it_is(&swapped[..len]), len);
                    }
                }
            }
        }
        // A character that was put into a word.
        for len in 3..=(LONGEST + 1).min(rest.len()) {
            for inside in 1..len - 1 {
                let without = [&rest[..inside], &rest[inside + 1..len]].concat();
                if let Some(cost) = words.cost(&without) {
                    let written = || (0..len).map(|at| (at != inside).then(|| rest[at])).collect();
                    put(cost + PUT_IN, &written, len);
                }
            }
        }
    }
    let (mut written, mut end) = (Vec::new(), characters.len());
    while end > 0 {
        let (_, start, step) = std::mem::take(&mut best[end]);
        written.extend(step.into_iter().rev());
        end = start;
    }
    written.reverse();
    written
}

/// What some characters cost as a word up to a border and another behind it.
fn of_words(words: &Words, characters: &Word, border: usize, len: usize) -> Option<u32> {
    let first = words.cost(&characters[..border])?;
    if border == len { Some(first) } else { Some(first + words.cost(&characters[border..len])?) }
}

#[cfg(test)]
mod tests {
    use super::super::applied;
    use super::*;
    use crate::normalise::Normalised;

    fn restored(text: &str) -> String {
        let normalised = Normalised::of(text);
        applied(&normalised, edits(&normalised.text, |_| true)).text
    }

    #[test]
    fn characters_are_restored_however_they_were_spoilt() {
        let honest = "工程师在沼泽前面修筑堤坝使它失去泥沙";
        for spoilt in [
            honest,
            "工程1师在2沼泽3前面4修筑5堤坝6使它7失去8泥沙",
            "工程n师在n沼泽n前面n修筑n堤坝n使它n失去n泥沙",
            "公程师在照泽前棉修住堤坝使它师去泥沙",
            "工程（见图5）师在沼泽（注）前面修筑（见图18）堤坝使它失去（参见表3）泥沙",
            "工程师沼在泽前面修堤筑坝使它失泥去沙",
            "工程哈师在沼坷泽前搂面修筑堤灰坝使它失桥去泥沙",
        ] {
            assert_eq!(restored(spoilt), honest, "{spoilt}");
        }
    }

    #[test]
    fn honest_characters_stay_as_they_are() {
        for honest in ["每一次潮水都在植物的茎之间留下一层淤泥", "地面随着海面一起升高。"]
        {
            assert_eq!(restored(honest), Normalised::of(honest).text);
        }
    }
}
