//! Inverted lists: for each key of [`KEY_BITS`] the documents that hold it and, if wanted, where.
//!
//! Keys fall into slots by their leading bits, [`KEYS_PER_SLOT`] to twice as many to a slot; a directory says at which byte
//! each slot begins. Within a slot stand the keys in ascending order, each followed by its list; fewer than eight zeros follow the last:
//!
//! ```text
//! key       Rice      difference to the key before in the slot (or to the slot's first possible key)
//! header    gamma     2 × (documents − 1), plus 1 when some document has more than one posting
//! length    gamma     bits of what follows, only when there are at least LONG documents
//! first     gamma     how many of them stand first, only when there are more than SPLIT
//! document  binary    the number of the only one, in truncated binary code; or
//!           Rice      of each the difference to the document before, less one, or the first one's number
//! count     gamma     postings in this document, less one; only when the header's lowest bit is set
//! position  Huffman   the leading four bits of each posting's, as differences, and how many follow; only in lists that keep positions
//!           e bits    the bits that follow
//! beside    8 bits    what stands beside it; only behind a position
//! ```
//!
//! The codes' orders suit the lists as a whole. Gaps of random keys and document numbers are geometrically distributed, so that a Rice
//! code comes within a sixth of a bit of the least possible. No gap is long in it: a slot is at most 32 mean gaps wide, and the gaps of
//! a list of documents together are not wider than the segment. Positions are spread as the documents of a segment are long: their
//! leading bits have a Huffman code of the segment's own, which comes within a twentieth of a bit of the least possible. They are kept in
//! steps of [`POSITION_STEP`] units: they serve to tell near from far.
//!
//! Documents have ranks, random numbers that are the same in every index. Of a list of more than SPLIT documents those of the
//! lowest ranks stand first, so that some holders of a key that very many hold are found without reading all.

use super::little_endian::little_endian;
use super::slot::{Bytes, SlotReader};
use crate::hamming::coding::bits::{BitReader, BitWriter};
use crate::hamming::coding::huffman::{Decoder, Encoder, code_lengths};
use crate::sketch::containment::{Beside, KEY_BITS};
use std::io::{self, Write};
use std::ops::Range;

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

/// Slots whose beginnings are counted from one place, so that they take few bytes each.
const GROUP: u64 = 64;

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

/// The leading four bits of a position in steps and how many bits follow them as one number, as in a floating-point number; below eight the
/// number itself. The second number says how many bits follow.
fn class_of(step: u32) -> (u8, u8) {
    match step.checked_ilog2() {
        Some(bits @ 3..) => ((8 * (bits - 2) + (step >> (bits - 3) & 7)) as u8, (bits - 3) as u8),
        _ => (step as u8, 0),
    }
}

/// Classes that there can be.
const CLASSES: usize = 240;

/// How the numbers of the lists are coded: what the directory begins with.
#[derive(Debug)]
pub(super) struct Codes {
    /// The leading bits of a key that tell its slot.
    slot_bits: u8,
    /// The order for differences of keys.
    key_order: u8,
    /// More than the number of any document.
    documents: u32,
    /// The bytes of a slot's beginning.
    begin_bytes: u8,
    /// The code for the classes of positions, of lists that keep positions.
    positions: Option<Decoder>,
}

impl Codes {
    /// Bytes that they take.
    const BYTES: u64 = 8 + CLASSES as u64;

    /// As the directory of these lists has them; `None` when it is damaged.
    pub(super) fn of(directory: &impl Bytes) -> Option<Self> {
        let (numbers, lengths) = directory.bytes(0, Self::BYTES)?.split_at_checked(8)?;
        let &[slot_bits, key_order, begin_bytes, KEY_BITS, ref documents @ ..] = numbers else { return None };
        let documents = u32::from_le_bytes(documents.try_into().ok()?);
        let in_range = slot_bits < 32 && key_order <= KEY_BITS && begin_bytes <= 4;
        let positions = if lengths.iter().any(|length| *length > 0) { Some(Decoder::new(lengths)?) } else { None };
        in_range.then_some(Codes { slot_bits, key_order, documents, begin_bytes, positions })
    }

    /// The slot of a key.
    fn slot_of(&self, key: u64) -> u64 {
        key >> (KEY_BITS - self.slot_bits)
    }

    /// The first key that may stand in a slot.
    fn first_of(&self, slot: u64) -> u64 {
        slot << (KEY_BITS - self.slot_bits)
    }

    /// Where a slot's beginning, or the end of the last slot, stands in the directory, and where the number that it is counted
    /// from does.
    fn entry(&self, slot: u64) -> (u64, u64) {
        let groups = (1u64 << self.slot_bits) / GROUP + 1;
        let begins = Self::BYTES + 8 * groups;
        (begins + u64::from(self.begin_bytes) * slot, Self::BYTES + 8 * (slot / GROUP))
    }

    /// The order for differences of document numbers in a list of this many documents.
    fn document_order(&self, documents: u32) -> u8 {
        order_for(u64::from(self.documents) / (u64::from(documents) + 1))
    }
}

/// The order of a Rice code that suits numbers of this mean.
fn order_for(mean: u64) -> u8 {
    mean.max(1).ilog2() as u8
}

/// What must be known of all entries before the first is written.
#[derive(Debug)]
pub(super) struct ListStatistics {
    keys: u64,
    documents: u32,
    /// How often each class of positions occurs; of lists that keep positions.
    classes: Option<[u64; CLASSES]>,
}

impl ListStatistics {
    /// Of no entries, of lists that keep positions or do not.
    pub(super) fn new(positions: bool) -> Self {
        ListStatistics { keys: 0, documents: 0, classes: positions.then_some([0; CLASSES]) }
    }

    /// Counts one key's entries.
    pub(super) fn add(&mut self, group: &[(u64, Posting)]) {
        self.keys += 1;
        self.documents = self.documents.max(group.last().map_or(0, |(_, posting)| posting.document + 1));
        if let Some(classes) = &mut self.classes {
            for of_document in group.chunk_by(|a, b| a.1.document == b.1.document) {
                each_step(of_document, |step, _| classes[usize::from(class_of(step).0)] += 1);
            }
        }
    }
}

/// Calls `visit` with each posting of a document, and how many steps behind the one before it stands.
fn each_step(of_document: &[(u64, Posting)], mut visit: impl FnMut(u32, &Posting)) {
    let mut before = 0;
    for (_, posting) in of_document {
        let at = posting.position / POSITION_STEP;
        visit(at - before, posting);
        before = at;
    }
}

/// Writes lists, those of the lowest keys first.
pub(super) struct ListsWriter<'a, W> {
    out: W,
    codes: Codes,
    /// The lengths of the codes for classes of positions, and what writes them.
    lengths: Vec<u8>,
    positions: Option<Encoder>,
    /// The rank of each document.
    ranks: &'a [u32],
    /// Where each group of slots begins, and how far behind that each slot does.
    groups: Vec<u64>,
    begins: Vec<u32>,
    written: u64,
    slot: u64,
    /// The entries of the slot that is being written.
    of_slot: Vec<(u64, Posting)>,
}

impl<'a, W: Write> ListsWriter<'a, W> {
    pub(super) fn new(out: W, statistics: &ListStatistics, ranks: &'a [u32]) -> Self {
        let codes = Codes {
            slot_bits: (statistics.keys / KEYS_PER_SLOT).checked_ilog2().unwrap_or(0) as u8,
            key_order: order_for((1u64 << KEY_BITS) / statistics.keys.max(1)),
            documents: statistics.documents,
            begin_bytes: 0,
            positions: None,
        };
        let lengths = statistics.classes.map_or(vec![0; CLASSES], |classes| code_lengths(&classes));
        let positions = statistics.classes.map(|_| Encoder::new(&lengths));
        let (groups, begins, of_slot) = (Vec::new(), Vec::new(), Vec::new());
        let mut writer =
            ListsWriter { out, codes, lengths, positions, ranks, groups, begins, written: 0, slot: 0, of_slot };
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
        let widest = self.begins.iter().max().map_or(0, |begin| 32 - begin.leading_zeros());
        let begin_bytes = widest.div_ceil(8) as u8;
        let mut directory = vec![self.codes.slot_bits, self.codes.key_order, begin_bytes, KEY_BITS];
        directory.extend(self.codes.documents.to_le_bytes());
        directory.extend(&self.lengths);
        directory.extend(self.groups.iter().flat_map(|begin| begin.to_le_bytes()));
        let bytes = |begin: &u32| begin.to_le_bytes().into_iter().take(usize::from(begin_bytes));
        directory.extend(self.begins.iter().flat_map(bytes));
        Ok(directory)
    }

    fn begin_slot(&mut self) {
        if self.slot.is_multiple_of(GROUP) {
            self.groups.push(self.written);
        }
        let group = self.groups.last().copied().unwrap_or_default();
        self.begins.push((self.written - group) as u32);
    }

    fn end_slot(&mut self) -> io::Result<()> {
        let mut bits = BitWriter::default();
        let mut before = self.codes.first_of(self.slot);
        for group in self.of_slot.chunk_by(|a, b| a.0 == b.0) {
            bits.put_rice(group[0].0 - before, self.codes.key_order);
            before = group[0].0;
            self.write_list(group, &mut bits);
        }
        self.of_slot.clear();
        let bytes = bits.finish();
        self.out.write_all(&bytes)?;
        self.written += bytes.len() as u64;
        self.slot += 1;
        self.begin_slot();
        Ok(())
    }

    /// Writes the header and the list of one key's entries.
    fn write_list(&self, group: &[(u64, Posting)], out: &mut BitWriter) {
        let documents = documents_of(group);
        let repeats = (documents as usize) < group.len();
        out.put_gamma(2 * (documents - 1) + u32::from(repeats));
        let write = |out: &mut BitWriter| {
            if documents <= SPLIT {
                return self.write_postings(group, repeats, out);
            }
            let is_first =
                |entry: &&(u64, Posting)| u64::from(self.ranks[entry.1.document as usize]) < first_below(documents);
            let (first, rest): (Vec<_>, Vec<_>) = group.iter().partition(is_first);
            out.put_gamma(documents_of(&first));
            self.write_postings(&first, repeats, out);
            self.write_postings(&rest, repeats, out);
        };
        if documents >= LONG {
            let mut measure = BitWriter::default();
            write(&mut measure);
            out.put_gamma(measure.bits() as u32);
        }
        write(out);
    }

    fn write_postings(&self, group: &[(u64, Posting)], repeats: bool, out: &mut BitWriter) {
        let (documents, mut next) = (documents_of(group), 0);
        let order = self.codes.document_order(documents);
        for of_document in group.chunk_by(|a, b| a.1.document == b.1.document) {
            let document = of_document[0].1.document;
            match documents {
                1 => out.put_below(document, self.codes.documents),
                _ => out.put_rice(u64::from(document - next), order),
            }
            next = document + 1;
            if repeats {
                out.put_gamma(of_document.len() as u32 - 1);
            }
            if let Some(positions) = &self.positions {
                each_step(of_document, |step, posting| {
                    let (class, follow) = class_of(step);
                    // Every class was counted before.
                    let _ = positions.put(usize::from(class), out);
                    out.put(u64::from(step), follow);
                    out.put(u64::from(posting.beside.0), BESIDE_BITS);
                });
            }
        }
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
    let mut statistics = ListStatistics::new(positions);
    entries.chunk_by(|a, b| a.0 == b.0).for_each(|group| statistics.add(group));
    let mut writer = ListsWriter::new(out, &statistics, ranks);
    entries.chunk_by(|a, b| a.0 == b.0).try_for_each(|group| writer.add(group))?;
    writer.finish()
}

/// How many documents entries of one key have, which are in their order.
fn documents_of(group: &[(u64, Posting)]) -> u32 {
    group.chunk_by(|a, b| a.1.document == b.1.document).count() as u32
}

/// Lists to look up keys in.
pub(super) struct Lists<'a, B> {
    pub(super) codes: &'a Codes,
    pub(super) directory: &'a B,
    pub(super) lists: &'a B,
}

/// The list of one key.
#[derive(Debug, Clone)]
pub struct List<'a> {
    /// How many documents hold the key.
    pub documents: u32,
    repeats: bool,
    codes: &'a Codes,
    reader: SlotReader<'a>,
}

impl<'a, B: Bytes> Lists<'a, B> {
    /// Where a slot begins, or the last one ends.
    fn begin(&self, slot: u64) -> Option<u64> {
        let number = |at: u64, bytes: u64| Some(little_endian(self.directory.bytes(at, at + bytes)?));
        let (at, group) = self.codes.entry(slot);
        number(at, self.codes.begin_bytes.into())?.checked_add(number(group, 8)?)
    }

    /// Where the list of a key begins, among others, in bytes: as much of it as is read of most lists.
    pub(super) fn beginning_of(&self, key: u64) -> Option<Range<u64>> {
        const READ_OF_MOST: u64 = 1 << 11;
        let Range { start, end } = self.range(self.codes.slot_of(key))?;
        Some(start..end.min(start.saturating_add(READ_OF_MOST)))
    }

    /// Where a slot stands, in bytes.
    fn range(&self, slot: u64) -> Option<Range<u64>> {
        Some(self.begin(slot)?..self.begin(slot + 1)?)
    }

    /// Reads a slot from its beginning on.
    fn slot(&self, slot: u64) -> Option<SlotReader<'a>> {
        SlotReader::of(self.lists, self.range(slot)?)
    }

    /// The list of a key: `None` when the bytes are damaged, `Some(None)` when no document holds the key.
    pub(super) fn find(&self, key: u64) -> Option<Option<List<'a>>> {
        let slot = self.codes.slot_of(key);
        let mut reader = self.slot(slot)?;
        let mut last = self.codes.first_of(slot);
        while !reader.is_at_end()? {
            let (at, list) = self.take_list(last, &mut reader)?;
            if at == key {
                return Some(Some(list));
            }
            if at > key {
                break;
            }
            (last, reader) = (at, list.end()?);
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
        let (end, _) = self.codes.entry(1 << self.codes.slot_bits);
        let whole = self.directory.len() == end + u64::from(self.codes.begin_bytes);
        let reader = SlotReader::of(self.lists, 0..0)?;
        whole.then_some(Keys { lists: self, slot: 0, at: 0, reader, last: None })
    }

    /// The key that comes next behind `last`, and its list; `reader` is left behind the header.
    fn take_list(&self, last: u64, reader: &mut SlotReader<'a>) -> Option<(u64, List<'a>)> {
        let begin = reader.bits.position();
        let key = last.checked_add(reader.bits.take_rice(self.codes.key_order)?)?;
        let header = reader.bits.take_gamma()?;
        reader.is_sound_since(begin)?;
        let (documents, repeats) = (header / 2 + 1, header % 2 == 1);
        Some((key, List { documents, repeats, codes: self.codes, reader: reader.clone() }))
    }
}

/// The keys of [`Lists`] in ascending order.
pub(super) struct Keys<'a, B> {
    lists: Lists<'a, B>,
    /// The slot that comes next, ...
    slot: u64,
    /// ... and what is left of the one before: the last key, and what stands behind it.
    at: u64,
    reader: SlotReader<'a>,
    /// The list that was given last, unless it is known where it ends.
    last: Option<List<'a>>,
}

impl<'a, B: Bytes> Keys<'a, B> {
    /// Goes on behind the list that was given last, which was walked up to there: it need not be walked again.
    pub(super) fn go_on_at(&mut self, reader: SlotReader<'a>) {
        (self.reader, self.last) = (reader, None);
    }

    /// The next key: `None` when the bytes are damaged, `Some(None)` when there is none.
    fn take(&mut self) -> Option<Option<(u64, List<'a>)>> {
        if let Some(last) = self.last.take() {
            self.reader = last.end()?;
        }
        while self.reader.is_at_end()? {
            if self.slot == 1 << self.lists.codes.slot_bits {
                return Some(None);
            }
            (self.reader, self.at) = (self.lists.slot(self.slot)?, self.lists.codes.first_of(self.slot));
            self.slot += 1;
        }
        let (at, list) = self.lists.take_list(self.at, &mut self.reader)?;
        if at >> KEY_BITS != 0 {
            return None;
        }
        (self.at, self.last) = (at, Some(list.clone()));
        Some(Some((at, list)))
    }
}

impl<'a, B: Bytes> Iterator for Keys<'a, B> {
    type Item = Option<(u64, List<'a>)>;

    fn next(&mut self) -> Option<Self::Item> {
        let Some(taken) = self.take() else {
            (self.slot, self.reader.bits, self.last) = (1 << self.lists.codes.slot_bits, BitReader::new(&[]), None);
            return Some(None);
        };
        taken.map(Some)
    }
}

impl<'a> List<'a> {
    /// Calls `visit` for every posting, those of a document together and in order of position; `None` when the bytes are
    /// damaged, and what was visited counts for nothing then.
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
            let mut reader = self.reader.clone();
            reader.bits.take_gamma()?;
            let first = reader.bits.take_gamma()?;
            self.walk_documents(first, &mut reader.bits, chosen)?;
            reader.is_sound_since(self.reader.bits.position())?;
        } else {
            self.walk(chosen)?;
        }
        known
    }

    /// Where it stands among the lists, in bytes; none where its beginning does not tell, or is damaged.
    pub(super) fn bytes(&self) -> Option<Range<u64>> {
        let mut reader = self.reader.clone();
        let length = if self.documents < LONG { None } else { reader.bits.take_gamma() }?;
        let first = reader.bits.position();
        let behind = first.checked_add(length as usize)?.div_ceil(8);
        Some(reader.begin + first as u64 / 8..reader.begin + behind as u64)
    }

    /// What stands behind the list.
    fn end(&self) -> Option<SlotReader<'a>> {
        if self.documents < LONG {
            return self.walk(|_| {});
        }
        let mut reader = self.reader.clone();
        let length = reader.bits.take_gamma()?;
        reader.is_sound_since(self.reader.bits.position())?;
        reader.bits.skip(length);
        Some(reader)
    }

    /// As [`List::for_each`]; gives what stands behind the list.
    pub(super) fn walk(&self, mut visit: impl FnMut(Posting)) -> Option<SlotReader<'a>> {
        let mut reader = self.reader.clone();
        let bits = &mut reader.bits;
        if self.documents >= LONG {
            bits.take_gamma()?;
        }
        let first = if self.documents > SPLIT { bits.take_gamma()? } else { 0 };
        self.walk_documents(first, bits, &mut visit)?;
        self.walk_documents(self.documents.checked_sub(first)?, bits, &mut visit)?;
        reader.is_sound_since(self.reader.bits.position())?;
        Some(reader)
    }

    /// Reads the next `documents` documents, whose numbers ascend.
    fn walk_documents(&self, documents: u32, bits: &mut BitReader<'a>, mut visit: impl FnMut(Posting)) -> Option<()> {
        let order = self.codes.document_order(documents);
        let mut next = 0u32;
        for _ in 0..documents {
            let document = match documents {
                1 => bits.take_below(self.codes.documents),
                _ => next.checked_add(bits.take_rice(order)?.try_into().ok()?)?,
            };
            // Damaged bits may say anything.
            if document >= self.codes.documents {
                return None;
            }
            next = document + 1;
            let more = if self.repeats { bits.take_gamma()? } else { 0 };
            let Some(positions) = &self.codes.positions else {
                visit(Posting { document, ..Posting::default() });
                continue;
            };
            let mut step = 0u32;
            for _ in 0..=more {
                step = step.checked_add(take_step(positions, bits)?)?;
                let beside = Beside(bits.take(BESIDE_BITS) as u8);
                visit(Posting { document, position: step.saturating_mul(POSITION_STEP), beside });
            }
        }
        bits.is_within().then_some(())
    }
}

/// The number whose class comes next, and the bits that follow.
#[inline]
fn take_step(classes: &Decoder, bits: &mut BitReader) -> Option<u32> {
    let class = classes.take(bits)?;
    if class < 8 {
        return Some(class.into());
    }
    let follow = class / 8 - 1;
    Some(u32::from(8 + class % 8) << follow | bits.take(follow) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    impl Bytes for Vec<u8> {
        fn bytes(&self, from: u64, to: u64) -> Option<&[u8]> {
            self.get(from as usize..to as usize)
        }
        fn unchecked(&self, from: u64, to: u64) -> Option<&[u8]> {
            self.bytes(from, to)
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
            let codes = Codes::of(&directory).unwrap();
            let lists = Lists { codes: &codes, directory: &directory, lists: &lists };
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
        fn a_long_list_tells_where_it_stands(
            few in proptest::collection::vec((0u64..1 << KEY_BITS, 0u32..2000, 0u32..9), 0..300), holders in LONG..900,
        ) {
            let entries: Entries = (0..holders).map(|document| (77, document, document % 7 * 8)).chain(few).collect();
            let (directory, lists) = built(&entries);
            let codes = Codes::of(&directory).unwrap();
            let list = Lists { codes: &codes, directory: &directory, lists: &lists }.find(77).unwrap().unwrap();
            let (at, behind) = (|reader: &SlotReader| reader.begin + reader.bits.position() as u64 / 8, list.end().unwrap());
            let bytes = list.bytes().unwrap();
            assert!((0..=4).contains(&(bytes.start - at(&list.reader))));
            assert_eq!(bytes.end - at(&behind), u64::from(behind.bits.position() % 8 > 0));
        }

        #[test]
        fn damaged_bytes_never_panic(
            entries in proptest::collection::vec((0u64..40, 0u32..20, 0u32..500), 0..100),
            at in 0usize..2000, value: u8, key in 0u64..40,
        ) {
            let (mut directory, mut lists) = built(&entries);
            let length = directory.len();
            if at < length { directory[at] = value } else if let Some(byte) = lists.get_mut(at - length) { *byte = value }
            let Some(codes) = Codes::of(&directory) else { return Ok(()) };
            let lists = Lists { codes: &codes, directory: &directory, lists: &lists };
            if let Some(Some(list)) = lists.find(key) {
                let mut visited = 0;
                let _ = list.for_each(|_| visited += 1);
                assert!(visited < 100_000);
            }
            let _ = lists.for_each(|_, _| {});
        }
    }
}
