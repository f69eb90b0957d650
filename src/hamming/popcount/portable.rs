//! Loops that any processor runs.

use super::{Near, Stretch};

pub fn near_words(words: &[u8], query: u64, within: u32, found: &mut Vec<usize>) {
    near_words_from(0, words, query, within, found);
}

/// Only the words from position `first` on.
pub fn near_words_from(first: usize, words: &[u8], query: u64, within: u32, found: &mut Vec<usize>) {
    for (position, word) in words.as_chunks::<8>().0.iter().enumerate().skip(first) {
        if (u64::from_le_bytes(*word) ^ query).count_ones() <= within {
            found.push(position);
        }
    }
}

pub fn near_in_stretches(stretches: &[Stretch], found: &mut Vec<Near>) {
    for (number, stretch) in stretches.iter().enumerate() {
        near_in_stretch_from(0, stretch, number, found);
    }
}

pub fn near_any(words: &[u8], queries: &[u32], within: u32, found: &mut Vec<Near>) {
    near_any_from(0, words, queries, within, found);
}

/// Only the words from position `first` on.
pub fn near_any_from(first: usize, words: &[u8], queries: &[u32], within: u32, found: &mut Vec<Near>) {
    for (number, &query) in queries.iter().enumerate() {
        near_in_stretch_from(first, &Stretch { words, query, within }, number, found);
    }
}

/// Only the words from position `first` on.
#[inline]
pub fn near_in_stretch_from(first: usize, stretch: &Stretch, number: usize, found: &mut Vec<Near>) {
    for (position, word) in stretch.words.as_chunks::<4>().0.iter().enumerate().skip(first) {
        if (u32::from_le_bytes(*word) ^ stretch.query).count_ones() <= stretch.within {
            found.push(Near { stretch: number as u32, position: position as u32 });
        }
    }
}
