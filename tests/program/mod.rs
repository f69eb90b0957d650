//! Runs the built program and reads what it wrote.
#![allow(dead_code)] // each test file uses a part of it

use assert_cmd::Command;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The project's folder. The tests that drive the program belong to its crate, and run in that one's folder.
const PROJECT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A file of the project, by its path from the project's folder.
pub fn project(path: impl AsRef<Path>) -> PathBuf {
    Path::new(PROJECT).join(path)
}

/// The program, run from the project's folder.
pub fn copytrace() -> Command {
    let mut command = Command::cargo_bin("copytrace").unwrap();
    command.current_dir(PROJECT);
    command
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The main tables that a check wrote into a folder, as they are.
pub fn tables(folder: &Path) -> [Vec<u8>; 3] {
    ["summary.csv", "sources.csv", "passages.csv"].map(|name| fs::read(folder.join(name)).unwrap())
}

/// A new folder for one test, which goes with it.
pub struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    pub fn new() -> Self {
        Bench { folder: tempfile::tempdir().unwrap() }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A path in the folder.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file, and makes the folders it stands in.
    pub fn write(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }
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
