//! The sorted permuted tables of Manku, Jain and Das Sarma.
//!
//! "Detecting Near-Duplicates for Web Crawling" (WWW 2007), section 3: cut the bits into m > k blocks. Fingerprints
//! within k bits agree in some m − k blocks, so one table for each choice of m − k blocks, sorted with these at the
//! top, finds all of them. More blocks give longer prefixes, hence fewer fingerprints to compare, for more tables: for
//! k = 3, 4 tables of 16 bits, 10 of 25, 20 of 31, 35 of 36. The paper's other way is to cut twice: one of four
//! blocks, and one of four blocks of the remaining bits, gives 16 tables of 28 bits.

use std::ops::Range;

use super::cost::Cost;
use super::design::{Design, TableDesign, cut};

/// More tables than this are never proposed: at 64, an index takes 600 bytes for each fingerprint.
const MOST_TABLES: usize = 64;

/// All designs for a distance of `k` bits and `count` fingerprints: cut once into k + 1 to k + 4 blocks, and cut
/// twice.
pub(super) fn designs(k: u8, count: usize) -> Vec<Design> {
    let mut all: Vec<Design> = (k + 1..=k + 4).map(|blocks| cut_once(k, blocks, count)).collect();
    all.push(cut_twice(k, count));
    all.retain(|design| design.tables.len() <= MOST_TABLES);
    all
}

/// One table for each choice of `blocks` − k blocks out of `blocks`. More than k blocks are needed.
pub(super) fn cut_once(k: u8, blocks: u8, count: usize) -> Design {
    let cuts = cut(0, 64, blocks);
    let tables = choices(&cuts, usize::from(blocks.saturating_sub(k)))
        .iter()
        .filter_map(|chosen| TableDesign::new(chosen, 0, count))
        .collect();
    Design::new(k, tables, false, true)
}

/// One of k + 1 blocks, then one of k + 1 blocks of the remaining bits: (k + 1)² tables, 16 of 28 bits for k = 3.
pub(super) fn cut_twice(k: u8, count: usize) -> Design {
    let mut tables = Vec::new();
    for first in cut(0, 64, k + 1) {
        let rest: Vec<u8> = (0..64).filter(|bit| !first.contains(bit)).collect();
        if rest.is_empty() {
            tables.extend(TableDesign::new(&[first], 0, count));
            continue;
        }
        for second in cut(0, rest.len() as u8, k + 1) {
            let mut runs = vec![first.clone()];
            runs.extend(runs_of(&rest[usize::from(second.start)..usize::from(second.end)]));
            tables.extend(TableDesign::new(&runs, 0, count));
        }
    }
    Design::new(k, tables, false, true)
}

/// The design that answers fastest by the [cost model](super::cost) among those within `most_bytes` for each
/// fingerprint, or the smallest if none is.
pub(super) fn design(k: u8, count: usize, most_bytes: u64) -> Design {
    let priced = |design: Design| (Cost::of(&design, count), design);
    let mut all: Vec<(Cost, Design)> = designs(k, count).into_iter().map(priced).collect();
    all.sort_by_key(|(cost, _)| {
        let too_big = cost.bytes > most_bytes.saturating_mul(count as u64);
        (too_big, if too_big { cost.bytes } else { cost.picoseconds }, cost.bytes)
    });
    all.into_iter().next().map_or_else(|| cut_once(k, k + 1, count), |(_, design)| design)
}

/// The design whose compressed tables answer fastest by the [cost model](super::cost): whole blocks are decoded anyway, so
/// that longer prefixes are worth less than in plain tables.
pub(super) fn design_for_compression(k: u8, count: usize) -> Design {
    let price = |design: &Design| Cost::of_decoding(design, count, super::compressed::BLOCK);
    designs(k, count).into_iter().min_by_key(price).unwrap_or_else(|| cut_once(k, k + 1, count))
}

/// All ways to take `wanted` of the runs, in order.
fn choices(runs: &[Range<u8>], wanted: usize) -> Vec<Vec<Range<u8>>> {
    if wanted == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for first in 0..runs.len() {
        for mut rest in choices(&runs[first + 1..], wanted - 1) {
            rest.insert(0, runs[first].clone());
            all.push(rest);
        }
    }
    all
}

/// Ascending bit numbers as runs.
fn runs_of(bits: &[u8]) -> Vec<Range<u8>> {
    let mut runs: Vec<Range<u8>> = Vec::new();
    for &bit in bits {
        match runs.last_mut() {
            Some(last) if last.end == bit => last.end += 1,
            _ => runs.push(bit..bit + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_designs_for_three_bits_are_those_of_the_paper() {
        let described: Vec<String> = designs(3, 1 << 34).iter().map(Design::describe).collect();
        assert_eq!(
            described,
            [
                "4 tables: 16 bits",
                "10 tables: 25-26 bits",
                "20 tables: 31-33 bits",
                "35 tables: 36-37 bits",
                "16 tables: 28 bits"
            ]
        );
    }

    #[test]
    fn every_set_of_k_differing_bits_leaves_one_table_untouched() {
        for k in 1..=3u8 {
            for design in designs(k, 1000) {
                let mut bits: Vec<u32> = (0..u32::from(k)).collect();
                loop {
                    let difference = bits.iter().fold(0u64, |all, bit| all | 1 << bit);
                    assert!(
                        design.tables.iter().any(|table| table.answers_for(difference, 0)),
                        "{}: {bits:?}",
                        design.describe()
                    );
                    // The next combination: raise the last bit that can be raised.
                    let Some(at) = (0..bits.len()).rev().find(|&i| bits[i] < 64 - (bits.len() - i) as u32) else {
                        break;
                    };
                    bits[at] += 1;
                    for later in at + 1..bits.len() {
                        bits[later] = bits[later - 1] + 1;
                    }
                }
            }
        }
    }

    #[test]
    fn the_choice_follows_the_size_and_the_memory_allowed() {
        assert_eq!(design(3, 100_000_000, 40).tables.len(), 4);
        assert!(design(3, 100_000_000, 120).tables.len() > 4);
        assert_eq!(design(3, 1000, 200).tables.len(), 4);
    }
}
