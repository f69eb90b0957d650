//! Which LaTeX files of a folder are parts of another one, and so no documents of their own.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::extract::latex_includes::{included, resolve};

/// Bytes of a file that are searched for the files it includes.
const SEARCHED_BYTES: u64 = 4 << 20;

/// What makes a file a document of its own, whatever includes it.
const DOCUMENT_CLASS: &str = "\\documentclass";

/// The files, with all links resolved, that documents of the folder include, directly or through others.
pub(super) fn find(folder: &Path) -> BTreeSet<PathBuf> {
    let is_latex = |path: &Path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("tex"));
    let files = WalkDir::new(folder).into_iter().flatten().filter(|entry| entry.file_type().is_file());
    let mut parts = BTreeSet::new();
    for document in files.filter(|entry| is_latex(entry.path())) {
        let Some(source) = source(document.path()).filter(|source| source.contains(DOCUMENT_CLASS)) else { continue };
        let Some(home) = document.path().parent().and_then(|home| home.canonicalize().ok()) else { continue };
        // Names are relative to the document's folder, in included files too.
        let mut sources = vec![source];
        while let Some(source) = sources.pop() {
            for part in included(&source).iter().filter_map(|name| resolve(&home, name)) {
                if parts.contains(&part) {
                    continue;
                }
                if let Some(source) = self::source(&part).filter(|source| !source.contains(DOCUMENT_CLASS)) {
                    parts.insert(part);
                    sources.push(source);
                }
            }
        }
    }
    parts
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
        write("main.tex", "\\documentclass{book} \\input{one} \\include{parts/two} % \\input{draft}\n\\input{other}");
        write("one.tex", "\\input{parts/three.tex} \\input{main} \\input{../outside}");
        write("parts/two.tex", "text");
        write("parts/three.tex", "text");
        write("draft.tex", "\\input{one}");
        write("other.tex", "\\documentclass{article}");
        write("loose/four.tex", "\\input{five}");
        write("loose/five.tex", "text");
        let root = folder.path().canonicalize().unwrap();
        let expected = ["one.tex", "parts/three.tex", "parts/two.tex"].map(|name| root.join(name));
        assert_eq!(find(folder.path()).into_iter().collect::<Vec<_>>(), expected);
    }
}
