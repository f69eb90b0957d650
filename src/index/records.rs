//! What is known of the documents of one segment: an immutable file beside it. An open index reads these and no database, so
//! it sees one commit for as long as it lives, holds no lock, and its threads do not wait for each other.

use super::error::IndexError;
use super::segment::container::{self, Section};
use super::segment::slot::Bytes;
use crate::text::Metadata;
use std::io::{self, Cursor, Seek, Write};
use std::path::{Path, PathBuf};

/// What an index knows of a document, apart from its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    /// The document's id.
    pub id: String,
    /// Title, author, date, collection, address and licence.
    pub metadata: Metadata,
    /// When it was added, in seconds since 1970 (UTC).
    pub added: i64,
    /// The number of the addition that brought it: 1 for the first, and so on.
    pub generation: u32,
    /// SHA-256 of the text and the metadata.
    pub(super) content: Vec<u8>,
}

/// The length that stands for a field that is not there.
const ABSENT: u32 = u32::MAX;

impl Record {
    /// SHA-256 of the text and the metadata.
    pub(crate) fn content(&self) -> &[u8] {
        &self.content
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.added.to_le_bytes());
        out.extend_from_slice(&self.generation.to_le_bytes());
        let Metadata { title, author, date, collection, url, licence } = &self.metadata;
        let texts = [Some(&self.id), title.as_ref(), author.as_ref(), date.as_ref(), collection.as_ref()];
        let texts = texts.map(|text| text.map(|text| text.as_bytes()));
        for field in [Some(&self.content[..])].into_iter().chain(texts) {
            out.extend_from_slice(&field.map_or(ABSENT, |field| field.len() as u32).to_le_bytes());
            out.extend_from_slice(field.unwrap_or_default());
        }
        // Records were written without these two before there were any, and still are where there is neither.
        for field in [url, licence].into_iter().filter(|_| url.is_some() || licence.is_some()) {
            out.extend_from_slice(&field.as_ref().map_or(ABSENT, |field| field.len() as u32).to_le_bytes());
            out.extend_from_slice(field.as_deref().unwrap_or_default().as_bytes());
        }
    }

    fn read(mut bytes: &[u8]) -> Option<Self> {
        let added = i64::from_le_bytes(*bytes.split_off(..8)?.first_chunk()?);
        let generation = u32::from_le_bytes(*bytes.split_off(..4)?.first_chunk()?);
        let mut field = || -> Option<Option<Vec<u8>>> {
            match u32::from_le_bytes(*bytes.split_off(..4)?.first_chunk()?) {
                ABSENT => Some(None),
                length => Some(Some(bytes.split_off(..length as usize)?.to_vec())),
            }
        };
        let content = field()??;
        let mut text = || -> Option<Option<String>> {
            field()?.map(|bytes| String::from_utf8(bytes).ok()).map_or(Some(None), |text| text.map(Some))
        };
        let id = text()??;
        let (title, author, date, collection) = (text()?, text()?, text()?, text()?);
        let mut metadata = Metadata { title, author, date, collection, ..Metadata::default() };
        if !bytes.is_empty() {
            let mut text = || match u32::from_le_bytes(*bytes.split_off(..4)?.first_chunk()?) {
                ABSENT => Some(None),
                length => Some(Some(String::from_utf8(bytes.split_off(..length as usize)?.to_vec()).ok()?)),
            };
            (metadata.url, metadata.licence) = (text()?, text()?);
        }
        bytes.is_empty().then_some(Record { id, metadata, added, generation, content })
    }
}

/// Collects the records of a segment's documents, in the order of their numbers.
#[derive(Debug, Default)]
pub(super) struct RecordsBuilder {
    ends: Vec<u64>,
    rows: Vec<u8>,
}

impl RecordsBuilder {
    pub(super) fn add(&mut self, record: &Record) {
        record.write(&mut self.rows);
        self.ends.push(self.rows.len() as u64);
    }

    pub(super) fn write(self, out: impl Write + Seek) -> io::Result<()> {
        let offsets = std::iter::once(0).chain(self.ends).flat_map(u64::to_le_bytes).collect();
        container::write(&[offsets, self.rows], out)
    }

    /// The records in memory; errors name them `path`.
    pub(super) fn in_memory(self, path: &Path) -> Result<Records, IndexError> {
        let mut bytes = Cursor::new(Vec::new());
        self.write(&mut bytes).map_err(|error| IndexError::io(path, error))?;
        Ok(Records::of(container::in_memory(bytes.into_inner(), path)?, path))
    }
}

/// The records of a segment, read by many threads at once.
#[derive(Debug)]
pub(super) struct Records {
    /// Their file, which errors name.
    path: PathBuf,
    offsets: Section,
    rows: Section,
}

impl Records {
    pub(super) fn open(path: &Path) -> Result<Self, IndexError> {
        Ok(Records::of(container::open(path)?, path))
    }

    fn of([offsets, rows]: [Section; 2], path: &Path) -> Self {
        Records { path: path.to_owned(), offsets, rows }
    }

    /// Its file, which errors name.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Tells them that their file has another path now.
    pub(super) fn moved_to(&mut self, path: PathBuf) {
        self.path = path;
    }

    /// The hash of all of it.
    pub(super) fn seal(&self) -> u64 {
        self.offsets.seal()
    }

    /// How many there are.
    pub(super) fn len(&self) -> u32 {
        (self.offsets.len() / 8).saturating_sub(1) as u32
    }

    /// The record of the document of this number.
    pub(super) fn get(&self, number: u32) -> Result<Record, IndexError> {
        let at = u64::from(number) * 8;
        let row = || -> Option<Record> {
            let (from, to) = self.offsets.bytes(at, at + 16)?.split_first_chunk()?;
            let (from, to) = (u64::from_le_bytes(*from), u64::from_le_bytes(to.try_into().ok()?));
            Record::read(self.rows.bytes(from, to)?)
        };
        row().ok_or_else(|| IndexError::damaged(&self.path, "a checksum does not fit"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn records_come_back_as_they_went_in(
            rows in proptest::collection::vec(("\\PC{0,20}", proptest::option::of("\\PC{0,40}"), proptest::num::i64::ANY), 0..20),
        ) {
            let record = |(id, text, added): (String, Option<String>, i64)| Record {
                id,
                metadata: Metadata { author: text.clone(), collection: text.map(|text| text + "!"), ..Metadata::default() },
                added,
                generation: added as u32,
                content: added.to_le_bytes().to_vec(),
            };
            let expected: Vec<Record> = rows.into_iter().map(record).collect();
            let mut builder = RecordsBuilder::default();
            expected.iter().for_each(|record| builder.add(record));
            let records = builder.in_memory(Path::new("")).unwrap();
            assert_eq!(records.len() as usize, expected.len());
            for (number, record) in (0..).zip(&expected) {
                assert_eq!(&records.get(number).unwrap(), record);
            }
            assert!(records.get(records.len()).is_err());
        }

        #[test]
        fn arbitrary_bytes_are_no_record_and_never_panic(bytes: Vec<u8>) {
            let _ = Record::read(&bytes);
        }
    }
}
