//! Collections: the indexes of reference documents that rounds compare with.

use crate::fault::{BAD_FIELD, CONFLICT, Fault, NOT_FOUND, refused};
use crate::store::now;
use copytrace::index::{IndexError, IndexWriter};
use copytrace::settings::Settings;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde::Serialize;
use std::path::Path;

/// A collection.
#[derive(Debug, Clone, Serialize)]
pub struct Collection {
    /// Its id.
    pub id: i64,
    /// What it is called.
    pub name: String,
    /// The folder of its index, below the data folder.
    pub folder: String,
    /// Whether students may read its wording in their reports; else only staff may.
    pub open: bool,
}

fn read(row: &rusqlite::Row<'_>) -> Result<Collection, rusqlite::Error> {
    let wording: String = row.get(3)?;
    Ok(Collection { id: row.get(0)?, name: row.get(1)?, folder: row.get(2)?, open: wording == "everyone" })
}

/// All collections, by name.
///
/// # Errors
/// When the database cannot be read.
pub fn all(connection: &Connection) -> Result<Vec<Collection>, rusqlite::Error> {
    let sql = "SELECT id, name, folder, wording FROM collection ORDER BY name";
    connection.prepare_cached(sql)?.query_map([], read)?.collect()
}

/// The collection of this id.
///
/// # Errors
/// When there is none.
pub fn get(connection: &Connection, id: i64) -> Result<Collection, Fault> {
    let sql = "SELECT id, name, folder, wording FROM collection WHERE id = ?1";
    connection.prepare_cached(sql)?.query_row([id], read).optional()?.ok_or(Fault::from(&NOT_FOUND))
}

/// Makes an empty collection. Its folder has its name as far as that can be a folder's, so that reports, which name folders,
/// can be read.
///
/// # Errors
/// When the name is taken or cannot be one.
pub fn create(t: &Transaction<'_>, data: &Path, name: &str, open: bool) -> Result<Collection, Fault> {
    let name = name.trim();
    if name.is_empty() || name.len() > 120 || name.chars().any(char::is_control) {
        return refused(&BAD_FIELD, "name");
    }
    if t.prepare_cached("SELECT 1 FROM collection WHERE name = ?1")?.exists([name])? {
        return refused(&CONFLICT, name);
    }
    let last: i64 = t.query_row("SELECT coalesce(max(id), 0) FROM collection", [], |row| row.get(0))?;
    let safe: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let folder = format!("collections/{}-{}", last + 1, safe.trim_matches('-'));
    let wording = if open { "everyone" } else { "staff" };
    let sql = "INSERT INTO collection(name, folder, wording, made) VALUES (?1, ?2, ?3, ?4)";
    t.execute(sql, params![name, folder, wording, now()])?;
    make_index(data, &folder)?;
    Ok(Collection { id: t.last_insert_rowid(), name: name.to_owned(), folder, open })
}

/// Makes an empty index in a folder, unless there is one.
///
/// # Errors
/// When it cannot be written.
pub fn make_index(data: &Path, folder: &str) -> Result<(), IndexError> {
    let path = data.join(folder);
    if path.exists() {
        return Ok(());
    }
    IndexWriter::create(&path, &Settings::default().sketch, true).map(drop)
}

/// How many documents an index holds; none when it cannot be read, which is told elsewhere.
pub fn documents(data: &Path, folder: &str) -> Option<usize> {
    copytrace::check::Library::open(&[data.join(folder)]).ok().map(|library| library.len())
}
