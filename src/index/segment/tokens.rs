//! The units of documents as they are kept: without their words, only hashes and places, in about twelve bits each.
//!
//! A segment has one vocabulary, the most frequent words first. A unit is the number of its word in the vocabulary and
//! how it lies in the text. The number n takes the length of n + 1 in bits, as a Huffman code, and the bits behind the
//! first: by Zipf's law the words of equal length are about equally frequent, so that this comes within a few hundredths
//! of a bit of their entropy. Most units lie in the text as one expects (a word after one space, a Han character
//! after none); the Huffman code tells too whether this one does, and if not, its layout follows.
//!
//! The units of a document are cut into blocks of [`BLOCK_UNITS`], each from a whole byte on, so that a stretch of a long
//! document is read without what stands before it.

use super::block_lengths::BlockLengths;
use super::slot::Bytes;
use crate::hamming::coding::bits::{BitReader, BitWriter, PEEKED};
use crate::hamming::coding::huffman::{Decoder, Encoder, LONGEST, code_lengths};
use crate::text::flag;
use crate::text::units::{Stretch, Units};
use ahash::AHashMap;
use std::cmp::Reverse;
use std::hash::{Hash, Hasher};
use std::io::{self, Write};

/// What a unit is, apart from where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Word {
    hash: u32,
    stem: u32,
    countable: u16,
    /// [`flag::HAN`], [`flag::STOP`] and [`flag::NUMBER`].
    flags: u8,
}

impl Hash for Word {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // It tells nearly all words apart, and feeding all fields takes three times as long.
        state.write_u32(self.hash);
    }
}

/// Bytes of a word in the vocabulary's section.
const WORD_BYTES: usize = 11;

/// Units of a block, of which the last of a document may have fewer.
pub(in crate::index) const BLOCK_UNITS: usize = 128;

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

/// How most units lie in the text.
fn usual_layout(flags: u8) -> u8 {
    if flags & flag::HAN != 0 { 0 } else { 1 }
}

/// Symbols of the Huffman code of a unit: twice the class of its word, and one more when its layout follows.
const SYMBOLS: usize = 64;

/// Symbols of the Huffman code of a layout.
const LAYOUTS: usize = 256;

/// What must be known of all units before the first is written: the words, and how often each lies as usual or not.
#[derive(Debug)]
pub(super) struct TokenStatistics {
    numbers: AHashMap<Word, u32>,
    words: Vec<Word>,
    /// For each word how often it lies as most units do, and how often not.
    counts: Vec<[u32; 2]>,
    /// How often each layout is written.
    layouts: [u64; LAYOUTS],
}

impl Default for TokenStatistics {
    fn default() -> Self {
        let (numbers, words, counts) = (AHashMap::new(), Vec::new(), Vec::new());
        TokenStatistics { numbers, words, counts, layouts: [0; LAYOUTS] }
    }
}

/// In place of the number of a word that was not counted.
const NOT_COUNTED: u32 = u32::MAX;

/// A unit as it is coded.
pub(super) struct Coded<'a> {
    /// The number of its word in the segment's vocabulary.
    pub rank: u32,
    /// Its layout, if that is not the usual one.
    unusual: Option<u8>,
    /// The numbers that follow the layout.
    details: &'a [u32],
}

/// The layout of a unit if it is not the usual one.
fn unusual(word: Word, layout: u8) -> Option<u8> {
    (layout != usual_layout(word.flags)).then_some(layout)
}

impl TokenStatistics {
    /// Counts a unit and gives the number of its word, in the order in which words first occurred.
    fn count(&mut self, word: Word, layout: u8) -> u32 {
        let number = self.number(word);
        self.count_number(number, unusual(word, layout));
        number
    }

    /// The number of a word.
    fn number(&mut self, word: Word) -> u32 {
        let next = self.words.len() as u32;
        let number = *self.numbers.entry(word).or_insert(next);
        if number == next {
            self.words.push(word);
            self.counts.push([0; 2]);
        }
        number
    }

    fn count_number(&mut self, number: u32, unusual: Option<u8>) {
        self.counts[number as usize][usize::from(unusual.is_some())] += 1;
        if let Some(layout) = unusual {
            self.layouts[usize::from(layout)] += 1;
        }
    }

    /// Counts a unit as another segment, with this vocabulary, has it. `numbers` has the numbers here of the words there that were
    /// counted before: a word is looked up once and not each time it occurs. `None` when there is no such word.
    pub(super) fn count_token(&mut self, vocabulary: &impl Bytes, numbers: &mut Vec<u32>, token: &Coded) -> Option<()> {
        let rank = token.rank as usize;
        let number = match numbers.get(rank) {
            Some(&number) if number != NOT_COUNTED => number,
            _ => {
                let number = self.number(Word::of(vocabulary, token.rank)?);
                numbers.resize(numbers.len().max(rank + 1), NOT_COUNTED);
                numbers[rank] = number;
                number
            }
        };
        self.count_number(number, token.unusual);
        Some(())
    }

    /// The code for all units counted.
    pub(super) fn code(self) -> TokenCode {
        let total =
            |number: u32| u64::from(self.counts[number as usize][0]) + u64::from(self.counts[number as usize][1]);
        let mut order: Vec<u32> = (0..self.words.len() as u32).collect();
        order.sort_by_key(|&number| (Reverse(total(number)), number));
        let mut ranks = vec![0u32; order.len()];
        let mut symbol_counts = [0; SYMBOLS];
        let mut vocabulary = Vec::with_capacity(order.len() * WORD_BYTES);
        for (rank, &number) in (0..).zip(&order) {
            ranks[number as usize] = rank;
            for unusual in [false, true] {
                symbol_counts[symbol(rank, unusual)] += u64::from(self.counts[number as usize][usize::from(unusual)]);
            }
            let word = &self.words[number as usize];
            vocabulary.extend_from_slice(&word.hash.to_le_bytes());
            vocabulary.extend_from_slice(&word.stem.to_le_bytes());
            vocabulary.extend_from_slice(&word.countable.to_le_bytes());
            vocabulary.push(word.flags);
        }
        let (symbol_lengths, layout_lengths) = (code_lengths(&symbol_counts), code_lengths(&self.layouts));
        let (symbols, layouts) = (Encoder::new(&symbol_lengths), Encoder::new(&layout_lengths));
        let codes = [symbol_lengths, layout_lengths].concat();
        TokenCode { words: self.words, ranks, symbols, layouts, vocabulary, codes }
    }
}

/// How the units of a segment are coded.
pub(super) struct TokenCode {
    words: Vec<Word>,
    /// The ranks of the words, by their numbers.
    ranks: Vec<u32>,
    symbols: Encoder,
    layouts: Encoder,
    /// Two sections of the segment.
    pub vocabulary: Vec<u8>,
    pub codes: Vec<u8>,
}

/// Writes the units of documents, one after the other.
pub(super) struct TokensWriter<'a, W> {
    out: W,
    code: &'a TokenCode,
    written: u64,
    /// The blocks of the document at hand that are whole.
    of_document: Vec<u8>,
    /// The block at hand.
    bits: BitWriter,
    units: usize,
    /// How long they are, in bytes.
    lengths: Vec<u32>,
    /// The [`BlockLengths`] of each document.
    pub blocks: Vec<u8>,
    /// Where the tokens of each document end, and how many bytes of `blocks` there are up to there.
    pub ends: Vec<(u64, u32)>,
}

impl<'a, W: Write> TokensWriter<'a, W> {
    pub(super) fn new(out: W, code: &'a TokenCode) -> Self {
        let (of_document, bits) = (Vec::new(), BitWriter::default());
        let (lengths, blocks, ends) = (Vec::new(), Vec::new(), Vec::new());
        TokensWriter { out, code, written: 0, of_document, bits, units: 0, lengths, blocks, ends }
    }

    /// Writes a unit of a segment, whose words have `numbers` by [`TokenStatistics::count_token`]; `None` when no such unit was
    /// counted: its bytes are not those that were read then.
    pub(super) fn put_token(&mut self, numbers: &[u32], token: &Coded) -> Option<()> {
        self.put(*numbers.get(token.rank as usize)?, token.unusual, token.details)
    }

    /// Writes a unit by the number of its word, and its layout if that is not the usual one; `None` when no such unit was counted.
    fn put(&mut self, number: u32, unusual: Option<u8>, details: &[u32]) -> Option<()> {
        if self.units > 0 && self.units.is_multiple_of(BLOCK_UNITS) {
            let length = self.end_block();
            self.lengths.push(length as u32);
        }
        let code = self.code;
        let rank = *code.ranks.get(number as usize)?;
        code.symbols.put(symbol(rank, unusual.is_some()), &mut self.bits)?;
        self.bits.put(u64::from(rank) + 1, class(rank));
        if let Some(layout) = unusual {
            code.layouts.put(usize::from(layout), &mut self.bits)?;
            details.iter().for_each(|&number| self.bits.put_gamma(number));
        }
        self.units += 1;
        Some(())
    }

    /// Ends and writes a document, whose last unit has `last_close` closing marks behind it.
    pub(super) fn end(&mut self, last_close: u8) -> io::Result<()> {
        self.bits.put_gamma(u32::from(last_close));
        self.end_block();
        self.out.write_all(&self.of_document)?;
        self.written += self.of_document.len() as u64;
        BlockLengths::write(&self.lengths, &mut self.blocks);
        self.lengths.clear();
        self.ends.push((self.written, self.blocks.len() as u32));
        self.units = 0;
        self.of_document.clear();
        Ok(())
    }

    /// Ends the block at hand and gives its bytes.
    fn end_block(&mut self) -> usize {
        let mut block = std::mem::take(&mut self.bits).finish();
        let length = block.len();
        self.of_document.append(&mut block);
        length
    }
}

/// Calls `take` with each unit: its word, its layout, and the numbers that follow a layout that says so.
fn for_each_token(units: &Units, mut take: impl FnMut(Word, u8, &[u32])) {
    let mut before_end = 0;
    for i in 0..units.len() {
        let word = Word {
            hash: units.hash[i],
            stem: units.stem[i],
            countable: units.countable[i],
            flags: units.flags[i] & (flag::HAN | flag::STOP | flag::NUMBER),
        };
        let gap = units.start[i] - before_end;
        let close = if i == 0 { 0 } else { units.close[i - 1] };
        let length = units.end[i] - units.start[i];
        let disguise = units.flags[i] & flag::DISGUISE;
        let many = close > 1 || units.open[i] > 1;
        let odd = length != u32::from(units.countable[i]) || disguise != 0;
        let bit = |set: bool, bit: u8| if set { bit } else { 0 };
        let layout = gap.min(3) as u8
            | bit(units.flags[i] & flag::LINE != 0, LINE)
            | bit(units.flags[i] & flag::SENTENCE != 0, SENTENCE)
            | bit(close > 0, CLOSE)
            | bit(units.open[i] > 0, OPEN)
            | bit(many, MANY)
            | bit(odd, ODD);
        let (mut details, mut count) = ([0; 5], 0);
        let mut detail = |number: u32| {
            details[count] = number;
            count += 1;
        };
        if gap >= 3 {
            detail(gap);
        }
        if many {
            detail(u32::from(close));
            detail(u32::from(units.open[i]));
        }
        if odd {
            detail(length);
            detail(u32::from(disguise));
        }
        take(word, layout, &details[..count]);
        before_end = units.end[i];
    }
}

/// The closing marks behind the last unit.
fn last_close(units: &Units) -> u8 {
    units.close.last().copied().unwrap_or(0)
}

/// The units of the documents of a segment that is being built.
#[derive(Debug, Default)]
pub(super) struct TokensBuilder {
    statistics: TokenStatistics,
    /// For each unit of all documents the number of its word, ...
    tokens: Vec<u32>,
    /// ... its layout, ...
    layouts: Vec<u8>,
    /// ... and the numbers that follow the layouts that say so.
    details: Vec<u32>,
    documents: Vec<Extent>,
}

/// Where a document's part of each row ends, and what follows its last unit.
#[derive(Debug)]
struct Extent {
    tokens: usize,
    last_close: u8,
}

impl TokensBuilder {
    /// About how many bytes of memory it takes.
    pub(super) fn memory(&self) -> usize {
        // A word of the vocabulary takes about this much in the map, twice over while that grows.
        64 * self.statistics.words.len() + 5 * self.tokens.len() + 4 * self.details.len()
    }

    /// Adds a document's units.
    pub(super) fn add(&mut self, units: &Units) {
        for_each_token(units, |word, layout, details| {
            self.tokens.push(self.statistics.count(word, layout));
            self.layouts.push(layout);
            self.details.extend_from_slice(details);
        });
        self.documents.push(Extent { tokens: self.tokens.len(), last_close: last_close(units) });
    }

    /// The code for all documents, and what writes them by it.
    pub(super) fn code(&mut self) -> TokenCode {
        std::mem::take(&mut self.statistics).code()
    }

    /// Writes all documents by the code that [`TokensBuilder::code`] gave.
    pub(super) fn write(&self, writer: &mut TokensWriter<impl Write>) -> io::Result<()> {
        let (mut from, mut detail) = (0, 0);
        for document in &self.documents {
            for (&token, &layout) in self.tokens[from..document.tokens].iter().zip(&self.layouts[from..]) {
                let details = number_of_details(layout);
                let unusual = unusual(writer.code.words[token as usize], layout);
                let put = writer.put(token, unusual, &self.details[detail..detail + details]);
                debug_assert!(put.is_some(), "every unit was counted when it was added");
                detail += details;
            }
            writer.end(document.last_close)?;
            from = document.tokens;
        }
        Ok(())
    }
}

/// How many bits follow the leading one of a word's rank plus one.
fn class(rank: u32) -> u8 {
    (u64::from(rank) + 1).ilog2() as u8
}

fn symbol(rank: u32, unusual: bool) -> usize {
    2 * usize::from(class(rank)) + usize::from(unusual)
}

fn number_of_details(layout: u8) -> usize {
    usize::from(layout & GAP == 3) + 2 * usize::from(layout & MANY != 0) + 2 * usize::from(layout & ODD != 0)
}

/// Reads units.
#[derive(Debug)]
pub(super) struct TokensReader {
    symbols: Decoder,
    /// For each value of the next bits how many of them a unit takes that lies in the text as most do; 0 for others.
    usual_bits: Vec<u8>,
    layouts: Decoder,
}

/// A unit as it stands in the bits.
struct Token {
    word: Word,
    layout: u8,
    /// Characters between the unit before and this one.
    gap: u32,
    length: u32,
    disguise: u8,
    /// Closing marks behind the unit before.
    close: u8,
    open: u8,
}

impl TokensReader {
    /// For the codes that [`TokensBuilder::finish`] gave; `None` if they are none.
    pub(super) fn new(codes: &[u8]) -> Option<Self> {
        let (symbols, layouts) = codes.split_at_checked(SYMBOLS)?;
        (layouts.len() == LAYOUTS).then_some(())?;
        let symbols = Decoder::new(symbols)?;
        let usual_bits = symbols.tabulate(|symbol, length| if symbol & 1 == 0 { length + (symbol >> 1) } else { 0 });
        Some(TokensReader { symbols, usual_bits, layouts: Decoder::new(layouts)? })
    }

    /// Reads the `count` units of a text of `text_chars` characters; `None` when the bytes are no units. `vocabulary` is the
    /// section's bytes.
    pub(super) fn read(&self, bytes: &[u8], count: u32, text_chars: u32, vocabulary: &impl Bytes) -> Option<Units> {
        let count = count as usize;
        if count / 8 > bytes.len() {
            return None; // every unit takes at least a bit: a larger count is damage, and no reason to allocate
        }
        let mut bits = BitReader::new(bytes);
        let mut units = Units { text_chars, ..Units::default() };
        units.reserve(count);
        let mut before_end = 0u32;
        for i in 0..count {
            if i.is_multiple_of(BLOCK_UNITS) {
                bits.align();
            }
            let Token { word, layout, gap, length, disguise, close, open } = self.take(&mut bits, vocabulary)?;
            let start = before_end.checked_add(gap)?;
            before_end = start.checked_add(length)?;
            units.hash.push(word.hash);
            units.stem.push(word.stem);
            units.countable.push(word.countable);
            units.start.push(start);
            units.end.push(before_end);
            if i > 0 {
                units.close.push(close);
            }
            units.open.push(open);
            units.flags.push(flags(word, layout, disguise));
        }
        let last_close = bits.take_gamma()?.try_into().ok()?;
        if count > 0 {
            units.close.push(last_close);
        }
        bits.is_within().then_some(units)
    }

    /// Calls `take` with each of `count` units and gives the closing marks behind the last one; `None` when the bytes are no units, or
    /// `take` says so.
    pub(super) fn for_each(&self, bytes: &[u8], count: u32, mut take: impl FnMut(&Coded) -> Option<()>) -> Option<u8> {
        let mut bits = BitReader::new(bytes);
        for i in 0..count as usize {
            if i.is_multiple_of(BLOCK_UNITS) {
                bits.align();
            }
            let (rank, is_unusual) = self.take_rank(&mut bits)?;
            let unusual = if is_unusual { Some(self.take_layout(&mut bits)?) } else { None };
            let details = unusual.as_ref().map_or(&[][..], |(layout, details)| &details[..number_of_details(*layout)]);
            take(&Coded { rank, unusual: unusual.map(|(layout, _)| layout), details })?;
            if !bits.is_within() {
                return None;
            }
        }
        let last_close = bits.take_gamma()?.try_into().ok()?;
        bits.is_within().then_some(last_close)
    }

    /// Reads the units from `skipped` to `end`, counted from the beginning of `bytes`, which is that of a block; without
    /// their places.
    pub(super) fn read_stretch(
        &self,
        bytes: &[u8],
        skipped: usize,
        end: usize,
        vocabulary: &impl Bytes,
        stretch: &mut Stretch,
    ) -> Option<()> {
        let mut bits = BitReader::new(bytes);
        for first in (0..end).step_by(BLOCK_UNITS) {
            bits.align();
            let last = end.min(first + BLOCK_UNITS);
            let wanted = skipped.clamp(first, last);
            self.pass_over(wanted - first, &mut bits)?;
            // First the ranks, then the words: each of these is a wait for memory, and so they are waited for together.
            let mut coded = [(0, 0, 0); BLOCK_UNITS];
            let coded = &mut coded[..last - wanted];
            for (rank, layout, disguise) in &mut *coded {
                let is_unusual;
                (*rank, is_unusual) = self.take_rank(&mut bits)?;
                if is_unusual {
                    let details;
                    (*layout, details) = self.take_layout(&mut bits)?;
                    if *layout & ODD != 0 {
                        *disguise = u8::try_from(details[number_of_details(*layout) - 1]).ok()?;
                    }
                }
            }
            for &mut (rank, layout, disguise) in coded {
                let word = Word::of(vocabulary, rank)?;
                stretch.push(word.hash, word.stem, flags(word, layout, disguise));
            }
        }
        bits.is_within().then_some(())
    }

    /// Passes over units without looking their words up, which takes most of the time that reading them takes.
    fn pass_over(&self, units: usize, bits: &mut BitReader) -> Option<()> {
        let mut left = units;
        while left > 0 {
            // Of units that lie as most do, as many as one word has.
            let (mut word, mut used) = (bits.peek(), 0);
            let mut taken = 1;
            while left > 0 && taken > 0 && used + u32::from(LONGEST) <= PEEKED {
                taken = u32::from(self.usual_bits[(word >> (64 - LONGEST)) as usize]);
                word <<= taken;
                used += taken;
                left -= usize::from(taken > 0);
            }
            bits.skip(used);
            if taken == 0 {
                let (_, is_unusual) = self.take_rank(bits)?;
                if is_unusual {
                    self.take_layout(bits)?;
                }
                left -= 1;
            }
        }
        Some(())
    }

    /// The number of the next unit's word, and whether its layout follows.
    #[inline(always)]
    fn take_rank(&self, bits: &mut BitReader) -> Option<(u32, bool)> {
        // A code and the rank behind it are less than a word.
        let peeked = bits.peek();
        let (symbol, length) = self.symbols.first_of(peeked)?;
        let class = symbol >> 1;
        let rank = (1u64 << class | peeked << length >> 1 >> (63 - class)) - 1;
        bits.skip(length + u32::from(class));
        Some((rank as u32, symbol & 1 != 0))
    }

    /// The layout of a unit that has not the usual one, and the numbers that follow it, zeros behind them.
    #[inline]
    fn take_layout(&self, bits: &mut BitReader) -> Option<(u8, [u32; 5])> {
        let (layout, mut details) = (self.layouts.take(bits)?, [0; 5]);
        for detail in &mut details[..number_of_details(layout)] {
            *detail = bits.take_gamma()?;
        }
        Some((layout, details))
    }

    #[inline(always)]
    fn take(&self, bits: &mut BitReader, vocabulary: &impl Bytes) -> Option<Token> {
        let (rank, is_unusual) = self.take_rank(bits)?;
        let word = Word::of(vocabulary, rank)?;
        let layout = match is_unusual {
            false => usual_layout(word.flags),
            true => self.layouts.take(bits)?,
        };
        let gap = if layout & GAP == 3 { bits.take_gamma()? } else { u32::from(layout & GAP) };
        let (mut close, mut open) = (u8::from(layout & CLOSE != 0), u8::from(layout & OPEN != 0));
        if layout & MANY != 0 {
            (close, open) = (bits.take_gamma()?.try_into().ok()?, bits.take_gamma()?.try_into().ok()?);
        }
        let (mut length, mut disguise) = (u32::from(word.countable), 0);
        if layout & ODD != 0 {
            (length, disguise) = (bits.take_gamma()?, bits.take_gamma()?.try_into().ok()?);
        }
        Some(Token { word, layout, gap, length, disguise, close, open })
    }
}

impl Word {
    /// The word of a number in a vocabulary.
    #[inline(always)]
    fn of(vocabulary: &impl Bytes, rank: u32) -> Option<Self> {
        let at = u64::from(rank) * WORD_BYTES as u64;
        Some(Word::of_bytes(vocabulary.bytes(at, at + WORD_BYTES as u64)?.first_chunk()?))
    }

    fn of_bytes(bytes: &[u8; WORD_BYTES]) -> Self {
        let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        Word { hash: number(0), stem: number(4), countable: u16::from_le_bytes([bytes[8], bytes[9]]), flags: bytes[10] }
    }
}

/// The flags of a unit.
fn flags(word: Word, layout: u8, disguise: u8) -> u8 {
    word.flags
        | disguise & flag::DISGUISE
        | if layout & LINE != 0 { flag::LINE } else { 0 }
        | if layout & SENTENCE != 0 { flag::SENTENCE } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_that_was_not_counted_is_refused_and_no_panic() {
        let mut statistics = TokenStatistics::default();
        let word = Word { hash: 1, stem: 2, countable: 3, flags: 0 };
        let number = statistics.count(word, usual_layout(0));
        let code = statistics.code();
        let mut writer = TokensWriter::new(Vec::new(), &code);
        let numbers = [number, NOT_COUNTED];
        let put = |writer: &mut TokensWriter<Vec<u8>>, rank: u32, unusual| {
            writer.put_token(&numbers, &Coded { rank, unusual, details: &[] })
        };
        assert_eq!(put(&mut writer, 0, None), Some(()));
        for (rank, unusual) in [(1, None), (2, None), (u32::MAX, None), (0, Some(0))] {
            assert_eq!(put(&mut writer, rank, unusual), None, "{rank}, {unusual:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn units_of_any_text_come_back_as_they_went_in(
            texts in proptest::collection::vec("\\PC{0,120}|[a-z“”\\.\u{200b}\u{301}潮圖。「」\n ]{0,200}|[a-z潮 ]{1500}", 1..4),
            (from, to) in (0usize..1400, 0usize..1400),
        ) {
            let mut builder = TokensBuilder::default();
            let units: Vec<Units> = texts.iter().map(|text| Units::from_text(text)).collect();
            units.iter().for_each(|u| builder.add(u));
            let (code, mut tokens) = (builder.code(), Vec::new());
            let mut writer = TokensWriter::new(&mut tokens, &code);
            builder.write(&mut writer).unwrap();
            let TokensWriter { blocks, ends, .. } = writer;
            let (reader, vocabulary) = (TokensReader::new(&code.codes).unwrap(), code.vocabulary);
            let (mut begin, mut first_block) = (0, 0);
            for (expected, (end, last_block)) in units.iter().zip(ends) {
                let bytes = &tokens[begin..end as usize];
                let read = reader.read(bytes, expected.len() as u32, expected.text_chars, &vocabulary);
                assert_eq!(read.as_ref(), Some(expected));
                begin = end as usize;

                let (from, to) = (from.min(expected.len()), to.min(expected.len()));
                let block = from / BLOCK_UNITS;
                let lengths = BlockLengths::read(&blocks[first_block..last_block as usize]).unwrap();
                assert_eq!(lengths.count(), expected.len().saturating_sub(1) / BLOCK_UNITS);
                first_block = last_block as usize;
                if from < to {
                    let at = lengths.begin(block).unwrap() as usize;
                    let (skipped, end) = (from - block * BLOCK_UNITS, to - block * BLOCK_UNITS);
                    let mut stretch = Stretch::default();
                    reader.read_stretch(&bytes[at..], skipped, end, &vocabulary, &mut stretch).unwrap();
                    assert_eq!(stretch.units().hash, expected.hash[from..to]);
                    assert_eq!(stretch.units().stem, expected.stem[from..to]);
                    assert_eq!(stretch.units().flags, expected.flags[from..to]);
                }
            }
            assert_eq!(begin, tokens.len());
        }

        #[test]
        fn arbitrary_bytes_never_panic(bytes: Vec<u8>, count: u32, vocabulary in proptest::collection::vec(0u8.., 0..99)) {
            let reader = TokensReader::new(&[8; SYMBOLS + LAYOUTS]).unwrap();
            let _ = reader.read(&bytes, count, 0, &vocabulary);
            let _ = reader.read(&bytes, count % 40, 0, &vocabulary);
            let _ = reader.read_stretch(&bytes, 0, 1 << 20, &vocabulary, &mut Stretch::default());
            let _ = TokensReader::new(&bytes);
            let _ = BlockLengths::read(&bytes).and_then(|lengths| lengths.begin(count as usize));
        }
    }
}
