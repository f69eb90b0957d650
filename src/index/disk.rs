//! Putting files in their place so that a crash at any moment leaves either all of a file or nothing of it.

use super::error::IndexError;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a file beside its place, syncs it, and renames it into its place; the folder is synced too, so that the
/// name survives a crash.
pub(super) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<Faulty<File>>) -> io::Result<()>,
) -> Result<(), IndexError> {
    let aside = path.with_extension("part");
    let result = write_aside(&aside, write).and_then(|()| {
        fault("rename")?;
        fs::rename(&aside, path)?;
        fault("sync the folder")?;
        sync_folder(path.parent().unwrap_or(Path::new(".")))
    });
    result.map_err(|error| {
        // Best effort: what stays is swept when the index is next opened for writing.
        let _ = fs::remove_file(&aside);
        let _ = fs::remove_file(path);
        IndexError::io(path, error)
    })
}

fn write_aside(aside: &Path, write: impl FnOnce(&mut BufWriter<Faulty<File>>) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, Faulty(File::create(aside)?));
    write(&mut out)?;
    out.flush()?;
    fault("sync")?;
    out.get_ref().0.sync_all()
}

/// Makes a rename or a removal in a folder survive a crash. Only Unix can and must do this by hand.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

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
