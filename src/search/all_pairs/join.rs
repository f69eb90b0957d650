//! From buckets to verified pairs, streamed in the order of the ids.

use super::buckets::{Buckets, Partners};
use super::clusters::Clusters;
use super::documents::DistinctDocuments;
use super::profiles::Profiles;
use super::{SimilarPair, Summary};
use crate::job::{Cancel, Cancelled};
use crate::search::DocumentSimilarity;
use crate::settings::Settings;
use crate::sketch::shingle::Overlap;
use ahash::AHashMap;
use rayon::prelude::*;
use std::ops::Range;

/// A corpus made ready for finding its pairs.
pub struct Join {
    pub(super) documents: DistinctDocuments,
    /// How many documents there are in all, those that share no bucket among them.
    pub total: usize,
    pub(super) buckets: Buckets,
    pub(super) profiles: Profiles,
    pub(super) settings: Settings,
    /// Whether a pair with this document in it is wanted; empty when all pairs are.
    pub(super) wanted: Vec<bool>,
    /// The same of originals, for them and their copies; empty when no document is a copy.
    pub(super) wanted_texts: Vec<bool>,
    /// Ends the verifying of pairs.
    pub cancel: Cancel,
}

/// A similar document and how similar it is.
type Similar = (u32, DocumentSimilarity);

/// The similar documents of each document of a block, and how many candidates were verified for it.
type Verified = Vec<(Vec<Similar>, usize)>;

/// Candidates in a block of documents that are verified together, about: it bounds the memory for what is found.
const BLOCK: usize = 1 << 20;

impl Join {
    /// How many documents can be in a pair; they are numbered in the order of their ids.
    pub fn documents(&self) -> usize {
        self.documents.len()
    }

    /// A document's id.
    pub fn id(&self, document: u32) -> &str {
        self.documents.id(document)
    }

    /// Only pairs with a document in them whose id is `wanted`.
    pub fn only_with(&mut self, wanted: impl Fn(&str) -> bool) {
        let documents = 0..self.documents.len() as u32;
        self.wanted = documents.clone().map(|document| wanted(self.documents.id(document))).collect();
        self.wanted_texts = self.wanted.clone();
        for document in documents.filter(|&document| self.wanted[document as usize]) {
            self.wanted_texts[self.documents.original(document) as usize] = true;
        }
    }

    /// The Jaccard similarity from which a pair counts.
    pub fn threshold(&self) -> f64 {
        self.settings.threshold
    }

    /// Hands all pairs at or above the threshold to `sink`, ordered by first and second id, at most `most` of them. Each
    /// candidate pair is verified once, in parallel; the outcome does not depend on that. Similar documents are joined in
    /// `clusters`, if given.
    ///
    /// # Errors
    /// Those of `sink`, and [`Cancelled`].
    pub fn for_each<E: From<Cancelled>>(
        &self,
        most: u64,
        mut clusters: Option<&mut Clusters>,
        mut sink: impl FnMut(&SimilarPair) -> Result<(), E>,
    ) -> Result<Summary, E> {
        let mut summary = Summary::default();
        if let Some(clusters) = clusters.as_deref_mut() {
            self.join_copies(clusters);
        }
        // What an original with copies resembles is asked for again when its copies' turn comes.
        let mut kept: AHashMap<u32, Vec<Similar>> = AHashMap::new();
        let mut start = 0;
        while start < self.documents.len() as u32 {
            let block = self.block_from(start);
            start = block.end;
            let verified = self.verify(block.clone());
            self.cancel.check()?;
            for (document, (similar, candidates)) in block.zip(verified) {
                summary.candidates += candidates as u64;
                for &(other, similarity) in &similar {
                    if let Some(clusters) = clusters.as_deref_mut() {
                        clusters.join(document, other);
                    }
                    if self.documents.copies(document).is_some() || self.documents.copies(other).is_some() {
                        kept.entry(document).or_default().push((other, similarity));
                        kept.entry(other).or_default().push((document, similarity.swapped()));
                    }
                }
                for (other, similarity) in self.expanded(document, &similar, &kept) {
                    if summary.pairs == most {
                        return Ok(Summary { cut_short: true, ..summary });
                    }
                    let (first, second) = (self.documents.id(document), self.documents.id(other));
                    sink(&SimilarPair { first, second, similarity })?;
                    summary.pairs += 1;
                }
            }
        }
        Ok(summary)
    }

    /// Joins similar documents in clusters without looking at more pairs than that takes: a bucket of documents that all
    /// resemble each other costs time linear in its size. Gives how many candidate pairs were verified.
    ///
    /// # Errors
    /// When it is cancelled.
    pub fn cluster(&self, clusters: &mut Clusters) -> Result<u64, Cancelled> {
        self.join_copies(clusters);
        let mut candidates = 0;
        for bucket in 0..self.buckets.len() {
            // The members so far, each list those of one cluster.
            let mut parts: Vec<Vec<u32>> = Vec::new();
            for &member in self.buckets.members(bucket) {
                self.cancel.check()?;
                let mut home: Option<usize> = None;
                for part in (0..parts.len()).rev() {
                    let similar = clusters.connected(parts[part][0], member)
                        || parts[part].iter().any(|&other| {
                            candidates += 1;
                            self.is_worth_a_look(other, member) && self.similarity(other, member).is_some()
                        });
                    if !similar {
                        continue;
                    }
                    clusters.join(parts[part][0], member);
                    if let Some(later) = home {
                        let moved = parts.swap_remove(later);
                        parts[part].extend(moved);
                    }
                    home = Some(part);
                }
                match home {
                    Some(part) => parts[part].push(member),
                    None => parts.push(vec![member]),
                }
            }
        }
        Ok(candidates)
    }

    fn join_copies(&self, clusters: &mut Clusters) {
        for document in 0..self.documents.len() as u32 {
            clusters.join(self.documents.original(document), document);
        }
    }

    /// The documents from `start` on that are verified together.
    fn block_from(&self, start: u32) -> Range<u32> {
        let (mut end, mut candidates) = (start, 0);
        while end < self.documents.len() as u32 && candidates < BLOCK {
            candidates += 1 + self.buckets.partners_at_most(end);
            end += 1;
        }
        start..end
    }

    /// For each document of a block the similar ones after it, ascending. Copies have none: they are not in the buckets.
    fn verify(&self, block: Range<u32>) -> Verified {
        let of = |partners: &mut Partners, document: u32| {
            // Of a cancelled job nobody looks at what is found.
            if !self.buckets.has_company(document) || self.cancel.is_cancelled() {
                return (Vec::new(), 0);
            }
            self.buckets.partners(document, partners);
            partners.found.retain(|&other| self.is_worth_a_look(document, other));
            let similar = partners.found.iter().filter_map(|&other| Some((other, self.similarity(document, other)?)));
            (similar.collect(), partners.found.len())
        };
        block.into_par_iter().with_min_len(64).map_init(Partners::default, of).collect()
    }

    fn is_wanted(&self, first: u32, second: u32) -> bool {
        let wanted = |document: u32| self.wanted.get(document as usize).is_none_or(|&wanted| wanted);
        wanted(first) || wanted(second)
    }

    /// The same for two originals, each of which may stand for copies.
    fn is_worth_a_look(&self, first: u32, second: u32) -> bool {
        let wanted = |original: u32| self.wanted_texts.get(original as usize).is_none_or(|&wanted| wanted);
        if self.wanted_texts.is_empty() { self.is_wanted(first, second) } else { wanted(first) || wanted(second) }
    }

    /// How similar two originals are, if they are.
    fn similarity(&self, first: u32, second: u32) -> Option<DocumentSimilarity> {
        let (first, second) = (self.profiles.get(first), self.profiles.get(second));
        let overlap = Overlap::at_least(first.shingles, second.shingles, self.settings.threshold)?;
        Some(DocumentSimilarity::of_views(first, second, overlap, &self.settings))
    }

    /// All documents after `document` that are similar to it, ascending: copies of it, and the similar originals with
    /// their copies. `later` are the similar originals after it.
    fn expanded(&self, document: u32, later: &[Similar], kept: &AHashMap<u32, Vec<Similar>>) -> Vec<Similar> {
        let original = self.documents.original(document);
        let mut found = Vec::new();
        let mut take = |other: u32, similarity| match self.documents.copies(other) {
            Some(copies) => {
                found.extend(copies.iter().filter(|&&copy| copy > document).map(|&copy| (copy, similarity)))
            }
            None if other > document => found.push((other, similarity)),
            None => {}
        };
        if self.documents.copies(original).is_some() {
            take(original, DocumentSimilarity::of_equals());
        }
        if document == original {
            later.iter().for_each(|&(other, similarity)| take(other, similarity));
        }
        for &(other, similarity) in kept.get(&original).into_iter().flatten() {
            if document != original || other < original {
                take(other, similarity);
            }
        }
        found.retain(|&(other, _)| self.is_wanted(document, other));
        found.sort_unstable_by_key(|&(other, _)| other);
        found
    }
}
