//! What `copytrace.spark` does in its tasks: the parts of a check and of a search for pairs that a cluster puts together.

use crate::document::Settings;
use crate::errors::Failure;
use crate::report::Report;
use crate::stream;
use crate::table::{self, Table, TableBuilder};
use crate::texts::Texts;
use crate::work::{Watch, run};
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use copytrace::check::{CheckError, Checker, Findings, Itself, Library, Rules, Unread};
use copytrace::formats::input::{Inputs, RawDocument};
use copytrace::hamming::Batch;
use copytrace::job::Job;
use copytrace::report::rows::Cell::Count;
use copytrace::report::rows::Rows;
use copytrace::search::all_pairs::SimilarPair;
use copytrace::search::frequencies::Frequencies;
use copytrace::search::{DocumentSimilarity, ProfileView};
use copytrace::settings::Settings as OfLibrary;
use copytrace::sketch::shingle::Overlap;
use copytrace::sketch::signer::Signer;
use copytrace::text::Document;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use std::sync::Arc;

/// What a task tells of a document: its id, and bytes or the reason why there are none.
type Told<'py> = (String, Option<Bound<'py, PyBytes>>, Option<String>);

/// One folder of an index in many folders.
#[pyclass(module = "copytrace._native", frozen)]
pub struct Part(Checker);

#[pymethods]
impl Part {
    /// Opens the folder; `name` is what reports call the whole index.
    #[new]
    fn new(py: Python<'_>, folder: PathBuf, name: String, threshold: f64) -> PyResult<Self> {
        let library = py.detach(|| Library::open(&[folder])).map_err(Failure::from)?.named(name);
        let settings = OfLibrary::default().with_sketch(*library.settings()).with_threshold(threshold);
        Ok(Part(Checker::new(Arc::new(library), settings, Rules { itself: Itself::LeftOut, ..Rules::default() })))
    }

    /// Counts how many documents here hold each key of each text.
    fn count<'py>(&self, texts: &Bound<'py, PyAny>) -> PyResult<Vec<Told<'py>>> {
        let checker = self.0.clone();
        of_each(texts, move |document, _, job| Ok(json(&checker.frequencies(&document, job)?)))
    }

    /// Finds what each text shares with documents here; `frequencies`, one for each text, are those of all parts.
    fn find<'py>(&self, texts: &Bound<'py, PyAny>, frequencies: Vec<Vec<u8>>) -> PyResult<Vec<Told<'py>>> {
        let checker = self.0.clone();
        of_each(texts, move |document, place, job| {
            let of_all =
                frequencies.get(place).ok_or_else(|| Failure::Value("a text without frequencies".to_owned()))?;
            Ok(json(&checker.check_among(document, &serde_json::from_slice(of_all)?, job)?))
        })
    }
}

/// Makes something of each text, which is given with its place, by all threads; gives the reason for those of which nothing can be made.
fn of_each<'py>(
    texts: &Bound<'py, PyAny>,
    make: impl Fn(Document, usize, &Job) -> Result<Vec<u8>, Failure> + Send + Sync + 'static,
) -> PyResult<Vec<Told<'py>>> {
    let (py, texts) = (texts.py(), Texts::of(texts, "texts")?);
    let told = run(py, Watch::silent(), move |job| {
        let one = |(place, (id, document)): (usize, (String, Result<Document, Unread>))| {
            job.check()?;
            let made = match document.map(|document| make(document, place, job)) {
                Err(unread) => Err(unread.message()),
                Ok(Err(Failure::Check(nothing @ (CheckError::TooShort(_) | CheckError::NothingLeft)))) => {
                    Err(nothing.to_string())
                }
                Ok(made) => Ok(made?),
            };
            Ok((id, made))
        };
        documents(texts).into_par_iter().enumerate().map(one).collect::<Result<Vec<_>, Failure>>()
    })?;
    let tell = |(id, made): (String, Result<Vec<u8>, String>)| match made {
        Ok(bytes) => (id, Some(PyBytes::new(py, &bytes)), None),
        Err(reason) => (id, None, Some(reason)),
    };
    Ok(told.into_iter().map(tell).collect())
}

fn json(value: &impl serde::Serialize) -> Vec<u8> {
    // All of it can be written as JSON: texts, numbers and lists.
    serde_json::to_vec(value).unwrap_or_default()
}

/// The documents of rows, in their order, with the ids that they have or would have had.
fn documents(texts: Texts) -> Vec<(String, Result<Document, Unread>)> {
    let limits = Default::default();
    let read = |read: Result<RawDocument, _>| match read.and_then(|raw: RawDocument| raw.extract(&limits)) {
        Ok(document) => (document.id.clone(), Ok(document)),
        Err(error) => (error.id().to_owned(), Err(Unread::from(error))),
    };
    Inputs::new(texts.inputs, limits.clone()).map(read).collect()
}

/// The sum of what several parts counted for one text.
#[pyfunction]
pub fn count_keys<'py>(py: Python<'py>, counted: Vec<Vec<u8>>) -> PyResult<Bound<'py, PyBytes>> {
    let mut sum = Frequencies::default();
    for counted in counted {
        sum.add(&serde_json::from_slice(&counted).map_err(Failure::from)?);
    }
    Ok(PyBytes::new(py, &json(&sum)))
}

/// The report on what several parts found for one text, in the order of the parts.
#[pyfunction]
pub fn merge_findings(found: Vec<Vec<u8>>) -> PyResult<Report> {
    let mut merged: Option<Findings> = None;
    for found in found {
        let found: Findings = serde_json::from_slice(&found).map_err(Failure::from)?;
        merged = Some(match merged {
            None => found,
            Some(merged) => merged.merge(found).map_err(|error| PyValueError::new_err(error.to_string()))?,
        });
    }
    let merged = merged.ok_or_else(|| PyValueError::new_err("nothing was found: expected at least one part"))?;
    Ok(Report::new(Ok(Arc::new(merged.report()))))
}

/// What is needed of a text to find its near-duplicates: id, SHA-256 of the normalised text, the keys of its bands, shingles
/// and signature (numbers of 32 bits, little-endian) and the fingerprint; or id and the reason why there is nothing.
type Profiled<'py> = (String, Option<[Bound<'py, PyBytes>; 4]>, i64, Option<String>);

/// Profiles texts for `similar`.
#[pyfunction]
pub fn band_keys<'py>(
    py: Python<'py>,
    texts: &Bound<'py, PyAny>,
    settings: Option<&Bound<'py, Settings>>,
) -> PyResult<Vec<Profiled<'py>>> {
    let (texts, settings) = (Texts::of(texts, "texts")?, Settings::or_default(settings));
    let made = run(py, Watch::silent(), move |job| {
        let sketch = settings.sketch;
        let make = |signer: &mut Signer, (id, document): (String, Result<Document, Unread>)| {
            job.check()?;
            let profiled = document.map_err(|unread| unread.message()).and_then(|document| {
                let mut keys = vec![0; sketch.banding.bands as usize];
                if signer.sign(&document.text, &mut keys).is_none() {
                    return Err(format!("too short: the text has not one shingle ({})", sketch.shingling));
                }
                let (normalised, profile) = signer.profile(&document.text);
                let content = Sha256::digest(normalised.as_bytes()).to_vec();
                let parts = [content, bytes(&keys), bytes(profile.shingles.as_slice()), bytes(&profile.signature)];
                Ok((parts, profile.fingerprint))
            });
            Ok((id, profiled))
        };
        let documents = documents(texts);
        documents.into_par_iter().map_init(|| Signer::new(&sketch), make).collect::<Result<Vec<_>, Failure>>()
    })?;
    type Made = Result<([Vec<u8>; 4], u64), String>;
    let tell = |(id, profiled): (String, Made)| match profiled {
        Ok((parts, fingerprint)) => (id, Some(parts.map(|part| PyBytes::new(py, &part))), fingerprint as i64, None),
        Err(reason) => (id, None, 0, Some(reason)),
    };
    Ok(made.into_iter().map(tell).collect())
}

fn bytes(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|&number| u32::from_le_bytes(number)).collect()
}

/// A document in a bucket.
struct Member<'a> {
    /// What tells the bucket, and the piece of it, from others.
    bucket: [i64; 4],
    /// The piece of a bucket that the document belongs to.
    block: i64,
    id: &'a str,
    keys: Vec<u32>,
    shingles: Vec<u32>,
    signature: Vec<u32>,
    fingerprint: u64,
}

impl Member<'_> {
    fn view(&self) -> ProfileView<'_> {
        ProfileView { shingles: &self.shingles, signature: &self.signature, fingerprint: self.fingerprint }
    }
}

/// The similar pairs among documents of the same buckets, verified exactly. The rows of a bucket stand together: `band`, `key`, `i` and
/// `j` tell which it is (blocks i and j of a bucket that was cut), `block` the row's own block, then `id`, `keys`, `shingles`,
/// `signature` and `fingerprint`. A pair that shares several buckets is verified in that of the first band alone.
#[pyfunction]
pub fn similar(py: Python<'_>, rows: &Bound<'_, PyAny>, settings: Option<&Bound<'_, Settings>>) -> PyResult<Table> {
    let settings = Settings::or_default(settings);
    let batches = stream::batches(rows)?.ok_or_else(|| PyTypeError::new_err("expected a table"))?;
    run(py, Watch::silent(), move |job| {
        let mut members = Vec::new();
        for batch in &batches {
            read_members(batch, &mut members)?;
        }
        let buckets: Vec<&[Member]> = members.chunk_by(|a, b| a.bucket == b.bucket).collect();
        let work: Vec<(&[Member], usize)> =
            buckets.iter().flat_map(|bucket| (0..bucket.len()).map(|at| (*bucket, at))).collect();
        let verify =
            |&(bucket, at): &(&[Member], usize)| -> Result<Vec<(String, String, DocumentSimilarity)>, Failure> {
                job.check()?;
                let (a, [band, _, i, j]) = (&bucket[at], bucket[at].bucket);
                let (mut found, band) = (Vec::new(), band as usize);
                for b in &bucket[at + 1..] {
                    // In a piece of two blocks only pairs across them count.
                    if (i != j && a.block == b.block) || a.id == b.id {
                        continue;
                    }
                    if a.keys.iter().zip(&b.keys).take(band).any(|(a, b)| a == b) {
                        continue;
                    }
                    let (first, second) = if a.id < b.id { (a, b) } else { (b, a) };
                    if let Some(overlap) = Overlap::at_least(&first.shingles, &second.shingles, settings.threshold) {
                        let similarity = DocumentSimilarity::of_views(first.view(), second.view(), overlap, &settings);
                        found.push((first.id.to_owned(), second.id.to_owned(), similarity));
                    }
                }
                Ok(found)
            };
        let found: Vec<Vec<_>> = work.par_iter().map(verify).collect::<Result<_, _>>()?;
        let mut table = TableBuilder::new(table::PAIRS);
        for (first, second, similarity) in found.iter().flatten() {
            table.push(&Rows::pair(&SimilarPair { first, second, similarity: *similarity }));
        }
        table.finish()
    })
}

fn read_members<'a>(batch: &'a RecordBatch, members: &mut Vec<Member<'a>>) -> Result<(), Failure> {
    let wrong = |name: &str, expected: &str| Failure::Value(format!("the column `{name}`: expected {expected}"));
    let column = |name: &str| {
        batch.column_by_name(name).ok_or_else(|| Failure::Value(format!("the table has no column `{name}`")))
    };
    let integers =
        |name: &str| column(name)?.as_primitive_opt::<Int64Type>().ok_or_else(|| wrong(name, "64-bit integers"));
    let binary = |name: &str| column(name)?.as_binary_opt::<i32>().ok_or_else(|| wrong(name, "bytes"));
    let ids = column("id")?.as_string_opt::<i32>().ok_or_else(|| wrong("id", "strings"))?;
    let (band, key, i, j) = (integers("band")?, integers("key")?, integers("i")?, integers("j")?);
    let (block, fingerprint) = (integers("block")?, integers("fingerprint")?);
    let (keys, shingles, signature) = (binary("keys")?, binary("shingles")?, binary("signature")?);
    for row in 0..batch.num_rows() {
        members.push(Member {
            bucket: [band.value(row), key.value(row), i.value(row), j.value(row)],
            block: block.value(row),
            id: ids.value(row),
            keys: numbers(keys.value(row)),
            shingles: numbers(shingles.value(row)),
            signature: numbers(signature.value(row)),
            fingerprint: fingerprint.value(row) as u64,
        });
    }
    Ok(())
}

/// Queries as tables that any number of stored fingerprints stream past.
#[pyclass(module = "copytrace._native", frozen)]
pub struct QueryTables(Arc<Batch>);

#[pymethods]
impl QueryTables {
    /// Builds the tables of an array of 64-bit numbers for up to `k` bits.
    #[new]
    fn new(py: Python<'_>, queries: PyBuffer<u64>, k: u8) -> PyResult<Self> {
        let queries = queries.to_vec(py)?;
        Ok(QueryTables(Arc::new(py.detach(|| Batch::new(&queries, k)).map_err(Failure::from)?)))
    }

    /// The pairs of a query and a stored fingerprint within the distance, by their positions.
    fn meet(&self, py: Python<'_>, stored: PyBuffer<u64>) -> PyResult<Table> {
        let (stored, batch) = (stored.to_vec(py)?, self.0.clone());
        run(py, Watch::silent(), move |_| {
            let mut table = TableBuilder::new(table::NEAR_PAIRS);
            for meeting in batch.meet(&stored) {
                for &query in batch.rows(meeting.distinct) {
                    table.push(&[Count(query.into()), Count(meeting.position.into()), Count(meeting.distance.into())]);
                }
            }
            table.finish()
        })
    }
}

/// The row of a submission that was not checked, as reports have it.
#[pyfunction]
pub fn failed(id: &str, reason: &str) -> Report {
    Report::new(Err(Unread::new(id, reason)))
}
