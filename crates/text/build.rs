//! Lists the files in `languages`, so that a new language is a new file and nothing else.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=languages");
    let variable = |name| env::var(name).map_err(io::Error::other);
    let folder = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("languages");
    let names = fs::read_dir(&folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<io::Result<Vec<String>>>()?;
    names.sort_unstable();
    // The folder is found when the crate is compiled: a checkout that was moved keeps what this wrote.
    let path = |name: &String| format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?})", format!("/languages/{name}"));
    let entry = |name: &String| format!("({name:?}, include_str!({})),\n", path(name));
    let entries: String = names.iter().map(entry).collect();
    let code = format!("const FILES: &[(&str, &str)] = &[\n{entries}];\n");
    fs::write(Path::new(&variable("OUT_DIR")?).join("languages.rs"), code)
}
