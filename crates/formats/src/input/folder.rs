//! The files of a folder and the folders in it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::error::{Origin, ReadReason};
use super::latex_parts::LatexProjects;
use super::{FileKind, ReadError, ReadLimits};
use crate::extract::Format;

/// The file that a folder of reports has in it, by which it is known: reports are not read as documents.
pub const REPORT_MARKER: &str = ".copytrace-report";

/// Walks a folder in sorted order. Hidden files are left out and named; symbolic links are followed as long as they stay inside.
pub(super) struct FolderWalk {
    entries: walkdir::IntoIter,
    root: PathBuf,
    limits: ReadLimits,
    /// The folder itself with all links resolved, once something asks where a link leads.
    resolved_root: Option<PathBuf>,
    /// Folders of reports and links that lead back up, which are left out.
    pub(super) skipped: u64,
    /// Ids of files left out because nothing is known of their kind.
    pub(super) unknown: Vec<String>,
    /// Ids of files and folders left out because of how their names begin.
    pub(super) hidden: Vec<String>,
    /// Once there is a LaTeX file, or one that supports some.
    latex: Option<LatexProjects>,
    /// How many files were passed that are parts of LaTeX projects.
    pub(super) included: u64,
}

/// A file to read.
pub(super) struct FoundFile {
    pub(super) path: PathBuf,
    pub(super) origin: Origin,
    pub(super) kind: FileKind,
    pub(super) bytes: u64,
    /// Of a LaTeX document the folder in which its project begins.
    pub(super) project: Option<PathBuf>,
}

impl FolderWalk {
    pub(super) fn new(root: &Path, limits: &ReadLimits) -> Self {
        let entries = WalkDir::new(root).follow_links(true).sort_by_file_name().into_iter();
        FolderWalk {
            entries,
            root: root.to_owned(),
            limits: limits.clone(),
            resolved_root: None,
            skipped: 0,
            unknown: Vec::new(),
            hidden: Vec::new(),
            latex: None,
            included: 0,
        }
    }

    fn origin(&self, path: &Path) -> Origin {
        let relative = path.strip_prefix(&self.root).unwrap_or(path);
        let parts: Vec<_> = relative.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        Origin { place: path.display().to_string(), id: parts.join("/") }
    }

    /// Whether a symbolic link leads out of the folder.
    fn leads_outside(&mut self, link: &Path) -> io::Result<bool> {
        let root = match &self.resolved_root {
            Some(root) => root,
            None => self.resolved_root.insert(fs::canonicalize(&self.root)?),
        };
        Ok(!fs::canonicalize(link)?.starts_with(root))
    }

    /// Whether a file belongs to a LaTeX project and is none itself.
    fn is_latex_part(&mut self, path: &Path, kind: Option<FileKind>) -> bool {
        if !matches!(kind, None | Some(FileKind::Document(Format::Latex))) {
            return false;
        }
        let projects = self.latex.get_or_insert_with(|| LatexProjects::in_folder(&self.root, &self.limits));
        fs::canonicalize(path).is_ok_and(|path| projects.have_part(&path))
    }

    fn entry(&mut self, entry: &DirEntry) -> Option<Result<FoundFile, ReadError>> {
        let path = entry.path();
        let is_folder = entry.file_type().is_dir();
        if entry.depth() > 0 && is_hidden(path) {
            self.hidden.push(self.origin(path).id);
            if is_folder {
                self.entries.skip_current_dir();
            }
            return None;
        }
        if is_folder && path.join(REPORT_MARKER).is_file() {
            self.entries.skip_current_dir();
            if entry.depth() > 0 {
                self.skipped += 1;
                return None;
            }
            return Some(Err(ReadError::new(&self.origin(path), ReadReason::OwnReport)));
        }
        let kind = FileKind::of_name(&entry.file_name().to_string_lossy());
        if kind.is_none() && !is_folder {
            match self.is_latex_part(path, kind) {
                true => self.included += 1,
                false => self.unknown.push(self.origin(path).id),
            }
            return None;
        }
        let origin = self.origin(path);
        if entry.depth() > 0 && entry.path_is_symlink() {
            let error = match self.leads_outside(path) {
                Ok(false) => None,
                Ok(true) => Some(ReadError::new(&origin, ReadReason::OutsideFolder)),
                Err(error) => Some(ReadError::from_io(&origin, error)),
            };
            if let Some(error) = error {
                if is_folder {
                    self.entries.skip_current_dir();
                }
                return Some(Err(error));
            }
        }
        let kind = kind.filter(|_| !is_folder)?;
        if !entry.file_type().is_file() {
            return Some(Err(ReadError::new(&origin, ReadReason::NoFile)));
        }
        if self.is_latex_part(path, Some(kind)) {
            self.included += 1;
            return None;
        }
        let bytes = entry.metadata().map_or(0, |metadata| metadata.len());
        let project = self.latex.as_ref().and_then(|projects| {
            let path = fs::canonicalize(path).ok()?;
            projects.project_at(path.parent()?).map(Path::to_owned)
        });
        Some(Ok(FoundFile { path: path.to_owned(), origin, kind, bytes, project }))
    }

    /// An error of the walk itself: a folder that cannot be listed, a link to nowhere or back up.
    fn error(&mut self, error: walkdir::Error) -> Option<Result<FoundFile, ReadError>> {
        let path = error.path().unwrap_or(&self.root).to_owned();
        // What a link back up leads to is read where it is.
        if error.loop_ancestor().is_some() {
            self.skipped += 1;
            return None;
        }
        if error.depth() > 0 && is_hidden(&path) {
            return None;
        }
        let origin = self.origin(&path);
        let error = error.into_io_error().unwrap_or_else(|| io::Error::other("cannot be read"));
        Some(Err(ReadError::from_io(&origin, error)))
    }
}

impl Iterator for FolderWalk {
    type Item = Result<FoundFile, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let found = match self.entries.next()? {
                Ok(entry) => self.entry(&entry),
                Err(error) => self.error(error),
            };
            if found.is_some() {
                return found;
            }
        }
    }
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| is_hidden_name(&name.to_string_lossy()))
}

/// Whether a name is one of a hidden file, or of the file by which Word marks a document that it has open.
pub(super) fn is_hidden_name(name: &str) -> bool {
    name.starts_with('.') || name.starts_with("~$")
}
