//! What decides how documents become numbers.

use super::banding::Banding;
use super::containment::ContainmentSettings;
use super::minhash::Family;
use super::settings_table::settings_table;
use super::shingle::Shingling;
use serde::{Deserialize, Serialize};

settings_table! {
    /// How documents become numbers. Two sketches can only be compared when they were made with equal settings.
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    pub struct SketchSettings {
        /// How texts are shingled.
        shingling / with_shingling: Shingling = Shingling::default(),
        /// The number of MinHash functions, the length of a signature.
        hashes / with_hashes: u32 = SketchSettings::DEFAULT_HASHES,
        /// The seed of the MinHash functions.
        seed / with_seed: u64 = Family::DEFAULT_SEED,
        /// b×r: how signatures are cut into bands.
        banding / with_banding: Banding = Banding::for_threshold(
            SketchSettings::DEFAULT_HASHES as usize,
            SketchSettings::DEFAULT_THRESHOLD,
            SketchSettings::RECALL,
        ),
        /// The sketch for partial reuse.
        containment / with_containment: ContainmentSettings = ContainmentSettings::default(),
    }
}

impl SketchSettings {
    /// The share of pairs at the similarity threshold that must become candidates.
    pub const RECALL: f64 = 0.995;

    /// The length of a signature, unless set otherwise.
    pub const DEFAULT_HASHES: u32 = 256;

    /// The Jaccard similarity from which a pair of documents counts as similar, unless set otherwise.
    pub const DEFAULT_THRESHOLD: f64 = 0.7;

    /// Settings whose banding makes at least [`SketchSettings::RECALL`] of the pairs at Jaccard similarity `threshold` candidates.
    /// `hashes` is brought into the range that a MinHash family may have.
    pub fn new(shingling: Shingling, hashes: u32, threshold: f64) -> Self {
        let hashes = hashes.clamp(*Family::HASHES.start() as u32, *Family::HASHES.end() as u32);
        let banding = Banding::for_threshold(hashes as usize, threshold, Self::RECALL);
        SketchSettings { shingling, hashes, banding, ..SketchSettings::default() }
    }
}
