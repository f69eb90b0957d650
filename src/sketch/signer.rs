//! The short way from a text to what finds its near-duplicates: band keys, without places, stems or keywords.

use super::minhash::Family;
use super::profile::Profile;
use super::settings::SketchSettings;
use super::shingle::{ShingleOf, ShingleSet, word_hashes};
use super::simhash::{self, Term};
use super::terms;
use super::windows::hash_windows;
use crate::text::normalise::Normalised;
use crate::text::units::Segmenter;

/// Signs texts one after the other in memory that it keeps. One per thread.
pub struct Signer {
    settings: SketchSettings,
    /// The functions whose values are cut into bands: the first ones of `family`.
    banded: Family,
    family: Family,
    segmenter: Segmenter,
    normalised: Normalised,
    /// The hashes of units, or of words where shingles are made of these.
    units: Vec<u32>,
    words: Vec<(u32, u16)>,
    terms: Vec<Term>,
    shingles: Vec<u32>,
    signature: Vec<u32>,
}

impl Signer {
    /// A signer for the given settings.
    pub fn new(settings: &SketchSettings) -> Self {
        Signer {
            settings: *settings,
            banded: Family::new(settings.banding.values(), settings.seed),
            family: Family::new(settings.hashes as usize, settings.seed),
            segmenter: Segmenter::new(),
            normalised: Normalised::default(),
            units: Vec::new(),
            words: Vec::new(),
            terms: Vec::new(),
            shingles: Vec::new(),
            signature: Vec::new(),
        }
    }

    /// Normalises a text and writes its band keys, the highest 32 bits of each, into `keys`, of which there must be as many
    /// as bands. Gives the normalised text; none, and no keys, when it has not one shingle.
    pub fn sign(&mut self, text: &str, keys: &mut [u32]) -> Option<&str> {
        if !self.shingle(text) {
            return None;
        }
        self.banded.signature_into(&self.shingles, &mut self.signature);
        for (short, key) in keys.iter_mut().zip(self.settings.banding.keys(&self.signature)) {
            *short = (key >> 32) as u32;
        }
        Some(&self.normalised.text)
    }

    /// The signature of a text; none when it has not one shingle.
    pub fn signature(&mut self, text: &str) -> Option<&[u32]> {
        if !self.shingle(text) {
            return None;
        }
        self.family.signature_into(&self.shingles, &mut self.signature);
        Some(&self.signature)
    }

    /// Normalises a text and gives the sketches of the whole of it, and before them the normalised text.
    #[doc(hidden)] // for `copytrace.spark`
    pub fn profile(&mut self, text: &str) -> (&str, Profile) {
        self.normalised.refill(text);
        self.units.clear();
        self.words.clear();
        self.terms.clear();
        let han = self.segmenter.hashes_and_words(&self.normalised, &mut self.units, &mut self.words);
        terms::weigh(self.words.iter().copied(), han, &self.normalised.text, &mut self.terms);
        let fingerprint = simhash::fingerprint(&self.terms);
        let shingles = ShingleSet::of_text(self.settings.shingling, &self.normalised, &self.units);
        let signature = self.family.signature(shingles.as_slice());
        (&self.normalised.text, Profile { shingles, signature, fingerprint })
    }

    /// Normalises and shingles a text; in any order, and some perhaps several times. Whether there are any.
    fn shingle(&mut self, text: &str) -> bool {
        self.normalised.refill(text);
        self.units.clear();
        self.shingles.clear();
        let shingling = self.settings.shingling;
        match shingling.of {
            ShingleOf::Units => self.segmenter.hashes(&self.normalised, &mut self.units),
            ShingleOf::Words => word_hashes(&self.normalised.text, &mut self.units),
            ShingleOf::Chars => {
                let set = ShingleSet::of_text(shingling, &self.normalised, &self.units);
                self.shingles.extend_from_slice(set.as_slice());
                return !self.shingles.is_empty();
            }
        }
        hash_windows(&self.units, usize::from(shingling.k), &mut self.shingles);
        !self.shingles.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::analysis::Analyser;

    proptest::proptest! {
        #[test]
        fn the_short_way_leads_where_the_whole_analysis_does(
            texts in proptest::collection::vec("([a-z]{1,5} ){0,30}|[汉字漢語a-e，。 ]{0,40}", 1..4),
            shingling in proptest::sample::select(vec!["units:5", "units:2", "chars:4", "words:2"]),
        ) {
            let settings = SketchSettings::default().with_shingling(shingling.parse().unwrap());
            let (mut signer, mut analyser) = (Signer::new(&settings), Analyser::new(&settings));
            for text in &texts {
                let analysis = analyser.analyse(text);
                let mut keys = vec![0; settings.banding.bands as usize];
                let signed = signer.sign(text, &mut keys).is_some();
                assert_eq!(signed, !analysis.shingles.is_empty());
                if signed {
                    let expected = settings.banding.keys(&analysis.signature).map(|key| (key >> 32) as u32);
                    assert_eq!(keys, expected.collect::<Vec<_>>());
                }
                assert_eq!(signer.signature(text), signed.then_some(&analysis.signature[..]));
                assert_eq!(signer.profile(text).1, Profile::from(&analysis));
            }
        }
    }
}
