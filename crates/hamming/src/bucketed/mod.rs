//! A table sorted by the leading bits of its order, with a directory: how [`blocks`](super::blocks),
//! [`multi_index`](super::multi_index) and [`permuted`](super::permuted) tables are stored and asked.
//!
//! The directory's bits are not stored, since a fingerprint's place tells them. The lower 32 of the other bits
//! are in one section, the rest in another beside the row number. A query reads only the 32-bit words of a group, one after
//! the other, and fewer than one random fingerprint in 700,000 passes that comparison at k = 3. The rest is read for these
//! alone.
//!
//! Three sections for each table: directory (2^d + 1 offsets, u32), lower words (u32), [tails](Tail). All numbers are
//! little-endian.

mod build;
mod join;
mod probe;

use std::ops::Range;

pub(super) use build::write;
pub(super) use join::Joiner;
pub(super) use probe::Prober;

use super::container::{Sections, damaged};
use super::design::Design;
use super::permutation::low_bits;
use super::tail::Tail;
use super::{Error, Hit};
use crate::cpu::{Cpu, prefetch};

/// Sections for each table.
const SECTIONS: usize = 3;

/// Compares the sections' lengths with what the header promises.
///
/// # Errors
/// They do not fit.
pub(super) fn check(layout: &Sections) -> Result<(), Error> {
    let count = layout.count;
    let expected: Vec<usize> = layout
        .design
        .tables
        .iter()
        .flat_map(|table| {
            let tail = Tail::new(table.directory, count as u64);
            [((1 << table.directory) + 1) * 4, count * 4, count * tail.bytes()]
        })
        .collect();
    if layout.sections.iter().map(Range::len).ne(expected) {
        return damaged("its sections have the wrong lengths");
    }
    Ok(())
}

/// The tables of a layout, to be asked for fingerprints within `k` bits.
struct BucketTables<'a> {
    design: &'a Design,
    bytes: &'a [u8],
    sections: &'a [Range<usize>],
    cpu: Cpu,
    k: u8,
    /// For each table how many bits of its part may differ; `None` for one that need not be asked.
    radii: Vec<Option<u8>>,
    /// How many fingerprints there are.
    count: u64,
}

/// A group of a table: the fingerprints that agree in the directory's bits.
#[derive(Debug, Clone, Copy)]
struct Group<'a> {
    table: usize,
    /// The directory's bits, at the top.
    top: u64,
    /// The place of the first fingerprint in the table.
    start: u32,
    /// The lower words of all of them.
    words: &'a [u8],
}

impl<'a> BucketTables<'a> {
    /// The layout must have been [checked](check), and `k` be at most its design's distance.
    fn new(layout: &'a Sections, bytes: &'a [u8], k: u8) -> Self {
        let radii = layout.design.radii_for(k);
        let count = layout.count as u64;
        BucketTables { design: &layout.design, bytes, sections: &layout.sections, cpu: Cpu::best(), k, radii, count }
    }

    fn section(&self, table: usize, section: usize) -> &'a [u8] {
        let range = self.sections.get(table * SECTIONS + section);
        range.and_then(|range| self.bytes.get(range.clone())).unwrap_or_default()
    }

    /// The group with this value of the directory's bits, if there is any fingerprint in it.
    #[inline]
    fn group(&self, table: usize, value: u64) -> Option<Group<'a>> {
        let at = value as usize * 4;
        let bounds: [u8; 8] = self.section(table, 0).get(at..at + 8)?.try_into().ok()?;
        let both = u64::from_le_bytes(bounds);
        let (start, end) = (both as u32, (both >> 32) as u32);
        if start >= end {
            return None;
        }
        let words = self.section(table, 1).get(start as usize * 4..end as usize * 4)?;
        Some(Group { table, top: value << (64 - self.design.tables[table].directory), start, words })
    }

    /// The bits, in the table's order, of the fingerprint at a position of a group, and its row.
    fn entry(&self, group: &Group, position: u32) -> Option<(u64, u32)> {
        let (row, middle) = self.tail_of(group.table).unpack(self.tail(group, position)?)?;
        let lower = word_at(group.words, position as usize)?;
        Some((group.top | u64::from(middle) << 32 | u64::from(lower), row))
    }

    fn tail_of(&self, table: usize) -> Tail {
        Tail::new(self.design.tables[table].directory, self.count)
    }

    fn tail(&self, group: &Group, position: u32) -> Option<&'a [u8]> {
        let place = (group.start + position) as usize;
        let width = self.tail_of(group.table).bytes();
        self.section(group.table, 2).get(place * width..(place + 1) * width)
    }

    /// Whether an earlier table answers for the fingerprint at a position of a group, as far as the bits in the cache
    /// already tell: those of the directory and of the lower word. `key` is the query in the table's order.
    #[inline]
    fn is_surely_found_before(&self, group: &Group, position: u32, key: u64) -> bool {
        let lower = word_at(group.words, position as usize).unwrap_or(0);
        let difference = (group.top | u64::from(lower)) ^ key;
        self.k == self.design.k && self.design.tables[group.table].is_settled_before(difference)
    }

    /// The fingerprint at a position of a group, if it is near enough to the query and no table before this one
    /// answers for it: so every fingerprint is found once. `key` is the query in the table's order.
    fn judge(&self, group: &Group, position: u32, key: u64) -> Option<Hit> {
        let (other, row) = self.entry(group, position)?;
        let distance = (other ^ key).count_ones();
        if distance > u32::from(self.k) {
            return None;
        }
        let difference = self.design.tables[group.table].permutation.invert(other ^ key);
        let answers = |number: usize| {
            self.radii[number].is_some_and(|radius| self.design.tables[number].answers_for(difference, radius))
        };
        (answers(group.table) && !(0..group.table).any(answers)).then_some(Hit { row, distance: distance as u8 })
    }

    /// Asks for the memory that [`BucketTables::group`] will read.
    #[inline]
    fn prefetch_group(&self, table: usize, value: u64) {
        let at = value as usize * 4;
        prefetch(self.section(table, 0).get(at..at + 8).unwrap_or_default());
    }

    /// Asks for the memory that [`BucketTables::judge`] will read.
    #[inline]
    fn prefetch_tail(&self, group: &Group, position: u32) {
        prefetch(self.tail(group, position).unwrap_or_default());
    }
}

#[inline]
fn word_at(words: &[u8], place: usize) -> Option<u32> {
    Some(u32::from_le_bytes(words.get(place * 4..place * 4 + 4)?.try_into().ok()?))
}

/// Calls `probe` with every way to change at most `radius` of the lowest `bits` bits, fewest changes first.
#[inline]
fn for_each_change(bits: u8, radius: u8, mut probe: impl FnMut(u64)) {
    probe(0);
    for changed in 1..=radius.min(bits) {
        let mut change = low_bits(changed);
        while change <= low_bits(bits) {
            probe(change);
            // The next larger number with as many bits set (Gosper's hack).
            let lowest = change & change.wrapping_neg();
            let carried = change + lowest;
            change = carried | (((carried ^ change) >> 2) / lowest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_all_the_small_sets_of_bits_each_once() {
        for (bits, radius) in [(1u8, 1u8), (5, 2), (8, 3), (3, 7), (4, 0)] {
            let mut changes = Vec::new();
            for_each_change(bits, radius, |change| changes.push(change));
            let expected: Vec<u64> = (0..1u64 << bits).filter(|c| c.count_ones() <= u32::from(radius)).collect();
            changes.sort_unstable();
            assert_eq!(changes, expected, "{bits} bits, radius {radius}");
        }
    }
}
