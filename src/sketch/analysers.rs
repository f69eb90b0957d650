//! Analysers for all threads.

use super::analysis::{Analyser, Analysis};
use super::pool::Pool;
use super::settings::SketchSettings;
use super::shingle::Shingling;
use crate::job::{Cancel, Cancelled};
use crate::text::Document;

/// Analysers that remember words from text to text, one for each thread that asks.
pub struct Analysers {
    settings: SketchSettings,
    idle: Pool<Analyser>,
}

/// Why a text was not analysed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too short to be compared: it has fewer than {}", .0.least())]
pub struct TooShort(pub Shingling);

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
    /// When the work was cancelled; and within, when the document has no shingle, so that it cannot be compared with anything.
    pub fn analyse(&self, document: &Document, cancel: &Cancel) -> Result<Result<Analysis, TooShort>, Cancelled> {
        let analyse = |analyser: &mut Analyser| {
            analyser.end_by(cancel);
            analyser.analyse(&document.visible())
        };
        let analysis = self.idle.with(|| Analyser::new(&self.settings), analyse);
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
