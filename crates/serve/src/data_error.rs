//! Why a data folder cannot be served, copied or restored.

use copytrace::index::IndexError;
use std::io;
use std::path::{Path, PathBuf};

/// Why a data folder cannot be served, copied or restored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // a path is that of the file or folder, an error the reason
pub enum DataError {
    /// A file or folder cannot be read or written.
    #[error("{path}: {error}")]
    Io { path: PathBuf, error: io::Error },
    /// SQLite refuses.
    #[error("{path}: {error}")]
    Sqlite { path: PathBuf, error: rusqlite::Error },
    /// The database's integrity check found something; `said` is what it found first.
    #[error("{path}: damaged, so it is not served ({said}); restore a backup")]
    Damaged { path: PathBuf, said: String },
    /// Another version of the program wrote the database.
    #[error("{path}: written by another copytrace (version {found} of the database, this program has {known})")]
    Newer { path: PathBuf, found: u32, known: u32 },
    /// An index cannot be read.
    #[error("damaged, so it is not served; restore a backup: {0}")]
    Index(IndexError),
    /// An index changed each time it was copied, or is damaged.
    #[error("an index could not be copied whole: {0}")]
    Uncopied(IndexError),
    /// Another server serves it.
    #[error("{path}: served by another process already")]
    InUse { path: PathBuf },
    /// It holds other things.
    #[error("{path}: holds other files; a data folder is one that `copytrace serve` made, or an empty one")]
    Others { path: PathBuf },
    /// There is something where a backup was to be written.
    #[error("{path}: is there already")]
    AlreadyThere { path: PathBuf },
    /// The key that seals rows is not there.
    #[error("{path}: the key of this database is not there; put it back, or restore a backup, which makes a new one")]
    NoKey { path: PathBuf },
    /// The key is that of another database, or none.
    #[error("{path}: not the key of this database")]
    OtherKey { path: PathBuf },
    /// It is no data folder.
    #[error("{path}: no data folder of `copytrace serve`")]
    NoDataFolder { path: PathBuf },
}

impl DataError {
    /// A file or folder that cannot be read or written.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> DataError {
        let path = path.to_owned();
        |error| DataError::Io { path, error }
    }

    /// A database that cannot be read or written.
    pub fn sqlite(path: &Path) -> impl Fn(rusqlite::Error) -> DataError {
        let path = path.to_owned();
        move |error| DataError::Sqlite { path: path.clone(), error }
    }
}
