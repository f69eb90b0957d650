//! Connected components of similar documents.

use std::cmp::Ordering;

/// Documents joined into clusters (union and find, with halved paths). The smallest number represents a cluster.
#[derive(Debug, Clone)]
pub struct Clusters {
    /// A smaller member of the same cluster, or itself for the representative.
    towards: Vec<u32>,
}

impl Clusters {
    /// Each of `documents` documents by itself.
    pub fn new(documents: usize) -> Self {
        Clusters { towards: (0..documents as u32).collect() }
    }

    /// How many documents there are.
    pub fn documents(&self) -> usize {
        self.towards.len()
    }

    /// One document more, by itself, with the next number.
    pub fn add(&mut self) {
        self.towards.push(self.towards.len() as u32);
    }

    /// The representative of a document's cluster.
    pub fn representative(&mut self, document: u32) -> u32 {
        let mut at = document as usize;
        while self.towards[at] as usize != at {
            let next = self.towards[self.towards[at] as usize];
            self.towards[at] = next;
            at = next as usize;
        }
        at as u32
    }

    /// Whether two documents are in one cluster.
    pub fn connected(&mut self, first: u32, second: u32) -> bool {
        self.representative(first) == self.representative(second)
    }

    /// Puts two documents into one cluster.
    pub fn join(&mut self, first: u32, second: u32) {
        let (first, second) = (self.representative(first), self.representative(second));
        match first.cmp(&second) {
            Ordering::Less => self.towards[second as usize] = first,
            Ordering::Greater => self.towards[first as usize] = second,
            Ordering::Equal => {}
        }
    }

    /// The clusters of two documents and more: each member with its representative, in the order of both.
    pub fn members(mut self) -> Vec<(u32, u32)> {
        let mut sizes = vec![0u32; self.towards.len()];
        let all: Vec<(u32, u32)> =
            (0..self.towards.len() as u32).map(|document| (self.representative(document), document)).collect();
        all.iter().for_each(|&(representative, _)| sizes[representative as usize] += 1);
        let mut members: Vec<_> = all.into_iter().filter(|&(r, _)| sizes[r as usize] > 1).collect();
        members.sort_unstable();
        members
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn clusters_are_what_can_be_reached(pairs in proptest::collection::vec((0u32..12, 0u32..12), 0..14)) {
            let mut clusters = Clusters::new(12);
            pairs.iter().for_each(|&(a, b)| clusters.join(a, b));
            // The naive way: the smallest number spreads along the pairs.
            let mut smallest: Vec<u32> = (0..12).collect();
            for _ in 0..12 {
                for &(a, b) in &pairs {
                    let least = smallest[a as usize].min(smallest[b as usize]);
                    (smallest[a as usize], smallest[b as usize]) = (least, least);
                }
            }
            for document in 0..12 {
                assert_eq!(clusters.representative(document), smallest[document as usize]);
            }
            let mut expected: Vec<(u32, u32)> = (0..12).map(|document| (smallest[document as usize], document)).collect();
            expected.retain(|&(r, _)| smallest.iter().filter(|&&other| other == r).count() > 1);
            expected.sort_unstable();
            assert_eq!(clusters.members(), expected);
        }
    }
}
