//! Runs the built program and reads what it wrote.

use assert_cmd::Command;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The project's folder. The tests belong to the crate of the program, and run in its folder.
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

/// The demo's folders, by their paths from the project's folder.
pub const SUBMISSIONS: &str = "corpora/demo/submissions";
pub const REFERENCE: &str = "corpora/demo/reference";

/// A check of submissions against a corpus; the reports take the place of those that are in the folder.
pub fn check(submissions: impl AsRef<OsStr>, corpus: impl AsRef<OsStr>, reports: impl AsRef<OsStr>) -> Command {
    let mut command = copytrace();
    command.arg("check").arg(submissions).arg("--corpus").arg(corpus).args(["--overwrite", "-o"]).arg(reports);
    command
}

/// How long a test waits for something. The limit is for what never comes about; a busy machine does not reach it.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// Waits until something has come about, and gives it.
pub fn wait_for<T>(what: &str, mut seek: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = seek() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Sets a switch when it is dropped, also because its thread failed.
pub struct WhenDropped<'a>(pub &'a AtomicBool);

impl Drop for WhenDropped<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
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
