//! Looking at an index: what it holds, how its bytes are spent, whether it is sound.

use super::catalogue::{Catalogue, DocumentPlace};
use super::derived;
use super::error::IndexError;
use super::layout;
use super::reader::{Index, unpack_text};
use super::records::Record;
use super::segment::List;
use super::snapshot::{Live, Snapshot, Stored, catalogue_of, look};
use crate::sketch::settings::SketchSettings;
use ahash::{AHashMap, AHashSet};
use std::fs;
use std::path::Path;

/// How many lists have how many documents, by powers of two, and the longest of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListSizes {
    /// `histogram[i]`: lists of at least 2ⁱ and fewer than 2ⁱ⁺¹ documents.
    pub histogram: Vec<u64>,
    /// The fullest lists, as (documents, key), the fullest first.
    pub fullest: Vec<(u32, u64)>,
}

/// How many of the fullest lists are remembered.
const FULLEST: usize = 10;

impl ListSizes {
    fn count(&mut self, key: u64, list: &List) {
        let class = list.documents.max(1).ilog2() as usize;
        if self.histogram.len() <= class {
            self.histogram.resize(class + 1, 0);
        }
        self.histogram[class] += 1;
        if self.fullest.len() < FULLEST || self.fullest.last().is_some_and(|least| list.documents > least.0) {
            self.fullest.push((list.documents, key));
            self.fullest.sort_by_key(|&(documents, key)| (std::cmp::Reverse(documents), key));
            self.fullest.truncate(FULLEST);
        }
    }
}

/// What an index holds and how its bytes are spent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statistics {
    /// Documents in it.
    pub documents: u64,
    /// Documents that are deleted but still take space in segments.
    pub deleted: u64,
    /// Live segments.
    pub segments: usize,
    /// The number of the latest addition.
    pub generation: u32,
    /// Bytes by part: those of the segments added up, and the catalogue.
    pub bytes: Vec<(&'static str, u64)>,
    /// The lists of the containment sketch, segment by segment.
    pub keys: ListSizes,
    /// The MinHash buckets, segment by segment.
    pub buckets: ListSizes,
    /// Keys of the containment sketch that more documents hold than were asked for, in all segments together.
    pub frequent_keys: u64,
}

impl Index {
    /// Calls `visit` with every document of the index in `folder`, in the order of their ids, until it fails.
    ///
    /// # Errors
    /// When there is no index or it is damaged.
    pub fn list(folder: &Path, mut visit: impl FnMut(Record) -> Result<(), IndexError>) -> Result<(), IndexError> {
        let snapshot = Snapshot::open(folder, &[])?;
        let mut ids = Vec::new();
        for live in &snapshot.segments {
            for local in live.documents() {
                ids.push((live.stored.records.get(local)?.id, live, local));
            }
        }
        ids.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        ids.into_iter().try_for_each(|(_, live, local)| visit(live.stored.records.get(local)?))
    }

    /// Which of these ids the index in `folder` holds, in their order.
    ///
    /// # Errors
    /// When there is no index or it is damaged.
    pub fn holds(folder: &Path, ids: &[&str]) -> Result<Vec<bool>, IndexError> {
        Catalogue::read(&catalogue_of(folder)?, |catalogue| {
            ids.iter().map(|id| Ok(catalogue.place_of(id)?.is_some())).collect()
        })
    }

    /// Counts what the index in `folder` holds, and the keys that more than `most` documents hold.
    ///
    /// # Errors
    /// When there is no index or it is damaged.
    pub fn statistics(folder: &Path, most: u32) -> Result<Statistics, IndexError> {
        let snapshot = Snapshot::open(folder, &[])?;
        let live = |live: &Live| live.row.documents as usize - live.deleted.len();
        let mut statistics = Statistics {
            documents: snapshot.segments.iter().map(live).sum::<usize>() as u64,
            deleted: snapshot.segments.iter().map(|live| live.deleted.len()).sum::<usize>() as u64,
            segments: snapshot.segments.len(),
            generation: snapshot.generation,
            bytes: Vec::new(),
            keys: ListSizes::default(),
            buckets: ListSizes::default(),
            frequent_keys: 0,
        };
        // A key that many documents hold is held by its share of them in some segment.
        let (share, mut perhaps_frequent) = (most / snapshot.segments.len().max(1) as u32, AHashSet::new());
        for Live { row, stored, .. } in &snapshot.segments {
            let sizes: Vec<(&'static str, u64)> = stored.segment.sizes().collect();
            let in_segment: u64 = sizes.iter().map(|(_, bytes)| bytes).sum();
            for (name, bytes) in
                sizes.into_iter().chain([("records and checksums", row.bytes.saturating_sub(in_segment))])
            {
                match statistics.bytes.iter_mut().find(|(n, _)| *n == name) {
                    Some((_, sum)) => *sum += bytes,
                    None => statistics.bytes.push((name, bytes)),
                }
            }
            let count = |key, list: &List| {
                statistics.keys.count(key, list);
                if list.documents > share {
                    perhaps_frequent.insert(key);
                }
            };
            stored.segment.for_each_key(count)?;
            stored.segment.for_each_bucket(|key, list| statistics.buckets.count(key, list))?;
        }
        for key in perhaps_frequent {
            let mut documents = 0;
            for Live { stored, .. } in &snapshot.segments {
                documents += stored.segment.key(key)?.map_or(0, |list| list.documents);
            }
            statistics.frequent_keys += u64::from(documents > most);
        }
        let path = layout::catalogue(folder);
        let bytes = fs::metadata(&path).map_err(|e| IndexError::io(&path, e))?.len();
        statistics.bytes.push(("catalogue", bytes));
        let derived = derived::bytes(folder)?;
        statistics.bytes.extend((derived > 0).then_some(("values kept beside it", derived)));
        Ok(statistics)
    }

    /// The settings that the index in `folder` was made with, and whether it keeps texts.
    ///
    /// # Errors
    /// When there is no index or it is damaged.
    pub fn settings_of(folder: &Path) -> Result<(SketchSettings, bool), IndexError> {
        Catalogue::read(&catalogue_of(folder)?, |catalogue| Ok((catalogue.settings()?, catalogue.keeps_texts()?)))
    }

    /// Reads every byte of the index in `folder`: all checksums, all references from the catalogue to segments and back, all
    /// texts. Gives everything that was found wrong, nothing for a sound index. What a writer does meanwhile is not noticed.
    ///
    /// # Errors
    /// When the catalogue cannot even be opened.
    pub fn verify(folder: &Path) -> Result<Vec<IndexError>, IndexError> {
        let examine = |despite_missing: bool| {
            look(folder, |catalogue| {
                let mut wrong = Vec::from_iter(catalogue.verify().err());
                let mut listed = Vec::new();
                let documents = catalogue.for_each(|place, id| {
                    listed.push((place, id));
                    Ok(())
                });
                wrong.extend(documents.err());
                let settings = catalogue.settings()?;
                let mut segments = Vec::new();
                for row in catalogue.segments()? {
                    match Stored::open(folder, &row, &settings) {
                        Err(missing @ IndexError::Missing { .. }) if !despite_missing => return Err(missing),
                        stored => segments.push((catalogue.deleted(&row), stored, row)),
                    }
                }
                Ok((wrong, listed, segments, catalogue.keeps_texts()?))
            })
        };
        let examined = match examine(false) {
            Err(IndexError::Missing { .. }) => examine(true),
            examined => examined,
        };
        // Reading all segments takes its time; the catalogue is let go of before.
        let (mut wrong, listed, segments, keeps_texts) = examined?;
        let mut listed: AHashMap<DocumentPlace, String> = listed.into_iter().collect();
        for (deleted, stored, row) in segments {
            let of_segment: Vec<Option<String>> =
                (0..row.documents).map(|local| listed.remove(&DocumentPlace { segment: row.segment, local })).collect();
            match (stored, deleted) {
                (Ok(stored), Ok(deleted)) => {
                    wrong.extend(verify_segment(&Live { row, stored, deleted }, &of_segment, keeps_texts).err());
                }
                (stored, deleted) => wrong.extend([stored.err(), deleted.err()].into_iter().flatten()),
            }
        }
        if !listed.is_empty() {
            wrong.push(IndexError::damaged(&layout::catalogue(folder), "documents of segments that are not there"));
        }
        wrong.extend(derived::verify(folder)?);
        Ok(wrong)
    }
}

/// Reads every byte of a segment, of which the catalogue lists documents of these ids.
fn verify_segment(live: &Live, listed: &[Option<String>], keeps_texts: bool) -> Result<(), IndexError> {
    let Live { stored, deleted, .. } = live;
    let wrong = |what: String| Err(IndexError::damaged(stored.segment.path(), what));
    stored.segment.verify()?;
    for (local, listed) in (0..).zip(listed) {
        let frame = stored.segment.text(local)?;
        if if keeps_texts { unpack_text(frame).is_none() } else { !frame.is_empty() } {
            return wrong(format!("the text of document {local}"));
        }
        let id = stored.records.get(local)?.id;
        if deleted.contains(&local) == listed.is_some() || listed.as_ref().is_some_and(|listed| *listed != id) {
            return wrong(format!("document {local} is listed wrongly"));
        }
    }
    Ok(())
}
