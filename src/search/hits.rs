//! The keys that a submission shares with documents, those of each document together.

use crate::sketch::containment::Sides;
use std::ops::Range;

/// A key that both texts hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// Its place in the submission, in units.
    pub in_submission: u32,
    /// Its place in the document, in units.
    pub in_source: u32,
    /// A number that tells keys of the submission apart.
    pub key: u32,
    /// How many documents hold the key.
    pub documents: u32,
    /// On which sides what stands beside the key agrees ([`Beside`](crate::sketch::containment::Beside)).
    pub agreeing: Sides,
}

/// The keys that a document shares with a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentHits {
    /// The number of the document.
    pub document: u32,
    /// Which of the [`Hits`] are its.
    pub(super) hits: Range<u32>,
}

/// The hits of all documents. Those of a document are sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hits(Vec<Hit>);

impl Hits {
    /// Sorts hits by their documents, by counting those of each, and gives the documents that have some, ascending.
    pub fn of(found: &[(u32, Hit)]) -> (Self, Vec<DocumentHits>) {
        let documents = found.iter().map(|(document, _)| *document as usize + 1).max().unwrap_or(0);
        let mut ends = vec![0u32; documents + 1];
        for (document, _) in found {
            ends[*document as usize + 1] += 1;
        }
        for document in 0..documents {
            ends[document + 1] += ends[document];
        }
        let mut hits = vec![Hit::default(); found.len()];
        for (document, hit) in found {
            let end = &mut ends[*document as usize];
            hits[*end as usize] = *hit;
            *end += 1;
        }
        let (mut sharing, mut start) = (Vec::new(), 0);
        for (document, &end) in (0..).zip(&ends[..documents]) {
            if end > start {
                hits[start as usize..end as usize].sort_unstable();
                sharing.push(DocumentHits { document, hits: start..end });
            }
            start = end;
        }
        (Hits(hits), sharing)
    }

    /// The hits of a document.
    pub fn of_document(&self, sharing: &DocumentHits) -> &[Hit] {
        &self.0[sharing.hits.start as usize..sharing.hits.end as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    proptest::proptest! {
        #[test]
        fn hits_are_grouped_as_a_map_would_group_them(
            found in proptest::collection::vec((0u32..20, (0u32..9, 0u32..9, 0u32..9, 0u32..9)), 0..100)
        ) {
            let hit = |(in_submission, in_source, key, documents)| Hit { in_submission, in_source, key, documents, agreeing: Sides::default() };
            let found: Vec<(u32, Hit)> = found.into_iter().map(|(document, of)| (document, hit(of))).collect();
            let mut plain: BTreeMap<u32, Vec<Hit>> = BTreeMap::new();
            for (document, hit) in &found {
                plain.entry(*document).or_default().push(*hit);
            }
            plain.values_mut().for_each(|hits| hits.sort_unstable());
            let (hits, sharing) = Hits::of(&found);
            let grouped = sharing.iter().map(|of| (of.document, hits.of_document(of).to_vec()));
            assert_eq!(grouped.collect::<Vec<_>>(), plain.into_iter().collect::<Vec<_>>());
        }
    }
}
