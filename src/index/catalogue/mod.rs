//! The catalogue: which documents there are, where they stand, and which segments are live.
//!
//! An SQLite database (in memory for a corpus that is not kept). Each change is one transaction. SQLite
//! notices damage to its own structure but not to what is stored in it, so every row carries a checksum.

mod change;
mod opening;

pub(super) use change::Change;

use super::error::IndexError;
use crate::sketch::settings::SketchSettings;
use ahash::AHashSet;
use rapidhash::v3::rapidhash_v3;
use rusqlite::{Connection, OptionalExtension, Row};
use std::path::{Path, PathBuf};

/// The version of the tables: the one that this program writes and reads.
pub(super) const CATALOGUE_VERSION: u32 = 8;

/// Where a document stands: the number of its segment, and its own number in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct DocumentPlace {
    /// The number of the segment.
    pub segment: u32,
    /// The number of the document within the segment.
    pub local: u32,
}

impl DocumentPlace {
    /// The place as one number, by which SQLite keeps the documents: the segment in the upper half.
    fn key(self) -> i64 {
        i64::from(self.segment) << 32 | i64::from(self.local)
    }

    fn of_key(key: i64) -> Self {
        DocumentPlace { segment: (key >> 32) as u32, local: key as u32 }
    }
}

/// A live segment as the catalogue lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SegmentRow {
    pub segment: u32,
    pub documents: u32,
    pub deleted: u32,
    /// Bytes of both files.
    pub bytes: u64,
    /// The name of both files, without extension.
    pub name: String,
    /// What the files must hold.
    pub seals: Seals,
}

/// The hashes of what the two files of a segment hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seals {
    pub segment: u64,
    pub records: u64,
}

impl SegmentRow {
    fn checksum(&self) -> i64 {
        let [segment, documents, deleted] = [self.segment, self.documents, self.deleted].map(u64::from);
        let numbers = [segment, documents, deleted, self.bytes, self.seals.segment, self.seals.records];
        checksum(numbers.map(u64::to_le_bytes).iter().map(|bytes| Some(&bytes[..])).chain([Some(self.name.as_bytes())]))
    }

    fn read(row: &Row) -> rusqlite::Result<(Self, i64)> {
        let long = |column: usize| row.get::<_, i64>(column).map(|number| number as u64);
        let found = SegmentRow {
            segment: row.get(0)?,
            documents: row.get(1)?,
            deleted: row.get(2)?,
            bytes: long(3)?,
            name: row.get(4)?,
            seals: Seals { segment: long(5)?, records: long(6)? },
        };
        Ok((found, row.get(7)?))
    }
}

/// The checksum of a row's fields, each with its length, so that none can pass for a part of its neighbour.
fn checksum<'a>(fields: impl IntoIterator<Item = Option<&'a [u8]>>) -> i64 {
    let mut bytes = Vec::new();
    for field in fields {
        match field {
            None => bytes.extend_from_slice(&u64::MAX.to_le_bytes()),
            Some(field) => {
                bytes.extend_from_slice(&(field.len() as u64).to_le_bytes());
                bytes.extend_from_slice(field);
            }
        }
    }
    rapidhash_v3(&bytes) as i64
}

/// The checksum of a document's row.
fn document_checksum(place: DocumentPlace, id: &str) -> i64 {
    checksum([Some(&place.key().to_le_bytes()[..]), Some(id.as_bytes())])
}

/// The catalogue of one index.
#[derive(Debug)]
pub(super) struct Catalogue {
    connection: Connection,
    path: PathBuf,
}

impl Catalogue {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn check<T>(&self, result: rusqlite::Result<T>) -> Result<T, IndexError> {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
        result.map_err(|error| match error.sqlite_error_code() {
            Some(DatabaseCorrupt | NotADatabase) => self.damaged(&error.to_string()),
            // A value of another type than the table declares was not written by this program.
            None if matches!(
                error,
                rusqlite::Error::InvalidColumnType(..)
                    | rusqlite::Error::FromSqlConversionFailure(..)
                    | rusqlite::Error::IntegralValueOutOfRange(..)
                    | rusqlite::Error::Utf8Error(..)
            ) =>
            {
                self.damaged(&error.to_string())
            }
            _ => IndexError::Catalogue { path: self.path.clone(), error },
        })
    }

    fn damaged(&self, what: &str) -> IndexError {
        IndexError::damaged(&self.path, what)
    }

    fn get(&self, name: &str) -> Result<String, IndexError> {
        let found: Option<(String, i64)> = self.check(
            self.connection
                .query_row("SELECT value, checksum FROM settings WHERE name = ?1", [name], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })
                .optional(),
        )?;
        match found {
            Some((value, sum)) if sum == checksum([Some(name.as_bytes()), Some(value.as_bytes())]) => Ok(value),
            _ => Err(self.damaged(&format!("the setting {name}"))),
        }
    }

    pub(super) fn settings(&self) -> Result<SketchSettings, IndexError> {
        serde_json::from_str(&self.get("sketch")?).map_err(|_| self.damaged("the settings"))
    }

    /// Whether texts are kept.
    pub(super) fn keeps_texts(&self) -> Result<bool, IndexError> {
        Ok(self.get("texts")? == "kept")
    }

    /// The number of the latest addition.
    pub(super) fn generation(&self) -> Result<u32, IndexError> {
        self.get("generation")?.parse().map_err(|_| self.damaged("the number of the latest addition"))
    }

    /// The number of the segment to be written next; numbers are never used twice.
    pub(super) fn next_segment(&self) -> Result<u32, IndexError> {
        self.get("next segment")?.parse().map_err(|_| self.damaged("the number of the next segment"))
    }

    /// The live segments, in the order of their numbers.
    pub(super) fn segments(&self) -> Result<Vec<SegmentRow>, IndexError> {
        let sql = "SELECT segment, documents, deleted, bytes, name, seal, records_seal, checksum FROM segments ORDER BY segment";
        let mut statement = self.check(self.connection.prepare_cached(sql))?;
        let rows = self.check(statement.query_map([], SegmentRow::read))?;
        rows.map(|row| match self.check(row)? {
            (row, sum) if row.checksum() == sum => Ok(row),
            _ => Err(self.damaged("the list of segments")),
        })
        .collect()
    }

    /// The names of segments that were merged, and whose files may still be there.
    pub(super) fn dropped(&self) -> Result<AHashSet<String>, IndexError> {
        let mut statement = self.check(self.connection.prepare_cached("SELECT name FROM dropped"))?;
        let rows = self.check(statement.query_map([], |row| row.get(0)))?;
        self.check(rows.collect())
    }

    /// The deleted documents of a segment.
    pub(super) fn deleted(&self, row: &SegmentRow) -> Result<AHashSet<u32>, IndexError> {
        let sql = "SELECT local FROM deleted WHERE segment = ?1";
        let mut statement = self.check(self.connection.prepare_cached(sql))?;
        let rows = self.check(statement.query_map([row.segment], |row| row.get(0)))?;
        let deleted: AHashSet<u32> = self.check(rows.collect())?;
        if deleted.len() != row.deleted as usize || deleted.iter().any(|&local| local >= row.documents) {
            return Err(self.damaged("the list of deleted documents"));
        }
        Ok(deleted)
    }

    /// Where the document of this id stands.
    pub(super) fn place_of(&self, id: &str) -> Result<Option<DocumentPlace>, IndexError> {
        let mut statement =
            self.check(self.connection.prepare_cached("SELECT place, checksum FROM documents WHERE id = ?1"))?;
        let found = statement.query_row([id], |row| Ok((DocumentPlace::of_key(row.get(0)?), row.get::<_, i64>(1)?)));
        match self.check(found.optional())? {
            Some((place, sum)) if document_checksum(place, id) != sum => Err(self.damaged("a document's row")),
            found => Ok(found.map(|(place, _)| place)),
        }
    }

    /// Calls `visit` with every document, in the order of their ids, until it fails.
    pub(super) fn for_each(
        &self,
        mut visit: impl FnMut(DocumentPlace, String) -> Result<(), IndexError>,
    ) -> Result<(), IndexError> {
        let sql = "SELECT place, id, checksum FROM documents ORDER BY id";
        let mut statement = self.check(self.connection.prepare_cached(sql))?;
        let rows = self.check(statement.query_map([], |row| {
            Ok((DocumentPlace::of_key(row.get(0)?), row.get::<_, String>(1)?, row.get::<_, i64>(2)?))
        }))?;
        for row in rows {
            let (place, id, sum) = self.check(row)?;
            if document_checksum(place, &id) != sum {
                return Err(self.damaged("a document's row"));
            }
            visit(place, id)?;
        }
        Ok(())
    }

    /// How many documents there are.
    pub(super) fn count(&self) -> Result<u64, IndexError> {
        Ok(self.segments()?.iter().map(|row| u64::from(row.documents - row.deleted.min(row.documents))).sum())
    }

    /// Lets SQLite look for damage in its own structure.
    pub(super) fn verify(&self) -> Result<(), IndexError> {
        let answer: String = self.check(self.connection.query_row("PRAGMA integrity_check(1)", [], |r| r.get(0)))?;
        if answer == "ok" { Ok(()) } else { Err(self.damaged(&answer)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    #[test]
    fn a_catalogue_of_another_version_is_refused_by_its_number() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("catalogue.sqlite");
        let catalogue = Catalogue::create(&path, &Settings::default().sketch, true).unwrap();
        let (older, newer) = (CATALOGUE_VERSION - 1, CATALOGUE_VERSION + 1);
        for (version, advice) in [(older, "build the index anew"), (newer, "a newer version of copytrace is needed")] {
            let change = catalogue.change().unwrap();
            change.set("format", &version.to_string()).unwrap();
            change.commit().unwrap();
            let read = Catalogue::read(&path, |_| Ok(())).map(|()| unreachable!());
            for opened in [read, Catalogue::open_writer(&path)] {
                let said = opened.unwrap_err().to_string();
                assert!(said.contains(&format!("format {version}")) && said.contains(advice), "{said}");
                assert!(said.starts_with(&home.path().display().to_string()) && !said.contains("sqlite"), "{said}");
            }
        }
    }

    #[test]
    fn a_row_whose_bytes_changed_is_damage() {
        let catalogue = Catalogue::in_memory(&Settings::default().sketch).unwrap();
        catalogue.connection.execute_batch("UPDATE settings SET value = 'kept!' WHERE name = 'texts'").unwrap();
        assert!(catalogue.keeps_texts().unwrap_err().to_string().contains("damaged"));
    }
}
