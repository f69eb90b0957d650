//! Lists the files of messages, so that a language is added by its file alone.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("messages");
    println!("cargo::rerun-if-changed=messages");
    let read = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = read.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "ftl"));
    // English is the first: what no other language is asked for is told in it.
    files.sort_by_key(|file| (file.file_stem().is_none_or(|name| name != "en"), file.clone()));
    // The folder is found when the crate is compiled: a checkout that was moved keeps what this wrote.
    let names = files.iter().filter_map(|file| file.file_name()?.to_str());
    let source =
        |name| format!("include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?}))", format!("/messages/{name}"));
    let sources: Vec<String> = names.map(source).collect();
    let list = format!("[&str; {}] = [{}]", sources.len(), sources.join(", "));
    let target = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("files.rs");
    fs::write(&target, format!("static FILES: {list};\n")).unwrap_or_else(|error| panic!("{error}"));
}
