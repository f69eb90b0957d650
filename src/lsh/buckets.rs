//! Buckets: the documents that share a band's key.

use ahash::AHashSet;

/// Sorted bucket entries of any number of documents and bands.
#[derive(Debug, Clone, Default)]
pub struct Buckets {
    keys: Vec<u64>,
    documents: Vec<u32>,
}

impl Buckets {
    /// Sorts `(key, document)` entries into buckets.
    pub fn new(mut entries: Vec<(u64, u32)>) -> Self {
        entries.sort_unstable();
        entries.dedup();
        entries.into_iter().unzip::<u64, u32, Vec<_>, Vec<_>>().into()
    }

    /// All pairs `(a, b)`, a < b, of documents that share a bucket, in ascending order, each once.
    pub fn pairs(&self) -> Vec<(u32, u32)> {
        let mut pairs: AHashSet<(u32, u32)> = AHashSet::new();
        let mut start = 0;
        while start < self.keys.len() {
            let length = self.keys[start..].partition_point(|&k| k == self.keys[start]);
            let bucket = &self.documents[start..start + length];
            for (i, &a) in bucket.iter().enumerate() {
                pairs.extend(bucket[i + 1..].iter().map(|&b| (a, b)));
            }
            start += length;
        }
        let mut pairs: Vec<_> = pairs.into_iter().collect();
        pairs.sort_unstable();
        pairs
    }
}

impl From<(Vec<u64>, Vec<u32>)> for Buckets {
    fn from((keys, documents): (Vec<u64>, Vec<u32>)) -> Self {
        Buckets { keys, documents }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    proptest::proptest! {
        #[test]
        fn pairs_equal_those_found_by_comparing_everything(
            entries in proptest::collection::vec((0u64..12, 0u32..15), 0..60),
        ) {
            let buckets = Buckets::new(entries.clone());
            let mut expected = BTreeSet::new();
            for &(key, a) in &entries {
                for &(other, b) in &entries {
                    if key == other && a < b {
                        expected.insert((a, b));
                    }
                }
            }
            assert_eq!(buckets.pairs(), expected.into_iter().collect::<Vec<_>>());
        }
    }
}
