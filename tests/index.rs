//! The index on disk, driven as a person would.

use crate::program::{Bench, Csv, REFERENCE, SUBMISSIONS, copytrace, project, tables, text};
use std::fs;
use std::path::{Path, PathBuf};

impl Bench {
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
    fn reports(&self, options: &[&str], index: &[&str]) -> [Vec<u8>; 3] {
        let out = self.path("report");
        let mut command = copytrace();
        command.args(["check", SUBMISSIONS]).args(options).arg("--overwrite").arg("-o").arg(&out);
        index.iter().for_each(|name| {
            command.arg("--index").arg(self.path(name));
        });
        command.assert().success();
        tables(&out)
    }

    /// The first half of the reference's files, and the second.
    fn halves(&self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let mut files: Vec<PathBuf> = fs::read_dir(project(REFERENCE)).unwrap().map(|e| e.unwrap().path()).collect();
        files.sort();
        let second = files.split_off(files.len() / 2);
        (files, second)
    }

    fn add_all(&self, index: &str, files: &[PathBuf]) {
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
        bench.add_all("parts", files);
    }
    assert!(bench.reports(&[], &["parts"]) == expected, "in many additions");
    bench.index(&["compact", "@parts"]).success();
    assert!(bench.reports(&[], &["parts"]) == expected, "after compaction");
    bench.index(&["verify", "@parts"]).success();

    bench.index(&["create", "@a"]).success();
    bench.index(&["create", "@b"]).success();
    bench.add_all("a", &first);
    bench.add_all("b", &second);
    assert!(bench.reports(&[], &["a", "b"]) == expected, "as two indexes");
    bench.index(&["merge", "@a", "@b"]).success();
    assert!(bench.reports(&[], &["a"]) == expected, "merged");
}

#[test]
fn any_number_of_folders_answers_with_the_bytes_of_one() {
    let bench = Bench::new();
    let expected = bench.reports(&["--corpus", REFERENCE], &[]);
    let (first, second) = bench.halves();
    let files: Vec<PathBuf> = first.into_iter().chain(second).collect();
    for folders in [3, 17] {
        let mut names = Vec::new();
        for part in 0..folders.min(files.len()) {
            let name = format!("{folders}-{part}");
            bench.index(&["create", &format!("@{name}")]).success();
            let of_part: Vec<PathBuf> = files.iter().skip(part).step_by(folders).cloned().collect();
            bench.add_all(&name, &of_part);
            names.push(name);
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert!(bench.reports(&[], &names) == expected, "{folders} folders");
    }
}

#[test]
fn unchanged_documents_are_passed_over_and_changed_ones_replaced() {
    let bench = Bench::new();
    let write = |name: &str, text: &str| bench.write(format!("docs/{name}"), text);
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
    let gone = bench.index(&["remove", "@index", "a.txt", "missing.txt"]).code(3);
    assert!(said(gone).contains("missing.txt"));
    let list = text(&bench.index(&["list", "@index"]).success().get_output().stdout);
    assert_eq!(list.lines().count(), 2, "{list}");
    assert!(list.lines().nth(1).unwrap().starts_with("b.txt,"));
    bench.index(&["verify", "@index"]).success();
}

#[test]
fn filters_and_metadata_decide_what_is_compared() {
    let bench = Bench::new();
    bench.write(
        "manifest.csv",
        "path,id,title,author,date,collection\n\
         en-ref-01-tidal-marsh.txt,marsh,Marsh,Li Hua,2020-05-01,old\n\
         en-ref-05-sluice-gate.txt,,Gates,Wang Wu,2026-05-01,new\n",
    );
    bench.index(&["create", "@index"]).success();
    bench.index(&["add", "@index", REFERENCE, "--manifest", "@manifest.csv"]).success();
    let of_one = |options: &[&str]| -> Vec<String> {
        let out = bench.path("report");
        let mut command = copytrace();
        command.args(["check", "corpora/demo/submissions/en-01-estuary-crossing.txt", "--index"]);
        command.arg(bench.path("index")).args(options).arg("--overwrite").arg("-o").arg(&out).assert().success();
        let csv = Csv::read(&out.join("sources.csv"));
        csv.rows().iter().map(|row| row["source"].clone()).collect()
    };
    assert_eq!(of_one(&[]).len(), 4);
    assert!(of_one(&[]).contains(&"marsh".to_owned()));
    assert_eq!(of_one(&["--collection", "old"]), ["marsh"]);
    assert_eq!(of_one(&["--until", "2024-01-01"]), ["marsh"]);
    assert!(!of_one(&["--since", "2024-01-01"]).contains(&"marsh".to_owned()));
    assert_eq!(of_one(&["--exclude", "marsh"]).len(), 3);
    let own = bench.write("own.csv", "path,author\nen-01-estuary-crossing.txt,LI HUA\n");
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
    let wordless = |reports: [Vec<u8>; 3]| -> Vec<Vec<String>> {
        let mut reader = csv::Reader::from_reader(reports[2].as_slice());
        reader.records().map(|r| r.unwrap().iter().take(9).map(str::to_owned).collect()).collect()
    };
    let expected = wordless(bench.reports(&["--corpus", REFERENCE], &[]));
    assert_eq!(wordless(bench.reports(&[], &["index"])), expected);
}

#[test]
fn no_eight_bytes_of_a_source_stand_in_an_index_without_texts() {
    let bench = Bench::new();
    // Under ids that say nothing: ids and metadata stand in the catalogue as they are.
    let (mut lines, mut bodies) = (String::new(), Vec::new());
    let mut files: Vec<PathBuf> = fs::read_dir(project(REFERENCE)).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    for (i, path) in files.iter().filter(|path| path.extension().is_some_and(|e| e == "txt")).enumerate() {
        let body = String::from_utf8(fs::read(path).unwrap()).unwrap();
        lines += &format!("{}\n", serde_json::json!({ "id": format!("#{i}"), "text": body }));
        bodies.push(body);
    }
    assert!(bodies.len() >= 8, "{}", bodies.len());
    bench.write("corpus.jsonl", lines);
    for index in ["@index", "@empty"] {
        bench.index(&["create", "--no-text", index]).success();
    }
    bench.index(&["add", "@index", "@corpus.jsonl"]).success();
    bench.index(&["compact", "@index"]).success();

    let read = |name: &str| {
        let mut files = Vec::new();
        read_all(&bench.path(name), &mut files);
        files
    };
    // The words of the tables themselves (`generation `) are no source's.
    let tables = read("empty");
    let tables: std::collections::HashSet<&[u8]> = tables.iter().flat_map(|file| file.windows(8)).collect();
    let wording: std::collections::HashSet<&[u8]> = bodies.iter().flat_map(|body| body.as_bytes().windows(8)).collect();
    for file in read("index") {
        let found = file.windows(8).find(|window| wording.contains(window) && !tables.contains(window));
        assert!(found.is_none(), "{:?}", found.map(String::from_utf8_lossy));
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
        bench.write(format!("{folder}/{name}.txt"), words);
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
    bench.write("notes", "");
    assert!(said(bench.index(&["verify", "@notes"])).contains("not an index"));
    let mut check = copytrace();
    check.args(["check", SUBMISSIONS, "--shingle", "chars:5", "--index"]).arg(bench.path("nine"));
    assert!(said(check.arg("-o").arg(bench.path("r")).assert()).contains("the index was made with chars:9"));
}

#[test]
fn ids_with_path_tricks_are_refused_by_name_and_the_rest_is_added() {
    let bench = Bench::new();
    let long = "x".repeat(1001);
    let bad = ["../../etc/passwd", "/etc/passwd", "a/../../b", "..\\b", "bell\u{7}", long.as_str()];
    let line = |id: &str| serde_json::json!({ "id": id, "text": "one marsh traps the silt that ten floods bring" });
    let lines: Vec<String> = bad.iter().chain(&["fine/too..long.txt"]).map(|id| line(id).to_string()).collect();
    bench.write("corpus.jsonl", lines.join("\n"));
    bench.index(&["create", "@index"]).success();
    let said = text(&bench.index(&["add", "@index", "@corpus.jsonl"]).code(3).get_output().stderr);
    assert_eq!(said.matches("refused as an id").count(), bad.len(), "{said}");
    let list = text(&bench.index(&["list", "@index"]).success().get_output().stdout);
    assert_eq!(list.lines().skip(1).map(|line| &line[..18]).collect::<Vec<_>>(), ["fine/too..long.txt"]);
    bench.index(&["verify", "@index"]).success();
}

#[test]
fn of_a_boilerplate_that_very_many_documents_hold_some_sources_are_found_and_more_are_told_of() {
    let bench = Bench::new();
    let boilerplate = "hereby solemnly declare that the present dissertation was composed without outside assistance";
    let own = |i: usize| (0..30).map(|j| format!("term{}x{j} ", i % 7)).collect::<String>();
    let line =
        |i| serde_json::json!({ "id": format!("d{i:03}"), "text": format!("{boilerplate}. {} only{i}", own(i)) });
    let lines: Vec<String> = (0..230).map(|i| line(i).to_string()).collect();
    bench.write("corpus.jsonl", lines.join("\n"));
    bench.index(&["create", "@index"]).success();
    bench.index(&["add", "@index", "@corpus.jsonl"]).success();
    let stats = text(&bench.index(&["stats", "@index"]).success().get_output().stdout);
    let frequent = stats.lines().find_map(|line| line.strip_prefix("keys of over 200 documents")).unwrap();
    assert!(frequent.trim().parse::<usize>().unwrap() > 0, "{stats}");
    let words: String = (0..60).map(|i| format!("word{i} ")).collect();
    let out = bench.path("report");
    copytrace()
        .arg("check")
        .arg(bench.write("thesis.txt", format!("{boilerplate}. Then words follow that nobody wrote before: {words}")))
        .arg("--index")
        .arg(bench.path("index"))
        .arg("-o")
        .arg(&out)
        .assert()
        .success();
    let summary = Csv::read(&out.join("summary.csv"));
    let summary = &summary.rows()[0];
    assert!(summary["message"].contains("stand in very many documents"), "{summary:?}");
    let sources: usize = summary["sources"].parse().unwrap();
    assert!((20..=200).contains(&sources), "{summary:?}");
}

#[test]
fn what_a_folder_holds_no_more_leaves_by_prune_and_nothing_leaves_that_was_not_seen() {
    let bench = Bench::new();
    let text = |number: usize| {
        format!("Text {number} of a tide that carries silt over the banks of a creek and leaves it there.")
    };
    (0..6).for_each(|number| drop(bench.write(format!("folder/sub/{number}.txt"), text(number))));
    let dump = "<mediawiki><siteinfo><base>https://en.wikipedia.org/wiki/Main</base></siteinfo><page><title>Tide</title><ns>0</ns>\
                <revision><text>The tide comes and goes twice a day, as everyone knows.</text></revision></page></mediawiki>";
    let harvested = bench.write("wiki.xml", dump);
    copytrace().arg("harvest").arg(harvested).arg("--index").arg(bench.path("index")).assert().success();
    bench.index(&["add", "@index", "@folder"]).success();
    let ids = || crate::durability::ids(&bench.path("index"));
    assert_eq!(ids().len(), 7);
    fs::remove_file(bench.path("folder/sub/2.txt")).unwrap();
    bench.write("folder/sub/3.txt", text(30));
    bench.index(&["add", "@index", "@folder"]).success();
    assert_eq!(ids().len(), 7, "without the word nothing leaves");
    // What cannot be read now is there nevertheless.
    bench.write("folder/sub/4.txt", "");
    let said = bench.index(&["add", "@index", "@folder", "--prune"]).code(3);
    assert!(text_of(&said).contains("1 documents removed"), "{}", text_of(&said));
    let left: Vec<String> = ids().into_iter().collect();
    assert_eq!(
        left,
        ["https://en.wikipedia.org/wiki/Tide", "sub/0.txt", "sub/1.txt", "sub/3.txt", "sub/4.txt", "sub/5.txt"]
    );
    // A folder that is not mounted, an archive that is broken: nobody knows what went.
    bench.write("folder/more.zip", "no archive");
    fs::remove_file(bench.path("folder/sub/0.txt")).unwrap();
    for folder in ["@folder", "@nowhere"] {
        let said = bench.index(&["add", "@index", folder, "--prune"]).code(3);
        assert!(text_of(&said).contains("nothing was removed"), "{}", text_of(&said));
        assert_eq!(ids().len(), 6);
    }
}

fn text_of(run: &assert_cmd::assert::Assert) -> String {
    text(&run.get_output().stderr)
}
