//! Words that were spoilt all over a text are restored and compared: what was copied is found, and the text is flagged.

use crate::program::{Bench, Csv, copytrace, project};
use copytrace::text::script::is_han;
use std::collections::BTreeMap;
use std::fs;

#[path = "../crates/text/src/prose/tricks.rs"]
mod tricks;

/// Tricks that restoring undoes, each with the least share of the honest ratio that is left.
const UNDONE: [(&str, f64); 10] = [
    ("another vowel in 60 % of the words of 5 letters and more", 0.9),
    ("a letter wrong, doubled or missing in 60 % of the words of 4 letters and more", 0.9),
    ("neighbouring letters swapped in each word of 4 letters and more", 0.9),
    ("all letters swapped in pairs", 0.9),
    ("blanks in words of 5 letters and more", 0.9),
    ("a phonetic letter in words of 4 letters and more", 0.9),
    ("letters one by one", 0.9),
    ("neighbours swapped every fourth character", 0.8),
    ("a figure behind every second character", 0.9),
    ("a note in brackets behind every third character", 0.9),
];

/// One of which as much is found, of what is found in the honest text, as it stands: all else is told to be no language, and there is no ratio.
const FOUND_AS_IT_STANDS: (&str, f64) = ("a random character behind every second", 0.6);

#[test]
fn what_was_copied_is_found_though_its_words_were_spoilt() {
    let bench = Bench::new();
    let texts = ["en-01-estuary-crossing", "zh-01-mountain-town"];
    let mut expected = BTreeMap::new();
    for (text, tricks) in texts.iter().zip([&tricks::WITH_WORDS[..], &tricks::WITH_HAN[..]]) {
        let honest = fs::read_to_string(project(format!("corpora/demo/submissions/{text}.txt"))).unwrap();
        bench.write(format!("s/{text}.txt"), &honest);
        for (number, (name, spoil)) in tricks.iter().enumerate() {
            if let Some((_, least)) = UNDONE.iter().chain([&FOUND_AS_IT_STANDS]).find(|undone| undone.0 == *name) {
                bench.write(format!("s/{text}-{number}.txt"), spoil(&honest));
                expected.insert(format!("{text}-{number}.txt"), (*name, format!("{text}.txt"), *least));
            }
        }
    }
    assert_eq!(expected.len(), UNDONE.len() + 1);
    let mut command = copytrace();
    command.args(["check", "--corpus", "corpora/demo/reference", "--no-shared", "--format", "csv", "--quiet", "-o"]);
    command.arg(bench.path("out")).arg(bench.path("s")).assert().success();
    let summary = Csv::read(&bench.path("out/summary.csv"));
    let row = |id: &str| summary.rows().iter().find(|row| row["submission"] == id).unwrap();
    let ratio = |id: &str| row(id)["copy_ratio"].parse::<f64>().unwrap_or_default();
    let flags = Csv::read(&bench.path("out/flags.csv"));
    let mut lost = Vec::new();
    for (id, (name, honest, least)) in expected {
        let is_flagged = flags.rows().iter().any(|flag| flag["submission"] == id && flag["kind"] == "replaced_letters");
        let stands = name == FOUND_AS_IT_STANDS.0;
        let found = |id: &str| row(id)["matched_characters"].parse::<f64>().unwrap();
        let share = if stands { found(&id) / found(&honest) } else { ratio(&id) / ratio(&honest) };
        let is_told =
            stands && row(&id)["status"] == "not compared" && row(&id)["not_compared"].contains("no-language");
        println!("{name}: {share:.2}");
        if share < least || !(is_flagged || is_told) {
            lost.push(format!("{name}: {share:.2}, flagged {is_flagged}"));
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
}
