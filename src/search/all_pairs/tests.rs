use super::*;
use crate::formats::input::ReadLimits;
use crate::index::IndexWriter;
use crate::job::Cancelled;
use crate::search::Profile;
use crate::settings::{Settings, SketchSettings};
use crate::sketch::analysis::Analyser;
use crate::sketch::unread::Unread;
use crate::text::Document;
use proptest::prelude::*;
use std::path::Path;
use std::sync::Mutex;

/// Notes what it is told.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Watcher for Notes {
    fn read(&self, _: usize) {}

    fn failed(&self, unread: &Unread) {
        self.0.lock().unwrap().push(unread.to_string());
    }

    fn passed_over(&self, _: u64) {}
}

/// Settings by which every similar pair of these tests becomes a candidate.
fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.threshold = 0.5;
    settings.sketch = SketchSettings::new("units:2".parse().unwrap(), 64, settings.threshold);
    settings.sketch.banding = crate::sketch::banding::Banding { bands: 64, rows: 1 };
    settings
}

fn write(folder: &Path, documents: &[(String, String)]) -> Corpus {
    let path = folder.join("corpus.jsonl");
    let line = |(id, text): &(String, String)| serde_json::json!({ "id": id, "text": text }).to_string() + "\n";
    std::fs::write(&path, documents.iter().map(line).collect::<String>()).unwrap();
    Corpus::open([path.into()], ReadLimits::default()).unwrap()
}

type Found = Vec<(String, String, DocumentSimilarity)>;

/// Every document with every other one, in the order of the ids.
fn naively(documents: &[(String, String)], settings: &Settings) -> Found {
    let mut analyser = Analyser::new(&settings.sketch);
    let mut profiles: Vec<(&String, Profile)> =
        documents.iter().map(|(id, text)| (id, Profile::from(&analyser.analyse(text)))).collect();
    profiles.sort_by_key(|&(id, _)| id);
    let mut found = Vec::new();
    for (place, (first, a)) in profiles.iter().enumerate() {
        for (second, b) in &profiles[place + 1..] {
            let similarity = DocumentSimilarity::of(a, b, settings);
            if similarity.jaccard >= settings.threshold {
                found.push((first.to_string(), second.to_string(), similarity));
            }
        }
    }
    found
}

fn pairs_of(join: &Join, clusters: Option<&mut Clusters>) -> (Found, Summary) {
    let mut found = Vec::new();
    let take = |pair: &SimilarPair| {
        found.push((pair.first.to_owned(), pair.second.to_owned(), pair.similarity));
        Ok::<(), Cancelled>(())
    };
    let summary = join.for_each(u64::MAX, clusters, take).unwrap();
    (found, summary)
}

/// Documents with ids in no order, of which many resemble each other and some differ in case alone.
fn documents() -> impl Strategy<Value = Vec<(String, String)>> {
    let text = prop_oneof![
        3 => "(a |b |c ){4,9}",
        2 => Just("The tide comes in twice a day here".to_owned()),
        2 => Just("the TIDE comes in twice a day here".to_owned()),
        1 => Just("the tide comes in twice a day there".to_owned()),
        1 => "(潮|汐|沼|泽){4,8}",
        1 => "[a-z]{1,5}",
    ];
    proptest::collection::btree_map("[a-f]{1,3}", text, 2..14)
        .prop_flat_map(|m| Just(m.into_iter().collect::<Vec<_>>()).prop_shuffle())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn pairs_and_clusters_are_those_of_comparing_everything(documents in documents()) {
        let folder = tempfile::tempdir().unwrap();
        let corpus = write(folder.path(), &documents);
        let settings = settings();
        let expected = naively(&documents, &settings);
        let needed = match corpus.prepare(&settings, 0, &Notes::default()) {
            Err(PairsError::TooLittleMemory { needed, .. }) => needed,
            other => panic!("{:?}", other.err()),
        };
        // With just what is needed all profiles go to the temporary file.
        for memory in [needed, u64::MAX] {
            let join = corpus.prepare(&settings, memory, &Notes::default()).unwrap();
            let mut clusters = Clusters::new(join.documents.len());
            let (found, summary) = pairs_of(&join, Some(&mut clusters));
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(summary.pairs, expected.len() as u64);
            let mut alone = Clusters::new(join.documents.len());
            join.cluster(&mut alone).unwrap();
            prop_assert_eq!(clusters.members(), alone.members());
        }
    }

    #[test]
    fn an_index_gives_the_same_pairs(documents in documents()) {
        let settings = settings();
        let mut analyser = Analyser::new(&settings.sketch);
        let mut writer = IndexWriter::in_memory(&settings.sketch).unwrap();
        for (id, text) in &documents {
            let document = Document { id: id.clone(), text: text.clone(), ..Document::default() };
            writer.add(&document, Vec::new(), 0, &analyser.analyse(text)).unwrap();
        }
        let index = writer.into_index().unwrap();
        let join = Join::of_index(&index, &settings, None, u64::MAX).unwrap();
        let expected = naively(&documents, &settings);
        prop_assert_eq!(&pairs_of(&join, None).0, &expected);

        let new = index.documents().filter(|document| document % 3 == 0).collect();
        let join = Join::of_index(&index, &settings, Some(&new), u64::MAX).unwrap();
        let is_new = |id: &str| index.documents().any(|d| new.contains(&d) && index.record(d).unwrap().id == id);
        let with_new: Found = expected.into_iter().filter(|(a, b, _)| is_new(a) || is_new(b)).collect();
        prop_assert_eq!(pairs_of(&join, None).0, with_new);
    }
}

#[test]
fn the_first_pairs_are_given_when_no_more_are_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let documents: Vec<_> = (0..6).map(|i| (format!("{i}"), "one text for all of them".to_owned())).collect();
    let join = write(folder.path(), &documents).prepare(&settings(), u64::MAX, &Notes::default()).unwrap();
    let mut seconds = Vec::new();
    let take = |pair: &SimilarPair| {
        seconds.push(pair.second.to_owned());
        Ok::<(), Cancelled>(())
    };
    let summary = join.for_each(3, None, take).unwrap();
    assert_eq!(seconds, ["1", "2", "3"]);
    assert_eq!((summary.pairs, summary.cut_short), (3, true));
}

#[test]
fn what_cannot_be_compared_is_told_and_the_rest_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let document = |id: &str, text: &str| (id.to_owned(), text.to_owned());
    let documents = [
        document("a", "three words here"),
        document("b", "three words here"),
        document("c", "word"),
        document("a", "other words here"),
    ];
    let notes = Notes::default();
    let join = write(folder.path(), &documents).prepare(&settings(), u64::MAX, &notes).unwrap();
    assert_eq!(pairs_of(&join, None).0.len(), 1);
    let notes = notes.0.into_inner().unwrap();
    assert_eq!(notes[0], "c: too short to be compared: it has fewer than 2 words or Han characters");
    assert!(notes[1].starts_with("a: another document has this id already"), "{notes:?}");
}

#[test]
fn bytes_are_shown_in_units_that_people_read() {
    for (bytes, shown) in [(7, "7 bytes"), (1_500, "2 kB"), (100_000_001, "101 MB"), (2_340_000_000, "2.4 GB")] {
        assert_eq!(Bytes(bytes).to_string(), shown);
    }
}
