//! Which documents, and where in them, may say what a submission says: codes of sentences compared with all codes of a library.

use crate::model::CODE_BITS;
use crate::sentences::Code;
use copytrace_hamming::cpu::{Cpu, Kernel};
use copytrace_job::{Cancelled, Job};
use rayon::prelude::*;
use std::ops::Range;

/// Sentences in a row that lead to a document together: of one alone a large library always holds one that is near.
const RUN: usize = 6;

/// Documents whose sentences are compared, beside those of short texts.
const MOST_DOCUMENTS: usize = 48;

/// Places of one document that are looked at.
const MOST_PLACES: usize = 4;

/// A sentence that is farther than expected takes no more bits from its run than this.
const MOST_LOSS: i32 = CODE_BITS as i32 / 64;

/// What a sentence is like anyway is how near these other documents are to it, the nearest being the first. The first two are left out:
/// a work may stand in a library three times.
const EXPECTED: Range<usize> = 2..6;

/// What the others are near by, when a document is judged: all of the nearest, as one of them is mostly itself.
const NEAREST: usize = 6;

/// Where a document may say what sentences of the submission say.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) document: usize,
    /// Sentences of the submission, each with the one of the document that is nearest to it.
    pub(crate) places: Vec<Vec<(usize, usize)>>,
}

/// The distances of a submission's sentences to those of documents.
pub(crate) struct Distances {
    sentences: usize,
    /// By document and sentence: bits that differ from the nearest sentence, and which that is.
    nearest: Vec<Vec<(u16, u32)>>,
    /// By sentence: the distances of the nearest documents, nearest first.
    sorted: Vec<Vec<u16>>,
}

impl Distances {
    /// Of codes to those of documents. Memory is 8 bytes for each sentence of the submission and document.
    pub(crate) fn of(submission: &[Code], documents: &[&[Code]], job: &Job) -> Result<Self, Cancelled> {
        let compared = documents.par_iter().map(|codes| {
            job.check()?;
            Ok(Cpu::best().run(Nearest { submission, codes }))
        });
        let nearest: Vec<Vec<(u16, u32)>> = compared.collect::<Result<_, Cancelled>>()?;
        let sorted = (0..submission.len()).into_par_iter().map(|sentence| {
            let mut all: Vec<u16> = nearest.iter().map(|document| document[sentence].0).collect();
            let count = (NEAREST + 1).min(all.len());
            if count > 0 {
                all.select_nth_unstable(count - 1);
            }
            all.truncate(count);
            all.sort_unstable();
            all
        });
        Ok(Distances { sentences: submission.len(), sorted: sorted.collect(), nearest })
    }

    /// Whether other documents tell what a sentence is like anyway.
    pub(crate) fn tell(&self) -> bool {
        self.nearest.len() > EXPECTED.end
    }

    /// The cosine that each sentence of the submission has to documents beside this one.
    pub(crate) fn expected(&self, document: usize) -> Vec<f32> {
        let of = |sentence: usize| {
            let sorted = &self.sorted[sentence];
            // Its own distance is left out, once.
            let own = sorted.iter().position(|distance| *distance == self.nearest[document][sentence].0);
            let others =
                sorted.iter().enumerate().filter(|(place, _)| Some(*place) != own).map(|(_, distance)| *distance);
            let taken: Vec<u16> = others.skip(EXPECTED.start).take(EXPECTED.len()).collect();
            let mean = taken.iter().map(|&distance| f32::from(distance)).sum::<f32>() / taken.len() as f32;
            libm::cosf(std::f32::consts::PI * mean / CODE_BITS as f32)
        };
        match self.tell() {
            true => (0..self.sentences).map(of).collect(),
            false => vec![0.0; self.sentences],
        }
    }

    /// The documents that are worth comparing sentence by sentence, the best first, each with its best places.
    pub(crate) fn candidates(&self) -> Vec<Candidate> {
        let mut found: Vec<(i64, Candidate)> = (0..self.nearest.len())
            .into_par_iter()
            .map(|document| {
                let runs = self.runs(document);
                let places = runs.iter().map(|(_, run)| {
                    run.clone().map(|sentence| (sentence, self.nearest[document][sentence].1 as usize)).collect()
                });
                (runs.first().map_or(i64::MIN, |run| run.0), Candidate { document, places: places.collect() })
            })
            .filter(|(_, candidate)| !candidate.places.is_empty())
            .collect();
        found.sort_by_key(|(evidence, candidate)| (-evidence, candidate.document));
        found.into_iter().take(MOST_DOCUMENTS).map(|(_, candidate)| candidate).collect()
    }

    /// The best runs of sentences in one document that do not overlap, with how much nearer than expected they are, in sixths of bits.
    fn runs(&self, document: usize) -> Vec<(i64, Range<usize>)> {
        let nearest = &self.nearest[document];
        // Where there is no other document, a sentence is expected to be as far as its neighbours.
        let own: i64 = nearest.iter().map(|(distance, _)| i64::from(*distance)).sum();
        let alone = own * NEAREST as i64 / nearest.len().max(1) as i64;
        let gains: Vec<i64> = (0..self.sentences)
            .map(|sentence| {
                let others = self.sorted[sentence].iter().skip(1).take(NEAREST - 1);
                let count = others.len() as i64;
                let expected: i64 = others.map(|distance| i64::from(*distance)).sum();
                let expected = if count == 0 { alone } else { expected * NEAREST as i64 / count };
                let gain = expected - i64::from(nearest[sentence].0) * NEAREST as i64;
                gain.max(-i64::from(MOST_LOSS) * NEAREST as i64)
            })
            .collect();
        let length = RUN.min(gains.len());
        let mut runs: Vec<(i64, Range<usize>)> = (0..(gains.len() + 1).saturating_sub(length.max(1)))
            .map(|start| (gains[start..start + length].iter().sum(), start..start + length))
            .collect();
        runs.sort_by_key(|(gain, run)| (-gain, run.start));
        let mut taken: Vec<(i64, Range<usize>)> = Vec::new();
        for run in runs {
            if taken.len() == MOST_PLACES {
                break;
            }
            if taken.iter().all(|(_, other)| other.end <= run.1.start || run.1.end <= other.start) {
                taken.push(run);
            }
        }
        taken
    }
}

/// For each code of a submission the nearest of a document; of equal ones the first.
struct Nearest<'a> {
    submission: &'a [Code],
    codes: &'a [Code],
}

impl Kernel for Nearest<'_> {
    type Output = Vec<(u16, u32)>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let mut found = Vec::with_capacity(self.submission.len());
        for query in self.submission {
            let mut least = u64::MAX;
            for (place, code) in self.codes.iter().enumerate() {
                let mut distance = 0;
                for word in 0..CODE_BITS / 64 {
                    distance += u64::from((query[word] ^ code[word]).count_ones());
                }
                least = least.min(distance << 32 | place as u64);
            }
            found.push(((least >> 32).min(CODE_BITS as u64) as u16, least as u32));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(number: u64) -> Code {
        let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        std::array::from_fn(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        })
    }

    #[test]
    fn the_document_that_holds_a_run_of_near_sentences_comes_first_with_its_place() {
        let submission: Vec<Code> = (0..40).map(code).collect();
        let documents: Vec<Vec<Code>> = (0..9)
            .map(|document| {
                let mut codes: Vec<Code> = (0..50).map(|sentence| code(1000 + document * 50 + sentence)).collect();
                if document == 4 {
                    for sentence in 0..6 {
                        codes[20 + sentence] = code(10 + sentence as u64);
                        codes[20 + sentence][0] ^= 0xffff_ffff;
                    }
                }
                codes
            })
            .collect();
        let documents: Vec<&[Code]> = documents.iter().map(Vec::as_slice).collect();
        let distances = Distances::of(&submission, &documents, &Job::default()).unwrap();
        let best = &distances.candidates()[0];
        assert_eq!(best.document, 4);
        assert_eq!(best.places[0], (0..6).map(|sentence| (10 + sentence, 20 + sentence)).collect::<Vec<_>>());
        assert!(distances.tell() && distances.expected(4)[12] < 0.3);
    }

    #[test]
    fn every_level_finds_the_nearest_of_all() {
        let (submission, codes): (Vec<Code>, Vec<Code>) = ((0..7).map(code).collect(), (50..150).map(code).collect());
        let slow: Vec<(u16, u32)> = submission
            .iter()
            .map(|query| {
                let distance = |code: &Code| -> u32 { query.iter().zip(code).map(|(a, b)| (a ^ b).count_ones()).sum() };
                let (place, code) =
                    codes.iter().enumerate().min_by_key(|(place, code)| (distance(code), *place)).unwrap();
                (distance(code) as u16, place as u32)
            })
            .collect();
        for cpu in Cpu::available() {
            assert_eq!(cpu.run(Nearest { submission: &submission, codes: &codes }), slow, "{}", cpu.name());
        }
    }

    #[test]
    fn a_library_of_one_text_or_of_none_and_short_submissions_are_no_trouble() {
        let codes: Vec<Code> = (0..3).map(code).collect();
        for (submission, documents) in
            [(&codes[..1], vec![&codes[..]]), (&codes[..], Vec::new()), (&codes[..0], vec![&codes[..]])]
        {
            let distances = Distances::of(submission, &documents, &Job::default()).unwrap();
            assert!(distances.candidates().len() <= documents.len() && !distances.tell());
        }
    }
}
