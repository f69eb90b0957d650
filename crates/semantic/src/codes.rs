//! Codes of what a library says, and sentences that are compared with them: a code keeps the signs of a turned vector alone, a sentence of
//! the submission has four bits of each number (asymmetric, Gordo et al. 2014; by planes of bits, Gao & Long 2024).

use crate::encoder::WIDTH;
use crate::model::{CODE_BITS, Model};
use copytrace_hamming::cpu::Kernel;
use std::ops::Range;

/// The signs of a vector in a turned space.
pub(crate) type Code = [u8; CODE_BITS / 8];

/// A likeness of 1, which is that of equal vectors.
pub(crate) const ONE: f32 = 10_000.0;

/// The greatest number of a sentence in its four bits, the least being its opposite.
const MOST: f32 = 7.0;

/// What the bits of a number count, as in any number of four bits with a sign.
const PLANES: [i32; 4] = [1, 2, 4, -8];

/// Vectors for one product.
const AT_ONCE: usize = 256;

/// A code as numbers.
type Words = [u64; WORDS];
const WORDS: usize = CODE_BITS / 64;

/// A sentence that is compared with codes.
#[derive(Debug, Clone)]
pub(crate) struct Query {
    /// By bit of its numbers: that bit of all of them.
    planes: [Words; PLANES.len()],
    /// The sum of its numbers.
    all: i32,
    /// What a product is in ten-thousandths of a cosine.
    scale: f32,
}

impl Query {
    /// Of a turned vector.
    pub(crate) fn of(turned: &[f32]) -> Self {
        let most = turned.iter().fold(0.0f32, |most, number| most.max(number.abs()));
        let (mut planes, mut all) = ([[0; WORDS]; PLANES.len()], 0);
        for (place, number) in turned.iter().enumerate().filter(|_| most > 0.0) {
            let level = libm::roundf(number / most * MOST) as i32;
            all += level;
            for (bit, plane) in planes.iter_mut().enumerate() {
                plane[place / 64] |= u64::from(level >> bit & 1 == 1) << (place % 64);
            }
        }
        // The signs are a vector whose length is the root of their number.
        let scale = ONE * most / MOST / (CODE_BITS as f32).sqrt();
        Query { planes, all, scale }
    }

    /// Its product with the signs of a code.
    pub(crate) fn product(&self, code: &Code) -> i32 {
        let words = words_of(code);
        let of_plane = |plane: &Words| plane.iter().zip(words).map(|(a, b)| (a & b).count_ones() as i32).sum::<i32>();
        let set: i32 = self.planes.iter().zip(PLANES).map(|(plane, counts)| counts * of_plane(plane)).sum();
        2 * set - self.all
    }

    /// The likeness of such a product, in ten-thousandths of a cosine.
    fn likeness(&self, product: i32) -> i16 {
        libm::roundf(product as f32 * self.scale) as i16
    }
}

/// The share of a chain that goes on in the next sentence.
const CHAINED: (i32, i32) = (2, 3);

/// For each sentence of a submission the best chain that ends in it, in ten-thousandths of a cosine, and in which code of the document: how
/// like they are, and those before them in the same order. A chain is a sentence's likeness by its weight with the best chain of the sentence
/// before, of which [`CHAINED`] counts, that ends in the same code or up to two before it.
pub(crate) struct Chains<'a> {
    pub(crate) submission: &'a [Query],
    pub(crate) weights: &'a [f32],
    pub(crate) codes: &'a [Code],
}

impl Kernel for Chains<'_> {
    type Output = Vec<(i16, u32)>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let count = self.codes.len();
        let mut words = [const { Vec::new() }; WORDS];
        for code in self.codes {
            words.iter_mut().zip(words_of(code)).for_each(|(words, word)| words.push(word));
        }
        // Two places before the first code, where no chain is.
        let (mut before, mut chains) = (vec![0i32; count + 2], vec![0i32; count + 2]);
        let mut found = Vec::with_capacity(self.submission.len());
        for (query, weight) in self.submission.iter().zip(self.weights) {
            let scale = query.scale * weight;
            let (second, first, same) = (&before[..count], &before[1..][..count], &before[2..][..count]);
            for (code, chain) in chains[2..].iter_mut().enumerate() {
                let mut set = 0i32;
                for (word, codes) in words.iter().enumerate() {
                    for (plane, counts) in PLANES.into_iter().enumerate() {
                        set += counts * (codes[..count][code] & query.planes[plane][word]).count_ones() as i32;
                    }
                }
                let likeness = ((2 * set - query.all) as f32 * scale) as i16;
                *chain = i32::from(likeness) + second[code].max(first[code]).max(same[code]) * CHAINED.0 / CHAINED.1;
            }
            let best = chains[2..].iter().copied().max().unwrap_or_default();
            let code = chains[2..].iter().position(|&chain| chain == best).unwrap_or_default();
            found.push(((best * (CHAINED.1 - CHAINED.0) / CHAINED.1) as i16, code as u32));
            std::mem::swap(&mut before, &mut chains);
        }
        found
    }
}

impl Model {
    /// The codes of vectors.
    pub(crate) fn codes_of(&self, vectors: &[[f32; WIDTH]]) -> Vec<Code> {
        self.turned(vectors, |numbers| {
            let mut code = [0; CODE_BITS / 8];
            for (bit, number) in numbers.iter().enumerate() {
                code[bit / 8] |= u8::from(*number > 0.0) << (bit % 8);
            }
            code
        })
    }

    /// What is compared with codes, of vectors.
    pub(crate) fn queries_of(&self, vectors: &[[f32; WIDTH]]) -> Vec<Query> {
        self.turned(vectors, Query::of)
    }

    fn turned<T>(&self, vectors: &[[f32; WIDTH]], of: impl Fn(&[f32]) -> T) -> Vec<T> {
        let mut all = Vec::with_capacity(vectors.len());
        for part in vectors.chunks(AT_ONCE) {
            all.extend(self.codes.times(part.as_flattened()).chunks_exact(CODE_BITS).map(&of));
        }
        all
    }
}

/// Bits in which two codes differ.
pub(crate) fn distance(first: &Code, second: &Code) -> u32 {
    let pairs = words_of(first).into_iter().zip(words_of(second));
    pairs.map(|(a, b)| (a ^ b).count_ones()).sum()
}

fn words_of(code: &Code) -> Words {
    let mut words = [0; WORDS];
    words.iter_mut().zip(code.as_chunks().0).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
    words
}

/// Codes that are compared at once, each in a lane of a vector of its own ...
const LANES: usize = 8;
/// ... and so many vectors of each word, which stay in the nearest cache while all sentences pass.
const VECTORS: usize = 16;

/// For each sentence of a submission how like it the nearest of a document is, in ten-thousandths of a cosine; 0 where none is like it. Of
/// a group of the document's codes, some of the submission's sentences are compared with all.
pub(crate) struct Nearest<'a> {
    pub(crate) submission: &'a [Query],
    pub(crate) codes: &'a [Code],
    pub(crate) groups: &'a [(Range<usize>, &'a [u32])],
}

impl Kernel for Nearest<'_> {
    type Output = Vec<i16>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let mut found = vec![0i32; self.submission.len()];
        // The same word of eight codes beside each other.
        let mut turned = [[[0u64; LANES]; WORDS]; VECTORS];
        for (codes, sentences) in self.groups {
            for part in self.codes[codes.clone()].chunks(LANES * VECTORS) {
                // Lanes that are left hold the first of them again.
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
                    let mut most = [i64::MIN; LANES];
                    for vector in &turned[..vectors] {
                        let mut sums = [0i64; LANES];
                        for plane in 0..PLANES.len() {
                            let mut counts = [0i64; LANES];
                            for (row, bits) in vector.iter().zip(query.planes[plane]) {
                                for lane in 0..LANES {
                                    counts[lane] += i64::from((row[lane] & bits).count_ones());
                                }
                            }
                            for lane in 0..LANES {
                                // As PLANES has it, without a product.
                                let counted = counts[lane] << plane;
                                sums[lane] += if plane == 3 { -counted } else { counted };
                            }
                        }
                        for lane in 0..LANES {
                            most[lane] = if sums[lane] > most[lane] { sums[lane] } else { most[lane] };
                        }
                    }
                    let mut nearest = found[sentence as usize];
                    for set in most {
                        let product = 2 * set as i32 - query.all;
                        nearest = if product > nearest { product } else { nearest };
                    }
                    found[sentence as usize] = nearest;
                }
            }
        }
        let mut likenesses = Vec::with_capacity(found.len());
        for (query, product) in self.submission.iter().zip(found) {
            likenesses.push(query.likeness(product));
        }
        likenesses
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use copytrace_hamming::cpu::Cpu;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// A turned vector of length 1 without order.
    pub(crate) fn turned(number: u64) -> Vec<f32> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(number);
        let numbers: Vec<f32> = (0..CODE_BITS).map(|_| random.random_range(-1.0..1.0)).collect();
        let length = numbers.iter().map(|number| number * number).sum::<f32>().sqrt();
        numbers.iter().map(|number| number / length).collect()
    }

    /// The signs of [`turned`].
    pub(crate) fn code(number: u64) -> Code {
        let mut code = [0; CODE_BITS / 8];
        turned(number)
            .iter()
            .enumerate()
            .for_each(|(bit, number)| code[bit / 8] |= u8::from(*number > 0.0) << (bit % 8));
        code
    }

    #[test]
    fn a_product_is_that_of_the_numbers_in_four_bits_with_the_signs() {
        for number in 0..20 {
            let (query, code, turned) = (Query::of(&turned(number)), code(number + number % 2), turned(number));
            let most = turned.iter().fold(0.0f32, |most, number| most.max(number.abs()));
            let sign = |bit: usize| if code[bit / 8] >> (bit % 8) & 1 == 1 { 1 } else { -1 };
            let levels = turned.iter().map(|number| (number / most * 7.0).round() as i32);
            let expected: i32 = levels.enumerate().map(|(bit, level)| level * sign(bit)).sum();
            assert_eq!(query.product(&code), expected);
            let cosine: f32 = turned.iter().enumerate().map(|(bit, number)| number * sign(bit) as f32).sum::<f32>()
                / (CODE_BITS as f32).sqrt();
            let likeness = f32::from(query.likeness(query.product(&code)));
            assert!((likeness - ONE * cosine).abs() < 300.0, "{likeness} {cosine}");
        }
        // A sentence of which nothing is left is like none.
        let nothing = Query::of(&[0.0; CODE_BITS]);
        assert_eq!(nothing.likeness(nothing.product(&code(1))), 0);
    }

    const WEIGHTS: [f32; 6] = [1.0, 0.5, 1.7, 0.0, 0.8, 1.2];

    /// The chain that ends in a sentence and a code, by the definition.
    fn chain(submission: &[Query], codes: &[Code], sentence: usize, code: usize) -> i32 {
        let query = &submission[sentence];
        let likeness = (query.product(&codes[code]) as f32 * (query.scale * WEIGHTS[sentence])) as i32;
        let before = (code.saturating_sub(2)..=code).filter(|_| sentence > 0);
        let mut best = before.map(|code| chain(submission, codes, sentence - 1, code)).max().unwrap_or(0);
        if code < 2 {
            best = best.max(0);
        }
        likeness + best * 2 / 3
    }

    #[test]
    fn every_level_finds_the_best_chain_to_each_sentence() {
        for count in [1, 2, 3, 9, 40] {
            let codes: Vec<Code> = (3..3 + count).map(code).collect();
            let submission: Vec<Query> = (0..6).map(|number| Query::of(&turned(number))).collect();
            let best = |sentence: usize| {
                let chains = (0..codes.len()).map(|code| (chain(&submission, &codes, sentence, code), code));
                let (best, code) = chains.max_by_key(|&(chain, code)| (chain, std::cmp::Reverse(code))).unwrap();
                ((best / 3) as i16, code as u32)
            };
            let slow: Vec<(i16, u32)> = (0..6).map(best).collect();
            for cpu in Cpu::available() {
                let chains = Chains { submission: &submission, weights: &WEIGHTS, codes: &codes };
                assert_eq!(cpu.run(chains), slow, "{} {count}", cpu.name());
            }
        }
    }

    #[test]
    fn every_level_finds_the_nearest_of_all() {
        for count in [1, 7, 8, 127, 128, 129, 300] {
            let codes: Vec<Code> = (3..3 + count).map(code).collect();
            let submission: Vec<Query> = (0..7).map(|number| Query::of(&turned(number))).collect();
            let nearest = |query: &Query| codes.iter().map(|code| query.product(code)).max().unwrap().max(0);
            let slow: Vec<i16> = submission.iter().map(|query| query.likeness(nearest(query))).collect();
            let all: Vec<u32> = (0..7).collect();
            for cpu in Cpu::available() {
                let nearest = Nearest { submission: &submission, codes: &codes, groups: &[(0..codes.len(), &all)] };
                assert_eq!(cpu.run(nearest), slow, "{} {count}", cpu.name());
            }
        }
    }
}
