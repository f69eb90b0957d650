//! Documents that are alike by the sentences they share.

use rayon::prelude::*;

use super::{Batch, Error};

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

/// The pairs of documents that share sentences within `k` bits, sorted.
///
/// # Errors
/// `k` is larger than 7, or there are more than 2³² − 1 sentences.
pub fn share_sentences(queries: &SentenceSet, table: &SentenceSet, k: u8) -> Result<Vec<SharedSentences>, Error> {
    let pairs = Batch::new(&queries.fingerprints, k)?.pairs(&table.fingerprints);
    let of_documents = |pair: &super::Pair| {
        let stored = pair.stored as usize;
        ((queries.documents[pair.query as usize], table.documents[stored]), (pair.query, stored))
    };
    let mut sentences: Vec<((u32, u32), (u32, usize))> = pairs.par_iter().map(of_documents).collect();
    sentences.par_sort_unstable();
    let shared = |group: &[((u32, u32), (u32, usize))]| {
        let mut matched: Vec<usize> = group.iter().map(|(_, (_, stored))| *stored).collect();
        matched.sort_unstable();
        matched.dedup();
        let (query, document) = group[0].0;
        SharedSentences {
            query,
            matched: document,
            query_shared: group.chunk_by(|a, b| a.1.0 == b.1.0).count() as u32,
            matched_shared: matched.len() as u32,
        }
    };
    Ok(sentences.chunk_by(|a, b| a.0 == b.0).map(shared).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn brute_force(queries: &SentenceSet, table: &SentenceSet, k: u8) -> Vec<SharedSentences> {
        let near = |a: u64, b: u64| (a ^ b).count_ones() <= u32::from(k);
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
            prop_assert_eq!(share_sentences(&queries, &table, k).unwrap(), brute_force(&queries, &table, k));
        }
    }
}
