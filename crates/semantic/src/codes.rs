//! Codes of what a library says, and sentences that are compared with them: a code keeps the signs of a turned vector alone, a sentence of
//! the submission has four bits of each number (asymmetric, Gordo et al. 2014), in tables of what each four bits of a code add.

use crate::encoder::WIDTH;
use crate::model::{CODE_BITS, Model};
use copytrace_hamming::cpu::{Cpu, Kernel};
use copytrace_hamming::tables::{Block, LANES, sums};

/// The signs of a vector in a turned space.
pub(crate) type Code = [u8; CODE_BITS / 8];

/// A likeness of 1, which is that of equal vectors.
pub(crate) const ONE: f32 = 10_000.0;

/// The greatest number of a sentence in its four bits, the least being its opposite.
const MOST: i32 = 7;

/// Bits of a code that choose an entry of a table, and tables.
const BITS: usize = 4;
const TABLES: usize = CODE_BITS / BITS;

/// Vectors for one product.
const AT_ONCE: usize = 256;

/// A sentence that is compared with codes.
#[derive(Debug, Clone)]
pub(crate) struct Query {
    /// For each four of its numbers the sum of those whose bits are set, for all sixteen ways to set them, none below 0.
    tables: [[u8; 1 << BITS]; TABLES],
    /// Twice what the tables say of a code, less its product with the numbers.
    more: i32,
    /// What a product is in ten-thousandths of a cosine.
    scale: f32,
}

impl Query {
    /// Of a turned vector.
    pub(crate) fn of(turned: &[f32]) -> Self {
        let most = turned.iter().fold(0.0f32, |most, number| most.max(number.abs()));
        let mut levels = [0; CODE_BITS];
        for (level, number) in levels.iter_mut().zip(turned).filter(|_| most > 0.0) {
            *level = libm::roundf(number / most * MOST as f32) as i32;
        }
        // The signs are a vector whose length is the root of their number.
        Query::of_levels(&levels, ONE * most / MOST as f32 / (CODE_BITS as f32).sqrt())
    }

    /// Of a code, by whose product with others the one with the fewest other signs is told.
    pub(crate) fn of_code(code: &Code) -> Self {
        Query::of_levels(&std::array::from_fn(|bit| if code[bit / 8] >> (bit % 8) & 1 == 1 { 1 } else { -1 }), 0.0)
    }

    fn of_levels(levels: &[i32; CODE_BITS], scale: f32) -> Self {
        let least = MOST * BITS as i32;
        let entry = |four: &[i32; BITS], set: usize| {
            let sum: i32 = (0..BITS).filter(|bit| set >> bit & 1 == 1).map(|bit| four[bit]).sum();
            (sum + least) as u8
        };
        let fours = levels.as_chunks::<BITS>().0;
        let tables = std::array::from_fn(|table| std::array::from_fn(|set| entry(&fours[table], set)));
        Query { tables, more: 2 * least * TABLES as i32 + levels.iter().sum::<i32>(), scale }
    }

    /// Its product with the signs of a code.
    pub(crate) fn product(&self, code: &Code) -> i32 {
        self.product_of(self.sum(code))
    }

    /// What the tables say of a code.
    pub(crate) fn sum(&self, code: &Code) -> u16 {
        let entries = self.tables.iter().enumerate();
        entries.map(|(table, entries)| u16::from(entries[usize::from(bits(code, table))])).sum()
    }

    /// What the tables say of some codes.
    pub(crate) fn sums(&self, cpu: Cpu, codes: &[Codes], found: &mut [[u16; LANES]]) {
        sums(cpu, &self.tables, codes, found);
    }

    /// The product with a code of which the tables say `sum`.
    fn product_of(&self, sum: u16) -> i32 {
        2 * i32::from(sum) - self.more
    }

    /// The likeness of a code of which the tables say `sum`, in ten-thousandths of a cosine.
    pub(crate) fn likeness(&self, sum: u16) -> i16 {
        libm::roundf(self.product_of(sum) as f32 * self.scale) as i16
    }

    /// What the tables say at the most of codes that are no more alike than this.
    pub(crate) fn sum_of(&self, likeness: i16) -> u16 {
        // A product less, for what rounding may do.
        ((f32::from(likeness) / self.scale + self.more as f32) / 2.0 - 2.0) as u16
    }
}

/// Codes beside each other, as they are looked up.
pub(crate) type Codes = Block<TABLES>;

/// Codes beside each other; after the last one others follow, up to a multiple of [`LANES`].
pub(crate) fn beside(codes: &[Code]) -> Vec<Codes> {
    let block = |codes: &[Code]| {
        let mut block = [[0; LANES]; TABLES];
        for (lane, code) in codes.iter().enumerate() {
            for (table, row) in block.iter_mut().enumerate() {
                row[lane] = bits(code, table);
            }
        }
        block
    };
    codes.chunks(LANES).map(block).collect()
}

/// The bits of a code that choose an entry of a table.
fn bits(code: &Code, table: usize) -> u8 {
    code[table / 2] >> (table % 2 * BITS) & 15
}

/// The share of a chain that goes on in the next sentence.
const CHAINED: (i32, i32) = (2, 3);

/// For each sentence of a submission the best chain that ends in it, in ten-thousandths of a cosine, and in which of `count` codes of a document:
/// how like they are, and those before them in the same order. A chain is a sentence's likeness by its weight with the best chain of the sentence
/// before, of which [`CHAINED`] counts, that ends in the same code or up to two before it.
pub(crate) fn chains(
    cpu: Cpu,
    submission: &[Query],
    weights: &[f32],
    codes: &[Codes],
    count: usize,
) -> Vec<(i16, u32)> {
    // Two places before the first code, where no chain is.
    let (mut before, mut chains) = (vec![0i32; count + 2], vec![0i32; count + 2]);
    let mut sums = vec![[0; LANES]; codes.len()];
    let mut found = Vec::with_capacity(submission.len());
    for (query, weight) in submission.iter().zip(weights) {
        query.sums(cpu, codes, &mut sums);
        let sums = &sums.as_flattened()[..count];
        let best =
            cpu.run(Step { sums, query, scale: query.scale * weight, before: &before, chains: &mut chains[2..] });
        let code = chains[2..].iter().position(|&chain| chain == best).unwrap_or_default();
        found.push(((best * (CHAINED.1 - CHAINED.0) / CHAINED.1) as i16, code as u32));
        std::mem::swap(&mut before, &mut chains);
    }
    found
}

/// The chains that end in a sentence, by code, and the best of them.
struct Step<'a> {
    /// What the sentence's tables say.
    sums: &'a [u16],
    query: &'a Query,
    scale: f32,
    /// Chains that end in the sentence before, two codes earlier.
    before: &'a [i32],
    chains: &'a mut [i32],
}

impl Kernel for Step<'_> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let count = self.sums.len();
        let (second, first, same) = (&self.before[..count], &self.before[1..][..count], &self.before[2..][..count]);
        let mut best = i32::MIN;
        for (code, chain) in self.chains[..count].iter_mut().enumerate() {
            let likeness = ((2 * i32::from(self.sums[code]) - self.query.more) as f32 * self.scale) as i32;
            let before = if second[code] > first[code] { second[code] } else { first[code] };
            let before = if before > same[code] { before } else { same[code] };
            *chain = likeness + before * CHAINED.0 / CHAINED.1;
            best = if *chain > best { *chain } else { best };
        }
        best
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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
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
            let likeness = f32::from(query.likeness(query.sum(&code)));
            assert!((likeness - ONE * cosine).abs() < 300.0, "{likeness} {cosine}");
        }
        // A sentence of which nothing is left is like none.
        let nothing = Query::of(&[0.0; CODE_BITS]);
        assert_eq!(nothing.likeness(nothing.sum(&code(1))), 0);
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
                let found = chains(cpu, &submission, &WEIGHTS, &beside(&codes), codes.len());
                assert_eq!(found, slow, "{} {count}", cpu.name());
            }
        }
    }
}
