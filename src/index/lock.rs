//! The writer's lock: the system lets go of it when the process ends, however it ends.

use super::error::IndexError;
use super::layout;
use std::fs::{File, TryLockError};
use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

/// Takes the writer's lock, or tells who has it.
pub(super) fn take(folder: &Path) -> Result<File, IndexError> {
    let path = layout::lock(folder);
    let failed = |e| IndexError::io(&path, e);
    let mut file = File::options().read(true).write(true).create(true).truncate(false).open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {
            file.set_len(0).map_err(failed)?;
            write!(file, "pid {}", std::process::id()).map_err(failed)?;
            Ok(file)
        }
        Err(TryLockError::WouldBlock) => Err(IndexError::Locked { path: folder.to_owned(), holder: holder(&mut file) }),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// Who holds a lock, as far as its file tells.
fn holder(file: &mut File) -> String {
    const ATTEMPTS: usize = 20;
    for _ in 0..ATTEMPTS {
        let mut holder = String::new();
        if file.read_to_string(&mut holder).is_ok() && !holder.is_empty() {
            return holder;
        }
        // It took the lock just now, and is about to write who it is.
        std::thread::sleep(Duration::from_millis(5));
    }
    "unknown".to_owned()
}
