//! Which LaTeX files of a folder or an archive are parts of another one, and so no documents of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use walkdir::{DirEntry, WalkDir};

use super::ReadLimits;
use crate::extract::latex::{files_read, search};
use crate::extract::{Entries, Format, SourceFolder};

/// Bytes of a file that are searched for what makes it a document.
const SEARCHED_BYTES: u64 = 4 << 20;

/// A document has all of these, in one file or in several.
const PARTS_OF_DOCUMENT: [&str; 3] = ["\\documentclass", "\\begin{document}", "\\end{document}"];

/// Classes and packages of files that are made to be parts, and are documents only to be seen alone while one writes.
const CLASSES_OF_PARTS: [&str; 2] = ["{subfiles}", "{standalone}"];

/// The endings of files that say how a LaTeX document looks or what it cites.
const SUPPORTING: [&str; 4] = ["bib", "bst", "cls", "sty"];

/// The LaTeX projects of a folder or an archive.
#[derive(Default)]
pub(super) struct LatexProjects {
    /// Files that are read in another one.
    parts: BTreeSet<PathBuf>,
    /// The folders that have LaTeX files.
    folders: BTreeSet<PathBuf>,
    /// Where the projects begin whose documents lie in a folder.
    projects: BTreeMap<PathBuf, PathBuf>,
}

impl LatexProjects {
    /// Those of a folder on disk. Paths have all links resolved.
    pub(super) fn in_folder(folder: &Path, limits: &ReadLimits) -> LatexProjects {
        let files = WalkDir::new(folder).into_iter().flatten().filter(|entry| entry.file_type().is_file());
        let files = files.map(DirEntry::into_path).filter(|path| is_latex(path));
        let files: BTreeSet<PathBuf> = files.filter_map(|path| path.canonicalize().ok()).collect();
        let root = folder.canonicalize().unwrap_or_default();
        LatexProjects::of(files, &root, SourceFolder::on_disk, limits)
    }

    /// Those of an archive.
    pub(super) fn in_archive(entries: &Entries, limits: &ReadLimits) -> LatexProjects {
        let files = entries.keys().filter(|path| is_latex(path)).cloned().collect();
        LatexProjects::of(files, Path::new(""), |folder| Some(SourceFolder::in_archive(folder, entries)), limits)
    }

    /// Told by reading: a name in a comment, in a listing or in a command that nothing calls reads nothing.
    fn of(
        files: BTreeSet<PathBuf>,
        root: &Path,
        folder_at: impl Fn(&Path) -> Option<SourceFolder> + Sync,
        limits: &ReadLimits,
    ) -> LatexProjects {
        let roles = files.par_iter().filter_map(|file| {
            let folder = folder_at(file.parent()?)?;
            Some((file, Role::of(&folder.read(file, SEARCHED_BYTES)?)?))
        });
        let roles: Vec<(&PathBuf, Role)> = roles.collect();
        let documents = roles.iter().filter(|(_, role)| *role == Role::Document).filter_map(|(file, _)| file.parent());
        let documents: BTreeSet<&Path> = documents.collect();
        let projects: BTreeMap<PathBuf, PathBuf> =
            documents.iter().map(|folder| ((*folder).to_owned(), project_of(folder, root, &documents))).collect();
        let masters = roles.into_par_iter().filter_map(|(file, role)| {
            let folder = file.parent()?;
            let folder = folder_at(folder)?.of_project(projects.get(folder).map(PathBuf::as_path));
            let bytes = folder.read(file, limits.file_bytes).filter(|bytes| bytes.len() as u64 <= limits.file_bytes)?;
            // A file that names itself is no part of itself.
            let mut read = files_read(&bytes, &folder, limits).unwrap_or_default();
            read.remove(file);
            Some((file.clone(), (role, read)))
        });
        let masters: BTreeMap<PathBuf, (Role, BTreeSet<PathBuf>)> = masters.collect();
        let is_part = |file: &PathBuf, reader: &PathBuf| match masters.get(file) {
            // What is a document for itself is not taken in by naming it, nor are two that name each other.
            Some((role, read)) => *role == Role::Part && !read.contains(reader),
            None => true,
        };
        let parts = masters.iter().flat_map(|(reader, (_, read))| read.iter().filter(|file| is_part(file, reader)));
        let parts: BTreeSet<PathBuf> = parts.cloned().collect();
        let folders = files.iter().filter_map(|file| file.parent()).map(Path::to_owned).collect();
        LatexProjects { parts, folders, projects }
    }

    /// Where the project begins whose document lies in a folder.
    pub(super) fn project_at(&self, folder: &Path) -> Option<&Path> {
        self.projects.get(folder).map(PathBuf::as_path)
    }

    /// Whether a file belongs to one of them and is no document itself: it is read in another one, whatever its name ends with, or supports some.
    pub(super) fn have_part(&self, file: &Path) -> bool {
        let supports =
            || is_supporting(&file.to_string_lossy()) && self.folders.iter().any(|folder| file.starts_with(folder));
        self.parts.contains(file) || supports()
    }
}

/// The highest folder around a document's, below `root`, in which there is no document but in the document's folder: chapters may lie
/// beside that folder, and what is another one's is not read. The folders in `root` itself may be different people's.
fn project_of(folder: &Path, root: &Path, documents: &BTreeSet<&Path>) -> PathBuf {
    let is_alone = |above: &&Path| {
        *above != root
            && above.starts_with(root)
            && documents.iter().all(|other| !other.starts_with(above) || other.starts_with(folder))
    };
    folder.ancestors().take_while(is_alone).last().unwrap_or(folder).to_owned()
}

/// What a file is by the commands in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It has all that makes a document.
    Document,
    /// It has some of it, the rest being in other files, or is a part that can be seen alone.
    Part,
}

impl Role {
    /// `None` for a file that is no document without another one.
    fn of(source: &[u8]) -> Option<Role> {
        // Commands are ASCII in every encoding that LaTeX reads.
        let source = String::from_utf8_lossy(source);
        let found = PARTS_OF_DOCUMENT.map(|command| search::split_at_command(&source, command));
        let class = found[0].and_then(|(_, after)| Some(&after[after.find('{')?..]));
        match found.iter().flatten().count() {
            0 => None,
            3 if !CLASSES_OF_PARTS.iter().any(|part| class.is_some_and(|class| class.starts_with(part))) => {
                Some(Role::Document)
            }
            _ => Some(Role::Part),
        }
    }
}

/// Whether a name is one of a LaTeX source.
pub(super) fn is_latex(path: &Path) -> bool {
    Format::of_name(&path.to_string_lossy()) == Some(Format::Latex)
}

/// Whether a name is one of a file that only supports LaTeX documents.
pub(super) fn is_supporting(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| SUPPORTING.contains(&ending.to_ascii_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn chapters_beside_the_folder_of_the_document_are_its_parts_and_those_of_another_one_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let document = "\\documentclass{book}\\begin{document}\\input{../chapters/one}\\input{../../b/chapters/two}\\input{../../../x}\\end{document}";
        for (name, text) in [
            ("x.tex", "text"),
            ("class/a/tex/main.tex", document),
            ("class/a/chapters/one.tex", "one"),
            ("class/b/main.tex", &document.replace("../chapters/one", "chapters/two")),
            ("class/b/chapters/two.tex", "two"),
        ] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let root = folder.path().canonicalize().unwrap().join("class");
        let projects = LatexProjects::in_folder(&root, &ReadLimits::default());
        let parts: Vec<&Path> = projects.parts.iter().map(|part| part.strip_prefix(&root).unwrap()).collect();
        assert_eq!(parts, ["a/chapters/one.tex", "b/chapters/two.tex"].map(Path::new));
        assert_eq!(projects.project_at(&root.join("a/tex")), Some(&*root.join("a")));
        assert_eq!(projects.project_at(&root.join("b")), Some(&*root.join("b")));
        let entries: Entries = std::sync::Arc::new(
            [("a/tex/main.tex", document), ("a/chapters/one.tex", "one")]
                .map(|(name, text)| (name.into(), text.as_bytes().into()))
                .into(),
        );
        assert!(LatexProjects::in_archive(&entries, &ReadLimits::default()).have_part(Path::new("a/chapters/one.tex")));
    }

    #[test]
    fn parts_are_what_a_document_includes_and_not_what_it_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(
            "main.tex",
            "\\documentclass{book} \\input{macros} \\newcommand{\\x}[1]{\\input{parts/#1}} \\newcommand{\\unused}{\\input{by-unused}} \
             \\begin{document} \\input{one} \\x{two} % \\input{draft}\n\\input{other} \\verb|\\input{in-verb}| \\iffalse\\input{off}\\fi \
             \\begin{comment}\\input{noted}\\end{comment} \\begin{verbatim}\\input{listed}\\end{verbatim} \\phantom{\\input{unseen}} \
             \\input{ends}\\end{document} \\input{beyond}",
        );
        for name in ["by-unused", "in-verb", "off", "noted", "listed", "unseen", "beyond", "behind"] {
            write(&format!("{name}.tex"), "text");
        }
        write("ends.tex", "text\n\\endinput\n\\input{behind}");
        write("macros.tex", "\\newcommand{\\y}{text}");
        write("one.tex", "\\input{parts/three.tex} \\input{main} \\input{../outside}");
        write("parts/two.tex", "text");
        write("parts/three.tex", "text");
        write("draft.tex", "\\input{one}");
        write("other.tex", "\\documentclass{article}\\begin{document}\\end{document}");
        write("loose/four.tex", "\\input{five}");
        write("loose/five.tex", "text");
        let root = folder.path().canonicalize().unwrap();
        let expected =
            ["ends.tex", "macros.tex", "one.tex", "parts/three.tex", "parts/two.tex"].map(|name| root.join(name));
        assert_eq!(
            LatexProjects::in_folder(folder.path(), &ReadLimits::default()).parts.into_iter().collect::<Vec<_>>(),
            expected
        );
    }
}
