//! The demo corpus, checked as the README says, against its truth.

use crate::program::{Bench, Csv, REFERENCE, SUBMISSIONS, check, copytrace, project, tables, text};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn demo(folder: &Path, extra: &[&str]) -> String {
    text(&check(SUBMISSIONS, REFERENCE, folder).args(extra).assert().success().get_output().stderr)
}

type Row = BTreeMap<String, String>;

/// The share of the truth's span that lies inside the passage's, on one side.
fn overlap(truth: &Row, passage: &Row, side: &str) -> f64 {
    let at = |row: &Row, end: &str| row[&format!("{side}_{end}")].parse::<f64>().unwrap();
    let common = at(truth, "end").min(at(passage, "end")) - at(truth, "start").max(at(passage, "start"));
    common.max(0.0) / (at(truth, "end") - at(truth, "start"))
}

#[test]
fn every_planted_passage_is_found_and_nothing_in_the_clean_submissions() {
    let bench = Bench::new();
    let said = demo(bench.folder(), &[]);
    assert!(said.contains("8 submissions checked against 24 documents"), "{said}");

    let truth = Csv::read(&project("corpora/demo/truth.csv"));
    let passages = Csv::read(&bench.path("passages.csv"));
    assert!(truth.rows().len() >= 20);
    for planted in truth.rows() {
        let best = passages
            .rows()
            .iter()
            .filter(|p| p["submission"] == planted["submission"] && p["source"] == planted["source"])
            .map(|p| overlap(planted, p, "submission").min(overlap(planted, p, "source")))
            .fold(0.0, f64::max);
        assert!(best >= 0.8, "found {best:.2} of {planted:?}");
    }
    for passage in passages.rows() {
        let planted = truth.rows().iter().any(|t| {
            t["submission"] == passage["submission"]
                && t["source"] == passage["source"]
                && overlap(t, passage, "submission").min(overlap(t, passage, "source")) > 0.0
        });
        assert!(planted, "nothing was planted here: {passage:?}");
    }
    let summary = Csv::read(&bench.path("summary.csv"));
    let clean: Vec<_> = summary.rows().iter().filter(|row| row["passages"] == "0").collect();
    assert_eq!(clean.iter().map(|row| &row["submission"][..5]).collect::<Vec<_>>(), ["en-02", "zh-03"]);
    assert!(clean.iter().all(|row| row["copy_ratio"] == "0.0000" && row["status"] == "ok"));
}

#[test]
fn the_reports_are_the_same_bytes_whatever_the_number_of_threads() {
    let (one, two) = (Bench::new(), Bench::new());
    demo(one.folder(), &["--threads", "1"]);
    demo(two.folder(), &["--threads", "2"]);
    assert!(tables(one.folder()) == tables(two.folder()));
}

#[test]
fn the_example_in_the_documentation_is_the_page_that_the_demo_gives() {
    let bench = Bench::new();
    demo(bench.folder(), &["--format", "html", "--lang", "en"]);
    let page = fs::read(bench.path("en-01-estuary-crossing.txt.html")).unwrap();
    assert!(
        page == fs::read(project("docs/report-example.html")).unwrap(),
        "docs/report-example.html is old: make example"
    );
}

#[test]
fn the_texts_in_the_passages_are_those_at_the_offsets() {
    let bench = Bench::new();
    demo(bench.folder(), &[]);
    for row in Csv::read(&bench.path("passages.csv")).rows() {
        for (side, base) in [("submission", SUBMISSIONS), ("source", REFERENCE)] {
            let id = &row[side];
            if id.ends_with(".html") {
                continue; // offsets count the extracted text, not the file
            }
            let chars: Vec<char> = fs::read_to_string(project(base).join(id)).unwrap().chars().collect();
            let at = |end: &str| row[&format!("{side}_{end}")].parse::<usize>().unwrap();
            let expected: String = chars[at("start")..at("end")].iter().collect();
            assert_eq!(row[&format!("{side}_text")].trim_start_matches('\''), expected);
        }
    }
}

#[test]
fn kinds_are_told_apart() {
    let bench = Bench::new();
    demo(bench.folder(), &[]);
    let passages = Csv::read(&bench.path("passages.csv"));
    for planted in Csv::read(&project("corpora/demo/truth.csv")).rows() {
        let expected = match planted["class"].as_str() {
            "script" | "zerowidth" | "lookalike" => "disguised",
            class => class,
        };
        let found = passages
            .rows()
            .iter()
            .filter(|p| p["submission"] == planted["submission"] && p["source"] == planted["source"])
            .max_by(|a, b| overlap(planted, a, "submission").total_cmp(&overlap(planted, b, "submission")))
            .unwrap();
        assert_eq!(found["kind"], expected, "{planted:?}");
    }
}

#[test]
fn fail_above_turns_a_high_ratio_into_exit_code_1() {
    let bench = Bench::new();
    let run = |limit| check(SUBMISSIONS, REFERENCE, bench.folder()).args(["--fail-above", limit]).assert();
    run("0.1").code(1);
    run("0.9").code(0);
}

#[test]
fn a_document_compared_with_itself_is_one_verbatim_passage() {
    let path = "corpora/demo/reference/zh-ref-04-rockfall.txt";
    let run = copytrace().args(["compare", path, path]).assert().success();
    let out = text(&run.get_output().stdout);
    let mut reader = csv::Reader::from_reader(out.as_bytes());
    let rows: Vec<Row> = reader.deserialize().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 1);
    assert_eq!((rows[0]["kind"].as_str(), rows[0]["similarity"].as_str()), ("verbatim", "1.0000"));
    assert!(text(&run.get_output().stderr).contains("Jaccard similarity 1.0000"));
}

#[test]
fn a_list_of_pairs_is_compared_below_its_base_folder() {
    let bench = Bench::new();
    let list = bench.write(
        "list.csv",
        "submission,source\n\
         submissions/en-01-estuary-crossing.txt,reference/en-ref-01-tidal-marsh.txt\n\
         submissions/en-02-piano-rounds.txt,reference/en-ref-01-tidal-marsh.txt\n\
         submissions/missing.txt,reference/en-ref-01-tidal-marsh.txt\n",
    );
    let output = bench.path("passages.csv");
    let run = copytrace()
        .args(["compare", "--base", "corpora/demo", "-o"])
        .arg(&output)
        .arg("--list")
        .arg(&list)
        .assert()
        .code(3);
    assert!(text(&run.get_output().stderr).contains("missing.txt"));
    let passages = Csv::read(&output);
    assert_eq!(passages.rows().len(), 1);
    assert_eq!(passages.rows()[0]["submission"], "submissions/en-01-estuary-crossing.txt");
}
