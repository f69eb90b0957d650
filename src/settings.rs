//! Everything that changes a result, in one value. It is written into every index and every report.

use crate::align::AlignSettings;
use crate::lsh::banding::Banding;
use crate::sketch::containment::ContainmentSettings;
use crate::sketch::minhash::{DEFAULT_SEED, HASHES};
use crate::sketch::shingle::Shingling;
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

/// How candidates are drawn from the containment sketch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetrievalSettings {
    /// Two different shared keys must stand within this many units of each other in both texts, ...
    pub reach: u32,
    /// ... and be rare: the numbers of documents that hold each, times the units between them, may come to this many
    /// times the documents of the index.
    pub chance: u32,
    /// Or so many different keys, however many documents hold them, ...
    pub several: u32,
    /// ... must stand within this many units of one of them in both texts.
    pub locality: u32,
    /// A submission with fewer sampled keys than this is a short clue: one shared key can make a candidate.
    pub short_clue: u32,
    /// Of a key or bucket that more documents than this hold, ...
    pub max_documents_per_key: u32,
    /// ... about so many are looked at, the same ones for all keys of a passage.
    pub kept_documents_per_key: u32,
}

impl Default for RetrievalSettings {
    fn default() -> Self {
        RetrievalSettings {
            reach: 400,
            chance: 12,
            several: 4,
            locality: 100,
            short_clue: 24,
            max_documents_per_key: 200,
            kept_documents_per_key: 64,
        }
    }
}

/// All settings of a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// How documents become numbers.
    pub sketch: SketchSettings,
    /// How candidates are drawn.
    pub retrieval: RetrievalSettings,
    /// From this exact Jaccard similarity on a pair of documents is similar as a whole, 0 to 1.
    pub threshold: f64,
    /// SimHash agrees with a pair when the fingerprints differ in at most so many bits, 0 to 64.
    pub hamming_threshold: u32,
    /// How passages are found.
    pub align: AlignSettings,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            sketch: SketchSettings::new(Shingling::default(), DEFAULT_HASHES, DEFAULT_THRESHOLD),
            retrieval: RetrievalSettings::default(),
            threshold: DEFAULT_THRESHOLD,
            hamming_threshold: 3,
            align: AlignSettings::default(),
        }
    }
}
