//! Sorted permuted tables in blocks of few bits, decoded only where a query falls.
//!
//! Manku, Jain and Das Sarma (WWW 2007, section 3.2) write a sorted table as blocks and keep the last key of each in
//! memory; a query decodes the block its prefix falls into. The tables are those of [`permuted`](super::permuted). They hold the
//! fingerprints without row numbers, those of equal bits once. Rows stand in one place, in the order of the first
//! table, which alone keeps repeated fingerprints: a fingerprint found is looked up there.
//!
//! Three sections for each table: told (keys u64 · what the [code](super::code) needs), directory (for each block its
//! last key u64 · its place in the data u64), data. At the end one section of rows (u32). A block has 128 keys.

use std::io::Write;
use std::ops::Range;

use rayon::prelude::*;

use super::code::{BlockDecoder, BlockEncoder, Code};
use super::container::{Sections, Writer, damaged};
use super::design::Design;
use super::permutation::low_bits;
use super::{Error, Hit};

/// Sections for each table.
const SECTIONS: usize = 3;
/// Keys in a block.
pub(super) const BLOCK: usize = 128;

/// Writes the tables of a design.
pub(super) fn write<W: Write>(
    fingerprints: &[u64],
    design: &Design,
    code: Code,
    out: &mut Writer<W>,
) -> Result<(), Error> {
    let mut rows = Vec::new();
    for (number, table) in design.tables.iter().enumerate() {
        let keys: Vec<u64> = if number == 0 {
            let entry = |(row, &fingerprint): (usize, &u64)| (table.permutation.apply(fingerprint), row as u32);
            let mut entries: Vec<(u64, u32)> = fingerprints.par_iter().enumerate().map(entry).collect();
            entries.par_sort_unstable();
            rows = entries.iter().map(|entry| entry.1).collect();
            entries.into_iter().map(|entry| entry.0).collect()
        } else {
            let mut keys: Vec<u64> = fingerprints.par_iter().map(|&f| table.permutation.apply(f)).collect();
            keys.par_sort_unstable();
            keys.dedup();
            keys
        };
        write_table(&keys, code, out)?;
    }
    out.numbers(&rows, u32::to_le_bytes)
}

fn write_table<W: Write>(keys: &[u64], code: Code, out: &mut Writer<W>) -> Result<(), Error> {
    let (encoder, told) = BlockEncoder::new(code, keys, BLOCK);
    out.begin_section()?;
    out.put(&(keys.len() as u64).to_le_bytes())?;
    out.put(&told)?;
    let blocks: Vec<Vec<u8>> = keys.par_chunks(BLOCK).map(|keys| encoder.encode(keys)).collect();
    out.begin_section()?;
    let mut place = 0u64;
    for (keys, block) in keys.chunks(BLOCK).zip(&blocks) {
        out.put(&keys.last().copied().unwrap_or(0).to_le_bytes())?;
        out.put(&place.to_le_bytes())?;
        place += block.len() as u64;
    }
    out.begin_section()?;
    blocks.iter().try_for_each(|block| out.put(block))
}

/// The tables of a layout, ready to be asked.
#[derive(Debug)]
pub(super) struct CodeTables {
    tables: Vec<CompressedTable>,
    rows: Range<usize>,
}

#[derive(Debug)]
struct CompressedTable {
    keys: usize,
    decoder: BlockDecoder,
    directory: Range<usize>,
    data: Range<usize>,
}

impl CodeTables {
    /// Reads what is needed to decode.
    ///
    /// # Errors
    /// The sections do not fit the header.
    pub fn open(layout: &Sections, bytes: &[u8], code: Code) -> Result<Self, Error> {
        const WRONG: &str = "its sections have the wrong lengths";
        let Some((rows, sections)) = layout.sections.split_last() else {
            return damaged(WRONG);
        };
        if sections.len() != layout.design.tables.len() * SECTIONS || rows.len() != layout.count * 4 {
            return damaged(WRONG);
        }
        let mut tables = Vec::new();
        for (number, sections) in sections.as_chunks::<SECTIONS>().0.iter().enumerate() {
            let [told, directory, data] = sections.clone();
            let Some((keys, told)) = bytes[told].split_first_chunk::<8>() else {
                return damaged(WRONG);
            };
            let keys = usize::try_from(u64::from_le_bytes(*keys)).unwrap_or(usize::MAX);
            let Some(decoder) = BlockDecoder::new(code, told) else {
                return damaged("a code is impossible");
            };
            let fits = if number == 0 { keys == layout.count } else { keys <= layout.count };
            if !fits || directory.len() != keys.div_ceil(BLOCK) * 16 {
                return damaged(WRONG);
            }
            tables.push(CompressedTable { keys, decoder, directory, data });
        }
        if tables.is_empty() {
            return damaged("it has no tables");
        }
        Ok(CodeTables { tables, rows: rows.clone() })
    }

    /// The fingerprints within `k` bits, ascending by row.
    pub fn find(&self, design: &Design, bytes: &[u8], query: u64, k: u8) -> Vec<Hit> {
        let mut found = Vec::new();
        for (table, shape) in self.tables.iter().zip(&design.tables) {
            let key = shape.permutation.apply(query);
            let outside = low_bits(64 - shape.prefix);
            table.for_each_in(bytes, key & !outside, key | outside, |other, _| {
                if (other ^ key).count_ones() <= u32::from(k) {
                    found.push(shape.permutation.invert(other));
                }
            });
        }
        found.sort_unstable();
        found.dedup();
        let mut hits = Vec::new();
        if let (Some(table), Some(shape)) = (self.tables.first(), design.tables.first()) {
            for fingerprint in found {
                let key = shape.permutation.apply(fingerprint);
                let distance = (fingerprint ^ query).count_ones() as u8;
                table.for_each_in(bytes, key, key, |_, place| {
                    hits.extend(self.row(bytes, place).map(|row| Hit { row, distance }));
                });
            }
        }
        hits.sort_unstable();
        hits
    }

    fn row(&self, bytes: &[u8], place: usize) -> Option<u32> {
        let row = bytes.get(self.rows.clone())?.get(place * 4..place * 4 + 4)?;
        Some(u32::from_le_bytes(row.try_into().ok()?))
    }
}

impl CompressedTable {
    /// Calls `visit` with every key from `first` to `last` and its place in the table.
    fn for_each_in(&self, bytes: &[u8], first: u64, last: u64, mut visit: impl FnMut(u64, usize)) {
        let directory = bytes.get(self.directory.clone()).unwrap_or_default().as_chunks::<16>().0;
        let data = bytes.get(self.data.clone()).unwrap_or_default();
        let first_block = directory.partition_point(|entry| last_key(entry) < first);
        for (block, entry) in directory.iter().enumerate().skip(first_block) {
            let start = place(entry);
            let mut number = block * BLOCK;
            let keys = BLOCK.min(self.keys.saturating_sub(number));
            self.decoder.decode(data.get(start..).unwrap_or_default(), keys, |key| {
                if key >= first && key <= last {
                    visit(key, number);
                }
                number += 1;
                key <= last
            });
            if last_key(entry) > last {
                return;
            }
        }
    }
}

/// The last key of a block.
#[inline]
fn last_key(entry: &[u8; 16]) -> u64 {
    u128::from_le_bytes(*entry) as u64
}

/// The place of a block in the data.
#[inline]
fn place(entry: &[u8; 16]) -> usize {
    usize::try_from(u128::from_le_bytes(*entry) >> 64).unwrap_or(usize::MAX)
}
