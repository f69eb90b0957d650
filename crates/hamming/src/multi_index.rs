//! Fewer and wider parts, in which some bits may differ.
//!
//! If the 64 bits are cut into disjoint parts with radii rᵢ and Σ(rᵢ + 1) = k + 1, then two fingerprints within k bits
//! are within rᵢ in at least one part i: otherwise they would differ in Σ(rᵢ + 1) > k bits. A part is asked by
//! probing every value within its radius. Fewer tables take less memory, and wide parts select sharply; the price is
//! probes. Equal radii are the multi-index hashing of Norouzi, Punjani and Fleet ("Fast Search in Hamming Space with
//! Multi-Index Hashing", CVPR 2012); unequal ones follow the general pigeonhole principle of Qin et al. ("GPH:
//! Similarity Search in Hamming Space", ICDE 2018). All radii 0 gives the classical [`blocks`](super::blocks).
//!
//! For 100 million fingerprints and k = 3, three parts with radii 1, 0, 0 compare about a tenth of what four blocks of
//! 16 bits do, in 30 bytes for each fingerprint instead of 40.

use super::cost::Cost;
use super::design::{Design, TableDesign};

/// The cheapest design by the [cost model](super::cost) for `count` fingerprints.
///
/// Every way to write k + 1 as a sum of rᵢ + 1 is tried; the widths of the parts are found by moving one bit at a time as
/// long as that helps.
pub(super) fn design(k: u8, count: usize) -> Design {
    let mut best: Option<(u64, Design)> = None;
    for shares in partitions(k + 1) {
        let candidate = widths_for(k, &shares, count);
        let price = Cost::of(&candidate, count).picoseconds;
        if best.as_ref().is_none_or(|(least, _)| price < *least) {
            best = Some((price, candidate));
        }
    }
    // There is always the partition of one part.
    best.map_or_else(|| super::blocks::design(k, count), |(_, design)| design)
}

/// Equal parts with equal radii, whatever they cost: few tables for a large distance. `parts` from 1 to 16.
pub(super) fn equal_parts(k: u8, parts: u8, count: usize) -> Design {
    let radius = (k + 1).div_ceil(parts) - 1;
    let tables = super::design::cut(0, 64, parts).into_iter();
    Design::new(k, tables.filter_map(|part| TableDesign::new(&[part], radius, count)).collect(), true, false)
}

/// The design with the given values of rᵢ + 1, its widths chosen by cost.
fn widths_for(k: u8, shares: &[u8], count: usize) -> Design {
    let build = |widths: &[u8]| {
        let mut next = 0;
        let tables = shares
            .iter()
            .zip(widths)
            .filter_map(|(share, width)| {
                let part = next..next + width;
                next += width;
                TableDesign::new(&[part], share - 1, count)
            })
            .collect();
        Design::new(k, tables, true, false)
    };
    let price = |widths: &[u8]| Cost::of(&build(widths), count).picoseconds;
    let mut widths: Vec<u8> =
        super::design::cut(0, 64, shares.len() as u8).iter().map(|part| part.end - part.start).collect();
    let mut least = price(&widths);
    loop {
        let mut improved = false;
        for from in 0..widths.len() {
            for to in 0..widths.len() {
                // A part keeps at least 4 bits.
                if from == to || widths[from] <= 4 {
                    continue;
                }
                let mut moved = widths.clone();
                moved[from] -= 1;
                moved[to] += 1;
                let cost = price(&moved);
                if cost < least {
                    (widths, least, improved) = (moved, cost, true);
                }
            }
        }
        if !improved {
            return build(&widths);
        }
    }
}

/// All ways to write `sum` as positive numbers, each written in descending order.
fn partitions(sum: u8) -> Vec<Vec<u8>> {
    fn extend(left: u8, most: u8, begun: &mut Vec<u8>, all: &mut Vec<Vec<u8>>) {
        if left == 0 {
            all.push(begun.clone());
        }
        for part in 1..=most.min(left) {
            begun.push(part);
            extend(left - part, part, begun, all);
            begun.pop();
        }
    }
    let mut all = Vec::new();
    extend(sum, sum, &mut Vec::new(), &mut all);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_are_complete() {
        assert_eq!((1..=8).map(|sum| partitions(sum).len()).collect::<Vec<_>>(), [1, 2, 3, 5, 7, 11, 15, 22]);
        assert_eq!(partitions(3), [vec![1, 1, 1], vec![2, 1], vec![3]]);
    }

    #[test]
    fn parts_cover_the_distance_whatever_the_size() {
        for k in 0..=7u8 {
            for count in [0, 1, 100, 100_000, 100_000_000, 4_000_000_000usize] {
                let design = design(k, count);
                let parts = design.parts();
                assert_eq!(parts.iter().map(|part| part.1 + 1).sum::<u8>(), k + 1, "k {k}, {count}");
                assert!(parts.iter().map(|part| u32::from(part.0)).sum::<u32>() <= 64);
            }
        }
    }

    #[test]
    fn four_equal_parts_within_one_bit_do_for_seven_bits_and_without_a_change_for_three() {
        let design = equal_parts(7, 4, 1 << 20);
        assert_eq!(design.parts(), [(16, 1); 4]);
        assert_eq!(design.radii_for(3), [Some(0); 4]);
    }

    #[test]
    fn a_hundred_million_fingerprints_within_three_bits_take_three_tables() {
        let design = design(3, 100_000_000);
        assert_eq!(design.parts().len(), 3, "{}", design.describe());
        assert!(Cost::of(&design, 100_000_000).bytes < 31 * 100_000_000);
    }
}
