//! Short sentences of a source from which others were copied: alone each says little, beside the others it is copied, too.
//!
//! Who shuffles the sentences of a source leaves no neighbours that agree. Its long sentences are quotations by themselves; a short one
//! is looked up whole, and only if the source has several passages that count already.

use super::candidate::{Candidate, RangePair};
use super::evidence::{self, Evidence, EvidenceTable, Share};
use super::extent::Extent;
use super::matches::Match;
use super::settings::AlignSettings;
use super::side::{Side, rate_class};
use super::submission::Submission;
use crate::text::flag;
use crate::text::units::Units;
use ahash::AHashMap;
use std::ops::Range;

/// Passages of a source that count, from which on its short sentences are looked up. Of eight English and eight Chinese texts whose copied
/// sentences were shuffled over the whole text, .96 and .91 count with 5, .97 and .93 with 3, and .91 and .82 without; of 44 theses against
/// each other, of one field and of PAN 2013 nothing counts for it but seven sentences of theses that are versions of one.
const PASSAGES: usize = 3;

/// Half words that these have together: a hundred words. Stock sentences, of which two theses may share three, are shorter.
const COPIED: u32 = 200;

/// Half words of the shortest sentence that is looked up: five words, or ten Han characters.
const SHORTEST: u32 = 10;

/// The share of the shortest passage's characters ([`AlignSettings::min_match`]) that it has.
const OF_SHORTEST_PASSAGE: f64 = 0.5;

/// Evidence that it has at least, in nats on one side: half of what a quotation needs that stands alone.
const LEAST_NATS: f64 = 7.5;

/// Adds the short sentences to the passages of a source, which are apart and sorted.
pub(super) fn add_short_sentences(
    found: &mut Vec<Match>,
    submission: &Submission,
    (side, source): (&Side, &Units),
    (settings, table): (&AlignSettings, &EvidenceTable),
) {
    let units = submission.units;
    let copied = |m: &Match| submission.side.length(&(m.submission.start as usize..m.submission.end as usize));
    let counted: Vec<u32> = found.iter().filter(|m| !m.weak).map(copied).collect();
    if settings.verbatim_only.is_some() || counted.len() < PASSAGES || counted.iter().sum::<u32>() < COPIED {
        return;
    }
    let is_long = |(units, least): (&Units, u32), sentence: &Range<usize>| {
        let characters = units.span(sentence.start, sentence.end).len() as f64;
        Extent::of(&units.flags[sentence.clone()]).half_words >= SHORTEST
            && characters >= OF_SHORTEST_PASSAGE * f64::from(least)
    };
    let mut places: AHashMap<&[u32], usize> = AHashMap::new();
    for sentence in sentences(source).filter(|sentence| is_long((source, settings.min_match_source), sentence)) {
        places.entry(&source.hash[sentence.clone()]).or_insert(sentence.start);
    }
    let row = table.row(Share::new(settings.copied_share_max));
    let evidence = |sentence: &Range<usize>| -> Evidence {
        let offset = evidence::length_offset(sentence.len());
        let worth = |unit: usize| {
            let feature = submission.side.feature[unit];
            let counts = (submission.side.counts[feature as usize], side.counts[feature as usize]);
            let sort = submission.sorts()[feature as usize];
            let class = rate_class(sort, (&submission.side, counts.0), (side, counts.1), settings.rate_smoothing);
            Evidence::from(row.value(evidence::index(class, offset), units.flags[unit], true, false))
        };
        sentence.clone().map(worth).sum()
    };
    let mut added = Vec::new();
    for sentence in sentences(units).filter(|sentence| is_long((units, settings.min_match), sentence)) {
        let Some(&at) = places.get(&units.hash[sentence.clone()]) else { continue };
        let next = found.partition_point(|m| (m.submission.end as usize) <= sentence.start);
        let is_free = found.get(next).is_none_or(|m| m.submission.start as usize >= sentence.end);
        if is_free && evidence(&sentence) >= evidence::from_nats(LEAST_NATS) {
            let run = RangePair { source: at..at + sentence.len(), submission: sentence };
            added.push(Match { weak: false, ..Match::of(settings, units, source, &Candidate::run(&run)).0 });
        }
    }
    found.extend(added);
    found.sort_by_key(|m| m.submission.start);
}

/// The sentences of a text, in units.
fn sentences(units: &Units) -> impl Iterator<Item = Range<usize>> {
    let ends = (1..units.len()).filter(|&unit| units.flags[unit] & flag::SENTENCE != 0).chain([units.len()]);
    ends.scan(0, |from, to| Some(std::mem::replace(from, to)..to))
}

#[cfg(test)]
mod tests {
    use crate::align::{AlignSettings, Aligner, Submission};
    use crate::text::units::Units;

    /// Sentences of so many words, each with words of its own; or of Han characters.
    fn sentences(lengths: &[usize], is_han: bool) -> Vec<String> {
        let mut next = 0;
        let mut word = || {
            next += 1;
            match is_han {
                true => char::from_u32(0x4e00 + next * 37 % 20_000).unwrap().to_string(),
                false => format!("word{next}x "),
            }
        };
        let mut sentence = |length: &usize| (0..*length).map(|_| word()).collect::<String>();
        lengths
            .iter()
            .map(|length| format!("W{}{}", sentence(length).trim(), if is_han { "。" } else { ". " }))
            .collect()
    }

    /// The sentences of a source that count in a text that has them backwards, with a hundred words of its own behind each, so that no
    /// two are one passage.
    fn counted(source: &[String], settings: AlignSettings) -> Vec<bool> {
        let own = |at: usize| (0..100).map(|word| format!("mine{at}y{word} ")).collect::<String>();
        let mut places = Vec::new();
        let mut submission = String::new();
        for (at, sentence) in source.iter().enumerate().rev() {
            places.push(submission.chars().count() as u32 + 1);
            submission += &format!("{sentence}{}. ", own(at).trim());
        }
        let units = Units::from_text(&submission);
        let found = Aligner::new(settings).align(&Submission::new(&units), &Units::from_text(&source.concat()));
        let counts = |at: &u32| found.iter().any(|m| !m.weak && m.submission_chars.contains(at));
        places.iter().rev().map(counts).collect()
    }

    #[test]
    fn short_sentences_count_beside_three_passages_of_their_source_in_any_order() {
        let source = sentences(&[40, 6, 40, 8, 40, 5, 3], false);
        assert_eq!(counted(&source, AlignSettings::balanced()), [true, true, true, true, true, true, false]);
        let source = sentences(&[80, 12, 80, 15, 80, 10, 6], true);
        assert_eq!(counted(&source, AlignSettings::balanced()), [true, true, true, true, true, true, false]);
    }

    #[test]
    fn short_sentences_beside_two_passages_or_beside_three_quotations_count_for_nothing() {
        assert_eq!(counted(&sentences(&[40, 6, 90], false), AlignSettings::balanced()), [true, false, true]);
        assert_eq!(
            counted(&sentences(&[14, 6, 14, 6, 14], false), AlignSettings::balanced()),
            [true, false, true, false, true]
        );
    }

    #[test]
    fn no_sentence_is_shorter_than_half_of_the_shortest_passage_that_was_asked_for() {
        let source = sentences(&[40, 6, 40, 11, 40], false);
        let settings = AlignSettings::balanced().with_min_match(120);
        assert_eq!(counted(&source, settings), [true, false, true, true, true]);
    }
}
