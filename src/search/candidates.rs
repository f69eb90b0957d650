//! Which documents of an index may share text with a submission, by what was sampled of both.
//!
//! Documents are candidates as wholes by the buckets of MinHash, and by places: keys of the containment sketch that both texts hold.
//! Which of the places are worth aligning is found out by looking at them ([`worth`](super::worth)).

use super::frequencies::{Frequencies, agrees, bucket_keys};
use super::hits::{DocumentHits, Hit, Hits};
use super::holders::HolderCounts;
use super::meetings::MeetingRule;
use crate::index::segment::{Choice, Posting};
use crate::index::{Index, IndexError};
use crate::settings::RetrievalSettings;
use crate::sketch::analysis::Analysis;
use crate::sketch::containment::{Key, NEIGHBOURS};

/// What retrieval finds for one submission.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidates {
    /// Documents that are like the submission as wholes, or hold most of a short clue: ascending.
    pub documents: Vec<u32>,
    /// Of other documents, ascending, the keys that they share with the submission: they are candidates if one of these
    /// places is worth while ([`worth`](super::worth)).
    pub sharing: Vec<DocumentHits>,
    /// The hits of all these documents.
    pub(super) hits: Hits,
    /// Where those of every document are that holds a key of the submission, ascending.
    pub(super) every: Vec<DocumentHits>,
    /// A key that no more documents than this hold may stand in a quotation by itself, by the sides on which what stands beside it
    /// agrees.
    pub(super) rare: [u32; 3],
    /// A key that no more documents than this hold is looked at as if it met another.
    pub(super) lone: u32,
    /// Keys of the submission that very many documents hold, so that only some of these were looked at.
    pub frequent_keys: usize,
    /// Of the key or bucket that most documents were passed over of, how many these were.
    pub passed_over: u64,
    /// How many documents of this index hold what stands at each place of the submission.
    pub holders: HolderCounts,
    pub(super) rule: MeetingRule,
}

/// A key of the containment sketch of a submission.
struct SampledKey<'a> {
    /// Its number among those of the submission.
    number: u32,
    /// Where it stands.
    places: &'a [Key],
    /// How many documents hold it, of all indexes together.
    documents: u32,
}

impl SampledKey<'_> {
    /// A hit for each place, with the document.
    fn hits(&self, posting: &Posting) -> impl Iterator<Item = (u32, Hit)> {
        let Posting { document, position, beside } = *posting;
        self.places.iter().map(move |key| {
            let hit = Hit {
                in_submission: key.position,
                in_source: position,
                key: self.number,
                documents: self.documents,
                agreeing_sides: key.beside.agreeing_sides(beside),
            };
            (document, hit)
        })
    }
}

/// Finds the documents that share a bucket of whole-document MinHash, or keys of the containment sketch. `frequencies`
/// are those of all indexes that are asked together with this one; without them it is taken to be the only one.
///
/// # Errors
/// When the index is damaged, or the submission was analysed with other settings than its documents.
pub fn find(
    index: &Index,
    submission: &Analysis,
    settings: &RetrievalSettings,
    frequencies: Option<&Frequencies>,
) -> Result<Candidates, IndexError> {
    index.require_settings_of(submission)?;
    let choice = |holders| Choice::of(holders, settings.max_documents_per_key, settings.kept_documents_per_key);
    let (mut documents, mut passed_over) = (Vec::new(), 0);
    for key in bucket_keys(index, submission) {
        let holders = index.bucket(key)?;
        let number = frequencies.map_or(holders.documents(), |all| all.in_bucket(key));
        let before = documents.len();
        holders.visit(choice(number), |posting| documents.push(posting.document))?;
        passed_over = passed_over.max(holders.documents().saturating_sub((documents.len() - before) as u64));
    }
    let mut hits: Vec<(u32, Hit)> = Vec::new();
    let (mut frequent, mut listed) = (Vec::new(), Vec::new());
    let mut of_places = Vec::with_capacity(submission.keys.len());
    let mut numbers = Vec::with_capacity(submission.keys.len());
    let groups = || submission.keys.chunk_by(|a, b| a.hash == b.hash);
    index.will_need_keys(&groups().map(|group| group[0].hash).collect::<Vec<_>>());
    for (number, places) in (0..).zip(groups()) {
        let holders = index.key(places[0].hash)?;
        let as_u32 = |documents: u64| documents.min(u64::from(u32::MAX)) as u32;
        let documents = as_u32(frequencies.map_or(holders.documents(), |all| all.of_key(places[0].hash)));
        numbers.extend(places.iter().map(|_| documents));
        of_places.extend(places.iter().map(|key| (key.position, as_u32(holders.documents()))));
        let key = SampledKey { number, places, documents };
        if documents > settings.max_documents_per_key {
            frequent.push((key, holders));
            continue;
        }
        listed.extend(places.iter().map(|key| key.position));
        holders.visit(Choice::ALL, |posting| hits.extend(key.hits(&posting)))?;
    }
    let keys = submission.keys.len();
    let lone = rarest(&mut numbers, MOST_LONE.min(keys));
    let rare = MOST_SINGLE.map(|most| rarest(&mut numbers, most.min(most / MOST_SINGLE_KEYS * keys)));
    listed.sort_unstable();
    // Who holds the wording around a key holds the keys beside it, too: if one of them is not frequent, nothing is missing.
    let is_alone = |key: &Key| {
        let near = listed.partition_point(|place| place + NEIGHBOURS < key.position);
        listed.get(near).is_none_or(|place| *place > key.position + NEIGHBOURS)
    };
    for (key, holders) in &frequent {
        let mut chosen = Vec::new();
        holders.visit(choice(key.documents.into()), |posting| {
            chosen.push(posting.document);
            hits.extend(key.hits(&posting));
        })?;
        chosen.dedup();
        passed_over = passed_over.max(holders.documents().saturating_sub(chosen.len() as u64));
        if key.documents > rare[2] || !key.places.iter().any(is_alone) {
            continue;
        }
        // It may be all that the sketch has of a quotation, whose source is not to be left out by chance (docs/SCALE.md, *Single keys*).
        // Where many agree, they hold a declaration or a phrase.
        let mut agreeing = Vec::new();
        holders.visit(Choice::ALL, |posting| {
            if agrees(key.places, &posting) {
                agreeing.push(posting);
            }
        })?;
        let number = frequencies.map_or(agreeing.len() as u64, |all| all.agreeing_with(key.places));
        if number <= settings.kept_documents_per_key.into() {
            let others = agreeing.iter().filter(|posting| !chosen.contains(&posting.document));
            hits.extend(others.flat_map(|posting| key.hits(posting)));
        }
    }
    let frequent_keys = frequent.len();
    let (hits, every) = Hits::of(&hits);
    let is_clue = groups().count() < settings.short_clue as usize;
    if is_clue {
        documents.extend(hold_a_clue(&hits, &every));
    }
    documents.sort_unstable();
    documents.dedup();
    let (number, units) = match frequencies {
        Some(all) => (all.documents, all.units),
        None => (index.len() as u64, index.units()?),
    };
    let rule = MeetingRule::new(settings, number, units, submission.units.len() as u64);
    let mut found = Candidates {
        documents,
        sharing: Vec::new(),
        hits,
        every,
        rare,
        lone,
        frequent_keys,
        passed_over,
        holders: HolderCounts::new(of_places),
        rule,
    };
    if !is_clue {
        let is_other = |of: &&DocumentHits| found.documents.binary_search(&of.document).is_err();
        found.sharing = found.every.iter().filter(is_other).cloned().collect();
    }
    Ok(found)
}

impl Candidates {
    /// The keys of a document that may stand in a quotation by themselves.
    pub(super) fn quotable(&self, of: &DocumentHits) -> impl Iterator<Item = &Hit> {
        let may_be_quoted = |hit: &&Hit| hit.documents <= self.rare[usize::from(hit.agreeing_sides)];
        self.hits.of_document(of).iter().filter(may_be_quoted)
    }

    /// Takes a document out of the counts of holders.
    pub(super) fn forget_holder(&mut self, document: u32) {
        if let Ok(at) = self.every.binary_search_by_key(&document, |of| of.document) {
            let mut places: Vec<u32> =
                self.hits.of_document(&self.every[at]).iter().map(|hit| hit.in_submission).collect();
            places.sort_unstable();
            places.dedup();
            self.holders.take_out(places);
        }
    }
}

/// Of documents in which single keys may be looked at for a quotation, all keys' together, the most there may be, by the sides on which
/// what stands beside a key agrees. By chance one in eight agrees on one side, and one in 256 on both, so each bound comes to some 8,000
/// looks of three microseconds (docs/SCALE.md, *Single keys*).
const MOST_SINGLE: [usize; 3] = [0, 64_000, 2_048_000];

/// Keys of a submission from which on these bounds hold; of a shorter one they are as much lower.
const MOST_SINGLE_KEYS: usize = 4000;

/// Of documents in which single keys are grown from, all keys' together, the most there may be; one for each key of the submission at
/// most. It takes some ten microseconds each, 20 ms together. A short passage whose words were replaced may have kept one key alone:
/// of PAN's pairs .964 in place of .949 of the randomly obfuscated ones are found (docs/SCALE.md, *Single keys*).
const MOST_LONE: usize = 2000;

/// The greatest number of documents that a key may stand in so that all keys which stand in no more stand in `most` documents
/// together at most. `numbers` are those of the submission's keys.
fn rarest(numbers: &mut [u32], most: usize) -> u32 {
    numbers.sort_unstable();
    let mut sum = 0;
    let mut rarest = 0;
    for of_one in numbers.chunk_by(|a, b| a == b) {
        sum += of_one.len() * of_one[0] as usize;
        if sum > most {
            break;
        }
        rarest = of_one[0];
    }
    rarest
}

/// The documents that hold at least half as many of a clue's keys as the one that holds most of them.
fn hold_a_clue(hits: &Hits, sharing: &[DocumentHits]) -> Vec<u32> {
    let held = |sharing: &DocumentHits| {
        let mut keys: Vec<u32> = hits.of_document(sharing).iter().map(|hit| hit.key).collect();
        keys.sort_unstable();
        keys.dedup();
        keys.len()
    };
    let counts: Vec<usize> = sharing.iter().map(held).collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    let of_most = sharing.iter().zip(counts).filter(|(_, count)| 2 * count >= most);
    of_most.map(|(sharing, _)| sharing.document).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(in_submission: u32, in_source: u32, key: u32) -> Hit {
        Hit { in_submission, in_source, key, documents: 1, agreeing_sides: 0 }
    }

    #[test]
    fn a_clue_leads_to_the_documents_that_hold_most_of_its_keys() {
        let of = |documents: &[&[u32]]| {
            let found: Vec<(u32, Hit)> = (0..)
                .zip(documents)
                .flat_map(|(at, keys)| keys.iter().map(move |&key| (at, hit(key, 7, key))))
                .collect();
            let (hits, sharing) = Hits::of(&found);
            hold_a_clue(&hits, &sharing)
        };
        assert_eq!(of(&[&[1, 2, 3, 4], &[2], &[1, 3], &[5, 5, 5]]), [0, 2]);
        assert_eq!(of(&[&[9], &[8]]), [0, 1], "one key is enough where none has more");
        assert!(of(&[]).is_empty());
    }

    #[test]
    fn the_rarest_keys_are_looked_at_by_themselves_as_many_as_may_be() {
        assert_eq!(rarest(&mut [3, 1, 0, 1, 2, 3], 10), 3);
        assert_eq!(rarest(&mut [3, 1, 0, 1, 2, 3], 9), 2);
        assert_eq!(rarest(&mut [3, 1, 0, 1, 2, 3], 1), 0);
        assert_eq!(rarest(&mut [], 9), 0);
    }
}
