//! How much more like sentences are to one document than to others.

use rayon::prelude::*;
use std::ops::Range;

/// How many of the nearest documents tell how near others are than the one that is judged, which is one of them.
const NEAREST: usize = 6;

/// What is less like a document than expected takes no more from its run than this, in ten-thousandths.
const MOST_LOSS: i64 = 500;

/// Likenesses of sentences, or of groups of them, and documents, in ten-thousandths.
pub(crate) struct Table {
    /// By document: sentences and how like they are; 0 where nothing is said.
    rows: Vec<Vec<(u32, i16)>>,
    /// By sentence: likenesses of the nearest documents, nearest first.
    nearest: Vec<Vec<i16>>,
}

impl Table {
    /// Of what is found for each sentence among `documents` documents: some of them, and how like it they are.
    pub(crate) fn of(found: Vec<Vec<(u32, i16)>>, documents: usize) -> Self {
        let likenesses = |found: &Vec<(u32, i16)>| nearest(found.iter().map(|(_, likeness)| *likeness), documents);
        let nearest = found.par_iter().map(likenesses).collect();
        let mut rows = vec![Vec::new(); documents];
        for (sentence, found) in found.into_iter().enumerate() {
            for (document, likeness) in found {
                rows[document as usize].push((sentence as u32, likeness));
            }
        }
        Table { rows, nearest }
    }

    /// The documents with the best runs of `length` sentences, the best first, at most `most` of them.
    pub(crate) fn best(&self, length: usize, most: usize) -> Vec<usize> {
        let length = length.min(self.nearest.len());
        if length == 0 {
            return Vec::new();
        }
        let best = |document: usize| {
            self.gains(document).windows(length).map(|run| run.iter().sum::<i64>()).max().unwrap_or_default()
        };
        let mut found: Vec<(i64, usize)> =
            (0..self.rows.len()).into_par_iter().map(|document| (-best(document), document)).collect();
        found.sort_unstable();
        found.truncate(most);
        found.into_iter().map(|(_, document)| document).collect()
    }

    /// Likenesses that it holds.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.rows.iter().map(Vec::len).sum()
    }

    /// How much more like each sentence than expected a document is, in sixths of ten-thousandths.
    pub(crate) fn gains(&self, document: usize) -> Vec<i64> {
        let mut likenesses = vec![0; self.nearest.len()];
        for &(sentence, likeness) in &self.rows[document] {
            likenesses[sentence as usize] = i64::from(likeness) * NEAREST as i64;
        }
        // Where there is no other document, a sentence is expected to be as like it as its neighbours.
        let alone = likenesses.iter().sum::<i64>() / likenesses.len().max(1) as i64;
        for (likeness, nearest) in likenesses.iter_mut().zip(&self.nearest) {
            *likeness = (*likeness - expected(nearest).unwrap_or(alone)).max(-MOST_LOSS * NEAREST as i64);
        }
        likenesses
    }

    /// The best runs of `length` sentences in one document that do not overlap, at most `most` of them.
    pub(crate) fn runs(&self, document: usize, length: usize, most: usize) -> Vec<Range<usize>> {
        let gains = self.gains(document);
        let length = length.min(gains.len()).max(1);
        let mut runs: Vec<(i64, Range<usize>)> =
            gains.windows(length).enumerate().map(|(start, run)| (run.iter().sum(), start..start + length)).collect();
        runs.sort_by_key(|(gain, run)| (-gain, run.start));
        let mut taken: Vec<Range<usize>> = Vec::new();
        for (_, run) in runs {
            if taken.len() == most {
                break;
            }
            if taken.iter().all(|other| other.end <= run.start || run.end <= other.start) {
                taken.push(run);
            }
        }
        taken
    }
}

/// The likeness up to which one of `documents` documents is no more than one that is not like a sentence at all, given those of some of them: it is
/// none of the nearest, and takes as much from its run as any can.
pub(crate) fn least_that_counts(likenesses: impl Iterator<Item = i16>, documents: usize) -> i16 {
    let nearest = nearest(likenesses, documents);
    let least = |expected: i64| (expected - MOST_LOSS * NEAREST as i64).div_euclid(NEAREST as i64) as i16;
    let last = nearest.last().map_or(0, |last| last - 1);
    expected(&nearest).map_or(0, |expected| least(expected).min(last).max(0))
}

/// The likenesses of the nearest of `documents` documents, nearest first: those of which nothing is said are not like it at all.
fn nearest(likenesses: impl Iterator<Item = i16>, documents: usize) -> Vec<i16> {
    let mut likenesses: Vec<i16> = likenesses.collect();
    if likenesses.len() > NEAREST {
        likenesses.select_nth_unstable_by(NEAREST - 1, |a, b| b.cmp(a));
        likenesses.truncate(NEAREST);
    }
    likenesses.resize(NEAREST.min(documents), 0);
    likenesses.sort_unstable_by(|a, b| b.cmp(a));
    likenesses
}

/// How like a sentence is to documents that say nothing of it, by the nearest ones without the one that is judged, in sixths of
/// ten-thousandths; none if there is no other.
fn expected(nearest: &[i16]) -> Option<i64> {
    let (_, others) = nearest.split_first()?;
    let sum: i64 = others.iter().map(|likeness| i64::from(*likeness)).sum();
    (!others.is_empty()).then(|| sum * NEAREST as i64 / others.len() as i64)
}
