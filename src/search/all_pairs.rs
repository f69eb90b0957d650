//! All near-duplicate pairs within a corpus.

use super::{DocumentSimilarity, Profile};
use crate::index::{Index, IndexError};
use crate::lsh::buckets::Buckets;
use crate::settings::Settings;
use rayon::prelude::*;

/// A pair of similar documents.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The id that comes first.
    pub first: String,
    /// The other id.
    pub second: String,
    /// How similar they are.
    pub similarity: DocumentSimilarity,
}

/// What all pairs gave.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pairs {
    /// The pairs at or above the threshold, ordered by first and second id.
    pub pairs: Vec<Pair>,
    /// How many candidate pairs were verified.
    pub candidates: usize,
}

/// Verifies every candidate pair for which `wanted` says so (by the documents' numbers) exactly, and keeps those at or
/// above `settings.threshold`.
///
/// # Errors
/// When the index is damaged.
pub fn all_pairs(index: &Index, settings: &Settings, wanted: impl Fn(u32, u32) -> bool) -> Result<Pairs, IndexError> {
    let mut candidates = Buckets::new(index.bucket_entries()?).pairs();
    candidates.retain(|&(a, b)| wanted(a, b));
    let profiler = Profile::maker(settings);
    let of_first = |group: &[(u32, u32)]| -> Result<Vec<Pair>, IndexError> {
        let first = group[0].0;
        let profile = profiler(index.document(first)?);
        let mut pairs = Vec::new();
        for &(_, second) in group {
            let other = profiler(index.document(second)?);
            if profile.shingles.overlap(&other.shingles).jaccard() < settings.threshold {
                continue;
            }
            let (a, b) = (index.record(first)?.id, index.record(second)?.id);
            // The documents are numbered as they came; the report orders them by id.
            let ((a, b), (x, y)) = if a <= b { ((a, b), (&profile, &other)) } else { ((b, a), (&other, &profile)) };
            pairs.push(Pair { first: a, second: b, similarity: DocumentSimilarity::of(x, y, settings) });
        }
        Ok(pairs)
    };
    let groups: Vec<&[(u32, u32)]> = candidates.chunk_by(|a, b| a.0 == b.0).collect();
    let found: Vec<Vec<Pair>> = groups.par_iter().map(|group| of_first(group)).collect::<Result<_, _>>()?;
    let mut pairs: Vec<Pair> = found.into_iter().flatten().collect();
    pairs.sort_by(|a, b| (&a.first, &a.second).cmp(&(&b.first, &b.second)));
    Ok(Pairs { pairs, candidates: candidates.len() })
}
