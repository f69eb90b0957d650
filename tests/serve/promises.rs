//! What docs/SERVICE.md promises, and which test holds it: the table names tests that are there, and all of them.

use crate::program::project;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// The names in backticks of a text.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The source of the module of a path, below a folder; what is left of the path is the beginning of a test's name.
fn module(folder: &str, path: &str) -> Option<(PathBuf, String)> {
    let parts: Vec<&str> = path.split("::").collect();
    (0..=parts.len()).rev().find_map(|length| {
        let place = project(format!("{folder}/{}", parts[..length].join("/")));
        let files = [place.with_extension("rs"), place.join("mod.rs"), place.join("lib.rs")];
        let file = files.into_iter().find(|file| file.is_file())?;
        Some((file, parts[length..].join("::")))
    })
}

/// Whether there are tests of this name; it is told where.
fn tests_of(folder: &str, path: &str) -> Option<PathBuf> {
    let (file, rest) = module(folder, path)?;
    let (source, name) =
        (fs::read_to_string(&file).unwrap(), rest.trim_start_matches("tests").trim_start_matches("::"));
    let is_test = |(at, _): (usize, &str)| {
        let behind = source[at..].split("fn ").nth(1).unwrap_or_default();
        behind.starts_with(name)
    };
    source.match_indices("#[test]").any(is_test).then_some(file)
}

#[test]
fn each_promise_of_the_document_names_tests_that_are_there_and_no_test_is_left_out() {
    let document = fs::read_to_string(project("docs/SERVICE.md")).unwrap();
    let table = document.split("### Which test holds what").nth(1).unwrap().split("\n\nPDF files").next().unwrap();
    let rows: Vec<&str> =
        table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| promise")).collect();
    assert!(rows.len() > 30, "{}", rows.len());
    let makefile = fs::read_to_string(project("Makefile")).unwrap();
    let mut named = BTreeSet::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let [_, tests] = cells[..] else { panic!("{row}") };
        let (of_program, of_library) = tests.split_once("in `copytrace-serve`:").unwrap_or((tests, ""));
        for name in names(of_program) {
            match name.strip_prefix("make ") {
                Some(target) => assert!(makefile.contains(&format!("\n{target}:")), "{row}: {name}"),
                None => named.extend(Some(tests_of("tests", name).unwrap_or_else(|| panic!("{row}: no test {name}")))),
            }
        }
        for name in names(of_library) {
            assert!(tests_of("crates/serve/src", name).is_some(), "{row}: no test {name}");
        }
        assert!(names(tests).next().is_some(), "{row}");
    }
    for entry in fs::read_dir(project("tests/serve")).unwrap() {
        let file = entry.unwrap().path();
        let has_tests = fs::read_to_string(&file).unwrap().contains("\n#[test]");
        let is_this = file.ends_with("promises.rs");
        assert!(!has_tests || is_this || named.contains(&file), "{} holds no promise", file.display());
    }
}
