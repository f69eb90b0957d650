//! How similar the documents of a corpus are to each other, estimated from a sample of them.

use super::PairsError;
use super::corpus::{Corpus, Signers, Watcher};
use crate::settings::SketchSettings;
use crate::sketch::banding::Banding;
use crate::sketch::finish;
use rayon::prelude::*;

/// About how many documents are sampled: enough for two million pairs.
const DOCUMENTS: u64 = 2000;

/// The similarities of all pairs of sampled documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The inputs of the corpus.
    pub inputs: u64,
    /// The documents sampled.
    pub documents: u64,
    /// For each number of hash functions, from none to all, the sampled pairs in which this many agree.
    pub pairs: Vec<u64>,
}

/// What a banding is expected to do with a corpus.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expectation {
    /// Pairs of documents in the corpus.
    pub pairs: f64,
    /// Those that become candidates.
    pub candidates: f64,
    /// Those at or above the threshold.
    pub similar: f64,
    /// The share of these that become candidates; none when no sampled pair is at or above the threshold.
    pub recall: Option<f64>,
}

impl Corpus {
    /// Samples documents by their number, the same ones every time. Documents that cannot be read are left out.
    ///
    /// # Errors
    /// None that reading the same corpus twice would not give.
    pub fn sample(&self, settings: &SketchSettings, watcher: &impl Watcher) -> Result<Sample, PairsError> {
        let inputs = self.count();
        let chosen = |input: u32| finish(u64::from(input)) <= (u64::MAX / inputs.max(1)).saturating_mul(DOCUMENTS);
        let signers = Signers::new(settings);
        let mut signatures: Vec<Vec<u32>> = Vec::new();
        self.for_each_batch(
            chosen,
            |batch| signers.profile(batch, self.limits()),
            |profiled| {
                watcher.read(profiled.len());
                let profiles = profiled.into_iter().filter_map(|(_, profile)| Some(profile?.1));
                signatures.extend(profiles.filter(|p| !p.shingles.is_empty()).map(|profile| profile.signature));
                Ok(())
            },
        )?;
        Ok(Sample {
            inputs,
            documents: signatures.len() as u64,
            pairs: agreements(&signatures, settings.hashes as usize),
        })
    }
}

/// Counts the pairs of signatures by the number of places in which they agree.
fn agreements(signatures: &[Vec<u32>], hashes: usize) -> Vec<u64> {
    let of_one = |index: usize| {
        let mut counts = vec![0; hashes + 1];
        for other in &signatures[index + 1..] {
            counts[signatures[index].iter().zip(other).filter(|(a, b)| a == b).count()] += 1;
        }
        counts
    };
    let sum = |mut all: Vec<u64>, some: Vec<u64>| {
        all.iter_mut().zip(some).for_each(|(all, some)| *all += some);
        all
    };
    (0..signatures.len()).into_par_iter().map(of_one).reduce(|| vec![0; hashes + 1], sum)
}

impl Sample {
    /// What a banding does with the corpus, if it is as the sample is.
    pub fn expectation(&self, banding: Banding, threshold: f64) -> Expectation {
        let sampled: u64 = self.pairs.iter().sum();
        let pairs = self.inputs as f64 * self.inputs.saturating_sub(1) as f64 / 2.0;
        let scale = if sampled == 0 { 0.0 } else { pairs / sampled as f64 };
        let (mut candidates, mut similar, mut found) = (0.0, 0.0, 0.0);
        for (similarity, count) in self.similarities() {
            let likely = count as f64 * banding.candidate_probability(similarity);
            candidates += likely;
            if similarity >= threshold {
                similar += count as f64;
                found += likely;
            }
        }
        let recall = (similar > 0.0).then(|| found / similar);
        Expectation { pairs, candidates: candidates * scale, similar: similar * scale, recall }
    }

    /// The estimated similarities, from 0 to 1, with the number of sampled pairs of each.
    pub fn similarities(&self) -> impl Iterator<Item = (f64, u64)> {
        let hashes = self.pairs.len().saturating_sub(1).max(1) as f64;
        self.pairs.iter().enumerate().map(move |(agreeing, &count)| (agreeing as f64 / hashes, count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corpus_is_expected_to_be_as_its_sample() {
        // Ten sampled pairs of a hundred documents: nine unlike, one with all functions agreeing.
        let sample = Sample { inputs: 100, documents: 5, pairs: vec![9, 0, 0, 0, 1] };
        let expected = sample.expectation(Banding { bands: 4, rows: 1 }, 0.7);
        assert_eq!((expected.pairs, expected.similar, expected.candidates), (4950.0, 495.0, 495.0));
        assert_eq!(expected.recall, Some(1.0));
        assert_eq!(sample.expectation(Banding { bands: 4, rows: 1 }, 1.1).recall, None);
    }

    #[test]
    fn pairs_are_counted_by_the_places_in_which_they_agree() {
        let signatures = [vec![1, 2, 3], vec![1, 2, 4], vec![5, 6, 7]];
        assert_eq!(agreements(&signatures, 3), [2, 0, 1, 0]);
    }
}
