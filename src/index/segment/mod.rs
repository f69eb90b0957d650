//! Segments: what is searched. Immutable, built once from many documents, in memory or mapped from a file.

mod container;
mod lists;
mod tokens;
mod varint;

pub use container::{ContainerError, FORMAT_VERSION};
pub use lists::{List, POSITION_STEP, Posting};

use crate::settings::SketchSettings;
use crate::sketch::analysis::{Analysis, StoredDocument};
use crate::sketch::shingle::{ShingleOf, ShingleSet};
use container::Section;
use lists::Lists;
use std::io::{self, Write};
use std::path::Path;
use tokens::VocabularyBuilder;

/// The sections of a segment, in the order in which they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// A record of fixed length for each document.
    Documents,
    /// The words that the tokens number.
    Vocabulary,
    /// The units of each document, compressed.
    Tokens,
    /// Where the slots of the containment sketch's lists begin.
    KeyDirectory,
    /// The lists of the containment sketch, with positions.
    Keys,
    /// Where the slots of the MinHash buckets begin.
    BucketDirectory,
    /// The MinHash buckets of all bands.
    Buckets,
}

/// All parts and their names, for statistics.
const PARTS: [(Part, &str); 7] = [
    (Part::Documents, "documents"),
    (Part::Vocabulary, "vocabulary"),
    (Part::Tokens, "tokens"),
    (Part::KeyDirectory, "key directory"),
    (Part::Keys, "keys"),
    (Part::BucketDirectory, "bucket directory"),
    (Part::Buckets, "buckets"),
];

/// Bytes of a document's record: where its tokens begin (u64), their bytes compressed (u32) and not (u32), its units
/// (u32), a reserved u32, and its SimHash fingerprint (u64).
const RECORD: usize = 32;

/// zstd's level for tokens: the fastest; higher ones gain little on rows of numbers.
const COMPRESSION: i32 = 1;

/// The upper half of a band's key, which is what buckets are kept by.
fn bucket_key(key: u64) -> u32 {
    (key >> 32) as u32
}

/// Collects documents for a segment.
pub struct SegmentBuilder {
    settings: SketchSettings,
    compressor: zstd::bulk::Compressor<'static>,
    documents: Vec<u8>,
    vocabulary: VocabularyBuilder,
    tokens: Vec<u8>,
    keys: Vec<(u32, Posting)>,
    buckets: Vec<(u32, Posting)>,
}

impl std::fmt::Debug for SegmentBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SegmentBuilder").field("documents", &self.len()).finish_non_exhaustive()
    }
}

impl SegmentBuilder {
    /// An empty builder.
    ///
    /// # Errors
    /// When the compressor cannot be made.
    pub fn new(settings: &SketchSettings) -> io::Result<Self> {
        Ok(SegmentBuilder {
            settings: *settings,
            compressor: zstd::bulk::Compressor::new(COMPRESSION)?,
            documents: Vec::new(),
            vocabulary: VocabularyBuilder::default(),
            tokens: Vec::new(),
            keys: Vec::new(),
            buckets: Vec::new(),
        })
    }

    /// How many documents it holds.
    pub fn len(&self) -> u32 {
        (self.documents.len() / RECORD) as u32
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// About how many bytes of memory it takes.
    pub fn memory(&self) -> usize {
        let entry = std::mem::size_of::<(u32, Posting)>();
        // A word of the vocabulary takes about three times its bytes in the map beside them.
        self.tokens.len() + 4 * self.vocabulary.len() + entry * (self.keys.len() + self.buckets.len())
    }

    /// Adds a document and gives its number.
    ///
    /// # Errors
    /// When its units cannot be compressed.
    pub fn add(&mut self, analysis: &Analysis) -> io::Result<u32> {
        let document = self.len();
        let mut plain = Vec::new();
        tokens::encode(&analysis.units, &mut self.vocabulary, &mut plain);
        if self.settings.shingling.of != ShingleOf::Units {
            // Other shingles cannot be made of units again, so they are kept.
            let mut before = 0;
            varint::put(&mut plain, analysis.shingles.len() as u64);
            for &shingle in analysis.shingles.as_slice() {
                varint::put(&mut plain, u64::from(shingle - before));
                before = shingle;
            }
        }
        let packed = self.compressor.compress(&plain)?;
        self.documents.extend_from_slice(&(self.tokens.len() as u64).to_le_bytes());
        for number in [packed.len() as u32, plain.len() as u32, analysis.units.len() as u32, 0] {
            self.documents.extend_from_slice(&number.to_le_bytes());
        }
        self.documents.extend_from_slice(&analysis.fingerprint.to_le_bytes());
        self.tokens.extend_from_slice(&packed);
        let posting = |position| Posting { document, position };
        self.keys.extend(analysis.keys.iter().map(|key| (key.hash, posting(key.position))));
        if !analysis.shingles.is_empty() {
            let keys = self.settings.banding.keys(&analysis.signature);
            self.buckets.extend(keys.map(|key| (bucket_key(key), posting(0))));
        }
        Ok(document)
    }

    fn sections(self) -> Vec<Vec<u8>> {
        let (key_directory, keys) = lists::write(self.keys, true);
        let (bucket_directory, buckets) = lists::write(self.buckets, false);
        vec![self.documents, self.vocabulary.finish(), self.tokens, key_directory, keys, bucket_directory, buckets]
    }

    /// Writes the segment.
    ///
    /// # Errors
    /// When `out` does not take it.
    pub fn write(self, out: impl Write) -> io::Result<()> {
        container::write(&self.sections(), out)
    }

    /// The segment in memory.
    ///
    /// # Errors
    /// None that a sound machine would give.
    pub fn in_memory(self) -> Result<Segment, ContainerError> {
        let settings = self.settings;
        let mut bytes = Vec::new();
        self.write(&mut bytes)?;
        Ok(Segment::of(container::in_memory(bytes)?, &settings)?)
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
}

impl Segment {
    /// Opens the segment in a file, which must have been written with these settings.
    ///
    /// # Errors
    /// When there is none, it is of another version, or its header is damaged.
    pub fn open(path: &Path, settings: &SketchSettings) -> Result<Self, ContainerError> {
        Ok(Segment::of(container::open(path)?, settings)?)
    }

    fn of(sections: Vec<Section>, settings: &SketchSettings) -> Result<Self, Damaged> {
        if sections.len() != PARTS.len() {
            return Err(Damaged);
        }
        let mut segment = Segment { settings: *settings, sections, documents: 0 };
        let bytes = segment.all(Part::Documents)?.len();
        if !bytes.is_multiple_of(RECORD) {
            return Err(Damaged);
        }
        segment.documents = u32::try_from(bytes / RECORD).map_err(|_| Damaged)?;
        Ok(segment)
    }

    /// How many documents it holds, deleted ones among them.
    pub fn len(&self) -> u32 {
        self.documents
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.documents == 0
    }

    /// The name and the bytes of each part.
    pub fn sizes(&self) -> impl Iterator<Item = (&'static str, u64)> {
        PARTS.iter().map(|&(part, name)| (name, lists::Bytes::len(self.section(part))))
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
    pub fn key(&self, key: u32) -> Result<Option<List<'_>>, Damaged> {
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
    pub fn for_each_bucket<'a>(&'a self, visit: impl FnMut(u32, List<'a>)) -> Result<(), Damaged> {
        self.buckets().for_each(visit).ok_or(Damaged)
    }

    /// Calls `visit` with every list of the containment sketch, in the order of their keys.
    ///
    /// # Errors
    /// When the segment is damaged.
    pub fn for_each_key<'a>(&'a self, visit: impl FnMut(u32, List<'a>)) -> Result<(), Damaged> {
        self.keys().for_each(visit).ok_or(Damaged)
    }

    fn keys(&self) -> Lists<'_, Section> {
        Lists { directory: self.section(Part::KeyDirectory), lists: self.section(Part::Keys), positions: true }
    }

    fn buckets(&self) -> Lists<'_, Section> {
        Lists { directory: self.section(Part::BucketDirectory), lists: self.section(Part::Buckets), positions: false }
    }

    /// Gives a document back.
    ///
    /// # Errors
    /// When there is none of this number or the segment is damaged.
    pub fn document(&self, number: u32) -> Result<StoredDocument, Damaged> {
        self.unpack(number).ok_or(Damaged)
    }

    fn unpack(&self, number: u32) -> Option<StoredDocument> {
        let records = self.section(Part::Documents).all()?;
        let record = records.get(number as usize * RECORD..)?.first_chunk::<RECORD>()?;
        let word = |at: usize| u32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]);
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        let (from, packed, plain, units) = (long(0), u64::from(word(8)), word(12) as usize, word(16) as usize);
        let bytes = lists::Bytes::bytes(self.section(Part::Tokens), from, from.checked_add(packed)?)?;
        let bytes = zstd::bulk::decompress(bytes, plain).ok()?;
        let mut rest = bytes.as_slice();
        let units = tokens::decode(&mut rest, self.section(Part::Vocabulary).all()?)
            .filter(|decoded| decoded.len() == units)?;
        let shingles = match self.settings.shingling.of {
            ShingleOf::Units => ShingleSet::of_values(&units.hash, usize::from(self.settings.shingling.k)),
            ShingleOf::Chars | ShingleOf::Words => {
                let mut before = 0u32;
                let count = varint::take(&mut rest)?;
                let next = |_| {
                    before = before.checked_add(varint::take_u32(&mut rest)?)?;
                    Some(before)
                };
                ShingleSet::new((0..count).map(next).collect::<Option<Vec<u32>>>()?)
            }
        };
        rest.is_empty().then_some(StoredDocument { units, shingles, fingerprint: long(24) })
    }

    /// Reads every byte: all checksums, all documents, all lists.
    ///
    /// # Errors
    /// When anything is not as it was written.
    pub fn verify(&self) -> Result<(), Damaged> {
        for (part, _) in PARTS {
            self.all(part)?;
        }
        for number in 0..self.documents {
            self.document(number)?;
        }
        let mut sound = true;
        let mut check = |_: u32, list: List| {
            let mut inside = true;
            let whole = list.for_each(|posting| inside &= posting.document < self.documents).is_some();
            sound &= whole && inside;
        };
        self.for_each_key(&mut check)?;
        self.for_each_bucket(&mut check)?;
        if sound { Ok(()) } else { Err(Damaged) }
    }
}
