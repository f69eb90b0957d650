//! Sentences of a source that stand by themselves in a submission, word for word or reworded.
//!
//! Who shuffles the sentences of a source, or scatters them among others, leaves no neighbours that agree. Long sentences are quotations by
//! themselves. Short ones, and those of which words were replaced, have too little evidence as a bag of words: a reworded one has a third of
//! what chance may have somewhere in two long texts. But no two sentences have most of their words in the same order by chance. So sentences are
//! looked up one by one, and count beside each other and beside passages ([`beside`](super::beside)).

use super::aligner::Aligner;
use super::beside::{Beside, EASED, Thin};
use super::candidate::{Candidate, RangePair, Which};
use super::evidence::{self, Evidence, Share};
use super::matches::Match;
use super::own::OwnText;
use super::pair::PairAligner;
use super::seeds::pick;
use super::sentence::Sentence;
use super::settings::AlignSettings;
use super::side::Side;
use super::submission::Submission;
use crate::text::ranges::{union, without};
use crate::text::units::Units;
use ahash::AHashMap;
use std::cmp::Reverse;
use std::ops::Range;

/// Half words of the shortest sentence that is looked up word for word: five words, or ten Han characters.
const SHORTEST: u32 = 10;

/// Evidence that a reworded sentence has on both sides together, in nats: sentences of frequent words are anybody's.
const LEAST_EVIDENCE: f64 = 20.0;

/// Surprise of the features that two sentences share, in nats, from which on they may be compared. With 5.5, as seeds have, a tenth less of
/// reworded English is found, and a check of PAN's texts takes .96 of the time.
const LEAST_MEETING: f64 = 1.375;

/// Sentences of the source that are compared with one of the submission: those with which it shares most.
const COMPARED: usize = 8;

impl Aligner {
    /// Adds sentences to the passages of a source whose features are numbered. They are apart and sorted, of whole texts. Reworded ones are
    /// asked for apart: of two long texts it takes longer than all else.
    pub(super) fn add_sentences(
        &mut self,
        found: &mut Vec<Match>,
        are_reworded: bool,
        submission: &Submission,
        source: (&Side, &Units),
    ) {
        if self.settings.verbatim_only.is_none() {
            if are_reworded {
                self.add_reworded_sentences(found, submission, source);
            }
            self.add_short_sentences(found, submission, source);
        }
    }

    /// Adds those that are reworded, in place of weak passages that they touch.
    fn add_reworded_sentences(
        &mut self,
        found: &mut Vec<Match>,
        submission: &Submission,
        (side, source): (&Side, &Units),
    ) {
        let (units, settings) = (submission.units, self.settings);
        let beside = Beside::of(&submission.side, found);
        let taken: Vec<Range<u32>> = found.iter().filter(|m| !m.weak).map(|m| m.submission.clone()).collect();
        let may_be =
            |sentence: &&Sentence| is_free(&taken, &sentence.range) && sentence.may_be_of(&submission.side, side);
        let may_be: Vec<&Sentence> = submission.long_sentences.iter().filter(may_be).collect();
        if !beside.may_be_beside(may_be.len()) {
            return;
        }
        let mut pair = self.pair(submission, (side, source));
        let mut reworded = pair.reworded_sentences(may_be, source);
        let chars = |units: &Units, range: &Range<usize>| units.span(range.start, range.end);
        reworded.retain(|(sentence, _)| {
            settings.are_long_enough(&chars(units, &sentence.submission), &chars(source, &sentence.source))
        });
        let thin = |at: usize| {
            let found: (RangePair, Evidence) = reworded[at].clone();
            Some(Thin { length: submission.side.length(&found.0.submission), found, is_short: true })
        };
        // As near as candidates that become one.
        let near = |(first, _): &(RangePair, Evidence), (next, _): &(RangePair, Evidence)| {
            let apart = |side: &Side, a: &Range<usize>, b: &Range<usize>| {
                let (from, to) = (a.end.min(b.end), a.start.max(b.start));
                if from < to { side.length(&(from..to)) } else { 0 }
            };
            is_free(&taken, &(first.submission.end..next.submission.start))
                && apart(&submission.side, &first.submission, &next.submission) <= 2 * settings.merge_gap
                && apart(side, &first.source, &next.source) <= 2 * settings.merge_gap
        };
        let passages: Vec<Match> = beside
            .that_count(reworded.len(), thin)
            .chunk_by(near)
            .map(|sentences| together(&settings, sentences, (units, source)))
            .collect();
        let added: Vec<Range<u32>> = passages.iter().map(|m| m.submission.clone()).collect();
        found.retain(|m| !m.weak || is_free(&added, &(m.submission.start as usize..m.submission.end as usize)));
        found.extend(passages);
        found.sort_by_key(|m| m.submission.start);
    }

    /// Adds short ones that stand in both texts word for word.
    fn add_short_sentences(
        &mut self,
        found: &mut Vec<Match>,
        submission: &Submission,
        (side, source): (&Side, &Units),
    ) {
        let (units, settings) = (submission.units, self.settings);
        if !Beside::of(&submission.side, found).short_sentences_count() {
            return;
        }
        let is_long = |(side, units): (&Side, &Units), sentence: &Range<usize>, shortest_passage: u32| {
            let characters = units.span(sentence.start, sentence.end).len() as f64;
            side.length(sentence) >= SHORTEST && characters >= EASED * f64::from(shortest_passage)
        };
        let mut places: AHashMap<&[u32], usize> = AHashMap::new();
        for sentence in source.sentences() {
            if is_long((side, source), &sentence, settings.min_match_source) {
                places.entry(&source.hash[sentence.clone()]).or_insert(sentence.start);
            }
        }
        let least = evidence::from_nats(EASED * settings.quotation_evidence);
        let taken: Vec<Range<u32>> = found.iter().map(|m| m.submission.clone()).collect();
        let mut pair = self.pair(submission, (side, source));
        for sentence in units.sentences() {
            let Some(&at) = places.get(&units.hash[sentence.clone()]) else { continue };
            let run = RangePair { source: at..at + sentence.len(), submission: sentence };
            if is_free(&taken, &run.submission)
                && is_long((&submission.side, units), &run.submission, settings.min_match)
                && pair.sum(Which::Submission, run.submission.clone(), run.source.clone()) >= least
            {
                found.push(Match { weak: false, ..Match::of(&settings, units, source, &Candidate::run(&run)).0 });
            }
        }
        found.sort_by_key(|m| m.submission.start);
    }
}

/// One passage of some sentences, in order, with their evidence: what stands between them is own text.
fn together(settings: &AlignSettings, sentences: &[(RangePair, Evidence)], (units, source): (&Units, &Units)) -> Match {
    let (first, _) = &sentences[0];
    let whole = sentences.iter().fold(first.clone(), |whole, (sentence, _)| whole.hull(sentence));
    let ours: Vec<Range<usize>> = sentences.iter().map(|(sentence, _)| sentence.submission.clone()).collect();
    let theirs = union(sentences.iter().map(|(sentence, _)| sentence.source.clone()).collect());
    let own = OwnText { submission: without(&whole.submission, &ours), source: without(&whole.source, &theirs) };
    let share = Share::new(settings.copied_share_max);
    let evidence = sentences.iter().map(|(_, evidence)| evidence).sum();
    let candidate = Candidate { evidence, ..Candidate::seed(whole.submission, whole.source, share) };
    Match::of(settings, units, source, &candidate).0.with_own_text(&own, units, source)
}

/// Whether no passage of the submission has anything of a range of it. They are apart and sorted.
fn is_free(taken: &[Range<u32>], sentence: &Range<usize>) -> bool {
    let next = taken.partition_point(|passage| passage.end as usize <= sentence.start);
    taken.get(next).is_none_or(|passage| passage.start as usize >= sentence.end)
}

impl PairAligner<'_> {
    /// Those of some sentences of the submission that are reworded from one of the source, with it and the evidence of both sides.
    fn reworded_sentences(&mut self, sentences: Vec<&Sentence>, source: &Units) -> Vec<(RangePair, Evidence)> {
        let theirs = source.sentences();
        let borders: Vec<usize> = theirs.iter().map(|sentence| sentence.start).chain([source.len()]).collect();
        let theirs: Vec<Option<Sentence>> = theirs.into_iter().map(|range| Sentence::long(source, range)).collect();
        let places = self.places(&borders);
        let meetings = self.meetings(&places, evidence::length_offset(2 * self.settings.block as usize));
        let [meeting, least] = [LEAST_MEETING, LEAST_EVIDENCE].map(evidence::from_nats);
        // What each sentence of the source shares with the one at hand, and which of them were touched, some several times.
        let (mut shared, mut touched): (Vec<Evidence>, Vec<u32>) = (vec![0; theirs.len()], Vec::new());
        let (mut picked, mut ranked, mut found) = (Vec::new(), Vec::new(), Vec::new());
        for sentence in sentences {
            let features = self.submission.feature[sentence.range.clone()].iter();
            pick(features.map(|&feature| (feature, meetings[feature as usize].weight > 0)), &mut picked);
            for &feature in &picked {
                let meeting = &meetings[feature as usize];
                let columns = places.of(meeting);
                columns.iter().for_each(|column| shared[*column as usize] += Evidence::from(meeting.weight));
                touched.extend_from_slice(columns);
            }
            let sums = touched.drain(..).map(|column| (std::mem::take(&mut shared[column as usize]), column));
            ranked.extend(sums.filter(|(sum, _)| *sum >= meeting).map(|(sum, column)| (Reverse(sum), column)));
            if ranked.len() > COMPARED {
                ranked.select_nth_unstable(COMPARED);
                ranked.truncate(COMPARED);
            }
            ranked.sort_unstable();
            let mut compared = ranked.drain(..).filter_map(|(_, column)| theirs[column as usize].as_ref());
            if let Some(there) = compared.find(|there| sentence.is_reworded(there)) {
                let run = RangePair { submission: sentence.range.clone(), source: there.range.clone() };
                let evidence = self.sum(Which::Submission, run.submission.clone(), run.source.clone())
                    + self.sum(Which::Source, run.source.clone(), run.submission.clone());
                if evidence >= least {
                    found.push((run, evidence));
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::AlignSettings;

    /// `number` sentences of 16 words, or of 30 Han characters, without their full stops.
    fn sentences(number: usize, is_han: bool) -> Vec<Vec<String>> {
        let unit = |at: usize| match is_han {
            true => char::from_u32(0x4e00 + (at * 37 % 20_000) as u32).unwrap().to_string(),
            false => format!("word{at}x "),
        };
        let length = if is_han { 30 } else { 16 };
        (0..number).map(|sentence| (0..length).map(|at| unit(sentence * length + at)).collect()).collect()
    }

    fn text(sentences: &[Vec<String>]) -> String {
        sentences.iter().map(|sentence| format!("W{}. ", sentence.concat().trim())).collect()
    }

    /// The same with each fourth unit replaced, from the first one on.
    fn reworded(sentences: &[Vec<String>]) -> Vec<Vec<String>> {
        let other = |at: usize, unit: &String| match at % 4 {
            0 if unit.is_ascii() => format!("other{unit}"),
            0 => char::from_u32(unit.chars().next().unwrap() as u32 + 7).unwrap().to_string(),
            _ => unit.clone(),
        };
        sentences
            .iter()
            .map(|sentence| sentence.iter().enumerate().map(|(at, unit)| other(at, unit)).collect())
            .collect()
    }

    /// What counts of a text that has these groups of sentences with a hundred words of its own behind each, against one of sentences.
    fn counted(written: &[&[Vec<String>]], source: &[Vec<String>]) -> Vec<Match> {
        let own = |at: usize| (0..100).map(|word| format!("mine{at}y{word} ")).collect::<String>();
        let groups = written.iter().enumerate();
        let written: String = groups.map(|(at, group)| format!("{}W{}. ", text(group), own(at).trim())).collect();
        let (ours, theirs) = (Units::from_text(&written), Units::from_text(&text(source)));
        let mut found = Aligner::new(AlignSettings::balanced()).align(&Submission::new(&ours), &theirs);
        found.retain(|m| !m.weak);
        found
    }

    #[test]
    fn reworded_sentences_that_stand_alone_count_beside_each_other_from_a_hundred_words_on() {
        let found = |number: usize, is_han: bool| {
            let written = reworded(&sentences(number, is_han));
            counted(&written.chunks(1).rev().collect::<Vec<_>>(), &sentences(number, is_han)).len()
        };
        assert_eq!([3, 6, 7, 9].map(|number| found(number, false)), [0, 0, 7, 9]);
        assert_eq!([3, 6, 7, 9].map(|number| found(number, true)), [0, 0, 7, 9]);
    }

    #[test]
    fn reworded_sentences_that_follow_each_other_in_another_order_are_one_passage() {
        let source = sentences(9, false);
        let mut written = reworded(&source);
        written[..2].reverse();
        let (two, others) = written.split_at(2);
        let groups: Vec<&[Vec<String>]> = others.chunks(1).rev().chain([two]).collect();
        let lengths: Vec<usize> = counted(&groups, &source).iter().map(|m| m.submission.len()).collect();
        assert_eq!(lengths, [16, 16, 16, 16, 16, 16, 16, 32]);
    }
}
