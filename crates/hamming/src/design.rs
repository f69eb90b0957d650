//! Which tables an index is made of.
//!
//! All table engines rest on the pigeonhole principle: if two fingerprints differ in few bits, the differences cannot
//! reach every part of them. A [`Design`] says which parts are looked at: one table for each, sorted by that part.
//! The engines differ in how they choose the parts ([`blocks`](super::blocks), [`multi_index`](super::multi_index),
//! [`permuted`](super::permuted)); storing and asking the tables is the same for all.

use super::permutation::{Permutation, high_bits};

/// The tables of an index for a given distance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Design {
    /// The largest distance in bits that the tables find completely.
    pub(super) k: u8,
    /// The tables, in the order in which they are asked.
    pub(super) tables: Vec<TableDesign>,
    /// Whether the parts of different tables have no bit in common, so that a smaller distance needs less probing.
    pub(super) disjoint: bool,
    /// Whether each table is sorted by all 64 bits of its order, not only by its directory's.
    pub(super) sorted: bool,
}

/// One table: fingerprints with their bits in a given order, grouped by the first of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TableDesign {
    /// The order of the bits.
    pub(super) permutation: Permutation,
    /// The part this table answers for: this many leading bits in that order.
    pub(super) prefix: u8,
    /// How many bits of the part may differ.
    pub(super) radius: u8,
    /// How many leading bits the directory resolves; at most `prefix`.
    pub(super) directory: u8,
    /// The bits of the part, in a fingerprint's own order.
    part: u64,
    /// The parts of those earlier tables that tolerate no change and have none of the bits between the directory's and
    /// the lower 32, in this table's order.
    settling: Vec<u64>,
}

impl Design {
    /// Tables that find everything within `k` bits; whether they do is for the engines to ensure.
    pub(super) fn new(k: u8, mut tables: Vec<TableDesign>, disjoint: bool, sorted: bool) -> Self {
        for number in 0..tables.len() {
            let (earlier, later) = tables.split_at_mut(number);
            let table = &mut later[0];
            let middle = high_bits(32) & !high_bits(table.directory);
            let strict = earlier.iter().filter(|table| table.radius == 0);
            let parts = strict.map(|earlier| table.permutation.apply(earlier.part));
            table.settling = parts.filter(|part| part & middle == 0).collect();
        }
        Design { k, tables, disjoint, sorted }
    }

    /// The tables' parts: bits of the part, and how many of them may differ.
    pub fn parts(&self) -> Vec<(u8, u8)> {
        self.tables.iter().map(|table| (table.prefix, table.radius)).collect()
    }

    /// In one line for a report, such as `3 tables: 22 bits within 1, 21, 21`.
    pub fn describe(&self) -> String {
        let parts = self.parts();
        let tables = if parts.len() == 1 { "1 table".into() } else { format!("{} tables", parts.len()) };
        if parts.iter().all(|part| part.1 == 0) {
            let (least, most) = parts.iter().fold((64, 0), |(least, most), part| (part.0.min(least), part.0.max(most)));
            let bits = if least == most { format!("{least}") } else { format!("{least}-{most}") };
            return format!("{tables}: {bits} bits");
        }
        let list: Vec<String> = parts
            .iter()
            .map(|(bits, radius)| if *radius == 0 { format!("{bits}") } else { format!("{bits} within {radius}") })
            .collect();
        format!("{tables}: {}", list.join(", "))
    }

    /// Directories of this many bits in all tables, or of the whole part where it has fewer.
    pub(super) fn with_directories_of(self, bits: u8) -> Self {
        let with_directory = |table: TableDesign| {
            let directory = bits.min(table.prefix);
            TableDesign::with_permutation(table.permutation, table.prefix, table.radius, directory)
        };
        let tables = self.tables.into_iter().map(with_directory).collect();
        Design::new(self.k, tables, self.disjoint, self.sorted)
    }

    /// For each table, how many bits of its part may differ if only fingerprints within `k` are wanted; `None` for
    /// a table that need not be asked.
    ///
    /// Disjoint parts with radii rᵢ find everything within Σ(rᵢ + 1) − 1. A smaller distance leaves some of these to
    /// spare, and the costliest probes are dropped first.
    pub(super) fn radii_for(&self, k: u8) -> Vec<Option<u8>> {
        let mut radii: Vec<Option<u8>> = self.tables.iter().map(|table| Some(table.radius)).collect();
        if !self.disjoint {
            return radii;
        }
        for _ in k..self.k {
            // The widest radius costs most; among equals the last, whose directory is the least selective.
            if let Some(costliest) = radii.iter_mut().max_by_key(|radius| **radius) {
                *costliest = costliest.and_then(|radius| radius.checked_sub(1));
            }
        }
        radii
    }
}

impl TableDesign {
    /// A table for the part made of `runs` of bits, of which `radius` may differ, among `count` fingerprints.
    ///
    /// The runs must not overlap (they are laid out by this module's callers, never read from outside).
    pub(super) fn new(runs: &[std::ops::Range<u8>], radius: u8, count: usize) -> Option<Self> {
        let prefix = runs.iter().map(|run| run.end - run.start).sum();
        let permutation = Permutation::leading(runs)?;
        Some(TableDesign::with_permutation(permutation, prefix, radius, directory_bits(prefix, count)))
    }

    /// A table whose numbers are known.
    pub(super) fn with_permutation(permutation: Permutation, prefix: u8, radius: u8, directory: u8) -> Self {
        let part = permutation.invert(high_bits(prefix));
        TableDesign { permutation, prefix, radius, directory, part, settling: Vec::new() }
    }

    /// Whether this table answers for a fingerprint that differs from the query in these bits, both in their natural
    /// order.
    #[inline]
    pub(super) fn answers_for(&self, difference: u64, radius: u8) -> bool {
        let differing = difference & self.part;
        differing == 0 || radius > 0 && differing.count_ones() <= u32::from(radius)
    }

    /// Whether some earlier table surely answers for a fingerprint, whatever the bits between the directory's and the
    /// lower 32 are; `difference` is between it and the query, in this table's order. Only where every table is asked with
    /// its full radius.
    #[inline]
    pub(super) fn is_settled_before(&self, difference: u64) -> bool {
        // Without a way out of the loop, which the processor could not foresee.
        self.settling.iter().fold(false, |settled, part| settled | (difference & part == 0))
    }

    /// How many probes one query takes: the ways to change at most `radius` of the directory's bits.
    pub(super) fn probes(&self) -> u64 {
        let (mut ways, mut all) = (1u64, 1u64);
        for changed in 1..=u64::from(self.radius.min(self.directory)) {
            ways = ways * (u64::from(self.directory) + 1 - changed) / changed;
            all += ways;
        }
        all
    }
}

/// How many bits a directory resolves: a group of 8 to 16 fingerprints for each entry, which fill a cache line or
/// two, unless the part is shorter.
fn directory_bits(prefix: u8, count: usize) -> u8 {
    let fitting = (count.max(1).ilog2() as u8).saturating_sub(3).clamp(4, MAX_DIRECTORY_BITS);
    fitting.min(prefix)
}

/// The largest directory: 2²⁸ entries of four bytes.
pub(super) const MAX_DIRECTORY_BITS: u8 = 28;

/// Cuts the run `start..start + width` into `parts` runs whose widths differ by at most one, the wider ones first.
pub(super) fn cut(start: u8, width: u8, parts: u8) -> Vec<std::ops::Range<u8>> {
    let (each, wider) = (width / parts, width % parts);
    let mut next = start;
    (0..parts)
        .map(|part| {
            let from = next;
            next += each + u8::from(part < wider);
            from..next
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_cut_as_evenly_as_they_go() {
        assert_eq!(cut(0, 64, 4), [0..16, 16..32, 32..48, 48..64]);
        assert_eq!(cut(0, 64, 3), [0..22, 22..43, 43..64]);
        assert_eq!(cut(16, 5, 2), [16..19, 19..21]);
    }

    #[test]
    fn probes_count_the_ways_to_change_bits_of_the_directory() {
        let table = |radius| TableDesign { directory: 20, ..TableDesign::new(&cut(0, 22, 1), radius, 1).unwrap() };
        assert_eq!([0, 1, 2, 3].map(|radius| table(radius).probes()), [1, 21, 211, 1351]);
    }

    #[test]
    fn a_group_of_the_directory_has_eight_to_sixteen_fingerprints() {
        for count in [1000, 100_000, 20_000_000, 100_000_000usize] {
            let in_group = count >> directory_bits(64, count);
            assert!((8..16).contains(&in_group), "{count}: {in_group}");
        }
        assert_eq!(directory_bits(16, 100_000_000), 16);
    }

    #[test]
    fn a_smaller_distance_drops_the_costliest_probes_of_disjoint_parts() {
        let parts = [(0..22, 1), (22..43, 0), (43..64, 0)];
        let tables = parts.map(|(run, radius)| TableDesign::new(&[run], radius, 1000).unwrap()).to_vec();
        let design = Design::new(3, tables, true, false);
        assert_eq!(design.radii_for(3), [Some(1), Some(0), Some(0)]);
        assert_eq!(design.radii_for(2), [Some(0), Some(0), Some(0)]);
        assert_eq!(design.radii_for(0).iter().flatten().count(), 1);
        assert_eq!(design.describe(), "3 tables: 22 within 1, 21, 21");
    }
}
