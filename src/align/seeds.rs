//! Seeds: places where the two texts share more than chance would have it.
//!
//! Both texts are cut into blocks. Every feature they share adds the surprise of a chance agreement to the cell of
//! its two blocks; a seed is a square of 2×2 cells with enough of it. Only touched cells are visited, and features
//! that occur often touch none, so the work is linear in the texts' lengths.

use super::evidence::{self, Evidence};
use super::features::{Side, UNSHARED};
use super::pair::PairAligner;
use std::ops::Range;

/// A square of 2×2 blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seed {
    /// Its surprise.
    pub evidence: Evidence,
    /// Range in the submission, in units.
    pub submission: Range<usize>,
    /// Range in the source, in units.
    pub source: Range<usize>,
}

/// The first unit of each block, and one past the last unit.
fn blocks(side: &Side, half_words: u32) -> Vec<usize> {
    let mut starts = Vec::with_capacity(side.half_words[side.len()] as usize / half_words as usize + 2);
    for i in 0..side.len() {
        if side.half_words[i] / half_words >= starts.len() as u32 {
            starts.push(i);
        }
    }
    starts.push(side.len());
    starts
}

impl PairAligner<'_> {
    /// All seeds, the strongest first.
    pub fn seeds(&self) -> Vec<Seed> {
        let settings = self.settings;
        let half_words = 2 * settings.block.max(1);
        let offset = evidence::length_offset(2 * settings.block as usize);
        let (rows, columns) = (blocks(self.submission, half_words), blocks(self.source, half_words));
        let places = self.source_places(&columns);
        // Two rows of cells: a square needs this row and the one before.
        let mut above = Cells::new(columns.len());
        let mut row = Cells::new(columns.len());
        let mut seeds = Vec::new();
        let threshold = evidence::from_nats(settings.seed_evidence);
        // The row in which each square was looked at last.
        let mut looked_at = vec![0; columns.len() + 1];
        for r in 0..rows.len() {
            let range = rows[r]..rows.get(r + 1).copied().unwrap_or(rows[r]);
            for i in range {
                let f = self.submission.feature[i] as usize;
                let (a, b) = (self.submission.counts[f].all, self.source.counts[f].all);
                if self.claimed[i] || b == 0 || a > 4 * settings.max_occurrences {
                    continue;
                }
                let surprise = self.table.surprise(evidence::index(self.rate_class[f], offset));
                let weight = Evidence::from(surprise) >> (self.submission.flags[i] & 1);
                let weight = weight / Evidence::from(a.min(b));
                if weight == 0 {
                    continue;
                }
                for &column in places.of(f) {
                    row.add(column as usize, weight);
                }
            }
            // A square belongs to its upper left cell; each touched cell is part of two squares of these rows.
            if r > 0 {
                for column in above.touched.iter().chain(&row.touched).flat_map(|&c| [c.saturating_sub(1), c]) {
                    let c = column as usize;
                    if std::mem::replace(&mut looked_at[c], r) == r {
                        continue;
                    }
                    let evidence = above.sum[c] + above.sum[c + 1] + row.sum[c] + row.sum[c + 1];
                    if evidence >= threshold {
                        let end = |starts: &[usize], at: usize| starts[(at + 2).min(starts.len() - 1)];
                        seeds.push(Seed {
                            evidence,
                            submission: rows[r - 1]..end(&rows, r - 1),
                            source: columns[c]..end(&columns, c),
                        });
                    }
                }
            }
            std::mem::swap(&mut above, &mut row);
            row.clear();
        }
        seeds.sort_unstable_by_key(|s| (-s.evidence, s.submission.start, s.source.start));
        seeds
    }

    /// The blocks of the source in which each feature stands, for features that are not too frequent.
    fn source_places(&self, columns: &[usize]) -> Places {
        let limit = self.settings.max_occurrences;
        let mut ends: Vec<u32> = Vec::with_capacity(self.source.counts.len() + 1);
        let mut sum = 0;
        ends.push(0);
        for count in &self.source.counts {
            ends.push(sum);
            sum += if count.all <= limit { count.all } else { 0 };
        }
        let mut columns_of = vec![0u32; sum as usize];
        let mut column = 0;
        for (i, &f) in self.source.feature.iter().enumerate() {
            while columns[column + 1] <= i {
                column += 1;
            }
            if f != UNSHARED && self.source.counts[f as usize].all <= limit {
                let end = &mut ends[f as usize + 1];
                columns_of[*end as usize] = column as u32;
                *end += 1;
            }
        }
        Places { ends, columns: columns_of }
    }
}

/// For each feature the blocks it stands in: `columns[ends[f]..ends[f + 1]]`.
struct Places {
    ends: Vec<u32>,
    columns: Vec<u32>,
}

impl Places {
    fn of(&self, feature: usize) -> &[u32] {
        &self.columns[self.ends[feature] as usize..self.ends[feature + 1] as usize]
    }
}

/// One row of cells that remembers which of them were touched.
struct Cells {
    sum: Vec<Evidence>,
    touched: Vec<u32>,
}

impl Cells {
    fn new(columns: usize) -> Self {
        Self { sum: vec![0; columns + 1], touched: Vec::new() }
    }

    fn add(&mut self, column: usize, weight: Evidence) {
        if self.sum[column] == 0 {
            self.touched.push(column as u32);
        }
        self.sum[column] += weight;
    }

    fn clear(&mut self) {
        for &column in &self.touched {
            self.sum[column as usize] = 0;
        }
        self.touched.clear();
    }
}
