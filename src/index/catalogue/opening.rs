//! Opening a catalogue, for changing it or for a look at it.

use super::{CATALOGUE_VERSION, Catalogue};
use crate::index::error::IndexError;
use crate::index::layout;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// How long to wait for another process that is just committing.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often, and how long apart, a reader that may not write tries again while a writer comes or goes.
const ATTEMPTS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(25);

impl Catalogue {
    /// Lets `work` look at a catalogue as one commit left it. The look holds no writer up, and should be short: as long as it
    /// lasts, SQLite's write-ahead log grows. `work` may be called again when something came between.
    pub(in crate::index) fn read<T>(
        path: &Path,
        mut work: impl FnMut(&Catalogue) -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        let read_only = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut attempt = 1;
        loop {
            let catalogue = match Catalogue::open(path, Connection::open_with_flags(path, read_only)) {
                Err(IndexError::Catalogue { error, .. }) if wants_to_write(&error) => {
                    match read_unwritable(path, read_only, &mut work) {
                        Some(result) => return result,
                        None if attempt < ATTEMPTS => std::thread::sleep(PAUSE),
                        None => return Err(IndexError::UnreadableLog { path: layout::write_ahead_log(path) }),
                    }
                    attempt += 1;
                    continue;
                }
                opened => opened?,
            };
            return work(&catalogue);
        }
    }

    /// Opens one for changing it; the caller holds the index's lock.
    pub(in crate::index) fn open_writer(path: &Path) -> Result<Self, IndexError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let catalogue = Catalogue::open(path, Connection::open_with_flags(path, flags))?;
        // It was opened in a transaction, as for reading.
        catalogue.check(catalogue.connection.execute_batch("COMMIT"))?;
        catalogue.configure_writer()?;
        Ok(catalogue)
    }

    /// Begins a transaction that ends with the connection, and sees to it that this is a catalogue.
    fn open(path: &Path, connection: rusqlite::Result<Connection>) -> Result<Self, IndexError> {
        let connection = connection.map_err(|error| IndexError::Catalogue { path: path.to_owned(), error })?;
        let folder = path.parent().unwrap_or(path).to_owned();
        let catalogue = Catalogue { connection, path: path.to_owned() };
        catalogue.check(catalogue.connection.busy_timeout(PATIENCE))?;
        catalogue.check(catalogue.connection.execute_batch("BEGIN"))?;
        let tables: i64 = catalogue.check(catalogue.connection.query_row(
            "SELECT count(*) FROM sqlite_schema WHERE name IN ('settings', 'segments', 'documents')",
            [],
            |row| row.get(0),
        ))?;
        if tables != 3 {
            return Err(IndexError::NotAnIndex { path: folder });
        }
        match catalogue.get("format")?.parse().map_err(|_| catalogue.damaged("the format's number"))? {
            CATALOGUE_VERSION => Ok(catalogue),
            found => Err(IndexError::OtherFormat { path: folder, found, known: CATALOGUE_VERSION }),
        }
    }

    pub(super) fn configure_writer(&self) -> Result<(), IndexError> {
        self.check(self.connection.busy_timeout(PATIENCE))?;
        self.connection.set_prepared_statement_cache_capacity(32);
        // Readers go on while a writer writes, and a commit is on the disk when it returns.
        self.check(self.connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"))
    }
}

/// Whether SQLite could not open a catalogue because it would have to write a file beside it.
fn wants_to_write(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// Reads a catalogue where nothing can be written. SQLite then takes the file as it is, and knows of no log and no writer; so
/// there must be none, neither before nor after. `None` when there is, or one was there meanwhile.
fn read_unwritable<T>(
    path: &Path,
    read_only: OpenFlags,
    work: &mut impl FnMut(&Catalogue) -> Result<T, IndexError>,
) -> Option<Result<T, IndexError>> {
    let before = stamp(path)?;
    let uri = format!("file:{}?immutable=1", percent_encoded(path));
    let opened = Catalogue::open(path, Connection::open_with_flags(uri, read_only | OpenFlags::SQLITE_OPEN_URI));
    let result = opened.and_then(|catalogue| work(&catalogue));
    (stamp(path)? == before).then_some(result)
}

/// What changes when a catalogue is written; `None` when it has a log, which means that somebody writes or was interrupted.
fn stamp(path: &Path) -> Option<(u64, Option<SystemTime>)> {
    if fs::metadata(layout::write_ahead_log(path)).is_ok_and(|log| log.len() > 0) {
        return None;
    }
    // What cannot be looked at is the business of who opens it.
    Some(fs::metadata(path).map_or((0, None), |file| (file.len(), file.modified().ok())))
}

/// A path as it stands in a `file:` address.
fn percent_encoded(path: &Path) -> String {
    path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23")
}
