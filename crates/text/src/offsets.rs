//! The map from normalised characters back to the original ones.
//!
//! The map cuts the original text into pieces, in order and without gaps. Most pieces are *linear*: as many
//! normalised characters as original ones, each standing for its neighbour on the other side. The rest are *odd*:
//! `m` original characters became `n` normalised ones as a whole, where `n` is 0 for what was deleted. A plain text
//! is a single piece, and a text pays nine bytes for each further one.

use std::ops::Range;

/// Marks an odd piece in the stored flags; never handed out.
const ODD: u8 = 1 << 7;

/// For every normalised character, the span of the original text it came from.
///
/// Positions are characters (Unicode scalar values) on both sides; a text may have up to `u32::MAX` of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OffsetMap {
    /// Where each piece starts in the original text.
    original: Vec<u32>,
    /// Where each piece starts in the normalised text.
    normalised: Vec<u32>,
    /// Bits of [`flag`](super::flag) for each piece, and [`ODD`].
    flags: Vec<u8>,
    original_len: u32,
    normalised_len: u32,
}

/// What is known of one normalised character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapped {
    /// The original characters it came from.
    pub span: Range<usize>,
    /// The disguises undone in them.
    pub flags: u8,
    /// The disguises undone in what was deleted right before it, that is between it and the normalised character
    /// before. This is how zero-width characters between two Han characters show.
    pub gap: u8,
}

impl OffsetMap {
    /// The number of normalised characters.
    pub fn len(&self) -> usize {
        self.normalised_len as usize
    }

    /// The number of original characters.
    pub fn original_len(&self) -> usize {
        self.original_len as usize
    }

    /// A cursor for reading many characters from left to right, in amortised O(1) each.
    pub fn cursor(&self) -> Cursor<'_> {
        Cursor { map: self, piece: 0 }
    }

    /// The map of the text in which characters were replaced: each edit is a range of normalised characters, not empty, and how many
    /// there are now; they are in order and apart. `flags` are those of what was replaced.
    pub(crate) fn edited(&self, edits: impl Iterator<Item = (Range<usize>, usize)>, flags: u8) -> OffsetMap {
        let mut edits = edits.peekable();
        let mut builder = OffsetMapBuilder::default();
        // What was taken into the edit at hand: its originals and their flags, and normalised characters that are not of the edit.
        let mut open: Option<(usize, u8, usize)> = None;
        for piece in 0..self.flags.len() {
            let (mut at, end) = (self.normalised[piece] as usize, self.normalised_end(piece));
            let originals = self.original_end(piece) - self.original[piece] as usize;
            let own = self.flags[piece] & !ODD;
            if self.flags[piece] & ODD == 0 {
                while at < end {
                    let Some((place, new)) = edits.peek().filter(|(place, _)| place.start < end).cloned() else {
                        builder.linear(end - at, own);
                        break;
                    };
                    builder.linear(place.start.saturating_sub(at), own);
                    let taken = end.min(place.end) - at.max(place.start);
                    let (before, bits, beside) = open.take().unwrap_or_default();
                    at = end.min(place.end);
                    if place.end <= end {
                        builder.odd(before + taken, new + beside, bits | own | flags);
                        edits.next();
                    } else {
                        open = Some((before + taken, bits | own, beside));
                    }
                }
                continue;
            }
            // A piece that is one whole goes with each edit that touches it.
            let (mut before, mut bits, mut beside) = open.take().unwrap_or_default();
            let mut is_open = before > 0;
            let mut new_in = 0;
            let mut left = end - at;
            while let Some((place, new)) = edits.peek().filter(|(place, _)| place.start < end).cloned() {
                left -= end.min(place.end) - at.max(place.start);
                is_open = place.end > end;
                if is_open {
                    break;
                }
                new_in += new;
                bits |= flags;
                edits.next();
            }
            (before, bits, beside) = (before + originals, bits | own, beside + left + new_in);
            if is_open {
                open = Some((before, bits, beside));
            } else {
                builder.odd(before, beside, bits);
            }
        }
        builder.finish()
    }

    fn span_in(&self, piece: usize, index: usize) -> Range<usize> {
        let start = self.original[piece] as usize;
        if self.flags[piece] & ODD == 0 {
            let here = start + (index - self.normalised[piece] as usize);
            here..here + 1
        } else {
            start..self.original_end(piece)
        }
    }

    fn original_end(&self, piece: usize) -> usize {
        *self.original.get(piece + 1).unwrap_or(&self.original_len) as usize
    }

    fn normalised_end(&self, piece: usize) -> usize {
        *self.normalised.get(piece + 1).unwrap_or(&self.normalised_len) as usize
    }
}

/// Reads an [`OffsetMap`] from left to right.
#[derive(Debug, Clone)]
pub struct Cursor<'a> {
    map: &'a OffsetMap,
    /// The piece of the last character asked for.
    piece: usize,
}

impl Cursor<'_> {
    /// What is known of normalised character `index`, which may not be less than in the call before.
    ///
    /// # Panics
    /// If `index` is not less than the map's length, or went backwards past a piece.
    pub fn at(&mut self, index: usize) -> Mapped {
        let map = self.map;
        assert!(index < map.len(), "character {index} of a map of {}", map.len());
        while map.normalised_end(self.piece) <= index {
            self.piece += 1;
        }
        let start = map.normalised[self.piece] as usize;
        assert!(start <= index, "a cursor only moves forward");
        let deleted_before = || {
            (0..self.piece)
                .rev()
                .take_while(|&piece| map.normalised[piece] as usize == start)
                .fold(0, |bits, piece| bits | map.flags[piece])
        };
        Mapped {
            span: map.span_in(self.piece, index),
            flags: map.flags[self.piece] & !ODD,
            gap: if index == start { deleted_before() & !ODD } else { 0 },
        }
    }

    /// What is known of several neighbouring characters as a whole: from where the first of them came to where the last
    /// did, and the disguises undone in any of them or between them. The range may not be empty, and its start is as
    /// the index for [`Cursor::at`]; no later call may start before it.
    ///
    /// # Panics
    /// As [`Cursor::at`].
    pub fn range(&mut self, characters: Range<usize>) -> Mapped {
        let mut whole = self.at(characters.start);
        let linear = self.map.flags[self.piece] & ODD == 0;
        if linear && characters.end <= self.map.normalised_end(self.piece) {
            whole.span.end += characters.len() - 1;
            return whole;
        }
        for index in characters.skip(1) {
            let place = self.at(index);
            whole.flags |= place.flags | place.gap;
            whole.span.end = place.span.end;
        }
        whole
    }
}

/// Builds an [`OffsetMap`] from left to right.
#[derive(Debug, Clone, Default)]
pub struct OffsetMapBuilder {
    map: OffsetMap,
}

impl OffsetMapBuilder {
    /// A builder that starts with nothing and keeps the memory of another map.
    pub fn reusing(mut map: OffsetMap) -> Self {
        map.original.clear();
        map.normalised.clear();
        map.flags.clear();
        OffsetMapBuilder { map: OffsetMap { original_len: 0, normalised_len: 0, ..map } }
    }

    /// Adds `characters` original characters that became as many, one by one.
    pub fn linear(&mut self, characters: usize, flags: u8) {
        if characters == 0 {
            return;
        }
        if self.map.flags.last() != Some(&flags) {
            self.open(flags);
        }
        self.grow(characters, characters);
    }

    /// Adds `original` characters that became `normalised` ones as a whole.
    pub fn odd(&mut self, original: usize, normalised: usize, flags: u8) {
        if original == 1 && normalised == 1 {
            return self.linear(1, flags);
        }
        self.open(flags | ODD);
        self.grow(original, normalised);
    }

    /// The finished map.
    pub fn finish(self) -> OffsetMap {
        self.map
    }

    fn open(&mut self, flags: u8) {
        self.map.original.push(self.map.original_len);
        self.map.normalised.push(self.map.normalised_len);
        self.map.flags.push(flags);
    }

    fn grow(&mut self, original: usize, normalised: usize) {
        let add = |len: u32, more: usize| {
            u32::try_from(len as usize + more).expect("a text of more than u32::MAX characters")
        };
        self.map.original_len = add(self.map.original_len, original);
        self.map.normalised_len = add(self.map.normalised_len, normalised);
    }
}

/// What tests ask of a map.
#[cfg(test)]
impl OffsetMap {
    /// Whether there is no normalised character.
    pub(crate) fn is_empty(&self) -> bool {
        self.normalised_len == 0
    }

    /// The original characters that normalised character `index` came from, in O(log pieces).
    ///
    /// # Panics
    /// If `index` is not less than [`len`](Self::len).
    pub(crate) fn span(&self, index: usize) -> Range<usize> {
        self.span_in(self.piece_of(index), index)
    }

    /// The disguises undone in the given normalised characters or between them.
    ///
    /// A zero-width character deleted between the two halves of a word counts for the word; one deleted at its
    /// edge does not. Bits of [`flag`](super::flag); 0 for an empty range.
    ///
    /// # Panics
    /// If the range reaches past [`len`](Self::len).
    pub(crate) fn flags(&self, characters: Range<usize>) -> u8 {
        if characters.is_empty() {
            return 0;
        }
        let (first, last) = (self.piece_of(characters.start), self.piece_of(characters.end - 1));
        self.flags[first..=last].iter().fold(0, |all, bits| all | bits) & !ODD
    }

    /// The pieces in order. The originals of all of them, one after the other, are the whole original text.
    pub(crate) fn pieces(&self) -> impl ExactSizeIterator<Item = Piece> + '_ {
        (0..self.flags.len()).map(|piece| Piece {
            original: self.original[piece] as usize..self.original_end(piece),
            normalised: self.normalised[piece] as usize..self.normalised_end(piece),
            flags: self.flags[piece] & !ODD,
            linear: self.flags[piece] & ODD == 0,
        })
    }

    /// The piece that holds a normalised character.
    fn piece_of(&self, index: usize) -> usize {
        assert!(index < self.len(), "character {index} of a map of {}", self.len());
        // Deleted pieces share their start with the piece after them, which is the last to start here.
        self.normalised.partition_point(|&start| start as usize <= index) - 1
    }
}

/// One piece of an [`OffsetMap`].
#[cfg(test)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The original characters.
    pub(crate) original: Range<usize>,
    /// What they became; empty if they were deleted.
    pub(crate) normalised: Range<usize>,
    /// The disguises undone here, bits of [`flag`](super::flag).
    pub(crate) flags: u8,
    /// Whether the characters correspond one by one.
    pub(crate) linear: bool,
}

#[cfg(test)]
mod tests {
    use super::super::flag::{LOOKALIKE, SCRIPT, ZERO_WIDTH};
    use super::*;

    /// Original `ab×cd漢  e`, where × is a deleted character and the two blanks became one.
    fn example() -> OffsetMap {
        let mut builder = OffsetMapBuilder::default();
        builder.linear(1, 0);
        builder.linear(1, 0);
        builder.odd(1, 0, ZERO_WIDTH);
        builder.linear(2, 0);
        builder.linear(1, SCRIPT);
        builder.odd(2, 1, 0);
        builder.linear(1, 0);
        builder.finish()
    }

    #[test]
    fn every_character_finds_its_span() {
        let map = example();
        assert_eq!(map.len(), 7);
        assert_eq!(map.original_len(), 9);
        let spans: Vec<_> = (0..map.len()).map(|index| map.span(index)).collect();
        assert_eq!(spans, [0..1, 1..2, 3..4, 4..5, 5..6, 6..8, 8..9]);
    }

    #[test]
    fn neighbouring_linear_characters_share_a_piece() {
        assert_eq!(example().pieces().len(), 6);
        let first = example().pieces().next();
        assert_eq!(first, Some(Piece { original: 0..2, normalised: 0..2, flags: 0, linear: true }));
    }

    #[test]
    fn deleted_characters_count_inside_a_range_and_not_at_its_edges() {
        let map = example();
        assert_eq!(map.flags(0..2), 0);
        assert_eq!(map.flags(2..4), 0);
        assert_eq!(map.flags(0..3), ZERO_WIDTH);
        assert_eq!(map.flags(1..7), ZERO_WIDTH | SCRIPT);
        assert_eq!(map.flags(3..3), 0);
    }

    #[test]
    fn a_cursor_agrees_with_the_map_and_sees_the_gaps() {
        let map = example();
        let mut cursor = map.cursor();
        for index in 0..map.len() {
            let place = cursor.at(index);
            assert_eq!(place.span, map.span(index));
            assert_eq!(place.flags, map.flags(index..index + 1));
            assert_eq!(place.gap, if index == 2 { ZERO_WIDTH } else { 0 });
        }
    }

    #[test]
    fn a_range_is_what_its_characters_are() {
        let map = example();
        for start in 0..map.len() {
            for end in start + 1..=map.len() {
                let mut cursor = map.cursor();
                let range = cursor.range(start..end);
                assert_eq!(range.span, map.span(start).start..map.span(end - 1).end);
                assert_eq!(range.flags, map.flags(start..end));
                assert_eq!(range.gap, map.cursor().at(start).gap);
            }
        }
    }

    #[test]
    fn an_odd_piece_gives_its_whole_span_to_each_character() {
        let mut builder = OffsetMapBuilder::default();
        builder.odd(1, 3, LOOKALIKE);
        builder.odd(2, 0, 0);
        let map = builder.finish();
        assert_eq!((0..3).map(|index| map.span(index)).collect::<Vec<_>>(), [0..1, 0..1, 0..1]);
        assert_eq!(map.original_len(), 3);
        assert_eq!(map.flags(0..3), LOOKALIKE);
    }

    #[test]
    fn the_empty_map_is_empty() {
        let map = OffsetMapBuilder::default().finish();
        assert!(map.is_empty());
        assert_eq!(map, OffsetMap::default());
        assert_eq!(map.pieces().len(), 0);
    }

    #[test]
    #[should_panic(expected = "character 7 of a map of 7")]
    fn asking_past_the_end_panics() {
        example().span(7);
    }
}
