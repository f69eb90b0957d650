//! Segments: what is searched. Immutable, built once from many documents, in memory or mapped from a file.

pub(super) mod container;
mod fingerprints;
pub(super) mod lists;
mod merge;
mod tokens;
mod writer;

pub use container::{ContainerError, FORMAT_VERSION};
pub use lists::{List, POSITION_STEP, Posting};
pub(super) use merge::{Merge, MergeError};

use crate::hamming::FingerprintTable;
use crate::sketch::analysis::{Analysis, StoredDocument};
use crate::sketch::containment::KEY_BITS;
use crate::sketch::settings::SketchSettings;
use crate::sketch::shingle::{ShingleOf, ShingleSet};
use crate::text::units::{Stretch, Units};
use container::{Container, Section, SharedBytes};
use lists::Lists;
use rapidhash::v3::rapidhash_v3;
use std::io::{self, Cursor, Seek, Write};
use std::ops::Range;
use std::path::Path;
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
    /// Where blocks of tokens begin, since format 3.
    TokenBlocks,
}

/// All parts and their names, for statistics.
const PARTS: [(Part, &str); 13] = [
    (Part::Documents, "documents"),
    (Part::Fingerprints, "fingerprints"),
    (Part::FingerprintTable, "fingerprint table"),
    (Part::Vocabulary, "vocabulary"),
    (Part::TokenCodes, "token codes"),
    (Part::Tokens, "tokens"),
    (Part::Shingles, "shingles"),
    (Part::Texts, "texts"),
    (Part::KeyDirectory, "key directory"),
    (Part::Keys, "keys"),
    (Part::BucketDirectory, "bucket directory"),
    (Part::Buckets, "buckets"),
    (Part::TokenBlocks, "token blocks"),
];

/// How many parts format 2 has.
const OLD_PARTS: usize = 12;

/// What is known of a document: where its bytes begin in four sections, and two counts.
#[derive(Debug, Clone, Copy, Default)]
struct DocumentRecord {
    tokens: u64,
    texts: u64,
    /// Counted in values of 4 bytes.
    shingles: u64,
    units: u32,
    text_chars: u32,
    /// Counted in blocks. Since format 3, as is all that follows.
    blocks: u32,
    /// A hash of the document's id, by which some of many holders of a key are chosen.
    rank: u32,
}

impl DocumentRecord {
    /// Bytes of a record, and of one in format 2.
    const BYTES: usize = 40;
    const OLD_BYTES: usize = 32;

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

    /// Reads a record of either format.
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut whole = [0; Self::BYTES];
        whole.get_mut(..bytes.len())?.copy_from_slice(bytes);
        let word = |at: usize| u32::from_le_bytes([whole[at], whole[at + 1], whole[at + 2], whole[at + 3]]);
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        Some(DocumentRecord {
            tokens: long(0),
            texts: long(8),
            shingles: long(16),
            units: word(24),
            text_chars: word(28),
            blocks: word(32),
            rank: word(36),
        })
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

    /// All of up to `most` holders, of more about `kept`: those of the lowest ranks. A document's rank comes from its id
    /// alone, so that the keys of one passage, which equally many hold, choose the same documents, in whatever index.
    pub fn of(holders: u64, most: u32, kept: u32) -> Choice {
        if holders <= u64::from(most) { Choice::ALL } else { Choice { below: (u64::from(kept) << 32) / holders } }
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
        let posting = |position| Posting { document, position };
        self.keys.extend(analysis.keys.iter().map(|key| (key.hash, posting(key.position))));
        if !analysis.shingles.is_empty() {
            let keys = self.settings.banding.keys(&analysis.signature);
            self.buckets.extend(keys.map(|key| (bucket_key(key), posting(0))));
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
    pub fn in_memory(self) -> Result<Segment, ContainerError> {
        let settings = self.settings;
        let mut bytes = Cursor::new(Vec::new());
        self.write(&mut bytes)?;
        Segment::in_memory(bytes.into_inner(), &settings)
    }
}

/// Bytes of a segment are not as they were written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("damaged")]
pub struct Damaged;

impl From<Damaged> for ContainerError {
    fn from(_: Damaged) -> Self {
        ContainerError::Damaged
    }
}

/// A segment that can be searched, by many threads at once.
#[derive(Debug)]
pub struct Segment {
    settings: SketchSettings,
    sections: Vec<Section>,
    documents: u32,
    /// Bytes of a document's record.
    record: usize,
    tokens: TokensReader,
    ranks: OnceLock<Result<Vec<u32>, Damaged>>,
    /// The Hamming table, opened when it is first asked.
    table: OnceLock<Result<Option<FingerprintTable<SharedBytes>>, Damaged>>,
}

impl Segment {
    /// Opens the segment in a file, which must have been written with these settings.
    ///
    /// # Errors
    /// When there is none, it is of another version, or its header is damaged.
    pub fn open(path: &Path, settings: &SketchSettings) -> Result<Self, ContainerError> {
        Ok(Segment::of(container::open(path)?, settings)?)
    }

    /// Opens the segment whose bytes these are.
    ///
    /// # Errors
    /// As [`Segment::open`].
    pub fn in_memory(bytes: Vec<u8>, settings: &SketchSettings) -> Result<Self, ContainerError> {
        Ok(Segment::of(container::in_memory(bytes)?, settings)?)
    }

    fn of(container: Container, settings: &SketchSettings) -> Result<Self, Damaged> {
        let Container { version, sections } = container;
        let (parts, record) = match version {
            FORMAT_VERSION => (PARTS.len(), DocumentRecord::BYTES),
            _ => (OLD_PARTS, DocumentRecord::OLD_BYTES),
        };
        if sections.len() != parts {
            return Err(Damaged);
        }
        let bytes = |part: Part| lists::Bytes::len(&sections[part as usize]);
        let documents = u32::try_from(bytes(Part::Fingerprints) / 8).map_err(|_| Damaged)?;
        if bytes(Part::Documents) != (u64::from(documents) + 1) * record as u64 {
            return Err(Damaged);
        }
        let in_blocks = version == FORMAT_VERSION;
        let codes = sections[Part::TokenCodes as usize].all();
        let tokens = codes.and_then(|codes| TokensReader::new(codes, in_blocks)).ok_or(Damaged)?;
        let (ranks, table) = (OnceLock::new(), OnceLock::new());
        Ok(Segment { settings: *settings, sections, documents, record, tokens, ranks, table })
    }

    /// A hash of all of it.
    pub(super) fn seal(&self) -> u64 {
        self.sections[0].seal()
    }

    /// Gives the memory back that its file takes, until it is read again.
    pub(super) fn let_go(&self) {
        self.sections[0].let_go();
    }

    /// Whether it is of the format that this program writes.
    pub(super) fn is_current(&self) -> bool {
        self.record == DocumentRecord::BYTES
    }

    /// How many documents it holds, deleted ones among them.
    pub fn len(&self) -> u32 {
        self.documents
    }

    /// The name and the bytes of each part.
    pub fn sizes(&self) -> impl Iterator<Item = (&'static str, u64)> {
        PARTS.iter().zip(&self.sections).map(|(&(_, name), section)| (name, lists::Bytes::len(section)))
    }

    fn section(&self, part: Part) -> &Section {
        &self.sections[part as usize]
    }

    fn all(&self, part: Part) -> Result<&[u8], Damaged> {
        self.section(part).all().ok_or(Damaged)
    }

    /// The list of a key of the containment sketch.
    ///
    /// # Errors
    /// When the segment is damaged.
    pub fn key(&self, key: u64) -> Result<Option<List<'_>>, Damaged> {
        self.keys().find(key).ok_or(Damaged)
    }

    /// The bucket of a band's key.
    ///
    /// # Errors
    /// When the segment is damaged.
    pub fn bucket(&self, key: u64) -> Result<Option<List<'_>>, Damaged> {
        self.buckets().find(bucket_key(key)).ok_or(Damaged)
    }

    /// Calls `visit` with every bucket, in the order of their keys.
    ///
    /// # Errors
    /// When the segment is damaged.
    pub fn for_each_bucket<'a>(&'a self, visit: impl FnMut(u64, &List<'a>)) -> Result<(), Damaged> {
        self.buckets().for_each(visit).ok_or(Damaged)
    }

    /// Calls `visit` with every list of the containment sketch, in the order of their keys.
    ///
    /// # Errors
    /// When the segment is damaged.
    pub fn for_each_key<'a>(&'a self, visit: impl FnMut(u64, &List<'a>)) -> Result<(), Damaged> {
        self.keys().for_each(visit).ok_or(Damaged)
    }

    fn keys(&self) -> Lists<'_, Section> {
        Lists { directory: self.section(Part::KeyDirectory), lists: self.section(Part::Keys), positions: true }
    }

    fn buckets(&self) -> Lists<'_, Section> {
        Lists { directory: self.section(Part::BucketDirectory), lists: self.section(Part::Buckets), positions: false }
    }

    /// Calls `visit` with the postings of a list, those of a document together; with those of some documents alone where the
    /// choice says so.
    ///
    /// # Errors
    /// When the segment is damaged.
    pub fn visit(&self, list: &List, choice: Choice, visit: impl FnMut(Posting)) -> Result<(), Damaged> {
        let visited = match choice.below {
            ALL => list.for_each(visit),
            below => {
                let ranks = self.ranks()?;
                list.for_each_below(below, |document| ranks.get(document as usize).copied(), visit)
            }
        };
        visited.ok_or(Damaged)
    }

    /// The ranks of the documents, by which some of many holders of a key are chosen; read once, for they are asked for of each holder.
    fn ranks(&self) -> Result<&[u32], Damaged> {
        let of_id = |record: &[u8]| DocumentRecord::from_bytes(record).map(|record| record.rank);
        let read = || match self.record {
            DocumentRecord::OLD_BYTES => {
                Ok((0..self.documents).map(|number| (rapidhash_v3(&number.to_le_bytes()) >> 32) as u32).collect())
            }
            bytes => {
                self.all(Part::Documents)?.chunks_exact(bytes).map(|record| of_id(record).ok_or(Damaged)).collect()
            }
        };
        self.ranks.get_or_init(read).as_deref().map_err(|damaged| *damaged)
    }

    /// How many units a document has.
    ///
    /// # Errors
    /// When there is none of this number or the segment is damaged.
    pub fn units(&self, number: u32) -> Result<u32, Damaged> {
        self.records(number).map(|(this, _)| this.units).ok_or(Damaged)
    }

    /// How many units all documents have together, deleted ones among them.
    ///
    /// # Errors
    /// When the segment is damaged.
    pub fn all_units(&self) -> Result<u64, Damaged> {
        if self.record == DocumentRecord::OLD_BYTES {
            return (0..self.documents).map(|number| self.units(number).map(u64::from)).sum();
        }
        let at = u64::from(self.documents) * self.record as u64;
        let last = self.bytes(Part::Documents, at, at + self.record as u64).and_then(DocumentRecord::from_bytes);
        last.map(|last| u64::from(last.units) | u64::from(last.text_chars) << 32).ok_or(Damaged)
    }

    /// The fingerprints of all documents as little-endian words, deleted ones among them.
    ///
    /// # Errors
    /// When the segment is damaged.
    pub fn fingerprints(&self) -> Result<&[u8], Damaged> {
        self.all(Part::Fingerprints)
    }

    /// Gives a document back.
    ///
    /// # Errors
    /// When there is none of this number or the segment is damaged.
    pub fn document(&self, number: u32) -> Result<StoredDocument, Damaged> {
        self.read_document(number).ok_or(Damaged)
    }

    /// The units of a document, with their places.
    ///
    /// # Errors
    /// When there is none of this number or the segment is damaged.
    pub fn text_units(&self, number: u32) -> Result<Units, Damaged> {
        self.records(number).and_then(|records| self.read_units(records)).ok_or(Damaged)
    }

    /// The text of a document as a zstd frame, empty when texts are not kept.
    ///
    /// # Errors
    /// When there is none of this number or the segment is damaged.
    pub fn text(&self, number: u32) -> Result<&[u8], Damaged> {
        let text = |this: DocumentRecord, next: DocumentRecord| self.bytes(Part::Texts, this.texts, next.texts);
        self.records(number).and_then(|(this, next)| text(this, next)).ok_or(Damaged)
    }

    fn bytes(&self, part: Part, from: u64, to: u64) -> Option<&[u8]> {
        lists::Bytes::bytes(self.section(part), from, to)
    }

    /// The record of a document, and the next one, which tells where its bytes end.
    fn records(&self, number: u32) -> Option<(DocumentRecord, DocumentRecord)> {
        let at = u64::from(number) * self.record as u64;
        let bytes = self.bytes(Part::Documents, at, at + 2 * self.record as u64)?;
        let (this, next) = bytes.split_at(self.record);
        Some((DocumentRecord::from_bytes(this)?, DocumentRecord::from_bytes(next)?))
    }

    /// Adds the units `range` of a document, or as many of them as it has, to `stretch`, without their places.
    ///
    /// # Errors
    /// When there is no document of this number or the segment is damaged.
    pub fn stretch(&self, number: u32, range: Range<u32>, stretch: &mut Stretch) -> Result<(), Damaged> {
        self.read_stretch(number, range, stretch).ok_or(Damaged)
    }

    fn read_stretch(&self, number: u32, range: Range<u32>, stretch: &mut Stretch) -> Option<()> {
        let (this, next) = self.records(number)?;
        let (from, to) = (range.start, range.end.min(this.units));
        if from >= to {
            return Some(());
        }
        // Format 2 has no blocks but the first, which is all of the document.
        let blocks = next.blocks.checked_sub(this.blocks)?;
        let (first, last) = ((from / BLOCK_UNITS as u32).min(blocks), ((to - 1) / BLOCK_UNITS as u32).min(blocks));
        let begin = |block: u32| {
            let at = 4 * (u64::from(this.blocks) + u64::from(block));
            let bytes = self.bytes(Part::TokenBlocks, at - 4, at)?;
            Some(this.tokens + u64::from(u32::from_le_bytes(bytes.try_into().ok()?)))
        };
        let start = if first == 0 { this.tokens } else { begin(first)? };
        let end = if last == blocks { next.tokens } else { begin(last + 1)? };
        let before = first as usize * BLOCK_UNITS;
        let vocabulary = self.section(Part::Vocabulary).all()?;
        let (skipped, end_unit) = (from as usize - before, to as usize - before);
        self.tokens.read_stretch(self.bytes(Part::Tokens, start, end)?, skipped, end_unit, vocabulary, stretch)
    }

    /// The units of a document.
    fn read_units(&self, (this, next): (DocumentRecord, DocumentRecord)) -> Option<Units> {
        let tokens = self.bytes(Part::Tokens, this.tokens, next.tokens)?;
        let vocabulary = self.section(Part::Vocabulary).all()?;
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
        let (this, next) = self.records(number)?;
        let units = self.read_units((this, next))?;
        let shingles = match self.settings.shingling.of {
            ShingleOf::Units => ShingleSet::of_values(&units.hash, usize::from(self.settings.shingling.k)),
            ShingleOf::Chars | ShingleOf::Words => {
                let (from, to) = (this.shingles.checked_mul(4)?, next.shingles.checked_mul(4)?);
                let values = self.bytes(Part::Shingles, from, to)?.chunks_exact(4);
                ShingleSet::kept(values.map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
            }
        };
        let at = u64::from(number) * 8;
        let fingerprint = u64::from_le_bytes(self.bytes(Part::Fingerprints, at, at + 8)?.try_into().ok()?);
        Some(StoredDocument { units, shingles, fingerprint })
    }

    /// Reads every byte: all checksums, all documents, all lists.
    ///
    /// # Errors
    /// When anything is not as it was written.
    pub fn verify(&self) -> Result<(), Damaged> {
        for section in &self.sections {
            section.all().ok_or(Damaged)?;
        }
        for number in 0..self.documents {
            self.document(number)?;
        }
        self.open_table()?;
        let mut sound = true;
        let mut check = |_: u64, list: &List| {
            let mut inside = true;
            let whole = list.for_each(|posting| inside &= posting.document < self.documents).is_some();
            sound &= whole && inside;
        };
        self.for_each_key(&mut check)?;
        self.for_each_bucket(&mut check)?;
        if sound { Ok(()) } else { Err(Damaged) }
    }
}
