//! An index that an earlier build wrote, kept as it was: every later version reads it, or refuses it by its format's number
//! (then a new one is put beside it, and this test asks for the refusal).
//!
//! `tests/kept-index/format-2` and `format-3` were made by `index create` and `index add` of `tests/kept-index/documents.jsonl`.

use crate::program::{Bench, Csv, copytrace, project, text};
use std::fs;

#[test]
fn an_index_of_format_2_is_still_read_with_every_document_and_passage() {
    read("format-2");
}

#[test]
fn an_index_of_format_3_is_read_with_every_document_and_passage() {
    read("format-3");
}

fn read(format: &str) {
    // A copy, as SQLite may put its shared-memory file beside the catalogue.
    let bench = Bench::new();
    let (index, kept) = (bench.path("index"), project("tests/kept-index"));
    fs::create_dir_all(index.join("segments")).unwrap();
    fs::copy(kept.join(format).join("catalogue.sqlite"), index.join("catalogue.sqlite")).unwrap();
    for file in fs::read_dir(kept.join(format).join("segments")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), index.join("segments").join(file.file_name())).unwrap();
    }
    copytrace().args(["index", "verify"]).arg(&index).assert().success();

    let out = bench.path("report");
    let mut check = copytrace();
    check
        .arg("check")
        .arg(kept.join("documents.jsonl"))
        .arg("--index")
        .arg(&index)
        .arg("--keep-itself")
        .arg("-o")
        .arg(&out);
    check.assert().success();
    let passages = Csv::read(&out.join("passages.csv"));
    let found: Vec<_> =
        passages.rows().iter().map(|row| (row["submission"].as_str(), row["source"].as_str())).collect();
    assert_eq!(found, ["disguised", "marsh", "借阅"].map(|id| (id, id)));
    for row in passages.rows() {
        assert_eq!(row["submission_text"], row["source_text"]);
        assert_eq!(row["submission_end"], row["source_end"]);
    }
    let list = copytrace().args(["index", "list"]).arg(&index).assert().success();
    let list = text(&list.get_output().stdout);
    assert!(list.contains("marsh,On marshes,A. Reed,2024-03-01,notes,"), "{list}");

    // It can be written, too, and is of the format of this version then.
    copytrace().args(["index", "remove"]).arg(&index).arg("disguised").assert().success();
    copytrace().args(["index", "compact"]).arg(&index).assert().success();
    copytrace().args(["index", "verify"]).arg(&index).assert().success();
    let list = copytrace().args(["index", "list"]).arg(&index).assert().success();
    let list = text(&list.get_output().stdout);
    assert!(list.contains("marsh,On marshes,A. Reed,2024-03-01,notes,") && !list.contains("disguised"), "{list}");
}
