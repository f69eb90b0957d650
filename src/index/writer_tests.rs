use super::*;
use crate::index::disk::with_fault;
use crate::index::segment::Choice;
use crate::index::{content_hash, inspect};
use crate::settings::Settings;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn document(id: &str, text: &str) -> Document {
    Document { id: id.to_owned(), text: text.to_owned(), ..Document::default() }
}

fn settings() -> SketchSettings {
    Settings::default().sketch
}

fn add(writer: &mut IndexWriter, document: &Document) {
    let analysis = Analyser::new(&settings()).analyse(&document.text);
    writer.add(document, content_hash(document), 0, &analysis).unwrap();
}

fn text(seed: u32) -> String {
    (0..40).map(|i| format!("word{} ", (seed * 31 + i * 7) % 97)).collect()
}

fn reopen(folder: &Path) -> BTreeMap<String, String> {
    let index = Index::open(&[folder.to_owned()]).unwrap();
    let one = |document| (index.record(document).unwrap().id, index.text(document).unwrap().unwrap());
    index.documents().map(one).collect()
}

/// ENOSPC and EIO, as Linux and macOS number them.
const FAILURES: [i32; 2] = [28, 5];

#[test]
fn a_write_or_rename_that_fails_leaves_the_index_as_it_was() {
    for operation in ["write", "sync", "rename", "sync the folder"] {
        for code in FAILURES {
            let home = tempfile::tempdir().unwrap();
            let folder = home.path().join("index");
            let mut writer = IndexWriter::create(&folder, &settings(), true).unwrap();
            add(&mut writer, &document("first", &text(1)));
            writer.commit().unwrap();
            add(&mut writer, &document("second", &text(2)));
            let error = with_fault(operation, code, || writer.commit()).unwrap_err();
            assert!(error.to_string().contains("segment"), "{operation}: {error}");
            assert_eq!(reopen(&folder).keys().collect::<Vec<_>>(), ["first"], "{operation}");
            assert_eq!(fs::read_dir(layout::segments(&folder)).unwrap().count(), 1, "{operation}");
            // The same writer goes on when the disk has room again.
            writer.met.clear();
            add(&mut writer, &document("second", &text(2)));
            writer.commit().unwrap();
            assert_eq!(reopen(&folder).len(), 2);
            assert!(inspect::verify(&folder).unwrap().is_empty());
        }
    }
}

#[test]
fn a_failed_compaction_leaves_the_index_as_it_was() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("index");
    let mut writer = IndexWriter::create(&folder, &settings(), true).unwrap();
    for i in 0..4 {
        add(&mut writer, &document(&format!("d{i}"), &text(i)));
        writer.commit().unwrap();
    }
    let before = reopen(&folder);
    with_fault("rename", 28, || writer.compact(&MergePolicy::default())).unwrap_err();
    assert_eq!(reopen(&folder), before);
    assert!(inspect::verify(&folder).unwrap().is_empty());
    writer.compact(&MergePolicy::default()).unwrap();
    assert_eq!(reopen(&folder), before);
    assert_eq!(fs::read_dir(layout::segments(&folder)).unwrap().count(), 1);
}

#[test]
fn a_second_writer_is_told_who_holds_the_lock() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("index");
    let writer = IndexWriter::create(&folder, &settings(), true).unwrap();
    let error = IndexWriter::open(&folder).unwrap_err();
    assert!(matches!(error, IndexError::Locked { .. }));
    assert!(error.to_string().contains(&std::process::id().to_string()), "{error}");
    drop(writer);
    IndexWriter::open(&folder).unwrap();
}

#[test]
fn a_reader_keeps_seeing_what_was_there_when_it_opened_the_index() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("index");
    let mut writer = IndexWriter::create(&folder, &settings(), true).unwrap();
    for i in 0..3 {
        add(&mut writer, &document(&format!("d{i}"), &text(i)));
        writer.commit().unwrap();
    }
    let reader = Index::open(std::slice::from_ref(&folder)).unwrap();
    writer.remove("d1").unwrap();
    writer.compact(&MergePolicy::default()).unwrap();
    assert_eq!(reader.len(), 3);
    for document in reader.documents() {
        reader.document(document).unwrap();
        assert!(reader.text(document).unwrap().is_some());
    }
    assert_eq!(reopen(&folder).len(), 2);
}

#[derive(Debug, Clone)]
enum Step {
    Put(u8, u8),
    Remove(u8),
    Commit,
    Compact,
    Merge,
    Reopen,
    Expunge,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => (0u8..8, 0u8..6).prop_map(|(id, version)| Step::Put(id, version)),
        2 => (0u8..8).prop_map(Step::Remove),
        2 => Just(Step::Commit),
        1 => Just(Step::Compact),
        1 => Just(Step::Merge),
        1 => Just(Step::Reopen),
        1 => Just(Step::Expunge),
    ];
    proptest::collection::vec(step, 0..30)
}

/// Everything that a search can see of an index, by id.
fn visible(index: &Index) -> BTreeMap<String, (String, Vec<u32>, u64, Vec<String>)> {
    let analyser = Analyser::new(index.settings());
    let id = |document| index.record(document).unwrap().id;
    let one = |document| {
        let stored = index.document(document).unwrap();
        let analysis = analyser.of_stored(stored.clone());
        let mut together = Vec::new();
        for key in index.settings().banding.keys(&analysis.signature) {
            index.bucket(key).unwrap().visit(Choice::ALL, |posting| together.push(posting.document)).unwrap();
        }
        for key in &analysis.keys {
            let holders = index.key(key.hash).unwrap();
            let choice = Choice::of(holders.documents(), 3, 2);
            holders.visit(choice, |posting| together.push(posting.document)).unwrap();
        }
        let mut together: Vec<String> = together.into_iter().map(id).collect();
        together.sort();
        let text = index.text(document).unwrap().unwrap();
        (id(document), (text, stored.units.hash, stored.fingerprint, together))
    };
    index.documents().map(one).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn whatever_was_done_to_an_index_it_answers_as_a_fresh_one_of_the_same_documents(steps in steps()) {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("index");
        let mut writer = IndexWriter::create(&folder, &settings(), true).unwrap();
        // A low fan-in, so that merging happens within few steps.
        let policy = MergePolicy { fan_in: 2, most_documents: 6 };
        let mut model: BTreeMap<String, String> = BTreeMap::new();
        for step in steps {
            match step {
                Step::Put(id, version) => {
                    let (id, text) = (format!("d{id}"), text(u32::from(version)));
                    writer.met.clear();
                    add(&mut writer, &document(&id, &text));
                    model.insert(id, text);
                }
                Step::Remove(id) => {
                    let id = format!("d{id}");
                    assert_eq!(writer.remove(&id).unwrap(), model.remove(&id).is_some());
                }
                Step::Commit => writer.commit().unwrap(),
                Step::Compact => writer.compact(&policy).unwrap(),
                Step::Merge => writer.merge_segments(&policy).unwrap(),
                Step::Reopen => {
                    writer.commit().unwrap();
                    drop(writer);
                    writer = IndexWriter::open(&folder).unwrap();
                }
                Step::Expunge => {
                    for id in writer.select(|record| record.id.ends_with('3')).unwrap() {
                        writer.remove(&id).unwrap();
                        model.remove(&id);
                    }
                }
            }
        }
        writer.commit().unwrap();
        let mut fresh = IndexWriter::in_memory(&settings()).unwrap();
        for (id, text) in &model {
            add(&mut fresh, &document(id, text));
        }
        let expected = visible(&fresh.into_index().unwrap());
        prop_assert_eq!(visible(&Index::open(std::slice::from_ref(&folder)).unwrap()), expected);
        prop_assert!(inspect::verify(&folder).unwrap().is_empty());
    }
}
