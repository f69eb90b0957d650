//! Which documents, and where in them, may say what a submission says: codes of sentences compared with all codes of a library.

use crate::cells::Leaders;
use crate::gist::Gist;
use crate::model::CODE_BITS;
use crate::sentences::Code;
use copytrace_hamming::cpu::{Cpu, Kernel};
use copytrace_job::{Cancelled, Job};
use rayon::prelude::*;
use std::ops::Range;

/// Sentences in a row that lead to a document together: of one alone a large library always holds one that is near.
const RUN: usize = 6;

/// Documents that are aligned with a submission at the most. Of the sources of translated novels .94 and .84 are among so many.
const MOST_DOCUMENTS: usize = 48;

/// Places of one document that are looked at.
const MOST_PLACES: usize = 4;

/// A sentence that is farther than expected takes no more bits from its run than this.
const MOST_LOSS: i32 = CODE_BITS as i32 / 64;

/// What a sentence is like anyway is how near these other documents are to it, the nearest being the first. The first two are left out:
/// a work may stand in a library three times.
const EXPECTED: Range<usize> = 2..6;

/// The share of that likeness which is expected: they are the nearest of many, so that they partly say what the sentence says. On Chinese
/// and English novels .73 of what was translated is found in a collection (.62 with all of it), among innocent abstracts five passages in
/// place of three.
const EXPECTED_SHARE: f32 = 0.8;

/// By so many of the nearest documents it is told how near others are than the one that is judged, which is one of them.
const NEAREST: usize = 6;

/// The distance of what is in none of the cells that were looked at, which is that of unlike sentences.
const FAR: u16 = CODE_BITS as u16 / 2;

/// Where a document may say what sentences of the submission say.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) document: usize,
    /// Sentences of the submission, each with the one of the document that is nearest to it.
    pub(crate) places: Vec<Vec<(usize, usize)>>,
}

/// The distances of a submission's sentences to those of documents.
pub(crate) struct Distances<'a> {
    submission: &'a [Code],
    documents: &'a [&'a Gist],
    /// By document and sentence: bits that differ from the nearest sentence.
    nearest: Vec<Vec<u16>>,
    /// By sentence: the distances of the nearest documents, nearest first.
    sorted: Vec<Vec<u16>>,
}

impl<'a> Distances<'a> {
    /// Of codes to those of documents. Memory is 2 bytes for each sentence of the submission and document.
    pub(crate) fn of(
        submission: &'a [Code],
        documents: &'a [&'a Gist],
        leaders: Option<&Leaders>,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        let words: Vec<Words> = submission.iter().map(words_of).collect();
        let looked_at = leaders.map(|leaders| leaders.looked_at(submission));
        let all: Vec<u32> = (0..submission.len() as u32).collect();
        let compared = documents.par_iter().map(|gist| {
            job.check()?;
            let codes = gist.codes();
            Ok(match (&gist.order, &looked_at) {
                (Some(order), Some(looked_at)) => {
                    let codes: Vec<Code> = order.sentences.iter().map(|&sentence| codes[sentence as usize]).collect();
                    let cells = looked_at.iter().enumerate();
                    let groups: Vec<_> = cells.map(|(cell, group)| (order.of_cell(cell), &group[..])).collect();
                    Cpu::best().run(Nearest { submission: &words, codes: &codes, groups: &groups })
                }
                _ => Cpu::best().run(Nearest { submission: &words, codes, groups: &[(0..codes.len(), &all)] }),
            })
        });
        let nearest: Vec<Vec<u16>> = compared.collect::<Result<_, Cancelled>>()?;
        let sorted = (0..submission.len()).into_par_iter().map(|sentence| {
            let mut all: Vec<u16> = nearest.iter().map(|document| document[sentence]).collect();
            let count = (NEAREST + 1).min(all.len());
            if count > 0 {
                all.select_nth_unstable(count - 1);
            }
            all.truncate(count);
            all.sort_unstable();
            all
        });
        Ok(Distances { submission, documents, sorted: sorted.collect(), nearest })
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
            let own = sorted.iter().position(|distance| *distance == self.nearest[document][sentence]);
            let others =
                sorted.iter().enumerate().filter(|(place, _)| Some(*place) != own).map(|(_, distance)| *distance);
            let taken: Vec<u16> = others.skip(EXPECTED.start).take(EXPECTED.len()).collect();
            let mean = taken.iter().map(|&distance| f32::from(distance)).sum::<f32>() / taken.len() as f32;
            EXPECTED_SHARE * libm::cosf(std::f32::consts::PI * mean / CODE_BITS as f32)
        };
        match self.tell() {
            true => (0..self.submission.len()).map(of).collect(),
            false => vec![0.0; self.submission.len()],
        }
    }

    /// The documents that are worth comparing sentence by sentence, the best first, each with its best places.
    pub(crate) fn candidates(&self) -> Vec<Candidate> {
        let best = |document: usize| {
            let gains = self.gains(document);
            let length = RUN.min(gains.len());
            (length > 0).then(|| gains.windows(length).map(|run| run.iter().sum::<i64>()).max().unwrap_or_default())
        };
        let mut found: Vec<(i64, usize)> =
            (0..self.nearest.len()).into_par_iter().filter_map(|document| Some((-best(document)?, document))).collect();
        found.sort_unstable();
        found.truncate(MOST_DOCUMENTS);
        let candidate = |(_, document): (i64, usize)| {
            let codes = self.documents[document].codes();
            let near = |sentence: usize| {
                let place = (0..codes.len()).min_by_key(|&place| distance(&self.submission[sentence], &codes[place]));
                place.map(|place| (sentence, place))
            };
            let places = self.runs(document).into_iter().map(|run| run.filter_map(near).collect());
            Candidate { document, places: places.filter(|place: &Vec<_>| !place.is_empty()).collect() }
        };
        found.into_par_iter().map(candidate).collect()
    }

    /// How much nearer than expected a document is to each sentence, in sixths of bits.
    fn gains(&self, document: usize) -> Vec<i64> {
        let nearest = &self.nearest[document];
        // Where there is no other document, a sentence is expected to be as far as its neighbours.
        let own: i64 = nearest.iter().map(|distance| i64::from(*distance)).sum();
        let alone = own * NEAREST as i64 / nearest.len().max(1) as i64;
        let gain = |(sentence, distance): (usize, &u16)| {
            let others = self.sorted[sentence].iter().skip(1).take(NEAREST - 1);
            let count = others.len() as i64;
            let expected: i64 = others.map(|distance| i64::from(*distance)).sum();
            let expected = if count == 0 { alone } else { expected * NEAREST as i64 / count };
            let gain = expected - i64::from(*distance) * NEAREST as i64;
            gain.max(-i64::from(MOST_LOSS) * NEAREST as i64)
        };
        nearest.iter().enumerate().map(gain).collect()
    }

    /// The best runs of sentences in one document that do not overlap.
    fn runs(&self, document: usize) -> Vec<Range<usize>> {
        let gains = self.gains(document);
        let length = RUN.min(gains.len()).max(1);
        let mut runs: Vec<(i64, Range<usize>)> =
            gains.windows(length).enumerate().map(|(start, run)| (run.iter().sum(), start..start + length)).collect();
        runs.sort_by_key(|(gain, run)| (-gain, run.start));
        let mut taken: Vec<Range<usize>> = Vec::new();
        for (_, run) in runs {
            if taken.len() == MOST_PLACES {
                break;
            }
            if taken.iter().all(|other| other.end <= run.start || run.end <= other.start) {
                taken.push(run);
            }
        }
        taken
    }
}

/// Bits in which two codes differ.
pub(crate) fn distance(first: &Code, second: &Code) -> u32 {
    let pairs = words_of(first).into_iter().zip(words_of(second));
    pairs.map(|(a, b)| (a ^ b).count_ones()).sum()
}

/// A code as numbers.
type Words = [u64; WORDS];
const WORDS: usize = CODE_BITS / 64;

fn words_of(code: &Code) -> Words {
    let mut words = [0; WORDS];
    words.iter_mut().zip(code.as_chunks().0).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
    words
}

/// Codes that are compared at once, each in a lane of a vector of its own ...
const LANES: usize = 8;
/// ... and so many vectors of each word, which stay in the nearest cache while all sentences pass.
const VECTORS: usize = 8;

/// For each code of a submission how near the nearest of a document is. Of a group of the document's codes, some of the submission's
/// sentences are compared with all.
struct Nearest<'a> {
    submission: &'a [Words],
    codes: &'a [Code],
    groups: &'a [(Range<usize>, &'a [u32])],
}

impl Kernel for Nearest<'_> {
    type Output = Vec<u16>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let mut found = vec![FAR; self.submission.len()];
        for (codes, sentences) in self.groups {
            for part in self.codes[codes.clone()].chunks(LANES * VECTORS) {
                // Turned: the same word of eight codes beside each other. Lanes that are left hold the first of them again.
                let mut turned = [[[0u64; LANES]; WORDS]; VECTORS];
                let vectors = part.len().div_ceil(LANES);
                for (vector, codes) in turned.iter_mut().zip(part.chunks(LANES)) {
                    for lane in 0..LANES {
                        let words = words_of(&codes[if lane < codes.len() { lane } else { 0 }]);
                        for (row, word) in vector.iter_mut().zip(words) {
                            row[lane] = word;
                        }
                    }
                }
                for &sentence in *sentences {
                    let query = &self.submission[sentence as usize];
                    let mut least = [u64::MAX; LANES];
                    for vector in &turned[..vectors] {
                        let mut distances = [0u64; LANES];
                        for word in 0..WORDS {
                            for lane in 0..LANES {
                                distances[lane] += u64::from((vector[word][lane] ^ query[word]).count_ones());
                            }
                        }
                        for lane in 0..LANES {
                            least[lane] = if distances[lane] < least[lane] { distances[lane] } else { least[lane] };
                        }
                    }
                    let mut nearest = found[sentence as usize];
                    for distance in least {
                        nearest = if (distance as u16) < nearest { distance as u16 } else { nearest };
                    }
                    found[sentence as usize] = nearest;
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoder::WIDTH;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Bits without order.
    fn code(number: u64) -> Code {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(number);
        std::array::from_fn(|_| random.random())
    }

    fn gist(codes: &[Code]) -> Gist {
        Gist::new([0.0; WIDTH], String::new(), codes)
    }

    /// Forty sentences, and nine documents of which the fifth holds six of them, a little changed.
    fn planted() -> (Vec<Code>, Vec<Gist>) {
        let submission: Vec<Code> = (0..40).map(code).collect();
        let document = |document: u64| {
            let mut codes: Vec<Code> = (0..50).map(|sentence| code(1000 + document * 50 + sentence)).collect();
            for sentence in (0..6).filter(|_| document == 4) {
                codes[20 + sentence] = code(10 + sentence as u64);
                codes[20 + sentence][..4].fill(0);
            }
            gist(&codes)
        };
        (submission, (0..9).map(document).collect())
    }

    #[test]
    fn the_document_that_holds_a_run_of_near_sentences_comes_first_with_its_place() {
        let (submission, mut documents) = planted();
        for cells in [false, true] {
            let leaders = cells.then(|| Leaders::of(&documents));
            leaders.iter().for_each(|leaders| documents.iter_mut().for_each(|gist| leaders.arrange(gist)));
            let documents: Vec<&Gist> = documents.iter().collect();
            let distances = Distances::of(&submission, &documents, leaders.as_ref(), &Job::default()).unwrap();
            let best = &distances.candidates()[0];
            assert_eq!(best.document, 4);
            assert_eq!(best.places[0], (0..6).map(|sentence| (10 + sentence, 20 + sentence)).collect::<Vec<_>>());
            assert!(distances.tell() && distances.expected(4)[12] < 0.3);
        }
    }

    #[test]
    fn every_level_finds_the_nearest_of_all() {
        for count in [1, 7, 8, 63, 64, 65, 150] {
            let (submission, codes): (Vec<Code>, Vec<Code>) =
                ((0..7).map(code).collect(), (50..50 + count).map(code).collect());
            let slow: Vec<u16> = submission
                .iter()
                .map(|query| codes.iter().map(|other| distance(query, other) as u16).min().unwrap().min(FAR))
                .collect();
            let words: Vec<Words> = submission.iter().map(words_of).collect();
            let all: Vec<u32> = (0..7).collect();
            for cpu in Cpu::available() {
                let nearest = Nearest { submission: &words, codes: &codes, groups: &[(0..codes.len(), &all)] };
                assert_eq!(cpu.run(nearest), slow, "{} {count}", cpu.name());
            }
        }
    }

    #[test]
    fn a_library_of_one_text_or_of_none_and_short_submissions_are_no_trouble() {
        let codes: Vec<Code> = (0..3).map(code).collect();
        let (one, empty) = (gist(&codes), gist(&[]));
        for (submission, documents) in
            [(&codes[..1], vec![&one]), (&codes, vec![]), (&codes[..0], vec![&one]), (&codes, vec![&empty])]
        {
            let distances = Distances::of(submission, &documents, None, &Job::default()).unwrap();
            assert!(distances.candidates().len() <= documents.len() && !distances.tell());
        }
    }
}
