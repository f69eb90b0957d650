//! Analysers for all threads.

use super::analysis::{Analyser, Analysis};
use super::pool::Pool;
use super::settings::SketchSettings;
use super::shingle::Shingling;
use crate::job::{Cancel, Cancelled};
use crate::text::Document;
use crate::text::normalise::Normalised;
use serde::{Deserialize, Serialize};

/// Analysers that remember words from text to text, one for each thread that asks.
pub struct Analysers {
    settings: SketchSettings,
    idle: Pool<Analyser>,
}

/// Why a text was not analysed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("too short to be compared: it has fewer than {}", .0.least())]
pub struct TooShort(pub Shingling);

/// Why there is no analysis of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAnalysed {
    /// It has no shingle.
    #[error(transparent)]
    TooShort(#[from] TooShort),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl NotAnalysed {
    /// What is wrong with the document.
    ///
    /// # Errors
    /// When nothing is: the work was cancelled.
    pub fn too_short(self) -> Result<TooShort, Cancelled> {
        match self {
            NotAnalysed::TooShort(too_short) => Ok(too_short),
            NotAnalysed::Cancelled(cancelled) => Err(cancelled),
        }
    }
}

impl Analysers {
    /// Analysers for the given settings.
    pub fn new(settings: &SketchSettings) -> Self {
        Analysers { settings: *settings, idle: Pool::default() }
    }

    /// The settings they were made with.
    pub fn settings(&self) -> &SketchSettings {
        &self.settings
    }

    /// Analyses a document as a reader sees it.
    ///
    /// # Errors
    /// When the document has no shingle, so that it cannot be compared with anything, or the work was cancelled.
    pub fn analyse(&self, document: &Document, cancel: &Cancel) -> Result<Analysis, NotAnalysed> {
        self.made_by(|analyser| analyser.analyse(&document.visible()), cancel)
    }

    /// Analyses a text of which words were restored.
    ///
    /// # Errors
    /// As [`Analysers::analyse`].
    pub(crate) fn analyse_restored(&self, normalised: Normalised, cancel: &Cancel) -> Result<Analysis, NotAnalysed> {
        self.made_by(|analyser| analyser.analyse_restored(normalised), cancel)
    }

    fn made_by(&self, make: impl FnOnce(&mut Analyser) -> Analysis, cancel: &Cancel) -> Result<Analysis, NotAnalysed> {
        let analyse = |analyser: &mut Analyser| {
            analyser.end_by(cancel);
            make(analyser)
        };
        let analysis = self.idle.with(|| Analyser::new(&self.settings), analyse);
        cancel.check()?;
        if analysis.shingles.is_empty() { Err(TooShort(self.settings.shingling).into()) } else { Ok(analysis) }
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
        assert!(analysers.analyse(&document, &cancel).is_ok());
        cancel.cancel();
        assert_eq!(analysers.analyse(&document, &cancel).err(), Some(NotAnalysed::Cancelled(Cancelled)));
        // The analyser that was cancelled is as good as new for the next.
        assert!(analysers.analyse(&document, &Cancel::default()).is_ok());
    }
}
