//! Collections: the indexes of reference documents that rounds compare with.

use crate::access::{self, Object};
use crate::audit;
use crate::fault::{BAD_FIELD, CONFLICT, Fault, NOT_EMPTY, NOT_FOUND, refused};
use crate::people::Role;
use crate::people::session::Caller;
use crate::store::Transaction;
use crate::store::now;
use crate::store::rows::{self, read_by_name};
use copytrace::index::{IndexError, IndexWriter};
use copytrace::settings::Settings;
use copytrace_messages::message;
use rusqlite::{Connection, params};
use serde::Serialize;
use std::path::Path;

/// A collection.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct Collection {
    /// Its id.
    pub id: i64,
    /// What it is called.
    pub name: String,
    /// The folder of its index, below the data folder.
    pub folder: String,
    /// Whether students may read its wording in their reports; else only staff may.
    pub open: bool,
    /// The unit whose it is.
    pub unit: i64,
}

read_by_name!(Collection: id name folder open unit);

const COLUMNS: &str = "id, name, folder, wording = 'everyone' AS open, unit";

/// All collections, by name.
///
/// # Errors
/// When the database cannot be read.
pub fn all(connection: &Connection) -> Result<Vec<Collection>, rusqlite::Error> {
    rows::all(connection, &format!("SELECT {COLUMNS} FROM collection ORDER BY name"), [])
}

/// The collections that a caller may name: those of units that the caller has to do with, of units above, and shared ones.
///
/// # Errors
/// When the database cannot be read.
pub fn nameable(connection: &Connection, caller: &Caller) -> Result<Vec<Collection>, Fault> {
    let mut nameable = Vec::new();
    for collection in all(connection)? {
        if access::require(connection, caller, Object::Collection(collection.id), NAMERS).is_ok() {
            nameable.push(collection);
        }
    }
    Ok(nameable)
}

const NAMERS: &[Role] = &[Role::Administrator, Role::Auditor];

/// The collection of this id.
///
/// # Errors
/// When there is none.
pub fn get(connection: &Connection, id: i64) -> Result<Collection, Fault> {
    let sql = format!("SELECT {COLUMNS} FROM collection WHERE id = ?1");
    Ok(rows::first(connection, &sql, [id])?.ok_or(&NOT_FOUND)?)
}

/// Makes an empty collection. Its folder has its name as far as that can be a folder's, so that reports, which name folders,
/// can be read.
///
/// # Errors
/// When the name is taken or cannot be one.
pub fn create(t: &Transaction<'_>, data: &Path, name: &str, open: bool, unit: i64) -> Result<Collection, Fault> {
    let name = name.trim();
    if name.is_empty() || name.len() > 120 || name.chars().any(char::is_control) {
        return refused(&BAD_FIELD, "name");
    }
    if rows::exists(t, "SELECT 1 FROM collection WHERE name = ?1", [name])? {
        return refused(&CONFLICT, name);
    }
    let id = audit::next_id(t, "collection")?;
    let safe: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let folder = format!("collections/{id}-{}", safe.trim_matches('-'));
    let wording = if open { "everyone" } else { "staff" };
    let sql = "INSERT INTO collection(id, name, folder, wording, made, unit) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    t.execute(sql, params![id, name, folder, wording, now(), unit])?;
    make_index(data, &folder)?;
    Ok(Collection { id, name: name.to_owned(), folder, open, unit })
}

/// Removes a collection that no round compares with and no work is under way on, and gives the folder of its index, which can be
/// removed. Finals that were deposited in it are deposited no more.
///
/// # Errors
/// When there is none, or it is in use.
pub fn remove(t: &Transaction<'_>, id: i64, by: &str) -> Result<String, Fault> {
    let collection = get(t, id)?;
    let sql = "SELECT title FROM round JOIN round_collection ON round = round.id WHERE collection = ?1 ORDER BY title";
    let compared: Vec<String> = rows::all(t, sql, [id])?;
    if !compared.is_empty() {
        let reason = message!("collection-compared", rounds = compared.join(", "));
        return Err(Fault::Told(&NOT_EMPTY, vec![reason]));
    }
    let under_way = "SELECT 1 FROM job WHERE folder = ?1 AND state IN ('queued', 'running')";
    if rows::exists(t, under_way, [&collection.folder])? {
        return Err(Fault::Told(&NOT_EMPTY, vec![message!("collection-busy")]));
    }
    // No erasure looks for its index any more.
    t.execute("DELETE FROM job WHERE folder = ?1", [&collection.folder])?;
    t.execute("DELETE FROM deposit WHERE collection = ?1", [id])?;
    // What other units were not shown of it they are not shown now.
    t.execute("INSERT INTO former_collection VALUES (?1, ?2)", params![collection.folder, collection.unit])?;
    t.execute("DELETE FROM collection WHERE id = ?1", [id])?;
    audit::record(t, Some(by), audit::Action::RemoveCollection, &id.to_string(), &collection.name)?;
    Ok(collection.folder)
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

/// Bytes of the files of an index.
///
/// # Errors
/// When they cannot be listed.
pub fn bytes(folder: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        bytes += if entry.file_type()?.is_dir() { self::bytes(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(bytes)
}

/// How many documents an index holds; none when it cannot be read, which is told elsewhere.
pub fn documents(data: &Path, folder: &str) -> Option<usize> {
    copytrace::check::Library::open(&[data.join(folder)]).ok().map(|library| library.len())
}
