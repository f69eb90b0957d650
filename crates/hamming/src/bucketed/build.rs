//! Sorting fingerprints into the tables of a design.

use std::io::Write;
use std::ops::Range;

use rayon::prelude::*;

use super::super::Error;
use super::super::container::Writer;
use super::super::design::{Design, TableDesign};
use super::super::permutation::low_bits;
use super::super::tail::Tail;

/// Fingerprints of a part of a table. Building goes through all fingerprints once for each part, so that the space for
/// sorting is that of a part: 16 bytes for each of its fingerprints.
const PART: usize = 1 << 20;
/// The most parts, whatever their size.
const MOST_PARTS: usize = 8;
/// Bins that a part is sorted into first: as many as there are places to write to in the nearest cache.
const BINS: usize = 256;

/// Writes the tables of a design.
pub(in super::super) fn write<W: Write>(
    fingerprints: &[u64],
    design: &Design,
    out: &mut Writer<W>,
) -> Result<(), Error> {
    for table in &design.tables {
        let offsets = count_groups(fingerprints, table);
        let tail = Tail::new(table.directory, fingerprints.len() as u64);
        let sorting = Sorting { fingerprints, table, sorted: design.sorted, offsets: &offsets, tail };
        let (lower, tails) = sorting.planes();
        out.numbers(&offsets, u32::to_le_bytes)?;
        // Each plane is let go when it is written: a table in memory is being written beside it.
        for plane in [lower, tails] {
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

/// Where to cut the groups so that each part has about the same number of fingerprints.
fn part_ends(offsets: &[u32]) -> Vec<usize> {
    let groups = offsets.len() - 1;
    let count = offsets[groups] as usize;
    let parts = count.div_ceil(PART).clamp(1, MOST_PARTS);
    let mut ends: Vec<usize> = (1..parts)
        .map(|part| offsets.partition_point(|&offset| (offset as usize) < count / parts * part).min(groups))
        .collect();
    ends.push(groups);
    ends
}

/// A run of groups and the parts of the planes that are theirs.
struct BuildPart<'a> {
    groups: Range<usize>,
    lower: &'a mut [u8],
    tails: &'a mut [u8],
}

/// Space that a part leaves for the next.
#[derive(Default)]
struct Space {
    /// The fingerprints of a part by bin, in the table's order, with their rows.
    binned: Vec<(u64, u32)>,
    /// Those of a bin by group.
    grouped: Vec<(u64, u32)>,
}

/// Sorting fingerprints into one table.
struct Sorting<'a> {
    fingerprints: &'a [u64],
    table: &'a TableDesign,
    /// Whether each group is sorted by all bits.
    sorted: bool,
    /// Where each group begins, and the last one ends.
    offsets: &'a [u32],
    tail: Tail,
}

impl Sorting<'_> {
    /// The lower words and the tails of all fingerprints, in the order of the table.
    fn planes(&self) -> (Vec<u8>, Vec<u8>) {
        let (count, width) = (self.fingerprints.len(), self.tail.bytes());
        let (mut all_lower, mut all_tails) = (vec![0; count * 4], vec![0; count * width]);
        let (mut lower, mut tails) = (&mut all_lower[..], &mut all_tails[..]);
        let mut parts = Vec::new();
        let mut first = 0;
        for last in part_ends(self.offsets) {
            let size = (self.offsets[last] - self.offsets[first]) as usize;
            let part = BuildPart {
                groups: first..last,
                lower: lower.split_off_mut(..size * 4).unwrap_or_default(),
                tails: tails.split_off_mut(..size * width).unwrap_or_default(),
            };
            parts.push(part);
            first = last;
        }
        // Half of the parts one after the other, so that they share the space for sorting.
        let parts = parts.into_par_iter().with_min_len(MOST_PARTS / 2);
        parts.for_each_init(Space::default, |space, part| self.fill_part(part, space));
        (all_lower, all_tails)
    }

    /// The group of a fingerprint in the table's order.
    fn group(&self, key: u64) -> usize {
        (key >> (64 - self.table.directory)) as usize
    }

    /// Sorts a part in two steps, into bins of neighbouring groups and then into groups, so that each writes to few
    /// enough places at a time for the processor's caches.
    fn fill_part(&self, part: BuildPart, space: &mut Space) {
        let offsets = self.offsets;
        let base = offsets[part.groups.start];
        let groups_in_bin = part.groups.len().div_ceil(BINS).max(1);
        let bin = |first: usize| first..(first + groups_in_bin).min(part.groups.end);
        let bins: Vec<Range<usize>> = part.groups.clone().step_by(groups_in_bin).map(bin).collect();
        let mut next: Vec<u32> = bins.iter().map(|bin| offsets[bin.start] - base).collect();
        // Every entry will be written, so that what is left of an earlier part does no harm.
        space.binned.resize((offsets[part.groups.end] - base) as usize, (0, 0));
        for (row, &fingerprint) in self.fingerprints.iter().enumerate() {
            let key = self.table.permutation.apply(fingerprint);
            // A group before the first wraps around to a large number.
            let group = self.group(key).wrapping_sub(part.groups.start);
            if group < part.groups.len() {
                let place = &mut next[group / groups_in_bin];
                space.binned[*place as usize] = (key, row as u32);
                *place += 1;
            }
        }
        for bin in bins {
            let places = (offsets[bin.start] - base) as usize..(offsets[bin.end] - base) as usize;
            self.group_bin(&space.binned[places.clone()], bin, &mut space.grouped);
            let lower = &mut part.lower[places.start * 4..places.end * 4];
            let tails = &mut part.tails[places.start * self.tail.bytes()..places.end * self.tail.bytes()];
            self.write_entries(&space.grouped, lower, tails);
        }
    }

    /// Sorts the fingerprints of a bin into its groups.
    fn group_bin(&self, binned: &[(u64, u32)], bin: Range<usize>, grouped: &mut Vec<(u64, u32)>) {
        let base = self.offsets[bin.start];
        let mut next: Vec<u32> = self.offsets[bin.clone()].iter().map(|offset| offset - base).collect();
        grouped.resize(binned.len(), (0, 0));
        for &(key, row) in binned {
            let place = &mut next[self.group(key) - bin.start];
            grouped[*place as usize] = (key, row);
            *place += 1;
        }
        if self.sorted {
            for group in bin {
                let [from, to] = [group, group + 1].map(|group| (self.offsets[group] - base) as usize);
                grouped[from..to].sort_unstable();
            }
        }
    }

    /// Writes fingerprints as the planes hold them.
    fn write_entries(&self, entries: &[(u64, u32)], lower: &mut [u8], tails: &mut [u8]) {
        let middle_mask = low_bits(32 - self.table.directory.min(32)) as u32;
        let places = lower.as_chunks_mut::<4>().0.iter_mut().zip(tails.chunks_exact_mut(self.tail.bytes()));
        for (&(key, row), (lower, bytes)) in entries.iter().zip(places) {
            *lower = (key as u32).to_le_bytes();
            bytes.copy_from_slice(&self.tail.pack(row, (key >> 32) as u32 & middle_mask)[..self.tail.bytes()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_large_table_are_about_equal_and_complete() {
        let offsets: Vec<u32> = (0..=65_536u32).map(|group| group * 96).collect();
        let ends = part_ends(&offsets);
        assert_eq!((ends.len(), *ends.last().unwrap()), (6, 65_536));
        assert!(ends.windows(2).all(|pair| (10_922..=10_923).contains(&(pair[1] - pair[0]))));
        // One group holding everything leaves the other parts empty.
        let skewed: Vec<u32> = (0..=16).map(|group| if group > 5 { 2_000_000 } else { 0 }).collect();
        assert!(part_ends(&skewed).is_sorted());
    }
}
