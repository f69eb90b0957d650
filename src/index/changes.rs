//! What a writer was told since its last commit. It is in memory alone: nothing is written, and nobody waits, until the commit.

use super::records::{Record, RecordsBuilder};
use super::segment::SegmentBuilder;
use crate::sketch::analysis::Analysis;
use crate::sketch::settings::SketchSettings;
use ahash::AHashMap;

/// Documents added and removed, the latest word on each id.
#[derive(Debug)]
pub(super) struct Changes {
    builder: SegmentBuilder,
    records: Vec<Record>,
    /// For each id where its document stands in the builder, or nothing when it was removed.
    by_id: AHashMap<String, Option<u32>>,
    /// About how much memory ids and records take, in bytes.
    bytes: usize,
}

impl Changes {
    pub(super) fn new(settings: &SketchSettings) -> Self {
        let (records, by_id) = (Vec::new(), AHashMap::new());
        Changes { builder: SegmentBuilder::new(settings), records, by_id, bytes: 0 }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// About how many bytes of memory they take.
    pub(super) fn memory(&self) -> usize {
        self.builder.memory() + self.bytes
    }

    /// Adds a document, or puts it in the place of one with its id.
    pub(super) fn add(&mut self, record: Record, analysis: &Analysis, text: Option<&[u8]>) {
        let local = self.builder.add(&record.id, analysis, text);
        self.bytes += 2 * record.id.len() + record.content.len() + 200;
        self.by_id.insert(record.id.clone(), Some(local));
        self.records.push(record);
    }

    /// Removes a document, whether it was added just now or before.
    pub(super) fn remove(&mut self, id: &str) {
        self.bytes += id.len() + 50;
        self.by_id.insert(id.to_owned(), None);
    }

    /// What is to become of an id: `None` when nothing was said of it, `Some(None)` when it is removed.
    pub(super) fn of(&self, id: &str) -> Option<Option<&Record>> {
        self.by_id.get(id).map(|local| local.and_then(|local| self.records.get(local as usize)))
    }

    /// All ids of which something was said, and whether their documents are there.
    pub(super) fn ids(&self) -> impl Iterator<Item = (&str, Option<&Record>)> {
        self.by_id.iter().map(|(id, local)| (id.as_str(), local.and_then(|local| self.records.get(local as usize))))
    }

    /// The documents of the segment, in order, and whether they are still wanted.
    pub(super) fn documents(&self) -> impl Iterator<Item = (u32, &Record, bool)> {
        let wanted = |local: u32, record: &Record| self.by_id.get(&record.id) == Some(&Some(local));
        (0..).zip(&self.records).map(move |(local, record)| (local, record, wanted(local, record)))
    }

    /// What becomes files.
    pub(super) fn into_parts(self) -> (SegmentBuilder, RecordsBuilder) {
        let mut records = RecordsBuilder::default();
        self.records.iter().for_each(|record| records.add(record));
        (self.builder, records)
    }
}
