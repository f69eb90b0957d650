//! Signatures and fingerprints of texts.

use crate::arrays::array;
use crate::document::Settings;
use crate::errors::Failure;
use crate::limits::read_limits;
use crate::reports::warn_of_rows;
use crate::table::{self, Table, TableBuilder};
use crate::texts::Texts;
use crate::work::{Watch, run, threads_of};
use copytrace::check::Unread;
use copytrace::formats::input::{Batches, Inputs};
use copytrace::hamming::fingerprints::Features;
use copytrace::hamming::{Batch, Engine};
use copytrace::job::{Cancelled, Stage};
use copytrace::report::rows::Cell::Count;
use copytrace::sketch::fingerprinter::Fingerprinter;
use copytrace::sketch::signer::Signer;
use copytrace::text::Document;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use rayon::prelude::*;

/// Makes little-endian numbers of every text, by all threads, and gives those of all in order. A text that cannot be read or used has
/// the numbers `missing`, and a warning tells of it. Each thread has a tool of its own.
fn numbers_of_texts<'py, W: Send>(
    texts: &Bound<'py, PyAny>,
    mut watch: Watch<'py>,
    missing: Vec<u8>,
    tool: impl Fn() -> W + Sync + Send + 'static,
    make: impl Fn(&mut W, &Document) -> Result<Vec<u8>, &'static str> + Sync + Send + 'static,
) -> PyResult<Bound<'py, PyBytes>> {
    let (py, texts) = (texts.py(), Texts::of(texts, "texts")?);
    texts.require_some()?;
    watch.total = texts.total;
    let (bytes, unread) = run(py, watch, move |job| {
        let (mut bytes, mut unread, mut rows) = (Vec::<u8>::new(), Vec::new(), 0);
        let work = |tool: &mut W, read: Result<Document, _>| {
            job.check()?;
            let make = |document: Document| make(tool, &document).map_err(|reason| Unread::new(&document.id, reason));
            Ok(read.map_err(Unread::from).and_then(make))
        };
        let mut batches = Batches::new(Inputs::new(texts.inputs, read_limits(job)), job);
        while let Some(batch) = batches.next_batch()? {
            let made: Vec<Result<Vec<u8>, Unread>> =
                batch.into_par_iter().map_init(&tool, work).collect::<Result<_, Cancelled>>()?;
            job.advance(Stage::Reading, made.len() as u64);
            for made in made {
                let numbers = made.unwrap_or_else(|reason| {
                    unread.push((rows, reason.to_string()));
                    missing.clone()
                });
                bytes.extend(numbers);
                rows += 1;
            }
        }
        Ok((bytes, unread))
    })?;
    warn_of_rows(py, "", &unread)?;
    Ok(PyBytes::new(py, &bytes))
}

/// The MinHash signatures of texts: a NumPy array of 32-bit numbers of the shape (documents, `settings.hashes`).
///
/// The share of equal numbers in two rows estimates the Jaccard similarity of their shingle sets.
///
/// Parameters
/// ----------
/// texts : path, Document, list of these, or table
///     A path (file or folder), a `Document`, a list of these, or a table of any Arrow library with the columns `id` and `text`,
///     perhaps also `title`, `author`, `date` and `collection`, which is read where it lies.
/// settings : Settings, optional
///     What a shingle is, and how many numbers a row has.
/// threads : int, optional
///     As many as there are processors, unless told.
/// progress : bool or callable, optional
///     `True` shows a bar, `False` none; a callable is told the documents done, how many there are (`None` where that is not known)
///     and what they are.
///
/// Returns
/// -------
/// numpy.ndarray
///     Of uint32. The row of a text that cannot be read or has no shingle is all ones (4294967295), which resembles nothing.
///
/// Warns
/// -----
/// UnreadableWarning
///     When there is such a row.
///
/// Examples
/// --------
/// >>> import copytrace
/// >>> copytrace.signatures([copytrace.Document("one two three four five six")]).shape
/// (1, 256)
#[pyfunction]
#[pyo3(signature = (texts, settings=None, *, threads=None, progress=None))]
pub fn signatures<'py>(
    texts: &Bound<'py, PyAny>,
    settings: Option<&Bound<'py, Settings>>,
    #[pyo3(from_py_with = threads_of)] threads: Option<std::num::NonZero<usize>>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let settings = Settings::or_default(settings);
    let hashes = settings.sketch.hashes as usize;
    let watch = Watch { progress, counts: "texts signed", total: None, threads };
    let sign = |signer: &mut Signer, document: &Document| match signer.signature(&document.visible()) {
        Some(signature) => Ok(signature.iter().flat_map(|value| value.to_le_bytes()).collect()),
        None => Err("too short: the text has not one shingle"),
    };
    let signed =
        numbers_of_texts(texts, watch, vec![u8::MAX; 4 * hashes], move || Signer::new(&settings.sketch), sign)?;
    array(&signed, "<u4")?.call_method1("reshape", (-1, hashes))
}

/// The SimHash fingerprints of texts (Charikar 2002): a NumPy array of 64-bit numbers, one for each text.
///
/// Similar texts differ in few of the 64 bits.
///
/// Parameters
/// ----------
/// texts : path, Document, list of these, or table
///     A path (file or folder), a `Document`, a list of these, or a table of any Arrow library with the columns `id` and `text`,
///     perhaps also `title`, `author`, `date` and `collection`, which is read where it lies.
/// features : str
///     `terms`, which an index uses, `chars:K`, `words` or `keywords:K`.
/// threads : int, optional
///     As many as there are processors, unless told.
/// progress : bool or callable, optional
///     `True` shows a bar, `False` none; a callable is told the documents done, how many there are (`None` where that is not known)
///     and what they are.
///
/// Returns
/// -------
/// numpy.ndarray
///     Of uint64. A text that cannot be read or has no features has the fingerprint 0, which is near to nothing.
///
/// Warns
/// -----
/// UnreadableWarning
///     When there is such a text; it names the row.
///
/// Examples
/// --------
/// >>> import copytrace
/// >>> texts = [copytrace.Document("the marsh rises with the sea"), copytrace.Document("The marsh rises with the sea.")]
/// >>> a, b = copytrace.simhash(texts)
/// >>> int(a ^ b).bit_count()
/// 0
#[pyfunction]
#[pyo3(signature = (texts, features="terms", *, threads=None, progress=None))]
pub fn simhash<'py>(
    texts: &Bound<'py, PyAny>,
    features: &str,
    #[pyo3(from_py_with = threads_of)] threads: Option<std::num::NonZero<usize>>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let features: Features = features.parse().map_err(PyValueError::new_err)?;
    let watch = Watch { progress, counts: "texts fingerprinted", total: None, threads };
    let make = |fingerprinter: &mut Fingerprinter, document: &Document| match fingerprinter.of_text(&document.text) {
        Some(fingerprint) => Ok(fingerprint.to_le_bytes().to_vec()),
        None => Err("no features: nothing to be compared"),
    };
    array(&numbers_of_texts(texts, watch, vec![0; 8], move || Fingerprinter::new(features), make)?, "<u8")
}

/// The fingerprints in an array, a column of a data frame or a sequence.
fn words(given: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<u64>> {
    const EXPECTED: &str = "expected an array or column of uint64, or a sequence of whole numbers from 0 to 2**64 - 1";
    let column = given.getattr("to_numpy").and_then(|method| method.call0()).unwrap_or_else(|_| given.clone());
    let wrong = |what: String| PyTypeError::new_err(format!("{what}: {EXPECTED}"));
    if let Ok(array) = PyBuffer::<u64>::get(&column) {
        return match array.dimensions() {
            1 => array.to_vec(given.py()),
            more => Err(wrong(format!("{name} has {more} dimensions"))),
        };
    }
    let is_text = given.is_instance_of::<PyString>() || given.is_instance_of::<PyBytes>();
    let Some(items) = given.try_iter().ok().filter(|_| !is_text) else {
        return Err(wrong(format!("{name} is {}", given.get_type().name()?)));
    };
    let word = |(row, item): (usize, PyResult<Bound<'_, PyAny>>)| {
        let item = item?;
        item.extract().map_err(|_| match item.repr() {
            Ok(shown) => wrong(format!("{name}[{row}] is {shown}")),
            Err(error) => error,
        })
    };
    items.enumerate().map(word).collect()
}

/// How many bits fingerprints may differ in.
pub fn bits(k: &Bound<'_, PyAny>) -> PyResult<u8> {
    k.extract().ok().filter(|bits| *bits <= Engine::MAX_DISTANCE).map_or_else(
        || Err(PyValueError::new_err(format!("k is {}: expected a whole number of bits from 0 to 7", k.repr()?))),
        Ok,
    )
}

/// The pairs of a query and a stored fingerprint that differ in at most `k` bits. All are compared (Manku, Jain and Das Sarma 2007), none
/// is sampled.
///
/// Parameters
/// ----------
/// stored, queries : array, column or sequence
///     64-bit numbers, from 0 to 2**64 - 1. The fingerprint 0 is that of a text without features, and matches nothing.
/// k : int
///     Bits, 0 to 7.
///
/// Returns
/// -------
/// Table
///     `query` and `match`, the positions in the two arrays, from 0, and `hamming`, the bits; ordered by both positions.
///
/// Warns
/// -----
/// UnreadableWarning
///     When a fingerprint is 0; it names the rows.
///
/// Examples
/// --------
/// >>> import numpy, copytrace
/// >>> stored = numpy.array([0b1111, 1 << 40], dtype=numpy.uint64)
/// >>> copytrace.near(stored, numpy.array([0b1011], dtype=numpy.uint64)).to_pylist()
/// [{'query': 0, 'match': 0, 'hamming': 1}]
#[pyfunction]
#[pyo3(signature = (stored, queries, k=3))]
pub fn near(
    py: Python<'_>,
    stored: &Bound<'_, PyAny>,
    queries: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = bits)] k: u8,
) -> PyResult<Table> {
    let (stored, queries) = (words(stored, "stored")?, words(queries, "queries")?);
    for (name, words) in [("stored, ", &stored), ("queries, ", &queries)] {
        let zeros = words.iter().enumerate().filter(|(_, word)| **word == 0);
        let reason = |(row, _)| (row, "the fingerprint 0, of a text without features, matches nothing".to_owned());
        warn_of_rows(py, name, &zeros.map(reason).collect::<Vec<_>>())?;
    }
    run(py, Watch::silent(), move |_| {
        let mut found: Vec<(u64, u64, u8)> = Vec::new();
        // The smaller side becomes the tables, and the larger one streams past them.
        let stream = |tables: &[u64], passing: &[u64], sink: &mut dyn FnMut(u64, u64, u8)| -> Result<(), Failure> {
            let batch = Batch::new(tables, k)?;
            for meeting in batch.meet(passing) {
                let rows = batch.rows(meeting.distinct);
                rows.iter().for_each(|&row| sink(row.into(), meeting.position.into(), meeting.distance));
            }
            Ok(())
        };
        if queries.len() <= stored.len() {
            stream(&queries, &stored, &mut |query, place, distance| found.push((query, place, distance)))?;
        } else {
            stream(&stored, &queries, &mut |place, query, distance| found.push((query, place, distance)))?;
        }
        found.par_sort_unstable();
        let mut table = TableBuilder::new(table::NEAR_PAIRS);
        for (query, place, distance) in found {
            table.push(&[Count(query), Count(place), Count(distance.into())]);
        }
        table.finish()
    })
}
