//! `copytrace harvest` from an empty folder to a check.

use crate::durability::ids;
use crate::generator::{Generator, Recipe};
use crate::program::{Bench, Csv, copytrace, text};
use std::path::{Path, PathBuf};

/// A dump of a wiki with `articles` articles, of which those of `changed` were written anew.
pub fn dump(bench: &Bench, articles: usize, changed: std::ops::Range<usize>) -> PathBuf {
    let recipe = Recipe { length: 60, ..Recipe::english(2 * articles) };
    let texts: Vec<String> = Generator::new(recipe).collect();
    let mut xml = "<mediawiki><siteinfo><base>https://en.wikipedia.org/wiki/Main_Page</base></siteinfo>\n".to_owned();
    for number in 0..articles {
        let at = if changed.contains(&number) { articles + number } else { number };
        xml += &format!(
            "<page><title>Article {number}</title><ns>0</ns><revision><timestamp>2024-05-01T10:00:00Z</timestamp>\
             <text>{{{{Infobox|a=b}}}}\n{}</text></revision></page>\n",
            texts[at]
        );
    }
    bench.write("wiki.xml", xml + "</mediawiki>\n")
}

/// Harvests a source into an index.
pub fn harvest(source: &Path, index: &Path) -> String {
    let run = copytrace().arg("harvest").arg(source).arg("--index").arg(index).assert().success();
    text(&run.get_output().stderr)
}

#[test]
fn an_index_is_filled_from_a_dump_and_a_report_says_where_each_source_is() {
    let bench = Bench::new();
    let (index, dump) = (bench.path("index"), dump(&bench, 20, 0..0));
    assert!(harvest(&dump, &index).contains("20 new"));
    let run = copytrace().args(["index", "list"]).arg(&index).assert().success();
    let list = Csv::read(&bench.write("list.csv", &run.get_output().stdout));
    let row = &list.rows()[0];
    assert_eq!(row["url"], "https://en.wikipedia.org/wiki/Article_0");
    assert_eq!((row["licence"].as_str(), row["date"].as_str()), ("CC BY-SA 4.0", "2024-05-01T10:00:00Z"));
    let stats = copytrace().args(["index", "stats"]).arg(&index).assert().success();
    assert!(text(&stats.get_output().stdout).contains("20 - (CC BY-SA 4.0)"));

    let copied = Generator::new(Recipe { length: 60, ..Recipe::english(40) }).nth(7).unwrap();
    let thesis = bench.write("thesis.txt", copied);
    copytrace().arg("check").arg(&thesis).arg("--index").arg(&index).arg("-o").arg(bench.path("r")).assert().success();
    let sources = Csv::read(&bench.path("r/sources.csv"));
    assert_eq!(sources.rows()[0]["url"], "https://en.wikipedia.org/wiki/Article_7");
    assert_eq!(sources.rows()[0]["licence"], "CC BY-SA 4.0");
    let page = std::fs::read_to_string(bench.path("r/thesis.txt.html")).unwrap();
    assert!(page.contains("href=\"https://en.wikipedia.org/wiki/Article_7\""));
}

#[test]
fn a_second_run_takes_only_changes_and_the_state_tells_it() {
    let bench = Bench::new();
    let index = bench.path("index");
    harvest(&dump(&bench, 20, 0..0), &index);
    let said = harvest(&dump(&bench, 15, 3..5), &index);
    // Texts are drawn for twice the articles, so those behind are others than before: ids alone tell what went.
    assert!(said.contains("5 removed"), "{said}");
    assert_eq!(ids(&index).len(), 15);
    let said = harvest(&bench.path("wiki.xml"), &index);
    assert!(said.contains("0 new, 0 replaced, 15 unchanged, 0 removed"), "{said}");
    let state = copytrace().args(["harvest", "--state", "--index"]).arg(&index).assert().success();
    let state = Csv::read(&bench.write("state.csv", &state.get_output().stdout));
    assert_eq!(state.rows().len(), 1);
    assert_eq!((state.rows()[0]["documents"].as_str(), state.rows()[0]["finished"].as_str()), ("15", "true"));
    let dry = copytrace().args(["harvest", "--dry-run"]).arg(bench.path("wiki.xml")).assert().success();
    assert!(text(&dry.get_output().stderr).contains("15 new"));
}

#[test]
fn a_corpus_file_is_read_back_with_what_is_known_of_its_documents() {
    let bench = Bench::new();
    let (dump, file, index) = (dump(&bench, 10, 0..0), bench.path("corpus.jsonl.zst"), bench.path("index"));
    copytrace().arg("harvest").arg(&dump).arg("-o").arg(&file).assert().success();
    assert!(!bench.path("corpus.jsonl.zst.part").exists() && !bench.path("corpus.jsonl.zst.harvest").exists());
    harvest(&file, &index);
    let run = copytrace().args(["index", "list"]).arg(&index).assert().success();
    let list = Csv::read(&bench.write("list.csv", &run.get_output().stdout));
    assert_eq!(list.rows().len(), 10);
    assert!(list.rows().iter().all(|row| row["url"].starts_with("https://en.wikipedia.org/wiki/Article_")));
    assert!(list.rows().iter().all(|row| row["licence"] == "CC BY-SA 4.0"));
}

#[test]
fn servers_are_not_asked_without_a_contact_and_addresses_inside_not_at_all() {
    let bench = Bench::new();
    let run = |words: &[&str]| {
        let mut command = copytrace();
        command.args(["harvest", "http://127.0.0.1:9/oai", "--index"]).arg(bench.path("index")).args(words);
        text(&command.assert().failure().get_output().stderr)
    };
    assert!(run(&[]).contains("--contact"));
    assert!(run(&["--contact", "a@example.org"]).contains("127.0.0.1 is inside the network"));
}

#[test]
fn a_crawl_gives_each_page_once_in_the_languages_asked_for_and_the_state_tells_what_was_left_out() {
    let bench = Bench::new();
    let texts: Vec<String> = Generator::new(Recipe { length: 60, ..Recipe::english(6) }).collect();
    let german =
        "Die Flut trägt den Schlick über die Ufer des Priels, und die Ebbe lässt das meiste davon zurück. ".repeat(5);
    let mut crawl = String::new();
    let pages =
        texts[1..].iter().cloned().chain([format!("{} Seen twice.", texts[0].repeat(9)), texts[0].repeat(9), german]);
    for (number, text) in pages.enumerate() {
        let address = format!("http://example.org/{number}");
        let head = format!("WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: {address}");
        crawl += &format!("{head}\r\nContent-Length: {}\r\n\r\n{text}\r\n\r\n", text.len());
    }
    let (crawl, index) = (bench.write("pages.wet", crawl + "broken"), bench.path("index"));
    let run = |language: &str| {
        let mut command = copytrace();
        command.args(["harvest", "--language", language, "--index"]).arg(&index).arg(&crawl);
        text(&command.assert().failure().get_output().stderr)
    };
    assert!(run("english").contains("zh"), "the languages that there are stand in the error");
    let said = run("en,zh");
    assert!(said.contains("2 left out"), "{said}");
    let state = copytrace().args(["harvest", "--state", "--index"]).arg(&index).assert().success();
    let state = Csv::read(&bench.write("state.csv", &state.get_output().stdout));
    let row = &state.rows()[0];
    assert_eq!((row["documents"].as_str(), row["left_out"].as_str()), ("6", "near-duplicate: 1; other-language: 1"));
    assert_eq!((row["finished"].as_str(), row["reasons"].as_str()), ("false", "archive-broken: 1"));
}
