//! The sentences of a text: where they stand, how long they are, what they mean.

use crate::encoder::{WIDTH, unit};
use crate::model::{CODE_BITS, Model};
use copytrace_job::{Cancelled, Job};
use copytrace_text::char_text::CharText;
use copytrace_text::flag;
use copytrace_text::units::Units;
use rayon::prelude::*;
use std::ops::Range;

/// Units of a sentence: more are a table, or a text without stops, and are cut.
const MOST_UNITS: usize = 120;

/// For each number a sentence has at least so many words: rows of tables say nothing that could be translated.
const LEAST_WORDS: usize = 3;

/// A word says as much as so many Han characters.
const WORD: f32 = 1.6;

/// The mean of a text is taken over so many sentences more, of which nothing is known: that of a short one is no mean.
const PRIOR_SENTENCES: f32 = 15.0;

/// Sentences for one thread at a time.
const PER_THREAD: usize = 256;

/// The code of a sentence: signs of its vector in a turned space. Vectors at an angle of `a` differ in some `a / π` of the bits.
pub(crate) type Code = [u8; CODE_BITS / 8];

/// Sentences of a text without their meaning.
pub(crate) struct Cut {
    /// The characters of each.
    pub(crate) spans: Vec<Range<u32>>,
    /// How much each says, in Han characters.
    pub(crate) sizes: Vec<f32>,
}

/// What all sentences of a text have in common.
pub(crate) type Mean = [f32; WIDTH];

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

    /// The codes of sentences.
    pub(crate) fn codes_of(&self, centred: &[[f32; WIDTH]]) -> Vec<Code> {
        let mut codes = Vec::with_capacity(centred.len());
        for vectors in centred.chunks(PER_THREAD) {
            let turned = self.codes.times(vectors.as_flattened());
            codes.extend(turned.chunks_exact(CODE_BITS).map(|numbers| {
                let mut code = [0; CODE_BITS / 8];
                for (bit, number) in numbers.iter().enumerate() {
                    code[bit / 8] |= u8::from(*number > 0.0) << (bit % 8);
                }
                code
            }));
        }
        codes
    }
}

/// The mean of a text's sentences.
pub(crate) fn mean(vectors: &[[f32; WIDTH]]) -> Mean {
    let mut mean = [0.0; WIDTH];
    for vector in vectors {
        mean.iter_mut().zip(vector).for_each(|(sum, number)| *sum += number);
    }
    mean.map(|sum| sum / (vectors.len() as f32 + PRIOR_SENTENCES))
}

/// Vectors without what all sentences of the text have in common, each of length 1.
pub(crate) fn centred(vectors: &[[f32; WIDTH]], mean: &Mean) -> Vec<[f32; WIDTH]> {
    let without = |vector: &[f32; WIDTH]| {
        let mut vector = *vector;
        vector.iter_mut().zip(mean).for_each(|(number, mean)| *number -= mean);
        unit(vector)
    };
    vectors.iter().map(without).collect()
}
