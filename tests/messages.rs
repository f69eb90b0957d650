//! What people are told: every code and word that the code looks up is in every language's file, and nothing in them is left over.

use crate::program::project;
use copytrace_messages::Language;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// All sources that look messages up: Rust and the scripts of pages, without the crate of messages itself.
fn sources() -> Vec<String> {
    fn read(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if path.file_name().is_some_and(|name| name != "messages") {
                    read(&path, found);
                }
            } else if path.extension().is_some_and(|ending| ending == "rs" || ending == "js") {
                found.push(fs::read_to_string(path).unwrap());
            }
        }
    }
    let mut found = Vec::new();
    read(&project("src"), &mut found);
    read(&project("crates"), &mut found);
    found
}

/// The code of each `message!` in a source, with the names of its figures, and those that `with` adds behind it.
fn messages(source: &str) -> Vec<(String, BTreeSet<String>)> {
    let mut found = Vec::new();
    for (at, _) in source.match_indices("message!(") {
        let rest = &source[at + "message!(".len()..];
        let Some(code) = rest.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next()) else { continue };
        let statement = rest.split(';').next().unwrap();
        let before_equals = statement.match_indices(" = ").map(|(end, _)| &statement[..end]);
        let last_word = |text: &str| text.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap().to_owned();
        let with =
            source.match_indices(".with(\"").filter_map(|(at, start)| source[at + start.len()..].split('"').next());
        let figures = before_equals.map(last_word).chain(with.map(str::to_owned)).collect();
        found.push((code.to_owned(), figures));
    }
    found
}

#[test]
fn every_message_of_the_program_is_in_every_language_with_figures_that_it_gets() {
    let all: Vec<(String, BTreeSet<String>)> = sources().iter().flat_map(|source| messages(source)).collect();
    assert!(all.len() > 80, "{}", all.len());
    for language in Language::all() {
        for (code, figures) in &all {
            assert!(language.pattern(code).is_some(), "{} has no {code}", language.tag());
            let missing: Vec<String> = language.variables(code).difference(figures).cloned().collect();
            assert!(missing.is_empty(), "{}: {code} names {missing:?}", language.tag());
        }
    }
}

/// The words of a text that stand between such signs.
fn words_where(text: &str, is_in_word: impl Fn(char) -> bool, stands: impl Fn(char, char) -> bool) -> BTreeSet<&str> {
    let mut before = ' ';
    let mut found = BTreeSet::new();
    for piece in text.split_inclusive(|c| !is_in_word(c)) {
        let word = piece.trim_end_matches(|c| !is_in_word(c));
        let after = piece[word.len()..].chars().next().unwrap_or(' ');
        if stands(before, after) {
            found.insert(word);
        }
        before = after;
    }
    found
}

fn is_quoted(before: char, after: char) -> bool {
    before == after && ['\'', '"'].contains(&before)
}

#[test]
fn no_language_has_a_message_that_nothing_looks_up() {
    let sources = sources().join("\n");
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let identifiers = words_where(&sources, is_name, |_, _| true);
    let fields = words_where(&sources, is_name, |before, after| before == '.' || is_quoted(before, after));
    let quoted = words_where(&sources, |c| is_name(c) || c == '-', is_quoted);
    // Words of tables are written with blanks or underscores.
    let hyphenated = sources.replace(['_', ' '], "-");
    let camel_case = |key: &str| {
        let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
        key.split('-').map(capital).collect::<String>()
    };
    for language in Language::all() {
        for key in language.keys().unwrap().keys() {
            let (group, word) = key.split_once('-').unwrap_or(("", key));
            let used = match group {
                "language" => true,
                "report" | "service" | "program" | "desk" => fields.contains(word.replace('-', "_").as_str()),
                "flag" | "word" | "field" | "cause" => {
                    [',', '"'].iter().any(|end| hyphenated.contains(&format!("{word}{end}")))
                }
                "refusal" => quoted.contains(key.as_str()),
                // Actions are recorded by their names.
                "audit" if quoted.contains(word.replace('-', "_").as_str()) => true,
                _ => quoted.contains(key.as_str()) || identifiers.contains(camel_case(key).as_str()),
            };
            assert!(used, "{}: nothing looks up {key}", language.tag());
        }
    }
}
