//! How many documents hold the wording of a passage, as the keys in it tell.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// For each sampled key of a submission, how many documents hold it. (Which documents these are, an index tells one by one:
/// [`Index::key`](crate::index::Index::key).) Counted in each of several indexes and added up, it is
/// what one index of all documents would count.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HolderCounts {
    /// The key's first unit in the submission, and the number of documents; by place.
    places: Vec<(u32, u32)>,
}

impl HolderCounts {
    /// Of the keys' first units and the numbers of documents, in any order.
    pub fn new(mut places: Vec<(u32, u32)>) -> Self {
        places.sort_unstable();
        HolderCounts { places }
    }

    /// How many documents hold the wording of these units of the submission, as far as keys tell: the number that half of the keys
    /// in it reach. One at least: the source it was found in.
    pub fn of(&self, units: &Range<u32>) -> u32 {
        let first = self.places.partition_point(|(place, _)| *place < units.start);
        let inside = self.places[first..].iter().take_while(|(place, _)| *place < units.end);
        let mut documents: Vec<u32> = inside.map(|(_, documents)| *documents).collect();
        documents.sort_unstable();
        documents.get(documents.len() / 2).map_or(1, |&documents| documents.max(1))
    }

    /// Takes out a document that holds these keys, by their first units, because it is not compared: the submission itself.
    pub(super) fn take_out(&mut self, places: impl IntoIterator<Item = u32>) {
        for place in places {
            if let Ok(at) = self.places.binary_search_by_key(&place, |(place, _)| *place) {
                self.places[at].1 = self.places[at].1.saturating_sub(1);
            }
        }
    }

    /// Adds what was counted for the same submission in another index.
    pub fn add(&mut self, other: &HolderCounts) {
        for (ours, theirs) in self.places.iter_mut().zip(&other.places) {
            ours.1 = ours.1.saturating_add(theirs.1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_has_as_many_holders_as_half_of_its_keys() {
        let holders = HolderCounts::new(vec![(30, 9), (0, 50), (10, 40), (12, 1), (14, 41), (20, 7)]);
        assert_eq!(holders.of(&(10..20)), 40);
        assert_eq!(holders.of(&(0..31)), 40);
        assert_eq!(holders.of(&(30..40)), 9);
        assert_eq!(holders.of(&(15..20)), 1, "without a key nothing but the source is known");
        let mut without = holders.clone();
        without.take_out([10, 12, 13, 14]);
        assert_eq!((without.of(&(10..20)), without.of(&(0..1))), (39, 50));
        let mut twice = holders.clone();
        twice.add(&holders);
        assert_eq!(twice.of(&(30..40)), 18);
    }
}
