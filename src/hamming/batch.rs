//! Many queries at a time: the small side becomes the tables, the big side streams past.
//!
//! The batch queries of Manku, Jain and Das Sarma (WWW 2007, section 3.3) turned to one machine: there, each mapper
//! holds the tables of all queries and scans its part of the stored fingerprints. Here each thread takes a share of
//! them, sorts it by each table's directory and meets the queries group by group; the stored fingerprints are read
//! once, from wherever they are.

use rayon::prelude::*;

use super::cost::Cost;
use super::popcount::Kernel;
use super::table::check_distance;
use super::words::WordSource;
use super::{Engine, Error, Table, blocks, multi_index};

/// A query and a stored fingerprint within the distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// The query's position among the queries, from 0.
    pub query: u32,
    /// The stored fingerprint's position among the stored ones, from 0.
    pub stored: u64,
    /// How many bits differ.
    pub distance: u8,
}

/// Stored fingerprints that one thread takes at a time: some for each entry of a directory.
const SHARE: usize = 1 << 18;
/// Directory bits of every table, so that a share has some fingerprints for each entry.
const DIRECTORY_BITS: u8 = 16;

/// A set of queries, ready for any number of stored fingerprints.
#[derive(Debug)]
pub struct Batch {
    table: Table,
    k: u8,
}

impl Batch {
    /// Builds the tables of the queries for distances up to `k` bits.
    ///
    /// # Errors
    /// `k` is larger than 7, or there are more than 2³² − 1 queries.
    pub fn new(queries: &[u64], k: u8) -> Result<Self, Error> {
        check_distance(k)?;
        let candidates = [blocks::design(k, queries.len()), multi_index::design(k, queries.len())]
            .map(|design| design.with_directories_of(DIRECTORY_BITS));
        let [blocks, wide] = candidates.each_ref().map(|design| Cost::of_joining(design, queries.len()));
        let design = &candidates[usize::from(wide < blocks)];
        Ok(Batch { table: Table::build_design(queries, Engine::MultiIndex, design)?, k })
    }

    /// Counts bits with the given loops instead of the fastest ones. Changes no result.
    #[must_use]
    pub fn with_kernel(mut self, kernel: Kernel) -> Self {
        self.table = self.table.with_kernel(kernel);
        self
    }

    /// All pairs of a query and a stored fingerprint within the distance, sorted, each once.
    pub fn pairs(&self, stored: &[u64]) -> Vec<Pair> {
        let mut pairs = self.unsorted_pairs(stored, 0);
        pairs.par_sort_unstable();
        pairs
    }

    /// The same for stored fingerprints in a source of any length, read once.
    ///
    /// # Errors
    /// The source cannot be read.
    pub fn pairs_of_source(&self, stored: &mut dyn WordSource) -> Result<Vec<Pair>, Error> {
        let (mut pairs, mut piece, mut first) = (Vec::new(), Vec::new(), 0);
        loop {
            stored.next_piece(&mut piece)?;
            if piece.is_empty() {
                pairs.par_sort_unstable();
                return Ok(pairs);
            }
            pairs.append(&mut self.unsorted_pairs(&piece, first));
            first += piece.len() as u64;
        }
    }

    fn unsorted_pairs(&self, stored: &[u64], first: u64) -> Vec<Pair> {
        stored
            .par_chunks(SHARE)
            .enumerate()
            .flat_map_iter(|(share, stored)| {
                let first = first + (share * SHARE) as u64;
                let mut pairs = Vec::new();
                self.table.joiner(self.k).find(stored, |position, hit| {
                    pairs.push(Pair { query: hit.row, stored: first + position as u64, distance: hit.distance });
                });
                pairs
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::scan::brute_force;
    use super::super::tests::clustered_fingerprints;
    use super::super::words::{PIECE, WordReader, write_words};
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn a_batch_finds_the_pairs_that_brute_force_finds(
            queries in clustered_fingerprints(60), stored in clustered_fingerprints(200), k in 0u8..=7,
        ) {
            let mut expected = Vec::new();
            for (query, &fingerprint) in queries.iter().enumerate() {
                expected.extend(brute_force(&stored, fingerprint, k).into_iter().map(|hit| Pair {
                    query: query as u32,
                    stored: u64::from(hit.row),
                    distance: hit.distance,
                }));
            }
            let batch = Batch::new(&queries, k).unwrap();
            prop_assert_eq!(&batch.pairs(&stored), &expected);
            let mut bytes = Vec::new();
            write_words(&stored, &mut bytes).unwrap();
            prop_assert_eq!(&batch.pairs_of_source(&mut WordReader::new(&bytes[..])).unwrap(), &expected);
        }
    }

    #[test]
    fn rows_count_on_from_piece_to_piece() {
        let mut stored = vec![u64::MAX; PIECE + SHARE + 3];
        stored[5] = 1;
        stored[PIECE + SHARE + 1] = 3;
        let batch = Batch::new(&[7 << 40, 0], 2).unwrap();
        let mut bytes = Vec::new();
        write_words(&stored, &mut bytes).unwrap();
        let expected = [(5, 1), (PIECE as u64 + SHARE as u64 + 1, 2)].map(|(stored, distance)| Pair {
            query: 1,
            stored,
            distance,
        });
        assert_eq!(batch.pairs(&stored), expected);
        assert_eq!(batch.pairs_of_source(&mut WordReader::new(&bytes[..])).unwrap(), expected);
    }

    #[test]
    fn a_distance_out_of_range_and_a_cut_off_source_are_errors() {
        assert!(matches!(Batch::new(&[], 8), Err(Error::DistanceOutOfRange { k: 8 })));
        let batch = Batch::new(&[1], 3).unwrap();
        assert!(matches!(
            batch.pairs_of_source(&mut WordReader::new(&[0u8; 12][..])),
            Err(Error::NotWords { bytes: 12 })
        ));
        assert_eq!(batch.pairs(&[]), []);
    }
}
