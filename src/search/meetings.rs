//! Which shared keys together are no chance.

use super::hits::Hit;
use crate::index::segment::POSITION_STEP;
use crate::settings::RetrievalSettings;

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
pub struct MeetingRule {
    settings: RetrievalSettings,
    most: u64,
}

/// In an index of fewer documents than this, how many hold a key says little: it is taken to have this many. Chosen by hand; not
/// measured apart.
const FEW_DOCUMENTS: u64 = 3000;

/// How many times as long as a document a submission may be before its keys must be rarer. It makes the places looked at 12,000 at
/// most, see [`MeetingRule`].
const PLACES: u64 = 10;

/// Positions are kept in steps, so that nothing is known to lie nearer than this, in units.
const NEAREST: u32 = 2 * POSITION_STEP;

impl MeetingRule {
    /// For an index of `documents` with `units` together, and the units of a submission.
    pub fn new(settings: &RetrievalSettings, documents: u64, units: u64, submission: u64) -> Self {
        let documents = documents.min(PLACES * (units / submission.max(1))).max(FEW_DOCUMENTS);
        MeetingRule { settings: *settings, most: u64::from(settings.chance) * documents }
    }

    /// Adds to `found` which hits meet others, but for those that `are_found`: two rare hits of different keys that lie near each
    /// other in both texts, or several of any kind nearer still. The hits are sorted.
    pub fn meetings(&self, hits: &[Hit], are_found: &mut [bool], found: &mut Vec<u32>) {
        let mut near = Vec::new();
        for (i, a) in hits.iter().enumerate() {
            // The different keys near this hit, with one hit of each.
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
                // How many documents two such keys meet in by chance, but for a factor that is the same for all.
                let chance = u64::from(a.documents) * u64::from(b.documents) * u64::from(distance.max(NEAREST));
                let mut meet = |at: usize| {
                    if !std::mem::replace(&mut are_found[at], true) {
                        found.push(at as u32);
                    }
                };
                if chance <= self.most {
                    meet(i);
                    meet(j);
                }
                if distance <= self.settings.locality && !near.iter().any(|(key, _)| *key == b.key) {
                    near.push((b.key, j));
                    if near.len() >= self.settings.several as usize {
                        near.iter().for_each(|(_, at)| meet(*at));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::containment::Sides;

    fn hit(in_submission: u32, in_source: u32, key: u32) -> Hit {
        Hit { in_submission, in_source, key, documents: 1, agreeing: Sides::default() }
    }

    fn meet(hits: &[Hit], rule: &MeetingRule) -> bool {
        let mut found = Vec::new();
        rule.meetings(hits, &mut vec![false; hits.len()], &mut found);
        !found.is_empty()
    }

    fn admits(hits: &[Hit], documents: u64) -> bool {
        meet(hits, &MeetingRule::new(&RetrievalSettings::default(), documents, 1000 * documents, 1000))
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
            meet(&common, &MeetingRule::new(&RetrievalSettings::default(), 100_000, 100_000 * 300, submission))
        };
        assert!(admits(300) && admits(3000));
        assert!(!admits(120_000));
    }

    #[test]
    fn several_common_keys_in_one_place_are_no_chance() {
        let quoted = |keys: u32| (0..keys).map(|i| Hit { documents: 190, ..hit(8 * i, 8 * i, i) }).collect::<Vec<_>>();
        assert!(!admits(&quoted(3), 1000));
        assert!(admits(&quoted(4), 1000));
    }
}
