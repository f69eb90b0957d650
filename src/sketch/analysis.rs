//! All that is computed of one text.

use super::containment::{self, Key};
use super::minhash::Family;
use super::shingle::ShingleSet;
use super::{simhash, terms};
use crate::settings::SketchSettings;
use crate::text::normalise::{Normalised, normalise_into};
use crate::text::units::{Segmenter, Units};

/// The units and the sketches of one text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Analysis {
    /// The units, with their places in the text.
    pub units: Units,
    /// The set of shingles.
    pub shingles: ShingleSet,
    /// The MinHash signature of the shingles.
    pub signature: Vec<u32>,
    /// The SimHash fingerprint of the weighted terms.
    pub fingerprint: u64,
    /// The containment sketch.
    pub keys: Vec<Key>,
}

/// The part of an analysis that cannot be computed from other parts, and so is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDocument {
    /// The units, with their places in the text.
    pub units: Units,
    /// The set of shingles.
    pub shingles: ShingleSet,
    /// The SimHash fingerprint of the weighted terms.
    pub fingerprint: u64,
}

/// Turns texts into analyses. One per thread: it remembers the words it has seen.
pub struct Analyser {
    settings: SketchSettings,
    family: Family,
    segmenter: Segmenter,
    normalised: Normalised,
}

impl Analyser {
    /// An analyser for the given settings.
    pub fn new(settings: &SketchSettings) -> Self {
        Analyser {
            settings: *settings,
            family: Family::new(settings.hashes as usize, settings.seed),
            segmenter: Segmenter::new(),
            normalised: Normalised::default(),
        }
    }

    /// The settings it was made with.
    pub fn settings(&self) -> &SketchSettings {
        &self.settings
    }

    /// Analyses one text.
    pub fn analyse(&mut self, text: &str) -> Analysis {
        normalise_into(text, &mut self.normalised);
        let normalised = &self.normalised;
        let units = self.segmenter.units(normalised);
        let shingles = ShingleSet::of_text(self.settings.shingling, normalised, &units);
        let fingerprint = simhash::fingerprint(&terms::weighted_terms(normalised, &units));
        self.of_stored(StoredDocument { units, shingles, fingerprint })
    }

    /// Completes what is kept of a document to the analysis it was made of.
    pub fn of_stored(&self, stored: StoredDocument) -> Analysis {
        let StoredDocument { units, shingles, fingerprint } = stored;
        Analysis {
            signature: self.family.signature(shingles.as_slice()),
            fingerprint,
            keys: containment::keys(&units, &self.settings.containment),
            units,
            shingles,
        }
    }
}
