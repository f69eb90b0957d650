//! Where a writer keeps segments: in memory, or in a folder that it puts in order.

use super::catalogue::{Catalogue, Change, Seals, SegmentRow};
use super::disk::{self, Aside, Output};
use super::error::IndexError;
use super::layout;
use super::records::{Records, RecordsBuilder};
use super::segment::Segment;
use super::snapshot::Stored;
use crate::sketch::settings::SketchSettings;
use ahash::AHashSet;
use std::fs::{self, File};
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where segments are kept.
#[derive(Debug)]
pub(super) enum Home {
    Memory,
    Folder {
        folder: PathBuf,
        /// Held while the writer lives.
        _lock: File,
    },
}

/// What was found in a folder that was put in order.
#[derive(Default)]
pub(super) struct Tidied {
    /// The listed segments, by their numbers.
    pub stored: Vec<(u32, Stored)>,
    /// The files that were set aside, where they are now.
    pub set_aside: Vec<PathBuf>,
}

/// A segment that is written, but not in its place yet.
pub(super) struct NewSegment {
    pub row: SegmentRow,
    pub stored: Stored,
    /// Its files and where they go.
    files: Vec<(Aside, PathBuf)>,
}

impl Home {
    /// Writes a segment under the next number of a catalogue, beside its place. `content` writes what it holds; the path is
    /// for errors to name.
    pub(super) fn write(
        &self,
        change: &Change,
        content: impl FnOnce(&mut dyn Output, &Path) -> Result<(), IndexError>,
        records: RecordsBuilder,
        settings: &SketchSettings,
    ) -> Result<NewSegment, IndexError> {
        let number = change.next_segment()?;
        change.set_next_segment(number + 1)?;
        let (segment, records, files) = match self {
            Home::Memory => {
                let mut bytes = Cursor::new(Vec::new());
                content(&mut bytes, change.path())?;
                let segment = Segment::in_memory(bytes.into_inner(), change.path(), settings)?;
                (segment, records.in_memory(change.path())?, Vec::new())
            }
            Home::Folder { folder, .. } => {
                let folder = layout::segments(folder);
                let aside = |extension: &str| layout::file(&folder, &format!("{number:08}-{extension}"), layout::PART);
                let segment_file = Aside::write(aside(layout::SEGMENT), content)?;
                let write_records =
                    |out: &mut dyn Output, path: &Path| records.write(out).map_err(|error| IndexError::io(path, error));
                let records_file = Aside::write(aside(layout::RECORDS), write_records)?;
                let mut segment = Segment::open(segment_file.path(), settings)?;
                let mut records = Records::open(records_file.path())?;
                let name = layout::name(number, segment.seal());
                segment.moved_to(layout::file(&folder, &name, layout::SEGMENT));
                records.moved_to(layout::file(&folder, &name, layout::RECORDS));
                let places = [records.path(), segment.path()].map(Path::to_owned);
                (segment, records, [records_file, segment_file].into_iter().zip(places).collect())
            }
        };
        let row = SegmentRow {
            segment: number,
            documents: segment.len(),
            deleted: 0,
            bytes: files.iter().map(|(file, _): &(Aside, PathBuf)| file.bytes()).sum(),
            name: layout::name(number, segment.seal()),
            seals: Seals { segment: segment.seal(), records: records.seal() },
        };
        let stored = Stored { segment: Arc::new(segment), records: Arc::new(records) };
        Ok(NewSegment { row, stored, files })
    }

    /// Puts new files in their places and commits. When that fails the files leave again, unless they could be listed all the
    /// same.
    pub(super) fn publish(&self, change: Change, new: Option<&mut NewSegment>) -> Result<(), IndexError> {
        let files = new.map(|new| std::mem::take(&mut new.files)).unwrap_or_default();
        let places: Vec<PathBuf> = files.iter().map(|(_, place)| place.clone()).collect();
        let put = files.into_iter().try_for_each(|(file, place)| file.put(&place)).and_then(|()| match self {
            Home::Folder { folder, .. } if !places.is_empty() => disk::sync_folder(&layout::segments(folder)),
            _ => Ok(()),
        });
        put.and_then(|()| change.commit()).inspect_err(|error| {
            if !error.leaves_it_open() {
                // Best effort: what stays is set aside when the index is next opened for writing.
                places.iter().for_each(|place| drop(fs::remove_file(place)));
            }
        })
    }

    /// Opens a segment that the catalogue lists.
    pub(super) fn open(
        &self,
        row: &SegmentRow,
        catalogue: &Catalogue,
        settings: &SketchSettings,
    ) -> Result<Stored, IndexError> {
        match self {
            Home::Folder { folder, .. } => Stored::open(folder, row, settings),
            Home::Memory => Err(IndexError::Missing { path: catalogue.path().to_owned(), segment: row.segment }),
        }
    }

    /// Removes the files of merged segments; only when they are in no catalogue any more. What cannot be removed, because
    /// somebody reads it where that matters (Windows), is left to a later writer.
    pub(super) fn remove(&self, rows: &[SegmentRow]) {
        let Home::Folder { folder, .. } = self else { return };
        for row in rows {
            for extension in [layout::SEGMENT, layout::RECORDS] {
                let _ = fs::remove_file(layout::file(&layout::segments(folder), &row.name, extension));
            }
        }
    }

    /// Puts the folder in order, inside a change. All that the catalogue lists must be there, or nothing is touched. Then
    /// files leave that a change was still writing when it died, and those of merged segments. A whole segment that the
    /// catalogue does not know may be an interrupted change's, but the catalogue may as well be older than the segment: it is
    /// set aside.
    pub(super) fn tidy(&self, change: &Change, settings: &SketchSettings) -> Result<Tidied, IndexError> {
        let Home::Folder { folder, .. } = self else { return Ok(Tidied::default()) };
        let (segments, unlisted) = (layout::segments(folder), layout::unlisted(folder));
        let rows = change.segments()?;
        let mut stored = Vec::with_capacity(rows.len());
        for row in &rows {
            stored.push((row.segment, Stored::open(folder, row, settings)?));
        }
        for ((_, stored), row) in stored.iter_mut().zip(&rows) {
            if stored.segment.path().parent() == Some(&unlisted) {
                // The catalogue that lists it has come back.
                for path in [stored.records.path(), stored.segment.path()] {
                    rename(path, &segments.join(path.file_name().unwrap_or_default()))?;
                }
                *stored = Stored::open(folder, row, settings)?;
            }
        }
        let listed: AHashSet<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        let dropped = change.dropped()?;
        let mut set_aside = Vec::new();
        let failed = |e| IndexError::io(&segments, e);
        for entry in fs::read_dir(&segments).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            match path.extension().and_then(|extension| extension.to_str()) {
                Some(layout::PART) => remove(&path)?,
                Some(layout::SEGMENT | layout::RECORDS) if listed.contains(name.as_str()) => {}
                Some(layout::SEGMENT | layout::RECORDS) if dropped.contains(&name) => {
                    // See `Home::remove`.
                    let _ = fs::remove_file(&path);
                }
                Some(layout::SEGMENT | layout::RECORDS) => {
                    disk::create_folder(&unlisted)?;
                    let aside = unlisted.join(path.file_name().unwrap_or_default());
                    rename(&path, &aside)?;
                    set_aside.push(aside);
                }
                _ => {}
            }
        }
        if !set_aside.is_empty() {
            disk::sync_folder(&unlisted)?;
            disk::sync_folder(&segments)?;
        }
        set_aside.sort();
        Ok(Tidied { stored, set_aside })
    }

    /// Forgets the names of merged segments whose files have gone.
    pub(super) fn forget_removed(&self, change: &Change) -> Result<(), IndexError> {
        let Home::Folder { folder, .. } = self else { return Ok(()) };
        let place = |name: &str, extension: &str| layout::file(&layout::segments(folder), name, extension);
        for name in change.dropped()? {
            if [layout::SEGMENT, layout::RECORDS].iter().all(|extension| !place(&name, extension).exists()) {
                change.forget_dropped(&name)?;
            }
        }
        Ok(())
    }
}

fn rename(from: &Path, to: &Path) -> Result<(), IndexError> {
    fs::rename(from, to).map_err(|e| IndexError::io(from, e))
}

pub(super) fn remove(path: &Path) -> Result<(), IndexError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(IndexError::io(path, error)),
        _ => Ok(()),
    }
}

/// Makes the folder and the catalogue of an empty index, and takes its lock. What an interrupted attempt left is no obstacle.
pub(super) fn create(folder: &Path, settings: &SketchSettings, texts: bool) -> Result<File, IndexError> {
    if !is_vacant(folder)? {
        return Err(IndexError::AlreadyThere { path: folder.to_owned() });
    }
    disk::create_folder(&layout::segments(folder))?;
    let lock = super::lock::take(folder)?;
    let part = layout::new_catalogue(folder);
    for suffix in ["", "-journal"] {
        let mut name = part.clone().into_os_string();
        name.push(suffix);
        remove(Path::new(&name))?;
    }
    // Whole and synced before it has its name; with a rollback journal, which leaves nothing beside it.
    drop(Catalogue::create(&part, settings, texts)?);
    let place = layout::catalogue(folder);
    if place.exists() {
        return Err(IndexError::AlreadyThere { path: folder.to_owned() });
    }
    rename(&part, &place)?;
    disk::sync_folder(folder)?;
    Ok(lock)
}

/// Whether there is no folder, or an empty one, or one in which making an index was interrupted.
fn is_vacant(folder: &Path) -> Result<bool, IndexError> {
    let is_empty = |folder: &Path| match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(IndexError::io(folder, error)),
    };
    if is_empty(folder)? {
        return Ok(true);
    }
    let failed = |e| IndexError::io(folder, e);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let part = layout::new_catalogue(folder);
        let ours = path == layout::lock(folder)
            || path.file_stem() == part.file_stem() && path != layout::catalogue(folder)
            || path == layout::segments(folder) && is_empty(&path)?;
        if !ours {
            return Ok(false);
        }
    }
    Ok(true)
}
