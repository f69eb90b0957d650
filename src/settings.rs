//! Everything that changes a result, in one value. It is written into every index and every report.

use crate::align::AlignSettings;
pub use crate::sketch::settings::{DEFAULT_HASHES, DEFAULT_THRESHOLD, RECALL, SketchSettings};
use crate::sketch::shingle::Shingling;
use serde::{Deserialize, Serialize};

/// How candidates are drawn from the containment sketch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
            chance: 24,
            several: 4,
            locality: 100,
            short_clue: 24,
            max_documents_per_key: 200,
            kept_documents_per_key: 64,
        }
    }
}

/// All settings of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
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
