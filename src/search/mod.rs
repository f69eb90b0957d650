//! Who shares text with whom: one submission against an index, and all pairs of a corpus.

pub mod all_pairs;
pub mod candidates;
pub mod filter;
pub mod submission;

use crate::settings::Settings;
use crate::sketch::analysis::{Analysis, StoredDocument};
use crate::sketch::minhash::{self, Family};
use crate::sketch::shingle::ShingleSet;
use crate::sketch::simhash::hamming;

/// How similar two documents are as wholes: estimated, counted, and cross-checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DocumentSimilarity {
    /// Jaccard similarity as the MinHash signatures estimate it.
    pub estimated_jaccard: f64,
    /// Exact Jaccard similarity of the shingle sets.
    pub jaccard: f64,
    /// The share of the first document's shingles that stand in the second, exactly.
    pub containment_first: f64,
    /// The share of the second document's shingles that stand in the first, exactly.
    pub containment_second: f64,
    /// Bits in which the SimHash fingerprints differ, 0 to 64.
    pub hamming: u32,
    /// Whether SimHash comes to the same answer as the Jaccard similarity: near and similar, or far and not.
    pub simhash_agrees: bool,
}

/// What whole documents are compared by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// The shingle set.
    pub shingles: ShingleSet,
    /// Its MinHash signature.
    pub signature: Vec<u32>,
    /// The SimHash fingerprint.
    pub fingerprint: u64,
}

impl Profile {
    /// Makes profiles of documents of an index, whose signatures are not kept.
    pub fn maker(settings: &Settings) -> impl Fn(StoredDocument) -> Profile + Sync + use<> {
        let family = Family::new(settings.sketch.hashes as usize, settings.sketch.seed);
        move |stored| Profile {
            signature: family.signature(stored.shingles.as_slice()),
            shingles: stored.shingles,
            fingerprint: stored.fingerprint,
        }
    }
}

impl From<&Analysis> for Profile {
    fn from(of: &Analysis) -> Self {
        Profile { shingles: of.shingles.clone(), signature: of.signature.clone(), fingerprint: of.fingerprint }
    }
}

impl DocumentSimilarity {
    /// Compares two documents.
    pub fn of(first: &Profile, second: &Profile, settings: &Settings) -> Self {
        let overlap = first.shingles.overlap(&second.shingles);
        let jaccard = overlap.jaccard();
        let hamming = hamming(first.fingerprint, second.fingerprint);
        DocumentSimilarity {
            estimated_jaccard: minhash::estimate(&first.signature, &second.signature),
            jaccard,
            containment_first: overlap.containment_of_first(),
            containment_second: overlap.containment_of_second(),
            hamming,
            simhash_agrees: (hamming <= settings.hamming_threshold) == (jaccard >= settings.threshold),
        }
    }
}
