//! Looking at an index: what it holds, how its bytes are spent, whether it is sound.

use super::catalogue::{Catalogue, Place, Record};
use super::error::IndexError;
use super::layout;
use super::reader::unpack_text;
use super::segment::{List, Segment};
use crate::sketch::settings::SketchSettings;
use ahash::AHashSet;
use std::fs;
use std::path::Path;

/// Calls `visit` with every document of the index in `folder`, in the order of their ids, until it fails.
///
/// # Errors
/// When there is no index or it is damaged.
pub fn list(folder: &Path, visit: impl FnMut(Record) -> Result<(), IndexError>) -> Result<(), IndexError> {
    open(folder)?.for_each(visit)
}

fn open(folder: &Path) -> Result<Catalogue, IndexError> {
    let path = layout::catalogue(folder);
    if !path.is_file() {
        return Err(IndexError::NotAnIndex { path: folder.to_owned() });
    }
    Catalogue::open_reader(&path)
}

/// How many lists have how many documents, by powers of two, and the longest of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListSizes {
    /// `histogram[i]`: lists of at least 2ⁱ and fewer than 2ⁱ⁺¹ documents.
    pub histogram: Vec<u64>,
    /// The fullest lists, as (documents, key), the fullest first.
    pub fullest: Vec<(u32, u32)>,
}

/// How many of the fullest lists are remembered.
const FULLEST: usize = 10;

impl ListSizes {
    fn count(&mut self, key: u32, list: &List) {
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

/// Counts what the index in `folder` holds, and the keys that more than `most` documents hold.
///
/// # Errors
/// When there is no index or it is damaged.
pub fn statistics(folder: &Path, most: u32) -> Result<Statistics, IndexError> {
    let catalogue = open(folder)?;
    let settings = catalogue.settings()?;
    let mut statistics = Statistics {
        documents: catalogue.count()?,
        deleted: 0,
        segments: 0,
        generation: catalogue.generation()?,
        bytes: Vec::new(),
        keys: ListSizes::default(),
        buckets: ListSizes::default(),
        frequent_keys: 0,
    };
    let rows = catalogue.segments()?;
    let mut segments = Vec::with_capacity(rows.len());
    // A key that many documents hold is held by its share of them in some segment.
    let (share, mut perhaps_frequent) = (most / rows.len().max(1) as u32, AHashSet::new());
    for row in rows {
        let path = layout::segment(folder, row.segment);
        let segment = Segment::open(&path, &settings).map_err(|e| IndexError::segment(&path, e))?;
        statistics.segments += 1;
        statistics.deleted += u64::from(row.deleted);
        for (name, bytes) in segment.sizes() {
            match statistics.bytes.iter_mut().find(|(n, _)| *n == name) {
                Some((_, sum)) => *sum += bytes,
                None => statistics.bytes.push((name, bytes)),
            }
        }
        let failed = |e| IndexError::unsound(&path, e);
        let count = |key, list: &List| {
            statistics.keys.count(key, list);
            if list.documents > share {
                perhaps_frequent.insert(key);
            }
        };
        segment.for_each_key(count).map_err(failed)?;
        segment.for_each_bucket(|key, list| statistics.buckets.count(key, list)).map_err(failed)?;
        segments.push((path, segment));
    }
    for key in perhaps_frequent {
        let mut documents = 0;
        for (path, segment) in &segments {
            let list = segment.key(key).map_err(|e| IndexError::unsound(path, e))?;
            documents += list.map_or(0, |list| list.documents);
        }
        statistics.frequent_keys += u64::from(documents > most);
    }
    let path = layout::catalogue(folder);
    let bytes = fs::metadata(&path).map_err(|e| IndexError::io(&path, e))?.len();
    statistics.bytes.push(("catalogue", bytes));
    Ok(statistics)
}

/// The settings an index was made with, and whether it keeps texts.
///
/// # Errors
/// When there is no index or it is damaged.
pub fn settings(folder: &Path) -> Result<(SketchSettings, bool), IndexError> {
    let catalogue = open(folder)?;
    Ok((catalogue.settings()?, catalogue.keeps_texts()?))
}

/// Reads every byte of the index in `folder`: all checksums, all references from the catalogue to segments and back, all
/// texts. Gives everything that was found wrong, nothing for a sound index.
///
/// # Errors
/// When the catalogue cannot even be opened.
pub fn verify(folder: &Path) -> Result<Vec<IndexError>, IndexError> {
    let catalogue = open(folder)?;
    let settings = catalogue.settings()?;
    let mut wrong = Vec::new();
    wrong.extend(catalogue.verify().err());
    let keeps_texts = catalogue.keeps_texts()?;
    let mut places = AHashSet::new();
    let documents = catalogue.for_each(|record| {
        if !places.insert(record.place()) {
            wrong.push(IndexError::damaged(catalogue.path(), format!("two documents stand where {} does", record.id)));
        }
        Ok(())
    });
    wrong.extend(documents.err());
    for row in catalogue.segments()? {
        let path = layout::segment(folder, row.segment);
        let result = Segment::open(&path, &settings).map_err(|e| IndexError::segment(&path, e)).and_then(|segment| {
            segment.verify().map_err(|e| IndexError::unsound(&path, e))?;
            if segment.len() != row.documents {
                return Err(IndexError::damaged(&path, "not the segment that the catalogue lists"));
            }
            for local in 0..segment.len() {
                let frame = segment.text(local).map_err(|e| IndexError::unsound(&path, e))?;
                if if keeps_texts { unpack_text(frame).is_none() } else { !frame.is_empty() } {
                    return Err(IndexError::damaged(&path, format!("the text of document {local}")));
                }
            }
            Ok(())
        });
        wrong.extend(result.err());
        let deleted: AHashSet<u32> = match catalogue.deleted(&row) {
            Ok(deleted) => deleted.into_iter().collect(),
            Err(error) => {
                wrong.push(error);
                continue;
            }
        };
        for local in 0..row.documents {
            let listed = places.remove(&Place { segment: row.segment, local });
            if listed == deleted.contains(&local) {
                wrong.push(IndexError::damaged(&path, format!("document {local} is listed wrongly")));
            }
        }
    }
    if !places.is_empty() {
        wrong.push(IndexError::damaged(catalogue.path(), "documents of segments that are not there"));
    }
    Ok(wrong)
}
