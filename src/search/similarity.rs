//! How similar two documents are as wholes.

use crate::settings::Settings;
use crate::sketch::minhash::Family;
use crate::sketch::profile::{Profile, ProfileView};
use crate::sketch::shingle::Overlap;
use crate::sketch::simhash::hamming;
use serde::{Deserialize, Serialize};

/// How similar two documents are as wholes: estimated, counted, and cross-checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
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

impl DocumentSimilarity {
    /// Compares two documents.
    pub(crate) fn of(first: &Profile, second: &Profile, settings: &Settings) -> Self {
        Self::of_views(first.view(), second.view(), first.shingles.overlap(&second.shingles), settings)
    }

    /// Compares two documents whose shingles' overlap is known.
    #[doc(hidden)] // for `copytrace.spark`
    pub fn of_views(first: ProfileView, second: ProfileView, overlap: Overlap, settings: &Settings) -> Self {
        let jaccard = overlap.jaccard();
        let hamming = hamming(first.fingerprint, second.fingerprint);
        DocumentSimilarity {
            estimated_jaccard: Family::estimate(first.signature, second.signature),
            jaccard,
            containment_first: overlap.containment_of_first(),
            containment_second: overlap.containment_of_second(),
            hamming,
            simhash_agrees: (hamming <= settings.hamming_threshold) == (jaccard >= settings.threshold),
        }
    }

    /// The similarity of a document that has a shingle to one that is its like in everything that is compared.
    pub fn of_equals() -> Self {
        DocumentSimilarity {
            estimated_jaccard: 1.0,
            jaccard: 1.0,
            containment_first: 1.0,
            containment_second: 1.0,
            hamming: 0,
            simhash_agrees: true,
        }
    }

    /// The same with the two documents in each other's place.
    pub fn swapped(self) -> Self {
        DocumentSimilarity {
            containment_first: self.containment_second,
            containment_second: self.containment_first,
            ..self
        }
    }
}
