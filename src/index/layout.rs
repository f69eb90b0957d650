//! Where the files of an index lie in its folder.

use std::path::{Path, PathBuf};

pub(super) fn catalogue(folder: &Path) -> PathBuf {
    folder.join("catalogue.sqlite")
}

pub(super) fn segments(folder: &Path) -> PathBuf {
    folder.join("segments")
}

pub(super) fn segment(folder: &Path, number: u32) -> PathBuf {
    segments(folder).join(format!("{number:08}.segment"))
}

/// The file whose lock a writer holds, and which says who it is.
pub(super) fn lock(folder: &Path) -> PathBuf {
    folder.join("lock")
}
