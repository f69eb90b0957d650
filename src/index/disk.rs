//! Putting files in their place so that a crash at any moment leaves either all of a file or nothing of it.

use super::error::IndexError;
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that was written beside its place and is on the disk. It is removed when it is dropped before it was put in place.
#[derive(Debug)]
pub(super) struct Aside {
    path: PathBuf,
    bytes: u64,
    placed: bool,
}

impl Aside {
    /// Writes and syncs a file that must not be there yet.
    pub(super) fn write(
        path: PathBuf,
        write: impl FnOnce(&mut dyn Output, &Path) -> Result<(), IndexError>,
    ) -> Result<Self, IndexError> {
        let file = File::options().write(true).create_new(true).open(&path).map_err(|e| IndexError::io(&path, e))?;
        let mut aside = Aside { path, bytes: 0, placed: false };
        let mut out = BufWriter::with_capacity(1 << 20, Faulty(file));
        write(&mut out, &aside.path)?;
        let synced = out.flush().and_then(|()| {
            fault("sync")?;
            out.get_ref().0.sync_all()?;
            Ok(out.get_ref().0.metadata()?.len())
        });
        aside.bytes = synced.map_err(|e| IndexError::io(&aside.path, e))?;
        Ok(aside)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Renames it to its place. The name survives a crash when the folder has been synced.
    pub(super) fn put(mut self, place: &Path) -> Result<(), IndexError> {
        fault("rename").and_then(|()| fs::rename(&self.path, place)).map_err(|e| IndexError::io(place, e))?;
        self.placed = true;
        Ok(())
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if !self.placed {
            // Best effort: what stays is swept when the index is next opened for writing.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Makes a rename or a removal in a folder survive a crash. Only Unix can and must do this by hand.
pub(super) fn sync_folder(folder: &Path) -> Result<(), IndexError> {
    let sync = || if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) };
    fault("sync the folder").and_then(|()| sync()).map_err(|e| IndexError::io(folder, e))
}

/// Makes a folder and those above it that are missing, so that all of them survive a crash.
pub(super) fn create_folder(folder: &Path) -> Result<(), IndexError> {
    if folder.is_dir() {
        return Ok(());
    }
    // `index` stands in the folder that is called by nothing.
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    create_folder(parent)?;
    match fs::create_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(IndexError::io(folder, error)),
        _ => sync_folder(parent),
    }
}

/// What is written to: a file, or memory.
pub(super) trait Output: Write + Seek {}

impl<W: Write + Seek> Output for W {}

/// A writer that a test can make fail.
pub(super) struct Faulty<W>(W);

impl<W: Write> Write for Faulty<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        fault("write")?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: Seek> Seek for Faulty<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

#[cfg(not(test))]
fn fault(_: &str) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
pub(super) use faults::{fault, with_fault};

/// Failures on demand, for tests of durability.
#[cfg(test)]
mod faults {
    use std::cell::RefCell;
    use std::io;

    thread_local! {
        static PLANNED: RefCell<Option<(&'static str, i32)>> = const { RefCell::new(None) };
    }

    /// Runs `work` while every `operation` fails with the system's error number `code`.
    pub fn with_fault<T>(operation: &'static str, code: i32, work: impl FnOnce() -> T) -> T {
        PLANNED.set(Some((operation, code)));
        let result = work();
        PLANNED.set(None);
        result
    }

    pub fn fault(operation: &str) -> io::Result<()> {
        match PLANNED.with_borrow(|planned| *planned) {
            Some((planned, code)) if planned == operation => Err(io::Error::from_raw_os_error(code)),
            _ => Ok(()),
        }
    }
}
