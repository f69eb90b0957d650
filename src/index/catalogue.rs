//! The catalogue: which documents there are, what is known of them, where they stand, and which segments are live.
//!
//! An SQLite database (in memory for a corpus that is not kept). What it says becomes true in one transaction. SQLite
//! notices damage to its own structure but not to what is stored in it, so every row carries a checksum.

use super::error::IndexError;
use crate::sketch::settings::SketchSettings;
use crate::text::{Document, Metadata};
use rapidhash::v3::rapidhash_v3;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, params};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The version of the tables that this program writes and reads.
pub(super) const CATALOGUE_VERSION: u32 = 2;

/// How long to wait for another process that is just committing.
const PATIENCE: Duration = Duration::from_secs(30);

const TABLES: &str = "
    CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT;
    CREATE TABLE segments (
        segment INTEGER PRIMARY KEY, documents INTEGER NOT NULL, deleted INTEGER NOT NULL, bytes INTEGER NOT NULL,
        checksum INTEGER NOT NULL) STRICT;
    CREATE TABLE documents (
        place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, generation INTEGER NOT NULL, added INTEGER NOT NULL,
        content BLOB NOT NULL, title TEXT, author TEXT, date TEXT, collection TEXT, checksum INTEGER NOT NULL) STRICT;
    CREATE TABLE deleted (
        segment INTEGER NOT NULL, local INTEGER NOT NULL, PRIMARY KEY (segment, local)) STRICT, WITHOUT ROWID;
";

/// What is read of a document, in this order.
const COLUMNS: &str = "place, id, generation, added, content, title, author, date, collection, checksum";

/// Where a document stands: the number of its segment, and its own number in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The number of the segment.
    pub segment: u32,
    /// The number of the document within the segment.
    pub local: u32,
}

impl Place {
    /// The place as one number, by which SQLite keeps the documents: the segment in the upper half.
    fn key(self) -> i64 {
        i64::from(self.segment) << 32 | i64::from(self.local)
    }

    fn of_key(key: i64) -> Self {
        Place { segment: (key >> 32) as u32, local: key as u32 }
    }
}

/// What the catalogue knows of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The document's id.
    pub id: String,
    /// Title, author, date and collection.
    pub metadata: Metadata,
    /// When it was added, in seconds since 1970 (UTC).
    pub added: i64,
    /// The number of the addition that brought it: 1 for the first, and so on.
    pub generation: u32,
    /// Where it stands.
    pub(super) place: Place,
    /// SHA-256 of the text and the metadata.
    pub(super) content: Vec<u8>,
}

/// A live segment as the catalogue lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SegmentRow {
    pub segment: u32,
    pub documents: u32,
    pub deleted: u32,
    pub bytes: u64,
}

impl SegmentRow {
    fn checksum(&self) -> i64 {
        let numbers = [u64::from(self.segment), u64::from(self.documents), u64::from(self.deleted), self.bytes];
        checksum(numbers.map(u64::to_le_bytes).iter().map(|bytes| Some(&bytes[..])))
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

impl Record {
    /// Where the document stands.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    fn checksum(&self) -> i64 {
        let numbers = [self.place.key(), i64::from(self.generation), self.added].map(i64::to_le_bytes);
        let Metadata { title, author, date, collection } = &self.metadata;
        let texts = [title, author, date, collection].map(|field| field.as_ref().map(String::as_bytes));
        let fields = numbers.iter().map(|bytes| Some(&bytes[..]));
        checksum(fields.chain([Some(self.id.as_bytes()), Some(&self.content[..])]).chain(texts))
    }

    /// Reads a row of [`COLUMNS`], by their numbers: looking their names up takes longer than all the rest.
    fn read(row: &Row) -> rusqlite::Result<(Record, i64)> {
        let record = Record {
            place: Place::of_key(row.get(0)?),
            id: row.get(1)?,
            generation: row.get(2)?,
            added: row.get(3)?,
            content: row.get(4)?,
            metadata: Metadata { title: row.get(5)?, author: row.get(6)?, date: row.get(7)?, collection: row.get(8)? },
        };
        Ok((record, row.get(9)?))
    }
}

/// The catalogue of one index.
#[derive(Debug)]
pub(super) struct Catalogue {
    connection: Connection,
    path: PathBuf,
}

impl Catalogue {
    /// A new one in a file that must not exist, or in memory.
    pub(super) fn create(path: Option<&Path>, settings: &SketchSettings, texts: bool) -> Result<Self, IndexError> {
        let connection = match path {
            Some(path) => Connection::open(path),
            None => Connection::open_in_memory(),
        };
        let path = path.unwrap_or(Path::new("the corpus in memory")).to_owned();
        let connection = connection.map_err(|source| IndexError::Catalogue { path: path.clone(), source })?;
        let catalogue = Catalogue { connection, path };
        catalogue.configure_writer()?;
        catalogue.batch("BEGIN IMMEDIATE")?;
        catalogue.batch(TABLES)?;
        catalogue.set("format", &CATALOGUE_VERSION.to_string())?;
        catalogue.set("sketch", &to_json(settings))?;
        catalogue.set("texts", if texts { "kept" } else { "not kept" })?;
        catalogue.set("generation", "0")?;
        catalogue.set("next segment", "1")?;
        catalogue.batch("COMMIT")?;
        Ok(catalogue)
    }

    /// Opens one for reading. What is read stays as it was when it was opened, whatever others write.
    pub(super) fn open_reader(path: &Path) -> Result<Self, IndexError> {
        let attempt = |connection: rusqlite::Result<Connection>| -> Result<Self, IndexError> {
            let connection = connection.map_err(|source| IndexError::Catalogue { path: path.to_owned(), source })?;
            let catalogue = Catalogue { connection, path: path.to_owned() };
            catalogue.patient()?;
            catalogue.batch("BEGIN")?;
            catalogue.require_known_format()?;
            Ok(catalogue)
        };
        let read_only = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = attempt(Connection::open_with_flags(path, read_only));
        match opened {
            // On a read-only disk SQLite cannot make its shared-memory file; nobody can write there either.
            Err(IndexError::Catalogue { ref source, .. })
                if matches!(
                    source.sqlite_error_code(),
                    Some(rusqlite::ErrorCode::CannotOpen | rusqlite::ErrorCode::ReadOnly)
                ) =>
            {
                let uri = format!("file:{}?immutable=1", percent_encoded(path));
                attempt(Connection::open_with_flags(uri, read_only | OpenFlags::SQLITE_OPEN_URI))
            }
            other => other,
        }
    }

    /// Opens one for writing; the caller holds the index's lock.
    pub(super) fn open_writer(path: &Path) -> Result<Self, IndexError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)
            .map_err(|source| IndexError::Catalogue { path: path.to_owned(), source })?;
        let catalogue = Catalogue { connection, path: path.to_owned() };
        catalogue.patient()?;
        catalogue.require_known_format()?;
        catalogue.configure_writer()?;
        Ok(catalogue)
    }

    fn patient(&self) -> Result<(), IndexError> {
        self.check(self.connection.busy_timeout(PATIENCE))
    }

    fn configure_writer(&self) -> Result<(), IndexError> {
        self.patient()?;
        self.connection.set_prepared_statement_cache_capacity(32);
        // Readers go on while a writer writes, and a commit is on the disk when it returns.
        self.batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
    }

    fn require_known_format(&self) -> Result<(), IndexError> {
        let not_an_index = || IndexError::NotAnIndex { path: self.path.parent().unwrap_or(&self.path).to_owned() };
        let tables: i64 = self.check(self.connection.query_row(
            "SELECT count(*) FROM sqlite_schema WHERE name IN ('settings', 'segments', 'documents')",
            [],
            |row| row.get(0),
        ))?;
        if tables != 3 {
            return Err(not_an_index());
        }
        let found: u32 = self.get("format")?.parse().map_err(|_| self.damaged("the format's number"))?;
        if found != CATALOGUE_VERSION {
            return Err(IndexError::OtherFormat { path: self.path.clone(), found, known: CATALOGUE_VERSION });
        }
        Ok(())
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn check<T>(&self, result: rusqlite::Result<T>) -> Result<T, IndexError> {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
        result.map_err(|source| match source.sqlite_error_code() {
            Some(DatabaseCorrupt | NotADatabase) => self.damaged(&source.to_string()),
            // A value of another type than the table declares was not written by this program.
            None if matches!(
                source,
                rusqlite::Error::InvalidColumnType(..)
                    | rusqlite::Error::FromSqlConversionFailure(..)
                    | rusqlite::Error::IntegralValueOutOfRange(..)
                    | rusqlite::Error::Utf8Error(..)
            ) =>
            {
                self.damaged(&source.to_string())
            }
            _ => IndexError::Catalogue { path: self.path.clone(), source },
        })
    }

    fn damaged(&self, what: &str) -> IndexError {
        IndexError::damaged(&self.path, what)
    }

    pub(super) fn batch(&self, sql: &str) -> Result<(), IndexError> {
        self.check(self.connection.execute_batch(sql))
    }

    fn set(&self, name: &str, value: &str) -> Result<(), IndexError> {
        let sum = checksum([Some(name.as_bytes()), Some(value.as_bytes())]);
        self.check(
            self.connection.execute("INSERT OR REPLACE INTO settings VALUES (?1, ?2, ?3)", params![name, value, sum]),
        )?;
        Ok(())
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

    pub(super) fn set_generation(&self, generation: u32) -> Result<(), IndexError> {
        self.set("generation", &generation.to_string())
    }

    /// The number of the segment to be written next; numbers are never used twice.
    pub(super) fn next_segment(&self) -> Result<u32, IndexError> {
        self.get("next segment")?.parse().map_err(|_| self.damaged("the number of the next segment"))
    }

    pub(super) fn set_next_segment(&self, segment: u32) -> Result<(), IndexError> {
        self.set("next segment", &segment.to_string())
    }

    pub(super) fn segments(&self) -> Result<Vec<SegmentRow>, IndexError> {
        let sql = "SELECT segment, documents, deleted, bytes, checksum FROM segments ORDER BY segment";
        let mut statement = self.check(self.connection.prepare_cached(sql))?;
        let rows = self.check(statement.query_map([], |row| {
            let found = SegmentRow {
                segment: row.get(0)?,
                documents: row.get(1)?,
                deleted: row.get(2)?,
                bytes: row.get::<_, i64>(3)? as u64,
            };
            Ok((found, row.get::<_, i64>(4)?))
        }))?;
        rows.map(|row| match self.check(row)? {
            (row, sum) if row.checksum() == sum => Ok(row),
            _ => Err(self.damaged("the list of segments")),
        })
        .collect()
    }

    pub(super) fn put_segment(&self, row: SegmentRow) -> Result<(), IndexError> {
        self.check(self.connection.execute(
            "INSERT OR REPLACE INTO segments VALUES (?1, ?2, ?3, ?4, ?5)",
            params![row.segment, row.documents, row.deleted, row.bytes as i64, row.checksum()],
        ))?;
        Ok(())
    }

    /// Forgets a segment and its deleted documents. Live documents must have moved elsewhere before.
    pub(super) fn remove_segment(&self, segment: u32) -> Result<(), IndexError> {
        self.check(self.connection.execute("DELETE FROM segments WHERE segment = ?1", [segment]))?;
        self.check(self.connection.execute("DELETE FROM deleted WHERE segment = ?1", [segment]))?;
        Ok(())
    }

    /// The deleted documents of a segment, in order.
    pub(super) fn deleted(&self, row: &SegmentRow) -> Result<Vec<u32>, IndexError> {
        let sql = "SELECT local FROM deleted WHERE segment = ?1 ORDER BY local";
        let mut statement = self.check(self.connection.prepare_cached(sql))?;
        let rows = self.check(statement.query_map([row.segment], |row| row.get(0)))?;
        let deleted: Vec<u32> = self.check(rows.collect())?;
        if deleted.len() != row.deleted as usize || deleted.iter().any(|&local| local >= row.documents) {
            return Err(self.damaged("the list of deleted documents"));
        }
        Ok(deleted)
    }

    /// The first document that a condition selects.
    fn one(&self, condition: &str, params: impl rusqlite::Params) -> Result<Option<Record>, IndexError> {
        let sql = format!("SELECT {COLUMNS} FROM documents WHERE {condition} LIMIT 1");
        let mut statement = self.check(self.connection.prepare_cached(&sql))?;
        match self.check(statement.query_row(params, Record::read).optional())? {
            None => Ok(None),
            Some((record, sum)) if record.checksum() == sum => Ok(Some(record)),
            Some(_) => Err(self.damaged("a document's row")),
        }
    }

    pub(super) fn by_id(&self, id: &str) -> Result<Option<Record>, IndexError> {
        self.one("id = ?1", [id])
    }

    /// The document that stands at a place where one must stand.
    pub(super) fn at(&self, place: Place) -> Result<Record, IndexError> {
        self.one("place = ?1", [place.key()])?
            .ok_or_else(|| self.damaged("a document of a segment is not in the catalogue"))
    }

    /// Calls `visit` with every document, in the order of their ids, until it fails.
    pub(super) fn for_each(&self, mut visit: impl FnMut(Record) -> Result<(), IndexError>) -> Result<(), IndexError> {
        let sql = format!("SELECT {COLUMNS} FROM documents ORDER BY id");
        let mut statement = self.check(self.connection.prepare_cached(&sql))?;
        let rows = self.check(statement.query_map([], Record::read))?;
        for row in rows {
            let (record, sum) = self.check(row)?;
            if record.checksum() != sum {
                return Err(self.damaged("a document's row"));
            }
            visit(record)?;
        }
        Ok(())
    }

    /// Some document that one addition brought; `None` when none of them is left.
    pub(super) fn one_of_generation(&self, generation: u32) -> Result<Option<Record>, IndexError> {
        // What came last stands last, so the search ends soon.
        self.one("generation = ?1 ORDER BY place DESC", [generation])
    }

    /// Where the documents stand that one addition brought.
    pub(super) fn places_of_generation(&self, generation: u32) -> Result<Vec<Place>, IndexError> {
        let mut places = Vec::new();
        self.for_each(|record| {
            if record.generation == generation {
                places.push(record.place);
            }
            Ok(())
        })?;
        Ok(places)
    }

    /// Inserts a document, or puts it in the stead of the one with its id.
    pub(super) fn put(&self, record: &Record) -> Result<(), IndexError> {
        let values = "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10";
        let sql = format!("INSERT OR REPLACE INTO documents ({COLUMNS}) VALUES ({values})");
        let mut statement = self.check(self.connection.prepare_cached(&sql))?;
        let Metadata { title, author, date, collection } = &record.metadata;
        self.check(statement.execute(params![
            record.place.key(),
            record.id,
            record.generation,
            record.added,
            record.content,
            title,
            author,
            date,
            collection,
            record.checksum()
        ]))?;
        Ok(())
    }

    /// Forgets a document and marks its place as deleted.
    pub(super) fn delete(&self, record: &Record) -> Result<(), IndexError> {
        self.check(self.connection.execute("DELETE FROM documents WHERE place = ?1", [record.place.key()]))?;
        self.mark_deleted(record.place)
    }

    /// Marks the place of a document that is elsewhere now, or nowhere.
    pub(super) fn mark_deleted(&self, place: Place) -> Result<(), IndexError> {
        self.check(self.connection.execute("INSERT INTO deleted VALUES (?1, ?2)", [place.segment, place.local]))?;
        let row = self.segments()?.into_iter().find(|row| row.segment == place.segment);
        let row = row.ok_or_else(|| self.damaged("a document's segment is not in the catalogue"))?;
        self.put_segment(SegmentRow { deleted: row.deleted + 1, ..row })
    }

    /// How many documents there are.
    pub(super) fn count(&self) -> Result<u64, IndexError> {
        let count: i64 = self.check(self.connection.query_row("SELECT count(*) FROM documents", [], |r| r.get(0)))?;
        Ok(count as u64)
    }

    /// Gives the space of what was deleted back to the system.
    pub(super) fn shrink(&self) -> Result<(), IndexError> {
        self.batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")
    }

    /// Lets SQLite look for damage in its own structure.
    pub(super) fn verify(&self) -> Result<(), IndexError> {
        let answer: String = self.check(self.connection.query_row("PRAGMA integrity_check(1)", [], |r| r.get(0)))?;
        if answer == "ok" { Ok(()) } else { Err(self.damaged(&answer)) }
    }
}

fn to_json(settings: &SketchSettings) -> String {
    // A struct of numbers and fieldless enums always has a JSON form.
    serde_json::to_string(settings).unwrap_or_default()
}

/// A path as it stands in a `file:` address.
fn percent_encoded(path: &Path) -> String {
    path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23")
}

/// SHA-256 of a document's text and metadata: whether it changed since it was added.
pub fn content_hash(document: &Document) -> Vec<u8> {
    use sha2::{Digest, Sha256};
    let mut hash = Sha256::new();
    let Metadata { title, author, date, collection } = &document.metadata;
    for field in [Some(&document.text), title.as_ref(), author.as_ref(), date.as_ref(), collection.as_ref()] {
        match field {
            None => hash.update([0]),
            Some(field) => {
                hash.update([1]);
                hash.update((field.len() as u64).to_le_bytes());
                hash.update(field.as_bytes());
            }
        }
    }
    hash.finalize().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    #[test]
    fn a_catalogue_of_another_version_is_refused_by_its_number() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("catalogue.sqlite");
        let catalogue = Catalogue::create(Some(&path), &Settings::default().sketch, true).unwrap();
        for (version, advice) in [("1", "to a new index"), ("3", "a newer version of copytrace is needed")] {
            catalogue.set("format", version).unwrap();
            for opened in [Catalogue::open_reader(&path), Catalogue::open_writer(&path)] {
                let said = opened.unwrap_err().to_string();
                assert!(said.contains(&format!("format {version}")) && said.contains(advice), "{said}");
            }
        }
    }

    #[test]
    fn a_row_whose_bytes_changed_is_damage() {
        let catalogue = Catalogue::create(None, &Settings::default().sketch, true).unwrap();
        catalogue.batch("UPDATE settings SET value = 'kept!' WHERE name = 'texts'").unwrap();
        assert!(catalogue.keeps_texts().unwrap_err().to_string().contains("damaged"));
    }
}
