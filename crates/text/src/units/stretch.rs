//! A part of a document's units, for looking at.

use super::columns::Units;
use std::ops::Range;

/// Units of a stretch of a text without their places: their hashes, stems and flags.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stretch {
    /// Of these, the places and what hugs them are empty.
    units: Units,
    first: u32,
}

impl Stretch {
    /// Empties the stretch; the unit that is pushed next has the number `first` in its text.
    pub fn begin(&mut self, first: u32) {
        let Units { hash, stem, flags, .. } = &mut self.units;
        [hash, stem].into_iter().for_each(Vec::clear);
        flags.clear();
        self.first = first;
    }

    /// Adds the next unit.
    #[inline]
    pub fn push(&mut self, hash: u32, stem: u32, flags: u8) {
        self.units.hash.push(hash);
        self.units.stem.push(stem);
        self.units.flags.push(flags);
    }

    /// Adds units of another stretch of the same text, `range` counted in the text, or as many of them as it has.
    pub fn extend(&mut self, other: &Stretch, range: Range<u32>) {
        let place = |at: u32| (at.saturating_sub(other.first) as usize).min(other.units.len());
        let range = place(range.start)..place(range.end);
        self.units.hash.extend_from_slice(&other.units.hash[range.clone()]);
        self.units.stem.extend_from_slice(&other.units.stem[range.clone()]);
        self.units.flags.extend_from_slice(&other.units.flags[range]);
    }

    /// The number, in its text, of the first unit.
    pub fn first(&self) -> u32 {
        self.first
    }

    /// The hashes, stems and flags; nothing else is filled.
    pub fn units(&self) -> &Units {
        &self.units
    }
}
