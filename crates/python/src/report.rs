//! The report on one submission.

use crate::errors::Failure;
use crate::table::{self, Table};
use crate::work::Pickled;
use copytrace::check::{self, Unread};
use copytrace::messages::Language;
use copytrace::report::messages::Messages;
use copytrace::report::rows::Rows;
use copytrace::text::char_text::CharText;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// What became of a submission.
pub type Outcome = Result<Arc<check::Report>, Unread>;

/// A passage that the submission shares with a source.
///
/// `start`, `end`, `source_start` and `source_end` index the two texts as `str`, the end exclusive. `similarity` is that of
/// the two wordings, 0 to 1. `excluded` says why it does not count in some ratio (a word of `excluded.csv`, or `weak` where
/// it is too thin to count in any); it is empty where it counts in all.
#[pyclass(module = "copytrace", frozen, get_all, eq)]
#[derive(PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// Where it starts in the submission.
    start: u32,
    /// Where it ends in the submission, exclusive.
    end: u32,
    /// Where it starts in the source.
    source_start: u32,
    /// Where it ends in the source, exclusive.
    source_end: u32,
    /// `verbatim`, `edited`, `reordered` or `disguised`.
    kind: String,
    /// The id of the source.
    source: String,
    /// The submission's wording.
    text: String,
    /// The source's wording; `None` where the index keeps no texts.
    source_text: Option<String>,
    /// How alike the two wordings are, 0 to 1.
    similarity: f64,
    /// Why it does not count in some ratio; empty where it counts in all.
    excluded: String,
}

#[pymethods]
impl Passage {
    fn __repr__(&self) -> String {
        let Passage { start, end, kind, source, .. } = self;
        format!("<copytrace.Passage {start}:{end} {kind}, from {source:?}>")
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.start, self.end, self.source_start, &self.source).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py, (String,)>> {
        let json = serde_json::to_string(slf.get()).map_err(Failure::from)?;
        Ok((slf.get_type().getattr("_restored")?, (json,)))
    }

    #[staticmethod]
    #[pyo3(name = "_restored")]
    fn of_pickle(json: &str) -> PyResult<Self> {
        Ok(serde_json::from_str(json).map_err(Failure::from)?)
    }
}

/// What was found in one submission: how much of it stands in sources, and where.
///
/// Ratios are shares of the characters that count, 0 to 1; they are `nan` for a submission that could not be checked, whose
/// `error` tells why. In a notebook a report shows itself as its page.
///
/// Examples
/// --------
/// >>> from copytrace import Document, check
/// >>> tide = "each tide leaves a thin layer of silt between the stems and the surface grows by a few millimetres a year"
/// >>> reports = check(Document(f"We measured that {tide}, we found.", id="thesis"), Document(f"The marsh rises. {tide}", id="book"))
/// >>> report = reports["thesis"]
/// >>> passage, = report.passages
/// >>> passage.kind, passage.source, report.text[passage.start:passage.end] == passage.text
/// ('verbatim', 'book', True)
/// >>> report.without("book").copy_ratio
/// 0.0
#[pyclass(module = "copytrace", frozen)]
pub struct Report {
    id: String,
    outcome: Outcome,
}

impl Report {
    pub fn new(outcome: Outcome) -> Self {
        let id = outcome.as_ref().map_or_else(|unread| &unread.id, |report| &report.submission.id).clone();
        Report { id, outcome }
    }

    /// The report, or an exception where there is none.
    fn of_checked(&self) -> PyResult<&Arc<check::Report>> {
        self.outcome.as_ref().map_err(crate::errors::unreadable)
    }

    fn ratio(&self, of: impl Fn(&check::Report) -> f64) -> f64 {
        self.outcome.as_ref().map_or(f64::NAN, |report| of(report))
    }

    pub fn rows(outcome: &Outcome) -> Rows {
        outcome.as_ref().map_or_else(Rows::of_unread, |report| Rows::of(report))
    }
}

/// The language of a page.
pub fn language(name: &str) -> PyResult<Language> {
    Language::all().find(|language| language.code() == name).ok_or_else(|| {
        let codes: Vec<String> = Language::all().map(|language| format!("'{}'", language.code())).collect();
        PyValueError::new_err(format!("the language is {name:?}: expected {}", codes.join(" or ")))
    })
}

#[pymethods]
impl Report {
    /// The submission's id.
    #[getter]
    fn id(&self) -> &str {
        &self.id
    }

    /// Twelve hexadecimal digits that are the same whenever submission, corpus, settings and findings are; empty for a
    /// submission that could not be checked.
    #[getter]
    fn number(&self) -> &str {
        self.outcome.as_ref().map_or("", |report| &report.number)
    }

    /// Why the submission could not be checked; `None` when it was.
    #[getter]
    fn error(&self) -> Option<String> {
        self.outcome.as_ref().err().map(Unread::message)
    }

    /// The submission's text, which offsets index; empty when it could not be checked.
    #[getter]
    fn text(&self) -> &str {
        self.outcome.as_ref().map_or("", |report| &report.text)
    }

    /// The share of the submission that stands in sources, 0 to 1.
    #[getter]
    fn copy_ratio(&self) -> f64 {
        self.ratio(|report| report.ratios.all.ratio)
    }

    /// The share that stands in the one source with the most, 0 to 1.
    #[getter]
    fn top_source_ratio(&self) -> f64 {
        self.ratio(|report| report.ratios.largest_source.ratio)
    }

    /// The share without what is quoted and cited, 0 to 1.
    #[getter]
    fn copy_ratio_without_quotes(&self) -> f64 {
        self.ratio(|report| report.ratios.without_quotes.ratio)
    }

    /// The share without what only the author's own works hold, 0 to 1.
    #[getter]
    fn copy_ratio_without_own_work(&self) -> f64 {
        self.ratio(|report| report.ratios.without_own_work.ratio)
    }

    /// The share outside of passages in runs of a few words that stand in some document, 0 to 1; in no other ratio.
    #[getter]
    fn short_run_ratio(&self) -> f64 {
        self.ratio(|report| report.ratios.in_short_runs.ratio)
    }

    /// The share of what a reader sees that was compared as language, 0 to 1: below .9 the ratios are at least what they are, below .7
    /// they say nothing.
    #[getter]
    fn compared_share(&self) -> f64 {
        self.ratio(|report| report.compared.share())
    }

    /// The passages in the order of the submission, those that are too thin to count among them.
    #[getter]
    fn passages(&self) -> Vec<Passage> {
        let Ok(report) = &self.outcome else { return Vec::new() };
        let text = CharText::new(&report.text);
        let mut passages: Vec<&check::Passage> = report.passages.iter().chain(&report.weak).collect();
        passages.sort_by_key(|passage| (passage.submission.start, passage.submission.end, passage.source));
        let passage = |passage: &&check::Passage| Passage {
            start: passage.submission.start,
            end: passage.submission.end,
            source_start: passage.source_span.start,
            source_end: passage.source_span.end,
            kind: passage.kind.as_str().to_owned(),
            source: report.sources[passage.source].id.clone(),
            text: text.slice(&passage.submission).to_owned(),
            source_text: passage.source_text.clone(),
            similarity: passage.similarity,
            excluded: passage.excluded.map_or("", |reason| reason.as_str()).to_owned(),
        };
        passages.iter().map(passage).collect()
    }

    /// The sources, as in `sources.csv`.
    #[getter]
    fn sources(&self) -> PyResult<Table> {
        Ok(Table::of(table::SOURCES, &Report::rows(&self.outcome).sources)?)
    }

    /// The chapters with their ratios, as in `chapters.csv`.
    #[getter]
    fn chapters(&self) -> PyResult<Table> {
        Ok(Table::of(table::CHAPTERS, &Report::rows(&self.outcome).chapters)?)
    }

    /// What some ratio leaves out, as in `excluded.csv`.
    #[getter]
    fn excluded(&self) -> PyResult<Table> {
        Ok(Table::of(table::EXCLUDED, &Report::rows(&self.outcome).excluded)?)
    }

    /// Signs of manipulation, as in `flags.csv`.
    #[getter]
    fn flags(&self) -> PyResult<Table> {
        Ok(Table::of(table::FLAGS, &Report::rows(&self.outcome).flags)?)
    }

    /// The row of `summary.csv`, for jobs that bring many reports together.
    #[getter(_summary)]
    fn summary_row(&self) -> PyResult<Table> {
        Ok(Table::of(table::SUMMARY, &[Report::rows(&self.outcome).summary])?)
    }

    /// The rows of `passages.csv`.
    #[getter(_passages)]
    fn passage_rows(&self) -> PyResult<Table> {
        Ok(Table::of(table::PASSAGES, &Report::rows(&self.outcome).passages)?)
    }

    /// The report as if these sources were not there: every ratio is counted anew, exactly.
    ///
    /// Parameters
    /// ----------
    /// *sources : str
    ///     Their ids.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     When one of them is no source of the report.
    #[pyo3(signature = (*sources))]
    fn without(&self, sources: Vec<String>) -> PyResult<Report> {
        let report = self.of_checked()?;
        if let Some(unknown) = sources.iter().find(|id| !report.sources.iter().any(|source| source.id == **id)) {
            let known: Vec<&str> = report.sources.iter().map(|source| source.id.as_str()).collect();
            return Err(PyValueError::new_err(format!(
                "{unknown:?} is no source of {:?}: expected some of {known:?}",
                self.id
            )));
        }
        let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
        Ok(Report::new(Ok(Arc::new(report.without(&sources)))))
    }

    /// The report's page: one HTML file that needs nothing besides. `lang` is `en` or `zh`.
    #[pyo3(signature = (lang="en"))]
    fn to_html(&self, py: Python<'_>, lang: &str) -> PyResult<String> {
        let (report, language) = (self.of_checked()?, language(lang)?);
        Ok(py.detach(|| report.to_html(Messages::of(language))).map_err(Failure::from)?)
    }

    /// The report as JSON, as `docs/report.schema.json` describes it.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        let report = self.of_checked()?;
        Ok(py.detach(|| report.to_json()).map_err(Failure::from)?)
    }

    /// The page in a frame, for a notebook.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let html = py.import("copytrace._html")?;
        match &self.outcome {
            Ok(_) => html.call_method1("frame", (self.to_html(py, "en")?,))?.extract(),
            Err(unread) => html.call_method1("message", (unread.to_string(),))?.extract(),
        }
    }

    fn __repr__(&self) -> String {
        match &self.outcome {
            Ok(report) => format!(
                "<copytrace.Report on {:?}: copy ratio {:.4}, {} passages from {} sources>",
                self.id,
                report.ratios.all.ratio,
                report.passages.len(),
                report.sources.len()
            ),
            Err(unread) => format!("<copytrace.Report on {:?}: {}>", self.id, unread.message()),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let json = serde_json::to_string(&slf.get().outcome.as_deref()).map_err(Failure::from)?;
        Ok((slf.get_type().getattr("_restored")?, (json,)))
    }

    #[staticmethod]
    #[pyo3(name = "_restored")]
    pub fn of_pickle(json: &str) -> PyResult<Self> {
        let outcome: Result<check::Report, Unread> = serde_json::from_str(json).map_err(Failure::from)?;
        Ok(Report::new(outcome.map(Arc::new)))
    }
}
