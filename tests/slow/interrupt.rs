//! What Ctrl-C leaves behind: nothing that is half written.

use crate::program::Bench;
use assert_cmd::cargo::cargo_bin;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// `count` words, as in no language.
fn words(count: usize, seed: u64) -> String {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..count).fold(String::new(), |mut text, _| {
        write!(text, "w{} ", random.random_range(0..5000)).unwrap();
        text
    })
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Starts the program, sends it SIGINT as soon as something stands in `folder`, and gives its exit code; none when nothing
/// came to stand there before it had ended.
fn interrupted<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>, folder: &Path) -> Option<i32> {
    let mut command = Command::new(cargo_bin("copytrace"));
    let mut child = command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while names(folder).is_empty() {
        if child.try_wait().unwrap().is_some() {
            return None;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    child.wait().unwrap().code()
}

/// Interrupts what `start` runs with inputs of more and more of what it counts in; `start` is given the bench, how much, and the
/// place of the output.
fn leaves_nothing(first: usize, start: impl Fn(&Bench, usize, &Path) -> Vec<std::path::PathBuf>) {
    for doubled in 0..6 {
        let bench = Bench::new();
        let folder = bench.path("out");
        fs::create_dir(&folder).unwrap();
        let arguments = start(&bench, first << doubled, &folder.join("output.csv"));
        // Code 0: it was done when the signal came. With more to do it will not be.
        if let Some(130) = interrupted(&arguments, &folder) {
            assert_eq!(names(&folder), Vec::<String>::new());
            return;
        }
    }
    panic!("it was never interrupted");
}

fn arguments<const N: usize>(arguments: [&OsStr; N]) -> Vec<std::path::PathBuf> {
    arguments.iter().map(Into::into).collect()
}

#[test]
fn an_interrupted_check_leaves_no_report_and_nothing_beside_it() {
    leaves_nothing(100_000, |bench, count, output| {
        let submissions: Vec<_> =
            (0..3).map(|n| bench.write(format!("submissions/{n}.txt"), words(count, n))).collect();
        let corpus = bench.write("corpus/source.txt", words(count, 0));
        let (check, corpus) = ([OsStr::new("check")], corpus.parent().unwrap());
        let options = arguments([OsStr::new("--corpus"), corpus.as_os_str(), OsStr::new("-o"), output.as_os_str()]);
        check.iter().map(Into::into).chain(submissions).chain(options).collect()
    });
}

#[test]
fn interrupted_pairs_leave_no_file() {
    leaves_nothing(20_000, |bench, count, output| {
        let lines = (0..count).map(|n| format!("{{\"id\":\"{n}\",\"text\":\"{}\"}}\n", words(40, n as u64 / 2)));
        let corpus = bench.write("corpus.jsonl", lines.collect::<String>());
        arguments([OsStr::new("pairs"), corpus.as_os_str(), OsStr::new("-o"), output.as_os_str()])
    });
}

/// Fingerprints that are near to few others.
fn fingerprints(count: usize, seed: u64) -> Vec<u8> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..count).flat_map(|_| random.random::<[u8; 8]>()).collect()
}

#[test]
fn an_interrupted_search_for_near_fingerprints_leaves_no_file() {
    leaves_nothing(1 << 18, |bench, count, output| {
        let table = bench.write("table.u64", fingerprints(count, 1));
        let queries = bench.write("queries.u64", fingerprints(2 * count, 2));
        let [near, of, asked, out] = ["near", "--table", "--queries", "-o"].map(OsStr::new);
        arguments([near, of, table.as_os_str(), asked, queries.as_os_str(), out, output.as_os_str()])
    });
}

#[test]
fn interrupted_tables_leave_no_file() {
    leaves_nothing(1 << 18, |bench, count, output| {
        let table = bench.write("table.u64", fingerprints(count, 1));
        let output = output.with_extension("tables");
        let [near, of, build] = ["near", "--table", "--build"].map(OsStr::new);
        arguments([near, of, table.as_os_str(), build, output.as_os_str()])
    });
}
