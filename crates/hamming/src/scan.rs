//! Comparing the query with every fingerprint: the obvious way, which all engines must equal.

use std::io::Write;

use crate::cpu::Cpu;

use super::container::{Sections, Writer, damaged};
use super::design::Design;
use super::popcount::NearWords;
use super::{Error, Hit};

/// All fingerprints within `k` bits of `query`, with their positions, by the obvious loop. One that is 0 is near to none.
pub(super) fn brute_force(fingerprints: &[u64], query: u64, k: u8) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (row, fingerprint) in fingerprints.iter().enumerate() {
        let distance = (fingerprint ^ query).count_ones();
        if distance <= u32::from(k) && *fingerprint != 0 && query != 0 {
            hits.push(Hit { row: row as u32, distance: distance as u8 });
        }
    }
    hits
}

/// No tables at all.
pub(super) fn design(k: u8) -> Design {
    Design::new(k, Vec::new(), true, false)
}

/// Writes one section: the fingerprints, in their order.
pub(super) fn write<W: Write>(fingerprints: &[u64], out: &mut Writer<W>) -> Result<(), Error> {
    out.numbers(fingerprints, u64::to_le_bytes)
}

/// Compares the section's length with what the header promises.
pub(super) fn check(layout: &Sections) -> Result<(), Error> {
    match &layout.sections[..] {
        [words] if words.len() == layout.count * 8 && layout.design.tables.is_empty() => Ok(()),
        _ => damaged("its sections have the wrong lengths"),
    }
}

/// The fingerprints within `k` bits of `query` among little-endian 64-bit words, ascending by row; none that is 0. Bytes beyond
/// the last whole word are ignored.
pub fn near_words(words: &[u8], query: u64, k: u8) -> Vec<Hit> {
    if query == 0 {
        return Vec::new();
    }
    let mut near = words_within(words, query, k);
    let is_zero = |hit: &Hit| words[hit.row as usize * 8..][..8] == [0; 8];
    near.retain(|hit| !is_zero(hit));
    near
}

/// The words within `k` bits of a word, whatever they are.
pub(super) fn words_within(words: &[u8], query: u64, k: u8) -> Vec<Hit> {
    let mut near = Vec::new();
    Cpu::best().run(NearWords { words, query, within: u32::from(k), found: &mut near });
    near.into_iter()
        .filter_map(|row| {
            let word: [u8; 8] = words.get(row * 8..row * 8 + 8)?.try_into().ok()?;
            Some(Hit { row: row as u32, distance: (u64::from_le_bytes(word) ^ query).count_ones() as u8 })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brute_force_tells_rows_and_distances_and_passes_over_what_is_0() {
        let hits = brute_force(&[0b1111, 0, 0b1, u64::MAX], 0b11, 2);
        assert_eq!(hits, [(0, 2), (2, 1)].map(|(row, distance)| Hit { row, distance }));
        assert_eq!(brute_force(&[0, 1], 0, 2), []);
    }
}
