//! What of the documents that share keys with a submission is worth aligning with it.

use super::SearchError;
use super::candidates::Candidates;
use super::hits::{DocumentHits, Hit};
use crate::align::aligner::PassageCounts;
use crate::align::around::{ALIGNED_AROUND, Seen};
use crate::align::beside::THIN_PASSAGES;
use crate::align::look::{AROUND, AROUND_QUOTATION, BESIDE, Look, REWORDED_SENTENCES};
use crate::align::{Aligner, Match, Submission};
use crate::index::segment::POSITION_STEP;
use crate::index::{Index, IndexError};
use crate::job::Job;
use crate::text::units::{Stretch, Units};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;

/// Units up to which a document is aligned as a whole at once: aligning around a few places would take as long. Chosen by hand; not
/// measured apart.
const SHORT: u32 = 8 * ALIGNED_AROUND;

/// Documents that hold a key at most if few do: what more hold is a declaration, a law or a formula, and tells of no source. Chosen by hand;
/// not measured apart.
const FEW: u32 = 20;

/// Documents that one thread looks at, at least: it needs tables as long as the submission. It changes no result.
const LOOKED_AT_TOGETHER: usize = 32;

/// What of a document is worth aligning with a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Worth {
    /// Nothing.
    Nothing,
    /// Of a long one, what lies around the places where something was seen.
    Around(Seen),
    /// All of it.
    Whole,
}

impl Worth {
    /// What is worth aligning if each of two looks saw something.
    pub fn or(self, other: Worth) -> Worth {
        match (self, other) {
            (Worth::Nothing, worth) | (worth, Worth::Nothing) => worth,
            (Worth::Around(ours), Worth::Around(theirs)) => Worth::Around(ours.and(theirs)),
            _ => Worth::Whole,
        }
    }

    /// The same as seen from the document.
    pub fn turned(self) -> Worth {
        match self {
            Worth::Around(seen) => Worth::Around(seen.turned()),
            worth => worth,
        }
    }

    /// Aligns as much of a source as is worth it.
    pub fn align(&self, aligner: &mut Aligner, submission: &Submission, source: &Units) -> Vec<Match> {
        let around = match self {
            Worth::Around(seen) => aligner.align_around(submission, source, seen),
            Worth::Nothing | Worth::Whole => None,
        };
        around.unwrap_or_else(|| aligner.align(submission, source))
    }
}

/// Scratch memory of the looks at one document after the other.
#[derive(Debug, Default)]
struct Stretches {
    /// What is looked at around a place, ...
    near: Stretch,
    /// ... and what is aligned around it.
    wide: Stretch,
}

/// A document that retrieval found, looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Looked {
    /// Its number.
    pub document: u32,
    /// What of it is worth aligning.
    pub worth: Worth,
    /// Where short runs of its units stand in the submission ([`Look::take_runs`]).
    pub short_runs: Vec<Range<u32>>,
}

/// A document that is read around places.
struct Reading<'a> {
    index: &'a Index,
    document: u32,
    /// Its length.
    units: u32,
    /// What was read last.
    stretch: &'a mut Stretch,
    read: Range<u32>,
}

impl Reading<'_> {
    /// Has `units` units on either side of a key in the stretch; gives whether they were read anew.
    fn read(&mut self, hit: &Hit, units: u32) -> Result<bool, IndexError> {
        let wanted = around(hit, units, self.units);
        let is_new = self.read.start > wanted.start || self.read.end < wanted.end;
        if is_new {
            self.index.stretch(self.document, wanted.clone(), self.stretch)?;
            self.read = wanted;
        }
        Ok(is_new)
    }

    /// Whether a quotation stands around a key. A shorter run is noted ([`Look::take_runs`]).
    fn is_quotation(&mut self, hit: &Hit, look: &mut Look) -> Result<bool, IndexError> {
        let Hit { in_submission, in_source, .. } = *hit;
        self.read(hit, BESIDE)?;
        if !look.may_be_quotation(self.stretch, in_submission, in_source, POSITION_STEP - 1) {
            return Ok(false);
        }
        self.read(hit, AROUND_QUOTATION)?;
        Ok(look.is_quotation(self.stretch, in_submission, in_source, POSITION_STEP - 1))
    }
}

impl Candidates {
    /// The hits of a document from which is grown: the very rarest keys, then where keys meet.
    fn places(&self, sharing: &DocumentHits) -> Vec<u32> {
        let hits = self.hits.of_document(sharing);
        let mut are_found: Vec<bool> = hits.iter().map(|hit| hit.documents <= self.lone).collect();
        let mut places: Vec<u32> = (0..).zip(&are_found).filter(|(_, is_lone)| **is_lone).map(|(at, _)| at).collect();
        self.rule.meetings(hits, &mut are_found, &mut places);
        places
    }

    /// What of a document that shares keys with the submission is worth aligning with it: what there is to be seen at its
    /// [`places`](Candidates::places), or around a rare key. Short runs around rare keys are noted ([`Look::take_runs`]).
    ///
    /// # Errors
    /// When the index is damaged.
    fn worth(
        &self,
        sharing: &DocumentHits,
        places: &[u32],
        index: &Index,
        (look, Stretches { near, wide }): (&mut Look, &mut Stretches),
    ) -> Result<Worth, IndexError> {
        let (document, hits) = (sharing.document, self.hits.of_document(sharing));
        let units = index.units_of(document)?;
        let mut reading = Reading { index, document, units, stretch: near, read: 0..0 };
        // Of a short document all is aligned if anything is seen; of a long one what lies around all places where something is,
        // unless that comes to most of it.
        let mut seen: Vec<(u32, u32)> = Vec::new();
        let is_long = units > SHORT;
        let is_enough = |seen: &[(u32, u32)]| !is_long || seen.len() as u32 * ALIGNED_AROUND > units;
        // First the rarest keys, each by itself: a quotation of a dozen words may have no other one in the sketch. All are looked at,
        // though one were enough, because the runs around them are noted.
        for hit in self.quotable(sharing) {
            if reading.is_quotation(hit, look)? && !is_near(&seen, hit) {
                seen.push((hit.in_submission, hit.in_source));
            }
        }
        if !seen.is_empty() && is_enough(&seen) {
            return Ok(Worth::Whole);
        }
        // Whether something was seen that counts or is reported, and how much that does neither by itself.
        let (mut is_any, mut thin) = (!seen.is_empty(), 0);
        // Then the places are grown from. Of a long document what lies around such a place
        // is aligned, to see whether there is a passage.
        let mut is_taken_up = false;
        let mut aligned = seen.clone();
        let mut sentences: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
        let mut looks = |hit: &Hit| {
            // What was aligned around a place is not aligned again around one beside it.
            if is_near(&aligned, hit) {
                return Ok(false);
            }
            if reading.read(hit, AROUND)? || !is_taken_up {
                look.take_up(reading.stretch);
                is_taken_up = true;
            }
            let place = (hit.in_submission, hit.in_source);
            if hits.len() >= REWORDED_SENTENCES
                && let Some(sentence) =
                    look.reworded_sentence(reading.stretch, hit.in_submission, hit.in_source, POSITION_STEP - 1)
            {
                sentences.insert(sentence, place);
            }
            if !look.is_worth_while(hit.in_submission, hit.in_source, POSITION_STEP - 1, is_long) {
                return Ok(false);
            }
            if is_long {
                aligned.push(place);
                index.stretch(document, around(hit, ALIGNED_AROUND, units), wide)?;
                let passages = look.passages_around(hit.in_submission, wide);
                if passages == PassageCounts::default() {
                    return Ok(false);
                }
                thin += passages.thin;
                is_any |= passages.others > 0;
            }
            seen.push(place);
            Ok(is_enough(&seen))
        };
        for &place in places {
            if looks(&hits[place as usize])? {
                return Ok(Worth::Whole);
            }
        }
        if sentences.len() >= REWORDED_SENTENCES {
            seen.extend(sentences.values());
        } else if !is_any && thin < THIN_PASSAGES {
            return Ok(Worth::Nothing);
        }
        let rare = hits.iter().filter(|hit| hit.documents <= FEW).map(|hit| (hit.in_submission, hit.in_source));
        let seen = Seen { places: seen, sentences: sentences.into_values().collect(), rare: rare.collect() };
        Ok(Worth::Around(seen.each_once()))
    }

    /// Looks at all documents that were found and are wanted, by all threads: those of which something is worth aligning or a short run was
    /// noted, ascending by number among those that were found as wholes and then among the others.
    ///
    /// # Errors
    /// When the index is damaged, or the job was cancelled.
    pub fn look_at_all(
        &self,
        index: &Index,
        submission: &Submission,
        aligner: &Aligner,
        is_wanted: impl Fn(u32) -> bool + Sync,
        job: &Job,
    ) -> Result<Vec<Looked>, SearchError> {
        let looked = |(look, stretches): &mut (Look, Stretches), (sharing, places): &(&DocumentHits, Vec<u32>)| {
            job.check()?;
            let worth = self.worth(sharing, places, index, (look, stretches))?;
            let looked = Looked { document: sharing.document, worth, short_runs: look.take_runs() };
            Ok((looked.worth != Worth::Nothing || !looked.short_runs.is_empty()).then_some(looked))
        };
        let to_look_at = |sharing| {
            job.check()?;
            let places = self.places(sharing);
            let is_any = !places.is_empty() || self.quotable(sharing).next().is_some();
            Ok(is_any.then_some((sharing, places)))
        };
        let looked_at: Vec<(&DocumentHits, Vec<u32>)> = self
            .sharing
            .par_iter()
            .with_min_len(LOOKED_AT_TOGETHER)
            .filter(|sharing| is_wanted(sharing.document))
            .map(to_look_at)
            .filter_map(Result::transpose)
            .collect::<Result<_, SearchError>>()?;
        // Before the first look, for most stand in a document each, and from a disk each would be waited for by itself.
        let read = looked_at.iter().flat_map(|(sharing, places)| {
            let (document, hits) = (sharing.document, self.hits.of_document(sharing));
            let quotable = self.quotable(sharing).map(|hit| (hit, BESIDE));
            let places = places.iter().map(|&place| (&hits[place as usize], AROUND));
            quotable.chain(places).map(move |(hit, units)| (document, around(hit, units, u32::MAX)))
        });
        index.will_need_units(read.collect());
        let by_places: Vec<Looked> = looked_at
            .par_iter()
            .with_min_len(LOOKED_AT_TOGETHER)
            .map_init(|| (Look::new(submission, aligner), Stretches::default()), looked)
            .filter_map(Result::transpose)
            .collect::<Result<_, SearchError>>()?;
        let wholes = self.documents.iter().copied().filter(|&document| is_wanted(document));
        let wholes = wholes.map(|document| Looked { document, worth: Worth::Whole, short_runs: Vec::new() });
        Ok(wholes.chain(by_places).collect())
    }
}

/// Where a key may stand in a document of `all` units, and `units` units on either side of it.
fn around(hit: &Hit, units: u32, all: u32) -> Range<u32> {
    hit.in_source.saturating_sub(units)..hit.in_source.saturating_add(POSITION_STEP + units).min(all)
}

/// Whether what is aligned around one of some places reaches beyond a hit.
fn is_near(places: &[(u32, u32)], hit: &Hit) -> bool {
    let near = |a: u32, b: u32| a.abs_diff(b) <= ALIGNED_AROUND / 2;
    places.iter().any(|&(ours, theirs)| near(ours, hit.in_submission) && near(theirs, hit.in_source))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::IndexWriter;
    use crate::search::hits::Hits;
    use crate::settings::Settings;
    use crate::sketch::analysis::Analyser;
    use crate::sketch::containment::Sides;
    use crate::text::Document;

    #[test]
    fn two_looks_see_what_either_saw() {
        let around = |places: &[(u32, u32)]| {
            let places = || places.to_vec();
            Worth::Around(Seen { places: places(), sentences: places(), rare: places() })
        };
        assert_eq!(around(&[(5, 1)]).or(around(&[(2, 7), (5, 1)])), around(&[(2, 7), (5, 1)]));
        assert_eq!(around(&[(5, 1)]).or(Worth::Whole), Worth::Whole);
        assert_eq!(Worth::Nothing.or(around(&[(5, 1)])), around(&[(5, 1)]));
        assert_eq!(around(&[(2, 7), (5, 1)]).turned(), around(&[(1, 5), (7, 2)]));
    }

    #[test]
    fn a_passage_that_kept_one_rare_key_alone_is_worth_while() {
        let settings = Settings::default();
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
        let in_submission = place("ferrymen", edited);
        let only =
            Hit { in_submission, in_source, key: 1, documents: 1, agreeing: Sides { before: true, behind: false } };
        let (hits, sharing) = Hits::of(&[(0, only)]);
        for lone in [0, 1] {
            let found = Candidates { lone, rare: [0, 1, 1], hits: hits.clone(), ..Candidates::default() };
            let worth = if lone == 1 { Worth::Whole } else { Worth::Nothing };
            let (places, scratch) = (found.places(&sharing[0]), &mut Stretches::default());
            assert_eq!(found.worth(&sharing[0], &places, &index, (&mut look, scratch)).unwrap(), worth);
        }
    }
}
