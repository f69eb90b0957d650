//! A table sorted by the leading bits of its order, with a directory: how [`blocks`](super::blocks),
//! [`multi_index`](super::multi_index) and [`permuted`](super::permuted) tables are stored and asked.
//!
//! The directory's bits are not stored, since a fingerprint's place tells them. Of the other bits the lower 32 stand in
//! one section and those between in another: a query reads only the 32-bit words of a group, one after the other, and
//! of random fingerprints not one in half a million gets past that comparison at k = 3. Row numbers are read for hits
//! alone.
//!
//! Four sections for each table: directory (2^d + 1 offsets, u32), lower words (u32), middle bits
//! (⌈(32 − d) / 8⌉ bytes, little-endian), rows (u32).

use std::io::Write;
use std::ops::Range;

use rayon::prelude::*;

use super::container::{Layout, Writer, damaged};
use super::cost::middle_bytes;
use super::design::{Design, TableDesign};
use super::permutation::low_bits;
use super::popcount::{Kernel, Near, Stretch, prefetch};
use super::{Error, Hit};

/// Sections for each table.
const SECTIONS: usize = 4;
/// Building goes through the fingerprints once for each part of a table, so that the space for sorting is that of a
/// part: 16 bytes for each of its fingerprints. This many fingerprints make a part,
const PART: usize = 1 << 20;
/// but there are no more than this many parts.
const MOST_PARTS: usize = 8;
/// A group larger than this is narrowed by binary search where the table is sorted in full.
const LARGE_GROUP: usize = 256;
/// Stretches gathered before they are compared: enough for their memory accesses to overlap.
const STRETCHES: usize = 256;

/// Writes the tables of a design.
pub(super) fn write<W: Write>(
    fingerprints: &[u64],
    design: &Design,
    out: &mut Writer<W>,
) -> Result<(), Error> {
    for table in &design.tables {
        let offsets = count_groups(fingerprints, table);
        let planes = fill(fingerprints, table, design.sorted, &offsets);
        out.begin_section()?;
        for piece in offsets.chunks(1 << 14) {
            let bytes: Vec<u8> = piece
                .iter()
                .flat_map(|offset| offset.to_le_bytes())
                .collect();
            out.put(&bytes)?;
        }
        // Each plane is let go when it is written: a table in memory is being written beside it.
        for plane in [planes.lower, planes.middle, planes.rows] {
            out.section(&plane)?;
        }
    }
    Ok(())
}

/// For each value of the directory's bits, how many fingerprints have a smaller one; at the end, all.
fn count_groups(fingerprints: &[u64], table: &TableDesign) -> Vec<u32> {
    let shift = 64 - table.directory;
    let mut offsets = vec![0u32; (1 << table.directory) + 1];
    for &fingerprint in fingerprints {
        offsets[(table.permutation.apply(fingerprint) >> shift) as usize + 1] += 1;
    }
    let mut sum = 0;
    for offset in &mut offsets {
        sum += *offset;
        *offset = sum;
    }
    offsets
}

struct Planes {
    lower: Vec<u8>,
    middle: Vec<u8>,
    rows: Vec<u8>,
}

/// A run of groups and the parts of the planes that are theirs.
struct BuildPart<'a> {
    groups: Range<usize>,
    lower: &'a mut [u8],
    middle: &'a mut [u8],
    rows: &'a mut [u8],
}

fn fill(fingerprints: &[u64], table: &TableDesign, sorted: bool, offsets: &[u32]) -> Planes {
    let count = fingerprints.len();
    let width = middle_bytes(table.directory);
    let mut planes = Planes {
        lower: vec![0; count * 4],
        middle: vec![0; count * width],
        rows: vec![0; count * 4],
    };
    let (mut lower, mut middle, mut rows) = (
        &mut planes.lower[..],
        &mut planes.middle[..],
        &mut planes.rows[..],
    );
    let mut parts = Vec::new();
    let mut first = 0;
    for last in part_ends(offsets) {
        let size = (offsets[last] - offsets[first]) as usize;
        let part = BuildPart {
            groups: first..last,
            lower: lower.split_off_mut(..size * 4).unwrap_or_default(),
            middle: middle.split_off_mut(..size * width).unwrap_or_default(),
            rows: rows.split_off_mut(..size * 4).unwrap_or_default(),
        };
        parts.push(part);
        first = last;
    }
    parts
        .into_par_iter()
        .for_each(|part| fill_part(fingerprints, table, sorted, offsets, part));
    planes
}

/// Where to cut the groups so that each part has about the same number of fingerprints.
fn part_ends(offsets: &[u32]) -> Vec<usize> {
    let groups = offsets.len() - 1;
    let count = offsets[groups] as usize;
    let parts = count.div_ceil(PART).clamp(1, MOST_PARTS);
    let mut ends: Vec<usize> = (1..parts)
        .map(|part| {
            offsets
                .partition_point(|&offset| (offset as usize) < count / parts * part)
                .min(groups)
        })
        .collect();
    ends.push(groups);
    ends
}

fn fill_part(
    fingerprints: &[u64],
    table: &TableDesign,
    sorted: bool,
    offsets: &[u32],
    part: BuildPart,
) {
    let shift = 64 - table.directory;
    let base = offsets[part.groups.start];
    let mut next: Vec<u32> = offsets[part.groups.clone()]
        .iter()
        .map(|offset| offset - base)
        .collect();
    let mut entries = vec![(0u64, 0u32); (offsets[part.groups.end] - base) as usize];
    for (row, &fingerprint) in fingerprints.iter().enumerate() {
        let key = table.permutation.apply(fingerprint);
        // A group before the first wraps around to a large number.
        let group = ((key >> shift) as usize).wrapping_sub(part.groups.start);
        if let Some(place) = next.get_mut(group) {
            entries[*place as usize] = (key, row as u32);
            *place += 1;
        }
    }
    if sorted {
        for group in part.groups.clone() {
            entries[(offsets[group] - base) as usize..(offsets[group + 1] - base) as usize]
                .sort_unstable();
        }
    }
    let width = middle_bytes(table.directory);
    let middle_mask = low_bits(32 - table.directory.min(32)) as u32;
    for (place, &(key, row)) in entries.iter().enumerate() {
        part.lower[place * 4..][..4].copy_from_slice(&(key as u32).to_le_bytes());
        part.rows[place * 4..][..4].copy_from_slice(&row.to_le_bytes());
        let middle = ((key >> 32) as u32 & middle_mask).to_le_bytes();
        part.middle[place * width..][..width].copy_from_slice(&middle[..width]);
    }
}

/// Compares the sections' lengths with what the header promises.
///
/// # Errors
/// They do not fit.
pub(super) fn check(layout: &Layout) -> Result<(), Error> {
    let count = layout.count;
    let expected: Vec<usize> = layout
        .design
        .tables
        .iter()
        .flat_map(|table| {
            [
                ((1 << table.directory) + 1) * 4,
                count * 4,
                count * middle_bytes(table.directory),
                count * 4,
            ]
        })
        .collect();
    if layout.sections.iter().map(Range::len).ne(expected) {
        return damaged("its sections have the wrong lengths");
    }
    Ok(())
}

/// Asks the tables for queries, and keeps its working space from one to the next.
pub(super) struct Prober<'a> {
    design: &'a Design,
    bytes: &'a [u8],
    sections: &'a [Range<usize>],
    kernel: Kernel,
    k: u8,
    radii: Vec<Option<u8>>,
    stretches: Vec<Stretch<'a>>,
    origins: Vec<Origin>,
    near: Vec<Near>,
}

/// What a stretch belongs to.
#[derive(Debug, Clone, Copy)]
struct Origin {
    query: u32,
    table: u32,
    /// The value of the directory's bits, shifted to the top.
    group: u64,
    /// The place of the stretch's first fingerprint in the table.
    start: u32,
}

impl<'a> Prober<'a> {
    /// For fingerprints within `k` bits, at most the design's distance. The layout must have been [checked](check).
    pub fn new(layout: &'a Layout, bytes: &'a [u8], kernel: Kernel, k: u8) -> Self {
        Prober {
            design: &layout.design,
            bytes,
            sections: &layout.sections,
            kernel,
            k,
            radii: layout.design.radii_for(k),
            stretches: Vec::with_capacity(64),
            origins: Vec::with_capacity(64),
            near: Vec::new(),
        }
    }

    fn section(&self, table: usize, section: usize) -> &'a [u8] {
        self.sections
            .get(table * SECTIONS + section)
            .and_then(|range| self.bytes.get(range.clone()))
            .unwrap_or_default()
    }

    /// Calls `found` with the position of the query and each hit, every fingerprint once, in no particular order.
    pub fn find(&mut self, queries: &[u64], mut found: impl FnMut(usize, Hit)) {
        for (number, &query) in queries.iter().enumerate() {
            let design = self.design;
            for (table, shape) in design.tables.iter().enumerate() {
                let Some(radius) = self.radii[table] else {
                    continue;
                };
                let key = shape.permutation.apply(query);
                let (directory, lower) = (self.section(table, 0), self.section(table, 1));
                let shift = 64 - shape.directory;
                for_each_change(shape.directory, radius, |changed| {
                    let group = key >> shift ^ changed;
                    let Some((start, end)) = group_bounds(directory, group as usize) else {
                        return;
                    };
                    let origin = Origin {
                        query: number as u32,
                        table: table as u32,
                        group: group << shift,
                        start,
                    };
                    self.gather(origin, key, lower, end, changed.count_ones());
                    if self.stretches.len() == STRETCHES {
                        self.compare(queries, &mut found);
                    }
                });
            }
        }
        self.compare(queries, &mut found);
    }

    /// Notes a group to be compared.
    #[inline]
    fn gather(
        &mut self,
        mut origin: Origin,
        key: u64,
        lower: &'a [u8],
        mut end: u32,
        changed: u32,
    ) {
        if self.design.sorted && (end - origin.start) as usize > LARGE_GROUP {
            let range = self.narrow(&origin, key, end);
            (origin.start, end) = (range.start, range.end);
        }
        let Some(words) = lower.get(origin.start as usize * 4..end as usize * 4) else {
            return;
        };
        prefetch(words);
        self.stretches.push(Stretch {
            words,
            query: key as u32,
            within: u32::from(self.k).saturating_sub(changed),
        });
        self.origins.push(origin);
    }

    /// The part of a fully sorted group that agrees with the query in the whole prefix.
    fn narrow(&self, origin: &Origin, key: u64, end: u32) -> Range<u32> {
        let table = origin.table as usize;
        let outside = low_bits(64 - self.design.tables[table].prefix);
        let bound = |is_before: &dyn Fn(u64) -> bool| {
            let (mut low, mut high) = (origin.start, end);
            while low < high {
                let between = low + (high - low) / 2;
                if self
                    .key_at(table, origin.group, between)
                    .is_some_and(is_before)
                {
                    low = between + 1;
                } else {
                    high = between;
                }
            }
            low
        };
        let (first, last) = (key & !outside, key | outside);
        let start = bound(&|other| other < first);
        start..bound(&|other| other <= last).max(start)
    }

    /// A fingerprint's bits in the table's order.
    fn key_at(&self, table: usize, group: u64, place: u32) -> Option<u64> {
        let width = middle_bytes(self.design.tables[table].directory);
        let lower = word_at(self.section(table, 1), place as usize)?;
        let mut middle = [0; 4];
        let start = place as usize * width;
        middle[..width].copy_from_slice(self.section(table, 2).get(start..start + width)?);
        Some(group | u64::from(u32::from_le_bytes(middle)) << 32 | u64::from(lower))
    }

    /// Compares what was gathered.
    fn compare(&mut self, queries: &[u64], found: &mut impl FnMut(usize, Hit)) {
        self.near.clear();
        self.kernel
            .near_in_stretches(&self.stretches, &mut self.near);
        // The rest of each candidate is somewhere else in memory: all of them are asked for before the first is looked at.
        for near in &self.near {
            let origin = self.origins[near.stretch as usize];
            let (table, place) = (
                origin.table as usize,
                (origin.start + near.position) as usize,
            );
            let width = middle_bytes(self.design.tables[table].directory);
            prefetch(
                self.section(table, 2)
                    .get(place * width..place * width + 1)
                    .unwrap_or_default(),
            );
            prefetch(
                self.section(table, 3)
                    .get(place * 4..place * 4 + 4)
                    .unwrap_or_default(),
            );
        }
        for near in &self.near {
            let origin = self.origins[near.stretch as usize];
            let table = origin.table as usize;
            let permutation = &self.design.tables[table].permutation;
            let place = origin.start + near.position;
            let Some(key) = self.key_at(table, origin.group, place) else {
                continue;
            };
            let difference = key ^ permutation.apply(queries[origin.query as usize]);
            if difference.count_ones() > u32::from(self.k)
                || !self.is_first_to_answer(table, permutation.invert(difference))
            {
                continue;
            }
            if let Some(row) = word_at(self.section(table, 3), place as usize) {
                found(
                    origin.query as usize,
                    Hit {
                        row,
                        distance: difference.count_ones() as u8,
                    },
                );
            }
        }
        self.stretches.clear();
        self.origins.clear();
    }

    /// Whether a table answers for a difference that none before it does: so every fingerprint is found once.
    fn is_first_to_answer(&self, table: usize, difference: u64) -> bool {
        let answers = |number: usize| {
            self.radii[number]
                .is_some_and(|radius| self.design.tables[number].answers_for(difference, radius))
        };
        answers(table) && !(0..table).any(answers)
    }
}

/// The first and the last-but-one place of a group, if it is not empty.
#[inline]
fn group_bounds(directory: &[u8], group: usize) -> Option<(u32, u32)> {
    let bytes: [u8; 8] = directory.get(group * 4..group * 4 + 8)?.try_into().ok()?;
    let both = u64::from_le_bytes(bytes);
    let (start, end) = (both as u32, (both >> 32) as u32);
    (start < end).then_some((start, end))
}

#[inline]
fn word_at(words: &[u8], place: usize) -> Option<u32> {
    Some(u32::from_le_bytes(
        words.get(place * 4..place * 4 + 4)?.try_into().ok()?,
    ))
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
            change = carried | ((carried ^ change) >> 2) / lowest;
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
            let expected: Vec<u64> = (0..1u64 << bits)
                .filter(|c| c.count_ones() <= u32::from(radius))
                .collect();
            changes.sort_unstable();
            assert_eq!(changes, expected, "{bits} bits, radius {radius}");
        }
    }

    #[test]
    fn parts_of_a_large_table_are_about_equal_and_complete() {
        let offsets: Vec<u32> = (0..=65_536u32).map(|group| group * 96).collect();
        let ends = part_ends(&offsets);
        assert_eq!((ends.len(), *ends.last().unwrap()), (6, 65_536));
        assert!(
            ends.windows(2)
                .all(|pair| (10_922..=10_923).contains(&(pair[1] - pair[0])))
        );
        // One group holding everything leaves the other parts empty.
        let skewed: Vec<u32> = (0..=16)
            .map(|group| if group > 5 { 2_000_000 } else { 0 })
            .collect();
        assert!(part_ends(&skewed).is_sorted());
    }
}
