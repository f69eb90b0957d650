//! Which documents of an index are worth aligning with a submission.

use crate::index::segment::POSITION_STEP;
use crate::index::{Index, IndexError, KeyPostings};
use crate::settings::RetrievalSettings;
use crate::sketch::analysis::Analysis;
use crate::sketch::containment::Key;
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
    /// How many documents hold the key.
    documents: u32,
}

/// Finds the documents that share a bucket of whole-document MinHash, or keys of the containment sketch that lie
/// near to each other in both texts.
///
/// # Errors
/// When the index is damaged, or the submission was analysed with other settings than its documents.
pub fn find(index: &Index, submission: &Analysis, settings: &RetrievalSettings) -> Result<Candidates, IndexError> {
    index.require_settings_of(submission)?;
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
        let documents = postings.chunk_by(|a, b| a.document == b.document).count() as u32;
        for posting in postings {
            let of_document = hits.entry(posting.document).or_default();
            let hit = |k: &Key| Hit { in_submission: k.position, in_source: posting.position, key, documents };
            of_document.extend(group.iter().map(hit));
        }
    }
    if distinct < settings.short_clue {
        return Ok((hold_a_clue(hits), skipped));
    }
    let rule = MeetingRule::new(settings, index.len());
    let found = hits.into_iter().filter_map(|(document, mut hits)| rule.admits(&mut hits).then_some(document));
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

/// Which hits together are no chance.
///
/// Two keys that *a* and *b* of *N* documents hold meet within *d* units by chance in about 2·a·b·d / (N·L) documents, if
/// these are L units long. So a·b·d may be at most so many times N: then the chance candidates of a submission stay
/// as many, however large the index grows. Keys that many documents hold for a reason (all quote one text) come in
/// numbers: several in one place are no chance, whoever holds them.
struct MeetingRule<'a> {
    settings: &'a RetrievalSettings,
    most: u64,
}

/// In fewer documents than this, how many hold a key says little.
const FEW_DOCUMENTS: u64 = 3000;

/// Positions are kept in steps, so that nothing is known to lie nearer than this, in units.
const NEAREST: u32 = 2 * POSITION_STEP;

impl<'a> MeetingRule<'a> {
    fn new(settings: &'a RetrievalSettings, documents: usize) -> Self {
        MeetingRule { settings, most: u64::from(settings.chance) * FEW_DOCUMENTS.max(documents as u64) }
    }

    /// Whether two rare hits of different keys lie near each other in both texts, or several of any kind nearer still.
    fn admits(&self, hits: &mut [Hit]) -> bool {
        hits.sort_unstable();
        let mut near = Vec::new();
        hits.iter().enumerate().any(|(i, a)| {
            near.clear();
            near.push(a.key);
            for b in &hits[i + 1..] {
                let in_submission = b.in_submission - a.in_submission;
                if in_submission > self.settings.reach {
                    break;
                }
                let distance = in_submission.max(a.in_source.abs_diff(b.in_source));
                if b.key == a.key || distance > self.settings.reach {
                    continue;
                }
                let chance = u64::from(a.documents) * u64::from(b.documents) * u64::from(distance.max(NEAREST));
                if chance <= self.most {
                    return true;
                }
                if distance <= self.settings.locality && !near.contains(&b.key) {
                    near.push(b.key);
                    if near.len() >= self.settings.several as usize {
                        return true;
                    }
                }
            }
            false
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(in_submission: u32, in_source: u32, key: u32) -> Hit {
        Hit { in_submission, in_source, key, documents: 1 }
    }

    fn admits(hits: &[Hit], documents: usize) -> bool {
        MeetingRule::new(&RetrievalSettings::default(), documents).admits(&mut hits.to_vec())
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
        let two = |b| admits(&[hit(500, 900, 1), b], 10);
        assert!(two(hit(510, 880, 2)));
        assert!(!two(hit(510, 880, 1)), "one key twice is no evidence");
        assert!(!two(hit(510, 1880, 2)));
        assert!(!two(hit(1510, 910, 2)));
        assert!(!admits(&[], 10));
    }

    #[test]
    fn the_more_documents_hold_two_keys_the_nearer_they_must_lie() {
        let common =
            |distance, documents| [hit(0, 0, 1), hit(distance, distance, 2)].map(|hit| Hit { documents, ..hit });
        assert!(admits(&common(400, 1), 1000));
        assert!(!admits(&common(401, 1), 1000));
        assert!(admits(&common(100, 15), 1000) && !admits(&common(400, 15), 1000));
        assert!(!admits(&common(100, 30), 1000));
        assert!(admits(&common(100, 30), 100_000), "of a hundred thousand, thirty are few");
    }

    #[test]
    fn several_common_keys_in_one_place_are_no_chance() {
        let quoted = |keys: u32| (0..keys).map(|i| Hit { documents: 190, ..hit(8 * i, 8 * i, i) }).collect::<Vec<_>>();
        assert!(!admits(&quoted(3), 1000));
        assert!(admits(&quoted(4), 1000));
    }
}
