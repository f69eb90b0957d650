//! The documents of an index made ready for finding their pairs.

use super::PairsError;
use super::buckets::{Buckets, entry};
use super::documents::DistinctDocuments;
use super::join::Join;
use super::profiles::ProfilesBuilder;
use crate::index::Index;
use crate::job::Cancel;
use crate::search::Profile;
use crate::settings::Settings;
use crate::sketch::analysis::StoredDocument;
use ahash::{AHashMap, AHashSet};
use rayon::prelude::*;

/// Documents whose profiles are made at a time.
const BATCH: usize = 4096;

impl Join {
    /// Prepares the documents of an index; with `new`, the numbers of some documents, for pairs with one of them. Up to
    /// `memory` bytes are used for the profiles of documents that have candidates.
    ///
    /// # Errors
    /// When the index is damaged, or a temporary file could not be written.
    pub fn of_index(
        index: &Index,
        settings: &Settings,
        new: Option<&AHashSet<u32>>,
        memory: u64,
    ) -> Result<Join, PairsError> {
        // The bands are part of the keys, so all entries make one band.
        let entries: Vec<(u64, u32)> = index.bucket_entries()?;
        let last = entries.iter().map(|&(_, document)| document as usize + 1).max().unwrap_or(0);
        let one_band =
            |entries: &[(u64, u32)]| entries.iter().map(|&(key, document)| entry(key as u32, document)).collect();
        let buckets = Buckets::of_bands(last, 1, |_| one_band(&entries));

        // Only documents with company are numbered anew, in the order of their ids.
        let with_company = (0..last as u32).filter(|&document| buckets.has_company(document));
        let mut documents = Vec::new();
        for document in with_company {
            documents.push((index.record(document)?.id, document));
        }
        documents.sort_unstable();
        let rank: AHashMap<u32, u32> = documents.iter().map(|&(_, document)| document).zip(0..).collect();
        let ranked: Vec<(u64, u32)> =
            entries.iter().filter_map(|&(key, document)| Some((key, *rank.get(&document)?))).collect();
        let buckets = Buckets::of_bands(documents.len(), 1, |_| one_band(&ranked));

        let maker = Profile::maker(&settings.sketch);
        let mut profiles = ProfilesBuilder::new(documents.len(), settings.sketch.hashes as usize, memory);
        for (start, batch) in (0..).step_by(BATCH).zip(documents.chunks(BATCH)) {
            let made: Vec<Profile> = batch
                .par_iter()
                .map(|&(_, document)| {
                    let StoredDocument { shingles, fingerprint, .. } = index.document(document)?;
                    Ok(maker(shingles, fingerprint))
                })
                .collect::<Result<_, PairsError>>()?;
            for (document, profile) in (start..).zip(&made) {
                profiles.keep(document, profile.view())?;
            }
        }
        Ok(Join {
            wanted_texts: Vec::new(),
            wanted: new
                .map_or(Vec::new(), |new| documents.iter().map(|(_, document)| new.contains(document)).collect()),
            documents: DistinctDocuments::all_different(documents.into_iter().map(|(id, _)| id).collect()),
            total: index.len(),
            buckets,
            profiles: profiles.finish()?,
            settings: *settings,
            cancel: Cancel::default(),
        })
    }
}
