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
use crate::sketch::containment::{Key, NEIGHBOURS, Sides};
use std::ops::RangeInclusive;

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
    /// A key that no more documents than this hold may stand in a quotation by itself, by the number of sides on which what stands beside it
    /// agrees.
    pub(super) rare: [u32; 3],
    /// The same where it agrees on one side and no other key stands on that side.
    pub(super) rare_at_edge: u32,
    /// Where all keys of the submission stand.
    pub(super) places: Places,
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

/// Where keys stand in a submission and how many documents hold each, by place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Places(Vec<(u32, u32)>);

impl Places {
    fn of(mut places: Vec<(u32, u32)>) -> Self {
        places.sort_unstable();
        Places(places)
    }

    /// Whether in a range there stands a key that no more than `most` documents hold.
    fn is_any(&self, range: RangeInclusive<u32>, most: u32) -> bool {
        let first = self.0.partition_point(|(place, _)| place < range.start());
        let inside = self.0[first..].iter().take_while(|(place, _)| place <= range.end());
        inside.into_iter().any(|(_, documents)| *documents <= most)
    }
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
                agreeing: key.beside.agreeing_sides(beside),
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
    let mut frequent = Vec::new();
    let mut of_places = Vec::with_capacity(submission.keys.len());
    let mut places = Vec::with_capacity(submission.keys.len());
    let groups = || submission.keys.chunk_by(|a, b| a.hash == b.hash);
    index.will_need_keys(&groups().map(|group| group[0].hash).collect::<Vec<_>>());
    for (number, of_key) in (0..).zip(groups()) {
        let holders = index.key(of_key[0].hash)?;
        let as_u32 = |documents: u64| documents.min(u64::from(u32::MAX)) as u32;
        let documents = as_u32(frequencies.map_or(holders.documents(), |all| all.of_key(of_key[0].hash)));
        places.extend(of_key.iter().map(|key| (key.position, documents)));
        of_places.extend(of_key.iter().map(|key| (key.position, as_u32(holders.documents()))));
        let key = SampledKey { number, places: of_key, documents };
        if documents > settings.max_documents_per_key {
            frequent.push((key, holders));
            continue;
        }
        holders.visit(Choice::ALL, |posting| hits.extend(key.hits(&posting)))?;
    }
    let keys = submission.keys.len();
    let mut numbers: Vec<u32> = places.iter().map(|(_, documents)| *documents).collect();
    let lone = rarest(&mut numbers, MOST_LONE.min(keys));
    let mut rarest_of = |most: usize| rarest(&mut numbers, most.min(most / MOST_SINGLE_KEYS * keys));
    let (rare, rare_at_edge) = (MOST_SINGLE.map(&mut rarest_of), rarest_of(MOST_AT_EDGE));
    let places = Places::of(places);
    // Who holds the wording around a key holds the keys beside it, too: the rarest of them is enough.
    let is_rarest = |key: &Key, documents: u32| {
        !places.is_any(key.position.saturating_sub(NEIGHBOURS)..=key.position + NEIGHBOURS, documents - 1)
    };
    // It may be all that the sketch has of a quotation, whose source is not to be left out by chance (docs/SCALE.md, *Single keys*).
    let is_read_whole =
        |key: &SampledKey| key.documents <= rare[2] && key.places.iter().any(|place| is_rarest(place, key.documents));
    let read_whole = frequent.iter().filter(|(key, _)| is_read_whole(key)).map(|(_, holders)| holders);
    index.will_need_postings(&read_whole.collect::<Vec<_>>());
    for (key, holders) in &frequent {
        let mut chosen = Vec::new();
        holders.visit(choice(key.documents.into()), |posting| {
            chosen.push(posting.document);
            hits.extend(key.hits(&posting));
        })?;
        chosen.dedup();
        passed_over = passed_over.max(holders.documents().saturating_sub(chosen.len() as u64));
        if !is_read_whole(key) {
            continue;
        }
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
        rare_at_edge,
        places,
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
        let may_be_quoted = |hit: &&Hit| {
            hit.documents <= self.rare[hit.agreeing.count()]
                || hit.documents <= self.rare_at_edge && self.is_at_edge(hit)
        };
        self.hits.of_document(of).iter().filter(may_be_quoted)
    }

    /// Whether a key may be all that the sketch has of a quotation at whose beginning or end it stands: no other key that might be quoted by itself
    /// stands on the side on which what is beside it agrees.
    fn is_at_edge(&self, hit: &Hit) -> bool {
        let at = hit.in_submission;
        match hit.agreeing {
            Sides { before: true, behind: false } => {
                !self.places.is_any(at.saturating_sub(REACH)..=at.saturating_sub(NEIGHBOURS), self.rare[2])
            }
            Sides { before: false, behind: true } => !self.places.is_any(at + NEIGHBOURS..=at + REACH, self.rare[2]),
            _ => false,
        }
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

/// The same for keys at an edge ([`Candidates::is_at_edge`]), of which there is one for seven that agree on one side where nearly all keys are known,
/// and one for four against 100,000 documents: it comes to 3,000 to 7,000 looks. With half of it two quotations of 480 are lost, with 704,000 none
/// is found more (docs/SCALE.md, *Single keys*).
const MOST_AT_EDGE: usize = 256_000;

/// Units on either side of a key. Of a run of fifteen in which what stands beside the key agrees on one side alone, what is up to this far on that side,
/// but for the [`NEIGHBOURS`], is inside and agrees on both sides.
const REACH: u32 = 9;

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
        Hit { in_submission, in_source, key, documents: 1, agreeing: Sides::default() }
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
    fn a_key_that_agrees_on_one_side_may_be_quoted_if_none_that_is_known_stands_on_that_side() {
        let quotable = |documents, (before, behind), at| {
            let hit = Hit { documents, agreeing: Sides { before, behind }, ..hit(at, 7, 1) };
            let (hits, every) = Hits::of(&[(0, hit)]);
            let places = Places::of(vec![(104, 900), (100, 40), (106, 70), (111, 101)]);
            let found = Candidates { rare: [0, 10, 100], rare_at_edge: 50, places, hits, ..Candidates::default() };
            found.quotable(&every[0]).next().is_some()
        };
        let (before, behind, both) = ((true, false), (false, true), (true, true));
        assert!(quotable(10, behind, 100), "rare enough wherever it stands");
        assert!(!quotable(40, behind, 100), "that at 106 would be found");
        assert!(quotable(40, before, 100) && quotable(40, behind, 104), "none there, or too near to be surely inside");
        assert!(quotable(40, behind, 106), "that at 111 is not known");
        assert!(!quotable(40, before, 106), "that at 100 is");
        assert!(quotable(100, both, 100) && !quotable(51, before, 100) && !quotable(40, (false, false), 106));
    }

    proptest::proptest! {
        #[test]
        fn a_run_of_fifteen_units_with_a_key_has_one_that_may_be_quoted(
            start in 0u32..30, keys in proptest::collection::btree_set(0u32..15, 1..5),
        ) {
            let of = |key: u32| Sides { before: key >= NEIGHBOURS, behind: key + NEIGHBOURS < 15 };
            let places = Places::of(keys.iter().map(|key| (start + key, 90)).collect());
            let found = Candidates { rare: [0, 10, 100], rare_at_edge: 90, places, ..Candidates::default() };
            let (hits, every) = Hits::of(&keys.iter().map(|&key| {
                (0, Hit { documents: 90, agreeing: of(key), ..hit(start + key, key, key) })
            }).collect::<Vec<_>>());
            let found = Candidates { hits, ..found };
            proptest::prop_assert!(found.quotable(&every[0]).next().is_some());
        }
    }

    #[test]
    fn the_rarest_keys_are_looked_at_by_themselves_as_many_as_may_be() {
        assert_eq!(rarest(&mut [3, 1, 0, 1, 2, 3], 10), 3);
        assert_eq!(rarest(&mut [3, 1, 0, 1, 2, 3], 9), 2);
        assert_eq!(rarest(&mut [3, 1, 0, 1, 2, 3], 1), 0);
        assert_eq!(rarest(&mut [], 9), 0);
    }
}
