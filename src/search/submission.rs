//! One submission against an index: candidates, exact figures, aligned passages.

use super::candidates;
use super::frequencies::Frequencies;
use super::holders::HolderCounts;
use super::worth::{Looked, Worth};
use super::{DocumentSimilarity, Profile, SearchError};
use crate::align::{Aligner, Match, Submission};
use crate::index::{Index, Record};
use crate::job::{Job, Stage};
use crate::settings::Settings;
use crate::sketch::analysis::Analysis;
use crate::sketch::marks::ShingleMarks;
use crate::sketch::minhash::Family;
use crate::sketch::profile::ProfileView;
use crate::text::ranges::union;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::LazyLock;

/// A document of the index that shares text with the submission.
#[derive(Debug, Clone, PartialEq)]
pub struct SharingDocument {
    /// The number of the document in the index.
    pub document: u32,
    /// What the index's catalogue knows of it.
    pub record: Record,
    /// How similar the two are as wholes; the submission is the first.
    pub similarity: DocumentSimilarity,
    /// Its length in characters.
    pub characters: u32,
    /// Its SimHash fingerprint.
    pub fingerprint: u64,
    /// The passages they share, in the order of the submission.
    pub matches: Vec<Match>,
    /// The passages that are too thin to count ([`Match::weak`]), in the order of the submission.
    pub weak: Vec<Match>,
}

/// All that the index gave for one submission.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchResult {
    /// The documents that share text with it, in the order of their ids.
    pub documents: Vec<SharingDocument>,
    /// How many candidates were verified and aligned.
    pub candidates: usize,
    /// Keys of the submission that very many documents hold, so that only some of these were looked at.
    pub frequent_keys: usize,
    /// How many documents of this index hold what stands at each place of the submission.
    pub holders: HolderCounts,
    /// Where runs of six words or eight Han characters and more stand in some document around a rare key, in units of the
    /// submission, in order and apart: each too short to be a passage.
    pub short_runs: Vec<Range<u32>>,
}

/// Checks one submission against the documents that `admits` lets through. A document of the index shares text with it when they
/// have a passage in common, or when they are as similar as `settings.threshold` asks; nothing is reported from an estimate alone.
/// With what was counted in several indexes (`frequencies`), each finds what one index of all their documents would find in its
/// part. Documents that are not let through, and such as are the submission itself, are no holders of its wording.
///
/// # Errors
/// When the index is damaged, or the job was cancelled.
pub fn check(
    index: &Index,
    frequencies: Option<&Frequencies>,
    submission: &Analysis,
    settings: &Settings,
    admits: impl Fn(&Record) -> bool,
    is_itself: impl Fn(&Record, &DocumentSimilarity) -> bool,
    job: &Job,
) -> Result<SearchResult, SearchError> {
    let mut found = candidates::find(index, submission, &settings.retrieval, frequencies)?;
    let prepared = Submission::new(&submission.units);
    let aligner = Aligner::new(settings.align).ended_by(&job.cancel);
    let mut admitted = Vec::new();
    let mut short_runs = Vec::new();
    let looked = found.look_at_all(index, &prepared, &aligner, |_| true, job)?;
    for Looked { document, worth, short_runs: runs } in looked {
        job.check()?;
        let record = index.record(document)?;
        if admits(&record) {
            short_runs.extend(runs);
            if worth != Worth::Nothing {
                admitted.push((document, worth, record));
            }
        } else {
            found.forget_holder(document);
        }
    }
    index.will_need_units(admitted.iter().map(|(document, ..)| (*document, 0..u32::MAX)).collect());
    // Of documents with one id in several folders the first folder's counts.
    admitted.sort_by(|a, b| (&a.2.id, a.0).cmp(&(&b.2.id, b.0)));
    admitted.dedup_by(|later, first| later.2.id == first.2.id);
    let candidates = admitted.len();
    // Made for the first document that shares text, because it needs the fingerprint.
    let profile = LazyLock::new(|| Profile::from(submission));
    let family = Family::new(settings.sketch.hashes as usize, settings.sketch.seed);
    let marks = LazyLock::new(|| ShingleMarks::of(&submission.shingles, settings.sketch.shingling));
    let verify = |aligner: &mut Aligner,
                  (document, worth, record): (u32, Worth, Record)|
     -> Result<Option<SharingDocument>, SearchError> {
        job.check()?;
        let units = index.text_units(document)?;
        let matches = worth.align(aligner, &prepared, &units);
        job.check()?;
        job.advance(Stage::Aligning, 1);
        let (weak, matches): (Vec<Match>, Vec<Match>) = matches.into_iter().partition(|m| m.weak);
        let shares_nothing = matches.is_empty() && weak.is_empty();
        let (overlap, hashes) = match &*marks {
            Some(marks) => {
                let marked = marks.compare(&units.hash);
                if shares_nothing && !marked.may_resemble(settings.threshold) {
                    return Ok(None);
                }
                (marked.overlap(), marked.hashes())
            }
            None => {
                let theirs = index.shingles(document, &units)?;
                (submission.shingles.overlap(&theirs), theirs.as_slice().to_vec())
            }
        };
        if shares_nothing && overlap.jaccard() < settings.threshold {
            return Ok(None);
        }
        let fingerprint = index.fingerprint(document)?;
        let theirs = ProfileView { shingles: &[], signature: &family.signature(&hashes), fingerprint };
        let similarity = DocumentSimilarity::of_views(profile.view(), theirs, overlap, settings);
        let characters = units.text_chars;
        Ok(Some(SharingDocument { document, record, similarity, characters, fingerprint, matches, weak }))
    };
    // Already in the order of the ids, which collecting in parallel keeps.
    let documents: Vec<SharingDocument> = admitted
        .into_par_iter()
        .map_init(|| aligner.clone(), |aligner, candidate| verify(aligner, candidate))
        .filter_map(Result::transpose)
        .collect::<Result<_, _>>()?;
    for itself in documents.iter().filter(|sharing| is_itself(&sharing.record, &sharing.similarity)) {
        found.forget_holder(itself.document);
    }
    let short_runs = union(short_runs);
    Ok(SearchResult { documents, candidates, frequent_keys: found.frequent_keys, holders: found.holders, short_runs })
}
