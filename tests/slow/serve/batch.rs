//! A round of three hundred finals in one archive: every pair that shares text is found from both sides, with the figures that the
//! program has for the same folder.

use crate::generator::{Generator, Language, Recipe};
use crate::program::{Bench, Csv, copytrace};
use crate::serve::server::{College, Server, archive};
use serde_json::json;
use std::collections::BTreeMap;

const FINALS: usize = 300;
/// The first 80 are pairs, neighbours.
const PAIRS: usize = 40;

/// Finals of some pages, every other pair Chinese; the second of each pair has a page of the first in its middle.
fn finals() -> Vec<String> {
    let of = |language, length| {
        let recipe = Recipe { seed: 34, documents: FINALS, length, language, duplicate_every: 0, boilerplate_every: 0 };
        Generator::new(recipe)
    };
    let (mut english, mut chinese) = (of(Language::English, 900), of(Language::Chinese, 1_800));
    let mut finals: Vec<String> =
        (0..FINALS).map(|n| if n / 2 % 2 == 0 { english.next().unwrap() } else { chinese.next().unwrap() }).collect();
    for pair in 0..PAIRS {
        let letters = |n: usize| finals[n].chars().collect::<Vec<char>>();
        let (first, second) = (letters(2 * pair), letters(2 * pair + 1));
        let (before, behind) = second.split_at(second.len() / 2);
        let shared = &first[first.len() / 3..first.len() * 2 / 3];
        finals[2 * pair + 1] = [before, &['\n', '\n'], shared, &['\n', '\n'], behind].concat().iter().collect();
    }
    finals
}

#[test]
fn in_a_round_of_three_hundred_every_pair_that_shares_text_has_the_figures_of_the_program_on_both_sides() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &["--workers", "2"]);
    let college = College::found(&server, json!({ "among": true, "quota": 1 }));
    let list: String = (0..FINALS).map(|n| format!("{n:03},Student {n},student\n")).collect();
    let mut administrator = college.administrator.clone();
    let students = format!("/rounds/{}/students", college.round);
    let enrolled = administrator.upload(&students, &[], "l.csv", format!("number,name,role\n{list}").as_bytes());
    assert_eq!(enrolled.status, 303, "{}", enrolled.text());
    let finals = finals();
    let names: Vec<String> = (0..FINALS).map(|n| format!("{n:03}_thesis.txt")).collect();
    for (name, text) in names.iter().zip(&finals) {
        bench.write(format!("in/{name}"), text);
    }
    let members: Vec<(&str, &[u8])> =
        names.iter().zip(&finals).map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let mut program = administrator.program(&["submit", "read"]);
    let batches = format!("/api/v1/rounds/{}/batches", college.round);
    let taken = program.upload(&batches, &[("kind", "final")], "finals.zip", &archive(&members)).json();
    let started = program.request("POST", &format!("/api/v1/batches/{}", taken["id"].as_str().unwrap()), &[], b"");
    assert_eq!(started.json()["submissions"].as_array().unwrap().len(), FINALS);
    // The program meanwhile, of the same folder: each with each other.
    let mut check = copytrace();
    check.arg("check").arg(bench.path("in")).args(["--format", "csv", "-o"]).arg(bench.path("report"));
    check.assert().success();
    let shared = Csv::read(&bench.path("report/shared.csv"));
    let mut expected = BTreeMap::new();
    for row in shared.rows() {
        let ratio = |of: &str| row[of].parse::<f64>().unwrap();
        expected.insert((row["first"].clone(), row["second"].clone()), ratio("ratio_first"));
        expected.insert((row["second"].clone(), row["first"].clone()), ratio("ratio_second"));
    }
    let found: Vec<_> = expected.keys().filter(|(a, b)| a < b).collect();
    let planted: Vec<_> = (0..PAIRS).map(|n| (names[2 * n].clone(), names[2 * n + 1].clone())).collect();
    assert_eq!(found, planted.iter().collect::<Vec<_>>(), "the program finds what was planted, and nothing else");

    administrator.settle();
    let listed = program.get(&format!("/api/v1/rounds/{}/submissions?limit=1000", college.round)).json();
    let mut seen = BTreeMap::new();
    let items = listed["items"].as_array().unwrap();
    assert_eq!(items.len(), FINALS);
    let name_of: BTreeMap<String, &String> = items
        .iter()
        .map(|item| {
            let number: usize = item["number"].as_str().unwrap().parse().unwrap();
            (format!("submission-{}", item["id"].as_str().unwrap()), &names[number])
        })
        .collect();
    for (id, name) in &name_of {
        let id = id.trim_start_matches("submission-");
        let report = program.get(&format!("/api/v1/submissions/{id}/report")).json();
        for source in report["sources"].as_array().unwrap() {
            let ratio = source["ratio"].as_f64().unwrap();
            if let Some(other) = name_of.get(source["id"].as_str().unwrap()).filter(|_| ratio > 0.0) {
                seen.insert(((*name).clone(), (*other).clone()), ratio);
            }
        }
    }
    assert_eq!(seen.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "each pair from both sides");
    for (pair, ratio) in &expected {
        assert!((seen[pair] - ratio).abs() < 1e-4 && *ratio > 0.1, "{pair:?}: {} and {ratio}", seen[pair]);
    }
}
