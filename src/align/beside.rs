//! What counts beside other passages of its source: who copied from it in some places is likelier to have done so in others.
//!
//! Thin passages count with half of the evidence that they need alone, and many of them vouch for each other; so do sentences that were looked
//! up by themselves ([`sentences`](super::sentences)).

use super::matches::Match;
use super::settings::AlignSettings;
use super::side::Side;

/// Passages of a source that count, from which on others are likelier.
const PASSAGES: usize = 2;

/// Passages from which on thin ones vouch for each other, those that count among them. Of 102 Chinese books against 204 others, and of texts
/// of one field, no pair has more than three; of 44 theses some have, and all are papers of one author.
pub const THIN_PASSAGES: usize = 4;

/// Thin passages too short to be reported as weak, from which on they count: who scatters sentences does it often. In PAN 2013, where some
/// passages are planted in two texts about one thing, 29 pairs have one such passage besides, two have two, and one has three.
pub const SHORT_PASSAGES: usize = 3;

/// The same for short sentences. With two, two lines of PAN's web pages count ("Back to top …").
const PASSAGES_OF_SENTENCES: usize = 3;

/// Half words that these have together: a hundred words. Stock sentences, of which two theses may share several, are shorter.
const COPIED: u32 = 200;

/// The share of evidence and length that a passage beside them needs to count, and a short sentence of those of a quotation alone. Of PAN
/// 2013 30 passages count for it: seven meet planted cases, and of the others, whose pairs hardly anybody judged, all but three or four are
/// rewordings of one text. Of 102 Chinese books against 204 others 28 do, all retold or quoted; of 44 theses 35, all between papers of one
/// author; of one field none.
pub(super) const EASED: f64 = 0.5;

/// What a passage needs beside others of the same source that tell that it was copied from.
pub(super) fn eased(settings: &AlignSettings) -> AlignSettings {
    settings
        .with_counted_evidence(EASED * settings.counted_evidence)
        .with_counted_evidence_han(EASED * settings.counted_evidence_han)
        .with_counted_length((EASED * f64::from(settings.counted_length)).ceil() as u32)
}

/// The half words of a passage in the submission.
pub(super) fn length_in(submission: &Side, found: &Match) -> u32 {
    submission.length(&(found.submission.start as usize..found.submission.end as usize))
}

/// A weak passage, or a sentence, that may count beside others.
pub(super) struct Thin<T> {
    pub found: T,
    /// Half words.
    pub length: u32,
    /// Whether it is too short to be reported as weak.
    pub is_short: bool,
}

/// The passages of a source that count.
pub(super) struct Beside {
    passages: usize,
    half_words: u32,
}

impl Beside {
    /// Of those that were found in a submission.
    pub fn of(submission: &Side, found: &[Match]) -> Self {
        let counted = found.iter().filter(|m| !m.weak).map(|m| length_in(submission, m));
        let (passages, half_words) = counted.fold((0, 0_u32), |(n, sum), length| (n + 1, sum.saturating_add(length)));
        Beside { passages, half_words }
    }

    /// Whether these passages tell that the source was copied from.
    fn is_copied_from(&self) -> bool {
        self.passages >= PASSAGES && self.half_words >= COPIED
    }

    /// Whether thin passages may count if there are `thin` of them.
    pub fn may_be_beside(&self, thin: usize) -> bool {
        self.passages + thin >= THIN_PASSAGES || self.is_copied_from()
    }

    /// The thin ones of `found` passages that count beside these, and beside each other.
    pub fn that_count<T>(&self, found: usize, thin: impl Fn(usize) -> Option<Thin<T>>) -> Vec<T> {
        if !self.may_be_beside(found) {
            return Vec::new();
        }
        let mut thin: Vec<Thin<T>> = (0..found).filter_map(thin).collect();
        let short = thin.iter().filter(|thin| thin.is_short).count();
        thin.retain(|thin| short >= SHORT_PASSAGES || !thin.is_short);
        let all = thin.iter().fold(self.half_words, |sum, thin| sum.saturating_add(thin.length));
        let vouch_for_each_other = self.passages + thin.len() >= THIN_PASSAGES && all >= COPIED;
        let count = vouch_for_each_other || self.is_copied_from();
        thin.into_iter().filter(|_| count).map(|thin| thin.found).collect()
    }

    /// Whether short sentences count that stand in both texts word for word.
    pub fn short_sentences_count(&self) -> bool {
        self.passages >= PASSAGES_OF_SENTENCES && self.is_copied_from()
    }
}

#[cfg(test)]
mod tests {
    use crate::align::{AlignSettings, Aligner, Submission};
    use crate::text::units::Units;

    /// Sentences of these `lengths` in words, each with words of its own; or in Han characters.
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
    fn a_thin_passage_counts_beside_two_that_count_and_not_alone() {
        // Every fourth Han character of the last passage is another.
        let mut source = sentences(&[120, 120, 80], true);
        let thin = |sentence: &String| {
            let other = |at: usize| char::from_u32(0x7000 + at as u32 * 11).unwrap();
            sentence.chars().enumerate().map(|(at, c)| if at % 4 == 3 && c != '。' { other(at) } else { c }).collect()
        };
        let reworded: String = thin(&source[2]);
        let weak = |source: &[String], written: &[String]| {
            let own =
                |at: usize| (0..150).map(|c| char::from_u32(0x8000 + 200 * at as u32 + c).unwrap()).collect::<String>();
            let text: String = written.iter().enumerate().map(|(at, s)| format!("{s}{}。", own(at))).collect();
            let units = Units::from_text(&text);
            let found = Aligner::new(AlignSettings::balanced())
                .align(&Submission::new(&units), &Units::from_text(&source.concat()));
            found.iter().map(|m| m.weak).collect::<Vec<_>>()
        };
        let written = [source[0].clone(), source[1].clone(), reworded.clone()];
        assert_eq!(weak(&source, &written), [false, false, false]);
        source.swap(0, 2);
        assert_eq!(weak(&source[..1], &[reworded]), [true]);
    }

    #[test]
    fn thin_passages_vouch_for_each_other_from_a_hundred_words_on() {
        let written = |thin: usize| {
            let source = sentences(&vec![24; thin], false);
            let own = |at: usize| (0..100).map(|word| format!("mine{at}y{word} ")).collect::<String>();
            let other = |at: usize, word: &str| if at % 6 == 5 { format!("other{at}{word}") } else { word.to_owned() };
            let reworded = |sentence: &String| {
                sentence.split(' ').enumerate().map(|(at, word)| other(at, word)).collect::<Vec<_>>().join(" ")
            };
            let texts = source.iter().enumerate().rev().map(|(at, s)| format!("{}{}. ", reworded(s), own(at).trim()));
            let units = Units::from_text(&texts.collect::<String>());
            let source = Units::from_text(&source.concat());
            let found = Aligner::new(AlignSettings::balanced()).align(&Submission::new(&units), &source);
            found.iter().filter(|m| !m.weak).count()
        };
        assert_eq!([3, 4, 5, 6].map(written), [0, 0, 5, 6]);
    }

    #[test]
    fn no_sentence_is_shorter_than_half_of_the_shortest_passage_that_was_asked_for() {
        let source = sentences(&[40, 6, 40, 11, 40], false);
        let settings = AlignSettings::balanced().with_min_match(120);
        assert_eq!(counted(&source, settings), [true, false, true, true, true]);
    }
}
