//! How fast an index is filled and searched, and how large it is: `cargo bench --bench index -- [DOCUMENTS]...`
//!
//! For each number of documents (10,000 and 100,000 unless given) English documents of about 2 kB and half as many
//! Chinese ones of about 1,000 characters are generated, added to an index and checked against. Figures are CPU seconds of
//! the whole process that did the work.

#![allow(missing_docs)]

mod generator;

use generator::{Generator, Language, Random, Recipe};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;

fn main() {
    let mut sizes: Vec<usize> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![10_000, 100_000];
    }
    println!(
        "{:<10} {:>9} {:>8} {:>9} {:>9} {:>9} {:>9} {:>11} {:>11}",
        "language",
        "documents",
        "text MB",
        "add MB/s",
        "add peak",
        "index/txt",
        "no texts",
        "one 60 kB s",
        "1000x25 kB ms"
    );
    for &documents in &sizes {
        measure(Recipe::english(documents));
        measure(Recipe::chinese(documents / 2));
    }
}

fn measure(recipe: Recipe) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let corpus = folder.path().join("corpus.jsonl");
    let bytes = write_corpus(recipe, &corpus);
    let index = folder.path().join("index");
    let no_text = folder.path().join("no-text");
    run(&["index", "create"], &[&index], &[]);
    let add = run(&["index", "add"], &[&index, &corpus], &[]);
    run(&["index", "create", "--no-text"], &[&no_text], &[]);
    run(&["index", "add"], &[&no_text, &corpus], &[]);

    let one = folder.path().join("one.txt");
    fs::write(&one, submission(recipe, 60_000, 1)).expect("a submission");
    let report = folder.path().join("report");
    let single = run(&["check"], &[&one], &[("--index", &index), ("-o", &report)]);
    let many = folder.path().join("many");
    fs::create_dir(&many).expect("a folder");
    for i in 0..1000 {
        fs::write(many.join(format!("{i:04}.txt")), submission(recipe, 25_000, 1000 + i)).expect("a submission");
    }
    // The lookups alone: the generator gives the submissions much boilerplate in common.
    let batch = run(&["check", "--no-shared", "--overwrite"], &[&many], &[("--index", &index), ("-o", &report)]);

    let language = if recipe.language == Language::English { "English" } else { "Chinese" };
    println!(
        "{language:<10} {:>9} {:>8.1} {:>9.1} {:>6.0} MB {:>9.2} {:>9.2} {:>11.3} {:>11.2}",
        recipe.documents,
        bytes as f64 / 1e6,
        bytes as f64 / 1e6 / add.cpu,
        add.peak_mb,
        size(&index) as f64 / bytes as f64,
        size(&no_text) as f64 / bytes as f64,
        single.cpu,
        (batch.cpu - single.cpu).max(0.0) / 1000.0 * 1e3,
    );
}

/// Writes the corpus as JSON lines and gives the bytes of its texts.
fn write_corpus(recipe: Recipe, path: &Path) -> u64 {
    let mut out = BufWriter::new(File::create(path).expect("the corpus"));
    let mut bytes = 0;
    for (i, text) in Generator::new(recipe).enumerate() {
        bytes += text.len() as u64;
        writeln!(out, "{}", serde_json::json!({ "id": format!("doc-{i:07}"), "text": text })).expect("the corpus");
    }
    bytes
}

/// A text of its own, with a tenth of it copied from documents of the corpus.
fn submission(recipe: Recipe, bytes: usize, seed: u64) -> String {
    let own = Recipe { seed: seed + 77_000, documents: 200, duplicate_every: 0, boilerplate_every: 0, ..recipe };
    let mut text = String::new();
    let mut sources = Generator::new(Recipe { documents: 40, ..recipe });
    let mut random = Random::new(seed);
    for piece in Generator::new(own) {
        if text.len() >= bytes {
            break;
        }
        text.push_str(&piece);
        text.push('\n');
        if let Some(source) = (random.below(10) == 0).then(|| sources.next()).flatten() {
            text.push_str(&source);
            text.push('\n');
        }
    }
    text
}

struct Usage {
    cpu: f64,
    peak_mb: f64,
}

/// Runs the program and tells what it used.
fn run(words: &[&str], paths: &[&Path], options: &[(&str, &Path)]) -> Usage {
    let mut command = Command::new("/usr/bin/time");
    command.args(["-f", "usage %U %S %M", env!("CARGO_BIN_EXE_copytrace")]).args(words).args(paths);
    for (name, value) in options {
        command.arg(name).arg(value);
    }
    let output = command.output().expect("the program (and GNU time, Debian's package `time`)");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code().is_some_and(|code| code <= 1), "{words:?}: {said}");
    let usage = said.lines().find_map(|line| line.strip_prefix("usage ")).expect("the usage");
    let numbers: Vec<f64> = usage.split(' ').filter_map(|n| n.parse().ok()).collect();
    Usage { cpu: numbers[0] + numbers[1], peak_mb: numbers[2] / 1024.0 }
}

/// Bytes of all files below a folder.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.map(|path| if path.is_dir() { size(&path) } else { fs::metadata(&path).expect("a file").len() }).sum()
}
