//! Reading a slot of the [lists](super::lists), and what tells whether its bytes are damaged.

use crate::hamming::coding::bits::BitReader;
use std::fmt;
use std::ops::Range;

/// The bytes of the lists, a range at a time.
pub(in crate::index) trait Bytes: fmt::Debug + Sync {
    /// The bytes of a range; `None` when they are damaged or there are none.
    fn bytes(&self, from: u64, to: u64) -> Option<&[u8]>;
    /// The bytes of a range, which may be damaged; `None` when there are none. What was read of them counts once [`Bytes::bytes`] gave it.
    fn unchecked(&self, from: u64, to: u64) -> Option<&[u8]>;
    /// How many there are.
    fn len(&self) -> u64;
}

/// Reads a slot. Its bytes are looked at for damage when they have been read ([`SlotReader::is_sound_since`]), and only they: a slot may hold
/// a list of many KiB of which the beginning is read.
#[derive(Debug, Clone)]
pub(super) struct SlotReader<'a> {
    pub(super) bits: BitReader<'a>,
    lists: &'a dyn Bytes,
    /// Where the slot begins, in bytes.
    pub(super) begin: u64,
}

impl<'a> SlotReader<'a> {
    /// Reads what stands in a range of the bytes of lists, from its beginning on; `None` when there are no such bytes.
    pub(super) fn of(lists: &'a dyn Bytes, bytes: Range<u64>) -> Option<Self> {
        let bits = BitReader::new(lists.unchecked(bytes.start, bytes.end)?);
        Some(SlotReader { bits, lists, begin: bytes.start })
    }

    /// That the bytes of a range of the slot are not damaged; `None` if they are.
    fn are_sound(&self, bytes: Range<usize>) -> Option<()> {
        // To ask for none would look at the block around.
        if bytes.is_empty() {
            return Some(());
        }
        let at = |byte: usize| self.begin.checked_add(byte as u64);
        self.lists.bytes(at(bytes.start)?, at(bytes.end)?).map(|_| ())
    }

    /// That nothing is damaged of what was read since the reader was at this bit; `None` if something is.
    pub(super) fn is_sound_since(&self, bit: usize) -> Option<()> {
        self.are_sound(bit / 8..self.bits.position().div_ceil(8))
    }

    /// Whether no key follows; `None` when the bits that say so are damaged.
    pub(super) fn is_at_end(&self) -> Option<bool> {
        if !self.bits.is_filled() {
            return Some(false);
        }
        let at = self.bits.position() / 8;
        self.are_sound(at..at + self.bits.left())?;
        Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::super::container::{self, Section};
    use super::super::lists::{self, Codes, Lists, Posting};
    use crate::sketch::containment::KEY_BITS;
    use std::collections::BTreeMap;
    use std::path::Path;

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(40))]

        #[test]
        fn of_lists_that_a_byte_was_changed_in_none_says_anything_else_than_was_written(
            few in proptest::collection::vec((0u64..1 << KEY_BITS, 0u32..2000, 0u32..200), 1..500),
            holders in 0u32..1500, at: proptest::sample::Index, flipped in 1u8..,
        ) {
            let of_one_key = (0..holders).map(|document| (1 << (KEY_BITS - 1), document, document % 7));
            let mut written: BTreeMap<u64, Vec<Posting>> = BTreeMap::new();
            for (key, document, step) in few.into_iter().chain(of_one_key) {
                let position = step * lists::POSITION_STEP;
                written.entry(key).or_default().push(Posting { document, position, ..Posting::default() });
            }
            written.values_mut().for_each(|postings| postings.sort_unstable());
            let entries = written.iter().flat_map(|(key, postings)| postings.iter().map(|posting| (*key, *posting)));
            let rank = |document: u32| document.wrapping_mul(0x9e37_79b9);
            let mut bytes = Vec::new();
            let ranks: Vec<u32> = (0..2000).map(rank).collect();
            let directory = lists::write(entries.collect(), true, &ranks, &mut bytes).unwrap();
            let mut file = std::io::Cursor::new(Vec::new());
            container::write(&[directory, bytes.clone()], &mut file).unwrap();
            let mut file = file.into_inner();
            let begin = file.windows(bytes.len()).position(|window| window == bytes).unwrap();
            file[begin + at.index(bytes.len())] ^= flipped;
            let [directory, bytes]: [Section; 2] = container::in_memory(file, Path::new("")).unwrap();
            let codes = Codes::of(&directory).unwrap();
            let lists = || Lists { codes: &codes, directory: &directory, lists: &bytes };
            for (key, postings) in &written {
                let Some(found) = lists().find(*key) else { continue };
                let list = found.unwrap();
                for below in [1u64 << 32, 1 << 27] {
                    let mut visited = Vec::new();
                    if list.for_each_below(below, |document| Some(rank(document)), |posting| visited.push(posting)).is_some() {
                        visited.sort_unstable();
                        let chosen = postings.iter().filter(|posting| u64::from(rank(posting.document)) < below);
                        proptest::prop_assert!(visited.iter().eq(chosen));
                    }
                }
            }
            let mut is_sound = true;
            let whole = lists().for_each(|_, list| is_sound &= list.for_each(|_| {}).is_some());
            proptest::prop_assert!(whole.is_none() || !is_sound, "reading all finds the damage");
        }
    }
}
