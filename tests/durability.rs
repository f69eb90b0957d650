//! What an index on disk lives through: being killed, being damaged, being read while it is written, being read-only.

use crate::generator::{Generator, Random, Recipe};
use crate::program::{Bench, copytrace, tables, text};
use copytrace::index::{Index, IndexError, IndexWriter, MergePolicy};
use copytrace::settings::Settings;
use copytrace::sketch::analysis::Analyser;
use copytrace::text::Document;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The JSON lines of `documents` documents.
pub fn lines(documents: usize) -> Vec<String> {
    let texts = Generator::new(Recipe { length: 60, ..Recipe::english(documents) });
    let line = |(i, text)| serde_json::json!({ "id": format!("{i:05}"), "text": text }).to_string();
    texts.enumerate().map(line).collect()
}

impl Bench {
    pub fn create(&self, name: &str) -> PathBuf {
        copytrace().args(["index", "create"]).arg(self.path(name)).assert().success();
        self.path(name)
    }

    pub fn add(&self, index: &Path, corpus: &Path) {
        copytrace().args(["index", "add"]).arg(index).arg(corpus).assert().success();
    }
}

pub fn verify(index: &Path) {
    copytrace().args(["index", "verify"]).arg(index).assert().success();
}

/// The ids that an index lists.
pub fn ids(index: &Path) -> BTreeSet<String> {
    let run = copytrace().args(["index", "list"]).arg(index).assert().success();
    let mut reader = csv::Reader::from_reader(run.get_output().stdout.as_slice());
    reader.records().map(|row| row.unwrap()[0].to_owned()).collect()
}

pub fn program() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin("copytrace"))
}

/// Adds documents to a writer, without committing.
fn put(writer: &mut IndexWriter, lines: &[String]) {
    let mut analyser = Analyser::new(&writer.settings().clone());
    for line in lines {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| line[name].as_str().unwrap().to_owned();
        let document = Document { id: field("id"), text: field("text"), ..Document::default() };
        writer.add(&document, IndexWriter::content_hash(&document), 0, &analyser.analyse(&document.text)).unwrap();
    }
}

/// A copy of an index of 20 documents, made while a writer had it open that had added ten of them just before.
fn copied_while_open(bench: &Bench, without: &[&str]) -> PathBuf {
    let (lines, index, copy) = (lines(20), bench.create("index"), bench.path("copy"));
    bench.add(&index, &bench.write("corpus.jsonl", lines[..10].join("\n")));
    let mut writer = IndexWriter::open(&index).unwrap();
    put(&mut writer, &lines[10..]);
    writer.commit().unwrap();
    copy_folder(&index, &copy);
    without.iter().for_each(|name| fs::remove_file(copy.join(name)).unwrap());
    copy
}

#[test]
fn an_index_copied_without_its_log_loses_no_segment_when_it_is_added_to() {
    let bench = Bench::new();
    let copy = copied_while_open(&bench, &["catalogue.sqlite-wal", "catalogue.sqlite-shm"]);
    let files = fs::read_dir(copy.join("segments")).unwrap().count();
    let more = bench.write("more.jsonl", r#"{"id": "more", "text": "one marsh traps the silt that ten floods bring"}"#);
    let run = copytrace().args(["index", "add"]).arg(&copy).arg(more).assert().success();
    let said = text(&run.get_output().stderr);
    assert_eq!(said.matches("set aside, for the catalogue does not list it").count(), 2, "{said}");
    let left = fs::read_dir(copy.join("segments")).unwrap().count() - 3;
    let aside = fs::read_dir(copy.join("segments/unlisted")).unwrap().count();
    assert_eq!((left + aside, aside), (files, 2), "all files are there, and those of one segment set aside");
    verify(&copy);
    // Said once, and not at each opening.
    let run = copytrace().args(["index", "compact"]).arg(&copy).assert().success();
    assert!(!text(&run.get_output().stderr).contains("set aside"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_cannot_be_read_where_nothing_can_be_written_is_refused_by_name() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new();
    let copy = copied_while_open(&bench, &["catalogue.sqlite-shm"]);
    let mode = |mode| fs::set_permissions(&copy, fs::Permissions::from_mode(mode)).unwrap();
    mode(0o555);
    for command in ["verify", "list", "stats"] {
        let output = unprivileged(&bench, &["index", command, "copy"]);
        let said = text(&output.stderr);
        assert!(
            output.status.code() == Some(2) && said.contains("catalogue.sqlite-wal: holds the latest changes"),
            "{said}"
        );
    }
    mode(0o755);
    assert_eq!(ids(&copy).len(), 20, "where it can be written it is read whole");
}

#[cfg(target_os = "linux")]
#[test]
fn a_reader_that_may_not_write_reads_an_index_that_others_change() {
    use std::os::unix::fs::MetadataExt;
    if fs::metadata("/proc/self").unwrap().uid() != 0 {
        return; // it takes two users
    }
    let (bench, lines) = (Bench::new(), lines(200));
    let index = bench.create("index");
    let corpora: Vec<PathBuf> =
        (0..10).map(|i| bench.write(format!("{i}.jsonl"), lines[i * 20..(i + 1) * 20].join("\n"))).collect();
    bench.add(&index, &corpora[0]);
    let done = std::sync::atomic::AtomicBool::new(false);
    let reads = std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut reads = 0;
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                let output = unprivileged(&bench, &["index", "verify", "index"]);
                assert!(output.status.success(), "{output:?}");
                reads += 1;
            }
            reads
        });
        for corpus in &corpora[1..] {
            bench.add(&index, corpus);
            copytrace().args(["index", "compact"]).arg(&index).assert().success();
        }
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        reader.join().unwrap()
    });
    assert!(reads > 0);
}

/// Every file that a writer and SQLite write may be the one that finds no more room, at any of its bytes: a limit on the size of
/// files stands for a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_at_any_byte_loses_nothing_committed_and_the_writer_goes_on() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    const CHILD: &str = "COPYTRACE_FULL_DISK";
    if std::env::var_os(CHILD).is_none() {
        // In a process of its own, which gets an error and no signal when a file grows past the limit.
        let test = "durability::a_disk_that_fills_up_at_any_byte_loses_nothing_committed_and_the_writer_goes_on";
        let script = "trap '' XFSZ; exec \"$0\" --exact \"$1\" --nocapture";
        let mut child = Command::new("sh");
        child.args(["-c", script]).arg(std::env::current_exe().unwrap()).arg(test).env(CHILD, "1");
        assert!(child.status().unwrap().success());
        return;
    }
    let maximum = getrlimit(Resource::Fsize).maximum;
    let limit = |current| setrlimit(Resource::Fsize, Rlimit { current, maximum }).unwrap();
    let (bench, lines) = (Bench::new(), lines(40));
    let folder = bench.path("index");
    let mut writer = IndexWriter::create(&folder, &Settings::default().sketch, true).unwrap();
    put(&mut writer, &lines[..20]);
    writer.commit().unwrap();
    let ids = |folder: &Path| -> BTreeSet<String> {
        let index = Index::open(&[folder.to_owned()]).unwrap();
        index.documents().map(|document| index.record(document).unwrap().id).collect()
    };
    let before = ids(&folder);
    let (mut of_segments, mut of_catalogue, mut went_well) = (0, 0, 0);
    for bytes in (0..).step_by(1536) {
        let mut attempt = |writer: &mut IndexWriter, work: &dyn Fn(&mut IndexWriter) -> Result<(), IndexError>| {
            limit(Some(bytes));
            let result = work(writer);
            limit(maximum);
            match &result {
                Ok(()) => return true,
                Err(IndexError::Io { .. }) => of_segments += 1,
                Err(IndexError::Catalogue { .. }) => of_catalogue += 1,
                Err(other) => panic!("{bytes} bytes: {other}"),
            }
            assert!(matches!(writer.commit(), Err(IndexError::WriterFailed { .. })), "{bytes} bytes");
            writer.rollback().unwrap();
            false
        };
        put(&mut writer, &lines[20..]);
        let added = attempt(&mut writer, &|writer| writer.commit());
        assert_eq!(ids(&folder).len(), if added { 40 } else { 20 }, "{bytes} bytes");
        let gone = ids(&folder).into_iter().filter(|id| !before.contains(id)).collect::<Vec<_>>();
        for id in gone {
            assert!(writer.remove(&id).unwrap());
        }
        writer.commit().unwrap();
        let compacted = attempt(&mut writer, &|writer| writer.compact(&MergePolicy::default()));
        assert_eq!(ids(&folder), before, "{bytes} bytes");
        let wrong = Index::verify(&folder).unwrap();
        assert!(wrong.is_empty(), "{bytes} bytes: {wrong:?}");
        // With an empty log each round begins alike.
        writer.compact(&MergePolicy::default()).unwrap();
        went_well = if added && compacted { went_well + 1 } else { 0 };
        if went_well == 3 {
            break;
        }
        assert!(bytes < 1 << 20);
    }
    println!("{of_segments} faults in segments, {of_catalogue} in the catalogue");
    assert!(of_segments > 5 && of_catalogue > 5, "{of_segments} and {of_catalogue}");
}

/// What a check against the index gives: the reports, or what was said.
fn checked(index: &Path, out: &Path) -> Result<[Vec<u8>; 3], String> {
    let mut command = copytrace();
    command.args(["check", "corpora/demo/submissions/en-01-estuary-crossing.txt", "--index"]).arg(index);
    let output = command.arg("--overwrite").arg("-o").arg(out).output().unwrap();
    if !output.status.success() {
        assert_eq!(output.status.code(), Some(2), "an error, not a crash: {output:?}");
        return Err(text(&output.stderr));
    }
    Ok(tables(out))
}

fn copy_folder(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, target) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// The only file of an index's segments of this kind, by its path from the index's folder.
fn file_of(index: &Path, extension: &str) -> String {
    let names =
        fs::read_dir(index.join("segments")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let found: Vec<String> = names.filter(|name| name.ends_with(&format!(".{extension}"))).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    format!("segments/{}", found[0])
}

#[test]
fn damage_in_any_file_is_a_named_error_or_changes_nothing() {
    let bench = Bench::new();
    let sound = bench.create("sound");
    copytrace().args(["index", "add"]).arg(&sound).arg("corpora/demo/reference").assert().success();
    let expected = checked(&sound, &bench.path("report")).unwrap();
    let damaged = bench.path("damaged");
    let mut random = Random::new(9);
    let (segment, records) = (file_of(&sound, "segment"), file_of(&sound, "records"));
    for file in [segment.as_str(), &records, "catalogue.sqlite", "lock"] {
        let bytes = fs::read(sound.join(file)).unwrap();
        for step in 0..24 {
            let mut changed = bytes.clone();
            let at = random.below(bytes.len() as u64) as usize;
            match step % 4 {
                0 => changed.truncate(at),
                1 => changed[at..].fill(0),
                _ => changed[at] ^= 1 << random.below(8),
            }
            copy_folder(&sound, &damaged);
            fs::write(damaged.join(file), &changed).unwrap();
            let named = |said: &str| {
                let names = said.contains(file) || said.contains("damaged: ") || said.contains("/damaged");
                names
                    && (said.contains("damaged (")
                        || said.contains("not an index")
                        || said.contains("written in format"))
            };
            match checked(&damaged, &bench.path("report")) {
                // Damage in what the check does not read, or in what SQLite leaves unused.
                Ok(reports) => assert!(reports == expected, "{file}, byte {at}: a wrong result"),
                Err(said) => assert!(named(&said), "{file}, byte {at}: {said}"),
            }
            let output = copytrace().args(["index", "verify"]).arg(&damaged).output().unwrap();
            let said = text(&output.stderr);
            if file == segment || file == records {
                assert!(output.status.code() == Some(2) && named(&said), "{file}, byte {at}: {said}");
            } else {
                assert!(output.status.success() || named(&said), "{file}, byte {at}: {said}");
            }
        }
    }
}

#[test]
fn a_segment_that_is_missing_or_of_another_version_is_refused_by_name() {
    let (bench, lines) = (Bench::new(), lines(10));
    let index = bench.create("index");
    bench.add(&index, &bench.write("corpus.jsonl", lines[0..10].join("\n")));
    let name = file_of(&index, "segment");
    let segment = index.join(&name);
    let bytes = fs::read(&segment).unwrap();
    for (version, advice) in [(1u32, "build the index anew"), (99, "a newer version of copytrace is needed")] {
        let mut other = bytes.clone();
        other[8..12].copy_from_slice(&version.to_le_bytes());
        fs::write(&segment, other).unwrap();
        let said = checked(&index, &bench.path("report")).unwrap_err();
        assert!(said.contains(&name) && said.contains(&format!("written in format {version}")), "{said}");
        assert!(said.contains(advice), "{said}");
    }
    fs::remove_file(&segment).unwrap();
    assert!(checked(&index, &bench.path("report")).unwrap_err().contains("segment 1 is missing"));
}

/// A command of the built program as a user whom file permissions bind, even when the tests run as root.
#[cfg(target_os = "linux")]
fn unprivileged(bench: &Bench, words: &[&str]) -> Output {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65_534;
    // Where that user can reach it.
    fs::set_permissions(bench.folder(), fs::Permissions::from_mode(0o755)).unwrap();
    let copy = bench.path("copytrace");
    if !copy.exists() {
        // By another process: a child that another thread starts meanwhile would hold the copy open for writing, and a file that
        // is being written cannot be run.
        let program = assert_cmd::cargo::cargo_bin("copytrace");
        assert!(Command::new("cp").arg(program).arg(&copy).status().unwrap().success());
    }
    let mut command = Command::new(copy);
    command.args(words).current_dir(bench.folder());
    if fs::metadata("/proc/self").unwrap().uid() == 0 {
        command.uid(NOBODY).gid(NOBODY);
    }
    command.output().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn an_index_that_cannot_be_written_is_read_and_not_changed() {
    use std::os::unix::fs::PermissionsExt;
    let (bench, lines) = (Bench::new(), lines(20));
    let index = bench.create("index");
    bench.add(&index, &bench.write("corpus.jsonl", lines[0..10].join("\n")));
    bench.write("more.jsonl", lines[10..20].join("\n"));
    bench.write("thesis.txt", "a text of its own with nothing that anybody else ever wrote");
    fs::create_dir(bench.path("out")).unwrap();
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    mode(&bench.path("out"), 0o777);
    let before = fs::read(index.join("catalogue.sqlite")).unwrap();
    mode(&index.join("segments"), 0o555);
    mode(&index, 0o555);
    let check = unprivileged(&bench, &["check", "thesis.txt", "--index", "index", "-o", "out"]);
    assert!(check.status.success(), "{check:?}");
    let verify = unprivileged(&bench, &["index", "verify", "index"]);
    assert!(verify.status.success(), "{verify:?}");
    for words in [
        &["index", "add", "index", "more.jsonl"][..],
        &["index", "compact", "index"],
        &["index", "remove", "index", "00001"],
    ] {
        let output = unprivileged(&bench, words);
        let said = text(&output.stderr);
        assert!(
            output.status.code() == Some(2) && said.contains("index/lock") && said.contains("ermission denied"),
            "{said}"
        );
    }
    mode(&index, 0o755);
    mode(&index.join("segments"), 0o755);
    assert_eq!(fs::read(index.join("catalogue.sqlite")).unwrap(), before);
    assert_eq!(ids(&index).len(), 10);
}
