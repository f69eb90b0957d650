//! Which documents of an index are worth aligning with a submission.

use crate::index::{Index, IndexError, KeyPostings};
use crate::settings::RetrievalSettings;
use crate::sketch::analysis::Analysis;
use ahash::AHashMap;

/// The candidates of one submission.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidates {
    /// Numbers of the documents, ascending.
    pub documents: Vec<u32>,
    /// Keys of the submission that were skipped, because too many documents hold them.
    pub skipped_keys: usize,
}

/// A key that both texts hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Hit {
    in_submission: u32,
    in_source: u32,
    key: u32,
}

/// Finds the documents that share a bucket of whole-document MinHash, or keys of the containment sketch that lie
/// near to each other in both texts.
///
/// # Errors
/// When the index is damaged.
pub fn find(index: &Index, submission: &Analysis, settings: &RetrievalSettings) -> Result<Candidates, IndexError> {
    let mut documents = Vec::new();
    if !submission.shingles.is_empty() {
        for key in index.settings().banding.keys(&submission.signature) {
            index.bucket(key, &mut documents)?;
        }
    }
    let (partial, skipped_keys) = share_passages(index, submission, settings)?;
    documents.extend(partial);
    documents.sort_unstable();
    documents.dedup();
    Ok(Candidates { documents, skipped_keys })
}

fn share_passages(
    index: &Index,
    submission: &Analysis,
    settings: &RetrievalSettings,
) -> Result<(Vec<u32>, usize), IndexError> {
    let mut hits: AHashMap<u32, Vec<Hit>> = AHashMap::new();
    let mut skipped = 0;
    let mut distinct = 0;
    for group in submission.keys.chunk_by(|a, b| a.hash == b.hash) {
        let key = group[0].hash;
        distinct += 1;
        let KeyPostings::Found(postings) = index.key(key, settings.max_documents_per_key as usize)? else {
            skipped += 1;
            continue;
        };
        for posting in postings {
            let hits = hits.entry(posting.document).or_default();
            hits.extend(group.iter().map(|k| Hit { in_submission: k.position, in_source: posting.position, key }));
        }
    }
    if distinct < settings.short_clue {
        return Ok((hold_a_clue(hits), skipped));
    }
    let found =
        hits.into_iter().filter_map(|(document, mut hits)| lie_near(&mut hits, settings.locality).then_some(document));
    // The caller sorts: the order of the map decides nothing.
    Ok((found.collect(), skipped))
}

/// The documents that hold at least half as many of a clue's keys as the one that holds most of them.
fn hold_a_clue(hits: AHashMap<u32, Vec<Hit>>) -> Vec<u32> {
    let held = |hits: &[Hit]| {
        let mut keys: Vec<u32> = hits.iter().map(|hit| hit.key).collect();
        keys.sort_unstable();
        keys.dedup();
        keys.len()
    };
    let counts: Vec<(u32, usize)> = hits.into_iter().map(|(document, hits)| (document, held(&hits))).collect();
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
    counts.into_iter().filter(|(_, count)| 2 * count >= most).map(|(document, _)| document).collect()
}

/// Whether two hits of different keys lie within `locality` units of each other in both texts.
fn lie_near(hits: &mut [Hit], locality: u32) -> bool {
    hits.sort_unstable();
    hits.iter().enumerate().any(|(i, a)| {
        hits[i + 1..]
            .iter()
            .take_while(|b| b.in_submission - a.in_submission <= locality)
            .any(|b| b.key != a.key && a.in_source.abs_diff(b.in_source) <= locality)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(in_submission: u32, in_source: u32, key: u32) -> Hit {
        Hit { in_submission, in_source, key }
    }

    #[test]
    fn a_clue_leads_to_the_documents_that_hold_most_of_its_keys() {
        let hits = |keys: &[u32]| keys.iter().map(|&key| hit(key, 7, key)).collect::<Vec<_>>();
        let of = |documents: &[&[u32]]| {
            let mut found = hold_a_clue((0..).zip(documents.iter().map(|keys| hits(keys))).collect());
            found.sort_unstable();
            found
        };
        assert_eq!(of(&[&[1, 2, 3, 4], &[2], &[1, 3], &[5, 5, 5]]), [0, 2]);
        assert_eq!(of(&[&[9], &[8]]), [0, 1], "one key is enough where none has more");
        assert!(of(&[]).is_empty());
    }

    #[test]
    fn two_different_keys_must_lie_near_in_both_texts() {
        assert!(lie_near(&mut [hit(500, 900, 1), hit(510, 880, 2)], 60));
        assert!(!lie_near(&mut [hit(500, 900, 1), hit(510, 880, 1)], 60), "one key twice is no evidence");
        assert!(!lie_near(&mut [hit(500, 900, 1), hit(510, 1880, 2)], 60));
        assert!(!lie_near(&mut [hit(500, 900, 1), hit(1510, 910, 2)], 60));
        assert!(!lie_near(&mut [], 60));
    }
}
