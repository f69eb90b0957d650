//! Tables in Parquet, of which each row is a document: how corpora for machines are passed around.

use crate::reason::Reason;
use crate::record::{Content, Item, Record, Records};
use copytrace_formats::extract::{ExtractError, FIELDS, JsonFields};
use copytrace_formats::input::ReadReason;
use copytrace_job::Job;
use copytrace_text::Metadata;
use parquet::basic::Type;
use parquet::column::reader::ColumnReader;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Rows that are read at once: their texts are in memory together, besides the pages that they are in.
const ROWS: usize = 64;

/// What a row holds, in the order of [`FIELDS`].
type Row = [Option<String>; FIELDS.len()];

/// The rows of one file. Memory is bounded by the pages of its columns, which are a megabyte as files are written.
pub(crate) struct RowRecords {
    file: SerializedFileReader<File>,
    name: String,
    /// Where the fields are among the columns.
    columns: [Option<usize>; FIELDS.len()],
    /// The columns of the group of rows that is being read.
    open: [Option<ColumnReader>; FIELDS.len()],
    group: usize,
    left_in_group: usize,
    rows: VecDeque<Row>,
    /// Rows that were given or passed over, of all.
    given: u64,
    /// Bytes of the groups that were begun.
    bytes: u64,
    ended: bool,
    /// What was broken before the row at which the reading goes on.
    failed: Option<ParquetError>,
}

impl RowRecords {
    pub(crate) fn open(path: &Path, names: &JsonFields) -> io::Result<Self> {
        let file = File::open(path)?;
        let file = guarded(|| SerializedFileReader::new(file)).map_err(io::Error::other)?;
        let schema = file.metadata().file_metadata().schema_descr_ptr();
        // A column of lists has more values than rows.
        let of_rows = |column: &usize| schema.column(*column).max_rep_level() == 0;
        let columns = FIELDS.map(|field| {
            let is_named = |column: &usize| schema.column(*column).path().string() == names.named(field);
            (0..schema.num_columns()).filter(of_rows).find(is_named)
        });
        let is_text = |column: usize| schema.column(column).physical_type() == Type::BYTE_ARRAY;
        if !columns[1].is_some_and(is_text) {
            let all: Vec<String> =
                (0..schema.num_columns()).map(|column| schema.column(column).path().string()).collect();
            let said = format!("no column {} of texts among {}", names.named("text"), all.join(", "));
            return Err(io::Error::other(said));
        }
        Ok(RowRecords {
            file,
            name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            columns,
            open: Default::default(),
            group: 0,
            left_in_group: 0,
            rows: VecDeque::new(),
            given: 0,
            bytes: 0,
            ended: false,
            failed: None,
        })
    }

    /// Opens the columns of the next group; false behind the last one.
    fn turn(&mut self) -> Result<bool, ParquetError> {
        if self.group >= self.file.num_row_groups() {
            return Ok(false);
        }
        let group = self.file.get_row_group(self.group)?;
        self.left_in_group = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        for (column, open) in self.columns.iter().zip(&mut self.open) {
            *open = column.map(|column| group.get_column_reader(column)).transpose()?;
        }
        let bytes = self.columns.iter().flatten().map(|column| group.metadata().column(*column).compressed_size());
        self.bytes += bytes.filter_map(|bytes| u64::try_from(bytes).ok()).sum::<u64>();
        self.group += 1;
        Ok(true)
    }

    /// Reads some rows; false behind the last one.
    fn read(&mut self) -> Result<bool, ParquetError> {
        while self.left_in_group == 0 {
            if !self.turn()? {
                return Ok(false);
            }
        }
        let rows = self.left_in_group.min(ROWS);
        let mut read = vec![Row::default(); rows];
        for (field, column) in self.open.iter_mut().enumerate() {
            let Some(column) = column else { continue };
            let values = values(column, rows)?;
            if values.len() < rows {
                return Err(ParquetError::General(format!("{} has too few rows", FIELDS[field])));
            }
            read.iter_mut().zip(values).for_each(|(row, value)| row[field] = value);
        }
        self.left_in_group -= rows;
        self.rows.extend(read);
        Ok(true)
    }

    /// Passes over `rows` rows.
    fn pass(&mut self, mut rows: usize) -> Result<(), ParquetError> {
        while rows > 0 && (self.left_in_group > 0 || self.turn()?) {
            let here = rows.min(self.left_in_group);
            // A group that is passed over whole is not read.
            if here < self.left_in_group {
                self.open.iter_mut().flatten().try_for_each(|column| skip(column, here).map(drop))?;
            }
            (self.left_in_group, rows) = (self.left_in_group - here, rows - here);
            self.given += here as u64;
        }
        Ok(())
    }

    fn item(&self, row: Row) -> Item {
        let [id, text, title, author, date, collection, url, licence] = row;
        let id = id.filter(|id| !id.is_empty()).unwrap_or_else(|| format!("{}:{}", self.name, self.given));
        let Some(text) = text else { return Item::failed(id, ReadReason::from(ExtractError::NoTextField)) };
        let provenance = Metadata { title, author, date, collection, url, licence };
        Item::Record(Box::new(Record { id, stamp: String::new(), provenance, content: Content::Text(text) }))
    }
}

/// What a file that contradicts itself does to its reader: an error, and a panic at worst.
fn guarded<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    let broken = |_| Err(ParquetError::General("it contradicts itself".to_owned()));
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(broken)
}

/// The next values of a column as texts: strings and whole numbers; all else is left out.
fn values(column: &mut ColumnReader, rows: usize) -> Result<Vec<Option<String>>, ParquetError> {
    macro_rules! values {
        ($reader:ident, $told:expr) => {{
            let (mut present, mut values) = (Vec::new(), Vec::new());
            let (read, _, _) = $reader.read_records(rows, Some(&mut present), None, &mut values)?;
            let most = present.iter().copied().max().unwrap_or(0);
            let all_present = values.len() == read;
            let mut values = values.into_iter().map($told);
            let value = |row: usize| match all_present || present.get(row) == Some(&most) {
                true => values.next().flatten(),
                false => None,
            };
            Ok((0..read).map(value).collect())
        }};
    }
    match column {
        ColumnReader::ByteArrayColumnReader(reader) => {
            values!(reader, |value: parquet::data_type::ByteArray| {
                Some(String::from_utf8_lossy(value.data()).into_owned())
            })
        }
        ColumnReader::Int32ColumnReader(reader) => values!(reader, |value: i32| Some(value.to_string())),
        ColumnReader::Int64ColumnReader(reader) => values!(reader, |value: i64| Some(value.to_string())),
        _ => Ok(vec![None; rows]),
    }
}

fn skip(column: &mut ColumnReader, rows: usize) -> Result<usize, ParquetError> {
    match column {
        ColumnReader::ByteArrayColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::Int32ColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::Int64ColumnReader(reader) => reader.skip_records(rows),
        _ => Ok(rows),
    }
}

impl Records for RowRecords {
    fn next(&mut self, _seen: &dyn Fn(&str, &str) -> bool, job: &Job) -> Option<Item> {
        job.check().ok()?;
        if self.rows.is_empty() && !self.ended {
            let failed = self.failed.take();
            match failed.map_or_else(|| guarded(|| self.read()), Err) {
                Ok(more) => self.ended = !more,
                Err(error) => {
                    self.ended = true;
                    let reason = Reason::ArchiveBroken { records: self.given, said: error.to_string() };
                    return Some(Item::stopped("", reason));
                }
            }
        }
        let row = self.rows.pop_front()?;
        self.given += 1;
        Some(self.item(row))
    }

    fn resume(&mut self, place: &str) {
        let rows = place.parse().unwrap_or(0);
        self.failed = guarded(|| self.pass(rows)).err();
    }

    fn place(&self) -> String {
        self.given.to_string()
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }
}

#[cfg(test)]
mod tests;
