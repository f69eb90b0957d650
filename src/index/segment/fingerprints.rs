//! Which documents of a segment have a SimHash fingerprint near to a given one.
//!
//! The fingerprints stand in one section, and where there are many, a Hamming table of them for all distances in another.

use super::container::SharedBytes;
use super::{Part, Segment};
use crate::hamming::{Engine, FingerprintTable, Hit, near_words, write_for_all_distances};
use crate::index::error::IndexError;
use std::io;

/// The bytes of the table's section: empty where comparing with all fingerprints is as fast.
pub(super) fn table_section(fingerprints: &[u8]) -> io::Result<Vec<u8>> {
    let words: Vec<u64> = fingerprints.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
    Ok(write_for_all_distances(&words).map_err(io::Error::other)?.unwrap_or_default())
}

impl Segment {
    /// The documents, deleted ones among them, whose fingerprints differ from `fingerprint` in at most `k` bits (0 to 7),
    /// ascending.
    ///
    /// # Errors
    /// When the segment is damaged.
    pub fn near(&self, fingerprint: u64, k: u8) -> Result<Vec<Hit>, IndexError> {
        if self.all(Part::FingerprintTable)?.is_empty() {
            return Ok(near_words(self.all(Part::Fingerprints)?, fingerprint, k));
        }
        let table = self.table.get_or_init(|| self.open_table()).as_ref();
        self.sound(table.and_then(|table| table.find(fingerprint, k).ok()))
    }

    /// Opens the table, all of whose bytes were compared with their checksums.
    pub(super) fn open_table(&self) -> Option<FingerprintTable<SharedBytes>> {
        let table = FingerprintTable::open_trusting(self.section(Part::FingerprintTable).share()).ok()?;
        (table.len() == self.documents as usize && table.distance() == Engine::MAX_DISTANCE).then_some(table)
    }
}

#[cfg(test)]
mod tests {
    use super::super::SegmentBuilder;
    use crate::hamming::FingerprintTable;
    use crate::sketch::analysis::Analysis;
    use crate::sketch::settings::SketchSettings;
    use std::path::Path;

    #[test]
    fn a_segment_of_any_size_finds_the_fingerprints_that_brute_force_finds() {
        for count in [0u64, 1, 100, 60_000] {
            let word = |number: u64| (number % 9_001).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 1 << (number % 64);
            let words: Vec<u64> = (0..count).map(word).collect();
            let settings = SketchSettings::new(Default::default(), 16, 0.7);
            let mut builder = SegmentBuilder::new(&settings);
            for &fingerprint in &words {
                builder.add("", &Analysis::default().with_fingerprint(fingerprint), None);
            }
            let segment = builder.in_memory(Path::new("")).unwrap();
            assert_eq!(segment.open_table().is_some(), count == 60_000);
            for query in [0, word(3), word(77) ^ 0b101] {
                for k in [0, 3, 7] {
                    assert_eq!(segment.near(query, k).unwrap(), FingerprintTable::brute_force(&words, query, k));
                }
            }
            segment.verify().unwrap();
        }
    }
}
