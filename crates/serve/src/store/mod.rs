//! What the service remembers: one SQLite database, written by one connection and read by several.

pub mod key;
pub mod rows;
pub mod secret;
pub(crate) mod word;

use crate::data_error::DataError;
use key::Key;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What brings a database from each version to the next, the first from nothing.
const MIGRATIONS: [&str; 16] = [
    include_str!("schema.sql"),
    include_str!("compared.sql"),
    include_str!("trust.sql"),
    include_str!("fair.sql"),
    include_str!("second_factor.sql"),
    include_str!("sealed.sql"),
    include_str!("office.sql"),
    include_str!("waiting.sql"),
    include_str!("providers.sql"),
    include_str!("mail.sql"),
    include_str!("webhooks.sql"),
    include_str!("reviewers.sql"),
    include_str!("terms.sql"),
    include_str!("harvests.sql"),
    include_str!("sharing.sql"),
    include_str!("lti.sql"),
];

/// Databases as they were before they were brought to a version have this in their names.
pub const BEFORE: &str = "db.before-";

/// The time in seconds since 1970 (UTC).
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64)
}

/// A change of the database, which knows the key that it seals with.
pub struct Transaction<'a> {
    inner: rusqlite::Transaction<'a>,
    /// The key.
    pub key: &'a Key,
}

impl<'a> Deref for Transaction<'a> {
    type Target = rusqlite::Transaction<'a>;

    fn deref(&self) -> &Self::Target {
        &self.inner
    }
}

/// The database of a service.
pub struct Store {
    path: PathBuf,
    key: Key,
    writer: Mutex<Connection>,
    readers: Mutex<Vec<Connection>>,
}

impl Store {
    /// Opens the database, makes it if there is none, and brings it to this version.
    ///
    /// # Errors
    /// When it is damaged, newer than this program, or cannot be written.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        Store::open_to(path, true)
    }

    /// Opens the database as another process may serve it meanwhile.
    ///
    /// # Errors
    /// When there is none, or it is not of this version.
    pub fn open_as_it_is(path: &Path) -> Result<Self, DataError> {
        match path.exists() {
            true => Store::open_to(path, false),
            false => Err(DataError::NoDataFolder { path: path.to_owned() }),
        }
    }

    fn open_to(path: &Path, migrates: bool) -> Result<Self, DataError> {
        let failed = DataError::sqlite(path);
        let mut writer = Connection::open(path).map_err(&failed)?;
        prepare(&writer).map_err(&failed)?;
        let said: String = writer.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(&failed)?;
        if said != "ok" {
            return Err(DataError::Damaged { path: path.to_owned(), said });
        }
        let found: u32 = writer.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(&failed)?;
        let known = MIGRATIONS.len() as u32;
        if found > known || found < known && !migrates {
            return Err(DataError::Newer { path: path.to_owned(), found, known });
        }
        if (1..known).contains(&found) {
            // What it was before, for whoever must go back to the version before. It goes with the first erasure.
            Store::copy_to(path, &path.with_extension(format!("{BEFORE}{known}")))?;
        }
        for (version, migration) in (1..).zip(MIGRATIONS).skip(found as usize) {
            migrate(&mut writer, migration, version).map_err(&failed)?;
        }
        let key = key::of(path, &mut writer, migrates)?;
        Ok(Store { path: path.to_owned(), key, writer: Mutex::new(writer), readers: Mutex::default() })
    }

    /// The key that rows are sealed with.
    pub fn key(&self) -> &Key {
        &self.key
    }

    fn writer(&self) -> MutexGuard<'_, Connection> {
        // A thread that panicked left its transaction to be rolled back.
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does work in one transaction, which is on the disk when this returns; an error takes all of it back.
    ///
    /// # Errors
    /// Those of the work, and of SQLite.
    pub fn write<T, E: From<rusqlite::Error>>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut writer = self.writer();
        let inner = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let transaction = Transaction { inner, key: &self.key };
        let done = work(&transaction)?;
        transaction.inner.commit()?;
        Ok(done)
    }

    /// Does work in one transaction that is taken back, to tell what it would come to.
    ///
    /// # Errors
    /// Those of the work, and of SQLite.
    pub fn rehearse<T, E: From<rusqlite::Error>>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut writer = self.writer();
        let inner = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        work(&Transaction { inner, key: &self.key })
    }

    /// Does work on one unchanging state of the database.
    ///
    /// # Errors
    /// Those of the work, and of SQLite.
    pub fn read<T, E: From<rusqlite::Error>>(&self, work: impl FnOnce(&Connection) -> Result<T, E>) -> Result<T, E> {
        let readers = || self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        let spare = readers().pop();
        let mut reader = match spare {
            Some(reader) => reader,
            None => {
                let reader = Connection::open_with_flags(&self.path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
                prepare(&reader)?;
                reader.pragma_update(None, "query_only", true)?;
                reader
            }
        };
        let transaction = reader.transaction()?;
        let done = work(&transaction);
        drop(transaction);
        let mut readers = readers();
        if readers.len() < 8 {
            readers.push(reader);
        }
        done
    }

    /// Writes what is in the log into the database and empties the log: nothing that was deleted stands in it any more.
    ///
    /// # Errors
    /// When readers do not end within some seconds, or the disk fails.
    pub fn empty_log(&self) -> Result<(), rusqlite::Error> {
        for _ in 0..50 {
            self.readers.lock().unwrap_or_else(PoisonError::into_inner).clear();
            let busy: i64 = self.writer().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
            if busy == 0 {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Err(rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY), None))
    }

    /// Copies the database to another file while it is in use.
    ///
    /// # Errors
    /// When the other file cannot be written.
    pub fn copy_to(path: &Path, target: &Path) -> Result<(), DataError> {
        let copied = || {
            let from = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
            from.busy_timeout(Duration::from_secs(30))?;
            let mut to = Connection::open(target)?;
            rusqlite::backup::Backup::new(&from, &mut to)?.run_to_completion(i32::MAX, Duration::ZERO, None)
        };
        copied().map_err(DataError::sqlite(path))
    }
}

fn prepare(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection.busy_timeout(Duration::from_secs(30))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // What is deleted is overwritten.
    connection.pragma_update(None, "secure_delete", true)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(())
}

fn migrate(connection: &mut Connection, sql: &str, version: u32) -> Result<(), rusqlite::Error> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(sql)?;
    transaction.pragma_update(None, "user_version", version)?;
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_opened_again_and_a_newer_or_damaged_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("service.db");
        let store = Store::open(&path).unwrap();
        let insert = "INSERT INTO setting VALUES ('name', 'value')";
        store.write(|t| t.execute(insert, [])).unwrap();
        assert!(store.write(|t| t.execute(insert, [])).is_err());
        drop(store);
        let store = Store::open(&path).unwrap();
        let value: String =
            store.read(|c| c.query_row("SELECT value FROM setting WHERE name = 'name'", [], |row| row.get(0))).unwrap();
        assert_eq!(value, "value");
        store.write(|t| t.pragma_update(None, "user_version", 99)).unwrap();
        drop(store);
        assert!(matches!(Store::open(&path), Err(DataError::Newer { found: 99, .. })));
        std::fs::write(&path, [b'x'; 8192]).unwrap();
        assert!(Store::open(&path).is_err());
    }

    #[test]
    fn a_database_is_copied_before_it_is_brought_to_this_version() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("service.db");
        let mut old = Connection::open(&path).unwrap();
        for (version, migration) in (1..).zip(&MIGRATIONS[..2]) {
            migrate(&mut old, migration, version).unwrap();
        }
        drop(old);
        assert!(matches!(Store::open_as_it_is(&path), Err(DataError::Newer { found: 2, .. })));
        drop(Store::open(&path).unwrap());
        drop(Store::open_as_it_is(&path).unwrap());
        let before = Connection::open(path.with_extension(format!("{BEFORE}{}", MIGRATIONS.len()))).unwrap();
        let version: u32 = before.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
        assert_eq!(version, 2);
    }

    #[test]
    fn collections_of_before_units_had_some_are_the_institution_s_and_news_that_wait_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("service.db");
        let mut old = Connection::open(&path).unwrap();
        let before = MIGRATIONS.iter().take_while(|migration| !migration.contains("CREATE TABLE share("));
        for (version, migration) in (1..).zip(before) {
            migrate(&mut old, migration, version).unwrap();
        }
        old.execute_batch(
            "PRAGMA foreign_keys = 0; INSERT INTO unit(id, name) VALUES (1, 'whole');
             INSERT INTO collection(id, name, folder, wording, made) VALUES (1, 'Open', 'collections/1-Open', 'everyone', 0);
             INSERT INTO person(id, state, made) VALUES ('p', 'active', 0);
             INSERT INTO submission VALUES ('s', 'r', 'p', 'draft', 1, 'f', NULL, NULL, 1, 0, 'p', 'kept');
             INSERT INTO notice VALUES ('p', 'verdict', 's', 7);",
        )
        .unwrap();
        drop(old);
        let store = Store::open(&path).unwrap();
        let kept: (i64, i64) = store
            .read(|c| rows::one(c, "SELECT unit, (SELECT made FROM notice WHERE kind = 'verdict') FROM collection", []))
            .unwrap();
        assert_eq!(kept, (1, 7));
    }

    #[test]
    fn an_error_takes_the_whole_transaction_back() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("service.db")).unwrap();
        let failed: Result<(), rusqlite::Error> = store.write(|t| {
            t.execute("INSERT INTO setting VALUES ('a', 'b')", [])?;
            Err(rusqlite::Error::QueryReturnedNoRows)
        });
        assert!(failed.is_err());
        let rows: i64 =
            store.read(|c| c.query_row("SELECT count(*) FROM setting WHERE name = 'a'", [], |row| row.get(0))).unwrap();
        assert_eq!(rows, 0);
    }
}
