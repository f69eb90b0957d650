//! The program that this process runs, to be run again by other processes.

use std::path::PathBuf;
use std::sync::OnceLock;

static TOLD: OnceLock<PathBuf> = OnceLock::new();

/// Tells where the program is, for a process in which the system would name an interpreter. The first time counts.
pub fn tell(path: PathBuf) {
    let _ = TOLD.set(path);
}

/// Where it is, if it was told.
pub fn told() -> Option<PathBuf> {
    TOLD.get().cloned()
}
