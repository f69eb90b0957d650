//! Searching one index, or several as if they were one.

use super::blocks::{BLOCK_UNITS, Blocks};
use super::error::IndexError;
use super::records::Record;
use super::segment::{Choice, List, Posting, Segment};
use super::snapshot::{Live, Snapshot};
use crate::sketch::analysis::{Analysis, StoredDocument};
use crate::sketch::containment::KEY_BITS;
use crate::sketch::settings::SketchSettings;
use crate::sketch::shingle::ShingleSet;
use crate::text::units::{Stretch, Units};
use ahash::AHashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// An index as it stood when it was opened, whatever others write meanwhile, until [`Index::refresh`]. It holds no lock and no
/// transaction, and many threads may search it at once without waiting for each other.
///
/// Documents are numbered through all segments of all its folders; the numbers hold for this value, until it is refreshed.
#[derive(Debug)]
pub struct Index {
    settings: SketchSettings,
    members: Vec<Member>,
    segments: Vec<LiveSegment>,
    blocks: Blocks,
}

/// One of the indexes that are searched as if they were one: a folder, or the corpus in memory.
#[derive(Debug)]
struct Member {
    folder: Option<PathBuf>,
    /// The number of its latest addition.
    generation: u32,
}

#[derive(Debug)]
struct LiveSegment {
    /// The member that it belongs to.
    member: usize,
    live: Live,
    /// The number, in the whole index, of the segment's first document.
    base: u32,
}

/// The documents that hold a key of the containment sketch, or stand in a MinHash bucket.
#[derive(Debug)]
pub(crate) struct KeyHolders<'a> {
    lists: Vec<(&'a LiveSegment, List<'a>)>,
    documents: u64,
}

impl KeyHolders<'_> {
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
        Index::join(folders.iter().map(|folder| Ok((folder.clone(), Snapshot::open(folder, &[])?))))
    }

    /// The index that a snapshot shows, of a folder or in memory.
    pub(super) fn of(folder: Option<PathBuf>, snapshot: Snapshot) -> Self {
        let mut base = 0;
        let segment = |live: Live| {
            let segment = LiveSegment { member: 0, base, live };
            base += segment.live.row.documents;
            segment
        };
        let segments = snapshot.segments.into_iter().map(segment).collect();
        let members = vec![Member { folder, generation: snapshot.generation }];
        Index { settings: snapshot.settings, members, segments, blocks: Blocks::default() }
    }

    fn join(opened: impl IntoIterator<Item = Result<(PathBuf, Snapshot), IndexError>>) -> Result<Self, IndexError> {
        let index = |(folder, snapshot)| Index::of(Some(folder), snapshot);
        let mut indexes = opened.into_iter().map(|opened| opened.map(index));
        let none = || Err(IndexError::NotAnIndex { path: PathBuf::new() });
        let first = indexes.next().unwrap_or_else(none)?;
        indexes.try_fold(first, |joined, next| joined.with(next?))
    }

    /// This index and another with equal settings, as one. A corpus in memory stays only until the next [`Index::refresh`].
    ///
    /// # Errors
    /// When the settings differ.
    pub fn with(mut self, other: Index) -> Result<Self, IndexError> {
        require_equal(other.path(), &self.settings, &other.settings)?;
        let members = self.members.len();
        let base = self.segments.last().map_or(0, |last| last.base + last.live.row.documents);
        self.members.extend(other.members);
        self.segments.extend(other.segments.into_iter().map(|segment| LiveSegment {
            member: members + segment.member,
            base: base + segment.base,
            ..segment
        }));
        Ok(self)
    }

    /// The folders that it consists of.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &Path> {
        self.members.iter().filter_map(|member| member.folder.as_deref())
    }

    /// What errors call it.
    fn path(&self) -> &Path {
        let folder = self.members.first().and_then(|member| member.folder.as_deref());
        folder.unwrap_or(Path::new("the corpus in memory"))
    }

    /// Brings the index to the newest commit of each folder, and tells whether there was one. If so, documents are numbered
    /// anew. Segments that stayed are not opened again.
    ///
    /// # Errors
    /// As [`Index::open`]; the index then stays as it was.
    pub fn refresh(&mut self) -> Result<bool, IndexError> {
        let (mut snapshots, mut changed) = (Vec::new(), false);
        for (number, member) in self.members.iter().enumerate() {
            let Some(folder) = &member.folder else { continue };
            let known: Vec<&Live> = self.segments.iter().filter(|s| s.member == number).map(|s| &s.live).collect();
            let snapshot = Snapshot::open(folder, &known)?;
            changed |= !snapshot.is(member.generation, &known);
            snapshots.push(Ok((folder.clone(), snapshot)));
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
        require_settings(self.path(), &self.settings, submission)
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

    /// The documents that the latest addition to a member brought, the last first.
    fn of_latest_addition(&self, member: usize) -> impl Iterator<Item = Result<(u32, Record), IndexError>> {
        let generation = self.members[member].generation;
        // What came last stands last, so that whoever wants one only is soon done.
        let segments = self.segments.iter().rev().filter(move |s| s.member == member);
        segments
            .flat_map(|s| s.live.documents().rev().map(|local| Ok((s.base + local, s.live.stored.records.get(local)?))))
            .filter(move |found| found.as_ref().map_or(true, |(_, record)| record.generation == generation))
    }

    /// The numbers of the documents that the latest addition to each folder brought.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn latest_addition(&self) -> Result<AHashSet<u32>, IndexError> {
        let members = (0..self.members.len()).flat_map(|member| self.of_latest_addition(member));
        members.map(|found| found.map(|(document, _)| document)).collect()
    }

    /// When the latest addition to the first folder that still holds something of its own was made, in seconds since 1970
    /// (UTC).
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn latest_added(&self) -> Result<Option<i64>, IndexError> {
        let mut members = (0..self.members.len()).filter_map(|member| self.of_latest_addition(member).next());
        members.next().map(|found| found.map(|(_, record)| record.added)).transpose()
    }

    /// The documents in a MinHash bucket.
    ///
    /// # Errors
    /// When the index is damaged.
    pub(crate) fn bucket(&self, key: u64) -> Result<KeyHolders<'_>, IndexError> {
        self.holders(|segment| segment.bucket(key))
    }

    /// The documents that hold a key of the containment sketch.
    ///
    /// # Errors
    /// When the index is damaged.
    pub(crate) fn key(&self, key: u64) -> Result<KeyHolders<'_>, IndexError> {
        self.holders(|segment| segment.key(key))
    }

    fn holders<'a>(
        &'a self,
        find: impl Fn(&'a Segment) -> Result<Option<List<'a>>, IndexError>,
    ) -> Result<KeyHolders<'a>, IndexError> {
        let mut holders = KeyHolders { lists: Vec::new(), documents: 0 };
        for of in &self.segments {
            let Some(list) = find(&of.live.stored.segment)? else { continue };
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
            Ok(segment.all_units()?.saturating_sub(deleted.sum::<Result<u64, IndexError>>()?))
        };
        self.segments.iter().map(|of| of_segment(&of.live)).sum()
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
            of.live.stored.segment.for_each_bucket(visit)?;
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
            let hits = of.live.stored.segment.near(fingerprint, k)?;
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
    pub(crate) fn document(&self, document: u32) -> Result<StoredDocument, IndexError> {
        let (live, local) = self.live(document)?;
        live.stored.segment.document(local)
    }

    /// The units of a document, with their places, and nothing else: to make its shingles takes as long again.
    ///
    /// # Errors
    /// When there is no document of this number or the index is damaged.
    pub fn text_units(&self, document: u32) -> Result<Units, IndexError> {
        let (live, local) = self.live(document)?;
        live.stored.segment.text_units(local)
    }

    /// The shingle set of a document, whose units are given.
    ///
    /// # Errors
    /// When there is no document of this number or the index is damaged.
    pub(crate) fn shingles(&self, document: u32, units: &Units) -> Result<ShingleSet, IndexError> {
        let (live, local) = self.live(document)?;
        live.stored.segment.shingles(local, units)
    }

    /// The SimHash fingerprint of a document.
    ///
    /// # Errors
    /// When there is no document of this number or the index is damaged.
    pub(crate) fn fingerprint(&self, document: u32) -> Result<u64, IndexError> {
        let (live, local) = self.live(document)?;
        live.stored.segment.fingerprint(local)
    }

    /// Tells the system that submissions are looked up in it: from a disk most is read before it is waited for.
    pub(crate) fn will_be_searched(&self) {
        self.segments.iter().for_each(|of| of.live.stored.segment.will_be_searched());
    }

    /// Tells the system that keys are looked up soon.
    pub(crate) fn will_need_keys(&self, keys: &[u64]) {
        self.segments.iter().for_each(|of| of.live.stored.segment.will_need_keys(keys));
    }

    /// Tells the system that all postings of keys are read soon.
    pub(crate) fn will_need_postings(&self, keys: &[&KeyHolders]) {
        for of in &self.segments {
            let lists = keys.iter().flat_map(|key| &key.lists).filter(|(other, _)| std::ptr::eq(*other, of));
            of.live.stored.segment.will_need_lists(&lists.map(|(_, list)| list).collect::<Vec<_>>());
        }
    }

    /// Tells the system that units of documents are read soon.
    pub(crate) fn will_need_units(&self, mut documents: Vec<(u32, Range<u32>)>) {
        documents.sort_by_key(|(document, _)| *document);
        for of in self.segments.iter().rev() {
            let from = documents.partition_point(|(document, _)| *document < of.base);
            documents[from..].iter_mut().for_each(|(document, _)| *document -= of.base);
            of.live.stored.segment.will_need_units(&documents[from..]);
            documents.truncate(from);
        }
    }

    /// How many units a document has.
    ///
    /// # Errors
    /// When there is no document of this number or the index is damaged.
    pub fn units_of(&self, document: u32) -> Result<u32, IndexError> {
        let (live, local) = self.live(document)?;
        live.stored.segment.units(local)
    }

    /// Reads the units `range` of a document, or as many of them as it has, into `stretch`, without their places.
    ///
    /// # Errors
    /// When there is no document of this number or the index is damaged.
    pub(crate) fn stretch(&self, document: u32, range: Range<u32>, stretch: &mut Stretch) -> Result<(), IndexError> {
        let (live, local) = self.live(document)?;
        let segment = &live.stored.segment;
        let end = range.end.min(segment.units(local)?);
        let mut from = range.start;
        stretch.begin(from);
        while from < end {
            let block = from / BLOCK_UNITS;
            let to = end.min((block + 1).saturating_mul(BLOCK_UNITS));
            let read = |range, stretch: &mut Stretch| segment.stretch(local, range, stretch);
            self.blocks.add(document, block, from..to, stretch, read)?;
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
        live.stored.records.get(local)
    }

    /// The text of a document; `None` when the index keeps none.
    ///
    /// # Errors
    /// When there is no document of this number or the index is damaged.
    pub fn text(&self, document: u32) -> Result<Option<String>, IndexError> {
        let (live, local) = self.live(document)?;
        let frame = live.stored.segment.text(local)?;
        if frame.is_empty() {
            return Ok(None);
        }
        unpack_text(frame).map(Some).ok_or_else(|| IndexError::damaged(live.stored.segment.path(), "a text"))
    }
}

/// Texts are packed with zstd, each by itself.
pub(super) fn unpack_text(frame: &[u8]) -> Option<String> {
    String::from_utf8(zstd::decode_all(frame).ok()?).ok()
}

impl LiveSegment {
    /// Calls `visit` with the postings of documents that are chosen and not deleted, numbered through the whole index.
    fn visit(&self, list: &List, choice: Choice, mut visit: impl FnMut(Posting)) -> Result<(), IndexError> {
        let (segment, mut inside, documents) = (&self.live.stored.segment, true, self.live.row.documents);
        segment.visit(list, choice, |posting| {
            inside &= posting.document < documents;
            if !self.live.deleted.contains(&posting.document) {
                visit(Posting { document: self.base.saturating_add(posting.document), ..posting });
            }
        })?;
        if inside { Ok(()) } else { Err(IndexError::damaged(segment.path(), "a document that is not there")) }
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
    let (a, b) = (expected, found);
    let difference = if a.shingling != b.shingling {
        format!("shingles of {}, not {}", b.shingling, a.shingling)
    } else if (a.hashes, a.seed) != (b.hashes, b.seed) {
        format!("MinHash functions and seed {:?}, not {:?}", (b.hashes, b.seed), (a.hashes, a.seed))
    } else if a.banding != b.banding {
        format!("banding {:?}, not {:?}", b.banding, a.banding)
    } else if a.containment != b.containment {
        format!("containment sketch {:?}, not {:?}", b.containment, a.containment)
    } else {
        return Ok(());
    };
    Err(IndexError::SettingsDiffer { path: folder.to_owned(), difference })
}
