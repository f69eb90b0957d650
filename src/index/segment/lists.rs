//! Inverted lists: for each 32-bit key the documents that hold it and, if wanted, where.
//!
//! Keys fall into slots by their leading bits, about [`KEYS_PER_SLOT`] to a slot; a directory says at which byte each slot
//! begins. Within a slot stand the number of its keys and then the keys in ascending order, each followed by its list:
//!
//! ```text
//! number    gamma     keys of the slot
//! key       Golomb    difference to the key before in the slot (or to the slot's first possible key)
//! header    gamma     2 × (documents − 1), plus 1 when some document has more than one posting
//! length    gamma     bits of what follows, only when there are at least LONG documents
//! document  d bits    the number of the first, in as many bits as the segment's last document takes; then
//!           Golomb    difference to the document before, less one
//! count     gamma     postings in this document, less one; only when the header's lowest bit is set
//! position  Golomb    … of each posting, as differences; only in lists that keep positions
//! ```
//!
//! The Golomb codes' orders suit the lists as a whole: gaps of random keys and document numbers are geometrically
//! distributed, so that these codes come within half a bit of the least possible. Positions are kept in steps of
//! [`POSITION_STEP`] units: they serve to tell near from far.

use crate::coding::bits::{BitReader, BitWriter};

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

const KEYS_PER_SLOT: usize = 32;

/// Lists of at least so many documents tell their length, so that they can be stepped over.
const LONG: u32 = 8;

/// How the numbers of the lists are coded, in the directory's first eight bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Codes {
    /// The leading bits of a key that tell its slot.
    slot_bits: u8,
    /// The order for differences of keys.
    key_order: u8,
    /// The bits of a document's number.
    document_bits: u8,
    /// The order for positions.
    position_order: u8,
}

impl Codes {
    fn for_entries(entries: &[(u32, Posting)]) -> Self {
        let keys = entries.chunk_by(|a, b| a.0 == b.0).count();
        let slot_bits = (keys / KEYS_PER_SLOT).checked_ilog2().unwrap_or(0) as u8;
        let mean_gap = (1u64 << 32) / keys.max(1) as u64;
        let last = entries.iter().map(|entry| entry.1.document).max().unwrap_or(0);
        let steps: u64 = entries.iter().map(|entry| u64::from(entry.1.position / POSITION_STEP)).sum();
        Codes {
            slot_bits,
            key_order: order_for(mean_gap).min(32),
            document_bits: (32 - last.leading_zeros()) as u8,
            position_order: order_for(steps / entries.len().max(1) as u64),
        }
    }

    fn to_bytes(self) -> [u8; 8] {
        [self.slot_bits, self.key_order, self.document_bits, self.position_order, 0, 0, 0, 0]
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let &[slot_bits, key_order, document_bits, position_order, 0, 0, 0, 0] = bytes else { return None };
        let codes = Codes { slot_bits, key_order, document_bits, position_order };
        (slot_bits < 32 && key_order.max(document_bits).max(position_order) <= 32).then_some(codes)
    }

    /// The order for differences of document numbers in a list of so many documents.
    fn document_order(self, documents: u32) -> u8 {
        self.document_bits.saturating_sub(documents.ilog2() as u8 + 1)
    }
}

/// The order of a Golomb code that suits numbers of this mean.
fn order_for(mean: u64) -> u8 {
    mean.max(1).ilog2() as u8
}

/// Writes the lists of `entries`; gives the directory and the lists.
pub(super) fn write(mut entries: Vec<(u32, Posting)>, positions: bool) -> (Vec<u8>, Vec<u8>) {
    // Stable, and entries come in the order of their documents and positions: so do those of each key.
    entries.sort_by_key(|entry| entry.0);
    let codes = Codes::for_entries(&entries);
    let (mut directory, mut lists) = (codes.to_bytes().to_vec(), Vec::new());
    let mut rest = entries.as_slice();
    for slot in 0..1u64 << codes.slot_bits {
        directory.extend_from_slice(&(lists.len() as u64).to_le_bytes());
        let (of_slot, others) = rest.split_at(rest.partition_point(|entry| slot_of(entry.0, codes.slot_bits) <= slot));
        rest = others;
        let mut out = BitWriter::default();
        out.put_gamma(of_slot.chunk_by(|a, b| a.0 == b.0).count() as u32);
        let mut before = slot << (32 - codes.slot_bits);
        for group in of_slot.chunk_by(|a, b| a.0 == b.0) {
            out.put_golomb((u64::from(group[0].0) - before) as u32, codes.key_order);
            before = u64::from(group[0].0);
            write_list(group, codes, positions, &mut out);
        }
        lists.append(&mut out.finish());
    }
    directory.extend_from_slice(&(lists.len() as u64).to_le_bytes());
    (directory, lists)
}

/// Writes the header and the list of one key's entries.
fn write_list(group: &[(u32, Posting)], codes: Codes, positions: bool, out: &mut BitWriter) {
    let documents = group.chunk_by(|a, b| a.1.document == b.1.document).count() as u32;
    let repeats = (documents as usize) < group.len();
    out.put_gamma(2 * (documents - 1) + u32::from(repeats));
    if documents >= LONG {
        let mut measure = BitWriter::default();
        write_postings(group, documents, repeats, codes, positions, &mut measure);
        out.put_gamma(measure.len() as u32);
    }
    write_postings(group, documents, repeats, codes, positions, out);
}

fn write_postings(
    group: &[(u32, Posting)],
    documents: u32,
    repeats: bool,
    codes: Codes,
    positions: bool,
    out: &mut BitWriter,
) {
    let mut before = None;
    for of_document in group.chunk_by(|a, b| a.1.document == b.1.document) {
        let document = of_document[0].1.document;
        match before {
            None => out.put(u64::from(document), codes.document_bits),
            Some(before) => out.put_golomb(document - before - 1, codes.document_order(documents)),
        }
        before = Some(document);
        if repeats {
            out.put_gamma(of_document.len() as u32 - 1);
        }
        if positions {
            let mut at = 0;
            for (_, posting) in of_document {
                let step = posting.position / POSITION_STEP;
                out.put_golomb(step - at, codes.position_order);
                at = step;
            }
        }
    }
}

fn slot_of(key: u32, slot_bits: u8) -> u64 {
    u64::from(key) >> (32 - slot_bits)
}

/// The bytes of the lists, a range at a time, each checked before it is given out.
pub(in crate::index) trait Bytes {
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
#[derive(Debug, Clone)]
pub struct List<'a> {
    /// How many documents hold the key.
    pub documents: u32,
    repeats: bool,
    positions: bool,
    codes: Codes,
    bits: BitReader<'a>,
}

impl<'a, B: Bytes> Lists<'a, B> {
    fn codes(&self) -> Option<Codes> {
        Codes::from_bytes(self.directory.bytes(0, 8)?)
    }

    /// The bits of a slot and the number of its keys.
    fn slot(&self, slot: u64) -> Option<(BitReader<'a>, u32)> {
        let offsets = self.directory.bytes(8 + slot * 8, 24 + slot * 8)?;
        let (from, to) = offsets.split_first_chunk::<8>()?;
        let (from, to) = (u64::from_le_bytes(*from), u64::from_le_bytes(to.try_into().ok()?));
        let mut bits = BitReader::new(self.lists.bytes(from, to)?);
        let keys = bits.take_gamma()?;
        Some((bits, keys))
    }

    /// The list of a key: `None` when the bytes are damaged, `Some(None)` when no document holds the key.
    pub(super) fn find(&self, key: u32) -> Option<Option<List<'a>>> {
        let codes = self.codes()?;
        let slot = slot_of(key, codes.slot_bits);
        let (mut bits, keys) = self.slot(slot)?;
        let mut at = slot << (32 - codes.slot_bits);
        for _ in 0..keys {
            at += u64::from(bits.take_golomb(codes.key_order)?);
            let list = self.take_list(codes, &mut bits)?;
            if at == u64::from(key) {
                return Some(Some(list));
            }
            if at > u64::from(key) {
                break;
            }
            bits = list.end()?;
        }
        Some(None)
    }

    /// Calls `visit` for every key, in ascending order; `None` when the bytes are damaged.
    pub(super) fn for_each(&self, mut visit: impl FnMut(u32, &List<'a>)) -> Option<()> {
        let codes = self.codes()?;
        let slots = (self.directory.len() / 8).checked_sub(2)?;
        if slots != 1 << codes.slot_bits {
            return None;
        }
        for slot in 0..slots {
            let (mut bits, keys) = self.slot(slot)?;
            let mut at = slot << (32 - codes.slot_bits);
            for _ in 0..keys {
                at += u64::from(bits.take_golomb(codes.key_order)?);
                let list = self.take_list(codes, &mut bits)?;
                visit(u32::try_from(at).ok()?, &list);
                bits = list.end()?;
            }
        }
        Some(())
    }

    /// The list whose header comes next; `bits` is left behind the header.
    fn take_list(&self, codes: Codes, bits: &mut BitReader<'a>) -> Option<List<'a>> {
        let header = bits.take_gamma()?;
        let documents = header / 2 + 1;
        Some(List { documents, repeats: header % 2 == 1, positions: self.positions, codes, bits: bits.clone() })
    }
}

impl<'a> List<'a> {
    /// Calls `visit` for every posting, in order of document and position; `None` when the bytes are damaged.
    pub fn for_each(&self, visit: impl FnMut(Posting)) -> Option<()> {
        self.walk(visit).map(|_| ())
    }

    /// The bits behind the list.
    fn end(&self) -> Option<BitReader<'a>> {
        if self.documents < LONG {
            return self.walk(|_| {});
        }
        let mut bits = self.bits.clone();
        let length = bits.take_gamma()?;
        bits.skip(length);
        Some(bits)
    }

    fn walk(&self, mut visit: impl FnMut(Posting)) -> Option<BitReader<'a>> {
        let mut bits = self.bits.clone();
        if self.documents >= LONG {
            bits.take_gamma()?;
        }
        let mut before = None;
        for _ in 0..self.documents {
            let document = match before {
                None => bits.take(self.codes.document_bits) as u32,
                Some(before) => {
                    let step = bits.take_golomb(self.codes.document_order(self.documents))?;
                    u32::checked_add(before, step)?.checked_add(1)?
                }
            };
            before = Some(document);
            let more = if self.repeats { bits.take_gamma()? } else { 0 };
            if !self.positions {
                visit(Posting { document, position: 0 });
                continue;
            }
            let mut step = 0u32;
            for _ in 0..=more {
                step = step.checked_add(bits.take_golomb(self.codes.position_order)?)?;
                visit(Posting { document, position: step.saturating_mul(POSITION_STEP) });
            }
        }
        bits.is_within().then_some(bits)
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
        let mut entries = entries.clone();
        entries.sort_unstable();
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
