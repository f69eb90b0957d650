//! Asking tables for single queries, the groups of a query being fetched from memory at the same time.

use std::ops::Range;

use super::super::Hit;
use super::super::container::Layout;
use super::super::permutation::low_bits;
use super::super::popcount::{Kernel, Near, Stretch, prefetch};
use super::{Group, Tables, for_each_change};

/// A group larger than this is narrowed by binary search where the table is sorted in full.
const LARGE_GROUP: usize = 256;
/// Groups gathered before they are compared: enough for their memory accesses to overlap.
const GATHERED: usize = 256;

/// Asks for one query at a time.
pub(in super::super) struct Prober<'a> {
    tables: Tables<'a>,
    groups: Vec<Group<'a>>,
    stretches: Vec<Stretch<'a>>,
    near: Vec<Near>,
}

impl<'a> Prober<'a> {
    /// For fingerprints within `k` bits, at most the design's distance. The layout must have been
    /// [checked](super::check).
    pub fn new(layout: &'a Layout, bytes: &'a [u8], kernel: Kernel, k: u8) -> Self {
        let tables = Tables::new(layout, bytes, kernel, k);
        Prober {
            tables,
            groups: Vec::with_capacity(64),
            stretches: Vec::with_capacity(64),
            near: Vec::new(),
        }
    }

    /// Calls `found` with each fingerprint within the distance, once, in no particular order.
    pub fn find(&mut self, query: u64, mut found: impl FnMut(Hit)) {
        let design = self.tables.design;
        for (number, table) in design.tables.iter().enumerate() {
            let Some(radius) = self.tables.radii[number] else {
                continue;
            };
            let key = table.permutation.apply(query);
            for_each_change(table.directory, radius, |changed| {
                let Some(group) = self
                    .tables
                    .group(number, key >> (64 - table.directory) ^ changed)
                else {
                    return;
                };
                self.gather(group, key, changed.count_ones());
                if self.stretches.len() == GATHERED {
                    self.compare(query, &mut found);
                }
            });
        }
        self.compare(query, &mut found);
    }

    /// Notes a group to be compared.
    #[inline]
    fn gather(&mut self, mut group: Group<'a>, key: u64, changed: u32) {
        if self.tables.design.sorted && group.words.len() > LARGE_GROUP * 4 {
            let part = self.narrow(&group, key);
            group.start += part.start;
            group.words = group
                .words
                .get(part.start as usize * 4..part.end as usize * 4)
                .unwrap_or_default();
        }
        prefetch(group.words);
        let within = u32::from(self.tables.k).saturating_sub(changed);
        self.stretches.push(Stretch {
            words: group.words,
            query: key as u32,
            within,
        });
        self.groups.push(group);
    }

    /// The part of a fully sorted group that agrees with the query in the whole prefix.
    fn narrow(&self, group: &Group, key: u64) -> Range<u32> {
        let outside = low_bits(64 - self.tables.design.tables[group.table].prefix);
        let bound = |is_before: &dyn Fn(u64) -> bool| {
            let (mut low, mut high) = (0, (group.words.len() / 4) as u32);
            while low < high {
                let between = low + (high - low) / 2;
                if self.tables.key_at(group, between).is_some_and(is_before) {
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

    /// Compares what was gathered.
    fn compare(&mut self, query: u64, found: &mut impl FnMut(Hit)) {
        self.near.clear();
        self.tables
            .kernel
            .near_in_stretches(&self.stretches, &mut self.near);
        // The rest of each candidate is elsewhere in memory: all are asked for before the first is looked at.
        for near in &self.near {
            self.tables
                .prefetch(&self.groups[near.stretch as usize], near.position);
        }
        for near in &self.near {
            if let Some(hit) =
                self.tables
                    .judge(&self.groups[near.stretch as usize], near.position, query)
            {
                found(hit);
            }
        }
        self.stretches.clear();
        self.groups.clear();
    }
}
