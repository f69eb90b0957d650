//! Bad input is named with its reason, the rest is done, and the exit code is 2.

use crate::program::{Bench, Csv, copytrace, tables, text};
use assert_cmd::Command;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::Path;

const GOOD: &str = "Tidal marshes trap the silt that every flood carries over the banks of the creek.";

const OTHER: &str = "Engineers who build dykes in front of it starve the surface, and within decades its channels widen \
    until the plants drown. Villages behind the dyke then ask for a higher one.";

impl Bench {
    /// With a good submission in `in`, and its source in `corpus`.
    fn of_good_input() -> Self {
        let bench = Bench::new();
        bench.write("corpus/source.txt", format!("{GOOD} {OTHER}"));
        bench.write("in/good.txt", GOOD);
        bench
    }

    /// A check of submissions against `corpus`.
    fn command(&self, submissions: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
        let mut command = copytrace();
        command.arg("check").args(submissions);
        command.arg("--corpus").arg(self.path("corpus")).arg("--overwrite").arg("-o").arg(self.path("report"));
        command
    }

    /// Checks `in` (and more) and gives (exit code, standard error, message of the summary row of `id`).
    fn check(&self, more: &[&Path], id: &str) -> (i32, String, String) {
        let submissions = self.path("in");
        let run = self.command([&[submissions.as_path()], more].concat()).output().unwrap();
        let summary = Csv::read(&self.path("report/summary.csv"));
        let good = summary.rows().iter().find(|row| row["submission"] == "good.txt").expect("the rest is done");
        assert_eq!(good["status"], "ok");
        let row = summary.rows().iter().find(|row| row["submission"].ends_with(id) && row["status"] == "error");
        let row = row.unwrap_or_else(|| panic!("no error row for {id}: {:?}", summary.rows()));
        (run.status.code().unwrap(), text(&run.stderr), row["message"].clone())
    }

    #[track_caller]
    fn expect(&self, more: &[&Path], id: &str, reason: &str) {
        let (code, stderr, message) = self.check(more, id);
        assert_eq!(code, 3);
        assert!(message.to_lowercase().contains(reason), "{id}: {message:?} does not say {reason:?}");
        assert!(stderr.contains(id) && stderr.to_lowercase().contains(reason), "{stderr}");
    }
}

#[test]
fn a_missing_path_is_named() {
    let bench = Bench::of_good_input();
    bench.expect(&[Path::new("nowhere.txt")], "nowhere.txt", "no such file");
}

#[test]
fn an_empty_file_is_named() {
    let bench = Bench::of_good_input();
    bench.write("in/empty.txt", "");
    bench.expect(&[], "empty.txt", "no text");
}

#[test]
fn a_text_shorter_than_one_shingle_is_named() {
    let bench = Bench::of_good_input();
    bench.write("in/short.txt", "four words are few");
    bench.expect(&[], "short.txt", "too short");
}

#[test]
fn binary_junk_is_named() {
    let bench = Bench::of_good_input();
    let junk: Vec<u8> = (0..4000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    bench.write("in/junk.txt", junk);
    bench.expect(&[], "junk.txt", "text");
}

#[test]
fn a_truncated_gzip_is_named_and_what_came_before_the_cut_is_checked() {
    let bench = Bench::of_good_input();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    for i in 0..2000 {
        writeln!(
            encoder,
            "{}",
            serde_json::json!({ "id": format!("doc{i}"), "text": format!("{GOOD} {i} {}", i * 7919) })
        )
        .unwrap();
    }
    let bytes = encoder.finish().unwrap();
    bench.write("in/cut.jsonl.gz", &bytes[..bytes.len() / 2]);
    bench.expect(&[], "cut.jsonl.gz", "truncated");
    let summary = Csv::read(&bench.path("report/summary.csv"));
    assert!(summary.rows().iter().any(|row| row["submission"] == "doc0" && row["status"] == "ok"));
}

#[test]
fn a_json_line_without_text_is_named_by_its_line() {
    let bench = Bench::of_good_input();
    let lines = format!("{{\"id\":\"a\",\"text\":\"{GOOD}\"}}\n{{\"id\":\"b\"}}\nnot json\n");
    bench.write("in/docs.jsonl", lines);
    let (code, stderr, message) = bench.check(&[], "b");
    assert_eq!(code, 3);
    assert!(message.contains("text"), "{message}");
    assert!(stderr.contains('2') && stderr.contains('3'), "{stderr}");
}

#[test]
fn the_second_of_two_equal_ids_is_named() {
    let bench = Bench::of_good_input();
    let line = format!("{{\"id\":\"twin\",\"text\":\"{GOOD}\"}}\n");
    bench.write("in/docs.jsonl", line.repeat(2));
    bench.expect(&[], "twin", "already");
    fs::copy(bench.path("in/docs.jsonl"), bench.path("corpus/docs.jsonl")).unwrap();
    let (_, stderr, _) = bench.check(&[], "twin");
    assert_eq!(stderr.matches("twin: another document has this id").count(), 1, "{stderr}");
}

#[test]
fn a_zip_bomb_is_refused() {
    let bench = Bench::of_good_input();
    let mut writer = zip::ZipWriter::new(fs::File::create(bench.path("in/bomb.zip")).unwrap());
    writer.start_file("bomb.txt", zip::write::SimpleFileOptions::default()).unwrap();
    let block = vec![b'a'; 1 << 20];
    for _ in 0..600 {
        writer.write_all(&block).unwrap();
    }
    writer.finish().unwrap();
    bench.expect(&[], "bomb.txt", "expands to more than");
}

#[test]
fn an_output_folder_that_cannot_be_written_to_stops_the_run_before_the_work() {
    let bench = Bench::of_good_input();
    bench.write("file", "");
    let run = copytrace()
        .arg("check")
        .arg(bench.path("in"))
        .arg("--corpus")
        .arg(bench.path("corpus"))
        .arg("-o")
        .arg(bench.path("file/report"))
        .assert()
        .code(2);
    assert!(text(&run.get_output().stderr).contains("file/report"));
}

/// `/dev/full` refuses every write as a full disk does.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_not_a_success() {
    let bench = Bench::of_good_input();
    let run = copytrace().arg("pairs").arg(bench.path("in")).arg(bench.path("corpus")).stdout_to_full_disk();
    assert_eq!(run.status.code(), Some(2));
    assert!(text(&run.stderr).contains("standard output"), "{}", text(&run.stderr));
}

#[cfg(target_os = "linux")]
trait OnAFullDisk {
    fn stdout_to_full_disk(&mut self) -> std::process::Output;
}

#[cfg(target_os = "linux")]
impl OnAFullDisk for Command {
    fn stdout_to_full_disk(&mut self) -> std::process::Output {
        let mut command = std::process::Command::new(self.get_program());
        command.args(self.get_args());
        command.stdout(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
        command.stderr(std::process::Stdio::piped());
        command.spawn().unwrap().wait_with_output().unwrap()
    }
}

#[test]
fn an_error_in_the_corpus_is_named_and_the_rest_of_the_corpus_is_searched() {
    let bench = Bench::of_good_input();
    bench.write("corpus/empty.txt", "");
    let run = bench.command([bench.path("in")]).assert().code(3);
    assert!(text(&run.get_output().stderr).contains("empty.txt"));
    assert_eq!(Csv::read(&bench.path("report/summary.csv")).rows()[0]["sources"], "1");
}

#[test]
fn a_clue_on_standard_input_finds_its_source() {
    let bench = Bench::of_good_input();
    bench.command(["-"]).write_stdin(GOOD).assert().success();
    let summary = Csv::read(&bench.path("report/summary.csv"));
    assert_eq!(summary.rows()[0]["submission"], "-");
    assert_eq!(summary.rows()[0]["top_source"], "source.txt");
    assert_eq!(summary.rows()[0]["copy_ratio"], "1.0000");
}

#[test]
fn a_parser_that_quotes_megabytes_of_a_file_gives_a_short_reason() {
    let bench = Bench::of_good_input();
    let name = "x".repeat(6 << 20);
    let mut zip = zip::ZipWriter::new(fs::File::create(bench.path("in/long.docx")).unwrap());
    zip.start_file("word/document.xml", zip::write::SimpleFileOptions::default()).unwrap();
    write!(zip, "<{name}></{name}y>").unwrap();
    zip.finish().unwrap();
    let (code, stderr, message) = bench.check(&[], "long.docx");
    assert_eq!(code, 3);
    assert!(message.len() < 2000 && stderr.len() < 4000, "{} and {} bytes", message.len(), stderr.len());
}

#[test]
fn an_error_of_the_system_is_told_once() {
    let bench = Bench::new();
    bench.write("index", "a file where the folder is to be made");
    let run = copytrace().args(["index", "create"]).arg(bench.path("index/below")).assert().code(2);
    let said = text(&run.get_output().stderr);
    let reason = said.trim().rsplit(": ").next().unwrap();
    assert_eq!(said.matches(reason).count(), 1, "{said}");
}

#[test]
fn control_characters_of_a_name_never_reach_the_terminal() {
    let bench = Bench::new();
    // What is said last names the folder, which somebody else may have called so.
    let folder = bench.path("in\u{1b}[2Jdex");
    let run = copytrace().args(["index", "create"]).arg(&folder).assert().success();
    let said = text(&run.get_output().stderr);
    assert!(said.contains("in\u{fffd}[2Jdex") && !said.contains('\u{1b}'), "{said:?}");
}

#[test]
fn messages_can_be_had_as_json() {
    let bench = Bench::of_good_input();
    bench.write("in/empty.txt", "");
    let run = bench.command([bench.path("in")]).args(["--log-format", "json"]).assert().code(3);
    let lines: Vec<serde_json::Value> =
        text(&run.get_output().stderr).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["level"], &lines[0]["code"]), (&"error".into(), &"no-text".into()));
    assert_eq!(lines.last().unwrap()["level"], "done");
}

#[test]
fn verbose_says_what_each_step_read_and_how_long_it_took_and_changes_no_result() {
    let bench = Bench::of_good_input();
    let usual = bench.command([bench.path("in")]).assert().success();
    let written = tables(&bench.path("report"));
    let run = bench.command([bench.path("in")]).args(["-v", "--lang", "en"]).assert().success();
    let said = text(&run.get_output().stderr);
    for step in ["reading the corpus: ", "checking submissions: "] {
        let line = said.lines().find(|line| line.starts_with(step)).unwrap_or_else(|| panic!("{step}: {said}"));
        let told: Vec<&str> = line.split_whitespace().rev().take(4).collect();
        assert!(
            told[0] == "s" && told[1].parse::<f64>().is_ok() && told[2] == "in" && told[3].parse::<u64>().unwrap() > 0,
            "{line}"
        );
    }
    assert!(said.lines().last().unwrap().starts_with("all in "), "{said}");
    assert!(!text(&usual.get_output().stderr).contains("reading the corpus"), "only if it is asked for");
    assert_eq!(tables(&bench.path("report")), written);
    let run = bench.command([bench.path("in")]).args(["--verbose", "--log-format", "json"]).assert().success();
    let steps = text(&run.get_output().stderr).lines().filter(|line| line.contains("\"level\":\"step\"")).count();
    assert!(steps > 2, "{}", text(&run.get_output().stderr));
    bench.command([bench.path("in")]).args(["-v", "--quiet"]).assert().code(2);
}

/// A PDF file whose text nobody can read without the password: what stands for it is made up, and no password fits.
fn encrypted_pdf() -> String {
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>".to_owned(),
        format!("<< /Filter /Standard /V 1 /R 2 /P -4 /O <{}> /U <{}> >>", "ab".repeat(32), "cd".repeat(32)),
    ];
    let mut pdf = "%PDF-1.4\n".to_owned();
    let mut places = Vec::new();
    for (number, object) in (1..).zip(&objects) {
        places.push(pdf.len());
        pdf += &format!("{number} 0 obj\n{object}\nendobj\n");
    }
    let table = pdf.len();
    pdf += "xref\n0 5\n0000000000 65535 f \n";
    places.iter().for_each(|place| pdf += &format!("{place:010} 00000 n \n"));
    let id = "ef".repeat(16);
    pdf + &format!("trailer\n<< /Size 5 /Root 1 0 R /Encrypt 4 0 R /ID [<{id}> <{id}>] >>\nstartxref\n{table}\n%%EOF\n")
}

#[test]
fn files_that_office_programs_protect_or_break_are_named_with_what_helps() {
    let bench = Bench::of_good_input();
    bench.write("in/locked.pdf", encrypted_pdf());
    bench.write("in/text.pdf", GOOD);
    bench.write("in/cut.pdf", "%PDF-1.7\n1 0 obj\n<< /Type /Cat");
    bench.write("in/cut.docx", b"PK\x03\x04 and no more");
    let mut locked = cfb::CompoundFile::create(std::io::Cursor::new(Vec::new())).unwrap();
    locked.create_stream("/EncryptedPackage").unwrap().write_all(b"?").unwrap();
    bench.write("in/locked.docx", locked.into_inner().into_inner());
    for (id, reason) in [
        ("locked.pdf", "protected by a password; save it without one"),
        ("locked.docx", "protected by a password; save it without one"),
        ("text.pdf", "not a pdf file, though its name says so"),
        ("cut.pdf", "export it as pdf again"),
        ("cut.docx", "open it in its program and save it again"),
    ] {
        bench.expect(&[], id, reason);
    }
}

#[test]
fn a_line_that_calls_itself_as_it_likes_is_named_with_its_file() {
    let bench = Bench::of_good_input();
    bench.write("in/crawl.jsonl", "{\"id\":\"c\"}\n");
    let (code, stderr, message) = bench.check(&[], "c");
    assert_eq!(
        (code, message.as_str()),
        (3, format!("no `text` field ({}:1)", bench.path("in/crawl.jsonl").display()).as_str())
    );
    assert!(stderr.contains("crawl.jsonl:1"), "{stderr}");
}
