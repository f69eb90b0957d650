//! Files that appear whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Why a report could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {source}")]
pub struct WriteError {
    path: String,
    source: io::Error,
}

impl WriteError {
    /// An error of writing to `path`.
    pub(super) fn new(path: &Path, source: impl Into<io::Error>) -> Self {
        WriteError { path: path.display().to_string(), source: source.into() }
    }
}

/// A file that is written beside its place, and put there by [`WholeFile::finish`]. When that is not reached (an error, a
/// full disk), nothing is left under the final name, and what stood there before stands still.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    file: NamedTempFile,
}

impl WholeFile {
    /// Begins a file. Missing folders are made.
    ///
    /// # Errors
    /// When the folder cannot be made or written to.
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        let folder = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let file = fs::create_dir_all(folder)
            .and_then(|()| {
                if path.is_dir() {
                    return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder"));
                }
                tempfile::Builder::new()
                    .prefix(".copytrace-")
                    .suffix(".part")
                    .permissions_like_new()
                    .tempfile_in(folder)
            })
            .map_err(|e| WriteError::new(path, e))?;
        Ok(WholeFile { path: path.to_owned(), file })
    }

    /// Writes a whole file at once.
    ///
    /// # Errors
    /// When the folder cannot be made or written to, or the disk is full.
    pub fn write(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
        let mut file = WholeFile::create(path)?;
        file.write_all(bytes).map_err(|e| WriteError::new(path, e))?;
        file.finish()
    }

    /// Syncs what was written and puts the file in its place.
    ///
    /// # Errors
    /// When the disk is full or fails; then nothing has changed under the final name.
    pub fn finish(self) -> Result<(), WriteError> {
        self.file.as_file().sync_all().map_err(|e| WriteError::new(&self.path, e))?;
        self.file.persist(&self.path).map_err(|e| WriteError::new(&self.path, e.error))?;
        Ok(())
    }
}

impl Write for &WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_file().flush()
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&*self).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self).flush()
    }
}

/// Temporary files are readable by their owner alone; a report is to be as readable as any new file.
trait PermissionsLikeNew {
    fn permissions_like_new(&mut self) -> &mut Self;
}

impl PermissionsLikeNew for tempfile::Builder<'_, '_> {
    #[cfg(unix)]
    fn permissions_like_new(&mut self) -> &mut Self {
        use std::os::unix::fs::PermissionsExt;
        self.permissions(fs::Permissions::from_mode(0o666))
    }

    #[cfg(not(unix))]
    fn permissions_like_new(&mut self) -> &mut Self {
        self
    }
}
