//! Buckets: the documents that share a band's key.
//!
//! One band after the other is radix-partitioned and sorted, and of its buckets only those with company are kept: a
//! document that is alone in all its buckets costs nothing from here on.

use rayon::prelude::*;

/// The buckets that hold two documents or more. Documents are numbers below a bound; in a bucket they ascend.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Buckets {
    /// The documents of all buckets, one bucket after the other.
    members: Vec<u32>,
    /// Where each bucket starts in `members`, and where the last one ends.
    starts: Vec<usize>,
    /// The buckets of all documents, one document after the other ...
    buckets: Vec<u32>,
    /// ... where those of each start, and where those of the last one end.
    firsts: Vec<usize>,
}

impl Buckets {
    /// Sorts the entries of bands into buckets: `entries(band)` gives a band's as [`entry`]s, in any order. Documents are
    /// numbered below `documents`. Bands are worked on in parallel; the outcome does not depend on that.
    pub fn of_bands(documents: usize, bands: usize, entries: impl Fn(usize) -> Vec<u64> + Sync) -> Self {
        let bands: Vec<(Vec<u32>, Vec<u32>)> =
            (0..bands).into_par_iter().map(|band| with_company(entries(band))).collect();
        let mut all = Buckets { starts: vec![0], ..Buckets::default() };
        all.members.reserve_exact(bands.iter().map(|(members, _)| members.len()).sum());
        for (members, lengths) in bands {
            all.members.extend(members);
            for length in lengths {
                all.starts.push(all.starts[all.starts.len() - 1] + length as usize);
            }
        }
        all.turn_round(documents);
        all
    }

    /// Lists the buckets of each document.
    fn turn_round(&mut self, documents: usize) {
        let mut firsts = vec![0; documents + 1];
        for &document in &self.members {
            firsts[document as usize + 1] += 1;
        }
        for document in 0..documents {
            firsts[document + 1] += firsts[document];
        }
        let mut next = firsts.clone();
        let mut buckets = vec![0; self.members.len()];
        for bucket in 0..self.len() {
            for &document in &self.members[self.starts[bucket]..self.starts[bucket + 1]] {
                let place = &mut next[document as usize];
                buckets[*place] = bucket as u32;
                *place += 1;
            }
        }
        (self.firsts, self.buckets) = (firsts, buckets);
    }

    /// How many buckets there are.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The documents of a bucket, ascending.
    pub fn members(&self, bucket: usize) -> &[u32] {
        &self.members[self.starts[bucket]..self.starts[bucket + 1]]
    }

    /// Whether a document shares a bucket with another.
    pub fn has_company(&self, document: u32) -> bool {
        !self.of(document).is_empty()
    }

    fn of(&self, document: u32) -> &[u32] {
        &self.buckets[self.firsts[document as usize]..self.firsts[document as usize + 1]]
    }

    /// The members of a document's buckets that come after it, bucket by bucket.
    fn after(&self, document: u32) -> impl Iterator<Item = &[u32]> {
        self.of(document).iter().map(move |&bucket| {
            let members = self.members(bucket as usize);
            &members[members.partition_point(|&member| member <= document)..]
        })
    }

    /// How many members of its buckets come after a document, counted anew in each bucket: a bound on its partners.
    pub fn partners_at_most(&self, document: u32) -> usize {
        self.after(document).map(<[u32]>::len).sum()
    }

    /// The documents after `document` that share a bucket with it, ascending, each once. Together with the document they
    /// are its candidate pairs.
    pub fn partners(&self, document: u32, partners: &mut Partners) {
        let Partners { found, met_by } = partners;
        met_by.resize(self.firsts.len() - 1, u32::MAX);
        found.clear();
        for &member in self.after(document).flatten() {
            if met_by[member as usize] != document {
                met_by[member as usize] = document;
                found.push(member);
            }
        }
        found.sort_unstable();
    }
}

/// Where [`Buckets::partners`] puts what it finds; one per thread, for many documents.
#[derive(Debug, Clone, Default)]
pub struct Partners {
    /// The partners of the last document asked for.
    pub found: Vec<u32>,
    /// The document for which each other one was met last.
    met_by: Vec<u32>,
}

/// A band's key of a document, as one number.
pub fn entry(key: u32, document: u32) -> u64 {
    u64::from(key) << 32 | u64::from(document)
}

/// The members of buckets with company and the length of each such bucket.
fn with_company(entries: Vec<u64>) -> (Vec<u32>, Vec<u32>) {
    let entries = sorted(entries);
    let (mut members, mut lengths) = (Vec::new(), Vec::new());
    for bucket in entries.chunk_by(|a, b| a >> 32 == b >> 32) {
        let start = members.len();
        for &entry in bucket {
            let document = entry as u32;
            // A document has a key twice where the entries of all bands are given as those of one.
            if members[start..].last() != Some(&document) {
                members.push(document);
            }
        }
        match members.len() - start {
            1 => members.truncate(start),
            length => lengths.push(length as u32),
        }
    }
    (members, lengths)
}

/// Entries that a partition should have, so that it is sorted in the nearest cache.
const PARTITION: usize = 256;

/// Sorts entries whose highest bits are spread evenly, as those of hashes are: into partitions by these bits, and each
/// partition by itself.
fn sorted(entries: Vec<u64>) -> Vec<u64> {
    let bits = (entries.len() / PARTITION).max(1).ilog2().min(16);
    if bits == 0 {
        let mut entries = entries;
        entries.sort_unstable();
        return entries;
    }
    let partition = |entry: u64| (entry >> (u64::BITS - bits)) as usize;
    let mut starts = vec![0usize; (1 << bits) + 1];
    for &entry in &entries {
        starts[partition(entry) + 1] += 1;
    }
    for index in 1..starts.len() {
        starts[index] += starts[index - 1];
    }
    let mut next = starts.clone();
    let mut parted = vec![0; entries.len()];
    for &entry in &entries {
        let place = &mut next[partition(entry)];
        parted[*place] = entry;
        *place += 1;
    }
    for range in starts.windows(2) {
        parted[range[0]..range[1]].sort_unstable();
    }
    parted
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    proptest::proptest! {
        #[test]
        fn partners_are_those_found_by_comparing_everything(
            bands in proptest::collection::vec(proptest::collection::vec((0u32..8, 0u32..15), 0..40), 0..4),
        ) {
            let entries = |band: usize| bands[band].iter().map(|&(key, document)| entry(key << 29, document)).collect();
            let buckets = Buckets::of_bands(15, bands.len(), entries);
            let mut expected = BTreeSet::new();
            for band in &bands {
                for &(key, a) in band {
                    expected.extend(band.iter().filter(|&&(other, b)| key == other && a < b).map(|&(_, b)| (a, b)));
                }
            }
            let mut partners = Partners::default();
            let mut found = BTreeSet::new();
            for a in 0..15 {
                buckets.partners(a, &mut partners);
                assert!(partners.found.is_sorted_by(|x, y| x < y));
                assert!(partners.found.len() <= buckets.partners_at_most(a));
                found.extend(partners.found.iter().map(|&b| (a, b)));
                assert_eq!(buckets.has_company(a), expected.iter().any(|&(x, y)| x == a || y == a));
            }
            assert_eq!(found, expected);
        }

        #[test]
        fn partitions_sort_as_the_library_does(entries in proptest::collection::vec(proptest::num::u64::ANY, 0..5000)) {
            let mut expected = entries.clone();
            expected.sort_unstable();
            assert_eq!(sorted(entries), expected);
        }
    }
}
