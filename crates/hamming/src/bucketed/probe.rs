//! Asking tables for single queries.
//!
//! A query costs memory accesses far apart, one after the other in each table but independent between tables. So
//! each step is taken for all tables before the next, and asks for the memory of the next ahead: directory entries, then
//! the words of the groups, the tails of candidates.

use std::ops::Range;

use super::super::Hit;
use super::super::container::Sections;
use super::super::permutation::low_bits;
use super::super::popcount::{Near, NearInRuns, WordRun};
use super::{BucketTables, Group, for_each_change};
use crate::cpu::prefetch;

/// A group larger than this is narrowed by binary search where the table is sorted in full.
const LARGE_GROUP: usize = 256;
/// Probes taken together: enough for their memory accesses to overlap.
const TOGETHER: usize = 256;

/// Asks for one query at a time, and keeps its working space from one to the next.
pub(in super::super) struct Prober<'a> {
    tables: BucketTables<'a>,
    probes: Vec<Probe>,
    groups: Vec<(Group<'a>, u64)>,
    runs: Vec<WordRun<'a>>,
    near: Vec<Near>,
}

/// A directory entry to be looked up.
#[derive(Debug, Clone, Copy)]
struct Probe {
    table: usize,
    /// The query in the table's order.
    key: u64,
    /// Bits of the directory to be changed, in the lowest places.
    change: u64,
}

impl<'a> Prober<'a> {
    /// For fingerprints within `k` bits, at most the design's distance. The layout must have been
    /// [checked](super::check).
    pub fn new(layout: &'a Sections, bytes: &'a [u8], k: u8) -> Self {
        let tables = BucketTables::new(layout, bytes, k);
        let (probes, groups, runs) = (Vec::with_capacity(32), Vec::with_capacity(32), Vec::with_capacity(32));
        Prober { tables, probes, groups, runs, near: Vec::with_capacity(64) }
    }

    /// Calls `found` with each fingerprint within the distance, once, in arbitrary order.
    pub fn find(&mut self, query: u64, mut found: impl FnMut(Hit)) {
        let design = self.tables.design;
        for (number, table) in design.tables.iter().enumerate() {
            let Some(radius) = self.tables.radii[number] else {
                continue;
            };
            let key = table.permutation.apply(query);
            for_each_change(table.directory, radius, |change| {
                self.tables.prefetch_group(number, key >> (64 - table.directory) ^ change);
                self.probes.push(Probe { table: number, key, change });
                if self.probes.len() == TOGETHER {
                    self.probe(&mut found);
                }
            });
        }
        self.probe(&mut found);
    }

    /// Looks the gathered probes up and judges what is in their groups.
    fn probe(&mut self, found: &mut impl FnMut(Hit)) {
        self.groups.clear();
        self.runs.clear();
        for probe in &self.probes {
            let shift = 64 - self.tables.design.tables[probe.table].directory;
            let Some(mut group) = self.tables.group(probe.table, probe.key >> shift ^ probe.change) else {
                continue;
            };
            if self.tables.design.sorted && group.words.len() > LARGE_GROUP * 4 {
                let part = self.narrow(&group, probe.key);
                group.start += part.start;
                group.words = group.words.get(part.start as usize * 4..part.end as usize * 4).unwrap_or_default();
            }
            prefetch(group.words);
            let within = u32::from(self.tables.k).saturating_sub(probe.change.count_ones());
            self.runs.push(WordRun { words: group.words, query: probe.key as u32, within });
            self.groups.push((group, probe.key));
        }
        self.probes.clear();
        self.near.clear();
        self.tables.cpu.run(NearInRuns { runs: &self.runs, found: &mut self.near });
        self.judge(found);
    }

    /// Hands over the candidates that are hits.
    fn judge(&mut self, found: &mut impl FnMut(Hit)) {
        let Prober { tables, groups, near, .. } = self;
        near.retain(|near| {
            let (group, key) = &groups[near.run as usize];
            let is_open = !tables.is_surely_found_before(group, near.position, *key);
            if is_open {
                tables.prefetch_tail(group, near.position);
            }
            is_open
        });
        for near in near {
            let (group, key) = &groups[near.run as usize];
            if let Some(hit) = tables.judge(group, near.position, *key) {
                found(hit);
            }
        }
    }

    /// The part of a fully sorted group that agrees with the query in the whole prefix.
    fn narrow(&self, group: &Group, key: u64) -> Range<u32> {
        let outside = low_bits(64 - self.tables.design.tables[group.table].prefix);
        let bound = |is_before: &dyn Fn(u64) -> bool| {
            let (mut low, mut high) = (0, (group.words.len() / 4) as u32);
            while low < high {
                let between = low + (high - low) / 2;
                if self.tables.entry(group, between).is_some_and(|(other, _)| is_before(other)) {
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
}
