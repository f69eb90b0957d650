//! The data folder: made, locked by one server, and tidied when it starts.
//!
//! | what | where |
//! |---|---|
//! | the database | `service.db` |
//! | files that were handed in | `files/` |
//! | templates of rounds | `templates/` |
//! | indexes of collections and of rounds' finals | `collections/`, `rounds/` |
//! | uploads on their way | `incoming/`, `batches/`, `intake/` |
//! | what workers write | `scratch/` |

use crate::data_error::DataError;
use crate::store::{BEFORE, Store, rows};
use copytrace::index::Index;
use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

/// The folders in it.
pub const FOLDERS: [&str; 8] =
    ["files", "templates", "collections", "rounds", "incoming", "batches", "intake", "scratch"];
/// The database in it.
pub const DATABASE: &str = "service.db";

/// The folders of all indexes.
pub const INDEXES: &str = "SELECT folder FROM collection UNION SELECT 'rounds/' || id FROM round";

/// The lock on a data folder. It goes with the process, however that ends.
pub struct Lock {
    _file: File,
}

/// Makes what this process writes from now on its owner's alone: it holds what people wrote, and who they are.
pub fn keep_private() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}

/// Removes a file, or a folder with all that is in it. One that is gone already is passed over: after a restore it may never have
/// been there.
///
/// # Errors
/// When it is there and stays.
pub fn remove(path: &Path) -> io::Result<()> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    removed.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

/// Removes databases of earlier versions, which hold what has been erased since.
///
/// # Errors
/// When one is there and stays.
pub fn forget_earlier(data: &Path) -> io::Result<()> {
    for entry in fs::read_dir(data)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().contains(BEFORE) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// Makes a data folder where there is none, and locks it.
///
/// # Errors
/// When another server has it, or it holds something else.
pub fn open(data: &Path) -> Result<Lock, DataError> {
    keep_private();
    fs::create_dir_all(data).map_err(DataError::io(data))?;
    let is_ours = data.join("lock").exists() || data.join(DATABASE).exists();
    if !is_ours && fs::read_dir(data).map_err(DataError::io(data))?.next().is_some() {
        return Err(DataError::Others { path: data.to_owned() });
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // It holds what people wrote, and who they are.
        fs::set_permissions(data, fs::Permissions::from_mode(0o700)).map_err(DataError::io(data))?;
    }
    let lock = lock(data)?;
    for folder in FOLDERS {
        let path = data.join(folder);
        fs::create_dir_all(&path).map_err(DataError::io(&path))?;
    }
    Ok(lock)
}

fn lock(data: &Path) -> Result<Lock, DataError> {
    let path = data.join("lock");
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(DataError::io(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(Lock { _file: file }),
        Err(TryLockError::WouldBlock) => Err(DataError::InUse { path: data.to_owned() }),
        Err(TryLockError::Error(error)) => Err(DataError::io(&path)(error)),
    }
}

/// Whether all indexes that the database names can be opened. (Their blocks have checksums that are looked at when they are
/// read; `copytrace index verify` reads them all.)
///
/// # Errors
/// When one cannot.
pub fn check_indexes(data: &Path, store: &Store) -> Result<(), DataError> {
    let folders = named(data, store, INDEXES)?;
    folders.iter().try_for_each(|folder| Index::settings_of(&data.join(folder)).map(drop)).map_err(DataError::Index)
}

/// What rows of the database name: files and folders below the data folder.
fn named(data: &Path, store: &Store, sql: &str) -> Result<HashSet<String>, DataError> {
    let names = store.read(|c| rows::all(c, sql, []));
    let names = names.map_err(DataError::sqlite(&data.join(DATABASE)))?;
    Ok(names.into_iter().collect())
}

/// Removes what a server that died left half done: uploads that were not taken, and files that no row names.
///
/// # Errors
/// When something cannot be read or removed.
pub fn tidy(data: &Path, store: &Store) -> Result<(), DataError> {
    let files = named(data, store, "SELECT file FROM submission UNION SELECT file FROM round_template")?;
    let batches = named(data, store, "SELECT 'batches/' || id FROM batch")?;
    let indexes = named(data, store, INDEXES)?;
    let filling = "SELECT json_extract(detail, '$.from') FROM job WHERE kind = 'fill' AND state IN ('queued', 'running') \
         AND json_extract(detail, '$.from') IS NOT NULL";
    let intake = named(data, store, filling)?;
    let nothing = HashSet::new();
    let kept = [
        ("files", &files),
        ("templates", &files),
        ("batches", &batches),
        ("collections", &indexes),
        ("rounds", &indexes),
        ("intake", &intake),
        ("incoming", &nothing),
        ("scratch", &nothing),
    ];
    for (folder, kept) in kept {
        let path = data.join(folder);
        for entry in fs::read_dir(&path).map_err(DataError::io(&path))? {
            let entry = entry.map_err(DataError::io(&path))?;
            if kept.contains(&format!("{folder}/{}", entry.file_name().to_string_lossy())) {
                continue;
            }
            let path = entry.path();
            remove(&path).map_err(DataError::io(&path))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_or_folder_that_is_gone_is_removed_like_any_other() {
        let data = tempfile::tempdir().unwrap();
        let file = data.path().join("batches/b1/thesis.txt");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "text").unwrap();
        for path in [&file, &file, &data.path().join("batches/b1"), &data.path().join("batches/b1")] {
            remove(path).unwrap();
            assert!(!path.exists());
        }
    }
}
