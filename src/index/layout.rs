//! Where the files of an index lie in its folder.

use std::path::{Path, PathBuf};

pub(super) fn catalogue(folder: &Path) -> PathBuf {
    folder.join("catalogue.sqlite")
}

/// SQLite's write-ahead log of a catalogue.
pub(super) fn write_ahead_log(catalogue: &Path) -> PathBuf {
    let mut name = catalogue.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}

/// A catalogue that is being made.
pub(super) fn new_catalogue(folder: &Path) -> PathBuf {
    folder.join("catalogue.part")
}

pub(super) fn segments(folder: &Path) -> PathBuf {
    folder.join("segments")
}

/// Where segments go that the catalogue does not list.
pub(super) fn unlisted(folder: &Path) -> PathBuf {
    segments(folder).join("unlisted")
}

/// The name, without extension, of the files of a new segment. The hash of its content is part of it: a segment that another
/// copy of the catalogue lists under the same number has another name.
pub(super) fn name(number: u32, seal: u64) -> String {
    format!("{number:08}-{seal:016x}")
}

/// Where values are kept that were computed of documents.
pub(super) fn derived(folder: &Path) -> PathBuf {
    folder.join("derived")
}

/// A file of such values.
pub(super) const VALUES: &str = "values";

/// What is searched.
pub(super) const SEGMENT: &str = "segment";
/// What is known of its documents.
pub(super) const RECORDS: &str = "records";
/// A file that is being written.
pub(super) const PART: &str = "part";

/// A file of a segment, in the folder of segments or of unlisted ones.
pub(super) fn file(folder: &Path, name: &str, extension: &str) -> PathBuf {
    folder.join(format!("{name}.{extension}"))
}

/// The file whose lock a writer holds, and which says who it is.
pub(super) fn lock(folder: &Path) -> PathBuf {
    folder.join("lock")
}
