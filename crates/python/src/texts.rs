//! Texts as Python has them: paths, documents, and the rows of data frames.

use crate::document::Document;
use crate::errors::UnreadableError;
use crate::stream;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;
use copytrace::formats::input::{Input, Rows};
use copytrace::text::{self, Metadata};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Arc;

/// What can be read, and what reports call it.
pub struct Texts {
    pub inputs: Vec<Input>,
    /// The paths, as far as there are any.
    paths: Vec<PathBuf>,
    /// How many documents they are; not known of paths before they are read.
    pub total: Option<u64>,
}

const EXPECTED: &str =
    "expected a path, a Document, a list of these, or a table with the columns id and text (strings)";

impl Texts {
    /// What an argument called `name` stands for.
    ///
    /// # Errors
    /// When it is something else than texts, or a table without the columns.
    pub fn of(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let mut texts = Texts { inputs: Vec::new(), paths: Vec::new(), total: Some(0) };
        if texts.add(object)? {
            return Ok(texts);
        }
        if let Some(batches) = stream::batches(object)? {
            let rows = FrameRows::new(batches, name)?;
            texts.total = Some(rows.len() as u64);
            texts.inputs.push(Input::rows(Arc::new(rows)));
            return Ok(texts);
        }
        let wrong = |what: String, object: &Bound<'_, PyAny>| -> PyResult<PyErr> {
            let advice = advice(object, &what);
            Ok(PyTypeError::new_err(format!("{what} is {}: {EXPECTED}{advice}", object.get_type().name()?)))
        };
        let items = object.try_iter().ok().filter(|_| advice(object, name).is_empty());
        let Some(items) = items else { return Err(wrong(name.to_owned(), object)?) };
        for (number, item) in items.enumerate() {
            let item = item?;
            if !texts.add(&item)? {
                return Err(wrong(format!("{name}[{number}]"), &item)?);
            }
        }
        Ok(texts)
    }

    /// Refuses strings of which none is a path to something: they are texts, or misspelt.
    pub fn require_some(&self) -> PyResult<()> {
        /// Characters that tell which string is meant.
        const SHOWN: usize = 80;
        let Some(first) = self.paths.first() else { return Ok(()) };
        if self.paths.len() < self.inputs.len() || self.paths.iter().any(|path| path.exists()) {
            return Ok(());
        }
        let name: String = first.display().to_string().chars().take(SHOWN).collect();
        let reason = "no such file or folder; a text is given as copytrace.Document(text)";
        Err(UnreadableError::new_err((name, reason)))
    }

    /// Adds a path or a document.
    fn add(&mut self, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        if let Ok(document) = object.cast::<Document>() {
            self.inputs.push(Input::rows(Arc::new(OneRow(document.get().0.clone()))));
            self.total = self.total.map(|total| total + 1);
        } else if let Ok(path) = object.extract::<PathBuf>() {
            self.total = None;
            self.paths.push(path.clone());
            self.inputs.push(Input::path(path));
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// What reports call them, where they came from paths.
    pub fn name(&self) -> Option<String> {
        (!self.paths.is_empty() && self.paths.len() == self.inputs.len())
            .then(|| self.paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", "))
    }
}

/// How to give what looks like texts but is not, if it does.
fn advice(object: &Bound<'_, PyAny>, name: &str) -> String {
    let has = |attribute: &str| object.hasattr(attribute).unwrap_or(false);
    if object.is_instance_of::<PyDict>() {
        format!("; for texts by id: [copytrace.Document(text, id=id) for id, text in {name}.items()]")
    } else if has("collect_schema") {
        format!("; a lazy one is collected first: {name}.collect()")
    } else if has("to_frame") {
        "; a column of texts needs one of ids beside it".to_owned()
    } else {
        String::new()
    }
}

/// A document that Python holds.
struct OneRow(Arc<text::Document>);

impl Rows for OneRow {
    fn len(&self) -> usize {
        1
    }

    fn id(&self, _: usize) -> String {
        self.0.id.clone()
    }

    fn bytes(&self, _: usize) -> u64 {
        self.0.text.len() as u64
    }

    fn document(&self, _: usize) -> Result<text::Document, String> {
        Ok((*self.0).clone())
    }
}

/// The rows of a data frame, in its own memory.
pub struct FrameRows {
    batches: Vec<FrameBatch>,
    rows: usize,
}

struct FrameBatch {
    /// The number of its first row.
    first: usize,
    id: ArrayRef,
    text: ArrayRef,
    /// Title, author, date, collection.
    known: [Option<ArrayRef>; 4],
}

const KNOWN: [&str; 4] = ["title", "author", "date", "collection"];

impl FrameRows {
    fn new(batches: Vec<RecordBatch>, name: &str) -> PyResult<Self> {
        let (mut rows, mut kept) = (0, Vec::with_capacity(batches.len()));
        for batch in batches {
            let column = |column: &str| {
                batch.column_by_name(column).cloned().ok_or_else(|| {
                    let schema = batch.schema();
                    let there: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
                    PyValueError::new_err(format!(
                        "{name} has no column `{column}`, but {there:?}: expected the columns id and text"
                    ))
                })
            };
            let strings = |name_of_column: &str, array: ArrayRef| match array.data_type() {
                DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => Ok(array),
                other => Err(PyTypeError::new_err(format!(
                    "the column `{name_of_column}` of {name} holds {other}: expected strings"
                ))),
            };
            let id = column("id")?;
            let id = if is_integer(id.data_type()) { id } else { strings("id", id)? };
            let text = strings("text", column("text")?)?;
            let optional = |known: &str| batch.column_by_name(known).cloned().map(|array| strings(known, array));
            let [title, author, date, collection] = KNOWN.map(optional);
            let known = [title.transpose()?, author.transpose()?, date.transpose()?, collection.transpose()?];
            kept.push(FrameBatch { first: rows, id, text, known });
            rows += batch.num_rows();
        }
        Ok(FrameRows { batches: kept, rows })
    }

    fn at(&self, row: usize) -> (&FrameBatch, usize) {
        let batch = &self.batches[self.batches.partition_point(|batch| batch.first <= row) - 1];
        (batch, row - batch.first)
    }
}

fn is_integer(kind: &DataType) -> bool {
    matches!(kind, DataType::Int32 | DataType::Int64 | DataType::UInt32 | DataType::UInt64)
}

/// A cell of a column of strings; none where it is null.
fn cell(array: &ArrayRef, row: usize) -> Option<&str> {
    if array.is_null(row) {
        return None;
    }
    match array.data_type() {
        DataType::Utf8 => Some(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => Some(array.as_string::<i64>().value(row)),
        DataType::Utf8View => Some(array.as_string_view().value(row)),
        _ => None,
    }
}

/// A cell of the column of ids, as JSON lines have them: strings that are not empty, or whole numbers.
fn id(array: &ArrayRef, row: usize) -> Option<String> {
    match array.data_type() {
        kind if is_integer(kind) && array.is_null(row) => None,
        DataType::Int32 => Some(array.as_primitive::<Int32Type>().value(row).to_string()),
        DataType::Int64 => Some(array.as_primitive::<Int64Type>().value(row).to_string()),
        DataType::UInt32 => Some(array.as_primitive::<UInt32Type>().value(row).to_string()),
        DataType::UInt64 => Some(array.as_primitive::<UInt64Type>().value(row).to_string()),
        _ => cell(array, row).filter(|id| !id.is_empty()).map(str::to_owned),
    }
}

impl Rows for FrameRows {
    fn len(&self) -> usize {
        self.rows
    }

    fn id(&self, row: usize) -> String {
        let (batch, local) = self.at(row);
        id(&batch.id, local).unwrap_or_else(|| format!("row {row}"))
    }

    fn bytes(&self, row: usize) -> u64 {
        let (batch, local) = self.at(row);
        cell(&batch.text, local).map_or(0, str::len) as u64
    }

    fn document(&self, row: usize) -> Result<text::Document, String> {
        let (batch, local) = self.at(row);
        let id = id(&batch.id, local).ok_or("its id is null or empty")?;
        let text = cell(&batch.text, local).ok_or("its text is null")?.to_owned();
        let known =
            |column: usize| batch.known[column].as_ref().and_then(|array| cell(array, local)).map(str::to_owned);
        let metadata =
            Metadata { title: known(0), author: known(1), date: known(2), collection: known(3), ..Metadata::default() };
        Ok(text::Document { id, text, vouched_author: metadata.author.clone(), metadata, ..text::Document::default() })
    }
}
