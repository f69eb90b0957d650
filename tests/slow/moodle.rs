//! The plugin for Moodle: PHP reads it, and no word of it is missing. Moodle itself is not at hand.

use crate::program::project;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn scripts(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries
        .flat_map(|path| if path.is_dir() { scripts(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|ending| ending == "php"))
        .collect();
    found.sort();
    found
}

/// What stands between these in a text, each time.
fn between<'a>(text: &'a str, before: &str, after: &str) -> BTreeSet<&'a str> {
    text.split(before).skip(1).filter_map(|rest| rest.split(after).next()).collect()
}

#[test]
fn php_reads_every_file_of_the_plugin_and_both_languages_have_every_word() {
    let all = scripts(&project("packaging/moodle/copytrace"));
    assert!(all.len() > 10, "{all:?}");
    let mut asked = BTreeSet::new();
    let texts: Vec<String> = all.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    for (path, text) in all.iter().zip(&texts) {
        let said = Command::new("php").arg("-l").arg(path).output().expect("php-cli (Debian)");
        assert!(said.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&said.stdout));
        asked.extend(between(text, "get_string('", "', 'plagiarism_copytrace'"));
    }
    let words = |language: &str| {
        let path = project(format!("packaging/moodle/copytrace/lang/{language}/plagiarism_copytrace.php"));
        let text = std::fs::read_to_string(path).unwrap();
        between(&text, "$string['", "']").into_iter().map(str::to_owned).collect::<BTreeSet<_>>()
    };
    assert_eq!(words("en"), words("zh_cn"));
    let missing: Vec<_> =
        asked.iter().filter(|word| !word.contains(['(', '\n']) && !words("en").contains(**word)).collect();
    assert!(missing.is_empty() && asked.len() > 10, "{missing:?}");
}
