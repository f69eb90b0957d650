//! A file of fingerprints and what it says of itself.

use super::Features;
use super::hexadecimal;
use super::rows::{CsvRows, FileRow};
use super::words::{self, WordReader, WordSource};
use crate::{Error, FingerprintTable, memory_map};
use memmap2::Mmap;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file of fingerprints, of which only what it says of itself has been read.
#[derive(Debug)]
pub struct FingerprintFile {
    path: PathBuf,
    kind: Kind,
    /// What the fingerprints were made of, where the file tells.
    pub features: Option<Features>,
    /// Its length in bytes.
    pub bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Words,
    Csv,
    Tables,
}

/// What is written beside a file.
#[derive(Debug, Serialize, Deserialize)]
struct Description {
    features: String,
}

impl Kind {
    fn of(path: &Path) -> Result<Self, Error> {
        match path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("csv") => Ok(Kind::Csv),
            Some("u64") => Ok(Kind::Words),
            Some("tables") => Ok(Kind::Tables),
            _ => Err(Error::UnknownKind),
        }
    }
}

fn description_path(path: &Path) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".json");
    beside.into()
}

/// The features told beside a file, if there are any.
fn described(path: &Path) -> Result<Option<Features>, Error> {
    let wrong = |what: String| Error::Description { what };
    match std::fs::read(description_path(path)) {
        Ok(bytes) => {
            let description: Description = serde_json::from_slice(&bytes).map_err(|e| wrong(e.to_string()))?;
            description.features.parse().map(Some).map_err(wrong)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

impl FingerprintFile {
    /// The columns of a CSV file with a row for each document.
    pub const DOCUMENT_COLUMNS: &str = "document,features,fingerprint";
    /// The columns of a CSV file with a row for each sentence; places are in characters, the end exclusive.
    pub const SENTENCE_COLUMNS: &str = "document,sentence,start,end,features,fingerprint";

    /// A fingerprint as it is written: 16 hexadecimal digits.
    pub fn to_hexadecimal(fingerprint: u64) -> String {
        hexadecimal::to_hexadecimal(fingerprint)
    }

    /// Reads a fingerprint of exactly 16 hexadecimal digits.
    pub fn of_hexadecimal(text: &str) -> Option<u64> {
        hexadecimal::of_hexadecimal(text)
    }

    /// Writes fingerprints as little-endian 64-bit words, as a `.u64` file has them.
    ///
    /// # Errors
    /// Writing fails.
    pub fn write_words(fingerprints: &[u64], out: impl Write) -> Result<(), Error> {
        words::write_words(fingerprints, out)
    }

    /// Tells beside a `.u64` or `.tables` file what its fingerprints were made of; nothing, where that is not known.
    ///
    /// # Errors
    /// Writing fails.
    pub fn describe(path: &Path, features: Option<Features>) -> Result<(), Error> {
        let beside = description_path(path);
        let described = match features {
            Some(features) => File::create(&beside).and_then(|mut file| {
                serde_json::to_writer(&mut file, &Description { features: features.to_string() })?;
                file.write_all(b"\n")
            }),
            // What another file of this name was made of says nothing of this one.
            None => match std::fs::remove_file(&beside) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            },
        };
        described.map_err(|error| Error::of(&beside)(error.into()))
    }

    /// Looks at a file.
    ///
    /// # Errors
    /// It cannot be read, is of another kind, or says of itself what this program does not know.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Self::look_at(path).map_err(Error::of(path))
    }

    fn look_at(path: &Path) -> Result<Self, Error> {
        let kind = Kind::of(path)?;
        let bytes = File::open(path)?.metadata()?.len();
        let features = match kind {
            Kind::Csv => CsvRows::open(path)?.next().transpose()?.and_then(|row| row.features),
            Kind::Words if !bytes.is_multiple_of(8) => return Err(Error::NotWords { bytes }),
            Kind::Words | Kind::Tables => described(path)?,
        };
        Ok(FingerprintFile { path: path.to_owned(), kind, features, bytes })
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

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Hands on the fingerprints in their order, in pieces of bounded size.
    ///
    /// # Errors
    /// The file cannot be read or holds something else; and those of `piece`.
    pub fn for_each_piece<E: From<Error>>(&self, mut piece: impl FnMut(&[u64]) -> Result<(), E>) -> Result<(), E> {
        let wrong = Error::of(&self.path);
        let mut source = self.words().map_err(&wrong)?;
        let mut words = Vec::new();
        loop {
            source.next_piece(&mut words).map_err(&wrong)?;
            if words.is_empty() {
                return Ok(());
            }
            piece(&words)?;
        }
    }

    /// All fingerprints in their order.
    ///
    /// # Errors
    /// The file cannot be read or holds something else.
    pub fn read(&self) -> Result<Vec<u64>, Error> {
        let mut all = Vec::new();
        self.for_each_piece(|piece| {
            all.extend_from_slice(piece);
            Ok::<(), Error>(())
        })?;
        Ok(all)
    }

    /// The rows of the fingerprints that are 0, ascending: texts without features, which are near to none.
    ///
    /// # Errors
    /// The file cannot be read or holds something else.
    pub fn zeros(&self) -> Result<Vec<u64>, Error> {
        if let Some(table) = self.table()? {
            return Ok(table.zeros().into_iter().map(u64::from).collect());
        }
        let (mut zeros, mut first) = (Vec::new(), 0);
        self.for_each_piece(|piece| {
            zeros.extend((first..).zip(piece).filter(|(_, word)| **word == 0).map(|(row, _)| row));
            first += piece.len() as u64;
            Ok::<(), Error>(())
        })?;
        Ok(zeros)
    }

    fn words(&self) -> Result<Box<dyn WordSource>, Error> {
        match self.kind {
            Kind::Csv => Ok(Box::new(CsvRows::open(&self.path)?)),
            Kind::Words => Ok(Box::new(WordReader::new(File::open(&self.path)?))),
            Kind::Tables => Err(Error::OnlySearched),
        }
    }

    /// The table in the file, mapped into memory, if it is such a file. Its checksum is compared, which reads it once.
    ///
    /// # Errors
    /// The file cannot be mapped, or is damaged.
    pub fn table(&self) -> Result<Option<FingerprintTable<Mmap>>, Error> {
        if self.kind != Kind::Tables {
            return Ok(None);
        }
        let open = || {
            let map = match self.bytes {
                0 => return Err(Error::Foreign), // an empty file cannot be mapped
                _ => memory_map::map(&File::open(&self.path)?)?,
            };
            FingerprintTable::open(map)
        };
        open().map(Some).map_err(Error::of(&self.path))
    }

    /// The sentences in their order.
    ///
    /// # Errors
    /// The file is not a CSV file of sentences.
    pub fn sentences(&self) -> Result<impl Iterator<Item = Result<FileRow, Error>> + use<>, Error> {
        let wrong = Error::of(&self.path);
        let rows = match self.kind {
            Kind::Csv => CsvRows::open(&self.path).map_err(&wrong)?,
            _ => return Err(wrong(Error::NoSentences)),
        };
        if !rows.are_of_sentences() {
            return Err(wrong(Error::NoSentences));
        }
        Ok(rows.map(move |row| row.map_err(&wrong)))
    }
}

#[cfg(test)]
mod tests {
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
        FingerprintFile::open(path)?.read()
    }

    #[test]
    fn a_csv_file_and_a_file_of_words_hold_the_same() {
        let folder = Folder::new();
        let words = [7, u64::MAX, 0x0123_4567_89ab_cdef];
        let mut bytes = Vec::new();
        FingerprintFile::write_words(&words, &mut bytes).unwrap();
        let mut csv = String::from("\u{feff}fingerprint,id\r\n");
        words.iter().for_each(|word| csv += &format!("{},x\r\n", FingerprintFile::to_hexadecimal(*word)));
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
        FingerprintFile::describe(&words, Some(Features::Chars(4))).unwrap();
        assert_eq!(open(&words).features, Some(Features::Chars(4)));
        assert_eq!(
            open(&words).require_same_features(&open(&csv)).unwrap_err().to_string(),
            "the table's fingerprints are made of chars:4, the queries' of keywords:20 levels"
        );
        assert!(
            matches!(open(&csv).sentences().map(|_| ()), Err(Error::File { source, .. }) if matches!(*source, Error::NoSentences))
        );
        FingerprintFile::describe(&words, None).unwrap();
        assert_eq!(open(&words).features, None);
    }

    #[test]
    fn what_cannot_be_read_is_told_with_its_reason() {
        let folder = Folder::new();
        for (name, content, reason) in [
            ("a.u64", "nine char", "has 9 bytes, which is no multiple of 8"),
            ("a.bin", "12345678", ".u64, .csv or .tables"),
            ("a.tables", "12345678", "can be searched (--table) but not listed"),
            ("b.csv", "id,hash\n1,2\n", "no column `fingerprint`"),
            ("c.csv", "fingerprint\n0000000000000001\nxyz\n", "line 3: `xyz` is not a fingerprint"),
            ("d.csv", "fingerprint\n+000000000000001\n", "line 2: `+000000000000001` is not a fingerprint"),
            (
                "e.csv",
                "features,fingerprint\nwords,0000000000000001\nterms,0000000000000001\n",
                "line 3: features terms after words",
            ),
            ("f.csv", "features,fingerprint\nlines,0000000000000001\n", "`lines` are no features"),
        ] {
            let error = words_of(&folder.with(name, content)).unwrap_err().to_string();
            assert!(error.contains(reason) && error.contains(name), "{name}: {error}");
        }
        let words = folder.with("g.u64", [0; 8]);
        folder.with("g.u64.json", "{\"features\":\"chars:99\"}");
        assert!(words_of(&words).unwrap_err().to_string().contains("chars:99"));
    }
}
