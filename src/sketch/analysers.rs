//! Analysers for all threads.

use super::analysis::{Analyser, Analysis};
use super::settings::SketchSettings;
use super::shingle::Shingling;
use crate::job::{Cancel, Cancelled};
use crate::text::Document;
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, PoisonError};

/// Analysers that remember words from text to text, one for each thread that asks.
pub struct Analysers {
    settings: SketchSettings,
    idle: Mutex<Vec<Analyser>>,
}

/// Why a text was not analysed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
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
    /// When the work was cancelled; and within, when the document has no shingle, so that it cannot be compared with anything.
    pub fn analyse(&self, document: &Document, cancel: &Cancel) -> Result<Result<Analysis, TooShort>, Cancelled> {
        let analyser = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut borrowed = Borrowed { analysers: self, analyser };
        let analyser = borrowed.analyser.get_or_insert_with(|| Analyser::new(&self.settings));
        analyser.end_by(cancel);
        let analysis = analyser.analyse(&document.visible());
        cancel.check()?;
        Ok(if analysis.shingles.is_empty() { Err(TooShort(self.settings.shingling)) } else { Ok(analysis) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_comes_of_an_analysis_that_was_cancelled() {
        let analysers = Analysers::new(&SketchSettings::new(Shingling::default(), 16, 0.7));
        let document =
            Document { text: "Tidal marshes trap silt between the stems.".to_owned(), ..Document::default() };
        let cancel = Cancel::default();
        assert!(matches!(analysers.analyse(&document, &cancel), Ok(Ok(_))));
        cancel.cancel();
        assert_eq!(analysers.analyse(&document, &cancel).err(), Some(Cancelled));
        // The analyser that was cancelled is as good as new for the next.
        assert!(matches!(analysers.analyse(&document, &Cancel::default()), Ok(Ok(_))));
    }
}
