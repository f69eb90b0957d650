//! Segments: what is searched. Immutable, built once from many documents, in memory or mapped from a file.

mod block_lengths;
pub(super) mod container;
mod fingerprints;
mod lists;
mod little_endian;
mod merge;
pub(super) mod slot;
mod tokens;
mod writer;

pub use lists::{List, POSITION_STEP, Posting};
pub(super) use merge::{Merge, MergeError};

use super::error::IndexError;
use crate::hamming::FingerprintTable;
use crate::sketch::analysis::{Analysis, StoredDocument};
use crate::sketch::containment::{KEY_BITS, Key};
use crate::sketch::settings::SketchSettings;
use crate::sketch::shingle::{ShingleOf, ShingleSet};
use crate::text::units::{Stretch, Units};
use block_lengths::BlockLengths;
use container::{Section, SharedBytes};
use lists::{Codes, Lists};
use rapidhash::v3::rapidhash_v3;
use std::io::{self, Seek, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
pub(super) use tokens::BLOCK_UNITS;
use tokens::{Coded, TokensBuilder, TokensReader};
use writer::{BUCKETS, DocumentEnds, KEYS, SegmentWriter};

/// The sections of a segment, in the order in which they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// A record of fixed length for each document, and one more that says where the last one's bytes end.
    Documents,
    /// The SimHash fingerprints of the documents.
    Fingerprints,
    /// A Hamming table of them; empty where there are few.
    FingerprintTable,
    /// The words that the tokens number.
    Vocabulary,
    /// How the tokens are coded.
    TokenCodes,
    /// The units of each document.
    Tokens,
    /// The shingles of each document, when they cannot be made of its units.
    Shingles,
    /// The texts, compressed one by one; empty when none are kept.
    Texts,
    /// Where the slots of the containment sketch's lists begin.
    KeyDirectory,
    /// The lists of the containment sketch, with positions.
    Keys,
    /// Where the slots of the MinHash buckets begin.
    BucketDirectory,
    /// The MinHash buckets of all bands.
    Buckets,
    /// How long blocks of tokens are.
    TokenBlocks,
}

/// How many parts there are.
const PARTS: usize = 13;

/// The names of the parts, in their order, for statistics.
const PART_NAMES: [&str; PARTS] = [
    "documents",
    "fingerprints",
    "fingerprint table",
    "vocabulary",
    "token codes",
    "tokens",
    "shingles",
    "texts",
    "key directory",
    "keys",
    "bucket directory",
    "buckets",
    "token blocks",
];

/// What is known of a document: where its bytes begin in four sections, and two counts.
#[derive(Debug, Clone, Copy, Default)]
struct DocumentRecord {
    tokens: u64,
    texts: u64,
    /// Counted in values of 4 bytes.
    shingles: u64,
    units: u32,
    text_chars: u32,
    /// Counted in bytes.
    blocks: u32,
    /// A hash of the document's id, by which some of many holders of a key are chosen.
    rank: u32,
}

impl DocumentRecord {
    const BYTES: usize = 40;

    fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.tokens.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.texts.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.shingles.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.units.to_le_bytes());
        bytes[28..32].copy_from_slice(&self.text_chars.to_le_bytes());
        bytes[32..36].copy_from_slice(&self.blocks.to_le_bytes());
        bytes[36..].copy_from_slice(&self.rank.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        DocumentRecord {
            tokens: long(0),
            texts: long(8),
            shingles: long(16),
            units: word(24),
            text_chars: word(28),
            blocks: word(32),
            rank: word(36),
        }
    }
}

/// The upper bits of a band's key, which are what buckets are kept by.
fn bucket_key(key: u64) -> u64 {
    key >> (64 - KEY_BITS)
}

/// Which holders of a key count: all, or some of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// Those of a lower rank count.
    below: u64,
}

/// More than any rank.
const ALL: u64 = 1 << 32;

impl Choice {
    /// Every holder.
    pub const ALL: Choice = Choice { below: ALL };

    /// All of up to `most` holders; of one more about `kept`, and as much fewer as there are more, down to a quarter: those of the lowest
    /// ranks. A document's rank comes from its id alone, so that the keys of one passage, which equally many hold, choose the same
    /// documents, in whatever index.
    pub fn of(holders: u64, most: u32, kept: u32) -> Choice {
        let (most, kept) = (u64::from(most), u64::from(kept));
        let chosen = (kept * most / holders.max(1)).max(kept / 4);
        if holders <= most { Choice::ALL } else { Choice { below: (chosen << 32) / holders } }
    }
}

/// Collects documents for a segment.
#[derive(Debug)]
pub struct SegmentBuilder {
    settings: SketchSettings,
    /// Without where their tokens begin, which is known in the end.
    documents: Vec<DocumentRecord>,
    fingerprints: Vec<u8>,
    tokens: TokensBuilder,
    shingles: Vec<u8>,
    texts: Vec<u8>,
    keys: Vec<(u64, Posting)>,
    buckets: Vec<(u64, Posting)>,
}

impl SegmentBuilder {
    /// An empty builder.
    pub fn new(settings: &SketchSettings) -> Self {
        SegmentBuilder {
            settings: *settings,
            documents: Vec::new(),
            fingerprints: Vec::new(),
            tokens: TokensBuilder::default(),
            shingles: Vec::new(),
            texts: Vec::new(),
            keys: Vec::new(),
            buckets: Vec::new(),
        }
    }

    /// How many documents it holds.
    pub fn len(&self) -> u32 {
        self.documents.len() as u32
    }

    /// About how many bytes of memory it takes.
    pub fn memory(&self) -> usize {
        let entry = std::mem::size_of::<(u64, Posting)>();
        let entries = self.keys.len() + self.buckets.len();
        self.tokens.memory() + self.shingles.len() + self.texts.len() + entry * entries
    }

    /// Adds a document, with its text as a zstd frame if it is kept, and gives its number. `id` tells its rank among the
    /// holders of a key that many documents hold.
    pub fn add(&mut self, id: &str, analysis: &Analysis, text: Option<&[u8]>) -> u32 {
        let document = self.len();
        self.documents.push(DocumentRecord {
            texts: self.texts.len() as u64,
            shingles: (self.shingles.len() / 4) as u64,
            units: analysis.units.len() as u32,
            text_chars: analysis.units.text_chars,
            rank: (rapidhash_v3(id.as_bytes()) >> 32) as u32,
            ..DocumentRecord::default()
        });
        self.fingerprints.extend_from_slice(&analysis.fingerprint().to_le_bytes());
        self.tokens.add(&analysis.units);
        if self.settings.shingling.of != ShingleOf::Units {
            self.shingles.extend(analysis.shingles.as_slice().iter().flat_map(|shingle| shingle.to_le_bytes()));
        }
        self.texts.extend_from_slice(text.unwrap_or_default());
        // As it is read again, so that a segment has the same bytes when it is written anew.
        let position = |unit: u32| unit / POSITION_STEP * POSITION_STEP;
        let posting = |key: &Key| Posting { document, position: position(key.position), beside: key.beside };
        self.keys.extend(analysis.keys.iter().map(|key| (key.hash, posting(key))));
        if !analysis.shingles.is_empty() {
            let keys = self.settings.banding.keys(&analysis.signature);
            let posting = Posting { document, ..Posting::default() };
            self.buckets.extend(keys.map(|key| (bucket_key(key), posting)));
        }
        document
    }

    /// Writes the segment.
    ///
    /// # Errors
    /// When `out` does not take it.
    pub fn write(mut self, out: impl Write + Seek) -> io::Result<()> {
        let mut writer = SegmentWriter::new(out)?;
        writer.put(Part::Texts, &self.texts)?;
        writer.fingerprints(&self.fingerprints)?;
        writer.put(Part::Shingles, &self.shingles)?;
        let (texts, shingles) = (self.texts.len() as u64, (self.shingles.len() / 4) as u64);
        (self.texts, self.shingles) = (Vec::new(), Vec::new());
        let code = self.tokens.code();
        let ends = writer.tokens(&code, |tokens| self.tokens.write(tokens))?;
        self.tokens = TokensBuilder::default();
        let ranks: Vec<u32> = self.documents.iter().map(|record| record.rank).collect();
        let ends = DocumentEnds { texts, shingles, tokens: ends };
        writer.documents(self.documents, ends)?;
        writer.lists(KEYS, |out| lists::write(self.keys, true, &ranks, out))?;
        writer.lists(BUCKETS, |out| lists::write(self.buckets, false, &ranks, out))?;
        writer.finish()
    }

    /// The segment in memory.
    ///
    /// # Errors
    /// None that a sound machine would give.
    #[cfg(test)]
    pub fn in_memory(self, path: &Path) -> Result<Segment, IndexError> {
        let settings = self.settings;
        let mut bytes = std::io::Cursor::new(Vec::new());
        self.write(&mut bytes).map_err(|error| IndexError::io(path, error))?;
        Segment::in_memory(bytes.into_inner(), path, &settings)
    }
}

/// A segment that can be searched, by many threads at once.
#[derive(Debug)]
pub struct Segment {
    /// Its file, which errors name.
    path: PathBuf,
    settings: SketchSettings,
    sections: [Section; PARTS],
    documents: u32,
    tokens: TokensReader,
    /// How the lists of the containment sketch, and the buckets, are coded.
    keys: Codes,
    buckets: Codes,
    /// The ranks of the documents, read when they are first asked for; none when they are damaged.
    ranks: OnceLock<Option<Vec<u32>>>,
    /// The Hamming table, opened when it is first asked; none when it is damaged.
    table: OnceLock<Option<FingerprintTable<SharedBytes>>>,
}

impl Segment {
    /// Opens the segment in a file, which must have been written with these settings.
    ///
    /// # Errors
    /// When there is none, it is of another version, or its header is damaged.
    pub fn open(path: &Path, settings: &SketchSettings) -> Result<Self, IndexError> {
        Segment::of(container::open(path)?, path, settings)
    }

    /// Opens the segment whose bytes these are; errors name it `path`.
    ///
    /// # Errors
    /// As [`Segment::open`].
    pub fn in_memory(bytes: Vec<u8>, path: &Path, settings: &SketchSettings) -> Result<Self, IndexError> {
        Segment::of(container::in_memory(bytes, path)?, path, settings)
    }

    fn of(sections: [Section; PARTS], path: &Path, settings: &SketchSettings) -> Result<Self, IndexError> {
        let damaged = || IndexError::damaged(path, "its parts do not fit together");
        let bytes = |part: Part| slot::Bytes::len(&sections[part as usize]);
        let documents = u32::try_from(bytes(Part::Fingerprints) / 8).map_err(|_| damaged())?;
        if bytes(Part::Documents) != (u64::from(documents) + 1) * DocumentRecord::BYTES as u64 {
            return Err(damaged());
        }
        let tokens = sections[Part::TokenCodes as usize].all().and_then(TokensReader::new).ok_or_else(damaged)?;
        let codes = |part: Part| Codes::of(&sections[part as usize]).ok_or_else(damaged);
        let (keys, buckets) = (codes(Part::KeyDirectory)?, codes(Part::BucketDirectory)?);
        let (path, ranks, table) = (path.to_owned(), OnceLock::new(), OnceLock::new());
        Ok(Segment { path, settings: *settings, sections, documents, tokens, keys, buckets, ranks, table })
    }

    /// Its file, which errors name.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Tells it that its file has another path now.
    pub(super) fn moved_to(&mut self, path: PathBuf) {
        self.path = path;
    }

    /// What was read of it, or the error that it is damaged.
    fn sound<T>(&self, read: Option<T>) -> Result<T, IndexError> {
        read.ok_or_else(|| IndexError::damaged(&self.path, "a checksum does not fit"))
    }

    /// A hash of all of it.
    pub(super) fn seal(&self) -> u64 {
        self.sections[0].seal()
    }

    /// Gives the memory back that its file takes, until it is read again.
    pub(super) fn let_go(&self) {
        self.sections.iter().for_each(Section::let_go);
    }

    /// How many documents it holds, deleted ones among them.
    pub fn len(&self) -> u32 {
        self.documents
    }

    /// The name and the bytes of each part.
    pub fn sizes(&self) -> impl Iterator<Item = (&'static str, u64)> {
        PART_NAMES.into_iter().zip(self.sections.iter().map(slot::Bytes::len))
    }

    fn section(&self, part: Part) -> &Section {
        &self.sections[part as usize]
    }

    fn all(&self, part: Part) -> Result<&[u8], IndexError> {
        self.sound(self.section(part).all())
    }

    /// The list of a key of the containment sketch.
    ///
    /// # Errors
    /// When the segment is damaged.
    pub fn key(&self, key: u64) -> Result<Option<List<'_>>, IndexError> {
        self.sound(self.keys().find(key))
    }

    /// The bucket of a band's key.
    ///
    /// # Errors
    /// When the segment is damaged.
    pub fn bucket(&self, key: u64) -> Result<Option<List<'_>>, IndexError> {
        self.sound(self.buckets().find(bucket_key(key)))
    }

    /// Calls `visit` with every bucket, in the order of their keys.
    ///
    /// # Errors
    /// When the segment is damaged.
    pub fn for_each_bucket<'a>(&'a self, visit: impl FnMut(u64, &List<'a>)) -> Result<(), IndexError> {
        self.sound(self.buckets().for_each(visit))
    }

    /// Calls `visit` with every list of the containment sketch, in the order of their keys.
    ///
    /// # Errors
    /// When the segment is damaged.
    pub fn for_each_key<'a>(&'a self, visit: impl FnMut(u64, &List<'a>)) -> Result<(), IndexError> {
        self.sound(self.keys().for_each(visit))
    }

    fn keys(&self) -> Lists<'_, Section> {
        Lists { codes: &self.keys, directory: self.section(Part::KeyDirectory), lists: self.section(Part::Keys) }
    }

    fn buckets(&self) -> Lists<'_, Section> {
        let (directory, lists) = (self.section(Part::BucketDirectory), self.section(Part::Buckets));
        Lists { codes: &self.buckets, directory, lists }
    }

    /// Calls `visit` with the postings of a list, those of a document together; with those of some documents alone where the
    /// choice says so.
    ///
    /// # Errors
    /// When the segment is damaged.
    pub fn visit(&self, list: &List, choice: Choice, visit: impl FnMut(Posting)) -> Result<(), IndexError> {
        let visited = match choice.below {
            ALL => list.for_each(visit),
            below => {
                let ranks = self.sound(self.ranks())?;
                list.for_each_below(below, |document| ranks.get(document as usize).copied(), visit)
            }
        };
        self.sound(visited)
    }

    /// The ranks of the documents, by which some of many holders of a key are chosen; read once, for they are asked for of each holder.
    fn ranks(&self) -> Option<&[u32]> {
        let read = || {
            let records = self.section(Part::Documents).all()?.as_chunks().0;
            Some(records.iter().map(|record| DocumentRecord::from_bytes(record).rank).collect())
        };
        self.ranks.get_or_init(read).as_deref()
    }

    /// Tells the system that submissions are looked up in it: of the parts of which a submission needs little only that is read from now on,
    /// and the others are read at once.
    pub fn will_be_searched(&self) {
        const NEEDED_IN_PART: [Part; 4] = [Part::Tokens, Part::Shingles, Part::Texts, Part::Keys];
        self.sections[0].expect_random();
        for (part, section) in self.sections.iter().enumerate() {
            if NEEDED_IN_PART.iter().any(|&needed| needed as usize == part) {
                section.will_need_checksums();
            } else {
                section.will_need();
            }
        }
    }

    /// Tells the system that keys are looked up soon.
    pub fn will_need_keys(&self, keys: &[u64]) {
        let lists = self.keys();
        self.section(Part::Keys).will_need_of(keys, |key| lists.beginning_of(*key));
    }

    /// Tells the system that all of some lists of keys is read soon.
    pub fn will_need_lists(&self, lists: &[&List]) {
        self.section(Part::Keys).will_need_of(lists, |list| list.bytes());
    }

    /// Tells the system that units of documents are read soon.
    pub fn will_need_units(&self, documents: &[(u32, Range<u32>)]) {
        let bytes = |(number, units): &(u32, Range<u32>)| self.bytes_of(self.records(*number)?, units.clone());
        self.section(Part::Tokens).will_need_of(documents, bytes);
    }

    /// Where the blocks that hold units of a document stand among the tokens, in bytes.
    fn bytes_of(&self, (this, next): (DocumentRecord, DocumentRecord), range: Range<u32>) -> Option<Range<u64>> {
        let blocks = BlockLengths::read(self.bytes(Part::TokenBlocks, this.blocks.into(), next.blocks.into())?)?;
        let (first, behind) = (range.start as usize / BLOCK_UNITS, (range.end as usize).div_ceil(BLOCK_UNITS));
        let begin = |block: usize| this.tokens.checked_add(blocks.begin(block)?);
        let end = if behind > blocks.count() { next.tokens } else { begin(behind)? };
        Some(begin(first)?..end)
    }

    /// How many units a document has.
    ///
    /// # Errors
    /// When there is none of this number or the segment is damaged.
    pub fn units(&self, number: u32) -> Result<u32, IndexError> {
        self.sound(self.records(number).map(|(this, _)| this.units))
    }

    /// How many units all documents have together, deleted ones among them.
    ///
    /// # Errors
    /// When the segment is damaged.
    pub fn all_units(&self) -> Result<u64, IndexError> {
        let last = self.sound(self.record(self.documents))?;
        Ok(u64::from(last.units) | u64::from(last.text_chars) << 32)
    }

    /// Gives a document back.
    ///
    /// # Errors
    /// When there is none of this number or the segment is damaged.
    pub fn document(&self, number: u32) -> Result<StoredDocument, IndexError> {
        self.sound(self.read_document(number))
    }

    /// The units of a document, with their places.
    ///
    /// # Errors
    /// When there is none of this number or the segment is damaged.
    pub fn text_units(&self, number: u32) -> Result<Units, IndexError> {
        self.sound(self.records(number).and_then(|records| self.read_units(records)))
    }

    /// The shingle set of a document, whose units are given.
    ///
    /// # Errors
    /// When there is none of this number or the segment is damaged.
    pub fn shingles(&self, number: u32, units: &Units) -> Result<ShingleSet, IndexError> {
        self.sound(self.read_shingles(number, units))
    }

    /// The SimHash fingerprint of a document.
    ///
    /// # Errors
    /// When there is none of this number or the segment is damaged.
    pub fn fingerprint(&self, number: u32) -> Result<u64, IndexError> {
        self.sound(self.read_fingerprint(number))
    }

    /// The text of a document as a zstd frame, empty when texts are not kept.
    ///
    /// # Errors
    /// When there is none of this number or the segment is damaged.
    pub fn text(&self, number: u32) -> Result<&[u8], IndexError> {
        let (this, next) = self.sound(self.records(number))?;
        self.sound(self.bytes(Part::Texts, this.texts, next.texts))
    }

    fn bytes(&self, part: Part, from: u64, to: u64) -> Option<&[u8]> {
        slot::Bytes::bytes(self.section(part), from, to)
    }

    /// The record of a document, and the next one, which tells where its bytes end.
    fn records(&self, number: u32) -> Option<(DocumentRecord, DocumentRecord)> {
        Some((self.record(number)?, self.record(number.checked_add(1)?)?))
    }

    fn record(&self, number: u32) -> Option<DocumentRecord> {
        let at = u64::from(number) * DocumentRecord::BYTES as u64;
        let bytes = self.bytes(Part::Documents, at, at + DocumentRecord::BYTES as u64)?;
        Some(DocumentRecord::from_bytes(bytes.first_chunk()?))
    }

    /// Adds the units `range` of a document, or as many of them as it has, to `stretch`, without their places.
    ///
    /// # Errors
    /// When there is no document of this number or the segment is damaged.
    pub fn stretch(&self, number: u32, range: Range<u32>, stretch: &mut Stretch) -> Result<(), IndexError> {
        self.sound(self.read_stretch(number, range, stretch))
    }

    fn read_stretch(&self, number: u32, range: Range<u32>, stretch: &mut Stretch) -> Option<()> {
        let (this, next) = self.records(number)?;
        let (from, to) = (range.start, range.end.min(this.units));
        if from >= to {
            return Some(());
        }
        let bytes = self.bytes_of((this, next), from..to)?;
        let before = from as usize / BLOCK_UNITS * BLOCK_UNITS;
        let (skipped, end) = (from as usize - before, to as usize - before);
        let (bytes, vocabulary) = (self.bytes(Part::Tokens, bytes.start, bytes.end)?, self.section(Part::Vocabulary));
        self.tokens.read_stretch(bytes, skipped, end, vocabulary, stretch)
    }

    /// The units of a document.
    fn read_units(&self, (this, next): (DocumentRecord, DocumentRecord)) -> Option<Units> {
        let tokens = self.bytes(Part::Tokens, this.tokens, next.tokens)?;
        let vocabulary = self.section(Part::Vocabulary);
        self.tokens.read(tokens, this.units, this.text_chars, vocabulary)
    }

    /// Calls `take` with each unit of a document as it is coded; gives the closing marks behind the last one.
    fn for_each_token(
        &self,
        (this, next): (DocumentRecord, DocumentRecord),
        take: impl FnMut(&Coded) -> Option<()>,
    ) -> Option<u8> {
        self.tokens.for_each(self.bytes(Part::Tokens, this.tokens, next.tokens)?, this.units, take)
    }

    fn read_document(&self, number: u32) -> Option<StoredDocument> {
        let units = self.read_units(self.records(number)?)?;
        let shingles = self.read_shingles(number, &units)?;
        Some(StoredDocument { units, shingles, fingerprint: self.read_fingerprint(number)? })
    }

    fn read_shingles(&self, number: u32, units: &Units) -> Option<ShingleSet> {
        match self.settings.shingling.of {
            ShingleOf::Units => Some(ShingleSet::of_values(&units.hash, usize::from(self.settings.shingling.k))),
            ShingleOf::Chars | ShingleOf::Words => {
                let (this, next) = self.records(number)?;
                let (from, to) = (this.shingles.checked_mul(4)?, next.shingles.checked_mul(4)?);
                let values = self.bytes(Part::Shingles, from, to)?.chunks_exact(4);
                Some(ShingleSet::kept(values.map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()))
            }
        }
    }

    fn read_fingerprint(&self, number: u32) -> Option<u64> {
        let at = u64::from(number) * 8;
        Some(u64::from_le_bytes(self.bytes(Part::Fingerprints, at, at + 8)?.try_into().ok()?))
    }

    /// Reads every byte: all checksums, all documents, all lists.
    ///
    /// # Errors
    /// When anything is not as it was written.
    pub fn verify(&self) -> Result<(), IndexError> {
        for section in &self.sections {
            self.sound(section.all())?;
        }
        for number in 0..self.documents {
            self.document(number)?;
        }
        self.near(0, 0)?;
        let mut sound = true;
        let mut check = |_: u64, list: &List| {
            let mut inside = true;
            let whole = list.for_each(|posting| inside &= posting.document < self.documents).is_some();
            sound &= whole && inside;
        };
        self.for_each_key(&mut check)?;
        self.for_each_bucket(&mut check)?;
        self.sound(sound.then_some(()))
    }
}
