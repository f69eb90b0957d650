//! Changing an index: one writer at a time, whole changes or none.

use super::catalogue::{Catalogue, Place, Record, SegmentRow};
use super::error::IndexError;
use super::policy::MergePolicy;
use super::reader::{Index, require_equal};
use super::segment::{Segment, SegmentBuilder};
use super::{disk, layout};
use crate::sketch::analysis::{Analyser, Analysis};
use crate::sketch::settings::SketchSettings;
use crate::text::Document;
use ahash::AHashSet;
use std::fs::{self, File, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A segment is written when what was collected for it takes about so much memory, in bytes.
const MEMORY: usize = 256 << 20;

/// zstd's level for texts: level 3 makes them 2 to 5 % smaller and takes twice as long.
const COMPRESSION: i32 = 1;

/// Changes an index, on disk or in memory. Changes become real with [`IndexWriter::commit`], all or none; a writer that
/// is dropped, or killed, before it leaves the index as it was at the last commit.
///
/// [`IndexWriter::add`] commits by itself when much has been collected: an addition that was interrupted goes on where it
/// stopped when it is run again, for unchanged documents are told by their content.
#[derive(Debug)]
pub struct IndexWriter {
    storage: Storage,
    catalogue: Catalogue,
    settings: SketchSettings,
    keeps_texts: bool,
    builder: SegmentBuilder,
    packer: Packer,
    /// Ids met since the writer was opened.
    met: AHashSet<String>,
    generation: u32,
    /// The number of the segment that is being collected.
    next_segment: u32,
    in_transaction: bool,
    memory: usize,
}

#[derive(Debug)]
enum Storage {
    Memory(Vec<(u32, Arc<Segment>)>),
    Folder {
        folder: PathBuf,
        /// Held while the writer lives; the system lets go of it when the process ends, however it ends.
        _lock: File,
    },
}

/// What became of a document that was added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// It was not there before.
    New,
    /// It took the place of another version of itself.
    Replaced,
}

impl IndexWriter {
    /// An empty index in memory.
    ///
    /// # Errors
    /// None that a sound machine would give.
    pub fn in_memory(settings: &SketchSettings) -> Result<Self, IndexError> {
        let catalogue = Catalogue::create(None, settings, true)?;
        Self::with(Storage::Memory(Vec::new()), catalogue)
    }

    /// Makes an empty index in a folder that is not there yet, or empty. Without `texts` it keeps hashes and places
    /// of the units, but no wording.
    ///
    /// # Errors
    /// When something is there already, or the folder cannot be written.
    pub fn create(folder: &Path, settings: &SketchSettings, texts: bool) -> Result<Self, IndexError> {
        let failed = |e| IndexError::io(folder, e);
        let there = folder.exists() && fs::read_dir(folder).map_err(failed)?.next().is_some();
        if there {
            return Err(IndexError::AlreadyThere { path: folder.to_owned() });
        }
        fs::create_dir_all(layout::segments(folder)).map_err(failed)?;
        let lock = take_lock(folder)?;
        let catalogue = Catalogue::create(Some(&layout::catalogue(folder)), settings, texts)?;
        disk::sync_folder(folder).map_err(failed)?;
        Self::with(Storage::Folder { folder: folder.to_owned(), _lock: lock }, catalogue)
    }

    /// Opens an index for changing, and sweeps what an interrupted writer left.
    ///
    /// # Errors
    /// When there is none, another process is changing it, or it is damaged or of a newer version.
    pub fn open(folder: &Path) -> Result<Self, IndexError> {
        if !layout::catalogue(folder).is_file() {
            return Err(IndexError::NotAnIndex { path: folder.to_owned() });
        }
        let lock = take_lock(folder)?;
        let catalogue = Catalogue::open_writer(&layout::catalogue(folder))?;
        sweep(folder, &catalogue.segments()?)?;
        Self::with(Storage::Folder { folder: folder.to_owned(), _lock: lock }, catalogue)
    }

    fn with(storage: Storage, catalogue: Catalogue) -> Result<Self, IndexError> {
        let settings = catalogue.settings()?;
        Ok(IndexWriter {
            keeps_texts: catalogue.keeps_texts()?,
            generation: catalogue.generation()? + 1,
            next_segment: catalogue.next_segment()?,
            builder: SegmentBuilder::new(&settings),
            storage,
            settings,
            packer: Packer::new().map_err(|e| IndexError::io(catalogue.path(), e))?,
            met: AHashSet::new(),
            in_transaction: false,
            memory: MEMORY,
            catalogue,
        })
    }

    /// The settings of the index.
    pub fn settings(&self) -> &SketchSettings {
        &self.settings
    }

    /// How many documents the index holds, uncommitted ones among them.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub fn documents(&self) -> Result<u64, IndexError> {
        self.catalogue.count()
    }

    /// Whether a document of this id and content ([`super::content_hash`]) is there already, so that it need not be
    /// analysed and added.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub fn is_unchanged(&self, id: &str, content: &[u8]) -> Result<bool, IndexError> {
        Ok(self.catalogue.by_id(id)?.is_some_and(|record| record.content == content))
    }

    fn begin(&mut self) -> Result<(), IndexError> {
        if !self.in_transaction {
            self.catalogue.batch("BEGIN IMMEDIATE")?;
            self.in_transaction = true;
        }
        Ok(())
    }

    /// Adds a document, or puts it in the place of the one with its id. `content` is its [`super::content_hash`],
    /// `added` the time in seconds since 1970 (UTC); the analysis must have been made with the index's settings.
    ///
    /// # Errors
    /// When a document of this id was added through this writer before, or the index cannot be written.
    pub fn add(
        &mut self,
        document: &Document,
        content: Vec<u8>,
        added: i64,
        analysis: &Analysis,
    ) -> Result<Added, IndexError> {
        self.claim(&document.id)?;
        self.add_claimed(document, content, added, analysis)
    }

    /// As [`IndexWriter::add`], for an id that was claimed before ([`IndexWriter::claim`]).
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn add_claimed(
        &mut self,
        document: &Document,
        content: Vec<u8>,
        added: i64,
        analysis: &Analysis,
    ) -> Result<Added, IndexError> {
        let record = Record {
            id: document.id.clone(),
            metadata: document.metadata.clone(),
            added,
            generation: self.generation,
            place: Place { segment: 0, local: 0 },
            content,
        };
        let text = if self.keeps_texts {
            let failed = |e| IndexError::io(self.catalogue.path(), e);
            Some(self.packer.compress(document.text.as_bytes()).map_err(failed)?)
        } else {
            None
        };
        self.put(record, text.as_deref(), analysis)
    }

    /// Notes that a document of this id was met, so that a second one is refused.
    ///
    /// # Errors
    /// When it is the second, or no document can have this id: ids may become names of files, so they must not be paths
    /// that lead out of a folder, nor longer than 1,000 bytes, nor hold control characters.
    pub fn claim(&mut self, id: &str) -> Result<(), IndexError> {
        if let Some(reason) = why_no_id(id) {
            return Err(IndexError::BadId { id: id.escape_debug().take(LONGEST_ID).collect(), reason });
        }
        if self.met.insert(id.to_owned()) { Ok(()) } else { Err(IndexError::DuplicateId { id: id.to_owned() }) }
    }

    fn put(&mut self, record: Record, text: Option<&[u8]>, analysis: &Analysis) -> Result<Added, IndexError> {
        let old = self.catalogue.by_id(&record.id)?;
        if let Some(old) = &old {
            self.delete(old)?;
        }
        self.begin()?;
        let place = Place { segment: self.next_segment, local: self.builder.add(analysis, text) };
        self.catalogue.put(&Record { place, ..record })?;
        if self.builder.memory() >= self.memory {
            self.commit()?;
        }
        Ok(if old.is_some() { Added::Replaced } else { Added::New })
    }

    /// Removes a document; tells whether it was there.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn remove(&mut self, id: &str) -> Result<bool, IndexError> {
        let Some(record) = self.catalogue.by_id(id)? else { return Ok(false) };
        self.delete(&record)?;
        Ok(true)
    }

    fn delete(&mut self, record: &Record) -> Result<(), IndexError> {
        if record.place.segment == self.next_segment {
            self.commit()?; // it stands in the segment that is being collected
        }
        self.begin()?;
        self.catalogue.delete(record)
    }

    /// The documents for which `wanted` says so, by id.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub fn select(&self, wanted: impl Fn(&Record) -> bool) -> Result<Vec<String>, IndexError> {
        let mut ids = Vec::new();
        self.catalogue.for_each(|record| {
            if wanted(&record) {
                ids.push(record.id);
            }
            Ok(())
        })?;
        Ok(ids)
    }

    /// Makes all changes real. When it returns they are on the disk.
    ///
    /// # Errors
    /// When they could not be written; then none of them is real.
    pub fn commit(&mut self) -> Result<(), IndexError> {
        let result = self.try_commit();
        if result.is_err() {
            self.abandon();
        }
        result
    }

    fn try_commit(&mut self) -> Result<(), IndexError> {
        if !self.in_transaction {
            return Ok(());
        }
        if !self.builder.is_empty() {
            let builder = self.take_builder();
            self.write_segment(builder)?;
            self.catalogue.set_generation(self.generation)?;
        }
        self.catalogue.batch("COMMIT")?;
        self.in_transaction = false;
        Ok(())
    }

    /// Forgets everything since the last commit.
    fn abandon(&mut self) {
        // When even this fails, SQLite rolls back as the connection is closed.
        let _ = self.catalogue.batch("ROLLBACK");
        self.in_transaction = false;
        self.take_builder();
        if let (Ok(rows), Storage::Folder { folder, .. }) = (self.catalogue.segments(), &self.storage) {
            let _ = sweep(folder, &rows);
        }
    }

    /// What was collected; collecting begins anew.
    fn take_builder(&mut self) -> SegmentBuilder {
        std::mem::replace(&mut self.builder, SegmentBuilder::new(&self.settings))
    }

    /// Writes a segment under the next number and lists it in the open transaction.
    fn write_segment(&mut self, builder: SegmentBuilder) -> Result<(), IndexError> {
        let number = self.next_segment;
        let documents = builder.len();
        let bytes = match &mut self.storage {
            Storage::Memory(segments) => {
                let segment = builder.in_memory().map_err(|e| IndexError::segment(self.catalogue.path(), e))?;
                segments.push((number, Arc::new(segment)));
                0
            }
            Storage::Folder { folder, .. } => {
                let path = layout::segment(folder, number);
                disk::write_whole(&path, |out| builder.write(out))?;
                fs::metadata(&path).map_err(|e| IndexError::io(&path, e))?.len()
            }
        };
        self.catalogue.put_segment(SegmentRow { segment: number, documents, deleted: 0, bytes })?;
        self.catalogue.set_next_segment(number + 1)?;
        self.next_segment = number + 1;
        Ok(())
    }

    /// Merges segments as `policy` says, so that there are few of them.
    ///
    /// # Errors
    /// When the index is damaged or cannot be written; what was merged before stays merged.
    pub fn merge_segments(&mut self, policy: &MergePolicy) -> Result<(), IndexError> {
        self.commit()?;
        let groups = policy.choose(&self.catalogue.segments()?);
        groups.iter().try_for_each(|group| self.merge_group(group))
    }

    /// Merges as many segments as `policy` allows into one; deleted documents leave for good.
    ///
    /// # Errors
    /// As [`IndexWriter::merge_segments`].
    pub fn compact(&mut self, policy: &MergePolicy) -> Result<(), IndexError> {
        self.commit()?;
        let groups = policy.choose_all(&self.catalogue.segments()?);
        groups.iter().try_for_each(|group| self.merge_group(group))?;
        self.catalogue.shrink()
    }

    fn merge_group(&mut self, numbers: &[u32]) -> Result<(), IndexError> {
        self.begin()?;
        let result = self.try_merge_group(numbers);
        if result.is_err() {
            self.abandon();
            return result;
        }
        // Only now, when no snapshot to come can list them.
        match &mut self.storage {
            Storage::Memory(segments) => segments.retain(|(number, _)| !numbers.contains(number)),
            Storage::Folder { folder, .. } => sweep(folder, &self.catalogue.segments()?)?,
        }
        Ok(())
    }

    fn try_merge_group(&mut self, numbers: &[u32]) -> Result<(), IndexError> {
        let analyser = Analyser::new(&self.settings);
        let mut builder = SegmentBuilder::new(&self.settings);
        let target = self.next_segment;
        let rows = self.catalogue.segments()?;
        for row in rows.iter().filter(|row| numbers.contains(&row.segment)) {
            let (path, segment) = self.open_segment(row.segment)?;
            let deleted: AHashSet<u32> = self.catalogue.deleted(row)?.into_iter().collect();
            for local in (0..segment.len()).filter(|local| !deleted.contains(local)) {
                let unsound = |e| IndexError::unsound(&path, e);
                let stored = segment.document(local).map_err(unsound)?;
                let text = segment.text(local).map_err(unsound)?;
                let record = self.catalogue.at(Place { segment: row.segment, local })?;
                let local = builder.add(&analyser.of_stored(stored), Some(text));
                self.catalogue.put(&Record { place: Place { segment: target, local }, ..record })?;
            }
            self.catalogue.remove_segment(row.segment)?;
        }
        if !builder.is_empty() {
            self.write_segment(builder)?;
        }
        self.catalogue.batch("COMMIT")?;
        self.in_transaction = false;
        Ok(())
    }

    fn open_segment(&self, number: u32) -> Result<(PathBuf, Arc<Segment>), IndexError> {
        match &self.storage {
            Storage::Memory(segments) => {
                let found = segments.iter().find(|(n, _)| *n == number);
                let missing = || IndexError::damaged(self.catalogue.path(), "a segment is missing");
                Ok((self.catalogue.path().to_owned(), found.ok_or_else(missing)?.1.clone()))
            }
            Storage::Folder { folder, .. } => {
                let path = layout::segment(folder, number);
                let segment = Segment::open(&path, &self.settings).map_err(|e| IndexError::segment(&path, e))?;
                Ok((path, Arc::new(segment)))
            }
        }
    }

    /// Takes in all documents of another index. Of two documents with one id ours stays; gives how many were taken,
    /// and the ids that were not because ours differ.
    ///
    /// # Errors
    /// When the other one's settings differ, it is damaged, or ours cannot be written.
    pub fn merge_from(&mut self, folder: &Path) -> Result<(u64, Vec<String>), IndexError> {
        let other = Catalogue::open_reader(&layout::catalogue(folder)).map_err(|error| match error {
            IndexError::Catalogue { .. } if !folder.is_dir() => IndexError::NotAnIndex { path: folder.to_owned() },
            other => other,
        })?;
        require_equal(folder, &self.settings, &other.settings()?)?;
        if self.keeps_texts && !other.keeps_texts()? {
            let difference = "it keeps no texts, and the index it is to be merged into does".to_owned();
            return Err(IndexError::SettingsDiffer { path: folder.to_owned(), difference });
        }
        let analyser = Analyser::new(&self.settings);
        let (mut taken, mut refused) = (0, Vec::new());
        for row in other.segments()? {
            let path = layout::segment(folder, row.segment);
            let segment = Segment::open(&path, &self.settings).map_err(|e| IndexError::segment(&path, e))?;
            let deleted: AHashSet<u32> = other.deleted(&row)?.into_iter().collect();
            for local in (0..row.documents.min(segment.len())).filter(|local| !deleted.contains(local)) {
                let record = other.at(Place { segment: row.segment, local })?;
                match self.catalogue.by_id(&record.id)? {
                    Some(ours) if ours.content != record.content => {
                        refused.push(record.id);
                        continue;
                    }
                    Some(_) => continue,
                    None => {}
                }
                let unsound = |e| IndexError::unsound(&path, e);
                let text = if self.keeps_texts { Some(segment.text(local).map_err(unsound)?) } else { None };
                let stored = segment.document(local).map_err(unsound)?;
                self.put(Record { generation: self.generation, ..record }, text, &analyser.of_stored(stored))?;
                taken += 1;
            }
        }
        self.commit()?;
        refused.sort();
        Ok((taken, refused))
    }

    /// Commits, and opens what was written in memory for searching.
    ///
    /// # Errors
    /// When the index is one on disk: that is opened by [`Index::open`].
    pub fn into_index(mut self) -> Result<Index, IndexError> {
        self.commit()?;
        match self.storage {
            Storage::Memory(segments) => Index::in_memory(self.catalogue, segments),
            Storage::Folder { folder, _lock } => {
                drop(self.catalogue);
                Index::open(&[folder])
            }
        }
    }
}

/// Packs texts, with a checksum in each.
struct Packer(zstd::bulk::Compressor<'static>);

impl Packer {
    fn new() -> std::io::Result<Self> {
        let mut compressor = zstd::bulk::Compressor::new(COMPRESSION)?;
        compressor.include_checksum(true)?;
        Ok(Packer(compressor))
    }

    fn compress(&mut self, bytes: &[u8]) -> std::io::Result<Vec<u8>> {
        self.0.compress(bytes)
    }
}

impl std::fmt::Debug for Packer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Packer")
    }
}

/// The longest id a document may have, in bytes of UTF-8.
const LONGEST_ID: usize = 1000;

/// Why no document can have this id, if so.
fn why_no_id(id: &str) -> Option<&'static str> {
    if id.is_empty() {
        return Some("it is empty");
    }
    if id.len() > LONGEST_ID {
        return Some("it is longer than 1,000 bytes");
    }
    if id.chars().any(char::is_control) {
        return Some("it holds control characters");
    }
    let leads_out = id.starts_with(['/', '\\']) || id.split(['/', '\\']).any(|part| part == "..");
    leads_out.then_some("as a path it leads out of its folder")
}

/// Takes the writer's lock, or tells who has it.
fn take_lock(folder: &Path) -> Result<File, IndexError> {
    let path = layout::lock(folder);
    let failed = |e| IndexError::io(&path, e);
    let mut file = File::options().read(true).write(true).create(true).truncate(false).open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {
            file.set_len(0).map_err(failed)?;
            write!(file, "pid {}", std::process::id()).map_err(failed)?;
            Ok(file)
        }
        Err(TryLockError::WouldBlock) => Err(IndexError::Locked { path: folder.to_owned(), holder: holder(&mut file) }),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// Who holds a lock, as far as its file tells.
fn holder(file: &mut File) -> String {
    const ATTEMPTS: usize = 20;
    for _ in 0..ATTEMPTS {
        let mut holder = String::new();
        if file.read_to_string(&mut holder).is_ok() && !holder.is_empty() {
            return holder;
        }
        // It took the lock just now, and is about to write who it is.
        std::thread::sleep(Duration::from_millis(5));
    }
    "unknown".to_owned()
}

/// Removes files that no transaction names: those of writers that were interrupted, and of merged segments.
fn sweep(folder: &Path, live: &[SegmentRow]) -> Result<(), IndexError> {
    let segments = layout::segments(folder);
    let failed = |e| IndexError::io(&segments, e);
    let live: AHashSet<PathBuf> = live.iter().map(|row| layout::segment(folder, row.segment)).collect();
    for entry in fs::read_dir(&segments).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let ours = path.extension().is_some_and(|e| e == "segment" || e == "part");
        if ours && !live.contains(&path) {
            fs::remove_file(&path).map_err(|e| IndexError::io(&path, e))?;
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "writer_tests.rs"]
mod tests;
