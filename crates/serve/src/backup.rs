//! Backups: a copy of a data folder, made while it is served, that is served in its place.

use crate::data_error::DataError;
use crate::folder::{self, DATABASE, FOLDERS};
use crate::store::{Store, key, rows};
use copytrace::index::Index;
use rusqlite::Connection;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How often an index is copied that changes meanwhile.
const TRIES: usize = 20;

/// Copies a data folder, whether it is served or not, to a folder that is not there yet. The database comes first, so
/// everything that it names was there; what came later is left out when the copy is served. The key of the database is left out: who
/// finds a backup opens no second factor, and seals no row.
///
/// # Errors
/// When something cannot be copied; then there is no backup.
pub fn write(data: &Path, target: &Path) -> Result<(), DataError> {
    folder::keep_private();
    if target.exists() {
        return Err(DataError::AlreadyThere { path: target.to_owned() });
    }
    if !data.join(DATABASE).exists() {
        return Err(DataError::NoDataFolder { path: data.to_owned() });
    }
    // Beside its place, so that half a backup is never taken for one.
    let staged = target.with_extension("part");
    folder::remove(&staged).map_err(DataError::io(&staged))?;
    fs::create_dir_all(&staged).map_err(DataError::io(&staged))?;
    let written = fill(data, &staged);
    if written.is_err() {
        // The error that stopped it is told; what is left of it is taken for nothing.
        let _ = fs::remove_dir_all(&staged);
    }
    written?;
    fs::rename(&staged, target).map_err(DataError::io(target))
}

/// Copies a file without who may read it, which an older version left to everybody.
fn copy(from: &Path, to: &Path) -> io::Result<u64> {
    io::copy(&mut fs::File::open(from)?, &mut fs::File::create(to)?)
}

fn fill(data: &Path, target: &Path) -> Result<(), DataError> {
    let database = target.join(DATABASE);
    Store::copy_to(&data.join(DATABASE), &database)?;
    for folder in FOLDERS {
        let path = target.join(folder);
        fs::create_dir_all(&path).map_err(DataError::io(&path))?;
    }
    let failed = DataError::sqlite(&database);
    let connection = Connection::open(&database).map_err(&failed)?;
    let files = "SELECT file FROM submission WHERE state = 'kept' AND file != '' UNION SELECT file FROM round_template UNION SELECT file FROM batch_file WHERE file != ''";
    for file in rows::all::<String>(&connection, files, []).map_err(&failed)? {
        let (from, to) = (data.join(&file), target.join(&file));
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent).map_err(DataError::io(parent))?;
        }
        match copy(&from, &to) {
            // Erased a moment ago.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            copied => drop(copied.map_err(DataError::io(&from))?),
        }
    }
    let indexes = "SELECT folder FROM collection UNION SELECT 'rounds/' || id FROM round";
    for folder in rows::all::<String>(&connection, indexes, []).map_err(&failed)? {
        copy_index(&data.join(&folder), &target.join(&folder))?;
    }
    Ok(())
}

/// Copies an index that may be changed meanwhile: its catalogue as SQLite copies it, then its segments, which never change
/// but may be gone; then all is done again.
pub(crate) fn copy_index(from: &Path, to: &Path) -> Result<(), DataError> {
    let mut last = None;
    for _ in 0..TRIES {
        folder::remove(to).map_err(DataError::io(to))?;
        copy_folder(from, to)?;
        match Index::verify(to) {
            Ok(wrong) => match wrong.into_iter().next() {
                None => return Ok(()),
                Some(error) => last = Some(error),
            },
            Err(error) => last = Some(error),
        }
        std::thread::sleep(std::time::Duration::from_millis(300));
    }
    last.map_or(Ok(()), |error| Err(DataError::Uncopied(error)))
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), DataError> {
    fs::create_dir_all(to).map_err(DataError::io(to))?;
    let entries = fs::read_dir(from).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut entries: Vec<PathBuf> = entries.map_err(DataError::io(from))?;
    // The catalogue before the segments: those it lists are there by then, unless they are gone again. What is known of a harvest comes
    // first, and of that the state: it must not tell of documents that the copy has not.
    let name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    entries.sort_by_key(|path| (name(path) != "harvest", path.is_dir(), name(path) != "state.json"));
    for path in entries {
        let name = path.file_name().unwrap_or_default();
        let target = to.join(name);
        let copied = match path.extension().and_then(|ending| ending.to_str()) {
            _ if path.is_dir() => {
                copy_folder(&path, &target)?;
                Ok(0)
            }
            // The log of a database and its index go into the copy that SQLite makes.
            Some(ending) if ending.ends_with("-wal") || ending.ends_with("-shm") => Ok(0),
            Some("db" | "sqlite") => {
                Store::copy_to(&path, &target)?;
                Ok(0)
            }
            _ => copy(&path, &target),
        };
        match copied {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            copied => drop(copied.map_err(DataError::io(&path))?),
        }
    }
    Ok(())
}

/// Restores a backup to a folder that is not there yet, and looks whether it can be served. Its key is in a file, or lost: gives
/// whether it was.
///
/// # Errors
/// When it cannot.
pub fn restore(backup: &Path, data: &Path, key: Option<&Path>) -> Result<bool, DataError> {
    write(backup, data)?;
    let lost = key::restore(&data.join(DATABASE), key)?;
    let store = Store::open(&data.join(DATABASE))?;
    folder::check_indexes(data, &store)?;
    Ok(lost)
}
