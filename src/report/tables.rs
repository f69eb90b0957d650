//! CSV files (RFC 4180, UTF-8) that appear whole or not at all.

use super::whole_file::WholeFile;
pub use super::whole_file::WriteError;
use serde::Serialize;
use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// A table that is written row by row beside its place, and put there by [`Table::finish`]. When that is not
/// reached (an error, a full disk), nothing is left under the final name, and what stood there before stands still.
pub struct Table {
    path: PathBuf,
    writer: csv::Writer<Target>,
}

/// Where the rows go.
enum Target {
    File(WholeFile),
    StandardOutput(io::Stdout),
    /// Standard output that is a terminal, which would obey control characters in what others chose as names; and the byte that
    /// was written last.
    Terminal(io::Stdout, Cell<u8>),
}

/// UTF-8 as a terminal may get it: `?` for control characters other than tabs and ends of lines, and `¿` for those beyond
/// ASCII (C1), whose first byte may be the one that came `before`.
fn shown(bytes: &[u8], before: u8) -> Vec<u8> {
    let befores = std::iter::once(before).chain(bytes.iter().copied());
    let one = |(before, &byte): (u8, &u8)| match byte {
        b'\r' | b'\n' | b'\t' => byte,
        _ if byte.is_ascii_control() => b'?',
        0x80..=0x9f if before == 0xc2 => 0xbf,
        _ => byte,
    };
    befores.zip(bytes).map(one).collect()
}

impl Write for &Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::File(file) => (&mut &*file).write(bytes),
            Target::StandardOutput(stdout) => (&mut &*stdout).write(bytes),
            Target::Terminal(stdout, before) => {
                let shown = shown(bytes, before.get());
                before.set(bytes.last().copied().unwrap_or(before.get()));
                (&mut &*stdout).write_all(&shown).map(|()| bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::File(file) => (&mut &*file).flush(),
            Target::StandardOutput(stdout) | Target::Terminal(stdout, _) => (&mut &*stdout).flush(),
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

    /// Begins a table on standard output.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn on_standard_output(columns: &str) -> Result<Self, WriteError> {
        let stdout = io::stdout();
        let target =
            if stdout.is_terminal() { Target::Terminal(stdout, Cell::new(0)) } else { Target::StandardOutput(stdout) };
        Self::begin(Path::new("standard output"), target, columns)
    }

    fn begin(path: &Path, target: Target, columns: &str) -> Result<Self, WriteError> {
        let mut writer = csv::WriterBuilder::new();
        let writer = writer.has_headers(false).terminator(csv::Terminator::CRLF).from_writer(target);
        let mut table = Table { path: path.to_owned(), writer };
        table.writer.write_record(columns.split(',')).map_err(|e| WriteError::new(&table.path, e))?;
        Ok(table)
    }

    /// Appends a row. Its texts must have been defused ([`defused`]).
    ///
    /// # Errors
    /// When the disk is full or fails.
    pub fn write(&mut self, row: &impl Serialize) -> Result<(), WriteError> {
        self.writer.serialize(row).map_err(|e| WriteError::new(&self.path, e))
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
            Target::StandardOutput(_) | Target::Terminal(..) => Ok(()),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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
    fn a_terminal_gets_no_control_characters_wherever_a_buffer_ends() {
        let text = "id\u{1b}[2J,潮汐é\u{9b}31m\u{7f}\r\n\tß";
        let expected = "id?[2J,潮汐é\u{bf}31m?\r\n\tß";
        for cut in 0..=text.len() {
            let (head, tail) = text.as_bytes().split_at(cut);
            let whole = [shown(head, 0), shown(tail, head.last().copied().unwrap_or(0))].concat();
            assert_eq!(String::from_utf8(whole).unwrap(), expected, "cut at byte {cut}");
        }
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
