use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;
use crate::text::Document;

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

/// Reads everything: each document as (id, text), each error as (id, kind).
type Item = Result<(String, String), (String, ReadErrorKind)>;

fn read_within(paths: &[&Path], limits: &ReadLimits) -> Vec<Item> {
    let paths: Vec<PathBuf> = paths.iter().map(|path| path.to_path_buf()).collect();
    Inputs::open(&paths, limits.clone())
        .map(|item| item.and_then(|raw| raw.extract(limits)))
        .map(|item| match item {
            Ok(Document { id, text, .. }) => Ok((id, text)),
            Err(error) => Err((error.id().to_owned(), error.kind())),
        })
        .collect()
}

fn read(path: &Path) -> Vec<Item> {
    read_within(&[path], &ReadLimits::default())
}

fn text(id: &str, text: &str) -> Item {
    Ok((id.to_owned(), text.to_owned()))
}

fn error(id: &str, kind: ReadErrorKind) -> Item {
    Err((id.to_owned(), kind))
}

#[test]
fn a_folder_gives_its_files_in_sorted_order_with_relative_ids() {
    let folder = folder(&[
        ("b.txt", b"two"),
        ("a/z.MD", b"one"),
        ("a/.hidden.txt", b"no"),
        (".git/x.txt", b"no"),
        ("c.html", b"<p>three &amp; a half</p>"),
        ("image.png", b"no"),
        ("d.jsonl", b"{\"id\":7,\"text\":\"four\"}\n\n{\"text\":\"five\"}\n"),
    ]);
    assert_eq!(
        read(folder.path()),
        [
            text("a/z.MD", "one"),
            text("b.txt", "two"),
            text("c.html", "three & a half"),
            text("7", "four"),
            text("d.jsonl:3", "five"),
        ]
    );
}
