//! The documents of a corpus in the order of their ids, with copies of one text collapsed.

use ahash::AHashMap;
use rayon::prelude::*;

/// Documents by number: their ranks in the order of the ids, so that the order of numbers is that of reports.
#[derive(Debug, Clone, Default)]
pub(super) struct DistinctDocuments {
    ids: Vec<String>,
    /// For each document the first with the same normalised text, which stands for all of them.
    original: Vec<u32>,
    /// The documents that one with copies stands for, itself among them, ascending.
    copies: AHashMap<u32, Vec<u32>>,
}

impl DistinctDocuments {
    /// Documents of which none is a copy of another. The ids are sorted and differ.
    pub fn all_different(ids: Vec<String>) -> Self {
        let original = (0..ids.len() as u32).collect();
        DistinctDocuments { ids, original, copies: AHashMap::new() }
    }

    /// Documents with what they hold: of equal contents all but the first are copies. The ids are sorted and differ.
    pub fn collapsed(ids: Vec<String>, contents: &[u128]) -> Self {
        let mut documents = DistinctDocuments::all_different(ids);
        let mut by_content: Vec<(u128, u32)> = contents.iter().copied().zip(0..).collect();
        by_content.par_sort_unstable();
        for equal in by_content.chunk_by(|a, b| a.0 == b.0).filter(|equal| equal.len() > 1) {
            let copies: Vec<u32> = equal.iter().map(|&(_, document)| document).collect();
            copies.iter().for_each(|&copy| documents.original[copy as usize] = copies[0]);
            documents.copies.insert(copies[0], copies);
        }
        documents
    }

    /// How many there are, copies among them.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// A document's id.
    pub fn id(&self, document: u32) -> &str {
        &self.ids[document as usize]
    }

    /// The document that stands for this one: the first of its copies, or itself.
    pub fn original(&self, document: u32) -> u32 {
        self.original[document as usize]
    }

    /// The documents that an original stands for, if it has copies, itself among them, ascending.
    pub fn copies(&self, original: u32) -> Option<&[u32]> {
        self.copies.get(&original).map(Vec::as_slice)
    }
}
