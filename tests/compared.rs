//! What submissions are compared with: authors and dates as far as they are known, manifests, the submission itself, each other,
//! an index and a corpus together.

use crate::program::{Bench, Csv, copytrace, text};
use assert_cmd::assert::Assert;
use std::collections::BTreeMap;
use std::fs;

const PASSAGE: &str = "the grey tide leaves a thin layer of silt between the stems of the marsh twice a day, and every \
    spring the reeds grow out of last year's mud while the herons wait along the channel for eels";

/// Sentences of everyday words, in an order that no other number gives.
fn own(number: usize) -> String {
    const WORDS: &str = "the house of a river and in spring we saw how people built long walls by hand to keep their fields dry \
        while children with small boats went over to school every morning before bread was ready at home but nobody knew why \
        old trees near water grew so slowly after that cold year when ice stood on roads for many weeks";
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut state = number as u64 + 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        words[(state >> 33) as usize % words.len()]
    };
    (0..16).map(|_| (0..12).map(|_| next()).collect::<Vec<_>>().join(" ") + ". ").collect()
}

fn check(bench: &Bench, submission: &str, extra: &[&str]) -> Assert {
    let mut command = copytrace();
    command.current_dir(bench.folder()).arg("check").arg(submission).args(extra);
    command.args(["--lang", "en", "--overwrite", "-o", "out"]).assert()
}

fn summary(bench: &Bench) -> Vec<BTreeMap<String, String>> {
    Csv::read(&bench.path("out/summary.csv")).rows().to_vec()
}

/// What was said on standard error.
fn said(assert: &Assert) -> String {
    text(&assert.get_output().stderr)
}

/// A web page whose file says who wrote it and what it is called.
fn page(author: &str, title: &str, body: &str) -> String {
    format!(
        "<html><head><title>{title}</title><meta name=\"author\" content=\"{author}\"></head><body><p>{body}</p></body></html>"
    )
}

#[test]
fn an_author_whom_only_files_name_makes_nothing_own_work() {
    let bench = Bench::new();
    bench.write("thesis.html", page("Administrator", "Thesis template", &format!("{} {PASSAGE}.", own(1))));
    bench.write("corpus/source.html", page("Administrator", "Thesis template", &format!("{PASSAGE}. {}", own(2))));
    check(&bench, "thesis.html", &["--corpus", "corpus"]).success();
    let row = &summary(&bench)[0];
    assert_ne!(row["copy_ratio"], "0.0000");
    assert_eq!(row["copy_ratio_without_own_work"], row["copy_ratio"]);
    assert_eq!((row["top_source"].as_str(), row["author"].as_str()), ("source.html", "Administrator"));
    let html = fs::read_to_string(bench.path("out/thesis.html.html")).unwrap();
    assert!(html.contains("<h1><bdi>thesis.html</bdi></h1>"), "named by its id");
    assert!(html.contains("<bdi class=\"name\">source.html</bdi>"), "a source too");

    // Not even where a manifest names the submission's author so.
    bench.write("manifest.csv", "path,author\nthesis.html,Administrator\n");
    check(&bench, "thesis.html", &["--corpus", "corpus", "--manifest", "manifest.csv"]).success();
    assert_eq!(summary(&bench)[0]["copy_ratio_without_own_work"], row["copy_ratio"]);
}

#[test]
fn a_manifest_tells_of_the_corpus_too_and_its_rows_without_a_document_are_named() {
    let bench = Bench::new();
    bench.write("thesis.txt", format!("{} {PASSAGE}.", own(1)));
    bench.write("corpus/source.txt", format!("{PASSAGE}. {}", own(2)));
    bench.write("manifest.csv", "文件名;作者\nthesis.txt;张三\nsource.txt;张三\nmissing.txt;李四\n");
    let said = said(&check(&bench, "thesis.txt", &["--corpus", "corpus", "--manifest", "manifest.csv"]).success());
    let row = &summary(&bench)[0];
    assert_ne!(row["copy_ratio"], "0.0000");
    assert_eq!(row["copy_ratio_without_own_work"], "0.0000");
    assert!(said.contains("missing.txt") && said.contains("no such document"), "{said}");
}

#[test]
fn a_row_of_a_manifest_that_stands_for_a_submission_and_a_source_is_told() {
    let bench = Bench::new();
    bench.write("s/paper.txt", format!("{} {PASSAGE}.", own(1)));
    bench.write("corpus/paper.txt", format!("{PASSAGE}. {}", own(2)));
    bench.write("manifest.csv", "path,author\npaper.txt,A. Reed\n");
    let said = said(&check(&bench, "s", &["--corpus", "corpus", "--manifest", "manifest.csv"]).success());
    assert!(said.contains("paper.txt") && said.contains("a document of the corpus"), "{said}");
}

#[test]
fn rows_of_a_manifest_are_told_in_one_line_where_the_submissions_are_the_corpus_too() {
    let bench = Bench::new();
    let names: Vec<String> = (0..12).map(|at| format!("paper{at}.txt")).collect();
    for (at, name) in names.iter().enumerate() {
        bench.write(format!("s/{name}"), own(at + 1));
    }
    bench.write("manifest.csv", names.iter().fold("path,author\n".to_owned(), |all, name| all + name + ",A. Reed\n"));
    let said = said(&check(&bench, "s", &["--corpus", "s", "--manifest", "manifest.csv"]).success());
    assert_eq!(said.matches("a document of the corpus").count(), 1, "{said}");
    assert!(
        said.contains("12 rows of the manifest") && said.contains("paper0.txt") && !said.contains("paper5.txt"),
        "{said}"
    );
}

#[test]
fn a_filter_on_dates_is_refused_where_no_document_has_one_and_tells_of_those_without() {
    let bench = Bench::new();
    bench.write("thesis.txt", format!("{} {PASSAGE}.", own(1)));
    bench.write("corpus/a.txt", format!("{PASSAGE}. {}", own(2)));
    for filter in [["--since", "2020-01-01"], ["--max-age", "30d"], ["--until", "2026-01-01"]] {
        let failed = check(&bench, "thesis.txt", &[&["--corpus", "corpus"], &filter[..]].concat()).code(2);
        assert!(said(&failed).contains("has a date"), "{}", said(&failed));
        assert!(!bench.path("out").exists());
    }
    let line = serde_json::json!({ "id": "dated", "date": "2024-05-01", "text": format!("{PASSAGE}. {}", own(3)) });
    bench.write("corpus/b.jsonl", line.to_string());
    let told = said(&check(&bench, "thesis.txt", &["--corpus", "corpus", "--since", "2020-01-01"]).success());
    assert!(told.contains("left out 1 of 2 documents") && told.contains("against 1 document:"), "{told}");
    assert_eq!(summary(&bench)[0]["top_source"], "dated");
}

#[test]
fn files_of_unknown_kinds_are_rows_and_locks_of_word_are_not() {
    let bench = Bench::new();
    bench.write("s/thesis.txt", own(1));
    bench.write("s/slides.pptx", "?");
    bench.write("s/~$thesis.docx", "?");
    bench.write("corpus/source.txt", own(2));
    bench.write("corpus/picture.png", "?");
    let told = said(&check(&bench, "s", &["--corpus", "corpus"]).code(3));
    let rows = summary(&bench);
    let states: Vec<_> = rows.iter().map(|row| (row["submission"].as_str(), row["status"].as_str())).collect();
    assert_eq!(states, [("slides.pptx", "error"), ("thesis.txt", "ok")]);
    assert!(told.contains("picture.png") && told.contains("passed over") && told.contains("~$thesis.docx"), "{told}");
    assert!(fs::read_to_string(bench.path("out/index.html")).unwrap().contains("slides.pptx"));
}

#[test]
fn submissions_without_a_corpus_are_compared_with_each_other() {
    let bench = Bench::new();
    bench.write("s/a.txt", format!("{}{PASSAGE}.", own(1)));
    bench.write("s/b.txt", format!("{PASSAGE}. {}", own(2)));
    bench.write("s/c.txt", own(3));
    let told = said(&check(&bench, "s", &[]).success());
    assert!(told.contains("3 submissions checked against each other"), "{told}");
    let rows = summary(&bench);
    let of: Vec<_> = rows.iter().map(|row| (row["top_source"].as_str(), row["copy_ratio"] != "0.0000")).collect();
    assert_eq!(of, [("b.txt", true), ("a.txt", true), ("", false)]);
    assert_eq!(Csv::read(&bench.path("out/shared.csv")).rows().len(), 1);
    for page in ["index.html", "a.txt.html", "pair-001.html"] {
        assert!(bench.path("out").join(page).exists(), "{page}");
    }
    for alone in ["s/a.txt", "-"] {
        let refused = said(&check(&bench, alone, &[]).code(2));
        assert!(refused.contains("--corpus") && refused.contains("--index"), "{refused}");
    }
}

#[test]
fn a_path_that_is_not_there_is_named_and_a_file_of_defaults_in_the_folder_is_not_obeyed() {
    let bench = Bench::new();
    bench.write("s/a.txt", own(1));
    bench.write("s/b.txt", own(2));
    let told = said(&check(&bench, "nothere", &[]).code(2));
    assert!(told.contains("nothere: no such file"), "{told}");
    bench.write("copytrace.toml", "[check]\nformat = 'no such format'\n");
    check(&bench, "s", &[]).success();
    let told = said(&check(&bench, "s", &["--config", "copytrace.toml"]).code(2));
    assert!(told.contains("no such format"), "{told}");
}

#[test]
fn two_equal_texts_of_two_students_are_no_copy_of_themselves() {
    let bench = Bench::new();
    bench.write("s/a.txt", own(1));
    bench.write("s/b.txt", own(1));
    check(&bench, "s", &[]).success();
    assert!(summary(&bench).iter().all(|row| row["copy_ratio"] == "1.0000"));
}

#[test]
fn a_submission_that_the_library_holds_is_left_out_with_a_word() {
    let bench = Bench::new();
    let thesis = format!("{}{PASSAGE}. {}", own(1), own(3));
    bench.write("thesis.txt", &thesis);
    bench.write("corpus/source.txt", format!("{PASSAGE}. {}", own(2)));
    check(&bench, "thesis.txt", &["--corpus", "corpus"]).success();
    let expected = summary(&bench)[0]["copy_ratio"].clone();
    // The same text under another id is a copy until somebody says otherwise.
    bench.write("again/elsewhere.txt", &thesis);
    check(&bench, "thesis.txt", &["--corpus", "corpus", "--corpus", "again"]).success();
    assert_eq!(summary(&bench)[0]["copy_ratio"], "1.0000");
    fs::remove_dir_all(bench.path("again")).unwrap();
    // The same and an earlier state under the same id.
    for text in [thesis.clone(), thesis.replacen(" river ", " revised ", 3)] {
        let name = "thesis.txt";
        bench.write(format!("again/{name}"), text);
        let told = said(&check(&bench, "thesis.txt", &["--corpus", "corpus", "--corpus", "again"]).success());
        let row = &summary(&bench)[0];
        assert_eq!(row["copy_ratio"], expected, "{name}");
        assert!(row["message"].contains(name) && told.contains("this submission itself"), "{row:?} {told}");
        let html = fs::read_to_string(bench.path("out/thesis.txt.html")).unwrap();
        assert!(html.contains("Left out, because it is this submission itself"));
        fs::remove_dir_all(bench.path("again")).unwrap();
    }
    // A source that somebody named a file after counts, and the name is flagged.
    bench.write("again/thesis.txt", format!("{PASSAGE}. {}{}", own(1), own(5)));
    check(&bench, "thesis.txt", &["--corpus", "again"]).success();
    let row = &summary(&bench)[0];
    assert!(row["copy_ratio"].as_str() > "0.5" && row["message"].is_empty(), "{row:?}");
    let flags = Csv::read(&bench.path("out/flags.csv"));
    assert!(flags.rows().iter().any(|row| row["kind"] == "same_id"));
    // Another text that happens to have its name, and the same text of another author, are sources.
    bench.write("again/thesis.txt", format!("{}{PASSAGE}.", own(9)));
    check(&bench, "thesis.txt", &["--corpus", "again"]).success();
    assert_eq!(summary(&bench)[0]["top_source"], "thesis.txt");
    let line = |id: &str, author: &str| serde_json::json!({ "id": id, "author": author, "text": thesis }).to_string();
    bench.write("of-one.jsonl", line("mine", "A. Reed"));
    bench.write("of-another.jsonl", line("theirs", "B. Marsh"));
    check(&bench, "of-one.jsonl", &["--corpus", "of-another.jsonl"]).success();
    assert_eq!(summary(&bench)[0]["copy_ratio"], "1.0000");
}

#[test]
fn an_index_and_a_corpus_are_searched_as_one() {
    let bench = Bench::new();
    let other = "a lighthouse keeper writes down wind and visibility four times each night in the same blue ledger";
    bench.write("thesis.txt", format!("{}{PASSAGE}. {}{other}.", own(1), own(2)));
    // Of few words, in whatever order, long stretches agree: each source has words of its own.
    bench.write("kept.txt", format!("{PASSAGE}. {}", own(3).replace(' ', " un")));
    bench.write("read.txt", format!("{other}. {}", own(4).replace(' ', " de")));
    for arguments in [&["index", "create", "library"][..], &["index", "add", "library", "kept.txt"]] {
        copytrace().current_dir(bench.folder()).args(arguments).assert().success();
    }
    check(&bench, "thesis.txt", &["--index", "library", "--corpus", "read.txt"]).success();
    let sources: Vec<String> =
        Csv::read(&bench.path("out/sources.csv")).rows().iter().map(|row| row["source"].clone()).collect();
    assert_eq!(sources, ["kept.txt", "read.txt"], "those with the most first");
}

#[test]
fn ids_that_no_document_has_are_told() {
    let bench = Bench::new();
    bench.write("thesis.txt", own(1));
    bench.write("corpus/source.txt", own(2));
    let told = said(&check(&bench, "thesis.txt", &["--corpus", "corpus", "--own-work", "sorce.txt"]).success());
    assert!(told.contains("sorce.txt: there is no such document"), "{told}");
}

#[test]
fn a_limit_may_be_in_per_cent_and_a_language_has_many_names() {
    let bench = Bench::new();
    bench.write("thesis.txt", format!("{PASSAGE}. {}", own(1)));
    bench.write("corpus/source.txt", format!("{PASSAGE}. {}", own(2)));
    check(&bench, "thesis.txt", &["--corpus", "corpus", "--fail-above", "1%"]).code(1);
    let mut command = copytrace();
    command.current_dir(bench.folder()).args(["check", "thesis.txt", "--corpus", "corpus", "--lang", "zh-CN"]);
    let told = said(&command.args(["--overwrite", "-o", "out"]).assert().success());
    assert!(told.contains("已检测 1 篇"), "{told}");
    assert!(fs::read(bench.path("out/summary.csv")).unwrap().starts_with("\u{feff}".as_bytes()));
}

#[test]
fn departments_and_supervisors_of_a_manifest_have_sums() {
    let bench = Bench::new();
    bench.write("s/a.txt", format!("{PASSAGE}. {}", own(1)));
    bench.write("s/b.txt", own(2));
    bench.write("corpus.txt", format!("{PASSAGE}. {}", own(3)));
    bench.write("m.csv", "path,department,supervisor\na.txt,Coastal Studies,R. Heron\nb.txt,Coastal Studies,E. Eel\n");
    check(&bench, "s", &["--corpus", "corpus.txt", "--manifest", "m.csv"]).success();
    let html = fs::read_to_string(bench.path("out/index.html")).unwrap();
    for expected in ["By department", "By supervisor", "R. Heron", "Coastal Studies · E. Eel"] {
        assert!(html.contains(expected), "{expected}");
    }
}

#[test]
fn a_report_is_verified_by_itself_and_against_a_new_check() {
    let bench = Bench::new();
    bench.write("thesis.txt", format!("{}{PASSAGE}.", own(1)));
    bench.write("other.txt", own(4));
    bench.write("corpus/source.txt", format!("{PASSAGE}. {}", own(2)));
    check(&bench, "thesis.txt", &["--corpus", "corpus", "--format", "html,json"]).success();
    let verify = |extra: &[&str]| {
        let mut command = copytrace();
        command.current_dir(bench.folder()).arg("verify-report").args(extra).assert()
    };
    let (html, json) = ("out/thesis.txt.html", "out/thesis.txt.json");
    assert_eq!(said(&verify(&[html, json]).success()).matches("agrees with itself").count(), 2);
    verify(&[html, json, "--submission", "thesis.txt", "--corpus", "corpus"]).success();
    assert!(said(&verify(&[html, "--submission", "other.txt", "--corpus", "corpus"]).code(3)).contains("another file"));
    bench.write("corpus/more.txt", own(5));
    assert!(said(&verify(&[html, "--submission", "thesis.txt", "--corpus", "corpus"]).code(3)).contains("2 now"));

    // A figure that somebody made smaller, with and without the passages that tell of it.
    let written = fs::read_to_string(bench.path(json)).unwrap();
    let report: serde_json::Value = serde_json::from_str(&written).unwrap();
    let mut smaller = report.clone();
    smaller["ratios"]["all"]["matched"] = 1.into();
    let mut without = report.clone();
    without["passages"] = serde_json::json!([]);
    for changed in [smaller, without] {
        bench.write("changed.json", changed.to_string());
        let failed = said(&verify(&["changed.json"]).code(3));
        assert!(failed.contains("changed.json") && failed.contains("number"), "{failed}");
    }
    // A figure that is shown is another than that of the data.
    let page = fs::read_to_string(bench.path(html)).unwrap();
    let shown = page.split("class=\"value\">").nth(1).unwrap().split('<').next().unwrap();
    bench.write("shown.html", page.replacen(&format!(">{shown}<"), ">0.1%<", 1));
    assert!(said(&verify(&["shown.html"]).code(3)).contains("figures that the page shows"));
    let script = page.replace("* 100).toFixed(1)", "* 10).toFixed(1)");
    bench.write("changed.html", script);
    assert!(said(&verify(&["changed.html"]).code(3)).contains("script"));
}
