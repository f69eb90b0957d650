//! An index folder as one commit left it: its live segments, all opened, so that nothing that happens later is noticed.
//!
//! Segments never change. On Unix a file that is removed after it was opened stays readable; on Windows a mapped file cannot be
//! removed, and the writer tries again when it is next opened.

use super::catalogue::{Catalogue, SegmentRow};
use super::error::IndexError;
use super::layout;
use super::records::Records;
use super::segment::Segment;
use crate::sketch::settings::SketchSettings;
use ahash::AHashSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A segment with the records of its documents, opened.
#[derive(Debug, Clone)]
pub(super) struct Stored {
    pub segment: Arc<Segment>,
    pub records: Arc<Records>,
}

impl Stored {
    /// Opens what the catalogue lists, wherever it lies, and sees to it that it is that.
    pub(super) fn open(folder: &Path, row: &SegmentRow, settings: &SketchSettings) -> Result<Self, IndexError> {
        match Stored::open_in(&layout::segments(folder), row, settings) {
            Err(IndexError::Missing { path, segment }) => {
                let aside = Stored::open_in(&layout::unlisted(folder), row, settings);
                aside.map_err(|error| match error {
                    IndexError::Missing { .. } => IndexError::Missing { path, segment },
                    error => error,
                })
            }
            opened => opened,
        }
    }

    /// Opens what the catalogue lists, in the folder of segments or of unlisted ones.
    fn open_in(files: &Path, row: &SegmentRow, settings: &SketchSettings) -> Result<Self, IndexError> {
        let missing = |error: IndexError| match error {
            IndexError::Io { path, error } if error.kind() == ErrorKind::NotFound => {
                IndexError::Missing { path, segment: row.segment }
            }
            error => error,
        };
        let file = |extension: &str| layout::file(files, &row.name, extension);
        let segment = Segment::open(&file(layout::SEGMENT), settings).map_err(missing)?;
        let records = Records::open(&file(layout::RECORDS)).map_err(missing)?;
        if (segment.len(), segment.seal()) != (row.documents, row.seals.segment) {
            return Err(IndexError::damaged(segment.path(), "not the segment that the catalogue lists"));
        }
        if (records.len(), records.seal()) != (row.documents, row.seals.records) {
            return Err(IndexError::damaged(records.path(), "not the records that the catalogue lists"));
        }
        Ok(Stored { segment: Arc::new(segment), records: Arc::new(records) })
    }
}

/// A live segment, opened, and which of its documents are deleted.
#[derive(Debug, Clone)]
pub(super) struct Live {
    pub row: SegmentRow,
    pub stored: Stored,
    pub deleted: AHashSet<u32>,
}

impl Live {
    /// The numbers of the documents that are not deleted, ascending.
    pub(super) fn documents(&self) -> impl DoubleEndedIterator<Item = u32> {
        (0..self.row.documents).filter(|local| !self.deleted.contains(local))
    }
}

/// One folder, opened.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub settings: SketchSettings,
    pub keeps_texts: bool,
    /// The number of the latest addition.
    pub generation: u32,
    pub segments: Vec<Live>,
}

impl Snapshot {
    /// Opens a folder. Segments that are open already are taken from `known`.
    pub(super) fn open(folder: &Path, known: &[&Live]) -> Result<Self, IndexError> {
        look(folder, |catalogue| {
            Snapshot::of(catalogue, |row, settings| {
                let known = known.iter().find(|live| live.row.seals == row.seals);
                known.map_or_else(|| Stored::open(folder, row, settings), |live| Ok(live.stored.clone()))
            })
        })
    }

    /// What a catalogue lists, opened by `open`.
    pub(super) fn of(
        catalogue: &Catalogue,
        mut open: impl FnMut(&SegmentRow, &SketchSettings) -> Result<Stored, IndexError>,
    ) -> Result<Self, IndexError> {
        let settings = catalogue.settings()?;
        let mut segments = Vec::new();
        for row in catalogue.segments()? {
            let deleted = catalogue.deleted(&row)?;
            segments.push(Live { stored: open(&row, &settings)?, row, deleted });
        }
        let (keeps_texts, generation) = (catalogue.keeps_texts()?, catalogue.generation()?);
        Ok(Snapshot { settings, keeps_texts, generation, segments })
    }

    /// Whether the other one shows the same commit.
    pub(super) fn is(&self, generation: u32, segments: &[&Live]) -> bool {
        // Documents are only ever added to those that are deleted, and what else there is to know stands in the segments.
        self.generation == generation
            && self.segments.iter().map(|live| &live.row).eq(segments.iter().map(|live| &live.row))
    }
}

/// Lets `work` look at one commit of a folder's catalogue and open what it lists; again, when a writer merged that away meanwhile.
pub(super) fn look<T>(
    folder: &Path,
    mut work: impl FnMut(&Catalogue) -> Result<T, IndexError>,
) -> Result<T, IndexError> {
    const ATTEMPTS: u32 = 10;
    let path = catalogue_of(folder)?;
    let mut attempt = 1;
    loop {
        match Catalogue::read(&path, &mut work) {
            Err(IndexError::Missing { .. }) if attempt < ATTEMPTS => attempt += 1,
            other => return other,
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The catalogue of an index folder.
pub(super) fn catalogue_of(folder: &Path) -> Result<PathBuf, IndexError> {
    let path = layout::catalogue(folder);
    if path.is_file() { Ok(path) } else { Err(IndexError::NotAnIndex { path: folder.to_owned() }) }
}
