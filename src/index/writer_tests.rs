use super::*;
use crate::index::Index;
use crate::index::disk::with_fault;
use crate::index::policy::MergePolicy;
use crate::index::segment::Choice;
use crate::settings::Settings;
use crate::sketch::analysis::Analyser;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;

fn document(id: &str, text: &str) -> Document {
    Document { id: id.to_owned(), text: text.to_owned(), ..Document::default() }
}

fn settings() -> SketchSettings {
    Settings::default().sketch
}

fn add(writer: &mut IndexWriter, document: &Document) {
    let analysis = Analyser::new(&settings()).analyse(&document.text);
    writer.add(document, IndexWriter::content_hash(document), 0, &analysis).unwrap();
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

/// An index of the given documents, one commit each.
fn index_of(home: &Path, ids: &[&str]) -> (PathBuf, IndexWriter) {
    let folder = home.join("index");
    let mut writer = IndexWriter::create(&folder, &settings(), true).unwrap();
    for (seed, id) in (1..).zip(ids) {
        add(&mut writer, &document(id, &text(seed)));
        writer.commit().unwrap();
    }
    (folder, writer)
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn ids(folder: &Path) -> Vec<String> {
    reopen(folder).into_keys().collect()
}

#[test]
fn a_writer_that_met_an_error_refuses_everything_until_it_is_rolled_back() {
    for operation in ["write", "sync", "rename", "sync the folder"] {
        for code in FAILURES {
            let home = tempfile::tempdir().unwrap();
            let (folder, mut writer) = index_of(home.path(), &["first"]);
            let before = files(&layout::segments(&folder));
            add(&mut writer, &document("second", &text(2)));
            let error = with_fault(operation, code, || writer.commit()).unwrap_err();
            assert!(error.to_string().contains("segment"), "{operation}: {error}");
            assert_eq!(ids(&folder), ["first"], "{operation}");
            assert_eq!(files(&layout::segments(&folder)), before, "{operation}");

            let third = document("third", &text(3));
            let analysis = Analyser::new(&settings()).analyse(&third.text);
            let refused = [
                writer.add(&third, Vec::new(), 0, &analysis).unwrap_err(),
                writer.remove("first").unwrap_err(),
                writer.commit().unwrap_err(),
                writer.merge_segments(&MergePolicy::default()).unwrap_err(),
                writer.compact(&MergePolicy::default()).unwrap_err(),
            ];
            assert!(refused.iter().all(|error| matches!(error, IndexError::WriterFailed { .. })), "{refused:?}");
            writer.rollback().unwrap();
            // The same writer goes on when the disk has room again.
            add(&mut writer, &document("second", &text(2)));
            writer.commit().unwrap();
            assert_eq!(ids(&folder), ["first", "second"]);
            assert!(Index::verify(&folder).unwrap().is_empty());
        }
    }
}

#[test]
fn a_failed_compaction_leaves_the_index_as_it_was() {
    let home = tempfile::tempdir().unwrap();
    let (folder, mut writer) = index_of(home.path(), &["a", "b", "c", "d"]);
    let before = reopen(&folder);
    with_fault("rename", 28, || writer.compact(&MergePolicy::default())).unwrap_err();
    assert_eq!(reopen(&folder), before);
    assert!(Index::verify(&folder).unwrap().is_empty());
    writer.rollback().unwrap();
    writer.compact(&MergePolicy::default()).unwrap();
    assert_eq!(reopen(&folder), before);
    assert_eq!(files(&layout::segments(&folder)).len(), 2, "one segment and its records");
}

#[test]
fn one_id_can_be_added_removed_and_added_again_in_one_transaction() {
    let home = tempfile::tempdir().unwrap();
    let (folder, mut writer) = index_of(home.path(), &["other"]);
    for seed in [1, 2, 3] {
        add(&mut writer, &document("a", &text(seed)));
        assert!(writer.claim("a").is_err(), "a second one is refused as long as the first is there");
        assert!(writer.remove("a").unwrap());
        assert!(!writer.remove("a").unwrap());
    }
    add(&mut writer, &document("a", &text(4)));
    assert_eq!(writer.documents().unwrap(), 2);
    assert_eq!(writer.select(|_| true).unwrap(), ["a", "other"]);
    writer.commit().unwrap();
    assert_eq!(reopen(&folder)["a"], text(4));
    assert!(Index::verify(&folder).unwrap().is_empty());
    // A commit ends the transaction: what comes then is another version.
    add(&mut writer, &document("a", &text(5)));
    writer.commit().unwrap();
    assert_eq!((&reopen(&folder)["a"], reopen(&folder).len()), (&text(5), 2));
    assert!(Index::verify(&folder).unwrap().is_empty());
}

#[test]
fn a_writer_that_is_dropped_or_rolled_back_leaves_what_was_there_before() {
    let home = tempfile::tempdir().unwrap();
    let (folder, mut writer) = index_of(home.path(), &["a"]);
    let change = |writer: &mut IndexWriter| {
        add(writer, &document("b", &text(7)));
        add(writer, &document("c", &text(8)));
        assert!(writer.remove("b").unwrap());
        assert!(writer.remove("a").unwrap());
        assert_eq!(writer.documents().unwrap(), 1);
    };
    change(&mut writer);
    writer.rollback().unwrap();
    assert_eq!((writer.documents().unwrap(), ids(&folder)), (1, vec!["a".to_owned()]));
    change(&mut writer);
    drop(writer);
    assert_eq!(ids(&folder), ["a"]);
}

#[test]
fn segments_that_the_catalogue_does_not_list_are_set_aside_and_found_again() {
    let home = tempfile::tempdir().unwrap();
    let (folder, mut writer) = index_of(home.path(), &["a"]);
    drop(writer);
    let older = fs::read(layout::catalogue(&folder)).unwrap();
    writer = IndexWriter::open(&folder).unwrap();
    add(&mut writer, &document("b", &text(2)));
    writer.commit().unwrap();
    drop(writer);
    let newer = fs::read(layout::catalogue(&folder)).unwrap();

    fs::write(layout::catalogue(&folder), older).unwrap();
    let mut writer = IndexWriter::open(&folder).unwrap();
    assert_eq!(writer.set_aside().len(), 2, "{:?}", writer.set_aside());
    add(&mut writer, &document("c", &text(3)));
    writer.commit().unwrap();
    drop(writer);
    assert_eq!(ids(&folder), ["a", "c"]);
    assert!(Index::verify(&folder).unwrap().is_empty());

    // The newer one finds its segment under its own name, though another was written under the same number.
    fs::write(layout::catalogue(&folder), newer).unwrap();
    assert_eq!(ids(&folder), ["a", "b"]);
    let writer = IndexWriter::open(&folder).unwrap();
    assert_eq!(writer.set_aside().len(), 2);
    assert_eq!(ids(&folder), ["a", "b"]);
    assert_eq!((files(&layout::segments(&folder)).len(), files(&layout::unlisted(&folder)).len()), (5, 2));
}

#[test]
fn nothing_is_touched_when_a_listed_segment_is_missing() {
    let home = tempfile::tempdir().unwrap();
    let (folder, writer) = index_of(home.path(), &["a", "b"]);
    drop(writer);
    let segments = layout::segments(&folder);
    let first = files(&segments).into_iter().find(|name| name.ends_with(layout::SEGMENT)).unwrap();
    fs::rename(segments.join(&first), home.path().join("elsewhere")).unwrap();
    fs::write(segments.join("00000009-0.segment"), "not listed").unwrap();
    let before = files(&segments);
    let error = IndexWriter::open(&folder).unwrap_err();
    assert!(error.to_string().contains("segment 1 is missing"), "{error}");
    assert_eq!(files(&segments), before);
}

#[test]
fn what_an_interrupted_change_was_still_writing_is_swept() {
    let home = tempfile::tempdir().unwrap();
    let (folder, writer) = index_of(home.path(), &["a"]);
    drop(writer);
    let segments = layout::segments(&folder);
    let before = files(&segments);
    fs::write(segments.join("00000002-segment.part"), "half").unwrap();
    assert!(IndexWriter::open(&folder).unwrap().set_aside().is_empty());
    assert_eq!(files(&segments), before);
}

#[test]
fn another_segment_under_the_name_of_a_listed_one_is_refused() {
    let homes = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let (folder, writer) = index_of(homes[0].path(), &["a"]);
    drop(writer);
    let (other, mut writer) = index_of(homes[1].path(), &[]);
    add(&mut writer, &document("b", &text(2)));
    writer.commit().unwrap();
    for extension in [layout::SEGMENT, layout::RECORDS] {
        let of = |folder: &Path| {
            let names = files(&layout::segments(folder));
            layout::segments(folder).join(names.iter().find(|name| name.ends_with(extension)).unwrap())
        };
        let whole = fs::read(of(&folder)).unwrap();
        fs::copy(of(&other), of(&folder)).unwrap();
        let expected = "that the catalogue lists";
        let wrong = Index::verify(&folder).unwrap();
        assert!(wrong.len() == 1 && wrong[0].to_string().contains(expected), "{wrong:?}");
        for error in [Index::open(std::slice::from_ref(&folder)).unwrap_err(), IndexWriter::open(&folder).unwrap_err()]
        {
            assert!(error.to_string().contains(expected), "{error}");
        }
        fs::write(of(&folder), whole).unwrap();
    }
    assert!(Index::verify(&folder).unwrap().is_empty());
}

#[test]
fn two_writers_that_no_lock_keeps_apart_damage_nothing() {
    let home = tempfile::tempdir().unwrap();
    let (folder, mut first) = index_of(home.path(), &["a"]);
    // As where `flock` locks nothing: the second one locks another file of this name.
    fs::remove_file(layout::lock(&folder)).unwrap();
    let mut second = IndexWriter::open(&folder).unwrap();
    for round in 0..4 {
        for (writer, id) in [(&mut first, "one"), (&mut second, "two")] {
            add(writer, &document(&format!("{id} {round}"), &text(round)));
            add(writer, &document("both", &text(round + 10)));
            writer.remove("a").unwrap();
        }
        first.commit().unwrap();
        second.commit().unwrap();
        assert!(Index::verify(&folder).unwrap().is_empty());
    }
    first.compact(&MergePolicy::default()).unwrap();
    add(&mut second, &document("both", &text(20)));
    second.merge_segments(&MergePolicy::default()).unwrap();
    assert!(Index::verify(&folder).unwrap().is_empty());
    assert_eq!(reopen(&folder).len(), 9);
    assert_eq!(reopen(&folder)["both"], text(20));
}

#[test]
fn an_index_is_made_where_making_one_was_interrupted() {
    let home = tempfile::tempdir().unwrap();
    let left: [&[&str]; 4] = [
        &["segments/"],
        &["segments/", "lock"],
        &["segments/", "lock", "catalogue.part"],
        &["segments/", "lock", "catalogue.part", "catalogue.part-journal"],
    ];
    for (number, names) in left.iter().enumerate() {
        let folder = home.path().join(format!("deep/{number}"));
        fs::create_dir_all(&folder).unwrap();
        for name in *names {
            match name.strip_suffix('/') {
                Some(name) => fs::create_dir(folder.join(name)).unwrap(),
                None => fs::write(folder.join(name), "half").unwrap(),
            }
        }
        assert!(matches!(IndexWriter::open(&folder), Err(IndexError::NotAnIndex { .. })));
        assert!(matches!(Index::open(std::slice::from_ref(&folder)), Err(IndexError::NotAnIndex { .. })));
        let mut writer = IndexWriter::create(&folder, &settings(), true).unwrap();
        add(&mut writer, &document("a", &text(1)));
        writer.commit().unwrap();
        drop(writer);
        assert_eq!(files(&folder), ["catalogue.sqlite", "lock", "segments"]);
        assert!(matches!(IndexWriter::create(&folder, &settings(), true), Err(IndexError::AlreadyThere { .. })));
    }
    let foreign = home.path().join("foreign");
    fs::create_dir_all(foreign.join("segments")).unwrap();
    fs::write(foreign.join("notes.txt"), "").unwrap();
    assert!(matches!(IndexWriter::create(&foreign, &settings(), true), Err(IndexError::AlreadyThere { .. })));
}

#[test]
fn an_analysis_made_with_other_settings_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let (folder, mut writer) = index_of(home.path(), &["a"]);
    let other = SketchSettings { seed: 7, ..settings() };
    let analysis = Analyser::new(&other).analyse(&text(1));
    let said = |error: IndexError| {
        assert!(matches!(error, IndexError::SettingsDiffer { .. }), "{error}");
        error.to_string()
    };
    let error = said(writer.add(&document("b", &text(1)), Vec::new(), 0, &analysis).unwrap_err());
    assert!(error.contains("MinHash functions and seed"), "{error}");
    let index = Index::open(&[folder]).unwrap();
    said(index.require_settings_of(&analysis).unwrap_err());
    said(crate::search::candidates::find(&index, &analysis, &Settings::default().retrieval, None).unwrap_err());
}

#[test]
fn a_document_that_is_not_there_is_an_error() {
    let home = tempfile::tempdir().unwrap();
    let (folder, writer) = index_of(home.path(), &["a"]);
    let empty = IndexWriter::in_memory(&settings()).unwrap().into_index().unwrap();
    for (index, document) in [(Index::open(&[folder]).unwrap(), 1), (empty, 0)] {
        for document in [document, document + 1, u32::MAX] {
            assert!(matches!(index.record(document), Err(IndexError::NoDocument { .. })));
            assert!(matches!(index.document(document), Err(IndexError::NoDocument { .. })));
            assert!(matches!(index.text(document), Err(IndexError::NoDocument { .. })));
        }
    }
    drop(writer);
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
fn a_reader_sees_one_commit_until_it_is_refreshed_and_holds_no_writer_up() {
    let home = tempfile::tempdir().unwrap();
    let (folder, mut writer) = index_of(home.path(), &["a", "b", "c"]);
    let mut reader = Index::open(std::slice::from_ref(&folder)).unwrap();
    let all = |reader: &Index| -> BTreeMap<String, String> {
        let one = |document| (reader.record(document).unwrap().id, reader.text(document).unwrap().unwrap());
        reader.documents().map(one).collect()
    };
    let before = all(&reader);
    writer.remove("b").unwrap();
    writer.compact(&MergePolicy::default()).unwrap();
    // With a transaction of a reader the log could not be taken over; compacting waited half a minute for it.
    let log = fs::metadata(layout::write_ahead_log(&layout::catalogue(&folder))).unwrap();
    assert_eq!(log.len(), 0);
    assert_eq!((all(&reader), reader.len()), (before, 3));
    for document in reader.documents() {
        reader.document(document).unwrap();
    }
    assert!(reader.refresh().unwrap());
    assert_eq!(all(&reader).into_keys().collect::<Vec<_>>(), ["a", "c"]);
    assert!(!reader.refresh().unwrap());
    writer.remove("a").unwrap();
    writer.commit().unwrap();
    assert!(reader.refresh().unwrap());
    assert_eq!((reader.len(), reader.latest_added().unwrap()), (1, Some(0)));
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
        let policy = MergePolicy { fan_in: 2, most_documents: 6, ..MergePolicy::default() };
        let mut model: BTreeMap<String, String> = BTreeMap::new();
        for step in steps {
            match step {
                Step::Put(id, version) => {
                    let (id, text) = (format!("d{id}"), text(u32::from(version)));
                    writer.met.clear(); // as though each came in a transaction of its own
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
        prop_assert!(Index::verify(&folder).unwrap().is_empty());
    }
}
