//! All that is computed of one text.

use super::containment::{self, Key};
use super::minhash::Family;
use super::settings::SketchSettings;
use super::shingle::ShingleSet;
use super::{simhash, terms};
use crate::job::Cancel;
use crate::text::normalise::Normalised;
use crate::text::units::{Segmenter, Units};
use std::sync::OnceLock;

/// The units and the sketches of one text.
#[derive(Debug, Clone, Default)]
pub struct Analysis {
    /// The units, with their places in the text.
    pub units: Units,
    /// The set of shingles.
    pub shingles: ShingleSet,
    /// The MinHash signature of the shingles.
    pub signature: Vec<u32>,
    /// The containment sketch.
    pub keys: Vec<Key>,
    /// The fingerprint, once it was asked for or given.
    fingerprint: OnceLock<u64>,
    /// The normalised text, of which the fingerprint is made; empty where it was given.
    normalised: String,
    /// What it was made with.
    settings: Option<SketchSettings>,
}

impl Analysis {
    /// The settings it was made with; none for an empty one.
    pub fn settings(&self) -> Option<&SketchSettings> {
        self.settings.as_ref()
    }

    /// The SimHash fingerprint of the weighted terms. It is made when it is first asked for: the keywords of a Chinese text
    /// take jieba longer than all the rest takes, and its dictionary must be loaded for them.
    pub fn fingerprint(&self) -> u64 {
        let make = || simhash::fingerprint(&terms::weighted_terms(&self.normalised, &self.units));
        *self.fingerprint.get_or_init(make)
    }

    /// The same with a given fingerprint, so that none is made.
    pub fn with_fingerprint(self, fingerprint: u64) -> Self {
        Analysis { fingerprint: OnceLock::from(fingerprint), normalised: String::new(), ..self }
    }

    /// The normalised text; empty where the fingerprint was given.
    pub(crate) fn normalised(&self) -> &str {
        &self.normalised
    }

    /// Whether the fingerprint was asked for or given.
    #[cfg(test)]
    pub(crate) fn has_fingerprint(&self) -> bool {
        self.fingerprint.get().is_some()
    }
}

/// The part of an analysis that cannot be computed from other parts, and so is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredDocument {
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
    cancel: Cancel,
}

impl Analyser {
    /// An analyser for the given settings.
    pub fn new(settings: &SketchSettings) -> Self {
        Analyser {
            settings: *settings,
            family: Family::new(settings.hashes as usize, settings.seed),
            segmenter: Segmenter::new(),
            normalised: Normalised::default(),
            cancel: Cancel::default(),
        }
    }

    /// Ends what is analysed next by `cancel`: it is incomplete from then on, and no analysis of the text.
    pub fn end_by(&mut self, cancel: &Cancel) {
        self.cancel.clone_from(cancel);
    }

    /// The settings it was made with.
    pub fn settings(&self) -> &SketchSettings {
        &self.settings
    }

    /// Analyses one text.
    pub fn analyse(&mut self, text: &str) -> Analysis {
        self.normalised.refill(text);
        self.analyse_normalised()
    }

    /// Analyses a text that is normalised.
    pub(super) fn analyse_restored(&mut self, normalised: Normalised) -> Analysis {
        self.normalised = normalised;
        self.analyse_normalised()
    }

    fn analyse_normalised(&mut self) -> Analysis {
        let normalised = &self.normalised;
        // Each step takes a text of some megabytes no longer than a tenth of a second.
        if self.cancel.is_cancelled() {
            return Analysis::default();
        }
        let units = self.segmenter.units(normalised);
        if self.cancel.is_cancelled() {
            return Analysis::default();
        }
        let shingles = ShingleSet::of_text(self.settings.shingling, normalised, &units.hash);
        if self.cancel.is_cancelled() {
            return Analysis::default();
        }
        Analysis { normalised: std::mem::take(&mut self.normalised.text), ..self.of_parts(units, shingles) }
    }

    /// Completes what is kept of a document to the analysis it was made of.
    pub(crate) fn of_stored(&self, stored: StoredDocument) -> Analysis {
        let StoredDocument { units, shingles, fingerprint } = stored;
        self.of_parts(units, shingles).with_fingerprint(fingerprint)
    }

    fn of_parts(&self, units: Units, shingles: ShingleSet) -> Analysis {
        Analysis {
            signature: self.family.signature(shingles.as_slice()),
            keys: containment::keys(&units, &self.settings.containment),
            units,
            shingles,
            settings: Some(self.settings),
            ..Analysis::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::fingerprinter::Fingerprinter;

    const TEXT: &str = "潮汐沼泽在涨潮变缓时留住泥沙。 Tidal marshes trap silt.";

    fn analyser() -> Analyser {
        Analyser::new(&SketchSettings::new(Default::default(), 16, 0.7))
    }

    #[test]
    fn a_fingerprint_is_made_when_it_is_asked_for_and_a_given_one_stays() {
        let analysis = analyser().analyse(TEXT);
        assert!(!analysis.has_fingerprint());
        assert_eq!(Some(analysis.fingerprint()), Fingerprinter::new(Default::default()).of_text(TEXT));
        assert!(analysis.has_fingerprint());
        assert_eq!(analysis.with_fingerprint(7).fingerprint(), 7);
    }

    #[test]
    fn what_is_kept_of_a_document_is_completed_to_its_analysis() {
        let mut analyser = analyser();
        let whole = analyser.analyse(TEXT);
        let (units, shingles) = (whole.units.clone(), whole.shingles.clone());
        let again = analyser.of_stored(StoredDocument { units, shingles, fingerprint: 7 });
        assert_eq!((&again.units, &again.shingles), (&whole.units, &whole.shingles));
        assert_eq!((&again.signature, &again.keys), (&whole.signature, &whole.keys));
        assert_eq!(again.fingerprint(), 7);
    }
}
