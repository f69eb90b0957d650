//! Documents and settings.

use crate::errors::Failure;
use crate::work::{Pickled, Watch, run};
use copytrace::check::{Reason, Unread};
use copytrace::formats::input::{Inputs, ReadLimits};
use copytrace::settings::{Settings as OfLibrary, SketchSettings};
use copytrace::text::{self, Metadata};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::path::PathBuf;
use std::sync::Arc;

/// A text with its id and what is known of it.
///
/// Parameters
/// ----------
/// text : str
///     The text. Every offset in a result counts its characters, as Python does.
/// id : str, optional
///     What results call it.
/// title, author, date, collection : str, optional
///     What is known of it; the date by ISO 8601.
///
/// Examples
/// --------
/// >>> from copytrace import Document
/// >>> thesis = Document("The marsh rises.", id="thesis-7", author="A. Writer")
/// >>> thesis.id, thesis.author, len(thesis.text)
/// ('thesis-7', 'A. Writer', 16)
#[pyclass(module = "copytrace", frozen)]
pub struct Document(pub Arc<text::Document>);

#[pymethods]
impl Document {
    #[new]
    #[pyo3(signature = (text, *, id=None, title=None, author=None, date=None, collection=None))]
    fn new(
        text: &Bound<'_, PyAny>,
        id: Option<&Bound<'_, PyAny>>,
        title: Option<&Bound<'_, PyAny>>,
        author: Option<&Bound<'_, PyAny>>,
        date: Option<&Bound<'_, PyAny>>,
        collection: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let field = |name, value: Option<&Bound<'_, PyAny>>| value.map(|value| string(value, name)).transpose();
        let author = field("author", author)?;
        Ok(Document(Arc::new(text::Document {
            id: field("id", id)?.unwrap_or_default(),
            text: string(text, "text")?,
            vouched_author: author.clone(),
            metadata: Metadata {
                title: field("title", title)?,
                author,
                date: field("date", date)?,
                collection: field("collection", collection)?,
                ..Metadata::default()
            },
            ..text::Document::default()
        })))
    }

    /// Reads a file of any format that `copytrace` reads. Its id is the file's name.
    ///
    /// Parameters
    /// ----------
    /// path : path
    ///     The file.
    /// ocr : bool
    ///     Whether pages of a PDF file without a text layer are read, for which poppler and tesseract must be installed.
    ///
    /// Raises
    /// ------
    /// UnreadableError
    ///     When there is no such file, it holds no text, or more than one document.
    #[staticmethod]
    #[pyo3(signature = (path, *, ocr=false))]
    fn read(py: Python<'_>, path: PathBuf, ocr: bool) -> PyResult<Self> {
        let document = run(py, Watch::silent(), move |job| {
            let limits = ReadLimits { cancel: job.cancel.clone(), ..limits(ocr) };
            let name = path.display().to_string();
            let mut inputs = Inputs::open(&[path], limits.clone());
            let first = inputs.next().ok_or_else(|| Unread::new(&name, Reason::HoldsNone))?;
            if inputs.next().is_some() {
                return Err(Unread::new(&name, Reason::HoldsSeveral).into());
            }
            Ok(first.and_then(|raw| raw.extract(&limits)).map_err(Unread::from)?)
        })?;
        Ok(Document(Arc::new(document)))
    }

    /// What results call it.
    #[getter]
    fn id(&self) -> &str {
        &self.0.id
    }

    /// The text that offsets index.
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    /// The title, if it is known.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.0.metadata.title.as_deref()
    }

    /// The author, if known. What a file says of its own author is known here, but never excuses a copy.
    #[getter]
    fn author(&self) -> Option<&str> {
        self.0.metadata.author.as_deref()
    }

    /// The date, if it is known.
    #[getter]
    fn date(&self) -> Option<&str> {
        self.0.metadata.date.as_deref()
    }

    /// The collection that it belongs to, if it is known.
    #[getter]
    fn collection(&self) -> Option<&str> {
        self.0.metadata.collection.as_deref()
    }

    fn __repr__(&self) -> String {
        format!("<copytrace.Document {:?}, {} characters>", self.0.id, self.0.text.chars().count())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Document>().is_ok_and(|other| self.0 == other.get().0)
    }

    fn __hash__(&self) -> u64 {
        rapidhash::v3::rapidhash_v3(self.0.text.as_bytes())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py, (String,)>> {
        let json = serde_json::to_string(&*slf.get().0).map_err(Failure::from)?;
        Ok((slf.get_type().getattr("_restored")?, (json,)))
    }

    #[staticmethod]
    #[pyo3(name = "_restored")]
    fn of_pickle(json: &str) -> PyResult<Self> {
        Ok(Document(Arc::new(serde_json::from_str(json).map_err(Failure::from)?)))
    }
}

/// How much of a document is read, and whether by OCR.
pub fn limits(ocr: bool) -> ReadLimits {
    if ocr { ReadLimits::default().with_ocr() } else { ReadLimits::default() }
}

/// A string that may stand in a document.
pub fn string(value: &Bound<'_, PyAny>, name: &str) -> PyResult<String> {
    let Ok(string) = value.cast::<PyString>() else {
        let kind = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!("{name} is {kind}: expected str")));
    };
    string.to_str().map(str::to_owned).map_err(|_| {
        PyValueError::new_err(format!(
            "{name} holds a lone surrogate, which is no character: expected text that can be written as UTF-8"
        ))
    })
}

/// What decides when two documents are similar as wholes. What is not given is as in an index, or else the default.
///
/// Parameters
/// ----------
/// threshold : float
///     The Jaccard similarity of the shingle sets from which a pair counts, above 0 and at most 1.
/// shingle : str
///     What a shingle is: `units:K`, `chars:K` or `words:K`, K from 1 to 64; a unit is a Han character or a word of another script.
/// hashes : int
///     MinHash functions, 16 to 1024.
///
/// Examples
/// --------
/// >>> from copytrace import Settings
/// >>> Settings(threshold=0.5)
/// Settings(threshold=0.5, shingle='units:5', hashes=256)
/// >>> Settings(shingle="pages:2")
/// Traceback (most recent call last):
///     ...
/// ValueError: `pages:2` is no shingling; write units:K, chars:K or words:K with K from 1 to 64
#[pyclass(module = "copytrace", frozen, eq)]
#[derive(PartialEq)]
pub struct Settings(pub OfLibrary);

#[pymethods]
impl Settings {
    #[new]
    #[pyo3(signature = (*, threshold=0.7, shingle="units:5", hashes=256))]
    fn new(threshold: f64, shingle: &str, hashes: u32) -> PyResult<Self> {
        if !(threshold > 0.0 && threshold <= 1.0) {
            return Err(PyValueError::new_err(format!("threshold is {threshold}: expected above 0 and at most 1")));
        }
        if !(16..=1024).contains(&hashes) {
            return Err(PyValueError::new_err(format!("hashes is {hashes}: expected 16 to 1024")));
        }
        let shingling = shingle.parse().map_err(PyValueError::new_err)?;
        let sketch = SketchSettings::new(shingling, hashes, threshold);
        Ok(Settings(OfLibrary::default().with_sketch(sketch).with_threshold(threshold)))
    }

    /// The Jaccard similarity from which a pair counts.
    #[getter]
    fn threshold(&self) -> f64 {
        self.0.threshold
    }

    /// What a shingle is.
    #[getter]
    fn shingle(&self) -> String {
        self.0.sketch.shingling.to_string()
    }

    /// The number of MinHash functions.
    #[getter]
    fn hashes(&self) -> u32 {
        self.0.sketch.hashes
    }

    fn __repr__(&self) -> String {
        let (threshold, shingle, hashes) = (self.threshold(), self.shingle(), self.hashes());
        format!("Settings(threshold={threshold}, shingle='{shingle}', hashes={hashes})")
    }

    fn __hash__(&self) -> u64 {
        rapidhash::v3::rapidhash_v3(self.__repr__().as_bytes())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py, (f64, String, u32)>> {
        let settings = slf.get();
        let restore = slf.get_type().getattr("_restored")?;
        Ok((restore, (settings.threshold(), settings.shingle(), settings.hashes())))
    }

    #[staticmethod]
    #[pyo3(name = "_restored")]
    fn of_pickle(threshold: f64, shingle: &str, hashes: u32) -> PyResult<Self> {
        Settings::new(threshold, shingle, hashes)
    }
}

impl Settings {
    /// The settings asked for, or the default ones.
    pub fn or_default(settings: Option<&Bound<'_, Settings>>) -> OfLibrary {
        settings.map_or_else(OfLibrary::default, |settings| settings.get().0)
    }

    /// The settings for searching an index, which must not ask for another one.
    pub fn for_index(settings: Option<&Bound<'_, Settings>>, sketch: &SketchSettings) -> PyResult<OfLibrary> {
        let asked = settings.map(|settings| settings.get().0);
        if let Some(asked) = asked {
            let (ours, theirs) = (&asked.sketch, sketch);
            if (ours.shingling, ours.hashes) != (theirs.shingling, theirs.hashes) {
                return Err(PyValueError::new_err(format!(
                    "settings with shingle {} and {} hashes: expected {} and {}, as the index was made",
                    ours.shingling, ours.hashes, theirs.shingling, theirs.hashes
                )));
            }
        }
        Ok(asked.unwrap_or_default().with_sketch(*sketch))
    }
}
