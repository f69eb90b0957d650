//! Submissions against a library.

use super::error::{CheckError, Unread};
use super::findings::{Findings, FoundSource, SharedPassage};
use super::library::Library;
use super::meanings::Meanings;
use crate::align::{Aligner, Submission};
use crate::index::{IndexError, Record};
use crate::job::Job;
use crate::search::DocumentSimilarity;
use crate::search::filter::{Filter, same_author};
use crate::search::frequencies::Frequencies;
use crate::search::submission;
use crate::settings::Settings;
use crate::sketch::analysers::NotAnalysed;
use crate::sketch::analysis::Analysis;
use crate::text::char_text::CharText;
use crate::text::prose::Compared;
use crate::text::units::Units;
use crate::text::{Document, Metadata};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// What of a library and of a submission counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// Which documents of the library a submission is compared with.
    pub filter: Filter,
    /// Ids of documents that are the authors' own works, besides those of the same author.
    pub own_work: Vec<String>,
    /// Whether title page, contents, references and the like count as well.
    pub count_all_parts: bool,
    /// What this many documents of the library hold, or more, does not count; `None` counts it.
    pub ignore_common: Option<u32>,
    /// What becomes of a submission that the library holds itself.
    pub itself: Itself,
}

/// What becomes of a document of the library that is the submission itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Itself {
    /// It is a source like any other.
    #[default]
    Source,
    /// It is left out, and the report names it. Told by its id, if at least [`Itself::SAME_WORK`] of the shingles of each stand in
    /// the other and nobody vouches for another author. Equal words under another id are no sign of it: they may be a copy.
    LeftOut,
    /// Every document of the submission's id is left out: the library is the submissions themselves.
    OneOfThem,
}

impl Itself {
    /// Of a document with the submission's id this share of the shingles of each must stand in the other, for it to be the same text
    /// and not one of its sources, after which a file may be named. Chosen by hand: a last revision changes less than a tenth.
    pub const SAME_WORK: f64 = 0.9;
}

/// A library with settings and rules. Clones share the library.
#[derive(Clone)]
pub struct Checker {
    library: Arc<Library>,
    settings: Settings,
    rules: Rules,
    templates: Arc<Vec<Units>>,
    meanings: Option<Arc<Meanings>>,
}

impl Checker {
    /// Checks against `library`. The sketches are those of the library, whatever `settings` say of them.
    pub fn new(library: Arc<Library>, settings: Settings, rules: Rules) -> Self {
        let settings = Settings { sketch: *library.settings(), ..settings };
        library.index().will_be_searched();
        Checker { library, settings, rules, templates: Arc::default(), meanings: None }
    }

    /// The same, but what stands in one of these texts does not count, wherever it stands.
    ///
    /// # Errors
    /// [`CheckError::Unread`] when a template is too short to be found in anything; and when the job was cancelled.
    pub fn with_templates(self, templates: &[Document], job: &Job) -> Result<Self, CheckError> {
        let mut units = Vec::with_capacity(templates.len());
        for template in templates {
            match self.library.analysers.analyse(template, &job.cancel) {
                Ok(analysis) => units.push(analysis.units),
                Err(error) => return Err(Unread::new(&template.id, error.too_short()?).into()),
            }
        }
        Ok(Checker { templates: Arc::new(units), ..self })
    }

    /// The same with a second look, for what is said in another language or in other words; `meanings` are those of the library.
    pub fn with_meanings(self, meanings: Arc<Meanings>) -> Self {
        Checker { meanings: Some(meanings), ..self }
    }

    /// What submissions are checked against.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// What is searched with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Checks a submission.
    ///
    /// # Errors
    /// When the submission is too short to be compared, the job was cancelled, or the index is damaged.
    pub fn check(&self, document: Document, job: &Job) -> Result<Findings, CheckError> {
        job.check()?;
        let analysis = self.library.analysers.analyse(&document, &job.cancel)?;
        Ok(self.search(document, analysis, None, job)?.0)
    }

    /// How common the keys of a submission are in the library. Added up over several libraries they are what
    /// [`check_among`](Checker::check_among) asks for.
    ///
    /// # Errors
    /// When the submission is too short to be compared, the job was cancelled, or the index is damaged.
    pub fn frequencies(&self, document: &Document, job: &Job) -> Result<Frequencies, CheckError> {
        let mut analysis = self.library.analysers.analyse(document, &job.cancel)?;
        let mut counted = Frequencies::of(self.library.index(), &analysis)?;
        let findings = Findings::new(document.clone(), &mut analysis, self.library.reference.clone(), self.settings);
        if let Some(restored) = self.restored(&findings, job)? {
            counted.also(Frequencies::of(self.library.index(), &restored)?);
        }
        Ok(counted)
    }

    /// Checks a submission against one of several libraries: with what was counted in all of them, the findings of each,
    /// [merged](Findings::merge), are those of one library of all their documents. (Of a submission of a few lines, a clue, there
    /// may be more of them: what is most in one library need not be in all.)
    ///
    /// # Errors
    /// As [`Checker::check`].
    pub fn check_among(
        &self,
        document: Document,
        frequencies: &Frequencies,
        job: &Job,
    ) -> Result<Findings, CheckError> {
        job.check()?;
        let analysis = self.library.analysers.analyse(&document, &job.cancel)?;
        Ok(self.search(document, analysis, Some(frequencies), job)?.0)
    }

    /// Checks a submission whose analysis is at hand, and gives that back without its units, which the findings have.
    pub(super) fn search(
        &self,
        document: Document,
        analysis: Analysis,
        frequencies: Option<&Frequencies>,
        job: &Job,
    ) -> Result<(Findings, Analysis), CheckError> {
        let (mut findings, analysis) = self.search_reading(document, analysis, frequencies, job)?;
        if let Some(restored) = self.restored(&findings, job)? {
            let found = self.search_reading(findings.submission.clone(), restored, frequencies, job);
            findings.restored = match found {
                Ok((mut restored, _)) => {
                    // Restored, it is less like itself.
                    restored.sources.retain(|source| !findings.itself.contains(&source.id));
                    restored.itself.clone_from(&findings.itself);
                    Some(Box::new(Findings { is_restored: true, ..restored }))
                }
                Err(CheckError::NothingLeft) => None,
                Err(error) => return Err(error),
            };
        }
        if let Some(meanings) = &self.meanings {
            findings.resemblances =
                Some(meanings.look(&findings, self.library.index(), self.compares(&findings), job)?);
        }
        Ok((findings, analysis))
    }

    /// Which documents a submission is compared with in the second look: what is the author's own, or the submission, needs no other look.
    fn compares(&self, findings: &Findings) -> impl Fn(u32) -> Result<bool, IndexError> {
        let (vouched, id) = (findings.submission.vouched(), findings.submission.id.clone());
        let itself: BTreeSet<String> = findings.itself.iter().cloned().collect();
        move |document| {
            let record = self.library.index().record(document)?;
            let is_other = !itself.contains(&record.id) && !self.is_own_work(&record, &vouched);
            Ok(is_other && self.admits(&record, &id, &vouched))
        }
    }

    /// The analysis of a submission with the words restored that it was spoilt from, if much of it is language then.
    fn restored(&self, findings: &Findings, job: &Job) -> Result<Option<Analysis>, CheckError> {
        let (document, spoilt) = (&findings.submission, findings.compared());
        let Some(normalised) = spoilt.restored(document) else { return Ok(None) };
        let analysis = match self.library.analysers.analyse_restored(normalised, &job.cancel) {
            Err(NotAnalysed::TooShort(_)) => return Ok(None),
            analysis => analysis?,
        };
        let (layout, structure) = (&document.layout, findings.structure());
        let compared = Compared::of(&document.visible(), analysis.normalised(), layout, structure, &analysis.units);
        Ok(compared.gains(spoilt).then_some(analysis))
    }

    /// Checks one reading of a submission.
    fn search_reading(
        &self,
        document: Document,
        mut analysis: Analysis,
        frequencies: Option<&Frequencies>,
        job: &Job,
    ) -> Result<(Findings, Analysis), CheckError> {
        let index = self.library.index();
        let vouched = document.vouched();
        let admits = |record: &Record| self.admits(record, &document.id, &vouched);
        let is_itself =
            |record: &Record, like: &DocumentSimilarity| self.is_itself(record, like, &document.id, &vouched);
        let found = submission::check(index, frequencies, &analysis, &self.settings, admits, is_itself, job)?;
        let templates = self.templates(&analysis.units, job)?;
        let mut sources = Vec::with_capacity(found.documents.len());
        let mut itself = Vec::new();
        let findings = Findings::new(document, &mut analysis, self.library.reference.clone(), self.settings);
        for mut source in found.documents {
            job.check()?;
            if self.is_itself(&source.record, &source.similarity, &findings.submission.id, &vouched) {
                itself.push(source.record.id);
                continue;
            }
            let text = index.text(source.document)?;
            let wordings = text.as_deref().map(CharText::new);
            if !source.matches.is_empty() {
                let settings = &self.settings.align;
                findings.wording().weaken(settings, findings.units(), wordings.as_ref(), &mut source.matches);
            }
            source.weak.extend(source.matches.extract_if(.., |place| place.weak));
            source.weak.sort_by_key(|place| (place.submission.start, place.source.start));
            let own_work = self.is_own_work(&source.record, &vouched);
            let passage = |place| SharedPassage::new(place, wordings.as_ref());
            sources.push(FoundSource {
                own_work,
                id: source.record.id,
                metadata: source.record.metadata,
                similarity: source.similarity,
                characters: source.characters,
                fingerprint: source.fingerprint,
                passages: source.matches.into_iter().map(passage).collect(),
                weak: source.weak.into_iter().map(passage).collect(),
            });
        }
        job.check()?;
        let findings = Findings {
            count_all_parts: self.rules.count_all_parts,
            ignore_common: self.rules.ignore_common,
            holders: found.holders,
            short_runs: found.short_runs,
            templates,
            sources,
            itself,
            candidates: found.candidates,
            frequent_keys: found.frequent_keys,
            ..findings
        };
        Ok((findings.unless_nothing_counts()?, analysis))
    }

    /// Whether a submission of this id and author is compared with a document.
    fn admits(&self, record: &Record, id: &str, author: &Metadata) -> bool {
        let known = self.library.vouched(record);
        self.rules.filter.admits_known(&record.id, &known, record.time(), author)
            && !(self.rules.itself == Itself::OneOfThem && record.id == id)
    }

    fn is_own_work(&self, record: &Record, author: &Metadata) -> bool {
        self.rules.own_work.contains(&record.id) || same_author(&self.library.vouched(record), author)
    }

    /// Whether a document of the library is the submission, by [`Itself::LeftOut`]'s rules.
    fn is_itself(&self, record: &Record, similarity: &DocumentSimilarity, id: &str, author: &Metadata) -> bool {
        let other_author = || {
            let known = self.library.vouched(record);
            known.author.is_some() && author.author.is_some() && !same_author(&known, author)
        };
        self.rules.itself == Itself::LeftOut
            && record.id == id
            && similarity.containment_first.min(similarity.containment_second) >= Itself::SAME_WORK
            && !other_author()
    }

    /// What of a submission stands in the templates, in units.
    fn templates(&self, units: &Units, job: &Job) -> Result<Vec<Range<u32>>, CheckError> {
        if self.templates.is_empty() {
            return Ok(Vec::new());
        }
        let (mut aligner, prepared) = (Aligner::new(self.settings.align), Submission::new(units));
        let mut found = Vec::new();
        for template in self.templates.iter() {
            job.check()?;
            let places = aligner.align(&prepared, template).into_iter().filter(|place| !place.weak);
            found.extend(places.flat_map(|place| place.copied()));
        }
        Ok(found)
    }
}
