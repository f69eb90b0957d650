//! Documents that are alike by the sentences they share.

use rayon::prelude::*;

use super::{Batch, Error, Pair};

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
    let with_documents = |pair: &Pair| SentencePair {
        query_document: queries.documents[pair.query as usize],
        matched_document: table.documents[pair.stored as usize],
        query: pair.query,
        matched: pair.stored,
    };
    let mut pairs: Vec<SentencePair> = pairs.par_iter().map(with_documents).collect();
    pairs.par_sort_unstable();
    let of_same_documents = |a: &SentencePair, b: &SentencePair| {
        (a.query_document, a.matched_document) == (b.query_document, b.matched_document)
    };
    Ok(pairs.chunk_by(of_same_documents).map(count).collect())
}

/// Two sentences within the distance. The order of the fields is that of sorting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SentencePair {
    query_document: u32,
    matched_document: u32,
    query: u32,
    matched: u64,
}

/// Counts the sentences of the pairs of two documents, sorted and not empty.
fn count(pairs: &[SentencePair]) -> SharedSentences {
    let mut matched: Vec<u64> = pairs.iter().map(|pair| pair.matched).collect();
    matched.sort_unstable();
    matched.dedup();
    SharedSentences {
        query: pairs[0].query_document,
        matched: pairs[0].matched_document,
        query_shared: pairs.chunk_by(|a, b| a.query == b.query).count() as u32,
        matched_shared: matched.len() as u32,
    }
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
