//! An index on disk.

use crate::document::{Settings, string};
use crate::errors::Failure;
use crate::sketches::bits;
use crate::table::{self, Table, TableBuilder};
use crate::texts::Texts;
use crate::work::{Watch, run, threads_of};
use copytrace::check::{Addition, Library, Unread};
use copytrace::formats::input::{Batches, Inputs};
use copytrace::hamming::fingerprints::Features;
use copytrace::index::{self, IndexError, IndexWriter, MergePolicy};
use copytrace::report::rows::Cell::{Count, Text, Word};
use copytrace::sketch::analysers::Analysers;
use copytrace::sketch::fingerprinter::Fingerprinter;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use std::collections::HashSet;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tempfile::TempDir;

/// A reference index in a folder, or in several that are searched as one; the same that `copytrace index` makes.
///
/// It shows what it held when it was opened or last changed through this object. An index is pickled by the paths of its
/// folders, and can be closed by `close` or `with`.
///
/// Examples
/// --------
/// >>> from copytrace import Document, Index
/// >>> index = Index.create()
/// >>> index.add([Document("the tide leaves a thin layer of silt between the stems", id="book")]).to_pylist()
/// [{'document': 'book', 'status': 'new', 'message': ''}]
/// >>> len(index), "book" in index, "film" in index
/// (1, True, False)
#[pyclass(module = "copytrace", frozen)]
pub struct Index {
    folders: Vec<PathBuf>,
    /// The folder, if it is to go with this object.
    temporary: Mutex<Option<TempDir>>,
    state: Mutex<State>,
}

enum State {
    Closed,
    /// What is searched; opened when it is first asked for.
    Open(Option<Opened>),
}

#[derive(Clone)]
struct Opened {
    library: Arc<Library>,
    ids: Option<Arc<HashSet<String>>>,
}

impl Index {
    fn of(folders: Vec<PathBuf>, temporary: Option<TempDir>) -> Self {
        Index { folders, temporary: Mutex::new(temporary), state: Mutex::new(State::Open(None)) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is searched.
    pub fn library(&self, py: Python<'_>) -> PyResult<Arc<Library>> {
        Ok(self.opened(py)?.library)
    }

    fn opened(&self, py: Python<'_>) -> PyResult<Opened> {
        let opened = match &*self.state() {
            State::Closed => return Err(closed()),
            State::Open(opened) => opened.clone(),
        };
        if let Some(opened) = opened {
            return Ok(opened);
        }
        let folders = self.folders.clone();
        let library = Arc::new(run(py, Watch::silent(), move |_| Ok(Library::open(&folders)?))?);
        let opened = Opened { library, ids: None };
        self.keep(Some(opened.clone()))?;
        Ok(opened)
    }

    fn keep(&self, opened: Option<Opened>) -> PyResult<()> {
        match &mut *self.state() {
            State::Closed => Err(closed()),
            State::Open(kept) => {
                *kept = opened;
                Ok(())
            }
        }
    }

    /// Its folder, for changing.
    fn folder(&self) -> PyResult<PathBuf> {
        if matches!(&*self.state(), State::Closed) {
            return Err(closed());
        }
        match self.folders.as_slice() {
            [folder] => Ok(folder.clone()),
            several => Err(PyValueError::new_err(format!(
                "an index of {} folders can only be searched: expected one that was opened from one folder",
                several.len()
            ))),
        }
    }
}

/// The right to change a folder, which one call of this process at a time has: after Ctrl-C the work that was interrupted still
/// ends, and the next change waits for that.
struct Turn(PathBuf);

/// The folders that are being changed, each with the process: after a fork the child does not do its parent's work.
static CHANGING: Mutex<Vec<(u32, PathBuf)>> = Mutex::new(Vec::new());

impl Turn {
    fn take(py: Python<'_>, folder: &Path) -> PyResult<Self> {
        /// How often it is looked whether the other one has ended.
        const TICK: Duration = Duration::from_millis(10);
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let entry = (std::process::id(), folder.clone());
        loop {
            {
                let mut changing = CHANGING.lock().unwrap_or_else(PoisonError::into_inner);
                if !changing.contains(&entry) {
                    changing.push(entry);
                    return Ok(Turn(folder));
                }
            }
            py.detach(|| std::thread::sleep(TICK));
            py.check_signals()?;
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let entry = (std::process::id(), std::mem::take(&mut self.0));
        CHANGING.lock().unwrap_or_else(PoisonError::into_inner).retain(|other| *other != entry);
    }
}

fn closed() -> PyErr {
    PyValueError::new_err("the index is closed: open it again by Index.open")
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64)
}

#[pymethods]
impl Index {
    /// Makes an empty index.
    ///
    /// Parameters
    /// ----------
    /// path : path, optional
    ///     A folder that is not there yet, or empty; unless given, a temporary one, which goes with the object.
    /// texts : bool
    ///     Whether wordings are kept, so that reports show those of the sources.
    /// settings : Settings, optional
    ///     The default ones, unless given.
    ///
    /// Raises
    /// ------
    /// FileExistsError
    ///     When something is there already.
    #[staticmethod]
    #[pyo3(signature = (path=None, *, texts=true, settings=None))]
    fn create(
        py: Python<'_>,
        path: Option<PathBuf>,
        texts: bool,
        settings: Option<&Bound<'_, Settings>>,
    ) -> PyResult<Self> {
        let sketch = Settings::or_default(settings).sketch;
        let (folder, temporary) = match path {
            Some(path) => (path, None),
            None => {
                let folder = TempDir::with_prefix("copytrace-")?;
                (folder.path().join("index"), Some(folder))
            }
        };
        let made = folder.clone();
        run(py, Watch::silent(), move |_| Ok(IndexWriter::create(&made, &sketch, texts).map(drop)?))?;
        Ok(Index::of(vec![folder], temporary))
    }

    /// Opens the folders of an index. Of documents with one id in several of them the first folder's counts.
    ///
    /// Parameters
    /// ----------
    /// *paths : path
    ///     The folders.
    ///
    /// Raises
    /// ------
    /// FileNotFoundError
    ///     When a folder holds no index.
    /// DamagedError
    ///     When it is damaged.
    #[staticmethod]
    #[pyo3(signature = (*paths))]
    fn open(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Self> {
        if paths.is_empty() {
            return Err(PyValueError::new_err("no path: expected the folder of an index, or several"));
        }
        let index = Index::of(paths, None);
        index.opened(py)?;
        Ok(index)
    }

    /// Adds documents; one that has the id of another takes its place, one that did not change is passed over. All of it is on the disk
    /// when this returns, and none of it is if it is interrupted.
    ///
    /// Parameters
    /// ----------
    /// documents : path, Document, list of these, or table
    ///     A path (file or folder), a `Document`, a list of these, or a table of any Arrow library with the columns `id` and `text`,
    ///     perhaps also `title`, `author`, `date` and `collection`, which is read where it lies.
    /// added : int, optional
    ///     The time that is noted, in seconds since 1970 (UTC); now unless told.
    /// ocr : bool
    ///     Whether pages that are pictures are read, by poppler and tesseract.
    /// threads : int, optional
    ///     As many as there are processors, unless told.
    /// progress : bool or callable, optional
    ///     `True` shows a bar, `False` none; a callable is told the documents done, how many there are (`None` where that is not known)
    ///     and what they are.
    ///
    /// Returns
    /// -------
    /// Table
    ///     A row for each document: `document`, `status` (`new`, `replaced`, `unchanged` or `error`) and `message`.
    #[pyo3(signature = (documents, *, added=None, ocr=false, threads=None, progress=None))]
    fn add(
        &self,
        py: Python<'_>,
        documents: &Bound<'_, PyAny>,
        added: Option<i64>,
        ocr: bool,
        #[pyo3(from_py_with = threads_of)] threads: Option<NonZero<usize>>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Table> {
        let (folder, texts) = (self.folder()?, Texts::of(documents, "documents")?);
        let watch = Watch { progress, counts: "documents added", total: texts.total, threads };
        let added = added.unwrap_or_else(now);
        let turn = Turn::take(py, &folder)?;
        let table = run(py, watch, move |job| {
            let _turn = turn;
            let mut writer = IndexWriter::open(&folder)?;
            let analysers = Analysers::new(writer.settings());
            let mut table = TableBuilder::new(table::ADDED);
            let mut batches = Batches::new(Inputs::new(texts.inputs, crate::document::limits(ocr)), job);
            while let Some(batch) = batches.next_batch()? {
                let batch: Vec<_> = batch.into_iter().map(|read| read.map_err(Unread::from)).collect();
                let count = batch.len() as u64;
                for addition in writer.add_all(&analysers, batch, added, job)? {
                    let (id, status, message) = match addition {
                        Addition::New(id) => (id, "new", String::new()),
                        Addition::Replaced(id) => (id, "replaced", String::new()),
                        Addition::Unchanged(id) => (id, "unchanged", String::new()),
                        Addition::Unread(unread) => (unread.id.clone(), "error", unread.message()),
                    };
                    table.push(&[Text(id), Word(status.into()), Text(message)]);
                }
                job.advance(copytrace::job::Stage::Reading, count);
            }
            job.check()?;
            writer.commit()?;
            writer.merge_segments(&MergePolicy::default())?;
            table.finish()
        })?;
        self.keep(None)?;
        Ok(table)
    }

    /// Removes documents by their ids; gives how many were there.
    #[pyo3(signature = (*ids))]
    fn remove(&self, py: Python<'_>, ids: Vec<String>) -> PyResult<usize> {
        let folder = self.folder()?;
        let turn = Turn::take(py, &folder)?;
        let removed = run(py, Watch::silent(), move |_| {
            let _turn = turn;
            let mut writer = IndexWriter::open(&folder)?;
            let removed: Vec<bool> = ids.iter().map(|id| writer.remove(id)).collect::<Result<_, IndexError>>()?;
            writer.commit()?;
            writer.merge_segments(&MergePolicy::default())?;
            Ok(removed.into_iter().filter(|&there| there).count())
        })?;
        self.keep(None)?;
        Ok(removed)
    }

    /// The documents whose SimHash fingerprints are near to another one.
    ///
    /// Parameters
    /// ----------
    /// query : str or int
    ///     A text, or a fingerprint of 64 bits.
    /// k : int
    ///     Bits that may differ, 0 to 7.
    ///
    /// Returns
    /// -------
    /// Table
    ///     `match`, the id, and `hamming`, the bits, nearest first.
    #[pyo3(signature = (query, k=3))]
    fn near(&self, py: Python<'_>, query: &Bound<'_, PyAny>, #[pyo3(from_py_with = bits)] k: u8) -> PyResult<Table> {
        let library = self.library(py)?;
        let fingerprint = if query.is_instance_of::<PyString>() {
            let text = string(query, "query")?;
            py.detach(|| Fingerprinter::new(Features::Terms).of_text(&text)).unwrap_or(0)
        } else {
            query.extract::<u64>().map_err(|_| {
                PyTypeError::new_err("the query: expected a text (str), or a fingerprint (int from 0 to 2**64 - 1)")
            })?
        };
        let find = || -> Result<Table, Failure> {
            let (index, mut found) = (library.index(), Vec::new());
            for (document, distance) in index.near(fingerprint, k)? {
                found.push((distance, index.record(document)?.id));
            }
            found.sort();
            let rows: Vec<_> = found.into_iter().map(|(distance, id)| vec![Text(id), Count(distance.into())]).collect();
            Table::of(table::NEAR, &rows)
        };
        Ok(py.detach(find)?)
    }

    /// Writes the index anew without what was removed, and merges its segments.
    fn compact(&self, py: Python<'_>) -> PyResult<()> {
        let folder = self.folder()?;
        let turn = Turn::take(py, &folder)?;
        run(py, Watch::silent(), move |_| {
            let _turn = turn;
            Ok(IndexWriter::open(&folder)?.compact(&MergePolicy::default())?)
        })?;
        self.keep(None)
    }

    /// Reads every byte and checks it. Returns a row for each damage; none for a sound index.
    fn verify(&self, py: Python<'_>) -> PyResult<Table> {
        let folders = self.folders.clone();
        self.opened(py)?;
        run(py, Watch::silent(), move |_| {
            let mut table = TableBuilder::new(table::DAMAGES);
            for folder in &folders {
                index::Index::verify(folder)?.iter().for_each(|damage| table.push(&[Text(damage.to_string())]));
            }
            table.finish()
        })
    }

    /// Its folders.
    #[getter]
    fn paths(&self) -> Vec<&Path> {
        self.folders.iter().map(PathBuf::as_path).collect()
    }

    /// How its documents were made numbers; the threshold is the default one.
    #[getter]
    fn settings(&self, py: Python<'_>) -> PyResult<Settings> {
        Ok(Settings(Settings::for_index(None, self.library(py)?.settings())?))
    }

    /// Lets go of the files. Every later use raises `ValueError`.
    fn close(&self) {
        *self.state() = State::Closed;
        *self.temporary.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.close();
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.library(py)?.len())
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __contains__(&self, py: Python<'_>, id: &str) -> PyResult<bool> {
        let opened = self.opened(py)?;
        if let Some(ids) = opened.ids {
            return Ok(ids.contains(id));
        }
        let library = opened.library.clone();
        let ids = run(py, Watch::silent(), move |job| {
            let index = library.index();
            let id = |document| {
                job.check()?;
                Ok(index.record(document)?.id)
            };
            Ok(Arc::new(index.documents().map(id).collect::<Result<HashSet<String>, Failure>>()?))
        })?;
        let found = ids.contains(id);
        self.keep(Some(Opened { ids: Some(ids), ..opened }))?;
        Ok(found)
    }

    fn __repr__(&self) -> String {
        let paths: Vec<String> = self.folders.iter().map(|folder| folder.display().to_string()).collect();
        format!("<copytrace.Index in {}>", paths.join(", "))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let index = slf.get();
        if index.temporary.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
            return Err(PyValueError::new_err(
                "an index without a path cannot be pickled: expected one made by Index.create(path)",
            ));
        }
        let paths = index.folders.iter().map(std::path::absolute);
        let paths = PyTuple::new(slf.py(), paths.collect::<Result<Vec<_>, _>>()?)?;
        Ok((slf.get_type().getattr("open")?, paths))
    }
}
