//! Asking tables for many fingerprints at once, group by group.
//!
//! Asked one after the other, each query costs a handful of cache misses. Here the queries are first sorted by each
//! table's directory bits, so that those of one group meet that group's fingerprints together: a small product of
//! words in the nearest cache.

use super::super::Hit;
use super::super::container::Sections;
use super::super::popcount::{Near, NearAny};
use super::{BucketTables, for_each_change};

/// Asks for many queries at a time, and keeps its working space from one set to the next.
pub(in super::super) struct Joiner<'a> {
    tables: BucketTables<'a>,
    /// The end, or while sorting the next free place, of the queries of each group.
    ends: Vec<u32>,
    /// The lower words of the queries in a table's order, by group.
    words: Vec<u32>,
    /// Their positions among the queries.
    positions: Vec<u32>,
    near: Vec<Near>,
}

impl<'a> Joiner<'a> {
    /// For fingerprints within `k` bits, at most the design's distance. The layout must have been
    /// [checked](super::check). Directories of more bits than there are queries for make this slow.
    pub fn new(layout: &'a Sections, bytes: &'a [u8], k: u8) -> Self {
        let tables = BucketTables::new(layout, bytes, k);
        Joiner { tables, ends: Vec::new(), words: Vec::new(), positions: Vec::new(), near: Vec::new() }
    }

    /// Calls `found` with the position of the query and each fingerprint within the distance, once, in arbitrary order. At
    /// most 2³² − 1 queries.
    pub fn find(&mut self, queries: &[u64], mut found: impl FnMut(usize, Hit)) {
        let design = self.tables.design;
        for (number, table) in design.tables.iter().enumerate() {
            let Some(radius) = self.tables.radii[number] else {
                continue;
            };
            self.sort(queries, number);
            let mut start = 0;
            for value in 0..1u64 << table.directory {
                let end = self.ends[value as usize] as usize;
                let asked = start..end;
                start = end;
                if asked.is_empty() {
                    continue;
                }
                for_each_change(table.directory, radius, |changed| {
                    let Some(group) = self.tables.group(number, value ^ changed) else {
                        return;
                    };
                    let within = u32::from(self.tables.k).saturating_sub(changed.count_ones());
                    self.near.clear();
                    let (words, asking) = (group.words, &self.words[asked.clone()]);
                    self.tables.cpu.run(NearAny { words, queries: asking, within, found: &mut self.near });
                    for near in &self.near {
                        let position = self.positions[asked.start + near.run as usize] as usize;
                        let key = table.permutation.apply(queries[position]);
                        if let Some(hit) = self.tables.judge(&group, near.position, key) {
                            found(position, hit);
                        }
                    }
                });
            }
        }
    }

    /// Sorts the queries by the directory bits of a table, by counting.
    fn sort(&mut self, queries: &[u64], table: usize) {
        let shape = &self.tables.design.tables[table];
        let shift = 64 - shape.directory;
        self.ends.clear();
        self.ends.resize(1 << shape.directory, 0);
        for &query in queries {
            self.ends[(shape.permutation.apply(query) >> shift) as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut self.ends {
            // For now the start: placing the group's queries moves it to the end.
            (sum, *end) = (sum + *end, sum);
        }
        self.words.resize(queries.len(), 0);
        self.positions.resize(queries.len(), 0);
        for (position, &query) in queries.iter().enumerate() {
            let key = shape.permutation.apply(query);
            let next = &mut self.ends[(key >> shift) as usize];
            self.words[*next as usize] = key as u32;
            self.positions[*next as usize] = position as u32;
            *next += 1;
        }
    }
}
