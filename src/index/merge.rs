//! Merging segments, and taking in another index.

use super::catalogue::DocumentPlace;
use super::disk::Output;
use super::error::IndexError;
use super::home::Home;
use super::policy::MergePolicy;
use super::reader::require_equal;
use super::records::{Record, RecordsBuilder};
use super::segment::{Merge, MergeError};
use super::snapshot::Snapshot;
use super::writer::IndexWriter;
use crate::sketch::analysis::Analyser;
use std::path::Path;

impl IndexWriter {
    /// Commits, and merges segments as `policy` says, so that there are few of them.
    ///
    /// # Errors
    /// When the index is damaged or cannot be written; what was merged before stays merged.
    pub fn merge_segments(&mut self, policy: &MergePolicy) -> Result<(), IndexError> {
        self.commit()?;
        let groups = policy.choose(&self.catalogue.segments()?);
        groups.iter().try_for_each(|group| self.attempt(|writer| writer.merge_group(group)))?;
        self.forget_derived()
    }

    /// Commits, and merges as many segments as `policy` allows into one; deleted documents leave for good.
    ///
    /// # Errors
    /// As [`IndexWriter::merge_segments`].
    pub fn compact(&mut self, policy: &MergePolicy) -> Result<(), IndexError> {
        self.commit()?;
        let groups = policy.choose_all(&self.catalogue.segments()?);
        groups.iter().try_for_each(|group| self.attempt(|writer| writer.merge_group(group)))?;
        self.attempt(|writer| writer.catalogue.shrink())?;
        self.forget_derived()
    }

    /// Makes one segment of those with these numbers.
    fn merge_group(&mut self, numbers: &[u32]) -> Result<(), IndexError> {
        let (mut merge, mut records) = (Merge::default(), RecordsBuilder::default());
        let change = self.catalogue.change()?;
        self.home.forget_removed(&change)?;
        let mut rows = change.segments()?;
        rows.retain(|row| numbers.contains(&row.segment));
        let mut moved = Vec::new();
        for row in &rows {
            // Opened anew and let go of when it is merged: what is read through a map counts as this process's memory.
            let stored = match (&self.home, self.stored.get(&row.segment)) {
                (Home::Memory, Some(stored)) => stored.clone(),
                _ => self.home.open(row, &change, &self.settings)?,
            };
            let deleted = change.deleted(row)?;
            for (local, to) in merge.add(stored.segment.clone(), |local| !deleted.contains(&local)) {
                let record = stored.records.get(local)?;
                records.add(&record);
                moved.push((DocumentPlace { segment: row.segment, local }, to, record.id));
            }
            change.drop_segment(row)?;
        }
        let content = |out: &mut dyn Output, path: &Path| {
            merge.write(out).map_err(|error| match error {
                MergeError::Write(error) => IndexError::io(path, error),
                MergeError::Read(error) => error,
            })
        };
        let mut new = match moved.is_empty() {
            true => None,
            false => Some(self.home.write(&change, content, records, &self.settings)?),
        };
        if let Some(new) = &new {
            for (from, local, id) in moved {
                change.moved(from, DocumentPlace { segment: new.row.segment, local }, &id)?;
            }
            change.put_segment(&new.row)?;
        }
        self.home.publish(change, new.as_mut())?;
        self.stored.retain(|number, _| !numbers.contains(number));
        self.stored.extend(new.map(|new| (new.row.segment, new.stored)));
        // Only now, when no look to come can list them.
        self.home.remove(&rows);
        Ok(())
    }

    /// Takes in all documents of another index. Of two documents with one id ours stays; gives how many were taken,
    /// and the ids that were not because ours differ. What was computed of them and is kept beside the other index is taken, too.
    ///
    /// # Errors
    /// When the other one's settings differ, it is damaged, or ours cannot be written.
    pub fn merge_from(&mut self, folder: &Path) -> Result<(u64, Vec<String>), IndexError> {
        let other = Snapshot::open(folder, &[])?;
        require_equal(folder, &self.settings, &other.settings)?;
        if self.keeps_texts && !other.keeps_texts {
            let difference = "it keeps no texts, and the index it is to be merged into does".to_owned();
            return Err(IndexError::SettingsDiffer { path: folder.to_owned(), difference });
        }
        let analyser = Analyser::new(&self.settings);
        let (mut taken, mut refused) = (0, Vec::new());
        for live in &other.segments {
            for local in live.documents() {
                let record = live.stored.records.get(local)?;
                match self.content_of(&record.id)? {
                    Some(ours) if ours != record.content => {
                        refused.push(record.id);
                        continue;
                    }
                    Some(_) => continue,
                    None => {}
                }
                let segment = &live.stored.segment;
                let text = if self.keeps_texts { Some(segment.text(local)?) } else { None };
                let document = segment.document(local)?;
                let record = Record { generation: self.generation, ..record };
                self.put(record, text, &analyser.of_stored(document))?;
                taken += 1;
            }
        }
        self.commit()?;
        self.take_derived(folder)?;
        refused.sort();
        Ok((taken, refused))
    }
}
