//! Analysers for all threads.

use super::analysis::{Analyser, Analysis};
use super::settings::SketchSettings;
use super::shingle::Shingling;
use crate::text::Document;
use std::sync::{Mutex, PoisonError};

/// Analysers that remember words from text to text, one for each thread that asks.
pub struct Analysers {
    settings: SketchSettings,
    idle: Mutex<Vec<Analyser>>,
}

/// Why a text was not analysed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too short to be compared: it has fewer than {}", .0.least())]
pub struct TooShort(pub Shingling);

/// An analyser taken from the idle ones, which goes back to them.
struct Borrowed<'a> {
    analysers: &'a Analysers,
    analyser: Option<Analyser>,
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        self.analysers.idle.lock().unwrap_or_else(PoisonError::into_inner).extend(self.analyser.take());
    }
}

impl Analysers {
    /// Analysers for the given settings.
    pub fn new(settings: &SketchSettings) -> Self {
        Analysers { settings: *settings, idle: Mutex::default() }
    }

    /// The settings they were made with.
    pub fn settings(&self) -> &SketchSettings {
        &self.settings
    }

    /// Analyses a document as a reader sees it.
    ///
    /// # Errors
    /// When it has no shingle, so that it cannot be compared with anything.
    pub fn analyse(&self, document: &Document) -> Result<Analysis, TooShort> {
        let analyser = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut borrowed = Borrowed { analysers: self, analyser };
        let analyser = borrowed.analyser.get_or_insert_with(|| Analyser::new(&self.settings));
        let analysis = analyser.analyse(&document.visible());
        if analysis.shingles.is_empty() { Err(TooShort(self.settings.shingling)) } else { Ok(analysis) }
    }
}
