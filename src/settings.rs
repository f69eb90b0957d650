//! The settings of a comparison in one value, which is written into every index and every report.
//!
//! A setting is a value that a user may have a reason to change. What else decides a result is a constant in the room that uses it,
//! with what it was measured on, or that it was chosen by hand.
//!
//! Words: docs/ARCHITECTURE.md, *Of checks and reports*.

use crate::align::AlignSettings;
pub use crate::sketch::settings::SketchSettings;
use crate::sketch::settings_table::settings_table;
use serde::{Deserialize, Serialize};

settings_table! {
    /// How candidates are drawn from the containment sketch. Two different shared keys that lie near each other in both texts make
    /// one if they are rare, or if there are several.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub struct RetrievalSettings {
        /// Two rare keys must stand within this many units of each other in both texts.
        reach / with_reach: u32 = 400,
        /// How rare they must be: the numbers of documents that hold each, times the units between them, may come to this many
        /// times the documents of the index.
        chance / with_chance: u32 = 24,
        /// This many different keys do, however many documents hold them.
        several / with_several: u32 = 4,
        /// Several keys must stand within this many units of one of them in both texts.
        locality / with_locality: u32 = 100,
        /// A submission with fewer sampled keys than this is a short clue: one shared key can make a candidate.
        short_clue / with_short_clue: u32 = 24,
        /// Of a key or bucket that more documents than this hold, only some are looked at; of a key besides those in which the same stands on both
        /// sides of it, if these places are no more than are kept.
        max_documents_per_key / with_max_documents_per_key: u32 = 200,
        /// About how many are looked at then, of very many a quarter of this; the same ones for all keys of a passage.
        kept_documents_per_key / with_kept_documents_per_key: u32 = 64,
    }
}

settings_table! {
    /// All settings of a comparison.
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    pub struct Settings {
        /// How documents become numbers.
        sketch / with_sketch: SketchSettings = SketchSettings::default(),
        /// How candidates are drawn.
        retrieval / with_retrieval: RetrievalSettings = RetrievalSettings::default(),
        /// From this exact Jaccard similarity on a pair of documents is similar as a whole, 0 to 1.
        threshold / with_threshold: f64 = SketchSettings::DEFAULT_THRESHOLD,
        /// SimHash agrees with a pair when the fingerprints differ in this many bits at most, 0 to 64.
        hamming_threshold / with_hamming_threshold: u32 = 3,
        /// How passages are found.
        align / with_align: AlignSettings = AlignSettings::balanced(),
    }
}
