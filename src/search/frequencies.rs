//! How rare the keys of a submission are.

use super::candidates::bucket_keys;
use crate::index::{Index, IndexError};
use crate::sketch::analysis::Analysis;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How many documents there are, and how many hold each key of one submission. Counted in each of several indexes and added
/// up, it makes each of them answer as one index of all documents would, on whatever machine it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frequencies {
    /// Documents in all.
    pub documents: u64,
    /// Units of all documents.
    pub units: u64,
    /// By key of the containment sketch, how many documents hold it. Keys that none holds are left out.
    pub keys: BTreeMap<u64, u64>,
    /// By key of a band, how many documents stand in the bucket. Empty buckets are left out.
    pub buckets: BTreeMap<u64, u64>,
}

impl Frequencies {
    /// Counts in an index.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn of(index: &Index, submission: &Analysis) -> Result<Self, IndexError> {
        let mut counted =
            Frequencies { documents: index.len() as u64, units: index.units()?, ..Frequencies::default() };
        for group in submission.keys.chunk_by(|a, b| a.hash == b.hash) {
            count(&mut counted.keys, group[0].hash, index.key(group[0].hash)?.documents());
        }
        for key in bucket_keys(index, submission) {
            count(&mut counted.buckets, key, index.bucket(key)?.documents());
        }
        Ok(counted)
    }

    /// Adds what was counted for the same submission in another index.
    pub fn add(&mut self, other: &Frequencies) {
        self.documents += other.documents;
        self.units += other.units;
        let added = [(&mut self.keys, &other.keys), (&mut self.buckets, &other.buckets)];
        for (ours, theirs) in added {
            theirs.iter().for_each(|(&key, &documents)| count(ours, key, documents));
        }
    }

    /// How many documents hold a key of the containment sketch.
    pub fn of_key(&self, key: u64) -> u64 {
        self.keys.get(&key).copied().unwrap_or(0)
    }

    /// How many documents stand in the bucket of a band's key.
    pub fn in_bucket(&self, key: u64) -> u64 {
        self.buckets.get(&key).copied().unwrap_or(0)
    }
}

fn count(counts: &mut BTreeMap<u64, u64>, key: u64, documents: u64) {
    if documents > 0 {
        *counts.entry(key).or_default() += documents;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::IndexWriter;
    use crate::job::Job;
    use crate::search::submission::{Findings, check};
    use crate::settings::Settings;
    use crate::sketch::analysis::Analyser;
    use crate::text::Document;
    use std::collections::BTreeSet;

    const PASSAGE: &str = "the grey tide leaves a thin layer of silt between the stems of the marsh twice a day and every \
                           spring the reeds grow out of last year's mud while the herons wait along the channel for eels";

    fn index<'a>(texts: impl Iterator<Item = &'a (String, String)>) -> Index {
        let settings = Settings::default();
        let mut writer = IndexWriter::in_memory(&settings.sketch).unwrap();
        let mut analyser = Analyser::new(&settings.sketch);
        for (id, text) in texts {
            let document = Document { id: id.clone(), ..Document::default() };
            writer.add(&document, Vec::new(), 0, &analyser.analyse(text).with_fingerprint(0)).unwrap();
        }
        writer.into_index().unwrap()
    }

    /// Documents of which the first `holders` hold a passage, and all some words of their own.
    fn documents(holders: usize, all: usize) -> Vec<(String, String)> {
        let own = |number: usize| (0..60).map(|at| format!("word{number}n{at} ")).collect::<String>();
        let text = |number| if number < holders { own(number) + PASSAGE } else { own(number) };
        (0..all).map(|number| (format!("{number:05}"), text(number))).collect()
    }

    fn sources(findings: &Findings) -> BTreeSet<(String, Vec<(u32, u32)>)> {
        let passages = |source: &crate::search::submission::Source| {
            source.matches.iter().map(|passage| (passage.submission.start, passage.submission.end)).collect()
        };
        findings.sources.iter().map(|source| (source.record.id.clone(), passages(source))).collect()
    }

    fn submission() -> Analysis {
        let words: String = (0..300).map(|at| format!("mine{at} ")).collect();
        Analyser::new(&Settings::default().sketch).analyse(&(words + PASSAGE))
    }

    #[test]
    fn indexes_asked_with_what_was_counted_in_all_answer_as_one_index() {
        let (settings, submission) = (Settings::default(), submission());
        for holders in [3, 230, 700] {
            let documents = documents(holders, 720);
            let whole = index(documents.iter());
            let expected = check(&whole, None, &submission, &settings, |_| true, &Job::default()).unwrap();
            assert!(!expected.sources.is_empty());
            for folders in [2, 5] {
                let parts: Vec<Index> =
                    (0..folders).map(|part| index(documents.iter().skip(part).step_by(folders))).collect();
                let mut all = Frequencies::default();
                for part in &parts {
                    all.add(&Frequencies::of(part, &submission).unwrap());
                }
                assert_eq!(all, Frequencies::of(&whole, &submission).unwrap());
                let ask = |part| check(part, Some(&all), &submission, &settings, |_| true, &Job::default()).unwrap();
                let found: BTreeSet<_> = parts.iter().flat_map(|part| sources(&ask(part))).collect();
                assert_eq!(found, sources(&expected), "{holders} holders in {folders} indexes");
            }
        }
    }

    #[test]
    fn a_passage_is_found_however_many_documents_hold_it() {
        let (settings, submission) = (Settings::default(), submission());
        let most = settings.retrieval.max_documents_per_key as usize;
        for holders in [1, most, most + 1, 3 * most] {
            let findings = check(
                &index(documents(holders, holders).iter()),
                None,
                &submission,
                &settings,
                |_| true,
                &Job::default(),
            );
            let findings = findings.unwrap();
            let found = findings.sources.len();
            assert!(found == holders || holders > most && (20..=most).contains(&found), "{found} of {holders}");
            assert_eq!(findings.frequent_keys > 0, holders > most);
            let passages: BTreeSet<_> = findings.sources.iter().map(|s| s.matches[0].submission.end).collect();
            assert_eq!(passages.len(), 1);
        }
    }
}
