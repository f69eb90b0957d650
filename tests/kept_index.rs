//! Indexes that earlier builds wrote, kept as they were: a later version reads one, or refuses it by its format's number
//! (then a sample of the new format is put beside it, and a test asks for the refusal).
//!
//! `tests/kept-index/format-8` was made by `index create` and `index add` of `tests/kept-index/documents.jsonl`. Of `format-3`,
//! which is refused, only the catalogue is kept, without its rows.

use crate::program::{Bench, Csv, copytrace, project, text};
use std::fs;

#[test]
fn an_index_of_format_3_is_refused_by_its_folder_and_format_with_the_advice_to_build_it_anew() {
    let bench = Bench::new();
    let (index, kept) = (bench.path("index"), project("tests/kept-index"));
    fs::create_dir_all(index.join("segments")).unwrap();
    fs::copy(kept.join("format-3/catalogue.sqlite"), index.join("catalogue.sqlite")).unwrap();
    let expected =
        format!("{}: written in format 3; this version reads format 8 only: build the index anew", index.display());
    let documents = kept.join("documents.jsonl");
    let commands: [&[&str]; 6] = [&["list"], &["stats"], &["verify"], &["compact"], &["remove", "marsh"], &["add"]];
    for command in commands {
        let mut run = copytrace();
        run.arg("index").arg(command[0]).arg(&index).args(&command[1..]);
        if command[0] == "add" {
            run.arg(&documents);
        }
        let refused = run.assert().code(2);
        let said = text(&refused.get_output().stderr);
        assert!(said.contains(&expected), "{command:?}: {said}");
    }
    let out = bench.path("report");
    let refused =
        copytrace().arg("check").arg(&documents).arg("--index").arg(&index).arg("-o").arg(&out).assert().code(2);
    assert!(text(&refused.get_output().stderr).contains(&expected));
}

#[test]
fn an_index_of_format_8_is_read_with_every_document_and_passage() {
    // A copy, as SQLite may put its shared-memory file beside the catalogue.
    let bench = Bench::new();
    let (index, kept) = (bench.path("index"), project("tests/kept-index"));
    fs::create_dir_all(index.join("segments")).unwrap();
    fs::copy(kept.join("format-8/catalogue.sqlite"), index.join("catalogue.sqlite")).unwrap();
    for file in fs::read_dir(kept.join("format-8/segments")).unwrap() {
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

    // It can be written, too.
    copytrace().args(["index", "remove"]).arg(&index).arg("disguised").assert().success();
    copytrace().args(["index", "compact"]).arg(&index).assert().success();
    copytrace().args(["index", "verify"]).arg(&index).assert().success();
    let list = copytrace().args(["index", "list"]).arg(&index).assert().success();
    let list = text(&list.get_output().stdout);
    assert!(list.contains("marsh,On marshes,A. Reed,2024-03-01,notes,") && !list.contains("disguised"), "{list}");
}
