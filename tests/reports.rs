//! The reports for people as files: JSON by its schema, the workbook, names, and hostile submissions.

mod program;

use calamine::{Data, Reader, Xlsx, open_workbook};
use program::{Csv, copytrace};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn check(submissions: &Path, corpus: &Path, output: &Path, extra: &[&str]) -> assert_cmd::assert::Assert {
    copytrace().arg("check").arg(submissions).arg("--corpus").arg(corpus).arg("-o").arg(output).args(extra).assert()
}

fn demo(output: &Path, extra: &[&str]) {
    check(Path::new("corpora/demo/submissions"), Path::new("corpora/demo/reference"), output, extra).success();
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn valid(json: &Value) {
    let schema: Value = serde_json::from_str(&fs::read_to_string("docs/report.schema.json").unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(json).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn only_the_formats_asked_for_are_written() {
    let folder = tempfile::tempdir().unwrap();
    demo(folder.path(), &["--format", "json,xlsx"]);
    let names = files(folder.path());
    assert_eq!(names.len(), 9, "{names:?}");
    assert!(names.contains(&"report.xlsx".to_owned()) && names.contains(&"en-02-piano-rounds.txt.json".to_owned()));
}

#[test]
fn the_json_is_valid_by_its_schema_and_agrees_with_the_tables() {
    let folder = tempfile::tempdir().unwrap();
    demo(folder.path(), &["--format", "csv,json"]);
    let passages = Csv::read(&folder.path().join("passages.csv"));
    for row in Csv::read(&folder.path().join("summary.csv")).rows() {
        let path = folder.path().join(format!("{}.json", row["submission"]));
        let report: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        valid(&report);
        assert_eq!(report["ratios"]["all"]["matched"].to_string(), row["matched_characters"]);
        assert_eq!(report["ratios"]["all"]["characters"].to_string(), row["characters"]);
        assert_eq!(report["passages"].as_array().unwrap().len().to_string(), row["passages"]);
        let sum = |matched: bool| -> u64 {
            let segments = report["segments"].as_array().unwrap().iter();
            segments.filter(|s| !matched || s["matched"] == true).map(|s| s["characters"].as_u64().unwrap()).sum()
        };
        assert_eq!(
            (sum(true).to_string(), sum(false).to_string()),
            (row["matched_characters"].clone(), row["characters"].clone())
        );
        for passage in report["passages"].as_array().unwrap() {
            let wording = |side: i64| -> String {
                let pieces = passage["pieces"].as_array().unwrap().iter();
                pieces.filter(|p| p[0] == 0 || p[0] == side).map(|p| p[1].as_str().unwrap()).collect()
            };
            let found = passages.rows().iter().any(|row| {
                row["submission_text"].trim_start_matches('\'') == wording(-1)
                    && row["source_text"].trim_start_matches('\'') == wording(1)
            });
            assert!(found, "{passage}");
        }
    }
}

#[test]
fn the_workbook_holds_the_tables_with_numbers_as_numbers() {
    let folder = tempfile::tempdir().unwrap();
    demo(folder.path(), &["--format", "csv,xlsx"]);
    let mut workbook: Xlsx<_> = open_workbook(folder.path().join("report.xlsx")).unwrap();
    assert_eq!(workbook.sheet_names(), ["summary", "sources", "passages", "chapters"]);
    for (sheet, column, in_table) in [
        ("summary", 3, "matched_characters"),
        ("sources", 6, "matched_characters"),
        ("passages", 2, "submission_start"),
    ] {
        let range = workbook.worksheet_range(sheet).unwrap();
        let table = Csv::read(&folder.path().join(format!("{sheet}.csv")));
        assert_eq!(range.height(), table.rows().len() + 1);
        for (cells, row) in range.rows().skip(1).zip(table.rows()) {
            assert_eq!(cells[0], Data::String(row["submission"].clone()));
            assert_eq!(cells[column], Data::Float(row[in_table].parse().unwrap()), "{sheet}");
        }
    }
}

#[test]
fn a_byte_order_mark_is_written_when_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    demo(folder.path(), &["--format", "csv", "--csv-bom"]);
    for name in files(folder.path()) {
        assert!(fs::read(folder.path().join(&name)).unwrap().starts_with("\u{feff}submission,".as_bytes()), "{name}");
    }
}

#[test]
fn the_language_is_chosen() {
    let folder = tempfile::tempdir().unwrap();
    for (language, expected) in [("zh", "<html lang=\"zh-CN\">"), ("en", "<html lang=\"en\">")] {
        demo(folder.path(), &["--format", "html", "--lang", language]);
        assert!(fs::read_to_string(folder.path().join("index.html")).unwrap().contains(expected));
    }
}

#[test]
fn reports_are_the_same_bytes_whatever_the_number_of_threads() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    demo(one.path(), &["--format", "html,json,xlsx", "--threads", "1"]);
    demo(two.path(), &["--format", "html,json,xlsx", "--threads", "2"]);
    assert_eq!(files(one.path()), files(two.path()));
    for name in files(one.path()) {
        assert!(fs::read(one.path().join(&name)).unwrap() == fs::read(two.path().join(&name)).unwrap(), "{name}");
    }
}

#[test]
fn hostile_ids_and_texts_stay_in_the_folder_and_in_their_cells() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = folder.path().join("corpus.txt");
    let text = "the grey tide leaves a thin layer of silt between the stems of the marsh twice a day";
    fs::write(&corpus, text).unwrap();
    let long = "长".repeat(300);
    let ids = [
        "=cmd|' /C calc'!A0",
        "../../x",
        &long,
        "论文",
        "🙂",
        "index",
        "a\0b",
        "\u{202e}txt.exe",
        "con",
        "<script>alert(1)</script>",
        "A",
        "a",
    ];
    let lines: Vec<String> = ids
        .iter()
        .map(|id| {
            serde_json::json!({ "id": id, "title": "\" onload=\"x", "text": format!("=1+1 \u{0}\u{1}\u{202e} {text}") })
                .to_string()
        })
        .collect();
    let submissions = folder.path().join("s.jsonl");
    fs::write(&submissions, lines.join("\n")).unwrap();
    let output = folder.path().join("deep/er/out");
    check(&submissions, &corpus, &output, &["--format", "csv,html,json,xlsx"]);

    assert_eq!(files(folder.path()), ["corpus.txt", "deep", "s.jsonl"]);
    assert_eq!(files(&folder.path().join("deep")), ["er"]);
    assert_eq!(files(&folder.path().join("deep/er")), ["out"]);
    let summary = Csv::read(&output.join("summary.csv"));
    let ok = summary.rows().iter().filter(|row| row["status"] == "ok").count();
    assert!(ok >= ids.len() - 1, "{:?}", summary.rows());
    let names = files(&output);
    assert_eq!(names.iter().filter(|name| name.ends_with(".html")).count(), ok + 1);
    for name in names.iter().filter(|name| name.ends_with(".json")) {
        valid(&serde_json::from_str(&fs::read_to_string(output.join(name)).unwrap()).unwrap());
    }
    for name in names.iter().filter(|name| name.ends_with(".html")) {
        let page = fs::read_to_string(output.join(name)).unwrap();
        assert_eq!(page.matches("<script").count(), 2, "{name}");
        assert!(!page.contains("<script>alert") && !page.contains(" onload=\"x") && !page.contains('\0'), "{name}");
    }
    let mut workbook: Xlsx<_> = open_workbook(output.join("report.xlsx")).unwrap();
    assert_eq!(workbook.worksheet_range("summary").unwrap().height(), summary.rows().len() + 1);
    assert!(workbook.worksheet_formula("summary").unwrap().used_cells().count() == 0);
}
