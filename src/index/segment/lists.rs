//! Inverted lists: for each 32-bit key the documents that hold it and, if wanted, where.
//!
//! Keys fall into slots by their leading bits, about [`KEYS_PER_SLOT`] to a slot; a directory says where each slot
//! begins. Within a slot stand the keys in ascending order, as differences, each followed by its list:
//!
//! ```text
//! key       varint  difference to the key before in the slot (or to the slot's first possible key)
//! header    varint  2 × documents, plus 1 when some document has more than one posting
//! length    varint  bytes of what follows, only when there are at least LONG documents
//! document  varint  difference to the document before (the first: its number)
//! count     varint  postings in this document, less one; only when the header's lowest bit is set
//! position  varint  … of each posting, as differences; only in lists that keep positions
//! ```
//!
//! Positions are kept in steps of [`POSITION_STEP`] units: they serve to tell near from far.

use super::varint;

/// Where a key stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Posting {
    /// The number of the document within its segment.
    pub document: u32,
    /// The unit at which the key starts, rounded down to a multiple of [`POSITION_STEP`].
    pub position: u32,
}

/// Units between two positions that are told apart.
pub const POSITION_STEP: u32 = 8;

const KEYS_PER_SLOT: usize = 16;

/// Lists of at least so many documents tell their length, so that they can be stepped over.
const LONG: u64 = 8;

/// Writes the lists of `entries`; gives the directory and the lists.
pub(super) fn write(mut entries: Vec<(u32, Posting)>, positions: bool) -> (Vec<u8>, Vec<u8>) {
    entries.sort_unstable();
    let keys = entries.chunk_by(|a, b| a.0 == b.0).count();
    let slot_bits = (keys / KEYS_PER_SLOT).checked_ilog2().unwrap_or(0);
    let (mut directory, mut lists) = (Vec::new(), Vec::new());
    directory.extend_from_slice(&u64::from(slot_bits).to_le_bytes());
    let mut groups = entries.chunk_by(|a, b| a.0 == b.0).peekable();
    let mut one = Vec::new();
    for slot in 0..1u64 << slot_bits {
        directory.extend_from_slice(&(lists.len() as u64).to_le_bytes());
        let mut before = slot << (32 - slot_bits);
        while let Some(group) = groups.next_if(|group| slot_of(group[0].0, slot_bits) == slot) {
            varint::put(&mut lists, u64::from(group[0].0) - before);
            before = u64::from(group[0].0);
            write_list(group, positions, &mut one);
            let documents = group.chunk_by(|a, b| a.1.document == b.1.document).count();
            varint::put(&mut lists, (documents as u64) << 1 | u64::from(documents < group.len()));
            if documents as u64 >= LONG {
                varint::put(&mut lists, one.len() as u64);
            }
            lists.append(&mut one);
        }
    }
    directory.extend_from_slice(&(lists.len() as u64).to_le_bytes());
    (directory, lists)
}

fn write_list(group: &[(u32, Posting)], positions: bool, out: &mut Vec<u8>) {
    let repeats = group.chunk_by(|a, b| a.1.document == b.1.document).count() < group.len();
    let mut before = 0;
    for of_document in group.chunk_by(|a, b| a.1.document == b.1.document) {
        let document = of_document[0].1.document;
        varint::put(out, u64::from(document - before));
        before = document;
        if repeats {
            varint::put(out, of_document.len() as u64 - 1);
        }
        if positions {
            let mut at = 0;
            for (_, posting) in of_document {
                let step = posting.position / POSITION_STEP;
                varint::put(out, u64::from(step - at));
                at = step;
            }
        }
    }
}

fn slot_of(key: u32, slot_bits: u32) -> u64 {
    u64::from(key) >> (32 - slot_bits)
}

/// The bytes of the lists, a range at a time, each checked before it is given out.
pub(super) trait Bytes {
    /// The bytes of a range; `None` when they are damaged or there are none.
    fn bytes(&self, from: u64, to: u64) -> Option<&[u8]>;
    /// How many there are.
    fn len(&self) -> u64;
}

/// Lists to look up keys in.
pub(super) struct Lists<'a, B> {
    pub(super) directory: &'a B,
    pub(super) lists: &'a B,
    pub(super) positions: bool,
}

/// The list of one key.
#[derive(Debug, Clone, Copy)]
pub struct List<'a> {
    /// How many documents hold the key.
    pub documents: u32,
    repeats: bool,
    positions: bool,
    bytes: &'a [u8],
}

impl<'a, B: Bytes> Lists<'a, B> {
    /// The list of a key: `None` when the bytes are damaged, `Some(None)` when no document holds the key.
    pub(super) fn find(&self, key: u32) -> Option<Option<List<'a>>> {
        let number = |index: u64| -> Option<u64> {
            let bytes = self.directory.bytes(index * 8, index * 8 + 8)?;
            Some(u64::from_le_bytes(bytes.try_into().ok()?))
        };
        let slot_bits = number(0)?;
        if slot_bits > 31 {
            return None;
        }
        let slot = slot_of(key, slot_bits as u32);
        let (from, to) = (number(1 + slot)?, number(2 + slot)?);
        let mut rest = self.lists.bytes(from, to)?;
        let mut at = slot << (32 - slot_bits);
        while !rest.is_empty() {
            at = at.checked_add(varint::take(&mut rest)?)?;
            let list = self.take_list(&mut rest)?;
            if at == u64::from(key) {
                return Some(Some(list));
            }
            if at > u64::from(key) {
                break;
            }
        }
        Some(None)
    }

    /// Calls `visit` for every key, in ascending order; `None` when the bytes are damaged.
    pub(super) fn for_each(&self, mut visit: impl FnMut(u32, List<'a>)) -> Option<()> {
        let slots = (self.directory.len() / 8).checked_sub(2)?;
        let slot_bits = u64::from_le_bytes(self.directory.bytes(0, 8)?.try_into().ok()?);
        if slot_bits > 31 || slots != 1 << slot_bits {
            return None;
        }
        for slot in 0..slots {
            let bytes = self.directory.bytes(8 + slot * 8, 24 + slot * 8)?;
            let (from, to) = bytes.split_at(8);
            let (from, to) = (u64::from_le_bytes(from.try_into().ok()?), u64::from_le_bytes(to.try_into().ok()?));
            let mut rest = self.lists.bytes(from, to)?;
            let mut at = slot << (32 - slot_bits);
            while !rest.is_empty() {
                at = at.checked_add(varint::take(&mut rest)?)?;
                visit(u32::try_from(at).ok()?, self.take_list(&mut rest)?);
            }
        }
        Some(())
    }

    fn take_list(&self, rest: &mut &'a [u8]) -> Option<List<'a>> {
        let header = varint::take(rest)?;
        let (documents, repeats) = (header >> 1, header & 1 == 1);
        let mut list = List { documents: documents.try_into().ok()?, repeats, positions: self.positions, bytes: rest };
        let length = if documents >= LONG {
            let length = varint::take(rest)?;
            list.bytes = rest;
            usize::try_from(length).ok()?
        } else {
            rest.len() - list.walk(|_| {})?.len()
        };
        list.bytes = rest.get(..length)?;
        *rest = &rest[length..];
        Some(list)
    }
}

impl<'a> List<'a> {
    /// Calls `visit` for every posting, in order of document and position; `None` when the bytes are damaged.
    pub fn for_each(&self, visit: impl FnMut(Posting)) -> Option<()> {
        self.walk(visit).map(|_| ())
    }

    fn walk(&self, mut visit: impl FnMut(Posting)) -> Option<&'a [u8]> {
        let mut rest = self.bytes;
        let mut document = 0u32;
        for _ in 0..self.documents {
            document = document.checked_add(varint::take_u32(&mut rest)?)?;
            let more = if self.repeats { varint::take_u32(&mut rest)? } else { 0 };
            if !self.positions {
                visit(Posting { document, position: 0 });
                continue;
            }
            let mut step = 0u32;
            for _ in 0..=more {
                step = step.checked_add(varint::take_u32(&mut rest)?)?;
                visit(Posting { document, position: step.saturating_mul(POSITION_STEP) });
            }
        }
        Some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    impl Bytes for Vec<u8> {
        fn bytes(&self, from: u64, to: u64) -> Option<&[u8]> {
            self.get(from as usize..to as usize)
        }
        fn len(&self) -> u64 {
            Vec::len(self) as u64
        }
    }

    type Entries = Vec<(u32, u32, u32)>;

    fn built(entries: &Entries) -> (Vec<u8>, Vec<u8>) {
        write(entries.iter().map(|&(key, document, position)| (key, Posting { document, position })).collect(), true)
    }

    proptest::proptest! {
        #[test]
        fn every_key_has_the_postings_it_was_given(
            few in proptest::collection::vec((0u32..40, 0u32..20, 0u32..500), 0..300),
            many in proptest::collection::vec((proptest::num::u32::ANY, 0u32..2000, 0u32..9), 0..600),
        ) {
            let mut entries: Entries = few.into_iter().chain(many).collect();
            entries.push((u32::MAX, 7, 8));
            let mut expected: BTreeMap<u32, Vec<Posting>> = BTreeMap::new();
            entries.sort_unstable();
            for &(key, document, position) in &entries {
                let position = position / POSITION_STEP * POSITION_STEP;
                expected.entry(key).or_default().push(Posting { document, position });
            }
            let (directory, lists) = built(&entries);
            let lists = Lists { directory: &directory, lists: &lists, positions: true };
            for (&key, postings) in &expected {
                let list = lists.find(key).unwrap().unwrap();
                let mut found = Vec::new();
                list.for_each(|p| found.push(p)).unwrap();
                assert_eq!(&found, postings);
                let documents = postings.chunk_by(|a, b| a.document == b.document).count();
                assert_eq!(list.documents as usize, documents);
                if !expected.contains_key(&(key ^ 1)) {
                    assert!(lists.find(key ^ 1).unwrap().is_none());
                }
            }
            let mut keys = Vec::new();
            lists.for_each(|key, _| keys.push(key)).unwrap();
            assert_eq!(keys, expected.keys().copied().collect::<Vec<_>>());
        }

        #[test]
        fn damaged_bytes_never_panic(
            entries in proptest::collection::vec((0u32..40, 0u32..20, 0u32..500), 0..100),
            at in 0usize..2000, value: u8, key in 0u32..40,
        ) {
            let (mut directory, mut lists) = built(&entries);
            let length = directory.len();
            if at < length { directory[at] = value } else if let Some(byte) = lists.get_mut(at - length) { *byte = value }
            let lists = Lists { directory: &directory, lists: &lists, positions: true };
            if let Some(Some(list)) = lists.find(key) {
                let mut visited = 0;
                let _ = list.for_each(|_| visited += 1);
                assert!(visited < 100_000);
            }
            let _ = lists.for_each(|_, _| {});
        }
    }
}
