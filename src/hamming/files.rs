//! Files of fingerprints, and what they say of themselves.
//!
//! - `.u64`: little-endian 64-bit words, nothing else. What they were made of stands in a small file beside it,
//!   `FILE.u64.json`; without that nothing is known.
//! - `.csv`: a column `fingerprint` of 16 hexadecimal digits, and where it is known a column `features`. Sentences also
//!   have the columns `document` and `sentence`.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Error;
use super::words::{WordReader, WordSource};
use crate::sketch::features::Features;

/// The columns of a CSV file with a row for each document.
pub const DOCUMENT_COLUMNS: &str = "document,features,fingerprint";
/// The columns of a CSV file with a row for each sentence; places are in characters, the end exclusive.
pub const SENTENCE_COLUMNS: &str = "document,sentence,start,end,features,fingerprint";

/// A fingerprint as it is written: 16 hexadecimal digits.
pub fn to_hexadecimal(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}

/// Reads a fingerprint of exactly 16 hexadecimal digits.
pub fn of_hexadecimal(text: &str) -> Option<u64> {
    let digits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    u64::from_str_radix(text, 16).ok().filter(|_| digits)
}

/// A file of fingerprints, not read yet but for what it says of itself.
#[derive(Debug)]
pub struct FingerprintFile {
    path: PathBuf,
    is_csv: bool,
    /// What the fingerprints were made of, where the file tells.
    pub features: Option<Features>,
    /// Its length in bytes.
    pub bytes: u64,
}

/// What is written beside a `.u64` file.
#[derive(Debug, Serialize, Deserialize)]
struct Description {
    features: String,
}

/// Whether a path names a CSV file and not words.
///
/// # Errors
/// It is neither.
fn is_csv(path: &Path) -> Result<bool, Error> {
    match path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("csv") => Ok(true),
        Some("u64") => Ok(false),
        _ => Err(Error::UnknownKind),
    }
}

fn description_path(path: &Path) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".json");
    beside.into()
}

/// Tells beside a `.u64` file what its fingerprints were made of.
///
/// # Errors
/// Writing fails.
pub fn describe_words(path: &Path, features: Features) -> Result<(), Error> {
    let mut file = File::create(description_path(path))?;
    serde_json::to_writer(&mut file, &Description { features: features.to_string() }).map_err(io::Error::from)?;
    Ok(file.write_all(b"\n")?)
}

impl FingerprintFile {
    /// Looks at a file.
    ///
    /// # Errors
    /// It cannot be read, is of another kind, or says of itself what this program does not know.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let is_csv = is_csv(path)?;
        let mut found = FingerprintFile { path: path.to_owned(), is_csv, features: None, bytes: 0 };
        found.bytes = File::open(path)?.metadata()?.len();
        if is_csv {
            if let Some(row) = CsvRows::open(path)?.next() {
                found.features = row?.features;
            }
            return Ok(found);
        }
        if !found.bytes.is_multiple_of(8) {
            return Err(Error::NotWords { bytes: found.bytes });
        }
        match std::fs::read(description_path(path)) {
            Ok(bytes) => {
                let wrong = |what: String| Error::Description { what };
                let description: Description = serde_json::from_slice(&bytes).map_err(|e| wrong(e.to_string()))?;
                found.features = Some(description.features.parse().map_err(wrong)?);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        Ok(found)
    }

    /// Refuses files whose fingerprints were made of different features. A file that does not tell fits to any.
    ///
    /// # Errors
    /// They differ.
    pub fn require_same_features(&self, other: &FingerprintFile) -> Result<(), Error> {
        match (self.features, other.features) {
            (Some(first), Some(second)) if first != second => Err(Error::FeaturesDiffer { first, second }),
            _ => Ok(()),
        }
    }

    /// The fingerprints in their order, to be read in pieces.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn words(&self) -> Result<Box<dyn WordSource>, Error> {
        if self.is_csv {
            return Ok(Box::new(CsvRows::open(&self.path)?));
        }
        Ok(Box::new(WordReader::new(File::open(&self.path)?)))
    }

    /// The sentences in their order.
    ///
    /// # Errors
    /// The file is no CSV file of sentences.
    pub fn sentences(&self) -> Result<impl Iterator<Item = Result<FileRow, Error>> + use<>, Error> {
        if !self.is_csv {
            return Err(Error::NoSentences);
        }
        let rows = CsvRows::open(&self.path)?;
        if rows.columns.document.is_none() || !rows.columns.of_sentences {
            return Err(Error::NoSentences);
        }
        Ok(rows)
    }
}

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
struct CsvRows {
    reader: csv::Reader<BufReader<File>>,
    columns: Columns,
    record: csv::StringRecord,
    /// The features of the rows so far, as they were written.
    features: Option<(String, Features)>,
}

impl CsvRows {
    fn open(path: &Path) -> Result<Self, Error> {
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

    /// Reads the next row into `record` and gives its fingerprint.
    fn advance(&mut self) -> Result<Option<u64>, Error> {
        if !self.reader.read_record(&mut self.record)? {
            return Ok(None);
        }
        let line = self.record.position().map_or(0, csv::Position::line);
        let wrong = |what: String| Error::Row { line, what };
        let cell = &self.record[self.columns.fingerprint];
        let fingerprint = of_hexadecimal(cell)
            .ok_or_else(|| wrong(format!("`{cell}` is no fingerprint of 16 hexadecimal digits")))?;
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

#[cfg(test)]
mod tests {
    use super::super::words::{read_words, write_words};
    use super::*;

    struct Folder(tempfile::TempDir);

    impl Folder {
        fn new() -> Self {
            Folder(tempfile::tempdir().unwrap())
        }

        fn with(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
            let path = self.0.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        }
    }

    fn words_of(path: &Path) -> Result<Vec<u64>, Error> {
        read_words(&mut *FingerprintFile::open(path)?.words()?)
    }

    #[test]
    fn a_csv_file_and_a_file_of_words_hold_the_same() {
        let folder = Folder::new();
        let words = [7, u64::MAX, 0x0123_4567_89ab_cdef];
        let mut bytes = Vec::new();
        write_words(&words, &mut bytes).unwrap();
        let mut csv = String::from("\u{feff}fingerprint,id\r\n");
        words.iter().for_each(|word| csv += &format!("{},x\r\n", to_hexadecimal(*word)));
        assert_eq!(words_of(&folder.with("a.u64", bytes)).unwrap(), words);
        assert_eq!(words_of(&folder.with("a.csv", csv)).unwrap(), words);
    }

    #[test]
    fn a_file_tells_its_features_and_different_ones_are_refused() {
        let folder = Folder::new();
        let (words, csv) = (
            folder.with("a.u64", [0; 16]),
            folder.with("a.csv", "document,features,fingerprint\na,keywords:20 levels,0000000000000001\n"),
        );
        let open = |path: &Path| FingerprintFile::open(path).unwrap();
        assert_eq!(open(&words).features, None);
        open(&words).require_same_features(&open(&csv)).unwrap();
        describe_words(&words, Features::Chars(4)).unwrap();
        assert_eq!(open(&words).features, Some(Features::Chars(4)));
        assert_eq!(
            open(&words).require_same_features(&open(&csv)).unwrap_err().to_string(),
            "the table's fingerprints are made of chars:4, the queries' of keywords:20 levels"
        );
        assert!(matches!(open(&csv).sentences().map(|_| ()), Err(Error::NoSentences)));
    }

    #[test]
    fn what_cannot_be_read_is_told_with_its_reason() {
        let folder = Folder::new();
        for (name, content, reason) in [
            ("a.u64", "nine char", "has 9 bytes, which is no multiple of 8"),
            ("a.bin", "12345678", ".u64 or .csv"),
            ("b.csv", "id,hash\n1,2\n", "no column `fingerprint`"),
            ("c.csv", "fingerprint\n0000000000000001\nxyz\n", "line 3: `xyz` is no fingerprint"),
            ("d.csv", "fingerprint\n+000000000000001\n", "line 2: `+000000000000001` is no fingerprint"),
            (
                "e.csv",
                "features,fingerprint\nwords,0000000000000001\nterms,0000000000000001\n",
                "line 3: features terms after words",
            ),
            ("f.csv", "features,fingerprint\nlines,0000000000000001\n", "`lines` are no features"),
        ] {
            let error = words_of(&folder.with(name, content)).unwrap_err().to_string();
            assert!(error.contains(reason), "{name}: {error}");
        }
        let words = folder.with("g.u64", [0; 8]);
        folder.with("g.u64.json", "{\"features\":\"chars:99\"}");
        assert!(words_of(&words).unwrap_err().to_string().contains("chars:99"));
    }
}
