//! Searching one index, or several as if they were one.

use super::catalogue::{Catalogue, Place, Record};
use super::error::IndexError;
use super::layout;
use super::segment::{List, Posting, Segment};
use crate::sketch::analysis::StoredDocument;
use crate::sketch::settings::SketchSettings;
use ahash::AHashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An index as it stood when it was opened, whatever others write meanwhile. Many threads may search it at once.
///
/// Documents are numbered through all segments of all parts; the numbers hold for this value only.
#[derive(Debug)]
pub struct Index {
    settings: SketchSettings,
    parts: Vec<Mutex<Catalogue>>,
    segments: Vec<LiveSegment>,
}

#[derive(Debug)]
struct LiveSegment {
    part: usize,
    number: u32,
    path: PathBuf,
    segment: Arc<Segment>,
    deleted: AHashSet<u32>,
    /// The number, in the whole index, of the segment's first document.
    base: u32,
}

/// What is known of a key of the containment sketch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyPostings {
    /// Where it stands; the documents' numbers are those of the whole index.
    Found(Vec<Posting>),
    /// More documents than asked for hold it.
    TooMany,
}

impl Index {
    /// Opens the index folders `folders`, which must have equal settings.
    ///
    /// # Errors
    /// When one of them is no index, is of a newer version, is damaged, or differs in its settings.
    pub fn open(folders: &[PathBuf]) -> Result<Self, IndexError> {
        let mut index: Option<Index> = None;
        for folder in folders {
            let part = Part::open(folder)?;
            match &mut index {
                None => index = Some(Index::of(part)),
                Some(index) => {
                    require_equal(folder, &index.settings, &part.settings)?;
                    index.push(part);
                }
            }
        }
        index.ok_or_else(|| IndexError::NotAnIndex { path: PathBuf::new() })
    }

    pub(super) fn in_memory(catalogue: Catalogue, segments: Vec<(u32, Arc<Segment>)>) -> Result<Self, IndexError> {
        let settings = catalogue.settings()?;
        Ok(Index::of(Part::new(catalogue, settings, |number| {
            let found = segments.iter().find(|(n, _)| *n == number).map(|(_, segment)| segment.clone());
            Ok(found.map(|segment| (PathBuf::from("the corpus in memory"), segment)))
        })?))
    }

    fn of(part: Part) -> Self {
        let mut index = Index { settings: part.settings, parts: Vec::new(), segments: Vec::new() };
        index.push(part);
        index
    }

    fn push(&mut self, part: Part) {
        for (number, path, segment, deleted) in part.segments {
            let base = self.segments.last().map_or(0, |last| last.base + last.segment.len());
            self.segments.push(LiveSegment { part: self.parts.len(), number, path, segment, deleted, base });
        }
        self.parts.push(Mutex::new(part.catalogue));
    }

    /// The settings its sketches were made with.
    pub fn settings(&self) -> &SketchSettings {
        &self.settings
    }

    /// How many documents it holds.
    pub fn len(&self) -> usize {
        self.segments.iter().map(|s| s.segment.len() as usize - s.deleted.len()).sum()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers of all documents, in no telling order.
    pub fn documents(&self) -> impl Iterator<Item = u32> {
        self.segments
            .iter()
            .flat_map(|s| (0..s.segment.len()).filter(|local| !s.deleted.contains(local)).map(|local| s.base + local))
    }

    /// The numbers of the documents that the latest addition to each part brought.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn latest_addition(&self) -> Result<AHashSet<u32>, IndexError> {
        let mut found = AHashSet::new();
        for part in 0..self.parts.len() {
            let catalogue = self.catalogue(part);
            for place in catalogue.places_of_generation(catalogue.generation()?)? {
                let live = self.segments.iter().find(|s| s.part == part && s.number == place.segment);
                found.extend(live.map(|live| live.base + place.local));
            }
        }
        Ok(found)
    }

    /// When the latest addition to the first part that still holds something of its own was made, in seconds since 1970
    /// (UTC).
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn latest_added(&self) -> Result<Option<i64>, IndexError> {
        for part in 0..self.parts.len() {
            let catalogue = self.catalogue(part);
            if let Some(record) = catalogue.one_of_generation(catalogue.generation()?)? {
                return Ok(Some(record.added));
            }
        }
        Ok(None)
    }

    /// The documents in a MinHash bucket, appended to `found`.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn bucket(&self, key: u64, found: &mut Vec<u32>) -> Result<(), IndexError> {
        for live in &self.segments {
            if let Some(list) = live.segment.bucket(key).map_err(|e| IndexError::unsound(&live.path, e))? {
                live.visit(&list, |posting| found.push(posting.document))?;
            }
        }
        Ok(())
    }

    /// All MinHash buckets as (key, document) entries, in no telling order.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn bucket_entries(&self) -> Result<Vec<(u64, u32)>, IndexError> {
        let mut entries = Vec::new();
        for live in &self.segments {
            let mut sound = Ok(());
            let visit = |key, list: &List| {
                let of_list = live.visit(list, |posting| entries.push((u64::from(key), posting.document)));
                if sound.is_ok() {
                    sound = of_list;
                }
            };
            live.segment.for_each_bucket(visit).map_err(|e| IndexError::unsound(&live.path, e))?;
            sound?;
        }
        Ok(entries)
    }

    /// Where a key of the containment sketch stands, unless more than `most` documents hold it.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn key(&self, key: u32, most: usize) -> Result<KeyPostings, IndexError> {
        let mut lists = Vec::new();
        let (mut holders, mut perhaps_deleted) = (0, 0);
        for live in &self.segments {
            if let Some(list) = live.segment.key(key).map_err(|e| IndexError::unsound(&live.path, e))? {
                holders += list.documents as usize;
                perhaps_deleted += live.deleted.len().min(list.documents as usize);
                lists.push((live, list));
            }
        }
        if holders - perhaps_deleted > most {
            return Ok(KeyPostings::TooMany);
        }
        let mut postings: Vec<Posting> = Vec::new();
        for (live, list) in lists {
            live.visit(&list, |posting| postings.push(posting))?;
        }
        // Deleted documents do not count, so that an index answers as a fresh one of the same documents would.
        let documents = postings.chunk_by(|a, b| a.document == b.document).count();
        Ok(if documents > most { KeyPostings::TooMany } else { KeyPostings::Found(postings) })
    }

    /// The documents whose SimHash fingerprints differ from `fingerprint` in at most `k` bits (0 to 7), with how many;
    /// ascending by document.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn near(&self, fingerprint: u64, k: u8) -> Result<Vec<(u32, u8)>, IndexError> {
        let mut found = Vec::new();
        for live in &self.segments {
            let hits = live.segment.near(fingerprint, k).map_err(|e| IndexError::unsound(&live.path, e))?;
            let there = hits.into_iter().filter(|hit| !live.deleted.contains(&hit.row));
            found.extend(there.map(|hit| (live.base + hit.row, hit.distance)));
        }
        Ok(found)
    }

    fn live(&self, document: u32) -> (&LiveSegment, u32) {
        let at = self.segments.partition_point(|s| s.base <= document) - 1;
        (&self.segments[at], document - self.segments[at].base)
    }

    fn catalogue(&self, part: usize) -> MutexGuard<'_, Catalogue> {
        // A thread that panicked while reading leaves the connection as it was.
        self.parts[part].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The units, shingles and fingerprint of a document.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn document(&self, document: u32) -> Result<StoredDocument, IndexError> {
        let (live, local) = self.live(document);
        live.segment.document(local).map_err(|e| IndexError::unsound(&live.path, e))
    }

    /// What the catalogue knows of a document.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn record(&self, document: u32) -> Result<Record, IndexError> {
        let (live, local) = self.live(document);
        self.catalogue(live.part).at(Place { segment: live.number, local })
    }

    /// The text of a document; `None` when the index keeps none.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn text(&self, document: u32) -> Result<Option<String>, IndexError> {
        let (live, local) = self.live(document);
        let frame = live.segment.text(local).map_err(|e| IndexError::unsound(&live.path, e))?;
        if frame.is_empty() {
            return Ok(None);
        }
        unpack_text(frame).map(Some).ok_or_else(|| IndexError::damaged(&live.path, "a text"))
    }
}

/// Texts are packed with zstd, each by itself.
pub(super) fn unpack_text(frame: &[u8]) -> Option<String> {
    String::from_utf8(zstd::decode_all(frame).ok()?).ok()
}

impl LiveSegment {
    /// Calls `visit` with the postings of documents that are not deleted, numbered through the whole index.
    fn visit(&self, list: &List, mut visit: impl FnMut(Posting)) -> Result<(), IndexError> {
        let mut inside = true;
        list.for_each(|posting| {
            inside &= posting.document < self.segment.len();
            if !self.deleted.contains(&posting.document) {
                visit(Posting { document: self.base.saturating_add(posting.document), ..posting });
            }
        })
        .filter(|()| inside)
        .ok_or_else(|| IndexError::unsound(&self.path, super::segment::Damaged))
    }
}

/// One folder, opened.
struct Part {
    settings: SketchSettings,
    catalogue: Catalogue,
    segments: Vec<(u32, PathBuf, Arc<Segment>, AHashSet<u32>)>,
}

impl Part {
    fn open(folder: &Path) -> Result<Self, IndexError> {
        const ATTEMPTS: u32 = 5;
        let path = layout::catalogue(folder);
        let mut attempt = 1;
        loop {
            if !path.is_file() {
                return Err(IndexError::NotAnIndex { path: folder.to_owned() });
            }
            let catalogue = Catalogue::open_reader(&path)?;
            let settings = catalogue.settings()?;
            let part = Part::new(catalogue, settings, |number| {
                let path = layout::segment(folder, number);
                match Segment::open(&path, &settings) {
                    Ok(segment) => Ok(Some((path, Arc::new(segment)))),
                    Err(super::segment::ContainerError::Io(e)) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
                    Err(error) => Err(IndexError::segment(&path, error)),
                }
            });
            match part {
                // Between our look at the catalogue and at the segment a writer may have merged it away.
                Err(IndexError::Damaged { .. }) if attempt < ATTEMPTS => attempt += 1,
                other => return other,
            }
        }
    }

    fn new(
        catalogue: Catalogue,
        settings: SketchSettings,
        open: impl Fn(u32) -> Result<Option<(PathBuf, Arc<Segment>)>, IndexError>,
    ) -> Result<Self, IndexError> {
        let mut segments = Vec::new();
        for row in catalogue.segments()? {
            let missing = || IndexError::damaged(catalogue.path(), format!("segment {} is missing", row.segment));
            let (path, segment) = open(row.segment)?.ok_or_else(missing)?;
            if segment.len() != row.documents {
                return Err(IndexError::damaged(&path, "not the segment that the catalogue lists"));
            }
            let deleted = catalogue.deleted(&row)?.into_iter().collect();
            segments.push((row.segment, path, segment, deleted));
        }
        Ok(Part { settings, catalogue, segments })
    }
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
