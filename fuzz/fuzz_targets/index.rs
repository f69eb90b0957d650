//! A sound index with some bytes of a file changed: an error, or the answers it gave before.
#![no_main]

use copytrace::index::{Index, IndexWriter, content_hash, inspect};
use copytrace::settings::Settings;
use copytrace::sketch::analysis::Analyser;
use copytrace::text::Document;
use libfuzzer_sys::fuzz_target;
use std::path::{Path, PathBuf};

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .flat_map(|entry| {
            let path = entry.unwrap().path();
            if path.is_dir() { files(&path) } else { vec![path] }
        })
        .collect();
    found.sort();
    found
}

fuzz_target!(|changes: (u8, Vec<(u32, u8)>)| {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    let settings = Settings::default().sketch;
    let mut writer = IndexWriter::create(&path, &settings, true).unwrap();
    let mut analyser = Analyser::new(&settings);
    for number in 0..3 {
        let text = format!("Document {number}: each tide leaves a thin layer of silt between the stems of the marsh.");
        let document = Document { id: number.to_string(), text, ..Document::default() };
        writer.add(&document, content_hash(&document), 0, &analyser.analyse(&document.text)).unwrap();
    }
    writer.commit().unwrap();
    drop(writer);
    let files = files(&path);
    let file = &files[usize::from(changes.0) % files.len()];
    let mut bytes = std::fs::read(file).unwrap();
    for (at, value) in changes.1 {
        if let Some(length) = std::num::NonZeroUsize::new(bytes.len()) {
            bytes[at as usize % length] = value;
        }
    }
    std::fs::write(file, bytes).unwrap();
    let _ = inspect::verify(&path);
    let _ = Index::open(&[path]);
});
