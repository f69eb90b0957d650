mod archives;
mod files;
mod json_lines;

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;
use copytrace_messages::Tell;
use copytrace_text::Document;

/// A folder with the given files in it.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

/// A document as (id, text), an error as (id, code).
type Item = Result<(String, String), (String, String)>;

fn simplified(item: Result<Document, ReadError>) -> Item {
    match item {
        Ok(document) => Ok((document.id, document.text)),
        Err(error) => Err((error.id().to_owned(), error.reason().code().unwrap())),
    }
}

/// Everything in the paths, and how many files were left out.
fn read_all(paths: &[PathBuf], limits: &ReadLimits) -> (Vec<Item>, u64) {
    let mut inputs = Inputs::open(paths, limits.clone());
    let items = inputs.by_ref().map(|item| simplified(item.and_then(|raw| raw.extract(limits)))).collect();
    (items, inputs.skipped())
}

fn read(path: impl AsRef<Path>) -> Vec<Item> {
    read_all(&[path.as_ref().to_owned()], &ReadLimits::default()).0
}

fn read_within(path: impl AsRef<Path>, limits: &ReadLimits) -> Vec<Item> {
    read_all(&[path.as_ref().to_owned()], limits).0
}

/// What the errors of a path say, without the folder's own path.
fn messages(path: impl AsRef<Path>, limits: &ReadLimits) -> Vec<String> {
    let path = path.as_ref();
    let folder = format!("{}/", path.parent().unwrap().display());
    Inputs::open(&[path.to_owned()], limits.clone())
        .filter_map(|item| item.and_then(|raw| raw.extract(limits)).err())
        .map(|error| error.to_string().replace(&folder, ""))
        .collect()
}

fn text(id: &str, text: &str) -> Item {
    Ok((id.to_owned(), text.to_owned()))
}

fn error(id: &str, code: &str) -> Item {
    Err((id.to_owned(), code.to_owned()))
}

/// The files of a LaTeX project, and the rows that it becomes.
type LatexProject = (&'static [(&'static str, &'static str)], &'static [&'static str]);

const LATEX_PROJECTS: &[LatexProject] = &[
    // The class, or the document's beginning, stands in another file.
    (
        &[
            ("main.tex", "\\input{headers}\\begin{document}Master. \\input{one}\\end{document}"),
            (
                "headers.tex",
                "\\documentclass{book}\n% This class was chosen because the university asks for it, and so on.\n",
            ),
            ("one.tex", "Chapter one."),
        ],
        &["main.tex"],
    ),
    (
        &[
            ("thesis.tex", "\\input{frame}Master. \\include{one}\\end{document}"),
            ("frame.tex", "\\documentclass{book}\\title{T}\\begin{document}"),
            ("one.tex", "Chapter one."),
        ],
        &["thesis.tex"],
    ),
    // Parts that are documents only to be seen alone, and name their own parts from where they lie.
    (
        &[
            (
                "main.tex",
                "\\documentclass{book}\\usepackage{subfiles}\\begin{document}Master. \\subfile{parts/one}\\end{document}",
            ),
            (
                "parts/one.tex",
                "\\documentclass[../main]{subfiles}\\begin{document}Chapter one. \\input{deep/two}\\end{document}",
            ),
            ("parts/deep/two.tex", "Section two."),
        ],
        &["main.tex"],
    ),
    (
        &[
            (
                "main.tex",
                "\\documentclass{book}\\begin{document}Master. \\includestandalone[width=3cm]{table}\\end{document}",
            ),
            ("table.tex", "\\documentclass{standalone}\\begin{document}Table one.\\end{document}"),
        ],
        &["main.tex"],
    ),
    (
        &[
            (
                "a/main.tex",
                "\\documentclass{book}\\begin{document}Master. \\import*{parts/}{one}\\input{a/two}\\end{document}",
            ),
            ("a/parts/one.tex", "Chapter one. \\subimport{deep/}{three}"),
            ("a/parts/deep/three.tex", "Section three."),
            ("a/two.tex", "Chapter two."),
            ("a/x.sty", "\\ProvidesPackage{x}"),
            ("a/refs.bib", "@book{x, title={A}}"),
        ],
        &["a/main.tex"],
    ),
    // Whatever the name of what is read ends with.
    (
        &[
            (
                "main.tex",
                "\\documentclass{book}\\begin{document}Master. \\input{parts/one.inc}\\input{two.dat}\\end{document}",
            ),
            ("parts/one.inc", "Chapter one."),
            ("two.dat", "Chapter two."),
        ],
        &["main.tex"],
    ),
    // Nothing is taken in that is a document for itself, was not read, or names its reader.
    (
        &[
            ("main.tex", "\\documentclass{book}\\begin{document}Master. \\input{other}\\end{document}"),
            ("other.tex", "\\documentclass{article}\\begin{document}Other.\\end{document}"),
            ("sub.tex", "\\documentclass[main]{subfiles}\\begin{document}Unread.\\end{document}"),
        ],
        &["main.tex", "other.tex", "sub.tex"],
    ),
    (
        &[
            ("one.tex", "\\begin{document}One. \\input{two}\\end{document}"),
            ("two.tex", "\\begin{document}Two. \\input{one}\\end{document}"),
        ],
        &["one.tex", "two.tex"],
    ),
];
