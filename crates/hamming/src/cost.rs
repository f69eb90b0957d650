//! What a design costs, so that the best one for a corpus can be chosen.
//!
//! The model has three prices, fitted on the machine named in `docs/HAMMING.md`. It takes fingerprints to be spread
//! evenly. A wrong price makes a search slower, never wrong: all designs give the same answer. Prices are whole
//! numbers, so that every machine chooses alike.

use super::design::Design;
use super::tail::Tail;

/// One probe: two far memory accesses (directory, group), several probes under way at the same time.
const PROBE_PICOSECONDS: u64 = 105_000;
/// One fingerprint of a group: its four bytes from memory and its comparison.
const ENTRY_PICOSECONDS: u64 = 420;
/// One fingerprint of a scan of everything: eight bytes.
const SCAN_PICOSECONDS: u64 = 600;

/// Finding and beginning the first block of a compressed table.
const BLOCK_PICOSECONDS: u64 = 1_300_000;
/// One key of a compressed table decoded.
const DECODE_PICOSECONDS: u64 = 8_500;

/// In a join, sorting one fingerprint for a table.
const SORT_PICOSECONDS: u64 = 8_000;
/// In a join, a fingerprint's share of looking up a group.
const JOIN_PROBE_PICOSECONDS: u64 = 6_000;
/// In a join, one comparison.
const JOIN_ENTRY_PICOSECONDS: u64 = 150;

/// What an index of a given design and size takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Size in bytes, without the header.
    pub bytes: u64,
    /// Directory entries looked up for a query.
    pub probes: u64,
    /// Fingerprints compared for a query.
    pub compared: u64,
    /// Expected time of a query in picoseconds.
    pub picoseconds: u64,
}

impl Cost {
    /// The cost of asking tables of this design over `count` fingerprints.
    pub fn of(design: &Design, count: usize) -> Self {
        let count = count as u64;
        let (mut bytes, mut probes, mut compared) = (0, 0, 0);
        for table in &design.tables {
            bytes += directory_bytes(table.directory) + count * entry_bytes(table.directory, count);
            probes += table.probes();
            compared += ((u128::from(table.probes()) * u128::from(count)) >> table.directory) as u64;
        }
        let picoseconds = probes * PROBE_PICOSECONDS + compared * ENTRY_PICOSECONDS;
        Cost { bytes, probes, compared, picoseconds }
    }

    /// The expected time in picoseconds of a query to compressed tables of this design, in blocks of `block` keys.
    pub(super) fn of_decoding(design: &Design, count: usize, block: usize) -> u64 {
        let keys = |prefix: u8| block as u64 + (count as u64).checked_shr(prefix.into()).unwrap_or(0);
        design.tables.iter().map(|table| BLOCK_PICOSECONDS + keys(table.prefix) * DECODE_PICOSECONDS).sum()
    }

    /// The expected time in picoseconds for each stored fingerprint that streams past tables of this design.
    pub(super) fn of_joining(design: &Design, count: usize) -> u64 {
        let Cost { probes, compared, .. } = Cost::of(design, count);
        let sorting = design.tables.len() as u64 * SORT_PICOSECONDS;
        sorting + probes * JOIN_PROBE_PICOSECONDS + compared * JOIN_ENTRY_PICOSECONDS
    }

    /// The cost of scanning all of `count` fingerprints.
    pub fn of_scan(count: usize) -> Self {
        let count = count as u64;
        Cost { bytes: count * 8, probes: 0, compared: count, picoseconds: count * SCAN_PICOSECONDS }
    }
}

/// The bytes of a table's directory.
fn directory_bytes(directory: u8) -> u64 {
    ((1 << directory) + 1) * 4
}

/// The bytes of one fingerprint in a table: its lower 32 bits and its tail.
fn entry_bytes(directory: u8, count: u64) -> u64 {
    4 + Tail::new(directory, count).bytes() as u64
}

#[cfg(test)]
mod tests {
    use super::super::{blocks, multi_index};
    use super::*;

    #[test]
    fn four_blocks_of_sixteen_bits_take_forty_bytes_for_each_fingerprint() {
        let count = 100_000_000;
        let cost = Cost::of(&blocks::design(3, count), count);
        assert_eq!(cost.bytes, 40 * count as u64 + 4 * 65_537 * 4);
        assert_eq!((cost.probes, cost.compared), (4, 4 * (count as u64 >> 16)));
    }

    #[test]
    fn for_seven_bits_wide_parts_beat_eight_blocks_by_far() {
        let count = 100_000_000;
        let blocks = Cost::of(&blocks::design(7, count), count);
        let wide = Cost::of(&multi_index::design(7, count), count);
        assert!(wide.picoseconds * 20 < blocks.picoseconds, "{wide:?} {blocks:?}");
        assert!(wide.bytes < blocks.bytes);
    }
}
