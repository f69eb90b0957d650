//! Which LaTeX files of a folder are parts of another one, and so no documents of their own.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use walkdir::{DirEntry, WalkDir};

use super::ReadLimits;
use super::document::read_at_most;
use crate::extract::latex;

/// Bytes of a file that are searched for what makes it a document.
const SEARCHED_BYTES: u64 = 4 << 20;

/// What makes a file a document of its own, whatever includes it.
const DOCUMENT_CLASS: &str = "\\documentclass";

/// The files, with all links resolved, that documents of the folder read, directly or through others, and that are none themselves.
/// Told by reading: a name in a comment, in a listing or in a command that nothing calls reads nothing.
pub(super) fn find(folder: &Path, limits: &ReadLimits) -> BTreeSet<PathBuf> {
    let is_latex = |path: &Path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("tex"));
    let files = WalkDir::new(folder).into_iter().flatten().filter(|entry| entry.file_type().is_file());
    let files: Vec<PathBuf> = files.map(DirEntry::into_path).filter(|path| is_latex(path)).collect();
    let (documents, others): (Vec<PathBuf>, Vec<PathBuf>) =
        files.into_iter().partition(|path| source(path).is_some_and(|source| source.contains(DOCUMENT_CLASS)));
    // Those of the document itself, which a part may name, and of other documents stay.
    let others: BTreeSet<PathBuf> = others.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let read = |document: &PathBuf| -> Option<BTreeSet<PathBuf>> {
        let bytes = read_at_most(File::open(document).ok()?, limits.file_bytes, 0).ok()??;
        latex::files_read(&bytes, document.parent()?, limits).ok()
    };
    let read: BTreeSet<PathBuf> = documents.par_iter().filter_map(read).flatten().collect();
    read.intersection(&others).cloned().collect()
}

/// The beginning of a file.
fn source(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(SEARCHED_BYTES).read_to_end(&mut bytes).ok()?;
    // Commands are ASCII in every encoding that LaTeX reads.
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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
        write("other.tex", "\\documentclass{article}");
        write("loose/four.tex", "\\input{five}");
        write("loose/five.tex", "text");
        let root = folder.path().canonicalize().unwrap();
        let expected =
            ["ends.tex", "macros.tex", "one.tex", "parts/three.tex", "parts/two.tex"].map(|name| root.join(name));
        assert_eq!(find(folder.path(), &ReadLimits::default()).into_iter().collect::<Vec<_>>(), expected);
    }
}
