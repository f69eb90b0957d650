//! The sentences of a text: where they stand, how long they are, what they mean.

use crate::encoder::{WIDTH, unit};
use crate::model::Model;
use copytrace_job::{Cancelled, Job};
use copytrace_text::char_text::CharText;
use copytrace_text::flag;
use copytrace_text::units::Units;
use rayon::prelude::*;
use std::ops::Range;

/// Units of a sentence: more are a table, or a text without stops, and are cut.
const MOST_UNITS: usize = 120;

/// The fewest words of a sentence for each number in it: rows of tables say nothing that could be translated.
const LEAST_WORDS: usize = 3;

/// How many Han characters say as much as a word.
const WORD: f32 = 1.6;

/// How many more sentences the mean of a text is taken over, of which nothing is known: that of a short one is no mean.
const PRIOR_SENTENCES: f32 = 15.0;

/// The steps of the greatest number of a mean, which is kept in four bits a number: the rest of it, a sixth, is in all sentences alike.
const MOST_STEPS: f32 = 7.0;

/// How much sentences that have a code together say at least, in Han characters.
const LEAST_OF_CODE: f32 = 40.0;

/// Sentences that have a code together at the most: rows of a table say nothing.
const MOST_OF_CODE: usize = 64;

/// As how many Han characters a sentence that says nothing counts among the sentences of a code.
const NOTHING: f32 = 0.01;

/// Sentences for one thread at a time.
const PER_THREAD: usize = 256;

/// Sentences of a text without their meaning.
pub(crate) struct Cut {
    /// The characters of each.
    pub(crate) spans: Vec<Range<u32>>,
    /// How much each says, in Han characters.
    pub(crate) sizes: Vec<f32>,
}

/// What all sentences of a text have in common: the mean of their vectors, as it is kept. It is rounded everywhere, so that what is kept of
/// a document changes no result.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mean {
    pub(crate) step: f32,
    pub(crate) steps: [i8; WIDTH],
}

impl Cut {
    pub(crate) fn of(units: &Units) -> Self {
        let parts = units.sentences().into_iter().flat_map(|sentence| {
            let end = sentence.end;
            sentence.step_by(MOST_UNITS).map(move |start| start..end.min(start + MOST_UNITS))
        });
        let (mut spans, mut sizes) = (Vec::new(), Vec::new());
        for part in parts {
            let numbers = part.clone().filter(|&unit| units.flags[unit] & flag::NUMBER != 0).count();
            let size = |unit: usize| match units.flags[unit] & (flag::HAN | flag::NUMBER) {
                0 => WORD,
                flag::HAN => 1.0,
                _ => 0.0,
            };
            let says = (numbers * LEAST_WORDS <= part.len() - numbers) as u8;
            spans.push(units.span(part.start, part.end));
            sizes.push(f32::from(says) * part.map(size).sum::<f32>());
        }
        Cut { spans, sizes }
    }

    pub(crate) fn len(&self) -> usize {
        self.spans.len()
    }

    /// The sentences that have a code together.
    pub(crate) fn groups(&self) -> Vec<Range<usize>> {
        let mut groups: Vec<Range<usize>> = Vec::new();
        while let Some(group) = self.group_from(groups.last().map_or(0, |last| last.end)) {
            groups.push(group);
        }
        match groups.last_mut() {
            Some(last) => last.end = self.len(),
            None if self.len() > 0 => groups.push(0..self.len()),
            None => (),
        }
        groups
    }

    fn group_from(&self, start: usize) -> Option<Range<usize>> {
        let mut size = 0.0;
        let is_enough = |says: &f32| {
            size += says;
            size >= LEAST_OF_CODE
        };
        let (rest, full) = (&self.sizes[start..], self.sizes.get(start..start + MOST_OF_CODE));
        let end = full.unwrap_or(rest).iter().position(is_enough).or(full.map(|full| full.len() - 1));
        end.map(|last| start..start + last + 1)
    }

    /// What each group says, of the vectors of sentences.
    pub(crate) fn grouped(&self, vectors: &[[f32; WIDTH]]) -> Vec<[f32; WIDTH]> {
        let together = |group: Range<usize>| {
            let mut sum = [0.0; WIDTH];
            for sentence in group {
                let weight = self.sizes[sentence].max(NOTHING).sqrt();
                sum.iter_mut().zip(&vectors[sentence]).for_each(|(sum, number)| *sum += weight * number);
            }
            unit(sum)
        };
        self.groups().into_iter().map(together).collect()
    }

    /// Some of the sentences.
    pub(crate) fn part(&self, sentences: &[usize]) -> Self {
        let spans = sentences.iter().map(|&sentence| self.spans[sentence].clone()).collect();
        Cut { spans, sizes: sentences.iter().map(|&sentence| self.sizes[sentence]).collect() }
    }
}

impl Model {
    /// The vectors of some sentences as the encoder gives them.
    pub(crate) fn encode(
        &self,
        text: &CharText,
        spans: &[Range<u32>],
        job: &Job,
    ) -> Result<Vec<[f32; WIDTH]>, Cancelled> {
        let sentences: Vec<&str> = spans.iter().map(|span| text.slice(span)).collect();
        let parts: Result<Vec<Vec<_>>, Cancelled> =
            sentences.par_chunks(PER_THREAD).map(|part| self.encoder.encode(part, || job.cancel.check())).collect();
        Ok(parts?.concat())
    }
}

impl Mean {
    /// Of a text's sentences.
    pub(crate) fn of(vectors: &[[f32; WIDTH]]) -> Self {
        let mut mean = [0.0; WIDTH];
        for vector in vectors {
            mean.iter_mut().zip(vector).for_each(|(sum, number)| *sum += number);
        }
        let mean = mean.map(|sum| sum / (vectors.len() as f32 + PRIOR_SENTENCES));
        let step = mean.iter().fold(0.0f32, |most, number| most.max(number.abs())) / MOST_STEPS;
        let steps = |number: f32| if step > 0.0 { libm::roundf(number / step) as i8 } else { 0 };
        Mean { step, steps: mean.map(steps) }
    }

    /// Vectors without what all sentences of the text have in common, each of length 1.
    pub(crate) fn centred(&self, vectors: &[[f32; WIDTH]]) -> Vec<[f32; WIDTH]> {
        let mean = self.steps.map(|steps| f32::from(steps) * self.step);
        let without = |vector: &[f32; WIDTH]| {
            let mut vector = *vector;
            vector.iter_mut().zip(mean).for_each(|(number, mean)| *number -= mean);
            unit(vector)
        };
        vectors.iter().map(without).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_have_a_code_with_what_follows_and_the_last_ones_with_what_stands_before() {
        let groups = |sizes: &[f32]| Cut { spans: vec![0..1; sizes.len()], sizes: sizes.to_vec() }.groups();
        assert_eq!(groups(&[66.0, 15.0, 0.0, 25.0, 40.0, 10.0, 14.0]), [0..1, 1..4, 4..7]);
        assert_eq!(groups(&[0.0; 150]), [0..64, 64..150]);
        assert_eq!(groups(&[3.0, 4.0]), vec![0..2; 1]);
        assert!(groups(&[]).is_empty());
    }

    #[test]
    fn a_group_says_what_its_sentences_say_by_their_sizes() {
        let direction = |place: usize| std::array::from_fn(|number| if number == place { 1.0 } else { 0.0 });
        let cut = Cut { spans: vec![0..1; 3], sizes: vec![9.0, 0.0, 4.0] };
        let grouped = cut.grouped(&[direction(0), direction(1), direction(2)]);
        assert_eq!(grouped.len(), 1);
        let (long, nothing, short) = (grouped[0][0], grouped[0][1], grouped[0][2]);
        assert!((long / short - 1.5).abs() < 1e-5 && nothing < 0.05);
    }

    #[test]
    fn a_mean_is_rounded_to_less_than_a_tenth_of_its_greatest_number() {
        let vector: [f32; WIDTH] = std::array::from_fn(|number| (number as f32 - 200.0) / 4000.0);
        let mean = Mean::of(&vec![vector; 85]);
        for (steps, number) in mean.steps.iter().zip(vector) {
            assert!((f32::from(*steps) * mean.step - 0.85 * number).abs() <= 0.0778 * 0.85 / 14.0 + 1e-6);
        }
        assert_eq!(Mean::of(&[]).centred(&[vector])[0], unit(vector));
    }
}
