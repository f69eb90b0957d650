//! Tables of results.

use crate::errors::Failure;
use crate::stream;
use crate::work::{Pickled, Watch, run};
use arrow_array::builder::{BooleanBuilder, Float64Builder, LargeStringBuilder, UInt64Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{DataType, Field, Schema};
use copytrace::report::rows::{Cell, Rows};
use copytrace::report::tables::Table as CsvTable;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PySlice};
use std::path::PathBuf;
use std::sync::Arc;

/// A kind of table: its columns, as in the CSV file, and a letter for what each holds: **t**ext, **c**ount, **r**atio with four
/// decimals, **s**imilarity with six, **b**oolean.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    pub columns: &'static str,
    pub kinds: &'static str,
}

/// A table, its columns named as in the CSV file of the same content.
///
/// Any library that knows Arrow reads it without copying: `polars.DataFrame(table)`, `pyarrow.table(table)`,
/// `pandas.DataFrame(table)`; `to_polars`, `to_arrow` and `to_pandas` do so. `table["jaccard"]` is a column, `table[0]` a row,
/// `table[:10]` a table of ten rows. Texts are strings, numbers of things unsigned 64-bit integers, ratios and
/// similarities floats from 0 to 1. Offsets count characters and index a `str`.
///
/// Examples
/// --------
/// >>> import copytrace
/// >>> table = copytrace.pairs([copytrace.Document("one two three four five six", id="a"),
/// ...                          copytrace.Document("One, two, three, four, five, six!", id="b")])
/// >>> len(table), table.columns[:2]
/// (1, ['first', 'second'])
/// >>> table.to_pylist()[0]["jaccard"]
/// 1.0
#[pyclass(module = "copytrace", frozen, subclass)]
pub struct Table {
    form: Form,
    batch: RecordBatch,
}

/// Builds a table row by row, in columns.
pub struct TableBuilder {
    form: Form,
    columns: Vec<Column>,
    rows: usize,
}

enum Column {
    Text(LargeStringBuilder),
    Count(UInt64Builder),
    Real(Float64Builder),
    Truth(BooleanBuilder),
}

impl TableBuilder {
    pub fn new(form: Form) -> Self {
        let column = |kind| match kind {
            't' => Column::Text(LargeStringBuilder::new()),
            'c' => Column::Count(UInt64Builder::new()),
            'b' => Column::Truth(BooleanBuilder::new()),
            _ => Column::Real(Float64Builder::new()),
        };
        TableBuilder { form, columns: form.kinds.chars().map(column).collect(), rows: 0 }
    }

    /// Appends a row, whose cells are of the form's kinds.
    pub fn push(&mut self, row: &[Cell]) {
        self.rows += 1;
        for (column, cell) in self.columns.iter_mut().zip(row) {
            match (column, cell) {
                (Column::Count(counts), Cell::Count(count)) => counts.append_value(*count),
                (Column::Real(reals), Cell::Share(real) | Cell::Similarity(real)) => reals.append_value(*real),
                (Column::Truth(truths), Cell::Truth(truth)) => truths.append_value(*truth),
                (Column::Text(texts), cell) => texts.append_option(cell.text()),
                (Column::Count(counts), _) => counts.append_null(),
                (Column::Real(reals), _) => reals.append_null(),
                (Column::Truth(truths), _) => truths.append_null(),
            }
        }
    }

    pub fn finish(mut self) -> Result<Table, Failure> {
        let arrays: Vec<ArrayRef> = self
            .columns
            .iter_mut()
            .map(|column| -> ArrayRef {
                match column {
                    Column::Text(texts) => Arc::new(texts.finish()),
                    Column::Count(counts) => Arc::new(counts.finish()),
                    Column::Real(reals) => Arc::new(reals.finish()),
                    Column::Truth(truths) => Arc::new(truths.finish()),
                }
            })
            .collect();
        let names = self.form.columns.split(',');
        let field = |(name, array): (&str, &ArrayRef)| Field::new(name, array.data_type().clone(), true);
        let schema = Schema::new(names.zip(&arrays).map(field).collect::<Vec<_>>());
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        let batch = RecordBatch::try_new_with_options(Arc::new(schema), arrays, &options);
        let batch = batch.map_err(|error| Failure::Fault(error.to_string()))?;
        Ok(Table { form: self.form, batch })
    }
}

impl Table {
    /// A table of rows.
    pub fn of<'a>(form: Form, rows: impl IntoIterator<Item = &'a Vec<Cell>>) -> Result<Table, Failure> {
        let mut builder = TableBuilder::new(form);
        rows.into_iter().for_each(|row| builder.push(row));
        builder.finish()
    }

    /// The texts of a column.
    pub fn texts(&self, column: usize) -> impl Iterator<Item = &str> {
        self.batch.column(column).as_string::<i64>().iter().map(Option::unwrap_or_default)
    }

    fn cell(&self, column: usize, kind: char, row: usize) -> Cell {
        let array = self.batch.column(column);
        if array.is_null(row) {
            return Cell::Nothing;
        }
        match kind {
            't' => Cell::Text(array.as_string::<i64>().value(row).to_owned()),
            'c' => Cell::Count(array.as_primitive::<UInt64Type>().value(row)),
            'b' => Cell::Truth(array.as_boolean().value(row)),
            's' => Cell::Similarity(array.as_primitive::<Float64Type>().value(row)),
            _ => Cell::Share(array.as_primitive::<Float64Type>().value(row)),
        }
    }

    fn value<'py>(&self, py: Python<'py>, column: usize, row: usize) -> PyResult<Bound<'py, PyAny>> {
        let array = self.batch.column(column);
        if array.is_null(row) {
            return Ok(py.None().into_bound(py));
        }
        Ok(match array.data_type() {
            DataType::LargeUtf8 => array.as_string::<i64>().value(row).into_pyobject(py)?.into_any(),
            DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row).into_pyobject(py)?.into_any(),
            DataType::Boolean => array.as_boolean().value(row).into_pyobject(py)?.to_owned().into_any(),
            _ => array.as_primitive::<Float64Type>().value(row).into_pyobject(py)?.into_any(),
        })
    }

    fn dicts<'py>(&self, py: Python<'py>, rows: usize) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for row in 0..rows {
            list.append(self.dict(py, row)?)?;
        }
        Ok(list)
    }

    fn dict<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (column, name) in self.form.columns.split(',').enumerate() {
            dict.set_item(name, self.value(py, column, row)?)?;
        }
        Ok(dict)
    }

    /// Some of the rows.
    fn rows_at(&self, places: &[usize]) -> Result<Table, Failure> {
        let mut builder = TableBuilder::new(self.form);
        for &row in places {
            let cells = self.form.kinds.chars().enumerate().map(|(column, kind)| self.cell(column, kind, row));
            builder.push(&cells.collect::<Vec<Cell>>());
        }
        builder.finish()
    }

    /// The table as an Arrow IPC stream, which is what is pickled of it.
    pub fn stream(&self) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        let mut writer = StreamWriter::try_new(&mut bytes, &self.batch.schema())?;
        writer.write(&self.batch)?;
        writer.finish()?;
        drop(writer);
        Ok(bytes)
    }

    /// A table as it was pickled: a stream of one batch, or none where there are no rows.
    ///
    /// # Errors
    /// When it is not a table of ours.
    pub fn restored(stream: &[u8]) -> Result<Table, Failure> {
        let unknown = || Failure::Value("no table of this version".to_owned());
        let mut reader = StreamReader::try_new(stream, None)?;
        let schema = reader.schema();
        let batch = reader.next().unwrap_or_else(|| Ok(RecordBatch::new_empty(schema.clone())))?;
        let fields = schema.fields();
        let names: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
        let form = FORMS.iter().find(|form| form.columns == names.join(",")).ok_or_else(unknown)?;
        // An empty table of the form has the types that its columns must have.
        let expected = TableBuilder::new(*form).finish()?.batch.schema();
        let same = expected.fields().iter().zip(fields).all(|(ours, given)| ours.data_type() == given.data_type());
        if !same || reader.next().is_some() {
            return Err(unknown());
        }
        Ok(Table { form: *form, batch })
    }
}

/// The places that a slice of `count` things means.
pub fn places(slice: &Bound<'_, PySlice>, count: usize) -> PyResult<Vec<usize>> {
    let slice = slice.indices(count as isize)?;
    Ok((0..slice.slicelength).map(|nth| (slice.start + nth as isize * slice.step) as usize).collect())
}

/// Rows that a notebook shows.
const SHOWN: usize = 20;

#[pymethods]
impl Table {
    /// The number of rows.
    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// A column by its name, as a list; a row by its place, as a dictionary; or a slice of the rows, as a table.
    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, rows) = (key.py(), self.batch.num_rows());
        if let Ok(name) = key.extract::<String>() {
            let column = self.form.columns.split(',').position(|column| column == name);
            let column = column.ok_or_else(|| {
                PyKeyError::new_err(format!("no column {name:?}: the columns are {}", self.form.columns))
            })?;
            let values = (0..rows).map(|row| self.value(py, column, row)).collect::<PyResult<Vec<_>>>()?;
            return Ok(PyList::new(py, values)?.into_any());
        }
        if let Ok(slice) = key.cast::<PySlice>() {
            return Ok(Bound::new(py, self.rows_at(&places(slice, rows)?)?)?.into_any());
        }
        let wrong = || PyTypeError::new_err("a table is asked for a column (str), a row (int) or a slice of rows");
        let place = key.extract::<isize>().map_err(|_| wrong())?;
        let row = usize::try_from(if place < 0 { place + rows as isize } else { place }).ok();
        let row =
            row.filter(|row| *row < rows).ok_or_else(|| PyIndexError::new_err(format!("there are {rows} rows")))?;
        Ok(self.dict(py, row)?.into_any())
    }

    /// The rows as dictionaries, by column.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.to_pylist(py)?.try_iter()?.into_any())
    }

    /// A `polars.DataFrame`.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("copytrace._arrays")?.call_method1("to_polars", (slf,))
    }

    /// A `pandas.DataFrame`.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("copytrace._arrays")?.call_method1("to_pandas", (slf,))
    }

    /// A `pyarrow.Table`.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("copytrace._arrays")?.call_method1("to_arrow", (slf,))
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        self.form.columns.split(',').collect()
    }

    /// The table as an Arrow C stream, for any library that reads one. Nothing is copied.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // A producer may hand over its own types when it does not cast.
        drop(requested_schema);
        Ok(stream::capsule(py, self.batch.clone())?.into_any())
    }

    /// The rows as dictionaries, by column.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.dicts(py, self.batch.num_rows())
    }

    /// Writes the CSV file that the `copytrace` program would write: UTF-8, its lines ended by CR LF, ratios with four decimals. Texts
    /// that a spreadsheet would run as a formula get an apostrophe before them. The file appears whole or not at all.
    fn to_csv(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let table = Table { form: self.form, batch: self.batch.clone() };
        run(py, Watch::silent(), move |job| {
            let mut csv = CsvTable::create(&path, table.form.columns)?;
            for row in 0..table.batch.num_rows() {
                job.check()?;
                let cells = table.form.kinds.chars().enumerate().map(|(column, kind)| table.cell(column, kind, row));
                csv.write(&cells.collect::<Vec<Cell>>())?;
            }
            Ok(csv.finish()?)
        })
    }

    fn __repr__(&self) -> String {
        format!("<copytrace.Table of {} rows: {}>", self.batch.num_rows(), self.form.columns.replace(',', ", "))
    }

    /// The first rows, for a notebook.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let rows = self.dicts(py, self.batch.num_rows().min(SHOWN))?;
        py.import("copytrace._html")?.call_method1("table", (self.columns(), rows, self.batch.num_rows()))?.extract()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py, (Bound<'py, PyBytes>,)>> {
        Ok((slf.get_type().getattr("_restored")?, (PyBytes::new(slf.py(), &slf.get().stream()?),)))
    }

    #[staticmethod]
    #[pyo3(name = "_restored")]
    fn of_pickle(stream: &[u8]) -> PyResult<Table> {
        Ok(Table::restored(stream)?)
    }
}

/// A form that has as many kinds as columns, or the module does not compile.
const fn form(columns: &'static str, kinds: &'static str) -> Form {
    let (mut at, mut commas) = (0, 0);
    while at < columns.len() {
        commas += (columns.as_bytes()[at] == b',') as usize;
        at += 1;
    }
    assert!(kinds.len() == commas + 1);
    Form { columns, kinds }
}

pub const SUMMARY: Form = form(Rows::SUMMARY, "ttccrcctrtrrttcrrt");
pub const SOURCES: Form = form(Rows::SOURCES, "ttssscbcrccctt");
pub const PASSAGES: Form = form(Rows::PASSAGES, "ttccccrttttc");
pub const CHAPTERS: Form = form(Rows::CHAPTERS, "ttccccr");
pub const EXCLUDED: Form = form(Rows::EXCLUDED, "ttccc");
pub const FLAGS: Form = form(Rows::FLAGS, "ttccct");
pub const SHARED: Form = form(Rows::SHARED, "ttcccrcrccr");
pub const PAIRS: Form = form(Rows::PAIRS, "ttsssscb");
pub const CLUSTERS: Form = form(Rows::CLUSTERS, "tt");
pub const UNREAD: Form = form("document,reason", "tt");
pub const ADDED: Form = form("document,status,message", "ttt");
pub const NEAR: Form = form("match,hamming", "tc");
pub const NEAR_PAIRS: Form = form("query,match,hamming", "ccc");
pub const DAMAGES: Form = form("damage", "t");

/// All of them: a pickled table is known by its columns.
const FORMS: [Form; 14] = [
    SUMMARY, SOURCES, PASSAGES, CHAPTERS, EXCLUDED, FLAGS, SHARED, PAIRS, CLUSTERS, UNREAD, ADDED, NEAR, NEAR_PAIRS,
    DAMAGES,
];
