//! Two documents, compared with each other and with nothing else.

use super::about::Reference;
use super::error::{CheckError, Unread};
use super::findings::{Findings, FoundSource, SharedPassage};
use crate::align::{Aligner, Submission};
use crate::job::{Cancelled, Job};
use crate::score::wording::Wording;
use crate::search::{DocumentSimilarity, Profile};
use crate::settings::Settings;
use crate::sketch::analysers::Analysers;
use crate::sketch::analysis::Analysis;
use crate::sketch::pool::Pool;
use crate::text::Document;
use crate::text::char_text::CharText;
use std::sync::OnceLock;

/// Compares documents with each other. It may be used by many threads at once.
pub struct Comparer {
    settings: Settings,
    analysers: Analysers,
    /// Aligners that no thread is using.
    idle: Pool<Aligner>,
}

/// A document that can be compared, any number of times.
pub struct Analysed {
    /// The document.
    pub document: Document,
    analysis: Analysis,
    wording: OnceLock<Wording>,
}

impl Comparer {
    /// Compares with these settings.
    pub fn new(settings: Settings) -> Self {
        Comparer { settings, analysers: Analysers::new(&settings.sketch), idle: Pool::default() }
    }

    /// Prepares a document.
    ///
    /// # Errors
    /// [`CheckError::Unread`] when it is too short to be compared with anything; and when the job was cancelled.
    pub fn analyse(&self, document: Document, job: &Job) -> Result<Analysed, CheckError> {
        match self.analysers.analyse(&document, &job.cancel) {
            Ok(analysis) => Ok(Analysed { document, analysis, wording: OnceLock::new() }),
            Err(error) => Err(Unread::new(&document.id, error.too_short()?).into()),
        }
    }

    /// The passages that two documents share, in the order of the first; the second is the source.
    ///
    /// # Errors
    /// When the job was cancelled.
    pub fn compare(&self, first: &Analysed, second: &Analysed, job: &Job) -> Result<Vec<SharedPassage>, Cancelled> {
        job.check()?;
        let align = |aligner: &mut Aligner| {
            aligner.end_by(&job.cancel);
            aligner.align(&Submission::new(&first.analysis.units), &second.analysis.units)
        };
        let mut matches = self.idle.with(|| Aligner::new(self.settings.align), align);
        let Analysed { document, analysis, wording } = first;
        let wording = wording.get_or_init(|| Wording::of(&document.text, &document.layout, &analysis.units));
        let text = CharText::new(&second.document.text);
        wording.weaken(&self.settings.align, &analysis.units, Some(&text), &mut matches);
        Ok(matches.into_iter().map(|place| SharedPassage::new(place, Some(&text))).collect())
    }

    /// What a check of the first against the second alone finds: always aligned, and a source even if they share nothing.
    ///
    /// # Errors
    /// When nothing of the first counts, or the job was cancelled.
    pub fn findings(&self, first: &Analysed, second: &Analysed, job: &Job) -> Result<Findings, CheckError> {
        let found = self.compare(first, second, job)?;
        let (weak, passages) = found.into_iter().partition(|passage| passage.place.weak);
        let source = FoundSource {
            id: second.document.id.clone(),
            metadata: second.document.metadata.clone(),
            own_work: false,
            similarity: self.similarity(first, second),
            characters: second.analysis.units.text_chars,
            fingerprint: second.analysis.fingerprint(),
            passages,
            weak,
        };
        let reference = Reference { name: source.id.clone(), documents: 1, updated: None };
        let findings = Findings {
            sources: vec![source],
            candidates: 1,
            ..Findings::new(first.document.clone(), &mut first.analysis.clone(), reference, self.settings)
        };
        findings.unless_nothing_counts()
    }

    /// How similar two documents are as wholes.
    pub fn similarity(&self, first: &Analysed, second: &Analysed) -> DocumentSimilarity {
        DocumentSimilarity::of(&Profile::from(&first.analysis), &Profile::from(&second.analysis), &self.settings)
    }
}
