//! CSV files (RFC 4180, UTF-8) that appear whole or not at all.

use super::whole_file::{WholeFile, WriteError};
use serde::Serialize;
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A table that is written row by row beside its place, and put there by [`Table::finish`]. When that is not
/// reached (an error, a full disk), nothing is left under the final name, and what stood there before stands still.
pub struct Table {
    path: PathBuf,
    writer: csv::Writer<Target>,
}

/// Where the rows go.
enum Target {
    File(WholeFile),
    Writer(Mutex<Box<dyn Write + Send>>),
}

impl Write for &Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::File(file) => (&mut &*file).write(bytes),
            Target::Writer(writer) => writer.lock().unwrap_or_else(PoisonError::into_inner).write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::File(file) => (&mut &*file).flush(),
            Target::Writer(writer) => writer.lock().unwrap_or_else(PoisonError::into_inner).flush(),
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&*self).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self).flush()
    }
}

impl Table {
    /// Begins a table with its header row, the names of its columns between commas.
    ///
    /// # Errors
    /// When the folder cannot be made or written to.
    pub fn create(path: &Path, columns: &str) -> Result<Self, WriteError> {
        Self::begin(path, Target::File(WholeFile::create(path)?), columns)
    }

    /// The same with a byte-order mark before the header, by which Excel knows that the file is UTF-8.
    ///
    /// # Errors
    /// When the folder cannot be made or written to.
    pub fn create_with_mark(path: &Path, columns: &str) -> Result<Self, WriteError> {
        let mut file = WholeFile::create(path)?;
        file.write_all("\u{feff}".as_bytes()).map_err(|e| WriteError::new(path, e))?;
        Self::begin(path, Target::File(file), columns)
    }

    /// Begins a table that goes to a writer; `name` is for errors.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn to_writer(name: &str, writer: impl Write + Send + 'static, columns: &str) -> Result<Self, WriteError> {
        Self::begin(Path::new(name), Target::Writer(Mutex::new(Box::new(writer))), columns)
    }

    fn begin(path: &Path, target: Target, columns: &str) -> Result<Self, WriteError> {
        let mut writer = csv::WriterBuilder::new();
        let writer = writer.has_headers(false).terminator(csv::Terminator::CRLF).from_writer(target);
        let mut table = Table { path: path.to_owned(), writer };
        table.writer.write_record(columns.split(',')).map_err(|e| WriteError::new(&table.path, e))?;
        Ok(table)
    }

    /// Appends a row. Its texts must have been defused ([`Table::defused`]).
    ///
    /// # Errors
    /// When the disk is full or fails.
    pub fn write(&mut self, row: &impl Serialize) -> Result<(), WriteError> {
        self.writer.serialize(row).map_err(|e| WriteError::new(&self.path, e))
    }

    /// Appends rows.
    ///
    /// # Errors
    /// When the disk is full or fails.
    pub fn write_all(&mut self, rows: &[impl Serialize]) -> Result<(), WriteError> {
        rows.iter().try_for_each(|row| self.write(row))
    }

    /// A cell as it is written. A cell that starts like a formula (`=`, `+`, `-`, `@`, tab, carriage return) gets an
    /// apostrophe before it, as the OWASP guide on CSV injection advises, unless it is a number. NUL is replaced, for
    /// many readers stop at it.
    pub fn defused(cell: &str) -> Cow<'_, str> {
        let starts = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];
        let formula = cell.len() > 1 && cell.starts_with(starts) && cell.parse::<f64>().is_err();
        if !formula && !cell.contains('\0') {
            return Cow::Borrowed(cell);
        }
        Cow::Owned(format!("{}{}", if formula { "'" } else { "" }, cell.replace('\0', "\u{fffd}")))
    }

    /// Appends rows that are CSV already, each with its end of line: for tables of numbers alone, of which there can be
    /// hundreds of millions.
    ///
    /// # Errors
    /// When the disk is full or fails.
    pub fn write_lines(&mut self, lines: &[u8]) -> Result<(), WriteError> {
        let written = self.writer.flush().and_then(|()| self.writer.get_ref().write_all(lines));
        written.map_err(|e| WriteError::new(&self.path, e))
    }

    /// Writes what is left, syncs it, and puts the table in its place.
    ///
    /// # Errors
    /// When the disk is full or fails; then nothing has changed under the final name.
    pub fn finish(self) -> Result<(), WriteError> {
        let path = self.path;
        let mut file: Target = self.writer.into_inner().map_err(|e| WriteError::new(&path, e.into_error()))?;
        file.flush().map_err(|e| WriteError::new(&path, e))?;
        match file {
            Target::File(file) => file.finish(),
            Target::Writer(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn formulas_are_defused_and_numbers_left_alone() {
        for formula in ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "＝1"] {
            assert_eq!(Table::defused(formula), format!("'{formula}"));
        }
        for plain in ["-0.5", "12", "潮汐", "a=b", ""] {
            assert_eq!(Table::defused(plain), plain);
        }
        assert_eq!(Table::defused("a\0b"), "a\u{fffd}b");
    }

    #[test]
    fn a_table_that_is_not_finished_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        fs::write(&path, "before").unwrap();
        let mut table = Table::create(&path, "a,b").unwrap();
        table.write(&("x", 1)).unwrap();
        drop(table);
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_finished_table_reads_back_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deeper/table.csv");
        let mut table = Table::create(&path, "a,b").unwrap();
        table.write(&("two\nlines, \"quoted\"", 1)).unwrap();
        table.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "a,b\r\n\"two\nlines, \"\"quoted\"\"\",1\r\n");
    }
}
