//! CSV files of fingerprints, row by row.

use super::Features;
use super::hexadecimal::of_hexadecimal;
use super::words::WordSource;
use crate::Error;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// A row of a CSV file of fingerprints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    /// The document's id; empty where the file has none.
    pub document: String,
    /// What the fingerprint was made of, where the file tells.
    pub features: Option<Features>,
    /// The fingerprint.
    pub fingerprint: u64,
}

/// Where the columns stand.
#[derive(Debug, Clone, Copy)]
struct Columns {
    document: Option<usize>,
    features: Option<usize>,
    fingerprint: usize,
    of_sentences: bool,
}

/// Reads a CSV file row by row. All rows must be of the same features.
pub(super) struct CsvRows {
    reader: csv::Reader<BufReader<File>>,
    columns: Columns,
    record: csv::StringRecord,
    /// The features of the rows so far, as they were written.
    features: Option<(String, Features)>,
}

impl CsvRows {
    pub fn open(path: &Path) -> Result<Self, Error> {
        let mut reader = csv::Reader::from_reader(BufReader::new(File::open(path)?));
        let header = reader.headers()?;
        let column = |name: &str| header.iter().position(|column| column.trim_start_matches('\u{feff}') == name);
        let columns = Columns {
            document: column("document"),
            features: column("features"),
            fingerprint: column("fingerprint").ok_or(Error::NoFingerprintColumn)?,
            of_sentences: column("sentence").is_some(),
        };
        Ok(CsvRows { reader, columns, record: csv::StringRecord::new(), features: None })
    }

    /// Whether each row is of a sentence of a document.
    pub fn are_of_sentences(&self) -> bool {
        self.columns.document.is_some() && self.columns.of_sentences
    }

    /// Reads the next row into `record` and gives its fingerprint.
    fn advance(&mut self) -> Result<Option<u64>, Error> {
        if !self.reader.read_record(&mut self.record)? {
            return Ok(None);
        }
        let line = self.record.position().map_or(0, csv::Position::line);
        let wrong = |what: String| Error::Row { line, what };
        let cell = &self.record[self.columns.fingerprint];
        let fingerprint = of_hexadecimal(cell)
            .ok_or_else(|| wrong(format!("`{cell}` is not a fingerprint of 16 hexadecimal digits")))?;
        if let Some(column) = self.columns.features {
            let written = &self.record[column];
            match &self.features {
                Some((first, _)) if first == written => {}
                Some((first, _)) => return Err(wrong(format!("features {written} after {first}"))),
                None => self.features = Some((written.to_owned(), written.parse().map_err(wrong)?)),
            }
        }
        Ok(Some(fingerprint))
    }
}

impl Iterator for CsvRows {
    type Item = Result<FileRow, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let fingerprint = match self.advance() {
            Ok(fingerprint) => fingerprint?,
            Err(error) => return Some(Err(error)),
        };
        let document = self.columns.document.map_or_else(String::new, |column| self.record[column].to_owned());
        Some(Ok(FileRow { document, features: self.features.as_ref().map(|known| known.1), fingerprint }))
    }
}

impl WordSource for CsvRows {
    fn next_piece(&mut self, words: &mut Vec<u64>) -> Result<(), Error> {
        const ROWS: usize = 1 << 18;
        words.clear();
        while words.len() < ROWS
            && let Some(fingerprint) = self.advance()?
        {
            words.push(fingerprint);
        }
        Ok(())
    }
}
