//! Products of matrices that are the same bits on every processor.
//!
//! Each number of a product is a sum in the order of its terms, by single multiplications and additions of IEEE 754, which all
//! processors round alike; none is fused with another. What is computed at once is several numbers of the product, never the
//! terms of one.

use copytrace_hamming::cpu::{Cpu, Kernel};

/// Columns computed at once: a vector of 512 bits, or two of 256.
const COLUMNS: usize = 16;

/// Rows computed at once: with them the sums fit the registers of every level.
const ROWS: usize = 6;

/// Weights, in panels of [`COLUMNS`] columns.
pub(crate) struct Weights {
    inner: usize,
    columns: usize,
    panels: Vec<[f32; COLUMNS]>,
}

impl Weights {
    /// From `inner` rows of `columns` numbers. Columns that make no whole panel are followed by zeros.
    pub(crate) fn new(rows: &[f32], inner: usize, columns: usize) -> Self {
        assert_eq!(rows.len(), inner * columns);
        let mut panels = Vec::with_capacity(inner * columns.div_ceil(COLUMNS));
        for first in (0..columns).step_by(COLUMNS) {
            for row in rows.chunks_exact(columns) {
                let part = &row[first..columns.min(first + COLUMNS)];
                let mut panel = [0.0; COLUMNS];
                panel[..part.len()].copy_from_slice(part);
                panels.push(panel);
            }
        }
        Weights { inner, columns, panels }
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// Rows of `inner` numbers times the weights: as many rows of `columns` numbers.
    pub(crate) fn times(&self, rows: &[f32]) -> Vec<f32> {
        assert_eq!(rows.len() % self.inner, 0);
        let mut product = vec![0.0; rows.len() / self.inner * self.columns];
        Cpu::best().run(Product { weights: self, rows, product: &mut product });
        product
    }
}

struct Product<'a> {
    weights: &'a Weights,
    rows: &'a [f32],
    product: &'a mut [f32],
}

impl Kernel for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Weights { inner, columns, ref panels } = *self.weights;
        let (all, zeros) = (self.rows.len() / inner, vec![0.0; inner]);
        for first in (0..all).step_by(ROWS) {
            let here = ROWS.min(all - first);
            let mut rows: [&[f32]; ROWS] = [&zeros; ROWS];
            for (place, row) in rows.iter_mut().enumerate().take(here) {
                *row = &self.rows[(first + place) * inner..][..inner];
            }
            for (number, panel) in panels.chunks_exact(inner).enumerate() {
                let mut sums = [[0.0f32; COLUMNS]; ROWS];
                for (term, weights) in panel.iter().enumerate() {
                    for row in 0..ROWS {
                        let factor = rows[row][term];
                        for column in 0..COLUMNS {
                            sums[row][column] += factor * weights[column];
                        }
                    }
                }
                let column = number * COLUMNS;
                let width = COLUMNS.min(columns - column);
                for (row, sums) in sums.iter().enumerate().take(here) {
                    let place = (first + row) * columns + column;
                    self.product[place..place + width].copy_from_slice(&sums[..width]);
                }
            }
        }
    }
}

/// The sum of numbers: sixteen sums side by side, which are then added in order.
pub(crate) fn sum(numbers: impl Iterator<Item = f32>) -> f32 {
    let mut sums = [0.0f32; COLUMNS];
    for (place, number) in numbers.enumerate() {
        sums[place % COLUMNS] += number;
    }
    sums.iter().fold(0.0, |sum, number| sum + number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of all sizes that are the same each time.
    fn numbers(count: usize, seed: u32) -> Vec<f32> {
        let mut state = seed;
        let next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        std::iter::repeat_with(next).take(count).collect()
    }

    #[test]
    fn products_are_those_of_the_definition_bit_by_bit_on_every_level() {
        for (rows, inner, columns) in [(1, 5, 1), (6, 16, 16), (7, 33, 40), (13, 256, 17)] {
            let (first, second) = (numbers(rows * inner, 1), numbers(inner * columns, 2));
            let mut expected = Vec::new();
            for row in 0..rows {
                for column in 0..columns {
                    let terms = (0..inner).map(|term| first[row * inner + term] * second[term * columns + column]);
                    expected.push(terms.fold(0.0f32, |sum, term| sum + term));
                }
            }
            let weights = Weights::new(&second, inner, columns);
            for cpu in Cpu::available() {
                let mut product = vec![0.0; rows * columns];
                cpu.run(Product { weights: &weights, rows: &first, product: &mut product });
                let bits = |numbers: &[f32]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(&product), bits(&expected), "{}", cpu.name());
            }
        }
    }
}
