//! What whole documents are compared by.

use super::analysis::Analysis;
use super::minhash::Family;
use super::settings::SketchSettings;
use super::shingle::ShingleSet;

/// The sketches of a whole document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// The shingle set.
    pub shingles: ShingleSet,
    /// Its MinHash signature.
    pub signature: Vec<u32>,
    /// The SimHash fingerprint.
    pub fingerprint: u64,
}

/// A [`Profile`] that lies somewhere else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProfileView<'a> {
    /// The shingle set: sorted hashes, each once.
    pub shingles: &'a [u32],
    /// Its MinHash signature.
    pub signature: &'a [u32],
    /// The SimHash fingerprint.
    pub fingerprint: u64,
}

impl Profile {
    /// The profile as a view.
    pub fn view(&self) -> ProfileView<'_> {
        ProfileView { shingles: self.shingles.as_slice(), signature: &self.signature, fingerprint: self.fingerprint }
    }

    /// Makes profiles of the shingles and fingerprints of an index, which keeps no signatures.
    pub(crate) fn maker(settings: &SketchSettings) -> impl Fn(ShingleSet, u64) -> Profile + Sync + use<> {
        let family = Family::new(settings.hashes as usize, settings.seed);
        move |shingles, fingerprint| Profile { signature: family.signature(shingles.as_slice()), shingles, fingerprint }
    }
}

impl From<&Analysis> for Profile {
    fn from(of: &Analysis) -> Self {
        Profile { shingles: of.shingles.clone(), signature: of.signature.clone(), fingerprint: of.fingerprint() }
    }
}
