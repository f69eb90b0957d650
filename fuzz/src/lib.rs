//! What is tried with arbitrary input, by `cargo fuzz` and, with generated input, by `tests/fuzz.rs`. Each body panics where
//! the library does, or where what it gives cannot be.

use copytrace::check::{Checker, Comparer, Library, LibraryBuilder, Rules};
use copytrace::formats::extract::Format;
use copytrace::formats::input::ReadLimits;
use copytrace::hamming::{Engine, FingerprintTable};
use copytrace::index::{Index, IndexWriter};
use copytrace::job::Job;
use copytrace::settings::Settings;
use copytrace::sketch::analysis::Analyser;
use copytrace::text::Document;
use std::path::{Path, PathBuf};

/// The formats that are read, by the endings of their files.
pub const FORMATS: [&str; 10] = ["txt", "md", "html", "pdf", "docx", "odt", "epub", "rtf", "tex", "doc"];

/// Changes of bytes: where (modulo the length), and what stands there afterwards.
pub type Changes = [(u32, u8)];

fn document(id: &str, text: &str) -> Document {
    Document { id: id.into(), text: text.into(), ..Document::default() }
}

fn change(bytes: &mut [u8], changes: &Changes) {
    for &(at, value) in changes {
        if let Some(at) = (at as usize).checked_rem(bytes.len()) {
            bytes[at] = value;
        }
    }
}

/// Any bytes as a file of a format: an error or a text, and what is marked lies within it.
pub fn read(format: u8, bytes: &[u8]) {
    let name = format!("file.{}", FORMATS[usize::from(format) % FORMATS.len()]);
    let format = Format::of_name(&name).expect("the names are known");
    if let Ok(extracted) = format.extract(bytes, None, &ReadLimits::default()) {
        let characters = extracted.text.chars().count() as u32;
        assert!(extracted.layout.marks().iter().all(|mark| mark.start <= mark.end && mark.end <= characters));
    }
}

/// Any two texts, aligned: passages lie within both.
pub fn align(first: &str, second: &str) {
    let comparer = Comparer::new(Settings::default());
    let analyse = |id, text| comparer.analyse(document(id, text), &Job::default());
    let (Ok(one), Ok(other)) = (analyse("one", first), analyse("other", second)) else { return };
    let passages = comparer.compare(&one, &other, &Job::default()).unwrap();
    let lengths = [first, second].map(|text| text.chars().count());
    for passage in passages {
        let (here, there) = (&passage.place.submission_chars, &passage.place.source_chars);
        assert!(here.start < here.end && here.end as usize <= lengths[0], "{passage:?}");
        assert!(there.start < there.end && there.end as usize <= lengths[1], "{passage:?}");
    }
}

/// Any two texts, the one checked against the other: a report whose figures can be.
pub fn check(submission: &str, source: &str) {
    let settings = Settings::default();
    let mut library = LibraryBuilder::new(&settings.sketch).unwrap();
    library.add(vec![document("source", source)], &Job::default()).unwrap();
    let checker = Checker::new(library.finish().unwrap().into(), settings, Rules::default());
    let Ok(findings) = checker.check(document("submission", submission), &Job::default()) else { return };
    let report = findings.report();
    let characters = submission.chars().count() as u32;
    let inside = |place: &copytrace::check::Passage| {
        place.submission.start < place.submission.end && place.submission.end <= characters
    };
    assert!(report.passages.iter().all(inside));
    assert!(report.ratios.all.matched <= report.ratios.all.characters);
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    found.sort();
    found
}

/// A sound index with some bytes of a file changed: an error, or a check.
pub fn index(file: u8, changes: &Changes) {
    const TEXT: &str = "each tide leaves a thin layer of silt between the stems of the marsh, and the surface grows";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    let settings = Settings::default();
    let mut writer = IndexWriter::create(&path, &settings.sketch, true).unwrap();
    let mut analyser = Analyser::new(&settings.sketch);
    for number in 0..3 {
        let document = document(&number.to_string(), &format!("Document {number}: {TEXT}."));
        writer.add(&document, IndexWriter::content_hash(&document), 0, &analyser.analyse(&document.text)).unwrap();
    }
    writer.commit().unwrap();
    drop(writer);
    let files = files(&path);
    let file = &files[usize::from(file) % files.len()];
    let mut bytes = std::fs::read(file).unwrap();
    change(&mut bytes, changes);
    std::fs::write(file, bytes).unwrap();
    let _ = Index::verify(&path);
    if let Ok(library) = Library::open(&[path]) {
        let checker = Checker::new(library.into(), settings, Rules::default());
        let _ = checker.check(document("submission", TEXT), &Job::default());
    }
}

/// Any bytes, and a sound file with some bytes changed, as a table of fingerprints: an error, or answers.
pub fn fingerprints(query: u64, bytes: &[u8], changes: &Changes) {
    let stored: Vec<u64> = (0..40).map(|number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let mut changed = FingerprintTable::build(&stored, 3, Engine::Auto).unwrap().bytes().to_vec();
    change(&mut changed, changes);
    for bytes in [bytes, &changed] {
        if let Ok(table) = FingerprintTable::open(bytes) {
            table.find(query, table.distance()).unwrap();
        }
    }
}
