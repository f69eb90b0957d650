//! Which documents of an index are worth aligning with a submission.

use super::frequencies::Frequencies;
use super::hits::{Hit, Hits, Sharing};
use super::holders::Holders;
use crate::align::look::{ALIGNED_AROUND, AROUND, AROUND_QUOTATION, BESIDE, Look};
use crate::index::segment::{Choice, POSITION_STEP};
use crate::index::{Index, IndexError};
use crate::settings::RetrievalSettings;
use crate::sketch::analysis::Analysis;
use crate::sketch::containment::Key;
use crate::text::units::Stretch;
use std::ops::Range;

/// What retrieval finds for one submission.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidates {
    /// Documents that are like the submission as wholes, or hold most of a short clue: ascending.
    pub documents: Vec<u32>,
    /// Of other documents, ascending, the keys that they share with the submission: they are candidates if one of these
    /// places is worth while ([`Candidates::worth`]).
    pub sharing: Vec<Sharing>,
    hits: Hits,
    /// A key that no more documents hold may stand in a quotation by itself, ...
    rare: u32,
    /// ... and one that no more hold is looked at as if it met another.
    lone: u32,
    /// Keys of the submission that very many documents hold, so that only some of these were looked at.
    pub frequent_keys: usize,
    /// Of the key or bucket that most documents were passed over of, how many these were.
    pub passed_over: u64,
    /// How many documents of this index hold what stands at each place of the submission.
    pub holders: Holders,
    rule: MeetingRule,
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
    let mut frequent_keys = 0;
    let mut of_places = Vec::with_capacity(submission.keys.len());
    let mut numbers = Vec::with_capacity(submission.keys.len());
    let groups = || submission.keys.chunk_by(|a, b| a.hash == b.hash);
    for (key, group) in (0..).zip(groups()) {
        let holders = index.key(group[0].hash)?;
        let number = frequencies.map_or(holders.documents(), |all| all.of_key(group[0].hash));
        frequent_keys += usize::from(number > u64::from(settings.max_documents_per_key));
        let documents = number.min(u64::from(u32::MAX)) as u32;
        numbers.extend(group.iter().map(|_| documents));
        let here = holders.documents().min(u64::from(u32::MAX)) as u32;
        of_places.extend(group.iter().map(|key| (key.position, here)));
        let (mut last, mut visited) = (None, 0);
        holders.visit(choice(number), |posting| {
            visited += u64::from(last.replace(posting.document) != Some(posting.document));
            let hit = |k: &Key| Hit { in_submission: k.position, in_source: posting.position, key, documents };
            hits.extend(group.iter().map(|key| (posting.document, hit(key))));
        })?;
        passed_over = passed_over.max(holders.documents().saturating_sub(visited));
    }
    let (hits, mut sharing) = Hits::of(&hits);
    let is_clue = groups().count() < settings.short_clue as usize;
    if is_clue {
        documents.extend(hold_a_clue(&hits, &sharing));
        sharing.clear();
    }
    documents.sort_unstable();
    documents.dedup();
    let keys = submission.keys.len();
    let lone = rarest(&mut numbers, MOST_LONE.min(keys));
    let rare = rarest(&mut numbers, MOST_SINGLE.min(SINGLE_FOR_EACH_KEY * keys));
    sharing.retain(|of| {
        let hits = hits.of_document(of);
        (hits.len() > 1 || hits[0].documents <= rare) && documents.binary_search(&of.document).is_err()
    });
    let (number, units) = match frequencies {
        Some(all) => (all.documents, all.units),
        None => (index.len() as u64, index.units()?),
    };
    let rule = MeetingRule::new(settings, number, units, submission.units.len() as u64);
    Ok(Candidates {
        documents,
        sharing,
        hits,
        rare,
        lone,
        frequent_keys,
        passed_over,
        holders: Holders::new(of_places),
        rule,
    })
}

/// The buckets of a submission; none for one without a shingle.
pub(super) fn bucket_keys<'a>(index: &Index, submission: &'a Analysis) -> impl Iterator<Item = u64> + use<'a> {
    let keys = index.settings().banding.keys(&submission.signature);
    keys.take(if submission.shingles.is_empty() { 0 } else { usize::MAX })
}

impl Candidates {
    /// What of a document that shares keys with the submission is worth aligning with it: what there is to be seen where keys
    /// meet, or around a rare one. Short runs around rare keys are noted ([`Look::take_runs`]).
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn worth(&self, sharing: &Sharing, index: &Index, look: &mut Look) -> Result<Worth, IndexError> {
        let (document, hits) = (sharing.document, self.hits.of_document(sharing));
        let units = index.units_of(document)?;
        let around = |hit: &Hit, around: u32| {
            hit.in_source.saturating_sub(around)..hit.in_source.saturating_add(POSITION_STEP + around).min(units)
        };
        let (mut stretch, mut read) = (Stretch::default(), 0..0);
        let mut read_to = |stretch: &mut Stretch, wanted: Range<u32>| {
            let is_new = read.start > wanted.start || read.end < wanted.end;
            if is_new {
                index.stretch(document, wanted.clone(), stretch)?;
                read = wanted;
            }
            Ok::<bool, IndexError>(is_new)
        };
        // Each is looked at, though one were enough: the runs are noted.
        let mut is_quoted = false;
        for hit in hits.iter().filter(|hit| hit.documents <= self.rare) {
            read_to(&mut stretch, around(hit, BESIDE))?;
            if !look.may_be_quotation(&stretch, hit.in_submission, hit.in_source, POSITION_STEP - 1) {
                continue;
            }
            read_to(&mut stretch, around(hit, AROUND_QUOTATION))?;
            is_quoted |= look.is_quotation(&stretch, hit.in_submission, hit.in_source, POSITION_STEP - 1);
        }
        if is_quoted {
            return Ok(Worth::Whole);
        }
        let mut is_taken_up = false;
        let mut wide = Stretch::default();
        let (mut aligned, mut common): (Vec<Hit>, Vec<(u32, u32)>) = (Vec::new(), Vec::new());
        let mut looks = |hit: &Hit| {
            // What was aligned around a place is not aligned again around one beside it.
            let near = |a: u32, b: u32| a.abs_diff(b) <= ALIGNED_AROUND / 2;
            if aligned.iter().any(|at| near(at.in_submission, hit.in_submission) && near(at.in_source, hit.in_source)) {
                return Ok(false);
            }
            if read_to(&mut stretch, around(hit, AROUND))? || !is_taken_up {
                look.take_up(&stretch);
                is_taken_up = true;
            }
            if !look.is_worth_while(hit.in_submission, hit.in_source, POSITION_STEP - 1) {
                return Ok(false);
            }
            if units <= LONG {
                return Ok(true);
            }
            aligned.push(*hit);
            index.stretch(document, around(hit, ALIGNED_AROUND), &mut wide)?;
            let shares = look.shares_a_passage(hit.in_submission, &wide);
            let is_common = shares && hit.documents >= COMMON;
            if is_common {
                common.push((hit.in_submission, hit.in_source));
            }
            Ok(shares && !is_common)
        };
        let mut visited: Vec<bool> = hits.iter().map(|hit| hit.documents <= self.lone).collect();
        for (hit, _) in hits.iter().zip(&visited).filter(|(_, is_lone)| **is_lone) {
            if looks(hit)? {
                return Ok(Worth::Whole);
            }
        }
        if self.rule.meetings(hits, &mut visited, looks)? {
            return Ok(Worth::Whole);
        }
        common.sort_unstable();
        Ok(if common.is_empty() { Worth::Nothing } else { Worth::Around(common) })
    }
}

/// What of a document is worth aligning with a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Worth {
    /// Nothing.
    Nothing,
    /// Of a long one, what lies around some places, pairs of a unit of the submission and one of the document: all that was seen
    /// in them is what many documents hold, such as a declaration that theses have.
    Around(Vec<(u32, u32)>),
    /// All of it.
    Whole,
}

/// What so many documents hold tells nothing of one of them.
const COMMON: u32 = 20;

/// A document of more than so many units is aligned around a place before it is aligned as a whole.
const LONG: u32 = 8 * ALIGNED_AROUND;

/// So many places are looked at around single keys for a quotation at most, ...
const MOST_SINGLE: usize = 8000;

/// ... and so many for each key of the submission. A look takes some three microseconds.
const SINGLE_FOR_EACH_KEY: usize = 2;

/// So many single keys at most, and one for each key of the submission, are grown from, at some ten microseconds each: a short
/// passage whose words were replaced may have kept one key alone.
const MOST_LONE: usize = 2000;

/// The greatest number of documents a key may have so that the keys which have no more stand in `most` documents together at
/// most. `numbers` are those of the submission's keys.
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
fn hold_a_clue(hits: &Hits, sharing: &[Sharing]) -> Vec<u32> {
    let held = |sharing: &Sharing| {
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

/// Which hits together are no chance.
///
/// Of *N* documents with *U* units together, *a* and *b* hold two keys of a submission that lie *d* units apart in it. By
/// chance the two meet within *d* units in 2·a·b·d / U documents. A submission of *L* units has about L / 4 keys, each with
/// a hundred others within reach behind it: 25·L pairs. Where a·b·d may be at most c·N, its keys meet by chance at most
/// 50·c·L·N / U times, however large the index grows: 1,200 times if it is as long as the documents. A long submission meets
/// short documents more often, and short ones say less, so N is bounded by PLACES·U / L: then there are 12,000 places to look
/// at, at some ten microseconds each. Keys that many documents hold for a reason (all quote one text) come in numbers:
/// several in one place are looked at, whoever holds them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct MeetingRule {
    settings: RetrievalSettings,
    most: u64,
}

/// In fewer documents than this, how many hold a key says little.
const FEW_DOCUMENTS: u64 = 3000;

/// How often the length of a submission may go into that of a document before its keys must be rarer.
const PLACES: u64 = 10;

/// Positions are kept in steps, so that nothing is known to lie nearer than this, in units.
const NEAREST: u32 = 2 * POSITION_STEP;

impl MeetingRule {
    /// For an index of so many documents and units, and the units of a submission.
    fn new(settings: &RetrievalSettings, documents: u64, units: u64, submission: u64) -> Self {
        let documents = documents.min(PLACES * (units / submission.max(1))).max(FEW_DOCUMENTS);
        MeetingRule { settings: *settings, most: u64::from(settings.chance) * documents }
    }

    /// Calls `visit` with hits that meet others and were not visited, until it says yes: two rare hits of different keys that lie
    /// near each other in both texts, or several of any kind nearer still. Gives whether it did. The hits are sorted.
    fn meetings<E>(
        &self,
        hits: &[Hit],
        visited: &mut [bool],
        mut visit: impl FnMut(&Hit) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let mut near = Vec::new();
        for (i, a) in hits.iter().enumerate() {
            near.clear();
            near.push((a.key, i));
            for (j, b) in (i + 1..).zip(&hits[i + 1..]) {
                let in_submission = b.in_submission - a.in_submission;
                if in_submission > self.settings.reach {
                    break;
                }
                let distance = in_submission.max(a.in_source.abs_diff(b.in_source));
                if b.key == a.key || distance > self.settings.reach {
                    continue;
                }
                let chance = u64::from(a.documents) * u64::from(b.documents) * u64::from(distance.max(NEAREST));
                let mut meet = |at: usize| Ok(!std::mem::replace(&mut visited[at], true) && visit(&hits[at])?);
                if chance <= self.most && (meet(i)? || meet(j)?) {
                    return Ok(true);
                }
                if distance <= self.settings.locality && !near.iter().any(|(key, _)| *key == b.key) {
                    near.push((b.key, j));
                    if near.len() >= self.settings.several as usize {
                        for &(_, at) in &near {
                            if meet(at)? {
                                return Ok(true);
                            }
                        }
                    }
                }
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::{Aligner, Submission};
    use crate::index::IndexWriter;
    use crate::sketch::analysis::Analyser;
    use crate::text::Document;

    fn hit(in_submission: u32, in_source: u32, key: u32) -> Hit {
        Hit { in_submission, in_source, key, documents: 1 }
    }

    fn admits(hits: &[Hit], documents: u64) -> bool {
        let rule = MeetingRule::new(&RetrievalSettings::default(), documents, 1000 * documents, 1000);
        rule.meetings(hits, &mut vec![false; hits.len()], |_| Ok::<_, ()>(true)).unwrap()
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
    fn a_submission_that_is_much_longer_than_the_documents_needs_rarer_keys() {
        let common = [hit(0, 0, 1), hit(100, 100, 2)].map(|hit| Hit { documents: 30, ..hit });
        let admits = |submission| {
            let rule = MeetingRule::new(&RetrievalSettings::default(), 100_000, 100_000 * 300, submission);
            rule.meetings(&common, &mut [false; 2], |_| Ok::<_, ()>(true)).unwrap()
        };
        assert!(admits(300) && admits(3000));
        assert!(!admits(120_000));
    }

    #[test]
    fn a_passage_that_kept_one_rare_key_alone_is_worth_while() {
        let settings = crate::settings::Settings::default();
        let mut analyser = Analyser::new(&settings.sketch);
        let source = "The harbour keeps its old customs: every autumn the ferrymen paint the narrow boats, repair the torn \
                      nets on the quay and count the barrels of herring before the first storms arrive from the north.";
        let edited = "In each port old habits stay: each autumn our ferrymen tar their narrow boats, mend all torn nets along \
                      the quay, then count barrels full of herring before winter storms come out of the north.";
        let mut writer = IndexWriter::in_memory(&settings.sketch).unwrap();
        let document = Document { id: "source".into(), text: source.into(), ..Document::default() };
        writer.add(&document, Vec::new(), 0, &analyser.analyse(source)).unwrap();
        let index = writer.into_index().unwrap();
        let submission = analyser.analyse(edited);
        let prepared = Submission::new(&submission.units);
        let mut look = Look::new(&prepared, &Aligner::new(settings.align));
        let place = |word: &str, text: &str| text.split_whitespace().position(|w| w.starts_with(word)).unwrap() as u32;
        // Places in the source are known in steps.
        let in_source = place("ferrymen", source) / POSITION_STEP * POSITION_STEP;
        let only = Hit { in_submission: place("ferrymen", edited), in_source, key: 1, documents: 1 };
        let (hits, sharing) = Hits::of(&[(0, only)]);
        for lone in [0, 1] {
            let found = Candidates { lone, rare: 1, hits: hits.clone(), ..Candidates::default() };
            let worth = if lone == 1 { Worth::Whole } else { Worth::Nothing };
            assert_eq!(found.worth(&sharing[0], &index, &mut look).unwrap(), worth);
        }
    }

    #[test]
    fn several_common_keys_in_one_place_are_no_chance() {
        let quoted = |keys: u32| (0..keys).map(|i| Hit { documents: 190, ..hit(8 * i, 8 * i, i) }).collect::<Vec<_>>();
        assert!(!admits(&quoted(3), 1000));
        assert!(admits(&quoted(4), 1000));
    }
}
