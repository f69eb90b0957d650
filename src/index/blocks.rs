//! Blocks of units that are asked for again and again, kept as they were read.
//!
//! A look at a place of a document reads some ten units, but must pass over those before them in their block. Of thousands of
//! submissions against one index many look at the same blocks: what is read for the second time is read whole and kept.

use super::error::IndexError;
use crate::text::units::Stretch;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

/// Units of a block, as segments cut them.
pub(super) const BLOCK_UNITS: u32 = super::segment::BLOCK_UNITS as u32;

/// Bytes of all that is kept, about.
const KEPT_BYTES: u64 = 64 << 20;

/// Bytes of a unit in a block that is kept.
const UNIT_BYTES: u64 = 9;

/// Places in which blocks that were read once are remembered.
const REMEMBERED: usize = 1 << 18;

/// What is kept of an index's blocks, for many threads.
#[derive(Debug)]
pub(super) struct Blocks {
    kept: Cache<u64, Arc<Stretch>, Bytes>,
    /// A mark of the block that was read last of those that share the place.
    read_once: Box<[AtomicU16]>,
}

#[derive(Debug, Clone)]
struct Bytes;

impl Weighter<u64, Arc<Stretch>> for Bytes {
    fn weight(&self, _: &u64, block: &Arc<Stretch>) -> u64 {
        UNIT_BYTES * block.units().len() as u64 + 128
    }
}

impl Default for Blocks {
    fn default() -> Self {
        let number = (KEPT_BYTES / (UNIT_BYTES * u64::from(BLOCK_UNITS))) as usize;
        Blocks {
            kept: Cache::with_weighter(number, KEPT_BYTES, Bytes),
            read_once: (0..REMEMBERED).map(|_| AtomicU16::new(0)).collect(),
        }
    }
}

impl Blocks {
    /// Adds units of block `block` of a document to `stretch`, `range` counted in the whole document; `read` adds any range of its
    /// units.
    pub(super) fn add(
        &self,
        document: u32,
        block: u32,
        range: Range<u32>,
        stretch: &mut Stretch,
        read: impl Fn(Range<u32>, &mut Stretch) -> Result<(), IndexError>,
    ) -> Result<(), IndexError> {
        let key = u64::from(document) << 32 | u64::from(block);
        let kept = match self.kept.get(&key) {
            Some(kept) => kept,
            None if self.is_first(key) => return read(range, stretch),
            None => {
                let mut whole = Stretch::default();
                whole.begin(block * BLOCK_UNITS);
                read(block * BLOCK_UNITS..(block + 1) * BLOCK_UNITS, &mut whole)?;
                let whole = Arc::new(whole);
                self.kept.insert(key, Arc::clone(&whole));
                whole
            }
        };
        stretch.extend(&kept, range);
        Ok(())
    }

    /// Whether a block was not read before, as far as is remembered.
    fn is_first(&self, key: u64) -> bool {
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mark = (hash >> 16) as u16 | 1;
        let place = (hash >> (64 - REMEMBERED.ilog2())) as usize;
        self.read_once[place].swap(mark, Ordering::Relaxed) != mark
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_block_that_is_read_again_is_kept_and_gives_the_same_units() {
        let (blocks, reads) = (Blocks::default(), Cell::new(0));
        let read = |range: Range<u32>, stretch: &mut Stretch| {
            reads.set(reads.get() + 1);
            // A document of 240 units.
            (range.start..range.end.min(240)).for_each(|unit| stretch.push(unit, unit + 1, (unit % 7) as u8));
            Ok(())
        };
        for (times, range) in [150..170, 230..240, 128..240, 180..190].into_iter().enumerate() {
            let mut stretch = Stretch::default();
            stretch.begin(range.start);
            blocks.add(3, 1, range.clone(), &mut stretch, read).unwrap();
            assert_eq!(stretch.units().hash, range.clone().collect::<Vec<u32>>());
            assert_eq!(stretch.units().stem[0], range.start + 1);
            assert_eq!(reads.get(), (times + 1).min(2), "read in part, as a whole, and kept");
        }
        let mut other = Stretch::default();
        blocks.add(4, 1, 150..151, &mut other, read).unwrap();
        assert_eq!(reads.get(), 3, "another document's block is another");
    }
}
