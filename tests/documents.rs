//! The pages say what is true: blocks of code run, links lead somewhere.

use crate::program::{Bench, project};
use assert_cmd::cargo::cargo_bin;
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Blocks marked `no-run`: page, what stands in the block, and why.
const NOT_RUN: [(&str, &str, &str); 21] = [
    ("README.md", "copytrace harvest", "asks a server out there; tests/harvest.rs and the crate's tests ask their own"),
    ("README.md", "copytrace serve", "serves until it is ended; tests/serve starts it"),
    (
        "README.zh-CN.md",
        "copytrace harvest",
        "asks a server out there; tests/harvest.rs and the crate's tests ask their own",
    ),
    ("README.zh-CN.md", "copytrace serve", "serves until it is ended; tests/serve starts it"),
    ("docs/ALIGNMENT.md", "--bin align_pairs", "needs corpora that cannot be handed on"),
    ("docs/COMPARISON.md", "benches/peers/run.py", "builds and measures peers for minutes"),
    ("docs/COMPARISON.md", "benches/peers/check.py", "needs corpora that cannot be handed on"),
    ("docs/CORPUS.md", "curl -O", "needs a dump of a gigabyte from out there; tests/harvest.rs writes one"),
    ("docs/SEMANTIC.md", "semantic install", "needs a model of 80 MB; tests/semantic.rs makes a small one"),
    ("docs/DESK.md", "copytrace desk", "serves until it is ended; tests/serve/desk.rs starts it"),
    ("docs/HAMMING.md", "make miri", "builds and tests the project for minutes"),
    ("docs/INSTALL.md", "apt install", "needs root, and a release; `make deb-test` does it"),
    ("docs/INSTALL.md", "cargo install", "builds the project for minutes; `make program` does it"),
    ("docs/INSTALL.md", "podman run", "needs a container; `make container` runs it"),
    ("docs/LANGUAGE.md", "--bin language_shares", "needs texts that cannot be handed on"),
    ("docs/PYTHON.md", "pip install", "installs from the network"),
    ("docs/SERVICE.md", "--data demo/ --demo", "serves until it is ended; tests/serve starts it"),
    ("docs/SERVICE.md", "cd /srv/copytrace", "needs a round; tests/serve compares the bytes"),
    ("docs/SIMHASH.md", "--bin simhash_quality", "needs corpora that cannot be handed on"),
    ("docs/SPARK.md", "pip install", "installs from the network"),
    ("docs/SPARK.md", "spark-submit", "needs a cluster; python/tests_spark has a local one"),
];

/// The pages, by their paths from the project's folder.
fn pages() -> Vec<String> {
    let mut pages: Vec<String> =
        ["README.md", "README.zh-CN.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "corpora/README.md"]
            .map(String::from)
            .into();
    let docs = fs::read_dir(project("docs")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    pages.extend(docs.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}")));
    pages.sort();
    pages
}

struct Block {
    language: String,
    no_run: bool,
    code: String,
}

/// A page's blocks of code, and what stands outside of them.
fn blocks(page: &str) -> (Vec<Block>, String) {
    let (mut blocks, mut prose, mut open) = (Vec::new(), String::new(), None::<Block>);
    for line in fs::read_to_string(project(page)).unwrap().lines() {
        match (line.trim_start().strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(info), None) => {
                let mut words = info.split_whitespace();
                let language = words.next().unwrap_or_default().to_owned();
                open = Some(Block { language, no_run: words.next() == Some("no-run"), code: String::new() });
            }
            (None, Some(block)) => block.code += &format!("{line}\n"),
            (None, None) => prose += &format!("{line}\n"),
        }
    }
    assert!(open.is_none(), "{page}: a block has no end");
    (blocks, prose)
}

/// Files by the names that the pages use, made of the demo. An index and fingerprints are there unless the block makes them.
fn furnish(bench: &Bench, code: &str) {
    let demo = project("corpora/demo");
    let corpora = bench.path("corpora/demo");
    for folder in ["submissions", "reference"] {
        fs::create_dir_all(corpora.join(folder)).unwrap();
        for entry in fs::read_dir(demo.join(folder)).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), corpora.join(folder).join(entry.file_name())).unwrap();
        }
    }
    let text = |name: &str| fs::read_to_string(demo.join(name)).unwrap();
    let (english, source) =
        (text("submissions/en-01-estuary-crossing.txt"), text("reference/en-ref-01-tidal-marsh.txt"));
    let (chinese, other) =
        (text("submissions/zh-01-mountain-town.txt"), text("reference/zh-ref-01-tea-cooperative.txt"));
    for (thesis, of, references, essays, theses, old, text, copied) in [
        ("thesis", "source.txt", "references", "essays", "theses", "old-thesis.txt", &english, &source),
        ("论文", "来源.txt", "参考文献", "作业", "论文", "旧论文.txt", &chinese, &other),
    ] {
        bench.write(format!("{thesis}.txt"), text);
        bench.write(of, copied);
        bench.write(format!("{references}/{of}"), copied);
        bench.write(format!("{references}/{old}"), format!("{copied}\n{text}"));
        for folder in [essays, theses] {
            bench.write(format!("{folder}/one.txt"), text);
            bench.write(format!("{folder}/other.txt"), copied);
        }
    }
    for list in ["theses", "名单"] {
        bench.write(
            format!("{list}.csv"),
            "path,title,author\none.txt,The estuary,Ann Lee\nother.txt,A marsh,Bo Wang\n",
        );
    }
    let office = |format: &str, names: &[&str]| {
        let mut command = Command::new("soffice");
        command.arg(format!("-env:UserInstallation=file://{}", bench.path("profile").display()));
        command.args(["--headless", "--convert-to", format]).args(names).current_dir(bench.folder());
        assert!(command.output().unwrap().status.success());
    };
    if code.contains(".pdf") {
        office("pdf", &["thesis.txt", "论文.txt"]);
    }
    if code.contains(".xlsx") {
        office("xlsx", &["theses.csv", "名单.csv"]);
    }
    let lines = |name: &str| -> String {
        let texts = [&english, &source, &source.to_uppercase(), &chinese, &other];
        let line = |(n, text): (usize, &&String)| {
            json!({ "id": format!("{name}-{n}"), "text": text, "body": text, "date": "2999-01-01" }).to_string() + "\n"
        };
        texts.iter().enumerate().map(line).collect()
    };
    for name in ["new.jsonl", "old.jsonl", "news.jsonl"] {
        bench.write(name, lines(name));
    }
    for name in ["crawl.jsonl.zst", "corpus.jsonl.zst"] {
        bench.write(name, zstd::encode_all(lines(name).as_bytes(), 1).unwrap());
    }
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(lines("more").as_bytes()).unwrap();
    bench.write("more.jsonl.gz", packed.finish().unwrap());
    if code.contains("library/") && !code.contains("index create") {
        run(bench, "copytrace index create library && copytrace index add library references 参考文献");
    }
    if code.contains(".u64") {
        run(bench, "copytrace fingerprint new.jsonl -o new.u64");
        if !code.contains("-o corpus.u64") {
            run(bench, "copytrace fingerprint corpus.jsonl.zst -o corpus.u64");
        }
    }
}

/// Runs shell commands in a bench, up to the first that fails; gives what they say.
fn run(bench: &Bench, code: &str) -> String {
    let program = cargo_bin("copytrace");
    let path = std::env::join_paths(
        [program.parent().unwrap().to_owned()]
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let output = Command::new("sh")
        .args(["-ec", &format!("exec 2>&1\n{code}")])
        .current_dir(bench.folder())
        .env("PATH", path.unwrap())
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{code}\ngives {}:\n{said}", output.status);
    said
}

/// Whether a block of code reads files that an office suite must make first. `slow::documents` runs it then.
pub fn needs_office(code: &str) -> bool {
    code.contains(".pdf") || code.contains(".xlsx")
}

/// Does what the blocks of code of all pages say, of those that are chosen by their code; gives how many there were.
pub fn run_blocks(is_chosen: impl Fn(&str) -> bool) -> usize {
    let mut ran = 0;
    for page in pages() {
        for block in blocks(&page).0.into_iter().filter(|block| !block.no_run && is_chosen(&block.code)) {
            let of = |file: &str| fs::read_to_string(project(file)).unwrap();
            let bench = Bench::new();
            match block.language.as_str() {
                "text" => continue,
                "sh" => {
                    furnish(&bench, &block.code);
                    run(&bench, &block.code);
                }
                // A command after a dollar sign, and what it says.
                "console" => {
                    furnish(&bench, &block.code);
                    let (command, says) = block.code.split_once('\n').unwrap();
                    let command = command.strip_prefix("$ ").expect("a command begins with a dollar sign");
                    let built = "cargo run --release -p copytrace-cli --no-default-features --";
                    assert_eq!(run(&bench, &command.replace(built, "copytrace")), says, "{page}");
                }
                "toml" => {
                    bench.write("copytrace.toml", &block.code);
                    run(&bench, "copytrace --config copytrace.toml config");
                }
                "rust" => {
                    assert!(of("src/lib.rs").contains(&format!("include_str!(\"../{page}\")")), "{page} has no doctest")
                }
                "python" => {
                    let name = Path::new(&page).file_name().unwrap().to_str().unwrap();
                    let tests = ["python/tests/test_docs.py", "python/tests_spark/test_spark.py"].map(of);
                    assert!(
                        tests.iter().any(|test| test.contains(&format!("\"{name}\""))),
                        "no test runs the Python of {page}"
                    );
                }
                other => panic!(
                    "{page}: nothing is known of blocks of `{other}`: say sh, console, toml, rust, python or text"
                ),
            }
            ran += 1;
        }
    }
    ran
}

#[test]
fn blocks_of_code_do_what_the_pages_say() {
    let ran = run_blocks(|code| !needs_office(code));
    assert!(ran >= 10, "{ran} blocks ran");
}

#[test]
fn every_block_of_code_that_is_not_run_has_a_reason() {
    let mut found = BTreeSet::new();
    for page in pages() {
        for block in blocks(&page).0.iter().filter(|block| block.no_run) {
            let known = NOT_RUN.iter().position(|(of, what, _)| *of == page && block.code.contains(what));
            found.insert(known.unwrap_or_else(|| panic!("{page}: why is this not run?\n{}", block.code)));
        }
    }
    let gone: Vec<_> = (0..NOT_RUN.len()).filter(|n| !found.contains(n)).map(|n| NOT_RUN[n]).collect();
    assert!(gone.is_empty(), "no page has these any more: {gone:?}");
}

/// The anchor that a forge gives a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase().replace(' ', "-");
    kept.chars().filter(|&c| c.is_alphanumeric() || c == '-' || c == '_').collect()
}

#[test]
fn links_between_pages_lead_somewhere_and_every_page_is_in_the_index() {
    let (mut followed, mut wrong) = (BTreeSet::new(), Vec::new());
    for page in pages() {
        let (_, prose) = blocks(&page);
        for (at, _) in prose.match_indices("](") {
            let target = prose[at + 2..].split(')').next().unwrap();
            if target.contains("://") || target.contains('\n') {
                continue;
            }
            let (path, place) = target.split_once('#').unwrap_or((target, ""));
            let path = match path {
                "" => project(&page),
                path => project(&page).parent().unwrap().join(path),
            };
            let heads = |text: String| {
                text.lines().any(|line| line.starts_with('#') && anchor(line.trim_start_matches('#')) == place)
            };
            if !path.exists() || !place.is_empty() && !fs::read_to_string(&path).is_ok_and(heads) {
                wrong.push(format!("{page}: {target}"));
            } else if page == "docs/README.md" {
                followed.insert(path.canonicalize().unwrap());
            }
        }
    }
    for page in pages().iter().filter(|page| page.starts_with("docs/") && !page.ends_with("/README.md")) {
        if !followed.contains(&project(page).canonicalize().unwrap()) {
            wrong.push(format!("docs/README.md does not lead to {page}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
