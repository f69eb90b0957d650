//! What decides how documents become numbers.

use super::banding::Banding;
use super::containment::ContainmentSettings;
use super::minhash::{DEFAULT_SEED, HASHES};
use super::shingle::Shingling;
use serde::{Deserialize, Serialize};

/// How documents become numbers. Two sketches can only be compared when they were made with equal settings.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SketchSettings {
    /// How texts are shingled.
    pub shingling: Shingling,
    /// The number of MinHash functions, the length of a signature.
    pub hashes: u32,
    /// The seed of the MinHash functions.
    pub seed: u64,
    /// b×r: how signatures are cut into bands.
    pub banding: Banding,
    /// The sketch for partial reuse.
    pub containment: ContainmentSettings,
}

impl SketchSettings {
    /// Settings whose banding makes at least [`RECALL`] of the pairs at Jaccard similarity `threshold` candidates.
    /// `hashes` is brought into the range that a MinHash family may have.
    pub fn new(shingling: Shingling, hashes: u32, threshold: f64) -> Self {
        let hashes = hashes.clamp(*HASHES.start() as u32, *HASHES.end() as u32);
        SketchSettings {
            shingling,
            hashes,
            seed: DEFAULT_SEED,
            banding: Banding::for_threshold(hashes as usize, threshold, RECALL),
            containment: ContainmentSettings::default(),
        }
    }
}

/// The share of pairs at the similarity threshold that must become candidates.
pub const RECALL: f64 = 0.995;

/// The length of a signature, unless set otherwise.
pub const DEFAULT_HASHES: u32 = 256;

/// The Jaccard similarity from which a pair of documents counts as similar, unless set otherwise.
pub const DEFAULT_THRESHOLD: f64 = 0.7;
