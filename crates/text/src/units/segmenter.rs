//! Cuts normalised texts into units.

use super::columns::Units;
use super::gap::Gap;
use super::runs::{Sink, hand_on};
use super::tokens::{Kind, Token, Tokens};
use super::words::{Padded, WordTable, character_hash, is_stop_character, padded, stable_hash};
use crate::flag;
use crate::normalise::Normalised;

impl Units {
    /// Normalises a text and cuts it into units. For many texts keep a [`Segmenter`].
    pub fn from_text(text: &str) -> Units {
        Segmenter::new().units(&Normalised::of(text))
    }
}

/// How many words are looked up at a time, so that the processor can wait for many places of a large table at once.
const LOOKED_UP_TOGETHER: usize = 1 << 12;

/// Cuts normalised texts into units and remembers the words it has seen. One per thread.
pub struct Segmenter {
    words: WordTable,
    /// The words of the text at hand, each with its unit, or its countable characters.
    to_look_up: Vec<(Padded, u32)>,
}

impl Default for Segmenter {
    fn default() -> Self {
        Segmenter::new()
    }
}

impl Segmenter {
    /// A segmenter that knows no word yet.
    pub fn new() -> Self {
        Segmenter { words: WordTable::new(), to_look_up: Vec::new() }
    }

    /// The units of a normalised text, with their places in the original one.
    pub fn units(&mut self, normalised: &Normalised) -> Units {
        let text_chars = clamp(normalised.offsets.original_len());
        let mut units = Units { text_chars, ..Units::default() };
        units.reserve(likely_units(&normalised.text));
        let mut cursor = normalised.offsets.cursor();
        let mut gap = Gap::at_start();
        let mut at = 0; // characters of the normalised text before the token
        let mut end = 0; // where the unit before ends in the original
        for token in Tokens::of(&normalised.text) {
            let (hash, stem, kind) = match token.kind {
                Kind::Gap => {
                    gap.push(token.text);
                    at += token.chars;
                    continue;
                }
                Kind::Single(character) => {
                    let hash = character_hash(character);
                    let stop = if is_stop_character(character) { flag::STOP } else { 0 };
                    (hash, hash, flag::HAN | stop)
                }
                Kind::Word => {
                    let hash = self.hash(&token);
                    match padded(token.text) {
                        Some(word) => {
                            if self.to_look_up.len() == LOOKED_UP_TOGETHER {
                                self.look_up(&mut units);
                            }
                            self.to_look_up.push((word, units.len() as u32));
                            (hash, 0, 0)
                        }
                        None => {
                            let facts = self.words.facts(token.text);
                            (hash, facts.stem, facts.flags())
                        }
                    }
                }
            };
            let place = cursor.range(at..at + token.chars);
            // What was deleted between two units that touch counts for the second: zero-width characters between Han
            // characters show nowhere else.
            let disguise = place.flags | if gap.is_none() { place.gap } else { 0 };
            // One character may stand for several units (㍻ is 平成): the later ones get what is left of it, nothing.
            let start = clamp(place.span.start).max(end);
            end = clamp(place.span.end).max(start);
            if let Some(last) = units.close.last_mut() {
                *last = gap.close;
            }
            units.hash.push(hash);
            units.stem.push(stem);
            units.start.push(start);
            units.end.push(end);
            units.open.push(gap.open);
            units.close.push(0);
            units.flags.push(disguise & flag::DISGUISE | gap.borders() | kind);
            units.countable.push(token.countable.min(usize::from(u16::MAX)) as u16);
            gap = Gap::default();
            at += token.chars;
        }
        if let Some(last) = units.close.last_mut() {
            *last = gap.close;
        }
        self.look_up(&mut units);
        drop_hugs_that_cross_deleted_characters(&mut units);
        units
    }

    /// Completes the units whose words are still to be looked up.
    fn look_up(&mut self, units: &mut Units) {
        for (word, unit) in self.to_look_up.drain(..) {
            let facts = self.words.look_up(word);
            units.stem[unit as usize] = facts.stem;
            units.flags[unit as usize] |= facts.flags();
        }
    }

    /// The hashes of a normalised text's units alone, appended to `hashes`: the same as [`Units::hash`].
    pub fn hashes(&mut self, normalised: &Normalised, hashes: &mut Vec<u32>) {
        hashes.reserve(likely_units(&normalised.text));
        hand_on(&normalised.text, &mut Hashes { segmenter: self, hashes });
    }

    /// As [`Segmenter::hashes`], and besides the stem and the countable characters of each word that is no stop word, in any
    /// order, appended to `words`. Tells whether there is a Han character.
    pub fn hashes_and_words(
        &mut self,
        normalised: &Normalised,
        hashes: &mut Vec<u32>,
        words: &mut Vec<(u32, u16)>,
    ) -> bool {
        hashes.reserve(likely_units(&normalised.text));
        let hashes = Hashes { segmenter: self, hashes };
        let mut sink = HashesAndWords { hashes, words, han: false };
        hand_on(&normalised.text, &mut sink);
        let han = sink.han;
        for (word, countable) in self.to_look_up.drain(..) {
            let facts = self.words.look_up(word);
            words.extend((!facts.stop).then_some((facts.stem, countable as u16)));
        }
        han
    }

    #[inline]
    fn hash(&mut self, word: &Token) -> u32 {
        let letters_alone = word.countable == word.text.len();
        if letters_alone { stable_hash(word.text) } else { self.words.hash(word.text) }
    }
}

/// Keeps the hashes.
struct Hashes<'a> {
    segmenter: &'a mut Segmenter,
    hashes: &'a mut Vec<u32>,
}

impl Sink for Hashes<'_> {
    #[inline(always)]
    fn run(&mut self, word: &str) {
        self.hashes.push(stable_hash(word));
    }

    #[inline(always)]
    fn word(&mut self, word: &Token) {
        self.hashes.push(self.segmenter.hash(word));
    }

    #[inline(always)]
    fn single(&mut self, character: char) {
        self.hashes.push(character_hash(character));
    }
}

/// Keeps the hashes, and the stems of words or what it takes to look them up.
struct HashesAndWords<'a> {
    hashes: Hashes<'a>,
    words: &'a mut Vec<(u32, u16)>,
    han: bool,
}

impl HashesAndWords<'_> {
    #[inline(always)]
    fn keep(&mut self, word: &str, countable: usize) {
        let countable = countable.min(usize::from(u16::MAX)) as u16;
        let segmenter = &mut self.hashes.segmenter;
        match padded(word) {
            Some(word) => segmenter.to_look_up.push((word, u32::from(countable))),
            None => {
                let facts = segmenter.words.facts(word);
                self.words.extend((!facts.stop).then_some((facts.stem, countable)));
            }
        }
    }
}

impl Sink for HashesAndWords<'_> {
    #[inline(always)]
    fn run(&mut self, word: &str) {
        self.hashes.run(word);
        self.keep(word, word.len());
    }

    #[inline(always)]
    fn word(&mut self, word: &Token) {
        self.hashes.word(word);
        self.keep(word.text, word.countable);
    }

    #[inline(always)]
    fn single(&mut self, character: char) {
        self.hashes.single(character);
        self.han = true;
    }
}

/// About how many units a text has, to reserve memory for: words are of some six bytes, Han characters of three.
fn likely_units(text: &str) -> usize {
    if text.as_bytes().iter().take(64).filter(|byte| byte.is_ascii()).count() > 32 {
        text.len() / 5
    } else {
        text.len() / 3
    }
}

/// Offsets are 32-bit: the readers' limit on a document's size keeps real ones far below.
fn clamp(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// `open` and `close` count normalised punctuation; where the original holds more or fewer characters than that
/// (ligatures, deleted marks), a neighbour's span could be entered. Such counts are cut to the room there is.
fn drop_hugs_that_cross_deleted_characters(units: &mut Units) {
    for i in 0..units.len() {
        let before = if i == 0 { 0 } else { units.end[i - 1] + u32::from(units.close[i - 1]) };
        let room_before = units.start[i].saturating_sub(before);
        units.open[i] = u32::from(units.open[i]).min(room_before) as u8;
        let after = if i + 1 == units.len() { units.text_chars } else { units.start[i + 1] };
        let room_after = after.saturating_sub(units.end[i]);
        units.close[i] = u32::from(units.close[i]).min(room_after) as u8;
    }
}
