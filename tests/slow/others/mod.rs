//! `copytrace harvest` beside programs of others, which `make harvest-others` installs: a repository that is served by PyPI's oai-repo, WARC
//! files that warcio writes, and what trafilatura and mwparserfromhell read of the same texts.

use crate::durability::ids;
use crate::generator::{Generator, Recipe};
use crate::program::{Bench, copytrace, project, text};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The Python that has the programs.
fn python() -> Command {
    let python =
        std::env::var("COPYTRACE_OTHERS").expect("COPYTRACE_OTHERS names a Python that has them: make harvest-others");
    let mut command = Command::new(python);
    command.arg(project("tests/slow/others/others.py")).stdout(Stdio::piped());
    command
}

/// The process of a repository, and its address. The first of its records may have changed.
struct Repository(Child, String);

impl Repository {
    fn start(records: usize, changed: usize, port: &str) -> Self {
        let mut child = python().args(["oai", &records.to_string(), &changed.to_string(), port]).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Repository(child, address.trim().to_owned())
    }
}

impl Drop for Repository {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn harvest(address: &str, index: &Path) -> Command {
    let mut command = crate::durability::program();
    let polite = ["--contact", "keeper@example.org", "--pause", "0", "--allow-inside"];
    command.args(["harvest", address]).args(polite).arg("--index").arg(index).stderr(Stdio::piped());
    command
}

#[test]
#[ignore = "needs programs of others: make harvest-others"]
fn two_thousand_records_of_a_repository_that_stops_in_the_middle_are_all_there() {
    let (bench, records) = (Bench::new(), 2000);
    let index = bench.path("index");
    let mut repository = Repository::start(records, 0, "0");
    let address = repository.1.clone();
    let port = address.rsplit(':').next().unwrap().split('/').next().unwrap().to_owned();
    let mut runs = 0;
    loop {
        let mut child = harvest(&address, &index).spawn().unwrap();
        if runs < 3 {
            std::thread::sleep(std::time::Duration::from_secs(3));
            drop(repository);
            child.wait().unwrap();
            repository = Repository::start(records, 0, &port);
        } else {
            assert!(child.wait().unwrap().success());
            break;
        }
        runs += 1;
    }
    assert_eq!(ids(&index).len(), records);
    // Fifty have changed: they alone are fetched.
    drop(repository);
    let _repository = Repository::start(records, 50, &port);
    let said = text(&harvest(&address, &index).output().unwrap().stderr);
    assert!(said.contains("50 replaced"), "{said}");
    assert_eq!(ids(&index).len(), records);
}

/// Words of a text, each as often as it is there.
fn words(text: &str) -> BTreeMap<String, usize> {
    let mut words = BTreeMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        *words.entry(word.to_lowercase()).or_default() += 1;
    }
    words
}

/// Words that are in both texts.
fn shared(a: &BTreeMap<String, usize>, b: &BTreeMap<String, usize>) -> usize {
    a.iter().map(|(word, count)| (*count).min(b.get(word).copied().unwrap_or(0))).sum()
}

/// The texts of documents that were harvested into a file, by their ids.
fn texts(file: &Path) -> BTreeMap<String, String> {
    let lines = zstd::decode_all(std::fs::File::open(file).unwrap()).unwrap();
    let lines = text(&lines);
    let line = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
    let field = |line: &serde_json::Value, name: &str| line[name].as_str().unwrap().to_owned();
    lines.lines().map(line).map(|line| (field(&line, "id"), field(&line, "text"))).collect()
}

#[test]
#[ignore = "needs programs of others: make harvest-others"]
fn pages_that_warcio_wrote_keep_as_many_words_and_let_in_no_more_of_menus_than_trafilatura() {
    let bench = Bench::new();
    let mut expected = BTreeMap::new();
    for (number, main) in Generator::new(Recipe { length: 200, ..Recipe::english(80) }).enumerate() {
        let paragraphs: Vec<String> = main.split("\n\n").map(|paragraph| format!("<p>{paragraph}</p>")).collect();
        let menu: String = (0..12).map(|at| format!("<li><a href=/{at}>menuword{at} menuother{at}</a></li>")).collect();
        let body = paragraphs.concat();
        let page = match number % 4 {
            0 => {
                format!("<nav><ul>{menu}</ul></nav><main><h1>Heading</h1>{body}</main><footer>menufoot words</footer>")
            }
            1 => format!("<div class=menu><ul>{menu}</ul></div><article><h1>Heading</h1>{body}</article>"),
            2 => format!("<table><tr><td><ul>{menu}</ul></td><td>{body}</td></tr></table>"),
            _ => format!("<div id=head><ul>{menu}</ul></div><div>{body}</div><div id=side><ul>{menu}</ul></div>"),
        };
        let name = format!("{number:03}.html");
        bench.write(format!("pages/{name}"), format!("<!DOCTYPE html><title>Page</title><body>{page}</body>"));
        expected.insert(name, words(&main));
    }
    let (pages, warc, out) = (bench.path("pages"), bench.path("pages.warc.gz"), bench.path("out.jsonl.zst"));
    assert!(python().arg("warc").arg(&pages).arg(&warc).status().unwrap().success());
    copytrace().arg("harvest").arg(&warc).arg("-o").arg(&out).assert().success();
    let ours: BTreeMap<String, String> =
        texts(&out).into_iter().map(|(id, text)| (id.rsplit('/').next().unwrap().to_owned(), text)).collect();
    let theirs = python().arg("pages").arg(&pages).output().unwrap();
    let theirs: BTreeMap<String, String> = serde_json::from_slice(&theirs.stdout).unwrap();
    let score = |read: &BTreeMap<String, String>| {
        let (mut all, mut kept, mut menus) = (0, 0, 0);
        for (name, main) in &expected {
            let read = words(read.get(name).map_or("", String::as_str));
            all += main.values().sum::<usize>();
            kept += shared(main, &read);
            menus += read.iter().filter(|(word, _)| word.starts_with("menu")).map(|(_, count)| count).sum::<usize>();
        }
        (kept as f64 / all as f64, menus as f64 / expected.len() as f64)
    };
    let (ours, theirs) = (score(&ours), score(&theirs));
    println!("kept: {:.4} and {:.4}; words of menus a page: {:.1} and {:.1}", ours.0, theirs.0, ours.1, theirs.1);
    assert!(ours.0 >= theirs.0 && ours.1 <= theirs.1, "{ours:?} {theirs:?}");
}

/// Constructs that wikis are full of, around prose that must stay.
fn article(prose: &str, number: usize) -> String {
    let words: Vec<&str> = prose.split(' ').collect();
    let (head, tail) = words.split_at(words.len() / 2);
    let [head, tail] = [head, tail].map(|words| words.join(" "));
    let around = [
        "{{Infobox|name={{nowrap|boxword}}|area={{convert|1|km2}}}}\n",
        "<ref name=\"a\">{{cite book|title=refword}}</ref>",
        "\n{| class=\"wikitable\"\n! tableword\n|-\n| tableword || tableword\n|}\n",
        "[[Category:catword]]",
        "<!-- commentword -->",
        "<math>x_{mathword}</math>",
        "[[File:pictureword.jpg|thumb|left]]",
    ];
    format!("'''{}''' {head}{} {tail}", "Tide", around[number % around.len()])
}

#[test]
#[ignore = "needs programs of others: make harvest-others"]
fn articles_keep_as_many_words_and_no_more_of_markup_than_with_mwparserfromhell() {
    let bench = Bench::new();
    let prose: Vec<String> = Generator::new(Recipe { length: 80, ..Recipe::english(140) }).collect();
    let wikitext: Vec<String> = prose.iter().enumerate().map(|(number, prose)| article(prose, number)).collect();
    let mut xml = "<mediawiki><siteinfo><base>https://w.org/wiki/Main</base></siteinfo>".to_owned();
    for (number, text) in wikitext.iter().enumerate() {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        xml += &format!("<page><title>{number:03}</title><ns>0</ns><revision><text>{text}</text></revision></page>");
    }
    let out = bench.path("out.jsonl.zst");
    copytrace()
        .arg("harvest")
        .arg(bench.write("wiki.xml", xml + "</mediawiki>"))
        .arg("-o")
        .arg(&out)
        .assert()
        .success();
    let ours: Vec<String> = texts(&out).into_values().collect();
    let mut child = python().arg("wikitext").stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&serde_json::to_vec(&wikitext).unwrap()).unwrap();
    let theirs: Vec<String> = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
    let score = |read: &[String]| {
        let (mut all, mut kept, mut markup) = (0, 0, 0);
        for (prose, read) in prose.iter().zip(read) {
            let (prose, read) = (words(prose), words(read));
            all += prose.values().sum::<usize>();
            kept += shared(&prose, &read);
            let is_markup = |word: &str| {
                ["box", "ref", "table", "cat", "comment", "picture"].iter().any(|of| word == format!("{of}word"))
            };
            markup += read.iter().filter(|(word, _)| is_markup(word)).map(|(_, count)| count).sum::<usize>();
        }
        (kept as f64 / all as f64, markup)
    };
    let (ours, theirs) = (score(&ours), score(&theirs));
    println!("kept: {:.4} and {:.4}; words of markup: {} and {}", ours.0, theirs.0, ours.1, theirs.1);
    assert!(ours.0 >= theirs.0 && ours.1 <= theirs.1, "{ours:?} {theirs:?}");
}
