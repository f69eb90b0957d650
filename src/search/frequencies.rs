//! How rare the keys of a submission are.

use crate::index::segment::{Choice, Posting};
use crate::index::{Index, IndexError};
use crate::sketch::analysis::Analysis;
use crate::sketch::containment::{Beside, Key};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How many documents there are, and how many hold each key of one submission. Counted in each of several indexes and added
/// up, it makes each of them answer as one index of all documents would, on whatever machine it is.
// For the Python package's cluster alone, as profiles are.
#[doc(hidden)]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frequencies {
    /// Documents in all.
    pub documents: u64,
    /// Units of all documents.
    pub units: u64,
    /// By key of the containment sketch, how many documents hold it. Keys that none holds are left out.
    pub keys: BTreeMap<u64, u64>,
    /// By key of the containment sketch and what stands beside it (the eight bits of [`Beside`] behind those of the key), in how many places
    /// of documents that is so. Only what stands beside a key of the submission is counted.
    pub places: BTreeMap<u64, u64>,
    /// By key of a band, how many documents stand in the bucket. Empty buckets are left out.
    pub buckets: BTreeMap<u64, u64>,
}

impl Frequencies {
    /// Counts in an index.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn of(index: &Index, submission: &Analysis) -> Result<Self, IndexError> {
        let mut counted =
            Frequencies { documents: index.len() as u64, units: index.units()?, ..Frequencies::default() };
        for group in submission.keys.chunk_by(|a, b| a.hash == b.hash) {
            let holders = index.key(group[0].hash)?;
            count(&mut counted.keys, group[0].hash, holders.documents());
            holders.visit(Choice::ALL, |posting| {
                if agrees(group, &posting) {
                    count(&mut counted.places, place(group[0].hash, posting.beside), 1);
                }
            })?;
        }
        for key in bucket_keys(index, submission) {
            count(&mut counted.buckets, key, index.bucket(key)?.documents());
        }
        Ok(counted)
    }

    /// Puts in what was counted in the same index for another reading of the submission.
    pub(crate) fn also(&mut self, other: Frequencies) {
        self.keys.extend(other.keys);
        self.places.extend(other.places);
        self.buckets.extend(other.buckets);
    }

    /// Adds what was counted for the same submission in another index.
    pub fn add(&mut self, other: &Frequencies) {
        self.documents += other.documents;
        self.units += other.units;
        let added =
            [(&mut self.keys, &other.keys), (&mut self.places, &other.places), (&mut self.buckets, &other.buckets)];
        for (ours, theirs) in added {
            theirs.iter().for_each(|(&key, &documents)| count(ours, key, documents));
        }
    }

    /// How many documents hold a key of the containment sketch.
    pub fn of_key(&self, key: u64) -> u64 {
        self.keys.get(&key).copied().unwrap_or(0)
    }

    /// In how many places of documents a key [`agrees`].
    pub(super) fn agreeing_with(&self, key: &[Key]) -> u64 {
        let different: BTreeSet<u64> = key.iter().map(|key| place(key.hash, key.beside)).collect();
        different.iter().filter_map(|place| self.places.get(place)).sum()
    }

    /// How many documents stand in the bucket of a band's key.
    pub fn in_bucket(&self, key: u64) -> u64 {
        self.buckets.get(&key).copied().unwrap_or(0)
    }
}

/// Whether the same stands on both sides of a key in a document as in one of its places in the submission.
pub(super) fn agrees(key: &[Key], posting: &Posting) -> bool {
    key.iter().any(|key| key.beside == posting.beside)
}

/// What stands for a key and what stands beside it.
fn place(key: u64, beside: Beside) -> u64 {
    key << u8::BITS | u64::from(beside.0)
}

fn count(counts: &mut BTreeMap<u64, u64>, key: u64, documents: u64) {
    if documents > 0 {
        *counts.entry(key).or_default() += documents;
    }
}

/// The buckets of a submission; none for one without a shingle.
pub(super) fn bucket_keys<'a>(index: &Index, submission: &'a Analysis) -> impl Iterator<Item = u64> + use<'a> {
    let keys = index.settings().banding.keys(&submission.signature);
    keys.take(if submission.shingles.is_empty() { 0 } else { usize::MAX })
}
