//! Searching one index, or several as if they were one.

use super::blocks::{BLOCK_UNITS, Blocks};
use super::error::IndexError;
use super::records::Record;
use super::segment::{Choice, Damaged, List, Posting, Segment};
use super::snapshot::{Live, Snapshot};
use crate::sketch::analysis::{Analysis, StoredDocument};
use crate::sketch::containment::KEY_BITS;
use crate::sketch::settings::SketchSettings;
use crate::text::units::{Stretch, Units};
use ahash::AHashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// An index as it stood when it was opened, whatever others write meanwhile, until [`Index::refresh`]. It holds no lock and no
/// transaction, and many threads may search it at once without waiting for each other.
///
/// Documents are numbered through all segments of all parts; the numbers hold for this value, until it is refreshed.
#[derive(Debug)]
pub struct Index {
    settings: SketchSettings,
    parts: Vec<Part>,
    segments: Vec<LiveSegment>,
    blocks: Blocks,
}

/// One folder, or the corpus in memory.
#[derive(Debug)]
struct Part {
    folder: Option<PathBuf>,
    /// The number of its latest addition.
    generation: u32,
}

#[derive(Debug)]
struct LiveSegment {
    part: usize,
    live: Live,
    /// The number, in the whole index, of the segment's first document.
    base: u32,
}

/// The documents that hold a key of the containment sketch, or stand in a MinHash bucket.
#[derive(Debug)]
pub struct Holders<'a> {
    lists: Vec<(&'a LiveSegment, List<'a>)>,
    documents: u64,
}

impl Holders<'_> {
    /// How many documents there are. Deleted ones do not count, so that an index answers as a fresh one of the same documents
    /// would.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// Calls `visit` with the postings of those that are chosen, those of a document together; the documents' numbers are
    /// those of the whole index.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn visit(&self, choice: Choice, mut visit: impl FnMut(Posting)) -> Result<(), IndexError> {
        self.lists.iter().try_for_each(|(of, list)| of.visit(list, choice, &mut visit))
    }
}

impl Index {
    /// Opens the index folders `folders`, which must have equal settings.
    ///
    /// # Errors
    /// When one of them is no index, is of a newer version, is damaged, or differs in its settings.
    pub fn open(folders: &[PathBuf]) -> Result<Self, IndexError> {
        Index::join(folders.iter().map(|folder| Ok((Some(folder.clone()), Snapshot::open(folder, &[])?))))
    }

    pub(super) fn in_memory(snapshot: Snapshot) -> Result<Self, IndexError> {
        Index::join([Ok((None, snapshot))])
    }

    fn join(
        snapshots: impl IntoIterator<Item = Result<(Option<PathBuf>, Snapshot), IndexError>>,
    ) -> Result<Self, IndexError> {
        let mut index: Option<Index> = None;
        for snapshot in snapshots {
            let (folder, snapshot) = snapshot?;
            let settings = snapshot.settings;
            let index = index.get_or_insert(Index {
                settings,
                parts: Vec::new(),
                segments: Vec::new(),
                blocks: Blocks::default(),
            });
            require_equal(folder.as_deref().unwrap_or(Path::new("")), &index.settings, &settings)?;
            for live in snapshot.segments {
                let base = index.segments.last().map_or(0, |last| last.base + last.live.row.documents);
                index.segments.push(LiveSegment { part: index.parts.len(), live, base });
            }
            index.parts.push(Part { folder, generation: snapshot.generation });
        }
        index.ok_or_else(|| IndexError::NotAnIndex { path: PathBuf::new() })
    }

    /// This index and another with equal settings, as one. A corpus in memory stays only until the next [`Index::refresh`].
    ///
    /// # Errors
    /// When the settings differ.
    pub fn with(mut self, other: Index) -> Result<Self, IndexError> {
        let folder = other.parts.first().and_then(|part| part.folder.as_deref());
        require_equal(folder.unwrap_or(Path::new("the corpus in memory")), &self.settings, &other.settings)?;
        let (parts, base) =
            (self.parts.len(), self.segments.last().map_or(0, |last| last.base + last.live.row.documents));
        self.parts.extend(other.parts);
        self.segments.extend(other.segments.into_iter().map(|segment| LiveSegment {
            part: parts + segment.part,
            base: base + segment.base,
            ..segment
        }));
        Ok(self)
    }

    /// Brings the index to the newest commit of each folder, and tells whether there was one. If so, documents are numbered
    /// anew. Segments that stayed are not opened again.
    ///
    /// # Errors
    /// As [`Index::open`]; the index then stays as it was.
    pub fn refresh(&mut self) -> Result<bool, IndexError> {
        let (mut snapshots, mut changed) = (Vec::new(), false);
        for (number, part) in self.parts.iter().enumerate() {
            let Some(folder) = &part.folder else { continue };
            let known: Vec<&Live> = self.segments.iter().filter(|s| s.part == number).map(|s| &s.live).collect();
            let snapshot = Snapshot::open(folder, &known)?;
            changed |= !snapshot.is(part.generation, &known);
            snapshots.push(Ok((Some(folder.clone()), snapshot)));
        }
        if changed {
            let fresh = Index::join(snapshots)?;
            require_equal(Path::new(""), &self.settings, &fresh.settings)?;
            *self = fresh;
        }
        Ok(changed)
    }

    /// The settings its sketches were made with.
    pub fn settings(&self) -> &SketchSettings {
        &self.settings
    }

    /// Refuses a submission that was analysed with other settings than the index's documents.
    ///
    /// # Errors
    /// [`IndexError::SettingsDiffer`], with the first difference.
    pub fn require_settings_of(&self, submission: &Analysis) -> Result<(), IndexError> {
        let folder = self.parts.first().and_then(|part| part.folder.as_deref());
        require_settings(folder.unwrap_or(Path::new("the corpus in memory")), &self.settings, submission)
    }

    /// How many documents it holds.
    pub fn len(&self) -> usize {
        self.segments.iter().map(|s| s.live.row.documents as usize - s.live.deleted.len()).sum()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers of all documents, in arbitrary order.
    pub fn documents(&self) -> impl Iterator<Item = u32> {
        self.segments.iter().flat_map(|s| s.live.documents().map(|local| s.base + local))
    }

    /// The documents that the latest addition to a part brought, the last first.
    fn of_latest_addition(&self, part: usize) -> impl Iterator<Item = Result<(u32, Record), IndexError>> {
        let generation = self.parts[part].generation;
        // What came last stands last, so that whoever wants one only is soon done.
        let segments = self.segments.iter().rev().filter(move |s| s.part == part);
        segments
            .flat_map(|s| s.live.documents().rev().map(|local| Ok((s.base + local, s.live.stored.record(local)?))))
            .filter(move |found| found.as_ref().map_or(true, |(_, record)| record.generation == generation))
    }

    /// The numbers of the documents that the latest addition to each part brought.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn latest_addition(&self) -> Result<AHashSet<u32>, IndexError> {
        let parts = (0..self.parts.len()).flat_map(|part| self.of_latest_addition(part));
        parts.map(|found| found.map(|(document, _)| document)).collect()
    }

    /// When the latest addition to the first part that still holds something of its own was made, in seconds since 1970
    /// (UTC).
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn latest_added(&self) -> Result<Option<i64>, IndexError> {
        let mut parts = (0..self.parts.len()).filter_map(|part| self.of_latest_addition(part).next());
        parts.next().map(|found| found.map(|(_, record)| record.added)).transpose()
    }

    /// The documents in a MinHash bucket.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn bucket(&self, key: u64) -> Result<Holders<'_>, IndexError> {
        self.holders(|segment| segment.bucket(key))
    }

    /// The documents that hold a key of the containment sketch.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn key(&self, key: u64) -> Result<Holders<'_>, IndexError> {
        self.holders(|segment| segment.key(key))
    }

    fn holders<'a>(
        &'a self,
        find: impl Fn(&'a Segment) -> Result<Option<List<'a>>, Damaged>,
    ) -> Result<Holders<'a>, IndexError> {
        let mut holders = Holders { lists: Vec::new(), documents: 0 };
        for of in &self.segments {
            let stored = &of.live.stored;
            let Some(list) = find(&stored.segment).map_err(|e| stored.unsound(e))? else { continue };
            if of.live.deleted.is_empty() {
                holders.documents += u64::from(list.documents);
            } else {
                let mut last = None;
                of.visit(&list, Choice::ALL, |posting| {
                    holders.documents += u64::from(last.replace(posting.document) != Some(posting.document));
                })?;
            }
            holders.lists.push((of, list));
        }
        Ok(holders)
    }

    /// How many units its documents have together.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn units(&self) -> Result<u64, IndexError> {
        let of_segment = |live: &Live| {
            let segment = &live.stored.segment;
            let deleted = live.deleted.iter().map(|&local| segment.units(local).map(u64::from));
            Ok(segment.all_units()?.saturating_sub(deleted.sum::<Result<u64, Damaged>>()?))
        };
        self.segments.iter().map(|of| of_segment(&of.live).map_err(|e| of.live.stored.unsound(e))).sum()
    }

    /// All MinHash buckets as (upper 32 bits of the key, document) entries, in arbitrary order.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn bucket_entries(&self) -> Result<Vec<(u64, u32)>, IndexError> {
        let mut entries = Vec::new();
        for of in &self.segments {
            let mut sound = Ok(());
            let visit = |key: u64, list: &List| {
                let key = key >> (KEY_BITS - 32);
                let of_list = of.visit(list, Choice::ALL, |posting| entries.push((key, posting.document)));
                if sound.is_ok() {
                    sound = of_list;
                }
            };
            of.live.stored.segment.for_each_bucket(visit).map_err(|e| of.live.stored.unsound(e))?;
            sound?;
        }
        Ok(entries)
    }

    /// The documents whose SimHash fingerprints differ from `fingerprint` in at most `k` bits (0 to 7), with how many;
    /// ascending by document.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn near(&self, fingerprint: u64, k: u8) -> Result<Vec<(u32, u8)>, IndexError> {
        let mut found = Vec::new();
        for of in &self.segments {
            let hits = of.live.stored.segment.near(fingerprint, k).map_err(|e| of.live.stored.unsound(e))?;
            let there = hits.into_iter().filter(|hit| !of.live.deleted.contains(&hit.row));
            found.extend(there.map(|hit| (of.base + hit.row, hit.distance)));
        }
        Ok(found)
    }

    /// The segment in which a document stands, and its number there.
    fn live(&self, document: u32) -> Result<(&Live, u32), IndexError> {
        let of = self.segments[..self.segments.partition_point(|s| s.base <= document)].last();
        of.map(|of| (&of.live, document - of.base))
            .filter(|(live, local)| *local < live.row.documents)
            .ok_or(IndexError::NoDocument { document })
    }

    /// The units, shingles and fingerprint of a document.
    ///
    /// # Errors
    /// When there is no document of this number or the index is damaged.
    pub fn document(&self, document: u32) -> Result<StoredDocument, IndexError> {
        let (live, local) = self.live(document)?;
        live.stored.segment.document(local).map_err(|e| live.stored.unsound(e))
    }

    /// The units of a document, with their places, and nothing else: to make its shingles takes as long again.
    ///
    /// # Errors
    /// When there is no document of this number or the index is damaged.
    pub fn text_units(&self, document: u32) -> Result<Units, IndexError> {
        let (live, local) = self.live(document)?;
        live.stored.segment.text_units(local).map_err(|e| live.stored.unsound(e))
    }

    /// How many units a document has.
    ///
    /// # Errors
    /// When there is no document of this number or the index is damaged.
    pub fn units_of(&self, document: u32) -> Result<u32, IndexError> {
        let (live, local) = self.live(document)?;
        live.stored.segment.units(local).map_err(|e| live.stored.unsound(e))
    }

    /// Reads the units `range` of a document, or as many of them as it has, into `stretch`, without their places.
    ///
    /// # Errors
    /// When there is no document of this number or the index is damaged.
    pub fn stretch(&self, document: u32, range: Range<u32>, stretch: &mut Stretch) -> Result<(), IndexError> {
        let (live, local) = self.live(document)?;
        let unsound = |e| live.stored.unsound(e);
        let end = range.end.min(live.stored.segment.units(local).map_err(unsound)?);
        let mut from = range.start;
        stretch.begin(from);
        while from < end {
            let block = from / BLOCK_UNITS;
            let to = end.min((block + 1).saturating_mul(BLOCK_UNITS));
            self.blocks.add(document, block, from..to, stretch, |range, stretch| {
                live.stored.segment.stretch(local, range, stretch).map_err(unsound)
            })?;
            from = to;
        }
        Ok(())
    }

    /// What is known of a document.
    ///
    /// # Errors
    /// When there is no document of this number or the index is damaged.
    pub fn record(&self, document: u32) -> Result<Record, IndexError> {
        let (live, local) = self.live(document)?;
        live.stored.record(local)
    }

    /// The text of a document; `None` when the index keeps none.
    ///
    /// # Errors
    /// When there is no document of this number or the index is damaged.
    pub fn text(&self, document: u32) -> Result<Option<String>, IndexError> {
        let (live, local) = self.live(document)?;
        let frame = live.stored.segment.text(local).map_err(|e| live.stored.unsound(e))?;
        if frame.is_empty() {
            return Ok(None);
        }
        unpack_text(frame).map(Some).ok_or_else(|| IndexError::damaged(&live.stored.path, "a text"))
    }
}

/// Texts are packed with zstd, each by itself.
pub(super) fn unpack_text(frame: &[u8]) -> Option<String> {
    String::from_utf8(zstd::decode_all(frame).ok()?).ok()
}

impl LiveSegment {
    /// Calls `visit` with the postings of documents that are chosen and not deleted, numbered through the whole index.
    fn visit(&self, list: &List, choice: Choice, mut visit: impl FnMut(Posting)) -> Result<(), IndexError> {
        let (mut inside, documents) = (true, self.live.row.documents);
        let visited = self.live.stored.segment.visit(list, choice, |posting| {
            inside &= posting.document < documents;
            if !self.live.deleted.contains(&posting.document) {
                visit(Posting { document: self.base.saturating_add(posting.document), ..posting });
            }
        });
        let sound = if inside { visited } else { Err(Damaged) };
        sound.map_err(|e| self.live.stored.unsound(e))
    }
}

/// Refuses an analysis that was made with other settings: its numbers would be those of another family, and no pair of them
/// would ever be found equal.
pub(super) fn require_settings(path: &Path, settings: &SketchSettings, analysis: &Analysis) -> Result<(), IndexError> {
    analysis.settings().map_or(Ok(()), |found| require_equal(path, settings, found))
}

/// Refuses settings that differ, naming the first difference.
pub(super) fn require_equal(
    folder: &Path,
    expected: &SketchSettings,
    found: &SketchSettings,
) -> Result<(), IndexError> {
    let differs = |what: &str, a: &dyn std::fmt::Debug, b: &dyn std::fmt::Debug| IndexError::SettingsDiffer {
        path: folder.to_owned(),
        difference: format!("{what} {b:?}, not {a:?}"),
    };
    let (a, b) = (expected, found);
    if a.shingling != b.shingling {
        let difference = format!("shingles of {}, not {}", b.shingling, a.shingling);
        return Err(IndexError::SettingsDiffer { path: folder.to_owned(), difference });
    }
    if (a.hashes, a.seed) != (b.hashes, b.seed) {
        return Err(differs("MinHash functions and seed", &(a.hashes, a.seed), &(b.hashes, b.seed)));
    }
    if a.banding != b.banding {
        return Err(differs("banding", &a.banding, &b.banding));
    }
    if a.containment != b.containment {
        return Err(differs("containment sketch", &a.containment, &b.containment));
    }
    Ok(())
}
