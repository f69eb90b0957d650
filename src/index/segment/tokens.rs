//! The units of a document as they are kept: without their words, only hashes and places.
//!
//! A segment has one vocabulary, in the order in which its words first occurred, so that frequent words have small
//! numbers. A document is a row of these numbers and, beside it, a row of bytes that says how each unit lies in the
//! text. Both are compressed together (zstd).

use super::varint;
use crate::text::units::{Units, flag};
use ahash::AHashMap;

/// What a unit is, apart from where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Word {
    hash: u32,
    stem: u32,
    countable: u16,
    /// [`flag::HAN`] and [`flag::STOP`].
    flags: u8,
}

/// Bytes of a word in the vocabulary's section.
const WORD_BYTES: usize = 11;

/// The words of a segment that is being built.
#[derive(Debug, Default)]
pub(super) struct VocabularyBuilder {
    numbers: AHashMap<Word, u32>,
    bytes: Vec<u8>,
}

impl VocabularyBuilder {
    fn number(&mut self, word: Word) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(word).or_insert_with(|| {
            self.bytes.extend_from_slice(&word.hash.to_le_bytes());
            self.bytes.extend_from_slice(&word.stem.to_le_bytes());
            self.bytes.extend_from_slice(&word.countable.to_le_bytes());
            self.bytes.push(word.flags);
            next
        })
    }

    /// The section's bytes: the words one after the other.
    pub(super) fn finish(self) -> Vec<u8> {
        self.bytes
    }

    /// How many bytes the section has so far.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }
}

/// Of the layout byte: how many characters lie between the unit before and this one (3: a number follows), ...
const GAP: u8 = 0b11;
/// ... whether a line or a sentence ends between them, ...
const LINE: u8 = 1 << 2;
const SENTENCE: u8 = 1 << 3;
/// ... whether one closing mark follows the unit before, whether one opening mark stands before this one, ...
const CLOSE: u8 = 1 << 4;
const OPEN: u8 = 1 << 5;
/// ... whether more than one of them does (their numbers follow), ...
const MANY: u8 = 1 << 6;
/// ... and whether the unit is longer or shorter than its countable characters, or was disguised (both follow).
const ODD: u8 = 1 << 7;

/// Appends the units to `out`.
pub(super) fn encode(units: &Units, vocabulary: &mut VocabularyBuilder, out: &mut Vec<u8>) {
    varint::put(out, units.len() as u64);
    varint::put(out, u64::from(units.text_chars));
    let mut before_end = 0;
    let mut layout = Vec::with_capacity(units.len() + 16);
    for i in 0..units.len() {
        let word = Word {
            hash: units.hash[i],
            stem: units.stem[i],
            countable: units.countable[i],
            flags: units.flags[i] & (flag::HAN | flag::STOP),
        };
        varint::put(out, u64::from(vocabulary.number(word)));

        let gap = units.start[i] - before_end;
        let close = if i == 0 { 0 } else { units.close[i - 1] };
        let length = units.end[i] - units.start[i];
        let disguise = units.flags[i] & flag::DISGUISE;
        let many = close > 1 || units.open[i] > 1;
        let odd = length != u32::from(units.countable[i]) || disguise != 0;
        let bit = |set: bool, bit: u8| if set { bit } else { 0 };
        layout.push(
            gap.min(3) as u8
                | bit(units.flags[i] & flag::LINE != 0, LINE)
                | bit(units.flags[i] & flag::SENTENCE != 0, SENTENCE)
                | bit(close > 0, CLOSE)
                | bit(units.open[i] > 0, OPEN)
                | bit(many, MANY)
                | bit(odd, ODD),
        );
        if gap >= 3 {
            varint::put(&mut layout, u64::from(gap));
        }
        if many {
            layout.extend_from_slice(&[close, units.open[i]]);
        }
        if odd {
            varint::put(&mut layout, u64::from(length));
            layout.push(disguise);
        }
        before_end = units.end[i];
    }
    layout.push(units.close.last().copied().unwrap_or(0));
    varint::put(out, layout.len() as u64);
    out.append(&mut layout);
}

/// Takes units off the front; `None` when the bytes are no units. `vocabulary` is the section's bytes.
pub(super) fn decode(bytes: &mut &[u8], vocabulary: &[u8]) -> Option<Units> {
    let count = varint::take_u32(bytes)? as usize;
    let text_chars = varint::take_u32(bytes)?;
    if count > bytes.len() {
        return None; // every unit takes at least a byte: a larger count is damage, and no reason to allocate
    }
    let mut units = Units { text_chars, ..Units::default() };
    for _ in 0..count {
        let at = varint::take(bytes)?.checked_mul(WORD_BYTES as u64)?;
        let word = vocabulary.get(usize::try_from(at).ok()?..)?.first_chunk::<WORD_BYTES>()?;
        units.hash.push(u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        units.stem.push(u32::from_le_bytes([word[4], word[5], word[6], word[7]]));
        units.countable.push(u16::from_le_bytes([word[8], word[9]]));
        units.flags.push(word[10]);
    }
    let length = usize::try_from(varint::take(bytes)?).ok()?;
    let mut layout = bytes.get(..length)?;
    *bytes = &bytes[length..];
    let mut before_end = 0u32;
    for i in 0..count {
        let (&code, rest) = layout.split_first()?;
        layout = rest;
        let gap = if code & GAP == 3 { varint::take_u32(&mut layout)? } else { u32::from(code & GAP) };
        let (mut close, mut open) = (u8::from(code & CLOSE != 0), u8::from(code & OPEN != 0));
        if code & MANY != 0 {
            let (numbers, rest) = layout.split_first_chunk::<2>()?;
            (close, open, layout) = (numbers[0], numbers[1], rest);
        }
        let (mut length, mut disguise) = (u32::from(units.countable[i]), 0);
        if code & ODD != 0 {
            length = varint::take_u32(&mut layout)?;
            (disguise, layout) = layout.split_first().map(|(&bits, rest)| (bits, rest))?;
        }
        let start = before_end.checked_add(gap)?;
        before_end = start.checked_add(length)?;
        units.start.push(start);
        units.end.push(before_end);
        if i > 0 {
            units.close.push(close);
        }
        units.open.push(open);
        units.flags[i] |= disguise & flag::DISGUISE
            | if code & LINE != 0 { flag::LINE } else { 0 }
            | if code & SENTENCE != 0 { flag::SENTENCE } else { 0 };
    }
    let (&last, []) = layout.split_first()? else { return None };
    if count > 0 {
        units.close.push(last);
    }
    Some(units)
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn units_of_any_text_come_back_as_they_went_in(
            texts in proptest::collection::vec("\\PC{0,120}|[a-z“”\\.\u{200b}\u{301}潮圖。「」\n ]{0,200}", 1..4),
        ) {
            let mut vocabulary = VocabularyBuilder::default();
            let mut bytes = Vec::new();
            let units: Vec<Units> = texts.iter().map(|text| Units::from_text(text)).collect();
            units.iter().for_each(|u| encode(u, &mut vocabulary, &mut bytes));
            let vocabulary = vocabulary.finish();
            let mut rest = bytes.as_slice();
            for expected in &units {
                assert_eq!(decode(&mut rest, &vocabulary).as_ref(), Some(expected));
            }
            assert!(rest.is_empty());
        }

        #[test]
        fn arbitrary_bytes_never_panic(bytes: Vec<u8>, vocabulary: Vec<u8>) {
            let _ = decode(&mut bytes.as_slice(), &vocabulary);
        }
    }
}
