//! CSV files (RFC 4180, UTF-8) that appear whole or not at all.

use serde::Serialize;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Why a report could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {source}")]
pub struct WriteError {
    path: String,
    source: io::Error,
}

impl WriteError {
    fn new(path: &Path, source: impl Into<io::Error>) -> Self {
        WriteError { path: path.display().to_string(), source: source.into() }
    }
}

/// A table that is written row by row beside its place, and put there by [`Table::finish`]. When that is not
/// reached (an error, a full disk), nothing is left under the final name, and what stood there before stands still.
pub struct Table {
    path: PathBuf,
    writer: csv::Writer<Target>,
}

/// Where the rows go.
enum Target {
    File(NamedTempFile),
    StandardOutput(io::Stdout),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::File(file) => file.write(bytes),
            Target::StandardOutput(stdout) => stdout.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::File(file) => file.flush(),
            Target::StandardOutput(stdout) => stdout.flush(),
        }
    }
}

impl Table {
    /// Begins a table with its header row, the names of its columns between commas.
    ///
    /// # Errors
    /// When the folder cannot be made or written to.
    pub fn create(path: &Path, columns: &str) -> Result<Self, WriteError> {
        let folder = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let file = fs::create_dir_all(folder)
            .and_then(|()| {
                if path.is_dir() {
                    return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder"));
                }
                tempfile::Builder::new()
                    .prefix(".copytrace-")
                    .suffix(".part")
                    .permissions_like_new()
                    .tempfile_in(folder)
            })
            .map_err(|e| WriteError::new(path, e))?;
        Self::begin(path, Target::File(file), columns)
    }

    /// Begins a table on standard output.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn on_standard_output(columns: &str) -> Result<Self, WriteError> {
        Self::begin(Path::new("standard output"), Target::StandardOutput(io::stdout()), columns)
    }

    fn begin(path: &Path, target: Target, columns: &str) -> Result<Self, WriteError> {
        let mut writer = csv::WriterBuilder::new();
        let writer = writer.has_headers(false).terminator(csv::Terminator::CRLF).from_writer(target);
        let mut table = Table { path: path.to_owned(), writer };
        table.writer.write_record(columns.split(',')).map_err(|e| WriteError::new(&table.path, e))?;
        Ok(table)
    }

    /// Appends a row. Cells that a spreadsheet would run as a formula are defused.
    ///
    /// # Errors
    /// When the disk is full or fails.
    pub fn write(&mut self, row: &impl Serialize) -> Result<(), WriteError> {
        // Serialised once into plain cells, so that each can be looked at before it is written.
        let failed = |e: csv::Error| WriteError::new(&self.path, e);
        let mut cells = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        cells.serialize(row).map_err(failed)?;
        let line = cells.into_inner().map_err(|e| WriteError::new(&self.path, io::Error::other(e.to_string())))?;
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_slice());
        for record in reader.records() {
            let record = record.map_err(failed)?;
            self.writer.write_record(record.iter().map(defused)).map_err(failed)?;
        }
        Ok(())
    }

    /// Writes what is left, syncs it, and puts the table in its place.
    ///
    /// # Errors
    /// When the disk is full or fails; then nothing has changed under the final name.
    pub fn finish(self) -> Result<(), WriteError> {
        let path = self.path;
        let mut file: Target = self.writer.into_inner().map_err(|e| WriteError::new(&path, e.into_error()))?;
        file.flush().map_err(|e| WriteError::new(&path, e))?;
        if let Target::File(file) = file {
            file.as_file().sync_all().map_err(|e| WriteError::new(&path, e))?;
            file.persist(&path).map_err(|e| WriteError::new(&path, e.error))?;
        }
        Ok(())
    }
}

/// Temporary files are readable by their owner alone; a report is to be as readable as any new file.
trait PermissionsLikeNew {
    fn permissions_like_new(&mut self) -> &mut Self;
}

impl PermissionsLikeNew for tempfile::Builder<'_, '_> {
    #[cfg(unix)]
    fn permissions_like_new(&mut self) -> &mut Self {
        use std::os::unix::fs::PermissionsExt;
        self.permissions(fs::Permissions::from_mode(0o666))
    }

    #[cfg(not(unix))]
    fn permissions_like_new(&mut self) -> &mut Self {
        self
    }
}

/// A cell as it is written. A cell that starts like a formula (`=`, `+`, `-`, `@`, tab, carriage return) gets an
/// apostrophe before it, as the OWASP guide on CSV injection advises, unless it is a number. NUL is replaced, for
/// many readers stop at it.
fn defused(cell: &str) -> String {
    let formula = cell.len() > 1
        && cell.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'])
        && cell.parse::<f64>().is_err();
    let cell = cell.replace('\0', "\u{fffd}");
    if formula { format!("'{cell}") } else { cell }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_defused_and_numbers_left_alone() {
        for formula in ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "＝1"] {
            assert_eq!(defused(formula), format!("'{formula}"));
        }
        for plain in ["-0.5", "12", "潮汐", "a=b", ""] {
            assert_eq!(defused(plain), plain);
        }
        assert_eq!(defused("a\0b"), "a\u{fffd}b");
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
