//! Seeds: places where the two texts share more than chance would have it.
//!
//! Both texts are cut into blocks. Every feature they share adds the surprise of a chance agreement to the cell of
//! its two blocks; a seed is a square of 2×2 cells with enough of it. Only touched cells are visited, and features
//! that occur often touch none, so the work is linear in the texts' lengths.

use super::evidence::{self, Evidence};
use super::features::UNSHARED;
use super::pair::PairAligner;
use super::rates::{Count, Sort};
use super::side::Side;
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

/// How many times as often as in the source a feature may occur in the submission and start a seed. Chosen by hand; not measured
/// apart.
const OFTENER_IN_SUBMISSION: u32 = 4;

/// The first unit of each block, and one past the last unit.
fn blocks(side: &Side, half_words: u32) -> Vec<usize> {
    let mut starts = Vec::with_capacity(2 * side.len() / half_words as usize + 2);
    let mut last = None;
    for i in 0..side.len() {
        let block = side.half_words[i] / half_words;
        if last.replace(block) != Some(block) {
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
        let places = self.places(&columns);
        let meetings = self.meetings(&places, offset);
        // Two rows of cells: a square needs this row and the one before.
        let threshold = evidence::from_nats(settings.seed_evidence);
        // A square without a cell that has a quarter of what it needs has too little.
        let mut above = Cells::new(columns.len(), threshold / 4);
        let mut row = Cells::new(columns.len(), threshold / 4);
        let (mut seeds, mut meeting) = (Vec::new(), Vec::new());
        // The row in which each square was looked at last.
        let mut looked_at = vec![0; columns.len() + 1];
        for r in 0..rows.len() {
            let range = rows[r]..rows.get(r + 1).copied().unwrap_or(rows[r]);
            let features = self.submission.feature[range.clone()].iter().zip(&self.claimed[range]);
            pick(features.map(|(&f, &claimed)| (f, !claimed & (meetings[f as usize].weight > 0))), &mut meeting);
            // Each shared feature speaks for all cells in which it stands in both texts.
            for &feature in &meeting {
                let meeting = meetings[feature as usize];
                for &column in places.of(&meeting) {
                    row.add(column, meeting.weight);
                }
            }
            // A square belongs to its upper left cell; each heavy cell is part of two squares of these rows.
            if r > 0 {
                for column in above.heavy.iter().chain(&row.heavy).flat_map(|&c| [c.saturating_sub(1), c]) {
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

    /// What each feature adds where it stands, and to which columns: worked out once for all places of the submission.
    pub(super) fn meetings(&self, places: &Places, offset: u16) -> Vec<Meeting> {
        let most = OFTENER_IN_SUBMISSION * self.settings.max_occurrences;
        let of_feature = |(f, (a, b)): (usize, (&Count, &Count))| {
            if b.all == 0 || a.all > most {
                return Meeting::default();
            }
            let surprise = self.table.surprise(evidence::index(self.rate_class[f], offset));
            let half = u32::from(self.sorts[f] == Sort::Character);
            // What occurs several times has as many cells by chance, so its surprise is divided among them.
            let weight = (surprise >> half) as u32 / a.all.min(b.all);
            Meeting { weight, first: places.ends[f], end: places.ends[f + 1] }
        };
        self.submission.counts.iter().zip(&self.source.counts).enumerate().map(of_feature).collect()
    }

    /// The blocks of the source in which each feature stands, for features that are not too frequent. Blocks are given by their first units, and
    /// where the last one ends.
    pub(super) fn places(&self, columns: &[usize]) -> Places {
        let (limit, counts) = (self.settings.max_occurrences, &self.source.counts);
        let is_kept = |feature: u32| feature != UNSHARED && counts[feature as usize].all <= limit;
        // Counts are those of the whole text, of which this may be parts.
        let mut ends = vec![0u32; counts.len() + 2];
        self.source
            .feature
            .iter()
            .filter(|feature| is_kept(**feature))
            .for_each(|feature| ends[*feature as usize + 2] += 1);
        for feature in 2..ends.len() {
            ends[feature] += ends[feature - 1];
        }
        let mut columns_of = vec![0u32; ends.last().map_or(0, |end| *end as usize)];
        let mut column = 0;
        for (i, &feature) in self.source.feature.iter().enumerate() {
            while columns[column + 1] <= i {
                column += 1;
            }
            if is_kept(feature) {
                let end = &mut ends[feature as usize + 1];
                columns_of[*end as usize] = column as u32;
                *end += 1;
            }
        }
        Places { ends, columns: columns_of }
    }
}

/// Picks the features out that are wanted. Which are is as good as random, so that it is done without a branch.
pub(super) fn pick(features: impl ExactSizeIterator<Item = (u32, bool)>, picked: &mut Vec<u32>) {
    picked.resize(features.len(), 0);
    let mut count = 0;
    for (feature, is_wanted) in features {
        picked[count] = feature;
        count += usize::from(is_wanted);
    }
    picked.truncate(count);
}

/// For each feature the blocks it stands in: `columns[ends[f]..ends[f + 1]]`.
pub(super) struct Places {
    ends: Vec<u32>,
    columns: Vec<u32>,
}

impl Places {
    /// The blocks to which a feature adds.
    #[inline]
    pub fn of(&self, meeting: &Meeting) -> &[u32] {
        &self.columns[meeting.first as usize..meeting.end as usize]
    }
}

/// What an occurrence of a feature in the submission adds to the cells of its row in some columns.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Meeting {
    pub weight: u32,
    /// Where they stand in [`Places::columns`].
    first: u32,
    end: u32,
}

/// One row of cells that remembers which of them were touched.
struct Cells {
    sum: Vec<Evidence>,
    touched: Vec<u32>,
    /// Those of them whose sum is at least `least`.
    heavy: Vec<u32>,
    least: Evidence,
}

impl Cells {
    fn new(columns: usize, least: Evidence) -> Self {
        Self { sum: vec![0; columns + 1], touched: Vec::new(), heavy: Vec::new(), least: least.max(1) }
    }

    fn add(&mut self, column: u32, weight: u32) {
        let sum = &mut self.sum[column as usize];
        if *sum == 0 {
            self.touched.push(column);
        }
        let before = *sum;
        *sum += Evidence::from(weight);
        if before < self.least && *sum >= self.least {
            self.heavy.push(column);
        }
    }

    fn clear(&mut self) {
        self.heavy.clear();
        for &column in &self.touched {
            self.sum[column as usize] = 0;
        }
        self.touched.clear();
    }
}
