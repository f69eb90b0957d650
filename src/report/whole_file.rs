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
/// full disk), nothing is left under the final name, and what stood there before stands still. What is whole and cannot be put
/// there, as on Windows while another program has the file open that it was to replace, is kept beside it.
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
    /// When the disk is full or fails; then nothing has changed under the final name. The error names the place of what was kept.
    pub fn finish(self) -> Result<(), WriteError> {
        self.file.as_file().sync_all().map_err(|e| WriteError::new(&self.path, e))?;
        let Err(failed) = self.file.persist(&self.path) else { return Ok(()) };
        let kept = free_name(&self.path);
        let error = match failed.file.persist_noclobber(&kept) {
            Ok(_) => io::Error::new(
                failed.error.kind(),
                format!("{}; is it open in another program? What was written is in {}", failed.error, kept.display()),
            ),
            Err(_) => failed.error,
        };
        Err(WriteError::new(&self.path, error))
    }
}

/// A name beside `path` that nothing has: `report-2.csv`.
pub(super) fn free_name(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default();
    let numbered = |number: u32| {
        let mut name = stem.to_owned();
        name.push(format!("-{number}"));
        if let Some(extension) = path.extension() {
            name.push(".");
            name.push(extension);
        }
        path.with_file_name(name)
    };
    (2..u32::MAX).map(numbered).find(|place| place.symlink_metadata().is_err()).unwrap_or_else(|| path.to_owned())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_take_its_place_is_kept_beside_it_and_the_error_says_where() {
        let bench = tempfile::tempdir().unwrap();
        let place = bench.path().join("pairs.csv");
        let mut file = WholeFile::create(&place).unwrap();
        file.write_all(b"an hour's work").unwrap();
        // No file takes the place of a folder, as on Windows none does of a file that another program has open.
        fs::create_dir(&place).unwrap();
        let said = file.finish().unwrap_err().to_string();
        let kept = bench.path().join("pairs-2.csv");
        assert!(said.contains(kept.to_str().unwrap()), "{said}");
        assert_eq!(fs::read(kept).unwrap(), b"an hour's work");
        assert_eq!(fs::read_dir(bench.path()).unwrap().count(), 2);
    }
}
