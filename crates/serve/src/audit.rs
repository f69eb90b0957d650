//! The audit log: who did what, and when, in rows that each hold the hash of the one before.
//!
//! A row that was changed or taken out is found by [`verify`]. Rows taken from the end are found by whoever noted the
//! [`head`] elsewhere. Rows hold ids only, no names and no wording, so a person can be erased and the chain stays whole.

use crate::fault::Fault;
use crate::folder::DATABASE;
use crate::log;
use crate::store::Store;
use crate::store::rows::{self, FromRow, read_by_name};
use crate::store::secret::hexadecimal;
use rusqlite::{Connection, OpenFlags, Transaction, params};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// One row.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its number, from 1.
    pub n: i64,
    /// When, in seconds since 1970 (UTC).
    pub at: i64,
    /// Who; none for the program itself and for somebody who is not signed in.
    pub person: Option<String>,
    /// What was done.
    pub action: String,
    /// To which object, by its id.
    pub object: String,
    /// What else is told.
    pub detail: String,
    /// The hash of this row and, through the one before, of all earlier ones.
    pub chain: Vec<u8>,
}

impl Entry {
    /// The hash that belongs to this row after one with the hash `before`.
    fn seal(&self, before: &[u8]) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(before);
        hash.update(self.n.to_le_bytes());
        hash.update(self.at.to_le_bytes());
        for field in [self.person.as_deref().unwrap_or_default(), &self.action, &self.object, &self.detail] {
            hash.update((field.len() as u64).to_le_bytes());
            hash.update(field.as_bytes());
        }
        hash.finalize().into()
    }
}

read_by_name!(Entry: n at person action object detail chain);

/// The number and hash of the last row; 0 and nothing when there is none.
///
/// # Errors
/// When the database cannot be read.
pub fn head(connection: &Connection) -> Result<(i64, Vec<u8>), rusqlite::Error> {
    let last = "SELECT n, chain FROM audit ORDER BY n DESC LIMIT 1";
    Ok(rows::first(connection, last, [])?.unwrap_or_default())
}

/// Adds a row, in the transaction of what it tells.
///
/// # Errors
/// When the database cannot be written.
pub fn record(
    transaction: &Transaction<'_>,
    person: Option<&str>,
    action: &str,
    object: &str,
    detail: &str,
) -> Result<(), Fault> {
    let (last, before) = head(transaction)?;
    let mut entry = Entry {
        n: last + 1,
        at: crate::store::now(),
        person: person.map(str::to_owned),
        action: action.to_owned(),
        object: object.to_owned(),
        detail: detail.to_owned(),
        chain: Vec::new(),
    };
    entry.chain = entry.seal(&before).to_vec();
    let Entry { n, at, person, action, object, detail, chain } = entry;
    let sql = "INSERT INTO audit(n, at, person, action, object, detail, chain) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    transaction.execute(sql, params![n, at, person, action, object, detail, chain])?;
    Ok(())
}

/// Rows before the number `before`, the newest first.
///
/// # Errors
/// When the database cannot be read.
pub fn page(connection: &Connection, before: i64, most: usize) -> Result<Vec<Entry>, rusqlite::Error> {
    let sql = "SELECT n, at, person, action, object, detail, chain FROM audit WHERE n < ?1 ORDER BY n DESC LIMIT ?2";
    rows::all(connection, sql, params![before, most as i64])
}

/// The number of rows if all of them are as they were written, else the number of the first that is not.
///
/// # Errors
/// When the database cannot be read.
pub fn verify(connection: &Connection) -> Result<Result<i64, i64>, rusqlite::Error> {
    let mut statement =
        connection.prepare("SELECT n, at, person, action, object, detail, chain FROM audit ORDER BY n")?;
    let (mut expected, mut before) = (1, Vec::new());
    for entry in statement.query_map([], Entry::from_row)? {
        let entry = entry?;
        if entry.n != expected || entry.seal(&before)[..] != entry.chain[..] {
            return Ok(Err(expected));
        }
        (expected, before) = (expected + 1, entry.chain);
    }
    Ok(Ok(expected - 1))
}

/// What was done to which object, as the log of a data folder tells it, or a copy of the log.
///
/// # Errors
/// When it cannot be read.
pub fn actions(log: &Path) -> Result<Vec<(String, String)>, Fault> {
    if log.is_dir() {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
        let connection = Connection::open_with_flags(log.join(DATABASE), flags)?;
        return Ok(rows::all(&connection, "SELECT action, object FROM audit ORDER BY n", [])?);
    }
    let copied = std::fs::read_to_string(log)?;
    let rows = copied.lines().map(|line| serde_json::from_str::<Copied>(line));
    Ok(rows.map(|row| row.map(|row| (row.action, row.object))).collect::<Result<_, _>>()?)
}

/// A row as the copy of the log has it, a line of JSON.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Copied {
    n: i64,
    at: i64,
    person: Option<String>,
    action: String,
    object: String,
    detail: String,
    /// In hexadecimal.
    chain: String,
}

/// Adds the rows after number `told` to a file elsewhere, and gives the number of the last.
///
/// # Errors
/// When the database cannot be read or the file cannot be written.
pub fn copy_after(connection: &Connection, told: i64, file: &Path) -> Result<i64, Fault> {
    let sql = "SELECT n, at, person, action, object, detail, chain FROM audit WHERE n > ?1 ORDER BY n";
    let mut lines = String::new();
    let mut last = told;
    for Entry { n, at, person, action, object, detail, chain } in rows::all::<Entry>(connection, sql, [told])? {
        let copied = Copied { n, at, person, action, object, detail, chain: hexadecimal(&chain) };
        lines.push_str(&serde_json::to_string(&copied)?);
        lines.push('\n');
        last = n;
    }
    if !lines.is_empty() {
        let mut target = std::fs::File::options().create(true).append(true).open(file)?;
        target.write_all(lines.as_bytes())?;
        target.sync_all()?;
    }
    Ok(last)
}

/// How often the copy is brought up to date, in seconds.
const COPY: u64 = 2;

/// Keeps a copy of the log elsewhere for as long as the server runs.
pub async fn watch(store: Arc<Store>, file: PathBuf) {
    let mut told = copied_until(&file);
    loop {
        told = match told {
            Ok(last) => {
                let (store, file) = (Arc::clone(&store), file.clone());
                let copied = tokio::task::spawn_blocking(move || store.read(|c| copy_after(c, last, &file)));
                copied.await.unwrap_or_else(|error| Err(Fault::Failed(error.to_string())))
            }
            Err(fault) => {
                log::failed("audit", &format!("{}: {fault:?}", file.display()));
                copied_until(&file)
            }
        };
        tokio::time::sleep(Duration::from_secs(COPY)).await;
    }
}

/// The number of the last row that a copy has; 0 when there is none.
///
/// # Errors
/// When it is there and cannot be read.
pub fn copied_until(file: &Path) -> Result<i64, Fault> {
    match std::fs::read_to_string(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(0),
        copied => match copied?.lines().next_back() {
            Some(last) => Ok(serde_json::from_str::<Copied>(last)?.n),
            None => Ok(0),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_was_changed_or_taken_out_is_found() {
        let changes = [
            ("UPDATE audit SET action = 'other' WHERE n = 3", Err(3)),
            ("UPDATE audit SET at = at + 1 WHERE n = 2", Err(2)),
            ("UPDATE audit SET person = NULL WHERE n = 4", Err(4)),
            ("DELETE FROM audit WHERE n = 1", Err(1)),
            ("UPDATE audit SET object = object || 'x', detail = '' WHERE n = 5", Err(5)),
            ("UPDATE setting SET value = ''", Ok(5)),
        ];
        for (change, expected) in changes {
            let folder = tempfile::tempdir().unwrap();
            let store = Store::open(&folder.path().join("service.db")).unwrap();
            store.write(|t| (0..5).try_for_each(|n| record(t, Some("person"), "action", &n.to_string(), "x"))).unwrap();
            assert_eq!(store.read(verify).unwrap(), Ok(5));
            store.write(|t| t.execute(change, [])).unwrap();
            assert_eq!(store.read(verify).unwrap(), expected, "{change}");
        }
    }
}
