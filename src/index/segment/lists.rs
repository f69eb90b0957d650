//! Inverted lists: for each key of [`KEY_BITS`] the documents that hold it and, if wanted, where.
//!
//! Keys fall into slots by their leading bits, [`KEYS_PER_SLOT`] to twice as many to a slot; a directory says at which byte
//! each slot begins. Within a slot stand the number of its keys and then the keys in ascending order, each followed by its list:
//!
//! ```text
//! number    gamma     keys of the slot
//! key       Rice      difference to the key before in the slot (or to the slot's first possible key)
//! header    gamma     2 × (documents − 1), plus 1 when some document has more than one posting
//! length    gamma     bits of what follows, only when there are at least LONG documents
//! first     gamma     how many of them stand first, only when there are more than SPLIT
//! document  d bits    the number of the first, in as many bits as the segment's last document takes; then
//!           Rice      difference to the document before, less one
//! count     gamma     postings in this document, less one; only when the header's lowest bit is set
//! position  Golomb    … of each posting, as differences; only in lists that keep positions
//! beside    8 bits    what stands beside it; only behind a position
//! ```
//!
//! The codes' orders suit the lists as a whole. Gaps of random keys and document numbers are geometrically distributed, so that a Rice
//! code comes within a sixth of a bit of the least possible. No gap is long in it: a slot is at most 32 mean gaps wide, and the gaps of
//! a list of documents together are not wider than the segment. Positions, which may be spread in any way, have an exponential Golomb
//! code. They are kept in steps of [`POSITION_STEP`] units: they serve to tell near from far.
//!
//! Documents have ranks, random numbers that are the same in every index. Of a list of more than SPLIT documents those of the
//! lowest ranks stand first, so that some holders of a key that very many hold are found without reading all.

use super::tokens::little_endian;
use crate::hamming::coding::bits::{BitReader, BitWriter};
use crate::sketch::containment::{Beside, KEY_BITS};
use std::io::{self, Write};

/// Where a key stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Posting {
    /// The number of the document within its segment.
    pub document: u32,
    /// The unit at which the key starts, rounded down to a multiple of [`POSITION_STEP`].
    pub position: u32,
    /// What stands beside that unit.
    pub beside: Beside,
}

/// Units between two positions that are told apart.
pub const POSITION_STEP: u32 = 8;

/// Bits of a [`Beside`].
const BESIDE_BITS: u8 = 8;

const KEYS_PER_SLOT: u64 = 8;

/// Slots whose beginnings are counted from one place, so that they take four bytes each.
const GROUP: u64 = 256;

/// Lists of at least this many documents tell their length, so that they can be stepped over.
const LONG: u32 = 8;

/// Lists of more documents than this begin with those of the lowest ranks, ...
const SPLIT: u32 = 256;

/// ... about this many of them.
const FIRST: u64 = 128;

/// The rank below which documents stand first in a list of this many documents.
fn first_below(documents: u32) -> u64 {
    (FIRST << 32) / u64::from(documents.max(1))
}

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
    fn to_bytes(self) -> [u8; 8] {
        [self.slot_bits, self.key_order, self.document_bits, self.position_order, KEY_BITS, 0, 0, 0]
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let &[slot_bits, key_order, document_bits, position_order, KEY_BITS, 0, 0, 0] = bytes else { return None };
        let in_range = slot_bits < 32 && key_order <= KEY_BITS && document_bits.max(position_order) <= 32;
        in_range.then_some(Codes { slot_bits, key_order, document_bits, position_order })
    }

    /// The slot of a key.
    fn slot_of(self, key: u64) -> u64 {
        key >> (KEY_BITS - self.slot_bits)
    }

    /// The first key that may stand in a slot.
    fn first_of(self, slot: u64) -> u64 {
        slot << (KEY_BITS - self.slot_bits)
    }

    /// Where a slot's beginning, or the end of the last slot, stands in the directory, and where the number that it is counted
    /// from does.
    fn entry(self, slot: u64) -> (u64, u64) {
        let groups = (1u64 << self.slot_bits) / GROUP + 1;
        (8 + 8 * groups + 4 * slot, 8 + 8 * (slot / GROUP))
    }

    /// The order for differences of document numbers in a list of this many documents.
    fn document_order(self, documents: u32) -> u8 {
        self.document_bits.saturating_sub(documents.max(1).ilog2() as u8 + 1)
    }
}

/// The order of a Golomb code that suits numbers of this mean.
fn order_for(mean: u64) -> u8 {
    mean.max(1).ilog2() as u8
}

/// What must be known of all entries before the first is written.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ListStatistics {
    keys: u64,
    entries: u64,
    last_document: u32,
    /// The sum of all positions, in steps.
    steps: u64,
}

impl ListStatistics {
    /// Counts one key's entries.
    pub(super) fn add(&mut self, group: &[(u64, Posting)]) {
        self.keys += 1;
        self.entries += group.len() as u64;
        for (_, posting) in group {
            self.last_document = self.last_document.max(posting.document);
            self.steps += u64::from(posting.position / POSITION_STEP);
        }
    }

    fn codes(&self) -> Codes {
        Codes {
            slot_bits: (self.keys / KEYS_PER_SLOT).checked_ilog2().unwrap_or(0) as u8,
            key_order: order_for((1u64 << KEY_BITS) / self.keys.max(1)),
            document_bits: (32 - self.last_document.leading_zeros()) as u8,
            position_order: order_for(self.steps / self.entries.max(1)),
        }
    }
}

/// Writes lists, those of the lowest keys first.
pub(super) struct ListsWriter<'a, W> {
    out: W,
    codes: Codes,
    positions: bool,
    /// The rank of each document.
    ranks: &'a [u32],
    /// The directory's two halves.
    groups: Vec<u8>,
    begins: Vec<u8>,
    written: u64,
    of_group: u64,
    slot: u64,
    /// The entries of the slot that is being written.
    of_slot: Vec<(u64, Posting)>,
}

impl<'a, W: Write> ListsWriter<'a, W> {
    pub(super) fn new(out: W, statistics: &ListStatistics, positions: bool, ranks: &'a [u32]) -> Self {
        let codes = statistics.codes();
        let groups = codes.to_bytes().to_vec();
        let (begins, of_slot) = (Vec::new(), Vec::new());
        let (written, of_group, slot) = (0, 0, 0);
        let mut writer = ListsWriter { out, codes, positions, ranks, groups, begins, written, of_group, slot, of_slot };
        writer.begin_slot();
        writer
    }

    /// Takes one key's entries, in the order of their documents and positions. Keys come in ascending order.
    pub(super) fn add(&mut self, group: &[(u64, Posting)]) -> io::Result<()> {
        let Some((key, _)) = group.first() else { return Ok(()) };
        while self.slot < self.codes.slot_of(*key) {
            self.end_slot()?;
        }
        self.of_slot.extend_from_slice(group);
        Ok(())
    }

    /// Ends the lists and gives their directory.
    pub(super) fn finish(mut self) -> io::Result<Vec<u8>> {
        while self.slot < 1 << self.codes.slot_bits {
            self.end_slot()?;
        }
        self.groups.append(&mut self.begins);
        Ok(self.groups)
    }

    fn begin_slot(&mut self) {
        if self.slot.is_multiple_of(GROUP) {
            self.of_group = self.written;
            self.groups.extend_from_slice(&self.of_group.to_le_bytes());
        }
        self.begins.extend_from_slice(&((self.written - self.of_group) as u32).to_le_bytes());
    }

    fn end_slot(&mut self) -> io::Result<()> {
        let mut bits = BitWriter::default();
        bits.put_gamma(self.of_slot.chunk_by(|a, b| a.0 == b.0).count() as u32);
        let mut before = self.codes.first_of(self.slot);
        for group in self.of_slot.chunk_by(|a, b| a.0 == b.0) {
            bits.put_rice(group[0].0 - before, self.codes.key_order);
            before = group[0].0;
            write_list(group, self.codes, self.positions, self.ranks, &mut bits);
        }
        self.of_slot.clear();
        let bytes = bits.finish();
        self.out.write_all(&bytes)?;
        self.written += bytes.len() as u64;
        self.slot += 1;
        self.begin_slot();
        Ok(())
    }
}

/// Writes the lists of `entries` to `out` and gives the directory. `ranks` has the rank of each document.
pub(super) fn write(
    mut entries: Vec<(u64, Posting)>,
    positions: bool,
    ranks: &[u32],
    out: impl Write,
) -> io::Result<Vec<u8>> {
    // Those of a document come in order, and runs that are in order are not sorted again.
    entries.sort();
    let mut statistics = ListStatistics::default();
    entries.chunk_by(|a, b| a.0 == b.0).for_each(|group| statistics.add(group));
    let mut writer = ListsWriter::new(out, &statistics, positions, ranks);
    entries.chunk_by(|a, b| a.0 == b.0).try_for_each(|group| writer.add(group))?;
    writer.finish()
}

/// Writes the header and the list of one key's entries.
fn write_list(group: &[(u64, Posting)], codes: Codes, positions: bool, ranks: &[u32], out: &mut BitWriter) {
    let documents = documents_of(group);
    let repeats = (documents as usize) < group.len();
    out.put_gamma(2 * (documents - 1) + u32::from(repeats));
    let write = |out: &mut BitWriter| {
        if documents <= SPLIT {
            return write_postings(group, repeats, codes, positions, out);
        }
        let is_first = |entry: &&(u64, Posting)| u64::from(ranks[entry.1.document as usize]) < first_below(documents);
        let (first, rest): (Vec<_>, Vec<_>) = group.iter().partition(is_first);
        out.put_gamma(documents_of(&first));
        write_postings(&first, repeats, codes, positions, out);
        write_postings(&rest, repeats, codes, positions, out);
    };
    if documents >= LONG {
        let mut measure = BitWriter::default();
        write(&mut measure);
        out.put_gamma(measure.bits() as u32);
    }
    write(out);
}

/// How many documents entries of one key have, which are in their order.
fn documents_of(group: &[(u64, Posting)]) -> u32 {
    group.chunk_by(|a, b| a.1.document == b.1.document).count() as u32
}

fn write_postings(group: &[(u64, Posting)], repeats: bool, codes: Codes, positions: bool, out: &mut BitWriter) {
    let (documents, mut before) = (documents_of(group), None);
    for of_document in group.chunk_by(|a, b| a.1.document == b.1.document) {
        let document = of_document[0].1.document;
        match before {
            None => out.put(u64::from(document), codes.document_bits),
            Some(before) => out.put_rice(u64::from(document - before - 1), codes.document_order(documents)),
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
                out.put(u64::from(posting.beside.0), BESIDE_BITS);
            }
        }
    }
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

    /// Where a slot begins, or the last one ends.
    fn begin(&self, codes: Codes, slot: u64) -> Option<u64> {
        let number = |at: u64, bytes: u64| Some(little_endian(self.directory.bytes(at, at + bytes)?));
        let (at, group) = codes.entry(slot);
        number(at, 4)?.checked_add(number(group, 8)?)
    }

    /// The bits of a slot and the number of its keys.
    fn slot(&self, codes: Codes, slot: u64) -> Option<(BitReader<'a>, u32)> {
        let (from, to) = (self.begin(codes, slot)?, self.begin(codes, slot + 1)?);
        let mut bits = BitReader::new(self.lists.bytes(from, to)?);
        let keys = bits.take_gamma()?;
        Some((bits, keys))
    }

    /// The list of a key: `None` when the bytes are damaged, `Some(None)` when no document holds the key.
    pub(super) fn find(&self, key: u64) -> Option<Option<List<'a>>> {
        let codes = self.codes()?;
        let slot = codes.slot_of(key);
        let (mut bits, keys) = self.slot(codes, slot)?;
        let mut at = codes.first_of(slot);
        for _ in 0..keys {
            at = at.checked_add(bits.take_rice(codes.key_order)?)?;
            let list = self.take_list(codes, &mut bits)?;
            if at == key {
                return Some(Some(list));
            }
            if at > key {
                break;
            }
            bits = list.end()?;
        }
        Some(None)
    }

    /// Calls `visit` for every key, in ascending order; `None` when the bytes are damaged.
    pub(super) fn for_each(self, mut visit: impl FnMut(u64, &List<'a>)) -> Option<()> {
        for key in self.keys()? {
            let (key, list) = key?;
            visit(key, &list);
        }
        Some(())
    }

    /// All keys with their lists, in ascending order; `None`, at once or as an item, when the bytes are damaged.
    pub(super) fn keys(self) -> Option<Keys<'a, B>> {
        let codes = self.codes()?;
        let (last, _) = codes.entry(1 << codes.slot_bits);
        let (slot, left, at, bits, last_list) = (0, 0, 0, None, None);
        let whole = self.directory.len() == last + 4;
        whole.then_some(Keys { lists: self, codes, slot, left, at, bits, last: last_list })
    }

    /// The list whose header comes next; `bits` is left behind the header.
    fn take_list(&self, codes: Codes, bits: &mut BitReader<'a>) -> Option<List<'a>> {
        let header = bits.take_gamma()?;
        let documents = header / 2 + 1;
        Some(List { documents, repeats: header % 2 == 1, positions: self.positions, codes, bits: bits.clone() })
    }
}

/// The keys of [`Lists`] in ascending order.
pub(super) struct Keys<'a, B> {
    lists: Lists<'a, B>,
    codes: Codes,
    /// The slot that comes next, ...
    slot: u64,
    /// ... and what is left of the one before: keys, the last key, and the bits behind it.
    left: u32,
    at: u64,
    bits: Option<BitReader<'a>>,
    /// The list that was given last, unless it is known where it ends.
    last: Option<List<'a>>,
}

impl<'a, B: Bytes> Keys<'a, B> {
    /// Goes on behind the list that was given last, which was walked up to there: it need not be walked again.
    pub(super) fn go_on_at(&mut self, bits: BitReader<'a>) {
        (self.bits, self.last) = (Some(bits), None);
    }

    fn take(&mut self) -> Option<(u64, List<'a>)> {
        if let Some(last) = self.last.take() {
            self.bits = Some(last.end()?);
        }
        let bits = self.bits.as_mut()?;
        self.at = self.at.checked_add(bits.take_rice(self.codes.key_order)?)?;
        if self.at >> KEY_BITS != 0 {
            return None;
        }
        let list = self.lists.take_list(self.codes, bits)?;
        self.last = Some(list.clone());
        self.left -= 1;
        Some((self.at, list))
    }
}

impl<'a, B: Bytes> Iterator for Keys<'a, B> {
    type Item = Option<(u64, List<'a>)>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.left == 0 {
            if self.slot == 1 << self.codes.slot_bits {
                return None;
            }
            let Some((bits, keys)) = self.lists.slot(self.codes, self.slot) else {
                self.slot = 1 << self.codes.slot_bits;
                return Some(None);
            };
            (self.bits, self.left, self.at) = (Some(bits), keys, self.codes.first_of(self.slot));
            self.last = None;
            self.slot += 1;
        }
        let taken = self.take();
        if taken.is_none() {
            (self.left, self.slot) = (0, 1 << self.codes.slot_bits);
        }
        Some(taken)
    }
}

impl<'a> List<'a> {
    /// Calls `visit` for every posting, those of a document together and in order of position; `None` when the bytes are
    /// damaged.
    pub fn for_each(&self, visit: impl FnMut(Posting)) -> Option<()> {
        self.walk(visit).map(|_| ())
    }

    /// As [`List::for_each`], for documents whose `rank` is below a number; not all need to be read for it.
    pub(super) fn for_each_below(
        &self,
        below: u64,
        rank: impl Fn(u32) -> Option<u32>,
        mut visit: impl FnMut(Posting),
    ) -> Option<()> {
        let mut known = Some(());
        let chosen = |posting: Posting| match rank(posting.document) {
            Some(rank) if u64::from(rank) < below => visit(posting),
            Some(_) => {}
            None => known = None,
        };
        if self.documents > SPLIT && below <= first_below(self.documents) {
            let mut bits = self.bits.clone();
            bits.take_gamma()?;
            let first = bits.take_gamma()?;
            self.walk_documents(first, &mut bits, chosen)?;
        } else {
            self.walk(chosen)?;
        }
        known
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

    /// As [`List::for_each`]; gives the bits behind the list.
    pub(super) fn walk(&self, mut visit: impl FnMut(Posting)) -> Option<BitReader<'a>> {
        let mut bits = self.bits.clone();
        if self.documents >= LONG {
            bits.take_gamma()?;
        }
        let first = if self.documents > SPLIT { bits.take_gamma()? } else { 0 };
        self.walk_documents(first, &mut bits, &mut visit)?;
        self.walk_documents(self.documents.checked_sub(first)?, &mut bits, &mut visit)?;
        Some(bits)
    }

    /// Reads the next `documents` documents, whose numbers ascend.
    fn walk_documents(&self, documents: u32, bits: &mut BitReader<'a>, mut visit: impl FnMut(Posting)) -> Option<()> {
        let order = self.codes.document_order(documents);
        let mut before: Option<u32> = None;
        for _ in 0..documents {
            let document = match before {
                None => bits.take(self.codes.document_bits) as u32,
                Some(before) => before.checked_add(bits.take_rice(order)?.try_into().ok()?)?.checked_add(1)?,
            };
            before = Some(document);
            let more = if self.repeats { bits.take_gamma()? } else { 0 };
            if !self.positions {
                visit(Posting { document, ..Posting::default() });
                continue;
            }
            let mut step = 0u32;
            for _ in 0..=more {
                step = step.checked_add(bits.take_golomb(self.codes.position_order)?)?;
                let beside = Beside(bits.take(BESIDE_BITS) as u8);
                visit(Posting { document, position: step.saturating_mul(POSITION_STEP), beside });
            }
        }
        bits.is_within().then_some(())
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

    type Entries = Vec<(u64, u32, u32)>;

    fn built(entries: &Entries) -> (Vec<u8>, Vec<u8>) {
        let mut entries = entries.clone();
        entries.sort_unstable();
        let entries =
            entries.iter().map(|&(key, document, position)| (key, posting(key, document, position))).collect();
        let mut lists = Vec::new();
        let directory = write(entries, true, &(0..2000).map(rank).collect::<Vec<_>>(), &mut lists).unwrap();
        (directory, lists)
    }

    fn posting(key: u64, document: u32, position: u32) -> Posting {
        Posting { document, position, beside: Beside((key ^ u64::from(document)) as u8) }
    }

    fn rank(document: u32) -> u32 {
        document.wrapping_mul(0x9e37_79b9)
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(40))]

        #[test]
        fn every_key_has_the_postings_it_was_given(
            few in proptest::collection::vec((0u64..40, 0u32..20, 0u32..500), 0..300),
            many in proptest::collection::vec((0u64..1 << KEY_BITS, 0u32..2000, 0u32..9), 0..3000),
            holders in 0u32..900,
        ) {
            let of_one_key = (0..holders).map(|document| (77, document, document % 7 * 8));
            let mut entries: Entries = few.into_iter().chain(many).chain(of_one_key).collect();
            entries.push(((1 << KEY_BITS) - 1, 7, 8));
            let mut expected: BTreeMap<u64, Vec<Posting>> = BTreeMap::new();
            entries.sort_unstable();
            for &(key, document, position) in &entries {
                let position = position / POSITION_STEP * POSITION_STEP;
                expected.entry(key).or_default().push(posting(key, document, position));
            }
            let (directory, lists) = built(&entries);
            let lists = Lists { directory: &directory, lists: &lists, positions: true };
            for (&key, postings) in &expected {
                let list = lists.find(key).unwrap().unwrap();
                let mut found = Vec::new();
                list.for_each(|p| found.push(p)).unwrap();
                found.sort_unstable();
                assert_eq!(&found, postings);
                for below in [1 << 32, 1 << 30, 1 << 26] {
                    found.clear();
                    list.for_each_below(below, |document| Some(rank(document)), |p| found.push(p)).unwrap();
                    found.sort_unstable();
                    let chosen = postings.iter().filter(|p| u64::from(rank(p.document)) < below);
                    assert!(found.iter().eq(chosen));
                }
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
            entries in proptest::collection::vec((0u64..40, 0u32..20, 0u32..500), 0..100),
            at in 0usize..2000, value: u8, key in 0u64..40,
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
