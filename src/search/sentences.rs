//! Documents that are alike by the sentences they share.

use crate::hamming::{Batch, Error, Meeting};
use std::collections::BTreeMap;

/// Two documents with at least one sentence in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SharedSentences {
    /// The first document's number among the queries' documents.
    pub query: u32,
    /// The second document's number among the table's documents.
    pub matched: u32,
    /// Sentences of the first that have a near one in the second, each counted once.
    pub query_shared: u32,
    /// Sentences of the second that have a near one in the first, each counted once.
    pub matched_shared: u32,
}

/// Fingerprints of sentences, and for each the number of its document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SentenceSet {
    /// The fingerprints.
    pub fingerprints: Vec<u64>,
    /// The documents' numbers, one for each fingerprint.
    pub documents: Vec<u32>,
}

/// Sentences of queries that are searched for together, about.
const TOGETHER: usize = 1 << 16;

impl SentenceSet {
    /// Hands on the pairs of a document of these queries and one of `table` that share sentences within `k` bits, sorted. They are
    /// not held.
    ///
    /// # Errors
    /// `k` is larger than 7, or there are more than 2³² − 1 sentences; and those of `sink`.
    pub fn share_with<E: From<Error>>(
        &self,
        table: &SentenceSet,
        k: u8,
        mut sink: impl FnMut(SharedSentences) -> Result<(), E>,
    ) -> Result<(), E> {
        let batch = Batch::new(&table.fingerprints, k)?;
        let document = |sentence: u32| self.documents[sentence as usize];
        let mut sentences: Vec<u32> = (0..self.fingerprints.len() as u32).collect();
        sentences.sort_by_key(|&sentence| document(sentence));
        let mut rest = &sentences[..];
        while let Some(&last) = rest.get(TOGETHER.min(rest.len()).wrapping_sub(1)) {
            let (together, others) =
                rest.split_at(rest.partition_point(|&sentence| document(sentence) <= document(last)));
            rest = others;
            let words: Vec<u64> = together.iter().map(|&sentence| self.fingerprints[sentence as usize]).collect();
            let of = |meeting: &Meeting| document(together[meeting.position as usize]);
            for meetings in batch.meet(&words).chunk_by(|a, b| of(a) == of(b)) {
                for (matched, (query_shared, matched_shared)) in count(meetings, &batch, &table.documents) {
                    sink(SharedSentences { query: of(&meetings[0]), matched, query_shared, matched_shared })?;
                }
            }
        }
        Ok(())
    }
}

/// For each document that the sentences of one meet: how many of these meet it, and how many of its sentences are met.
fn count(meetings: &[Meeting], table: &Batch, documents: &[u32]) -> BTreeMap<u32, (u32, u32)> {
    let mut counts: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
    let documents_of = |distinct: u32| table.rows(distinct).iter().map(|&row| documents[row as usize]);
    let mut met: Vec<u32> = meetings.iter().map(|meeting| meeting.distinct).collect();
    met.sort_unstable();
    met.dedup();
    for document in met.into_iter().flat_map(documents_of) {
        counts.entry(document).or_default().1 += 1;
    }
    let mut reached = Vec::new();
    for of_one in meetings.chunk_by(|a, b| a.position == b.position) {
        reached.clear();
        reached.extend(of_one.iter().flat_map(|meeting| documents_of(meeting.distinct)));
        reached.sort_unstable();
        reached.dedup();
        for &document in &reached {
            counts.entry(document).or_default().0 += 1;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn brute_force(queries: &SentenceSet, table: &SentenceSet, k: u8) -> Vec<SharedSentences> {
        let near = |a: u64, b: u64| a != 0 && b != 0 && (a ^ b).count_ones() <= u32::from(k);
        let having = |from: &SentenceSet, document: u32, other: &SentenceSet, of: u32| {
            let sentences = from.fingerprints.iter().zip(&from.documents).filter(|(_, d)| **d == document);
            let others = || other.fingerprints.iter().zip(&other.documents).filter(|(_, d)| **d == of);
            sentences.filter(|(f, _)| others().any(|(o, _)| near(**f, *o))).count() as u32
        };
        let mut found = Vec::new();
        for query in 0..4 {
            for matched in 0..4 {
                let query_shared = having(queries, query, table, matched);
                let matched_shared = having(table, matched, queries, query);
                if query_shared > 0 {
                    found.push(SharedSentences { query, matched, query_shared, matched_shared });
                }
            }
        }
        found
    }

    fn sentence_set() -> impl Strategy<Value = SentenceSet> {
        prop::collection::vec((0u64..40, 0u32..4), 0..40).prop_map(|sentences| SentenceSet {
            fingerprints: sentences.iter().map(|s| s.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (s.0 % 3)).collect(),
            documents: sentences.iter().map(|s| s.1).collect(),
        })
    }

    proptest! {
        #[test]
        fn shared_sentences_are_those_that_counting_finds(
            queries in sentence_set(), table in sentence_set(), k in 0u8..=7,
        ) {
            let mut shared = Vec::new();
            queries.share_with(&table, k, |pair| {
                shared.push(pair);
                Ok::<(), Error>(())
            })
            .unwrap();
            prop_assert_eq!(shared, brute_force(&queries, &table, k));
        }
    }
}
