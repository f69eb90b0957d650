//! The folder that a document lies in, for formats whose documents are made of several files: on disk, or in an archive.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Files of an archive by their paths in it.
pub(crate) type Entries = Arc<BTreeMap<PathBuf, Arc<[u8]>>>;

/// How deep a folder on disk is looked through, and for how many files.
const DEEPEST: usize = 3;
const MOST_FILES: usize = 1000;

/// A folder, whose files are read by nothing that leads out of it, or out of the folder above it that is known to be its project's.
#[derive(Debug, Clone)]
pub(crate) struct SourceFolder {
    /// Of a folder on disk with all links resolved.
    path: PathBuf,
    /// This folder, or one that it is in.
    project: PathBuf,
    /// None of a folder on disk.
    entries: Option<Entries>,
}

impl SourceFolder {
    /// A folder on disk, if it can be read.
    pub(crate) fn on_disk(path: &Path) -> Option<SourceFolder> {
        // The folder of a file that was named without one.
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let path = path.canonicalize().ok()?;
        Some(SourceFolder { project: path.clone(), path, entries: None })
    }

    /// A folder of an archive.
    pub(crate) fn in_archive(path: &Path, entries: &Entries) -> SourceFolder {
        SourceFolder { path: path.to_owned(), project: path.to_owned(), entries: Some(entries.clone()) }
    }

    /// The same in a project that begins in a folder above it.
    pub(crate) fn of_project(self, project: Option<&Path>) -> SourceFolder {
        let project = project.filter(|project| self.path.starts_with(project)).map(Path::to_owned);
        SourceFolder { project: project.unwrap_or(self.project), ..self }
    }

    /// The file that a source means by a name, looked for beside the files in `near` (a folder) as well as from the folder itself. A name
    /// that begins with the folder's own one is meant from the folder above, where somebody called the program.
    pub(crate) fn find(&self, name: &str, near: Option<&Path>) -> Option<PathBuf> {
        let own = self.path.file_name().map(Path::new);
        let from_above = own.and_then(|own| Path::new(name).strip_prefix(own).ok());
        let places = near.map(|near| near.join(name)).into_iter().chain([self.path.join(name)]);
        places.chain(from_above.map(|name| self.path.join(name))).find_map(|place| self.file_at(&place))
    }

    fn file_at(&self, place: &Path) -> Option<PathBuf> {
        let mut with_ending = place.as_os_str().to_owned();
        with_ending.push(".tex");
        let paths = [PathBuf::from(with_ending), place.to_owned()];
        let found = paths.iter().find_map(|path| match &self.entries {
            Some(entries) => lexical(path).filter(|path| entries.contains_key(path)),
            None => path.canonicalize().ok().filter(|path| path.is_file()),
        });
        found.filter(|path| path.starts_with(&self.project))
    }

    /// Its files, in their order, those of folders in it to a depth of three included; a thousand of a folder on disk at the most.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        if let Some(entries) = &self.entries {
            return entries.keys().filter(|path| path.starts_with(&self.path)).cloned().collect();
        }
        let walk = walkdir::WalkDir::new(&self.path).max_depth(DEEPEST).sort_by_file_name();
        let files = walk.into_iter().filter_map(Result::ok).filter(|entry| entry.file_type().is_file());
        files.map(walkdir::DirEntry::into_path).take(MOST_FILES).collect()
    }

    /// What a file of it holds, one byte more than `limit` at most; `None` if it cannot be read.
    pub(crate) fn read(&self, path: &Path, limit: u64) -> Option<Vec<u8>> {
        let most = limit.saturating_add(1);
        if let Some(entries) = &self.entries {
            let bytes = entries.get(path)?;
            return Some(bytes[..bytes.len().min(usize::try_from(most).unwrap_or(usize::MAX))].to_vec());
        }
        let mut bytes = Vec::new();
        File::open(path).ok()?.take(most).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }
}

/// A path without `.` and `..`; `None` if it leads out of the archive.
fn lexical(path: &Path) -> Option<PathBuf> {
    let mut made = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(part) => made.push(part),
            Component::CurDir => {}
            Component::ParentDir if made.pop() => {}
            _ => return None,
        }
    }
    Some(made)
}
