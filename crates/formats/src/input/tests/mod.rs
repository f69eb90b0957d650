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
