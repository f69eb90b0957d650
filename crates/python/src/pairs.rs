//! Similar documents of a corpus.

use crate::arrays::array;
use crate::document::Settings;
use crate::errors::Failure;
use crate::index::Index;
use crate::reports::{unread, warn};
use crate::table::{self, Table, TableBuilder};
use crate::texts::Texts;
use crate::work::{Pickled, Watch, run, threads_of};
use copytrace::check::Unread;
use copytrace::formats::input::ReadLimits;
use copytrace::job::{Job, Stage};
use copytrace::report::rows::Rows;
use copytrace::search::all_pairs::{Clusters, Corpus, Join, Watcher};
use pyo3::PyClassInitializer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::num::NonZero;
use std::sync::{Mutex, PoisonError};

/// Pairs of similar documents, as the program's `pairs` writes them: a row for each, ordered by the two ids.
#[pyclass(module = "copytrace", frozen, extends = Table)]
pub struct Pairs {
    unread: Vec<Unread>,
}

/// Documents joined by pairs: each with its representative, the smallest id of its cluster, by both.
pub fn clusters_of<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> Vec<(&'a str, &'a str)> {
    let ids: BTreeSet<&str> = pairs.clone().flat_map(|(first, second)| [first, second]).collect();
    let ids: Vec<&str> = ids.into_iter().collect();
    let numbers: BTreeMap<&str, u32> = ids.iter().copied().zip(0..).collect();
    let mut clusters = Clusters::new(ids.len());
    pairs.for_each(|(first, second)| clusters.join(numbers[first], numbers[second]));
    clusters.members().into_iter().map(|(head, id)| (ids[head as usize], ids[id as usize])).collect()
}

impl Pairs {
    /// The clusters' members: representative and document.
    fn members(table: &Table) -> Vec<(&str, &str)> {
        clusters_of(table.texts(0).zip(table.texts(1)).collect::<Vec<_>>().into_iter())
    }
}

#[pymethods]
impl Pairs {
    /// Documents that could not be read or compared: `document` and `reason`.
    #[getter]
    fn unread(&self) -> PyResult<Table> {
        unread(&self.unread)
    }

    /// The clusters that similar documents form: each document of one with its representative, the smallest id.
    fn clusters(slf: &Bound<'_, Self>) -> PyResult<Table> {
        let members = Pairs::members(slf.as_super().get());
        let rows: Vec<_> = members.into_iter().map(|(head, document)| Rows::cluster(head, document)).collect();
        Ok(Table::of(table::CLUSTERS, &rows)?)
    }

    /// Which of the documents to keep so that one of each cluster stays, its representative: a NumPy array of booleans, as long as
    /// `ids`, so that `df.filter(pairs.keep(df["id"]))` is free of near-duplicates.
    fn keep<'py>(slf: &Bound<'py, Self>, ids: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let members = Pairs::members(slf.as_super().get());
        let others: HashSet<&str> = members.iter().filter(|(head, id)| head != id).map(|&(_, id)| id).collect();
        let mut kept = Vec::new();
        for (place, id) in ids.try_iter()?.enumerate() {
            let id = id?;
            let known = id.extract::<String>().or_else(|_| Ok(id.extract::<i64>()?.to_string()));
            let known: PyResult<String> = known;
            let known =
                known.map_err(|_| PyTypeError::new_err(format!("ids[{place}] is no id: expected str or int")))?;
            kept.push(u8::from(!others.contains(known.as_str())));
        }
        array(&PyBytes::new(slf.py(), &kept), "bool")
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        match slf.as_super().get().texts(0).count() {
            1 => "<copytrace.Pairs: 1 pair>".to_owned(),
            count => format!("<copytrace.Pairs: {count} pairs>"),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py, (Bound<'py, PyBytes>, String)>> {
        let unread = serde_json::to_string(&slf.get().unread).map_err(Failure::from)?;
        let stream = PyBytes::new(slf.py(), &slf.as_super().get().stream()?);
        Ok((slf.get_type().getattr("_restored")?, (stream, unread)))
    }

    #[staticmethod]
    #[pyo3(name = "_restored")]
    fn of_pickle<'py>(py: Python<'py>, stream: &[u8], unread: &str) -> PyResult<Bound<'py, Pairs>> {
        let unread = serde_json::from_str(unread).map_err(Failure::from)?;
        Bound::new(py, PyClassInitializer::from(Table::restored(stream)?).add_subclass(Pairs { unread }))
    }
}

/// Hears of documents that are read or missing.
struct Listener<'a> {
    job: &'a Job,
    unread: Mutex<Vec<Unread>>,
}

impl Watcher for Listener<'_> {
    fn read(&self, documents: usize) {
        self.job.advance(Stage::Reading, documents as u64);
    }

    fn failed(&self, unread: &Unread) {
        self.unread.lock().unwrap_or_else(PoisonError::into_inner).push(unread.clone());
    }

    fn passed_over(&self, _: u64) {}
}

/// All pairs of documents whose Jaccard similarity is at least `settings.threshold`, each verified exactly.
///
/// Parameters
/// ----------
/// corpus : path, Document, list of these, table, or Index
///     A path (file or folder), a `Document`, a list of these, or a table of any Arrow library with the columns `id` and `text`,
///     perhaps also `title`, `author`, `date` and `collection`, which is read where it lies, and twice.
/// settings : Settings, optional
///     The threshold and what is compared; those of the index, or the default ones, unless given.
/// memory : int
///     Bytes that are used besides; what does not fit goes to a temporary file.
/// threads : int, optional
///     As many as there are processors, unless told.
/// progress : bool or callable, optional
///     `True` shows a bar, `False` none; a callable is told the documents done, how many there are (`None` where that is not known)
///     and what they are.
///
/// Returns
/// -------
/// Pairs
///     A row for each pair, ordered by the two ids. Documents that cannot be read stand in `unread`.
///
/// Raises
/// ------
/// ValueError
///     When no document can be read, or `memory` is too little.
///
/// Warns
/// -----
/// UnreadableWarning
///     When some documents cannot be read.
///
/// Examples
/// --------
/// >>> import copytrace
/// >>> texts = {"a": "one two three four five six seven", "b": "One two three, four five six seven.", "c": "something else altogether in these few words"}
/// >>> pairs = copytrace.pairs([copytrace.Document(text, id=id) for id, text in texts.items()])
/// >>> [(row["first"], row["second"]) for row in pairs.to_pylist()]
/// [('a', 'b')]
/// >>> pairs.clusters().to_pylist()[1]
/// {'representative': 'a', 'document': 'b'}
#[pyfunction]
#[pyo3(signature = (corpus, *, settings=None, memory=1 << 30, threads=None, progress=None))]
#[pyo3(text_signature = "(corpus, *, settings=None, memory=1073741824, threads=None, progress=None)")]
pub fn pairs<'py>(
    py: Python<'py>,
    corpus: &Bound<'py, PyAny>,
    settings: Option<&Bound<'py, Settings>>,
    memory: u64,
    #[pyo3(from_py_with = threads_of)] threads: Option<NonZero<usize>>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, Pairs>> {
    let watch = |total| Watch { progress, counts: "documents read", total, threads };
    let (table, missing) = if let Ok(index) = corpus.cast::<Index>() {
        let library = index.get().library(py)?;
        let settings = Settings::for_index(settings, library.settings())?;
        run(py, watch(None), move |job| {
            let mut join = Join::of_index(library.index(), &settings, None, memory)?;
            join.cancel = job.cancel.clone();
            Ok((collect(&join)?, Vec::new()))
        })?
    } else {
        let texts = Texts::of(corpus, "corpus")?;
        texts.require_some()?;
        let settings = Settings::or_default(settings);
        run(py, watch(texts.total), move |job| {
            let limits = ReadLimits { cancel: job.cancel.clone(), ..ReadLimits::default() };
            let listener = Listener { job, unread: Mutex::default() };
            let join = Corpus::open(texts.inputs, limits)?.prepare(&settings, memory, &listener)?;
            let total = join.total;
            let unread = || listener.unread.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if total == 0 {
                let first = unread().first().map_or(String::new(), |first| format!(": {first}"));
                return Err(Failure::Value(format!("there is no readable document{first}")));
            }
            Ok((collect(&join)?, unread()))
        })?
    };
    warn(py, &missing)?;
    Bound::new(py, PyClassInitializer::from(table).add_subclass(Pairs { unread: missing }))
}

fn collect(join: &Join) -> Result<Table, Failure> {
    let mut table = TableBuilder::new(table::PAIRS);
    join.for_each(u64::MAX, None, |pair| -> Result<(), Failure> {
        table.push(&Rows::pair(pair));
        Ok(())
    })?;
    table.finish()
}
