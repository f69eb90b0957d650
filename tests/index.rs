//! The index on disk, driven as a person would.

#[path = "../benches/generator/mod.rs"]
mod generator;
mod program;

use generator::{Generator, Recipe};
use program::{copytrace, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const SUBMISSIONS: &str = "corpora/demo/submissions";
const REFERENCE: &str = "corpora/demo/reference";

struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        Bench { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs `copytrace index WORDS`, in which names that begin with @ are paths in the folder.
    fn index(&self, words: &[&str]) -> assert_cmd::assert::Assert {
        let mut command = copytrace();
        command.arg("index");
        for word in words {
            match word.strip_prefix('@') {
                Some(name) => command.arg(self.path(name)),
                None => command.arg(word),
            };
        }
        command.assert()
    }

    /// The three reports of the demo's submissions, checked with the given options.
    fn reports(&self, options: &[&str], index: &[&str]) -> Vec<Vec<u8>> {
        let out = self.path("report");
        let mut command = copytrace();
        command.args(["check", SUBMISSIONS]).args(options).arg("-o").arg(&out);
        index.iter().for_each(|name| {
            command.arg("--index").arg(self.path(name));
        });
        command.assert().success();
        ["summary.csv", "sources.csv", "passages.csv"].map(|name| fs::read(out.join(name)).unwrap()).to_vec()
    }

    /// The first half of the reference's files, and the second.
    fn halves(&self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let mut files: Vec<PathBuf> = fs::read_dir(REFERENCE).unwrap().map(|e| e.unwrap().path()).collect();
        files.sort();
        let second = files.split_off(files.len() / 2);
        (files, second)
    }

    fn add(&self, index: &str, files: &[PathBuf]) {
        copytrace().args(["index", "add"]).arg(self.path(index)).args(files).assert().success();
    }
}

#[test]
fn an_index_answers_with_the_bytes_of_a_corpus_however_it_was_made() {
    let bench = Bench::new();
    let expected = bench.reports(&["--corpus", REFERENCE], &[]);
    let (first, second) = bench.halves();

    bench.index(&["create", "@whole"]).success();
    bench.index(&["add", "@whole", REFERENCE]).success();
    assert!(bench.reports(&[], &["whole"]) == expected, "in one addition");

    bench.index(&["create", "@parts"]).success();
    for files in second.chunks(3).chain(first.chunks(5)) {
        bench.add("parts", files);
    }
    assert!(bench.reports(&[], &["parts"]) == expected, "in many additions");
    bench.index(&["compact", "@parts"]).success();
    assert!(bench.reports(&[], &["parts"]) == expected, "after compaction");
    bench.index(&["verify", "@parts"]).success();

    bench.index(&["create", "@a"]).success();
    bench.index(&["create", "@b"]).success();
    bench.add("a", &first);
    bench.add("b", &second);
    assert!(bench.reports(&[], &["a", "b"]) == expected, "as two indexes");
    bench.index(&["merge", "@a", "@b"]).success();
    assert!(bench.reports(&[], &["a"]) == expected, "merged");
}

#[test]
fn unchanged_documents_are_passed_over_and_changed_ones_replaced() {
    let bench = Bench::new();
    fs::create_dir(bench.path("docs")).unwrap();
    let write = |name: &str, text: &str| fs::write(bench.path("docs").join(name), text).unwrap();
    write("a.txt", "one two three four five six seven eight nine ten");
    write("b.txt", "a second text that has enough words for a shingle or two");
    bench.index(&["create", "@index"]).success();
    let said = |run: assert_cmd::assert::Assert| text(&run.get_output().stderr);
    assert!(
        said(bench.index(&["add", "@index", "@docs"]).success()).contains("2 documents added, 0 replaced, 0 unchanged")
    );
    write("a.txt", "one two three four five six seven eight nine eleven");
    assert!(
        said(bench.index(&["add", "@index", "@docs"]).success()).contains("0 documents added, 1 replaced, 1 unchanged")
    );
    let gone = bench.index(&["remove", "@index", "a.txt", "missing.txt"]).code(2);
    assert!(said(gone).contains("missing.txt"));
    let list = text(&bench.index(&["list", "@index"]).success().get_output().stdout);
    assert_eq!(list.lines().count(), 2, "{list}");
    assert!(list.lines().nth(1).unwrap().starts_with("b.txt,"));
    bench.index(&["verify", "@index"]).success();
}

#[test]
fn filters_and_metadata_decide_what_is_compared() {
    let bench = Bench::new();
    let manifest = bench.path("manifest.csv");
    fs::write(
        &manifest,
        "path,id,title,author,date,collection\n\
         en-ref-01-tidal-marsh.txt,marsh,Marsh,Li Hua,2020-05-01,old\n\
         en-ref-05-sluice-gate.txt,,Gates,Wang Wu,2026-05-01,new\n",
    )
    .unwrap();
    bench.index(&["create", "@index"]).success();
    bench.index(&["add", "@index", REFERENCE, "--manifest", "@manifest.csv"]).success();
    let of_one = |options: &[&str]| -> Vec<String> {
        let out = bench.path("report");
        let mut command = copytrace();
        command.args(["check", "corpora/demo/submissions/en-01-estuary-crossing.txt", "--index"]);
        command.arg(bench.path("index")).args(options).arg("-o").arg(&out).assert().success();
        let csv = program::Csv::read(&out.join("sources.csv"));
        csv.rows().iter().map(|row| row["source"].clone()).collect()
    };
    assert_eq!(of_one(&[]).len(), 4);
    assert!(of_one(&[]).contains(&"marsh".to_owned()));
    assert_eq!(of_one(&["--collection", "old"]), ["marsh"]);
    assert_eq!(of_one(&["--until", "2024-01-01"]), ["marsh"]);
    assert!(!of_one(&["--since", "2024-01-01"]).contains(&"marsh".to_owned()));
    assert_eq!(of_one(&["--exclude", "marsh"]).len(), 3);
    let own = bench.path("own.csv");
    fs::write(&own, "path,author\nen-01-estuary-crossing.txt,LI HUA\n").unwrap();
    let own = own.to_str().unwrap();
    assert!(!of_one(&["--exclude-same-author", "--manifest", own]).contains(&"marsh".to_owned()));
    bench.index(&["remove", "@index", "--where", "author=Li Hua"]).success();
    assert!(!of_one(&[]).contains(&"marsh".to_owned()));
}

#[test]
fn an_index_without_texts_holds_no_wording_and_finds_the_same_passages() {
    let bench = Bench::new();
    bench.index(&["create", "--no-text", "@index"]).success();
    bench.index(&["add", "@index", REFERENCE]).success();
    let wordless = |reports: Vec<Vec<u8>>| -> Vec<Vec<String>> {
        let mut reader = csv::Reader::from_reader(reports[2].as_slice());
        reader.records().map(|r| r.unwrap().iter().take(9).map(str::to_owned).collect()).collect()
    };
    let expected = wordless(bench.reports(&["--corpus", REFERENCE], &[]));
    assert_eq!(wordless(bench.reports(&[], &["index"])), expected);

    let mut index_bytes = Vec::new();
    read_all(&bench.path("index"), &mut index_bytes);
    // The words of the tables themselves (`generation `) are no source's.
    let mut tables = Vec::new();
    bench.index(&["create", "--no-text", "@empty"]).success();
    read_all(&bench.path("empty"), &mut tables);
    // Ids stand in the catalogue as they are, and two of them hold a word that stands in a text too.
    tables.extend(fs::read_dir(REFERENCE).unwrap().map(|e| e.unwrap().file_name().into_encoded_bytes()));
    let tables: std::collections::HashSet<&[u8]> = tables.iter().flat_map(|file| file.windows(8)).collect();
    for source in fs::read_dir(REFERENCE).unwrap() {
        let path = source.unwrap().path();
        if path.extension().is_some_and(|e| e == "html") {
            continue; // its title is metadata, which is kept, and stands in the text too
        }
        let source = fs::read(path).unwrap();
        let body: std::collections::HashSet<&[u8]> = source.windows(8).collect();
        for file in &index_bytes {
            let found = file.windows(8).find(|window| body.contains(window) && !tables.contains(window));
            assert!(found.is_none(), "{:?}", found.map(String::from_utf8_lossy));
        }
    }
}

fn read_all(folder: &Path, into: &mut Vec<Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { read_all(&path, into) } else { into.push(fs::read(path).unwrap()) }
    }
}

#[test]
fn pairs_of_an_index_can_be_limited_to_what_the_last_addition_brought() {
    let bench = Bench::new();
    let base = "one marsh traps the silt that ten floods bring over the old dyke in a wet year";
    for (folder, name, words) in [("x", "a", base), ("x", "b", base), ("y", "c", base)] {
        fs::create_dir_all(bench.path(folder)).unwrap();
        fs::write(bench.path(folder).join(format!("{name}.txt")), words).unwrap();
    }
    bench.index(&["create", "@index"]).success();
    bench.index(&["add", "@index", "@x"]).success();
    bench.index(&["add", "@index", "@y"]).success();
    let pairs = |options: &[&str]| {
        let run = copytrace().arg("pairs").arg("--index").arg(bench.path("index")).args(options).assert().success();
        let out = text(&run.get_output().stdout);
        out.lines().skip(1).map(|line| line[..11].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(pairs(&[]), ["a.txt,b.txt", "a.txt,c.txt", "b.txt,c.txt"]);
    assert_eq!(pairs(&["--new-only"]), ["a.txt,c.txt", "b.txt,c.txt"]);
}

#[test]
fn what_is_no_index_or_has_other_settings_is_a_clear_error() {
    let bench = Bench::new();
    let said = |run: assert_cmd::assert::Assert| text(&run.code(2).get_output().stderr);
    fs::create_dir(bench.path("empty")).unwrap();
    assert!(said(bench.index(&["add", "@empty", REFERENCE])).contains("not an index"));
    bench.index(&["create", "@five"]).success();
    bench.index(&["create", "@nine", "--shingle", "chars:9"]).success();
    assert!(said(bench.index(&["create", "@five"])).contains("is there already"));
    assert!(said(bench.index(&["merge", "@five", "@nine"])).contains("chars:9, not units:5"));
    fs::write(bench.path("notes"), "").unwrap();
    assert!(said(bench.index(&["verify", "@notes"])).contains("not an index"));
    let mut check = copytrace();
    check.args(["check", SUBMISSIONS, "--shingle", "chars:5", "--index"]).arg(bench.path("nine"));
    assert!(said(check.arg("-o").arg(bench.path("r")).assert()).contains("the index was made with chars:9"));
}

#[test]
fn damage_in_any_file_is_a_named_error_and_never_a_panic() {
    let bench = Bench::new();
    bench.index(&["create", "@sound"]).success();
    bench.index(&["add", "@sound", REFERENCE]).success();
    let segment = "segments/00000001.segment";
    for file in [segment, "catalogue.sqlite"] {
        let bytes = fs::read(bench.path("sound").join(file)).unwrap();
        for step in 0..12 {
            let at = bytes.len() * step / 12 + 17;
            let _ = fs::remove_dir_all(bench.path("damaged"));
            fs::create_dir_all(bench.path("damaged/segments")).unwrap();
            for other in [segment, "catalogue.sqlite"] {
                fs::copy(bench.path("sound").join(other), bench.path("damaged").join(other)).unwrap();
            }
            let mut damaged = bytes.clone();
            if step % 3 == 0 {
                damaged.truncate(at)
            } else {
                damaged[at] ^= 0x55
            }
            fs::write(bench.path("damaged").join(file), &damaged).unwrap();
            let run = bench.index(&["verify", "@damaged"]);
            let output = run.get_output();
            let stderr = text(&output.stderr);
            // A flipped bit in what SQLite leaves unused changes nothing that is stored.
            let unused = file == "catalogue.sqlite" && step % 3 != 0 && output.status.success();
            assert!(unused || (output.status.code() == Some(2) && stderr.contains("damaged")), "{file} {at}: {stderr}");
        }
    }
}

#[test]
fn a_process_that_is_killed_at_any_moment_loses_nothing_that_was_committed() {
    let bench = Bench::new();
    let mut lines = Vec::new();
    for (i, text) in Generator::new(Recipe { length: 60, ..Recipe::english(3000) }).enumerate() {
        lines.push(serde_json::json!({ "id": format!("{i:05}"), "text": text }).to_string());
    }
    bench.index(&["create", "@index"]).success();
    let mut acknowledged = 0;
    for round in 0..30u64 {
        let input = bench.path("input.jsonl");
        let from = (round as usize * 100) % 3000;
        fs::write(&input, lines[from..from + 100].join("\n")).unwrap();
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("copytrace"))
            .args(["index", if round % 5 == 4 { "compact" } else { "add" }])
            .arg(bench.path("index"))
            .args((round % 5 != 4).then_some(&input))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // From before it opens the index to after it is done: the moments are spread over its whole life.
        std::thread::sleep(Duration::from_millis(round * 7 % 90));
        child.kill().unwrap();
        child.wait().unwrap();
        bench.index(&["verify", "@index"]).success();
        let list = text(&bench.index(&["list", "@index"]).success().get_output().stdout);
        let count = list.lines().count() - 1;
        assert!(count >= acknowledged, "{count} of {acknowledged} documents are left");
        assert_eq!(count % 100, 0, "an addition is there whole or not at all");
        acknowledged = count;
    }
    bench.add("index", &[bench.path("input.jsonl")]);
    bench.index(&["verify", "@index"]).success();
}
