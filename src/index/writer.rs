//! Changing an index: one writer at a time, whole changes or none.

use super::catalogue::{Catalogue, DocumentPlace};
use super::changes::Changes;
use super::disk::Output;
use super::error::IndexError;
use super::home::{self, Home};
use super::reader::{Index, require_settings};
use super::records::Record;
use super::snapshot::{Snapshot, Stored, catalogue_of};
use super::{layout, lock};
use crate::sketch::analysis::Analysis;
use crate::sketch::settings::SketchSettings;
use crate::sketch::unread::BadId;
use crate::text::{Document, Metadata};
use ahash::{AHashMap, AHashSet};
use std::path::{Path, PathBuf};

/// A segment is written when what was collected for it takes about this much memory, in bytes. More memory makes fewer
/// segments, which need less merging.
const MEMORY: usize = 256 << 20;

/// zstd's level for texts: level 3 makes them 2 to 5 % smaller and takes twice as long.
const COMPRESSION: i32 = 1;

/// Changes an index, on disk or in memory. Changes become real with [`IndexWriter::commit`], all or none; a writer that
/// is dropped, rolled back, or killed before it leaves the index as it was at the last commit.
///
/// [`IndexWriter::add`] commits by itself when much has been collected: an addition that was interrupted goes on where it
/// stopped when it is run again, for unchanged documents are told by their content.
///
/// When something could not be written, the writer refuses everything until it is rolled back
/// ([`IndexWriter::rollback`]).
#[derive(Debug)]
pub struct IndexWriter {
    pub(super) home: Home,
    pub(super) catalogue: Catalogue,
    pub(super) settings: SketchSettings,
    pub(super) keeps_texts: bool,
    changes: Changes,
    packer: Packer,
    /// Ids met since the last commit that was asked for.
    met: AHashSet<String>,
    pub(super) generation: u32,
    /// The segments that were opened or written, by their numbers.
    pub(super) stored: AHashMap<u32, Stored>,
    set_aside: Vec<PathBuf>,
    failed: bool,
    memory: usize,
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
    /// Only when memory runs out.
    pub fn in_memory(settings: &SketchSettings) -> Result<Self, IndexError> {
        Self::with(Home::Memory, Catalogue::in_memory(settings)?)
    }

    /// Makes an empty index in a folder that is not there yet, or empty. Without `texts` it keeps hashes and places
    /// of the units, but no wording.
    ///
    /// # Errors
    /// When something is there already, or the folder cannot be written.
    pub fn create(folder: &Path, settings: &SketchSettings, texts: bool) -> Result<Self, IndexError> {
        let lock = home::create(folder, settings, texts)?;
        let catalogue = Catalogue::open_writer(&layout::catalogue(folder))?;
        Self::with(Home::Folder { folder: folder.to_owned(), _lock: lock }, catalogue)
    }

    /// Opens an index for changing, and puts its folder in order. See [`IndexWriter::set_aside`].
    ///
    /// # Errors
    /// When there is none, another process is changing it, or it is damaged or of a newer version.
    pub fn open(folder: &Path) -> Result<Self, IndexError> {
        let path = catalogue_of(folder)?;
        let lock = lock::take(folder)?;
        let catalogue = Catalogue::open_writer(&path)?;
        let mut writer = Self::with(Home::Folder { folder: folder.to_owned(), _lock: lock }, catalogue)?;
        writer.tidy()?;
        Ok(writer)
    }

    fn with(home: Home, catalogue: Catalogue) -> Result<Self, IndexError> {
        let settings = catalogue.settings()?;
        Ok(IndexWriter {
            home,
            settings,
            keeps_texts: catalogue.keeps_texts()?,
            changes: Changes::new(&settings),
            packer: Packer::new().map_err(|e| IndexError::io(catalogue.path(), e))?,
            met: AHashSet::new(),
            generation: catalogue.generation()? + 1,
            stored: AHashMap::new(),
            set_aside: Vec::new(),
            failed: false,
            memory: MEMORY,
            catalogue,
        })
    }

    fn tidy(&mut self) -> Result<(), IndexError> {
        let tidied = self.home.tidy(&self.catalogue.change()?, &self.settings)?;
        self.stored = tidied.stored.into_iter().collect();
        self.set_aside.extend(tidied.set_aside);
        Ok(())
    }

    /// Files of segments that the catalogue does not list, which were moved to `segments/unlisted` when the index was opened.
    /// Either a change was interrupted just before it was real, or this catalogue is older than the segments: copied without
    /// its write-ahead log, or restored. With the newer catalogue put back they are found again; else they may be deleted.
    pub fn set_aside(&self) -> &[PathBuf] {
        &self.set_aside
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
        let mut documents = self.catalogue.count()?;
        for (id, added) in self.changes.ids() {
            match (self.catalogue.place_of(id)?, added) {
                (None, Some(_)) => documents += 1,
                (Some(_), None) => documents -= 1,
                _ => {}
            }
        }
        Ok(documents)
    }

    /// SHA-256 of a document's text and metadata: whether it changed since it was added.
    pub fn content_hash(document: &Document) -> Vec<u8> {
        use sha2::{Digest, Sha256};
        let mut hash = Sha256::new();
        let Metadata { title, author, date, collection, url, licence } = &document.metadata;
        let known = [Some(&document.text), title.as_ref(), author.as_ref(), date.as_ref(), collection.as_ref()];
        // The two that came later count only where there is one, so that documents that were added before are unchanged.
        let later = [url.as_ref(), licence.as_ref()].into_iter().filter(|_| url.is_some() || licence.is_some());
        for field in known.into_iter().chain(later) {
            match field {
                None => hash.update([0]),
                Some(field) => {
                    hash.update([1]);
                    hash.update((field.len() as u64).to_le_bytes());
                    hash.update(field.as_bytes());
                }
            }
        }
        hash.finalize().to_vec()
    }

    /// Whether a document of this id and content ([`IndexWriter::content_hash`]) is there already, so that it need not be
    /// analysed and added.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn is_unchanged(&self, id: &str, content: &[u8]) -> Result<bool, IndexError> {
        Ok(self.content_of(id)?.is_some_and(|ours| ours == content))
    }

    /// The content hash of the document of this id, if there is one.
    pub(super) fn content_of(&self, id: &str) -> Result<Option<Vec<u8>>, IndexError> {
        match self.changes.of(id) {
            Some(record) => Ok(record.map(|record| record.content.clone())),
            None => match self.catalogue.place_of(id)? {
                Some(place) => Ok(Some(self.record(place)?.content)),
                None => Ok(None),
            },
        }
    }

    /// The record of a committed document.
    pub(super) fn record(&self, place: DocumentPlace) -> Result<Record, IndexError> {
        match self.stored.get(&place.segment) {
            Some(stored) => stored.records.get(place.local),
            None => {
                let rows = self.catalogue.segments()?;
                let row = rows.iter().find(|row| row.segment == place.segment);
                let missing =
                    || IndexError::damaged(self.catalogue.path(), "a document of a segment that is not listed");
                self.home.open(row.ok_or_else(missing)?, &self.catalogue, &self.settings)?.records.get(place.local)
            }
        }
    }

    /// Whether a document of this id is there.
    fn holds(&self, id: &str) -> Result<bool, IndexError> {
        match self.changes.of(id) {
            Some(record) => Ok(record.is_some()),
            None => Ok(self.catalogue.place_of(id)?.is_some()),
        }
    }

    /// Adds a document, or puts it in the place of the one with its id. `content` is its [`IndexWriter::content_hash`],
    /// `added` the time in seconds since 1970 (UTC); the analysis must have been made with the index's settings.
    ///
    /// # Errors
    /// When a document of this id was added since the last commit and not removed, the analysis was made with other settings,
    /// or the index cannot be written.
    pub fn add(
        &mut self,
        document: &Document,
        content: Vec<u8>,
        added: i64,
        analysis: &Analysis,
    ) -> Result<Added, IndexError> {
        require_settings(self.catalogue.path(), &self.settings, analysis)?;
        self.claim(&document.id)?;
        self.add_claimed(document, content, added, analysis)
    }

    /// As [`IndexWriter::add`], for an id that was claimed before ([`IndexWriter::claim`]).
    ///
    /// # Errors
    /// When the analysis was made with other settings, or the index cannot be written.
    pub fn add_claimed(
        &mut self,
        document: &Document,
        content: Vec<u8>,
        added: i64,
        analysis: &Analysis,
    ) -> Result<Added, IndexError> {
        require_settings(self.catalogue.path(), &self.settings, analysis)?;
        let record = Record {
            id: document.id.clone(),
            metadata: document.metadata.clone(),
            added,
            generation: self.generation,
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

    /// Notes that a document of this id was met, so that a second one is refused until it is removed, or until the next commit.
    ///
    /// # Errors
    /// When it is the second, or no document can have this id: ids may become names of files, so they must not be paths
    /// that lead out of a folder, nor longer than 1,000 bytes, nor hold control characters.
    pub fn claim(&mut self, id: &str) -> Result<(), IndexError> {
        self.require_sound()?;
        if let Some(why) = why_no_id(id) {
            return Err(IndexError::BadId { id: id.escape_debug().take(LONGEST_ID).collect(), why });
        }
        if self.met.insert(id.to_owned()) { Ok(()) } else { Err(IndexError::DuplicateId { id: id.to_owned() }) }
    }

    pub(super) fn put(
        &mut self,
        record: Record,
        text: Option<&[u8]>,
        analysis: &Analysis,
    ) -> Result<Added, IndexError> {
        self.require_sound()?;
        let added = if self.holds(&record.id)? { Added::Replaced } else { Added::New };
        self.changes.add(record, analysis, text);
        if self.changes.memory() >= self.memory {
            self.write()?;
        }
        Ok(added)
    }

    /// Removes a document; tells whether it was there.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn remove(&mut self, id: &str) -> Result<bool, IndexError> {
        self.require_sound()?;
        self.met.remove(id);
        let there = self.holds(id)?;
        if there {
            self.changes.remove(id);
        }
        Ok(there)
    }

    /// The documents for which `wanted` says so, by id.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn select(&self, wanted: impl Fn(&Record) -> bool) -> Result<Vec<String>, IndexError> {
        let of_changes =
            self.changes.ids().filter_map(|(id, record)| record.filter(|r| wanted(r)).map(|_| id.to_owned()));
        let mut ids: Vec<String> = of_changes.collect();
        self.catalogue.for_each(|place, id| {
            if self.changes.of(&id).is_none() && wanted(&self.record(place)?) {
                ids.push(id);
            }
            Ok(())
        })?;
        ids.sort();
        Ok(ids)
    }

    /// Makes all changes real. When it returns they are on the disk.
    ///
    /// # Errors
    /// When they could not be written; then none of them is real, and the writer must be rolled back.
    pub fn commit(&mut self) -> Result<(), IndexError> {
        self.require_sound()?;
        self.write()?;
        self.met.clear();
        Ok(())
    }

    /// Forgets everything since the last commit. It makes a writer sound again to which something could not be written.
    ///
    /// # Errors
    /// When the catalogue cannot be opened again; the writer then stays as it is.
    pub fn rollback(&mut self) -> Result<(), IndexError> {
        self.changes = Changes::new(&self.settings);
        self.met.clear();
        if let (true, Home::Folder { folder, .. }) = (self.failed, &self.home) {
            self.catalogue = Catalogue::open_writer(&layout::catalogue(folder))?;
            self.tidy()?;
        }
        self.failed = false;
        Ok(())
    }

    fn require_sound(&self) -> Result<(), IndexError> {
        match self.failed {
            true => Err(IndexError::WriterFailed { path: self.catalogue.path().to_owned() }),
            false => Ok(()),
        }
    }

    /// Does something that writes; when it fails, the writer has failed.
    pub(super) fn attempt(&mut self, work: impl FnOnce(&mut Self) -> Result<(), IndexError>) -> Result<(), IndexError> {
        self.require_sound()?;
        let result = work(self);
        self.failed = result.is_err();
        result
    }

    fn write(&mut self) -> Result<(), IndexError> {
        if self.changes.is_empty() {
            return Ok(());
        }
        let changes = std::mem::replace(&mut self.changes, Changes::new(&self.settings));
        self.attempt(|writer| writer.write_changes(changes))
    }

    /// Writes changes, in one transaction. It asks the catalogue anew where documents stand: were another writer at work in
    /// spite of the lock, both would still be right.
    fn write_changes(&mut self, changes: Changes) -> Result<(), IndexError> {
        let change = self.catalogue.change()?;
        for (id, _) in changes.ids() {
            change.remove(id)?;
        }
        let documents: Vec<(u32, Option<String>)> =
            changes.documents().map(|(local, record, wanted)| (local, wanted.then(|| record.id.clone()))).collect();
        let mut new = None;
        if documents.iter().any(|(_, id)| id.is_some()) {
            let (builder, records) = changes.into_parts();
            let content =
                |out: &mut dyn Output, path: &Path| builder.write(out).map_err(|error| IndexError::io(path, error));
            let mut segment = self.home.write(&change, content, records, &self.settings)?;
            for (local, id) in &documents {
                let place = DocumentPlace { segment: segment.row.segment, local: *local };
                match id {
                    Some(id) => change.put(place, id)?,
                    None => {
                        segment.row.deleted += 1;
                        change.mark_deleted(place)?;
                    }
                }
            }
            change.put_segment(&segment.row)?;
            change.set_generation(self.generation.max(change.generation()?))?;
            new = Some(segment);
        }
        self.home.publish(change, new.as_mut())?;
        self.stored.extend(new.map(|new| (new.row.segment, new.stored)));
        Ok(())
    }

    /// Commits, and opens what was written for searching.
    ///
    /// # Errors
    /// When it cannot be written, or not be read again.
    pub fn into_index(mut self) -> Result<Index, IndexError> {
        self.commit()?;
        match &self.home {
            Home::Memory => {
                let missing = |segment| IndexError::Missing { path: self.catalogue.path().to_owned(), segment };
                let stored = |number: u32| self.stored.get(&number).cloned().ok_or_else(|| missing(number));
                Ok(Index::of(None, Snapshot::of(&self.catalogue, |row, _| stored(row.segment))?))
            }
            Home::Folder { folder, .. } => {
                let folder = folder.clone();
                drop(self);
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
fn why_no_id(id: &str) -> Option<BadId> {
    if id.is_empty() {
        return Some(BadId::Empty);
    }
    if id.len() > LONGEST_ID {
        return Some(BadId::TooLong);
    }
    if id.chars().any(char::is_control) {
        return Some(BadId::ControlCharacters);
    }
    let leads_out = id.starts_with(['/', '\\']) || id.split(['/', '\\']).any(|part| part == "..");
    leads_out.then_some(BadId::LeadsOut)
}

#[cfg(test)]
#[path = "writer_tests.rs"]
mod tests;
