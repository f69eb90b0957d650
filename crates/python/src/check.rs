//! Submissions against a corpus.

use crate::document::{Document, Settings, limits};
use crate::errors::Failure;
use crate::index::Index;
use crate::report::Report;
use crate::reports::{Content, Reports, Rest, warn};
use crate::texts::Texts;
use crate::work::{Watch, run, threads_of};
use copytrace::check::{Checker, Collection, Comparer, Itself, Library, LibraryBuilder, Reason, Rules, Unread};
use copytrace::formats::input::{Batches, Inputs};
use copytrace::search::filter::Filter;
use pyo3::prelude::*;
use std::num::NonZero;
use std::sync::Arc;

/// What submissions are checked against.
enum Corpus {
    Index(Arc<Library>),
    Texts(Texts),
}

/// Checks submissions against a corpus, and compares them with each other.
///
/// Parameters
/// ----------
/// submissions : path, Document, list of these, or table
///     A path (file or folder), a `Document`, a list of these, or a table of any Arrow library with the columns `id` and `text`,
///     perhaps also `title`, `author`, `date` and `collection`, which is read where it lies.
/// corpus : the same, or Index
///     What they are compared with.
/// templates : the same
///     Texts that do not count wherever they stand.
/// own_work : iterable of str
///     Ids of documents that are the author's own.
/// exclude_same_author : bool
///     Leaves out documents of the submission's author.
/// ignore_common : int, optional
///     Does not count what this many documents of the corpus hold, or more.
/// shared : bool
///     Whether submissions are compared with each other.
/// ocr : bool
///     Whether pages that are pictures are read, by poppler and tesseract.
/// settings : Settings, optional
///     Those of the index, or the default ones, unless given.
/// threads : int, optional
///     As many as there are processors, unless told.
/// progress : bool or callable, optional
///     `True` shows a bar, `False` none; a callable is told the documents done, how many there are (`None` where that is not known)
///     and what they are.
///
/// Returns
/// -------
/// Reports
///     One for each submission, with an `error` for one that cannot be read. Documents of the corpus that cannot be read stand in `unread`.
///
/// Raises
/// ------
/// ValueError
///     When there is nothing to check, or nothing to check against.
///
/// Warns
/// -----
/// UnreadableWarning
///     When documents of the corpus cannot be read.
///
/// Examples
/// --------
/// >>> import copytrace
/// >>> corpus = [copytrace.Document("the quick brown fox jumps over the lazy dog while the cat sleeps in the sun", id="fox")]
/// >>> essay = copytrace.Document("I saw how the quick brown fox jumps over the lazy dog while the cat sleeps in the sun!", id="essay")
/// >>> reports = copytrace.check(essay, corpus)
/// >>> reports.summary.to_pylist()[0]["copy_ratio"] > 0.8
/// True
#[pyfunction]
#[pyo3(signature = (submissions, corpus, *, templates=None, own_work=vec![], exclude_same_author=false, ignore_common=None, shared=true, ocr=false, settings=None, threads=None, progress=None))]
#[pyo3(
    text_signature = "(submissions, corpus, *, templates=(), own_work=(), exclude_same_author=False, ignore_common=None, shared=True, ocr=False, settings=None, threads=None, progress=None)"
)]
#[allow(clippy::too_many_arguments)]
pub fn check(
    py: Python<'_>,
    submissions: &Bound<'_, PyAny>,
    corpus: &Bound<'_, PyAny>,
    templates: Option<&Bound<'_, PyAny>>,
    own_work: Vec<String>,
    exclude_same_author: bool,
    ignore_common: Option<u32>,
    shared: bool,
    ocr: bool,
    settings: Option<&Bound<'_, Settings>>,
    #[pyo3(from_py_with = threads_of)] threads: Option<NonZero<usize>>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Reports> {
    let submissions = Texts::of(submissions, "submissions")?;
    let templates = templates.map(|templates| Texts::of(templates, "templates")).transpose()?;
    let (corpus, settings) = match corpus.cast::<Index>() {
        Ok(index) => {
            let library = index.get().library(py)?;
            let settings = Settings::for_index(settings, library.settings())?;
            (Corpus::Index(library), settings)
        }
        Err(_) => (Corpus::Texts(Texts::of(corpus, "corpus")?), Settings::or_default(settings)),
    };
    let rules = Rules {
        filter: Filter { exclude_same_author, ..Filter::default() },
        own_work,
        count_all_parts: false,
        ignore_common,
        itself: Itself::LeftOut,
    };
    let limits = limits(ocr);
    let of_corpus = if let Corpus::Texts(texts) = &corpus { texts.total } else { Some(0) };
    let total = submissions.total.zip(of_corpus).map(|(submissions, corpus)| submissions + corpus);
    let watch = Watch { progress, counts: "documents read and checked", total, threads };
    let content = run(py, watch, move |job| {
        let mut unread = Vec::new();
        let library = match corpus {
            Corpus::Index(library) => library,
            Corpus::Texts(texts) => {
                let name = texts.name();
                let mut builder = LibraryBuilder::new(&settings.sketch)?;
                builder.read(Inputs::new(texts.inputs, limits.clone()), job, |missing| unread.push(missing))?;
                let library = builder.finish()?;
                Arc::new(name.into_iter().fold(library, Library::named))
            }
        };
        if library.is_empty() {
            let first = unread.first().map_or(String::new(), |unread: &Unread| format!(" ({unread})"));
            return Err(Failure::Value(format!("the corpus holds no readable document{first}")));
        }
        let mut templates_read = Vec::new();
        let inputs = templates.map_or(Vec::new(), |templates| templates.inputs);
        let mut batches = Batches::new(Inputs::new(inputs, limits.clone()), job);
        while let Some(batch) = batches.next_batch()? {
            for read in batch {
                templates_read.push(read.map_err(Unread::from)?);
            }
        }
        let checker = Checker::new(library, settings, rules).with_templates(&templates_read, job)?;
        let mut collection = Collection::new(&checker, shared)?.keeping_texts();
        let mut outcomes = Vec::new();
        let mut batches = Batches::new(Inputs::new(submissions.inputs, limits), job);
        while let Some(batch) = batches.next_batch()? {
            let batch = batch.into_iter().map(|read| read.map_err(Unread::from)).collect();
            outcomes.extend(collection.check(batch, job, |checked| checked.map(Arc::new))?);
        }
        // A file that was handed in is told of, whatever it is.
        let unknown = |id: &String| Err(Unread::new(id, Reason::UnknownKind));
        outcomes.extend(batches.unknown().iter().map(unknown));
        if outcomes.is_empty() {
            return Err(Failure::Value("there is no submission to check".to_owned()));
        }
        let (shared, texts) = collection.shared_with_texts(job)?.unzip();
        let reference = checker.library().reference().clone();
        Ok(Content { outcomes, texts, rest: Rest { shared, reference, unread } })
    })?;
    warn(py, &content.rest.unread)?;
    Ok(content.into())
}

/// Compares a document with another one, and with nothing else. Every passage that they share is found, however common its words.
///
/// Parameters
/// ----------
/// a, b : Document
///     The submission and its source.
/// settings : Settings, optional
///     The default ones, unless given.
///
/// Returns
/// -------
/// Report
///     What of `a` stands in `b`.
///
/// Raises
/// ------
/// UnreadableError
///     When one of them is too short to be compared.
///
/// Examples
/// --------
/// >>> from copytrace import Document, compare
/// >>> tide = "each tide leaves a thin layer of silt between the stems and the surface grows by a few millimetres a year"
/// >>> compare(Document(tide, id="a"), Document("It is said that " + tide, id="b")).copy_ratio
/// 1.0
#[pyfunction]
#[pyo3(signature = (a, b, settings=None))]
pub fn compare(
    py: Python<'_>,
    a: &Bound<'_, Document>,
    b: &Bound<'_, Document>,
    settings: Option<&Bound<'_, Settings>>,
) -> PyResult<Report> {
    let (a, b) = (a.get().0.clone(), b.get().0.clone());
    let settings = Settings::or_default(settings);
    let report = run(py, Watch::silent(), move |job| {
        let comparer = Comparer::new(settings);
        let analyse = |document: &copytrace::text::Document| comparer.analyse(document.clone(), job);
        Ok(comparer.findings(&analyse(&a)?, &analyse(&b)?, job)?.report())
    })?;
    Ok(Report::new(Ok(Arc::new(report))))
}
