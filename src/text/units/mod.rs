//! Units: the atoms that everything after the text is made of.
//!
//! A unit is a Han character, or a word of any other script (Unicode Standard Annex #29); punctuation and white
//! space are none. One engine therefore serves all languages and their mixtures.

mod words;

use super::flag;
use super::normalise::{Normalised, normalise};
use super::offsets::Cursor;
use unicode_segmentation::UnicodeSegmentation;
use words::{WordTable, character_hash, is_stop_character};

/// The units of one text, in reading order, as parallel arrays of equal length.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Units {
    /// Value-stable hash of the normalised form.
    pub hash: Vec<u32>,
    /// Value-stable hash of the word's stem; of a Han character the same as `hash`.
    pub stem: Vec<u32>,
    /// Where the unit starts in the extracted text, in characters.
    pub start: Vec<u32>,
    /// Where it ends in the extracted text, in characters, exclusive.
    pub end: Vec<u32>,
    /// Characters of opening punctuation right before the unit (at most 255).
    pub open: Vec<u8>,
    /// Characters of closing punctuation right after the unit (at most 255).
    pub close: Vec<u8>,
    /// Bits of [`flag`].
    pub flags: Vec<u8>,
    /// Countable characters: the letters and digits of the normalised unit (at most 65,535). Zero-width characters
    /// and the like are none, so that stuffing them in does not change a ratio.
    pub countable: Vec<u16>,
    /// Characters (Unicode scalar values) of the whole extracted text.
    pub text_chars: u32,
}

impl Units {
    /// Normalises a text and cuts it into units. For many texts keep a [`Segmenter`].
    pub fn from_text(text: &str) -> Units {
        Segmenter::new().units(&normalise(text))
    }

    /// The number of units.
    pub fn len(&self) -> usize {
        self.hash.len()
    }

    /// Makes room for so many more units.
    pub(crate) fn reserve(&mut self, units: usize) {
        let Units { hash, stem, start, end, open, close, flags, countable, text_chars: _ } = self;
        [hash, stem, start, end].into_iter().for_each(|column| column.reserve(units));
        [open, close, flags].into_iter().for_each(|column| column.reserve(units));
        countable.reserve(units);
    }

    /// Whether there is no unit at all.
    pub fn is_empty(&self) -> bool {
        self.hash.is_empty()
    }

    /// The characters of the units `from..to` (which may not be empty), with the punctuation that hugs them:
    /// from the first opening mark before to the last closing mark after.
    pub fn span(&self, from: usize, to: usize) -> std::ops::Range<u32> {
        self.start[from] - u32::from(self.open[from])..self.end[to - 1] + u32::from(self.close[to - 1])
    }
}

/// Cuts normalised texts into units and remembers the words it has seen. One per thread.
pub struct Segmenter {
    words: WordTable,
}

impl Default for Segmenter {
    fn default() -> Self {
        Segmenter::new()
    }
}

impl Segmenter {
    /// A segmenter that knows no word yet.
    pub fn new() -> Self {
        Segmenter { words: WordTable::new() }
    }

    /// The units of a normalised text, with their places in the original one.
    pub fn units(&mut self, normalised: &Normalised) -> Units {
        let mut units = Units { text_chars: clamp(normalised.offsets.original_len()), ..Units::default() };
        let mut cursor = normalised.offsets.cursor();
        let mut gap = Gap::at_start();
        let mut at = 0; // characters of the normalised text before the token
        for token in normalised.text.split_word_bounds() {
            let chars = if token.len() == 1 { 1 } else { token.chars().count() };
            let Some(first) = token.chars().find(|c| c.is_alphanumeric()) else {
                gap.push(token);
                at += chars;
                continue;
            };
            let single = is_written_without_spaces(first);
            let (hash, stem, stop) = if single {
                let hash = character_hash(first);
                (hash, hash, is_stop_character(first))
            } else {
                let facts = self.words.look_up(token);
                (facts.hash, facts.stem, facts.stop)
            };
            let (first_place, last_place, disguise) = place(&mut cursor, at..at + chars, gap.is_none());
            // One character may stand for several units (㍻ is 平成): the later ones get what is left of it, nothing.
            let first_place = clamp(first_place).max(units.end.last().copied().unwrap_or(0));
            let last_place = clamp(last_place).max(first_place);
            if let Some(last) = units.close.last_mut() {
                *last = gap.close;
            }
            units.hash.push(hash);
            units.stem.push(stem);
            units.start.push(first_place);
            units.end.push(last_place);
            units.open.push(gap.open);
            units.close.push(0);
            units.flags.push(
                disguise & flag::DISGUISE
                    | gap.borders()
                    | if single { flag::HAN } else { 0 }
                    | if stop { flag::STOP } else { 0 },
            );
            let countable = token.chars().filter(|c| c.is_alphanumeric()).count();
            units.countable.push(countable.min(usize::from(u16::MAX)) as u16);
            gap = Gap::default();
            at += chars;
        }
        if let Some(last) = units.close.last_mut() {
            *last = gap.close;
        }
        drop_hugs_that_cross_deleted_characters(&mut units);
        units
    }
}

/// Where the characters of a unit stand in the original, and the disguises undone in them. What was deleted between two
/// units that touch counts for the second: zero-width characters between Han characters show nowhere else.
fn place(cursor: &mut Cursor, characters: std::ops::Range<usize>, touches: bool) -> (usize, usize, u8) {
    let first = cursor.at(characters.start);
    let mut flags = first.flags | if touches { first.gap } else { 0 };
    let mut end = first.span.end;
    for character in characters.skip(1) {
        let place = cursor.at(character);
        flags |= place.flags | place.gap;
        end = place.span.end;
    }
    (first.span.start, end, flags)
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

/// Whether each character of this script stands for itself: Han, hiragana, and the iteration marks among them.
fn is_written_without_spaces(c: char) -> bool {
    matches!(c as u32,
        0x3005..=0x3007 | 0x3040..=0x309f | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}

/// What stands between two units.
#[derive(Default)]
struct Gap {
    borders: u8,
    /// Closing punctuation seen before any white space or opening mark.
    close: u8,
    /// Opening punctuation with nothing after it so far.
    open: u8,
    left_the_word: bool,
    seen: bool,
    /// A full stop was seen and nothing but closing marks since: white space now ends a sentence.
    stop_pending: bool,
    /// A semicolon was seen, and no white space since: a Chinese one, which ends a clause.
    semicolon_pending: bool,
}

impl Gap {
    fn at_start() -> Self {
        Gap { borders: flag::LINE | flag::SENTENCE, left_the_word: true, seen: true, ..Gap::default() }
    }

    /// Whether nothing at all stands between the two units.
    fn is_none(&self) -> bool {
        !self.seen
    }

    /// The border bits for the unit that ends the gap.
    fn borders(&self) -> u8 {
        self.borders | if self.semicolon_pending { flag::SENTENCE } else { 0 }
    }

    fn push(&mut self, token: &str) {
        self.seen = true;
        for c in token.chars() {
            let opening =
                matches!(c, '“' | '‘' | '（' | '《' | '〈' | '「' | '『' | '【' | '(' | '[' | '{' | '"' | '«' | '<');
            if c.is_whitespace() {
                if c == '\n' {
                    self.borders |= flag::LINE;
                }
                if self.stop_pending {
                    self.borders |= flag::SENTENCE;
                }
                self.left_the_word = true;
                self.semicolon_pending = false;
                self.open = 0;
            } else if opening && (c != '"' || self.left_the_word) {
                self.left_the_word = true;
                self.open = self.open.saturating_add(1);
            } else {
                if !self.left_the_word {
                    self.close = self.close.saturating_add(1);
                }
                self.open = 0;
            }
            match c {
                // NFKC has folded the full-width marks to the ASCII ones, which need no white space after them.
                '。' | '!' | '?' => self.borders |= flag::SENTENCE,
                ';' => self.semicolon_pending = true,
                '.' => self.stop_pending = true,
                '"' | '”' | '’' | ')' | ']' | '\'' | '」' | '』' => {}
                _ => self.stop_pending = false,
            }
        }
    }
}

#[cfg(test)]
mod tests;
