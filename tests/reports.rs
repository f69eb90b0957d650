//! The reports for people as files: JSON by its schema, the workbook, names, and hostile submissions.

use crate::program::{Bench, Csv, REFERENCE, SUBMISSIONS, check, copytrace, project};
use calamine::{Data, Reader, Xlsx, open_workbook};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

fn demo(output: &Path, extra: &[&str]) {
    check(SUBMISSIONS, REFERENCE, output).args(extra).assert().success();
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name != ".copytrace-report");
    names.sort();
    names
}

fn valid(json: &Value) {
    let schema: Value = serde_json::from_str(&fs::read_to_string(project("docs/report.schema.json")).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(json).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn only_the_formats_asked_for_are_written() {
    let bench = Bench::new();
    demo(bench.folder(), &["--format", "json,xlsx"]);
    let names = files(bench.folder());
    assert_eq!(names.len(), 9, "{names:?}");
    assert!(names.contains(&"report.xlsx".to_owned()) && names.contains(&"en-02-piano-rounds.txt.json".to_owned()));
}

#[test]
fn the_json_is_valid_by_its_schema_and_agrees_with_the_tables() {
    let bench = Bench::new();
    demo(bench.folder(), &["--format", "csv,json"]);
    let passages = Csv::read(&bench.path("passages.csv"));
    for row in Csv::read(&bench.path("summary.csv")).rows() {
        let path = bench.path(format!("{}.json", row["submission"]));
        let report: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        valid(&report);
        let read: copytrace::check::Report = serde_json::from_value(report.clone()).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), report, "a report can be read back");
        let text = report["text"].as_str().unwrap();
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
            let at = |end: &str| passage["submission"][end].as_u64().unwrap() as usize;
            let ours: String = text.chars().take(at("end")).skip(at("start")).collect();
            let theirs = passage["source_text"].as_str().unwrap();
            let found = passages.rows().iter().any(|row| {
                row["submission_text"].trim_start_matches('\'') == ours
                    && row["source_text"].trim_start_matches('\'') == theirs
            });
            assert!(found, "{passage}");
        }
    }
}

#[test]
fn the_workbook_holds_the_tables_with_numbers_as_numbers() {
    let bench = Bench::new();
    demo(bench.folder(), &["--format", "csv,xlsx"]);
    let mut workbook: Xlsx<_> = open_workbook(bench.path("report.xlsx")).unwrap();
    assert_eq!(workbook.sheet_names(), ["summary", "sources", "passages", "chapters", "shared", "flags", "excluded"]);
    for (sheet, column, in_table) in [
        ("summary", 3, "matched_characters"),
        ("sources", 7, "matched_characters"),
        ("passages", 2, "submission_start"),
    ] {
        let range = workbook.worksheet_range(sheet).unwrap();
        let table = Csv::read(&bench.path(format!("{sheet}.csv")));
        assert_eq!(range.height(), table.rows().len() + 1);
        for (cells, row) in range.rows().skip(1).zip(table.rows()) {
            assert_eq!(cells[0], Data::String(row["submission"].clone()));
            assert_eq!(cells[column], Data::Float(row[in_table].parse().unwrap()), "{sheet}");
        }
    }
}

#[test]
fn a_chinese_workbook_has_chinese_sheets_and_headings_and_links_to_the_pages() {
    let bench = Bench::new();
    demo(bench.folder(), &["--format", "html,xlsx", "--lang", "zh"]);
    let mut workbook: Xlsx<_> = open_workbook(bench.path("report.xlsx")).unwrap();
    assert_eq!(workbook.sheet_names(), ["汇总", "来源", "相似段落", "章节", "相互相似", "异常", "未计入"]);
    let range = workbook.worksheet_range("汇总").unwrap();
    let heading = |column: usize| range.get((0, column)).unwrap().to_string();
    assert_eq!((heading(0), heading(4), heading(8)), ("送检文本".into(), "总相似比".into(), "单篇最大相似比".into()));
    assert_eq!(range.get((1, 1)).unwrap().to_string(), "已检测");
    let mut archive = zip::ZipArchive::new(fs::File::open(bench.path("report.xlsx")).unwrap()).unwrap();
    let mut links = String::new();
    std::io::Read::read_to_string(&mut archive.by_name("xl/worksheets/_rels/sheet1.xml.rels").unwrap(), &mut links)
        .unwrap();
    assert!(links.contains("Target=\"en-01-estuary-crossing.txt.html\""), "{links}");
}

#[test]
fn a_workbook_speaks_chinese_of_its_own_words_and_leaves_names_alone_and_what_failed_has_no_figures() {
    let bench = Bench::new();
    // A name that is a word of the tables too.
    bench.write("references", "潮汐每天两次漫过芦苇，留下一层薄薄的淤泥，第二年春天又从旧泥里长出新叶。");
    bench.write("short.txt", "两字");
    bench.write("corpus/source.txt", "山里的茶厂把单据塞在三只化肥袋里，袋口用麻绳扎着，绳结的打法只有出纳会解。");
    let mut command = copytrace();
    command.args([
        "check",
        "references",
        "short.txt",
        "--corpus",
        "corpus",
        "--format",
        "xlsx",
        "--lang",
        "zh",
        "-o",
        "out",
    ]);
    command.current_dir(bench.folder()).assert().code(3);
    let mut workbook: Xlsx<_> = open_workbook(bench.path("out/report.xlsx")).unwrap();
    let range = workbook.worksheet_range("汇总").unwrap();
    let cell = |row: usize, column: usize| range.get((row, column)).unwrap().to_string();
    assert_eq!((cell(1, 0), cell(1, 1), cell(1, 4)), ("references".into(), "已检测".into(), "0".into()));
    let failed = (cell(2, 0), cell(2, 1), cell(2, 4), cell(2, 9));
    let reason = "文字过短，无法比较：不足 5 个词或汉字".to_owned();
    assert_eq!(failed, ("short.txt".into(), "未能检测".into(), String::new(), reason));
}

#[test]
fn a_byte_order_mark_is_written_when_asked_for() {
    let bench = Bench::new();
    demo(bench.folder(), &["--format", "csv", "--csv-bom"]);
    for name in files(bench.folder()) {
        assert!(fs::read(bench.path(&name)).unwrap().starts_with("\u{feff}".as_bytes()), "{name}");
    }
}

#[test]
fn the_language_is_chosen() {
    let bench = Bench::new();
    for (language, expected) in [("zh", "<html lang=\"zh-CN\">"), ("en", "<html lang=\"en\">")] {
        demo(bench.folder(), &["--format", "html", "--lang", language]);
        assert!(fs::read_to_string(bench.path("index.html")).unwrap().contains(expected));
    }
}

#[test]
fn reports_are_the_same_bytes_whatever_the_number_of_threads() {
    let (one, two) = (Bench::new(), Bench::new());
    demo(one.folder(), &["--format", "html,json,xlsx", "--threads", "1"]);
    demo(two.folder(), &["--format", "html,json,xlsx", "--threads", "2"]);
    assert_eq!(files(one.folder()), files(two.folder()));
    for name in files(one.folder()) {
        assert!(fs::read(one.path(&name)).unwrap() == fs::read(two.path(&name)).unwrap(), "{name}");
    }
}

#[test]
fn a_report_tells_the_sha_256_of_the_file_as_it_was_handed_in() {
    let bench = Bench::new();
    let text = "潮水每天两次在沼泽的茎秆之间留下一层薄薄的泥沙，到了春天芦苇从去年的淤泥里长出来。";
    let (bytes, _, _) = encoding_rs::GB18030.encode(text);
    let (plain, archive) = (bench.write("plain.txt", &bytes), bench.path("packed.zip"));
    let mut zip = zip::ZipWriter::new(fs::File::create(&archive).unwrap());
    zip.start_file("member.txt", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(&bytes).unwrap();
    zip.finish().unwrap();
    let lines = bench.write("lines.jsonl", serde_json::json!({ "id": "line", "text": text }).to_string());
    let output = bench.path("out");
    let mut command = copytrace();
    command.arg("check").args([&plain, &archive, &lines]).arg("--corpus").arg(&plain);
    command.args(["--lang", "en", "--format", "json,html", "-o"]).arg(&output).assert().success();

    let digest = |bytes: &[u8]| Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    for (id, of_file, label) in [
        ("plain.txt", Some(digest(&bytes)), "SHA-256 of the file"),
        ("member.txt", Some(digest(&bytes)), "SHA-256 of the file"),
        ("line", None, "SHA-256 of the text"),
    ] {
        let report: Value = serde_json::from_slice(&fs::read(output.join(format!("{id}.json"))).unwrap()).unwrap();
        valid(&report);
        assert_eq!(report["submission"]["file_sha256"].as_str(), of_file.as_deref(), "{id}");
        assert_eq!(report["submission"]["text_sha256"], digest(text.as_bytes()), "{id}");
        let page = fs::read_to_string(output.join(format!("{id}.html"))).unwrap();
        let shown = of_file.unwrap_or_else(|| digest(text.as_bytes()));
        assert!(page.contains(&format!("<dt>{label}</dt><dd class=\"digest\">{shown}</dd>")), "{id}");
    }
}

#[test]
fn the_day_of_the_check_is_told_when_it_is_given_and_changes_nothing_else() {
    let bench = Bench::new();
    let report = |extra: &[&str]| -> (Value, String) {
        demo(bench.folder(), &[&["--format", "json,html", "--lang", "en"], extra].concat());
        let read = |ending| fs::read_to_string(bench.path(format!("en-02-piano-rounds.txt.{ending}"))).unwrap();
        (serde_json::from_str(&read("json")).unwrap(), read("html"))
    };
    let (without, page) = report(&[]);
    assert!(without["checked"].is_null() && !page.contains("<dt>Checked on</dt>"));
    let (mut with, page) = report(&["--date", "2026-11-21"]);
    valid(&with);
    assert!(page.contains("<dt>Checked on</dt><dd>2026-11-21</dd>"));
    assert_eq!(with["checked"].take(), "2026-11-21");
    assert_eq!(with, without);
    let wrong = ["check", "x", "--corpus", "x", "--date", "yesterday"];
    let refused = copytrace().args(wrong).assert().code(2);
    assert!(String::from_utf8_lossy(&refused.get_output().stderr).contains("expected a date as 2026-03-31"));
}

#[test]
fn without_chromium_everything_but_the_pdf_is_written_and_it_is_said_what_to_install() {
    let bench = Bench::new();
    let mut command = copytrace();
    command.args([
        "check",
        "corpora/demo/submissions",
        "--corpus",
        "corpora/demo/reference",
        "--format",
        "csv,pdf",
        "-o",
    ]);
    let run = command.arg(bench.folder()).env("PATH", "/nonexistent").assert().code(3);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(said.contains("apt-get install chromium"), "{said}");
    let names = files(bench.folder());
    assert!(names.contains(&"summary.csv".to_owned()) && names.contains(&"en-02-piano-rounds.txt.html".to_owned()));
    assert!(!names.iter().any(|name| name.ends_with(".pdf")));
}

#[cfg(unix)]
#[test]
fn a_page_that_cannot_be_printed_is_named_and_the_others_are() {
    use std::os::unix::fs::PermissionsExt;
    let (bench, browsers) = (Bench::new(), Bench::new());
    let script = "#!/bin/sh\ncase \"$*\" in *en-02*) exit 1;; esac\n\
                  for word; do case \"$word\" in --print-to-pdf=*) echo printed > \"${word#*=}\";; esac; done\n";
    let browser = browsers.write("chromium", script);
    fs::set_permissions(browser, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = check(SUBMISSIONS, REFERENCE, bench.folder());
    let run = command.args(["--format", "pdf"]).env("PATH", browsers.folder()).assert().code(3);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(said.contains("en-02-piano-rounds.txt.html"), "{said}");
    let printed = files(bench.folder()).into_iter().filter(|name| name.ends_with(".pdf")).count();
    assert_eq!(printed, 2 * 7, "each in full and as a summary sheet");
}

/// Ids that do harm where they are taken for a formula, a path, or markup; and one that is too long for a file's name.
pub fn hostile_ids() -> [String; 12] {
    let long = "长".repeat(300);
    let others = ["index", "a\0b", "\u{202e}txt.exe", "con", "<script>alert(1)</script>", "A", "a"];
    let first = ["=cmd|' /C calc'!A0", "../../x", &long, "论文", "🙂"];
    let mut ids = first.into_iter().chain(others).map(str::to_owned);
    std::array::from_fn(|_| ids.next().unwrap())
}

/// Checks submissions with these ids, and gives the folder of the reports.
pub fn check_hostile_ids(bench: &Bench, formats: &str) -> PathBuf {
    let text = "the grey tide leaves a thin layer of silt between the stems of the marsh twice a day";
    let corpus = bench.write("corpus.txt", text);
    let line = |id| {
        let text = format!("=1+1 \u{0}\u{1}\u{202e} {text}");
        serde_json::json!({ "id": id, "title": "\" onload=\"x", "text": text }).to_string()
    };
    let submissions = bench.write("s.jsonl", hostile_ids().map(line).join("\n"));
    let output = bench.path("deep/er/out");
    check(&submissions, &corpus, &output).args(["--format", formats]).output().unwrap();
    output
}

#[test]
fn hostile_ids_and_texts_stay_in_the_folder_and_in_their_cells() {
    let bench = Bench::new();
    let output = check_hostile_ids(&bench, "csv,html,json,xlsx");

    assert_eq!(files(bench.folder()), ["corpus.txt", "deep", "s.jsonl"]);
    assert_eq!(files(&bench.path("deep")), ["er"]);
    assert_eq!(files(&bench.path("deep/er")), ["out"]);
    let summary = Csv::read(&output.join("summary.csv"));
    // Their letters are shown backwards, which is no language.
    let ok = summary.rows().iter().filter(|row| row["status"] != "error").count();
    assert!(ok >= hostile_ids().len() - 1, "{:?}", summary.rows());
    let names = files(&output);
    assert_eq!(names.iter().filter(|name| name.ends_with(".html") && !name.starts_with("pair-")).count(), ok + 1);
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

#[test]
fn a_word_of_ten_megabytes_is_reported_on_like_any_other() {
    let bench = Bench::new();
    let text = "the grey tide leaves a thin layer of silt between the stems of the marsh twice a day";
    let submission = bench.write("word.txt", format!("{text} {} {text}", "a".repeat(10 << 20)));
    let corpus = bench.write("corpus.txt", text);
    let output = bench.path("out");
    check(&submission, &corpus, &output).args(["--format", "csv,html,json,xlsx"]).assert().success();
    assert_eq!(Csv::read(&output.join("passages.csv")).rows().len(), 2);
    valid(&serde_json::from_slice(&fs::read(output.join("word.txt.json")).unwrap()).unwrap());
}
