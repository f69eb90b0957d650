//! The classical pigeonhole tables.
//!
//! Cut the 64 bits into k + 1 blocks. Fingerprints that differ in at most k bits agree in at least one block, so one
//! table for each block, asked for the query's value of that block, finds all of them. For k = 3 that is four tables of
//! 16 bits and 40 bytes for each fingerprint. A block of few bits selects little: at 100 million fingerprints 16
//! bits leave 1,526 to compare in each table, and the 8 bits of k = 7 leave 390,625.
//! [`multi_index`](super::multi_index) is the way out.

use super::design::{Design, TableDesign, cut};

/// The design of k + 1 blocks for `count` fingerprints (the count decides only how fine a directory is).
pub(super) fn design(k: u8, count: usize) -> Design {
    let tables = cut(0, 64, k + 1).into_iter().filter_map(|block| TableDesign::new(&[block], 0, count)).collect();
    Design::new(k, tables, true, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_more_block_than_bits_may_differ() {
        for k in 0..=7 {
            let parts = design(k, 1 << 30).parts();
            assert_eq!(parts.len(), usize::from(k) + 1);
            assert_eq!(parts.iter().map(|part| u32::from(part.0)).sum::<u32>(), 64);
        }
        assert_eq!(design(3, 100).describe(), "4 tables: 16 bits");
    }
}
