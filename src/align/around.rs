//! Aligning what lies around places that retrieval found, in place of whole texts.

use super::aligner::{Aligner, PassageCounts};
use super::matches::Match;
use super::side::Side;
use super::submission::Submission;
use crate::text::ranges::union;
use crate::text::units::{Stretch, Units};
use std::ops::Range;

/// Units of both texts before and behind a place that are aligned in place of a whole source. With 800 the same passages are
/// found: of 547 English and 390 Chinese ones planted in books, and of PAN's, no row that counts changes.
pub const ALIGNED_AROUND: u32 = 400;

/// A passage that ends no nearer than this to where a part of a text was cut off, in units, ends there in the whole too. Chosen by
/// hand; with it all 946 passages of 16 generated theses are the rows that whole alignments give (docs/SCALE.md).
const BORDER: u32 = 100;

/// How many times as much is aligned around a place whose passage may go on. Chosen by hand; not measured apart.
const WIDENED: u32 = 4;

/// What was seen of a long source: places, pairs of a unit of the submission and one of the source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// Those worth aligning around.
    pub places: Vec<(u32, u32)>,
    /// Those in a sentence of the submission that is one of the source reworded.
    pub sentences: Vec<(u32, u32)>,
    /// Those of which few sources have the words.
    pub rare: Vec<(u32, u32)>,
}

impl Seen {
    /// What was seen here or there.
    pub fn and(self, other: Self) -> Self {
        Seen {
            places: [self.places, other.places].concat(),
            sentences: [self.sentences, other.sentences].concat(),
            rare: [self.rare, other.rare].concat(),
        }
        .each_once()
    }

    /// The same as seen from the source.
    pub fn turned(self) -> Self {
        let turn = |seen: Vec<(u32, u32)>| seen.into_iter().map(|(ours, theirs)| (theirs, ours)).collect();
        Seen { places: turn(self.places), sentences: turn(self.sentences), rare: turn(self.rare) }.each_once()
    }

    /// Each place once, in order.
    pub fn each_once(mut self) -> Self {
        for seen in [&mut self.places, &mut self.sentences, &mut self.rare] {
            seen.sort_unstable();
            seen.dedup();
        }
        self
    }

    /// Whether the source may hold sentences that are reworded: one was seen that is in no passage, or the submission has a passage of this
    /// source and of few others.
    fn has_more_than(&self, found: &[Match]) -> bool {
        let is_in_passage = |(ours, _): &(u32, u32)| found.iter().any(|m| !m.weak && m.submission.contains(ours));
        self.rare.iter().any(is_in_passage) || !self.sentences.iter().all(is_in_passage)
    }
}

/// A place of both texts, and how many units around it are aligned.
struct Place {
    ours: u32,
    theirs: u32,
    around: u32,
}

impl Aligner {
    /// The passages that a submission shares with a source around the places that were seen: what
    /// lies [`ALIGNED_AROUND`] of them in either text is aligned as if it were all, and more where a passage may go on. Lengths and how
    /// frequent words are stay those of the whole texts, so that it finds there what aligning the whole finds there. Reworded sentences
    /// are looked for in all of both texts, where there may be some. `None` if that comes to half
    /// of the source, or a passage draws on several places: only the whole tells then.
    pub(crate) fn align_around(&mut self, submission: &Submission, source: &Units, seen: &Seen) -> Option<Vec<Match>> {
        let place = |&(ours, theirs): &(u32, u32)| Place { ours, theirs, around: ALIGNED_AROUND };
        let mut places: Vec<Place> = seen.places.iter().map(place).collect();
        let (mut whole, mut side) = (std::mem::take(&mut self.source), Side::default());
        submission.number_source(source, &mut whole);
        let found = loop {
            let ours = Parts::around(places.iter().map(|place| (place.ours, place.around)), submission.units.len());
            let theirs = Parts::around(places.iter().map(|place| (place.theirs, place.around)), source.len());
            if 2 * theirs.units() > source.len() {
                break None;
            }
            side.take_parts(&whole, &theirs.ranges);
            let (our_units, their_units) = (submission.units.parts(&ours.ranges), source.parts(&theirs.ranges));
            let parts = submission.parts(&our_units, &ours.ranges, &mut side, &mut self.numbers);
            side.counts = self.numbers.pick(&whole.counts);
            let mut found = self.align_sides(&parts, (&side, &their_units));
            if found.iter().any(|m| ours.are_several(&m.submission) || theirs.are_several(&m.source)) {
                break None;
            }
            let cut_off: Vec<[Range<u32>; 2]> = found
                .iter()
                .filter(|m| ours.may_cut_off(&m.submission) || theirs.may_cut_off(&m.source))
                .map(|m| [ours.holder(&m.submission), theirs.holder(&m.source)])
                .collect();
            if cut_off.is_empty() {
                found.iter_mut().for_each(|m| put_back(m, &ours, &theirs));
                let are_reworded = seen.has_more_than(&found);
                self.add_sentences(&mut found, are_reworded, submission, (&whole, source));
                break Some(found);
            }
            for place in &mut places {
                if cut_off.iter().any(|[ours, theirs]| ours.contains(&place.ours) || theirs.contains(&place.theirs)) {
                    place.around = place.around.saturating_mul(WIDENED);
                }
            }
        };
        self.source = whole;
        found
    }

    /// The passages that a stretch of a source and as much of the submission around one of its units share if they are aligned by
    /// themselves, as [`count`](Aligner::count) tells them.
    pub(super) fn count_around(
        &mut self,
        submission: &Submission,
        unit: u32,
        stretch: &Stretch,
        share: f64,
    ) -> PassageCounts {
        let Units { hash, stem, flags, .. } = submission.units;
        let range = around(unit, ALIGNED_AROUND, hash.len());
        // Where the units stand in the text is not asked for, and not copied.
        let units = Units {
            hash: hash[range.clone()].to_vec(),
            stem: stem[range.clone()].to_vec(),
            flags: flags[range.clone()].to_vec(),
            ..Units::default()
        };
        let mut side = std::mem::take(&mut self.source);
        submission.take_features(stretch.units(), &mut side);
        let part = submission.parts(&units, &[range], &mut side, &mut self.numbers);
        side.count(self.numbers.len());
        let counts = self.count(&part, (&side, stretch.units()), share);
        self.source = side;
        counts
    }
}

/// The units of a text of `units` of them up to `around` from one of them.
fn around(unit: u32, around: u32, units: usize) -> Range<usize> {
    let (from, to) = (unit.saturating_sub(around), unit.saturating_add(around));
    from as usize..(to as usize).min(units)
}

/// Parts of a text that are aligned as if they were all.
struct Parts {
    /// Their units in the text, in order and apart; none is empty.
    ranges: Vec<Range<usize>>,
    /// How many units of parts stand before each.
    before: Vec<usize>,
    /// The units of the text.
    all: usize,
}

impl Parts {
    /// What lies around some places, each of which is a unit and how many units on either side of it.
    fn around(places: impl Iterator<Item = (u32, u32)>, all: usize) -> Self {
        let mut ranges = union(places.map(|(unit, units)| around(unit, units, all)).collect());
        ranges.retain(|range| !range.is_empty());
        let mut sum = 0;
        let before = |range: &Range<usize>| {
            sum += range.len();
            sum - range.len()
        };
        let before = ranges.iter().map(before).collect();
        Parts { ranges, before, all }
    }

    fn units(&self) -> usize {
        self.ranges.iter().map(Range::len).sum()
    }

    /// The part that holds a unit, counted in the parts.
    fn of(&self, unit: u32) -> usize {
        self.before.partition_point(|before| *before <= unit as usize) - 1
    }

    /// Where a unit of a part stands in the text.
    fn in_text(&self, unit: u32) -> u32 {
        let part = self.of(unit);
        (self.ranges[part].start + unit as usize - self.before[part]) as u32
    }

    /// The units in the text of a range, not empty, of the parts.
    fn range_in_text(&self, range: &Range<u32>) -> Range<u32> {
        self.in_text(range.start)..self.in_text(range.end - 1) + 1
    }

    /// Whether a range reaches over several parts.
    fn are_several(&self, range: &Range<u32>) -> bool {
        self.of(range.start) != self.of(range.end - 1)
    }

    /// The part, in the text, that holds a range.
    fn holder(&self, range: &Range<u32>) -> Range<u32> {
        let part = &self.ranges[self.of(range.start)];
        part.start as u32..part.end as u32
    }

    /// Whether a passage in this range may go on beyond its part.
    fn may_cut_off(&self, range: &Range<u32>) -> bool {
        let (part, here) = (self.holder(range), self.range_in_text(range));
        part.start > 0 && here.start < part.start + BORDER
            || (part.end as usize) < self.all && here.end + BORDER > part.end
    }
}

/// Gives the units of a passage of parts as those of the texts. Its characters are those of the texts already.
fn put_back(found: &mut Match, ours: &Parts, theirs: &Parts) {
    let Match { submission, source, own, left_out, .. } = found;
    for (parts, passage, gaps) in [(ours, submission, own), (theirs, source, left_out)] {
        *passage = parts.range_in_text(passage);
        gaps.iter_mut().for_each(|(gap, _)| *gap = parts.range_in_text(gap));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::AlignSettings;
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// A text of words, some of them frequent, none of `own`'s in a text of another number.
    fn text(own: u32, words: u32) -> Vec<String> {
        let word = |at: u32| match at.wrapping_mul(2_654_435_761) >> 28 {
            0..4 => ["the", "of", "and", "was"][at as usize % 4].to_owned(),
            4..7 => format!("common{}", at.wrapping_mul(40_503) >> 5 & 255),
            _ => format!("own{own}word{at}"),
        };
        (0..words).map(word).collect()
    }

    fn units(words: &[String]) -> Units {
        let sentences = words.chunks(12).map(|sentence| sentence.join(" "));
        Units::from_text(&sentences.collect::<Vec<_>>().join(". "))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// Against the obvious version, which aligns all. Some units more or less belong to passages: there, what agrees by chance
        /// with a place far away takes units that a passage could have.
        #[test]
        fn what_is_found_around_places_is_what_aligning_all_finds_there(
            passages in prop::collection::vec((0u32..5, 0u32..7, 12usize..1500, 0usize..3), 1..4),
        ) {
            let (mut ours, mut theirs) = (text(1, 9000), text(2, 12_000));
            let mut places: Vec<(u32, u32)> = Vec::new();
            for (number, (here, there, len, kind)) in (0u32..).zip(passages) {
                let (here, there) = (1000 + 1600 * here, 600 + 1600 * there);
                if places.iter().any(|place| place.0 == here + 2 || place.1 == there + 2) {
                    continue;
                }
                places.push((here + 2, there + 2));
                let (here, there) = (here as usize, there as usize);
                let copied = text(10 + number, len as u32);
                theirs.splice(there..(there + len).min(12_000), copied.clone());
                let mut written = copied;
                match kind {
                    // Verbatim, every sixth word another, and a sentence of one's own between two that were copied.
                    0 => {}
                    1 => written.iter_mut().step_by(6).enumerate().for_each(|(at, word)| *word = format!("mine{number}x{at}")),
                    _ => _ = written.splice(len / 2..len / 2, (0..24).map(|at| format!("between{number}x{at}"))),
                }
                let end = (here + written.len()).min(9000);
                ours.splice(here..end, written);
            }
            let (ours, theirs) = (units(&ours), units(&theirs));
            let (submission, mut aligner) = (Submission::new(&ours), Aligner::new(AlignSettings::balanced()));
            let whole = aligner.align(&submission, &theirs);
            if let Some(found) = aligner.align_around(&submission, &theirs, &Seen { places, ..Seen::default() }) {
                let units = |found: &[Match]| -> HashSet<u32> {
                    found.iter().filter(|m| !m.weak).flat_map(|m| m.submission.clone()).collect()
                };
                let (found, whole) = (units(&found), units(&whole));
                prop_assert!(found.symmetric_difference(&whole).count() <= 20, "{} {}", found.len(), whole.len());
            }
        }
    }

    #[test]
    fn around_one_place_in_a_long_text_less_than_all_is_aligned() {
        let (mut ours, mut theirs) = (text(1, 9000), text(2, 12_000));
        ours.splice(4000..4100, text(3, 100));
        theirs.splice(7000..7100, text(3, 100));
        let (ours, theirs) = (units(&ours), units(&theirs));
        let mut aligner = Aligner::new(AlignSettings::balanced());
        let seen = Seen { places: vec![(4050, 7050)], ..Seen::default() };
        let found = aligner.align_around(&Submission::new(&ours), &theirs, &seen).unwrap();
        assert_eq!(
            found.iter().map(|m| (m.submission.clone(), m.source.clone())).collect::<Vec<_>>(),
            [(4000..4100, 7000..7100)]
        );
    }

    #[test]
    fn reworded_sentences_are_sought_beside_a_rare_passage_or_where_one_was_seen_that_is_in_none() {
        // A paragraph, and eight sentences far from each other of which each fourth word is another.
        let (mut ours, mut theirs) = (text(1, 12_000), text(2, 14_400));
        ours.splice(600..720, text(3, 120));
        theirs.splice(1800..1920, text(3, 120));
        for sentence in 0..8 {
            let (at, words) = (1800 + 1200 * sentence, text(10 + sentence as u32, 12));
            theirs.splice(at + 1200..at + 1212, words.clone());
            let reworded = words.into_iter().enumerate().map(|(word, same)| match word % 4 {
                0 => format!("other{sentence}x{word}"),
                _ => same,
            });
            ours.splice(at..at + 12, reworded.collect::<Vec<_>>());
        }
        let (ours, theirs) = (units(&ours), units(&theirs));
        let found = |[sentences, rare]: [Vec<(u32, u32)>; 2]| {
            let seen = Seen { places: vec![(650, 1850)], sentences, rare };
            let mut aligner = Aligner::new(AlignSettings::balanced());
            let found = aligner.align_around(&Submission::new(&ours), &theirs, &seen).unwrap();
            found.iter().filter(|m| !m.weak).count()
        };
        let (inside, outside) = (vec![(650, 1850)], vec![(1805, 3005)]);
        let seen = [[vec![], vec![]], [inside.clone(), outside.clone()], [outside, vec![]], [vec![], inside]];
        assert_eq!(seen.map(found), [1, 1, 9, 9]);
    }
}
