//! Changing a catalogue: in one transaction, which is undone when it is dropped.

use super::{CATALOGUE_VERSION, Catalogue, DocumentPlace, SegmentRow, checksum, document_checksum};
use crate::index::error::IndexError;
use crate::sketch::settings::SketchSettings;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use std::ops::Deref;
use std::path::{Path, PathBuf};

const TABLES: &str = "
    CREATE TABLE settings (
        name TEXT PRIMARY KEY, value TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT;
    CREATE TABLE segments (
        segment INTEGER PRIMARY KEY, documents INTEGER NOT NULL, deleted INTEGER NOT NULL, bytes INTEGER NOT NULL,
        name TEXT NOT NULL UNIQUE, seal INTEGER NOT NULL, records_seal INTEGER NOT NULL, checksum INTEGER NOT NULL) STRICT;
    CREATE TABLE documents (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, checksum INTEGER NOT NULL) STRICT;
    CREATE TABLE deleted (
        segment INTEGER NOT NULL, local INTEGER NOT NULL, PRIMARY KEY (segment, local)) STRICT, WITHOUT ROWID;
    CREATE TABLE dropped (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
";

/// A transaction that no other writer works beside. All that a writer does to the files of an index it does in one.
pub(in crate::index) struct Change<'a> {
    catalogue: &'a Catalogue,
    transaction: Transaction<'a>,
}

/// What the transaction sees can be read.
impl Deref for Change<'_> {
    type Target = Catalogue;

    fn deref(&self) -> &Catalogue {
        self.catalogue
    }
}

impl Catalogue {
    /// A new one in a file that must not exist. It is closed when it is whole.
    pub(in crate::index) fn create(path: &Path, settings: &SketchSettings, texts: bool) -> Result<Self, IndexError> {
        let opened = Connection::open(path);
        let connection = opened.map_err(|error| IndexError::Catalogue { path: path.to_owned(), error })?;
        Catalogue::fill(connection, path.to_owned(), settings, texts)
    }

    /// A new one in memory.
    pub(in crate::index) fn in_memory(settings: &SketchSettings) -> Result<Self, IndexError> {
        let path = PathBuf::from("the corpus in memory");
        let connection =
            Connection::open_in_memory().map_err(|error| IndexError::Catalogue { path: path.clone(), error })?;
        Catalogue::fill(connection, path, settings, true)
    }

    fn fill(connection: Connection, path: PathBuf, settings: &SketchSettings, texts: bool) -> Result<Self, IndexError> {
        let catalogue = Catalogue { connection, path };
        catalogue.configure_writer()?;
        let change = catalogue.change()?;
        change.batch(TABLES)?;
        change.set("format", &CATALOGUE_VERSION.to_string())?;
        // A struct of numbers and fieldless enums always has a JSON form.
        change.set("sketch", &serde_json::to_string(settings).unwrap_or_default())?;
        change.set("texts", if texts { "kept" } else { "not kept" })?;
        change.set_generation(0)?;
        change.set_next_segment(1)?;
        change.commit()?;
        Ok(catalogue)
    }

    /// Begins a change; waits for another one to end.
    pub(in crate::index) fn change(&self) -> Result<Change<'_>, IndexError> {
        let transaction = Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate);
        Ok(Change { transaction: self.check(transaction)?, catalogue: self })
    }

    /// Gives the space of what was deleted back to the system.
    pub(in crate::index) fn shrink(&self) -> Result<(), IndexError> {
        self.check(self.connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);"))
    }
}

impl Change<'_> {
    /// Makes it real: when this returns, it is on the disk.
    pub(in crate::index) fn commit(self) -> Result<(), IndexError> {
        self.catalogue.check(self.transaction.commit())
    }

    pub(super) fn batch(&self, sql: &str) -> Result<(), IndexError> {
        self.check(self.transaction.execute_batch(sql))
    }

    pub(super) fn execute(&self, sql: &str, params: impl rusqlite::Params) -> Result<usize, IndexError> {
        self.check(self.check(self.transaction.prepare_cached(sql))?.execute(params))
    }

    pub(super) fn set(&self, name: &str, value: &str) -> Result<(), IndexError> {
        let sum = checksum([Some(name.as_bytes()), Some(value.as_bytes())]);
        self.execute("INSERT OR REPLACE INTO settings VALUES (?1, ?2, ?3)", params![name, value, sum]).map(drop)
    }

    pub(in crate::index) fn set_generation(&self, generation: u32) -> Result<(), IndexError> {
        self.set("generation", &generation.to_string())
    }

    pub(in crate::index) fn set_next_segment(&self, segment: u32) -> Result<(), IndexError> {
        self.set("next segment", &segment.to_string())
    }

    pub(in crate::index) fn put_segment(&self, row: &SegmentRow) -> Result<(), IndexError> {
        self.execute(
            "INSERT OR REPLACE INTO segments VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                row.segment,
                row.documents,
                row.deleted,
                row.bytes as i64,
                row.name,
                row.seals.segment as i64,
                row.seals.records as i64,
                row.checksum()
            ],
        )
        .map(drop)
    }

    /// Forgets a segment, whose live documents have moved, and remembers that its files may be removed.
    pub(in crate::index) fn drop_segment(&self, row: &SegmentRow) -> Result<(), IndexError> {
        self.execute("DELETE FROM segments WHERE segment = ?1", [row.segment])?;
        self.execute("DELETE FROM deleted WHERE segment = ?1", [row.segment])?;
        self.execute("INSERT OR IGNORE INTO dropped VALUES (?1)", [&row.name]).map(drop)
    }

    /// The files of a segment that was dropped are gone.
    pub(in crate::index) fn forget_dropped(&self, name: &str) -> Result<(), IndexError> {
        self.execute("DELETE FROM dropped WHERE name = ?1", [name]).map(drop)
    }

    /// Notes that a document stands at this place.
    pub(in crate::index) fn put(&self, place: DocumentPlace, id: &str) -> Result<(), IndexError> {
        let sum = document_checksum(place, id);
        self.execute("INSERT INTO documents VALUES (?1, ?2, ?3)", params![place.key(), id, sum]).map(drop)
    }

    /// Notes that a document has moved.
    pub(in crate::index) fn moved(&self, from: DocumentPlace, to: DocumentPlace, id: &str) -> Result<(), IndexError> {
        let sql = "UPDATE documents SET place = ?2, checksum = ?3 WHERE place = ?1 AND id = ?4";
        match self.execute(sql, params![from.key(), to.key(), document_checksum(to, id), id])? {
            1 => Ok(()),
            _ => Err(self.damaged("a document of a segment is not in the catalogue")),
        }
    }

    /// Removes the document of this id, if there is one.
    pub(in crate::index) fn remove(&self, id: &str) -> Result<(), IndexError> {
        let Some(place) = self.place_of(id)? else { return Ok(()) };
        self.execute("DELETE FROM documents WHERE place = ?1", [place.key()])?;
        self.mark_deleted(place)?;
        let sql = "SELECT segment, documents, deleted, bytes, name, seal, records_seal, checksum FROM segments WHERE segment = ?1";
        let found = self.check(self.transaction.prepare_cached(sql))?.query_row([place.segment], SegmentRow::read);
        match self.check(found.optional())? {
            Some((row, sum)) if row.checksum() == sum => {
                self.put_segment(&SegmentRow { deleted: row.deleted + 1, ..row })
            }
            _ => Err(self.damaged("a document's segment is not in the catalogue")),
        }
    }

    /// Marks a place as deleted; the segment's row must count it.
    pub(in crate::index) fn mark_deleted(&self, place: DocumentPlace) -> Result<(), IndexError> {
        self.execute("INSERT INTO deleted VALUES (?1, ?2)", [place.segment, place.local]).map(drop)
    }
}
