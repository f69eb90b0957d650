//! Many queries at a time: the smaller side becomes the tables, the larger side streams past.
//!
//! The batch queries of Manku, Jain and Das Sarma (WWW 2007, section 3.3) turned to one machine: there, each mapper
//! holds the tables of all queries and scans its part of the stored fingerprints. Here each thread takes a share of
//! them, sorts it by each table's directory and meets the tables group by group.
//!
//! Equal fingerprints of a batch are one until rows are asked for, so that many copies of one fingerprint cost no more
//! than one.

use rayon::prelude::*;

use super::cost::Cost;
use super::engine::check_distance;
use super::{Engine, Error, FingerprintTable, blocks, multi_index};

/// A fingerprint that streamed past and one of a batch, within the distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Meeting {
    /// The position of the one that streamed past, from 0.
    pub position: u32,
    /// The number of the batch's one, among those that differ.
    pub distinct: u32,
    /// How many bits differ.
    pub distance: u8,
}

/// Fingerprints that one thread takes at a time: some for each entry of a directory.
const SHARE: usize = 1 << 18;
/// Directory bits of every table, so that a share has some fingerprints for each entry.
const DIRECTORY_BITS: u8 = 16;

/// A set of fingerprints, ready to meet any number of others.
#[derive(Debug)]
pub struct Batch {
    /// Of the fingerprints that differ.
    table: FingerprintTable,
    k: u8,
    /// For each row the number of its fingerprint among those that differ.
    distinct: Vec<u32>,
    /// The rows by that number, ascending.
    rows: Vec<u32>,
    /// Where the rows of each number begin; at the end, how many there are.
    starts: Vec<u32>,
    /// Whether the first of those that differ is 0, which meets none.
    has_zero: bool,
}

impl Batch {
    /// Builds the tables of fingerprints for distances up to `k` bits.
    ///
    /// # Errors
    /// `k` is larger than 7, or there are more than 2³² − 1 fingerprints.
    pub fn new(fingerprints: &[u64], k: u8) -> Result<Self, Error> {
        check_distance(k)?;
        let count = u32::try_from(fingerprints.len()).map_err(|_| Error::TooMany { count: fingerprints.len() })?;
        let mut rows: Vec<u32> = (0..count).collect();
        rows.par_sort_unstable_by_key(|&row| (fingerprints[row as usize], row));
        let (mut words, mut starts, mut distinct) = (Vec::new(), Vec::new(), vec![0; fingerprints.len()]);
        for (place, &row) in (0..).zip(&rows) {
            let word = fingerprints[row as usize];
            if words.last() != Some(&word) {
                words.push(word);
                starts.push(place);
            }
            distinct[row as usize] = words.len() as u32 - 1;
        }
        starts.push(count);
        let candidates = [blocks::design(k, words.len()), multi_index::design(k, words.len())]
            .map(|design| design.with_directories_of(DIRECTORY_BITS));
        let [classical, wide] = candidates.each_ref().map(|design| Cost::of_joining(design, words.len()));
        let design = &candidates[usize::from(wide < classical)];
        Ok(Batch {
            table: FingerprintTable::build_design(&words, Engine::MultiIndex, design)?,
            k,
            distinct,
            rows,
            starts,
            has_zero: words.first() == Some(&0),
        })
    }

    /// All meetings with fingerprints that stream past, at most 2³² − 1 at a time, in the order of their positions, by
    /// all threads.
    pub fn meet(&self, fingerprints: &[u64]) -> Vec<Meeting> {
        let of_share = |(share, fingerprints): (usize, &[u64])| {
            let first = (share * SHARE) as u32;
            let mut meetings = Vec::new();
            self.table.joiner(self.k).find(fingerprints, |position, hit| {
                let of_nothing = fingerprints[position] == 0 || (self.has_zero && hit.row == 0);
                if !of_nothing {
                    let position = first + position as u32;
                    meetings.push(Meeting { position, distinct: hit.row, distance: hit.distance });
                }
            });
            meetings.sort_unstable();
            meetings
        };
        fingerprints.par_chunks(SHARE).enumerate().flat_map_iter(of_share).collect()
    }

    /// How many fingerprints the batch has, each counted as often as it was given.
    pub fn len(&self) -> usize {
        self.distinct.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a row's fingerprint among those that differ.
    pub fn distinct(&self, row: u32) -> u32 {
        self.distinct[row as usize]
    }

    /// The rows with a fingerprint, given by its number, ascending.
    pub fn rows(&self, distinct: u32) -> &[u32] {
        let bounds = &self.starts[distinct as usize..];
        &self.rows[bounds[0] as usize..bounds[1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::clustered_fingerprints;
    use super::*;
    use crate::FingerprintTable;

    /// The meetings with their rows, sorted: position, row, distance.
    fn pairs(batch: &Batch, words: &[u64]) -> Vec<(u32, u32, u8)> {
        let of = |meeting: &Meeting| {
            let Meeting { position, distinct, distance } = *meeting;
            batch.rows(distinct).iter().map(move |&row| (position, row, distance)).collect::<Vec<_>>()
        };
        let mut pairs: Vec<_> = batch.meet(words).iter().flat_map(of).collect();
        pairs.sort_unstable();
        pairs
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn a_batch_meets_what_brute_force_finds(
            batch in clustered_fingerprints(60), others in clustered_fingerprints(200), k in 0u8..=7,
        ) {
            let mut expected = Vec::new();
            for (position, &other) in (0..).zip(&others) {
                let hits = FingerprintTable::brute_force(&batch, other, k);
                expected.extend(hits.into_iter().map(|hit| (position, hit.row, hit.distance)));
            }
            let batch = Batch::new(&batch, k).unwrap();
            prop_assert_eq!(pairs(&batch, &others), expected);
            for row in 0..batch.len() as u32 {
                prop_assert!(batch.rows(batch.distinct(row)).contains(&row));
            }
        }
    }

    #[test]
    fn positions_count_on_from_share_to_share() {
        let mut words = vec![u64::MAX; 3 * SHARE + 3];
        words[5] = 9;
        words[3 * SHARE + 1] = 11;
        let batch = Batch::new(&[7 << 40, 8, 7 << 40], 2).unwrap();
        assert_eq!(pairs(&batch, &words), [(5, 1, 1), (3 * SHARE as u32 + 1, 1, 2)]);
    }

    #[test]
    fn the_fingerprint_of_a_text_without_features_meets_none() {
        let batch = Batch::new(&[0, 1, 0], 1).unwrap();
        assert_eq!(pairs(&batch, &[0, 1, 3, 0]), [(1, 1, 0), (2, 1, 1)]);
    }

    #[test]
    fn a_distance_out_of_range_is_an_error_and_nothing_meets_nothing() {
        assert!(matches!(Batch::new(&[], 8), Err(Error::DistanceOutOfRange { k: 8 })));
        assert_eq!(Batch::new(&[1], 3).unwrap().meet(&[]), []);
        assert_eq!(Batch::new(&[], 3).unwrap().meet(&[1]), []);
    }
}
