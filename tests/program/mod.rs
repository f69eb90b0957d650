//! Runs the built program and reads what it wrote.
#![allow(dead_code)] // each test file uses a part of it

use assert_cmd::Command;
use std::collections::BTreeMap;
use std::path::Path;

/// The program, run from the project's folder.
pub fn copytrace() -> Command {
    let mut command = Command::cargo_bin("copytrace").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A CSV file with named columns.
pub struct Csv(Vec<BTreeMap<String, String>>);

impl Csv {
    pub fn read(path: &Path) -> Self {
        let mut reader = csv::Reader::from_path(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Csv(reader.deserialize().map(|row| row.unwrap()).collect())
    }

    pub fn rows(&self) -> &[BTreeMap<String, String>] {
        &self.0
    }
}
