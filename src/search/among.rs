//! Who shares passages with whom among the documents of one index.

use super::{SearchError, candidates};
use crate::align::{Aligner, Match, Submission};
use crate::index::Index;
use crate::job::{Job, Stage};
use crate::settings::Settings;
use crate::sketch::analysis::Analyser;
use rayon::prelude::*;

/// Of one document's candidates so many are aligned at most, so that a crowd of copies costs time linear in its size.
pub const MOST_CANDIDATES: usize = 200;

/// Two documents that share a passage.
#[derive(Debug, Clone, PartialEq)]
pub struct Sharing {
    /// The number of the one that comes first.
    pub first: u32,
    /// The number of the other.
    pub second: u32,
    /// What they share, by place in the first; `submission` stands for the first, `source` for the second.
    pub matches: Vec<Match>,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// The pairs, in order.
    pub pairs: Vec<Sharing>,
    /// Candidates that were not aligned, because one of the two had [`MOST_CANDIDATES`] others.
    pub left_out: usize,
}

/// Aligns each document with those that retrieval finds for it, in either direction. Of two the one of the smaller rank comes
/// first; each document has a rank of its own.
///
/// # Errors
/// When the index is damaged, or the job was cancelled.
pub fn find(
    index: &Index,
    settings: &Settings,
    rank: impl Fn(u32) -> usize + Sync,
    job: &Job,
) -> Result<Found, SearchError> {
    let mut documents: Vec<u32> = index.documents().collect();
    documents.sort_unstable();
    let candidates = |analyser: &mut Analyser, document: u32| -> Result<(Vec<(u32, u32)>, usize), SearchError> {
        job.check()?;
        let analysis = analyser.of_stored(index.document(document)?);
        let mut others = candidates::find(index, &analysis, &settings.retrieval)?.documents;
        others.retain(|&other| other != document);
        let left_out = others.len().saturating_sub(MOST_CANDIDATES);
        others.truncate(MOST_CANDIDATES);
        let pair = |other: u32| if rank(document) < rank(other) { (document, other) } else { (other, document) };
        Ok((others.into_iter().map(pair).collect(), left_out))
    };
    let found: Vec<(Vec<(u32, u32)>, usize)> = documents
        .into_par_iter()
        .map_init(|| Analyser::new(&settings.sketch), |analyser, document| candidates(analyser, document))
        .collect::<Result<_, _>>()?;
    let left_out = found.iter().map(|(_, left_out)| left_out).sum();
    let mut pairs: Vec<(u32, u32)> = found.into_iter().flat_map(|(pairs, _)| pairs).collect();
    pairs.sort_unstable_by_key(|&(first, second)| (rank(first), rank(second)));
    pairs.dedup();
    let align = |aligner: &mut Aligner, pairs: &[(u32, u32)]| -> Result<Vec<Sharing>, SearchError> {
        let units = index.document(pairs[0].0)?.units;
        let prepared = Submission::new(&units);
        let mut shared = Vec::new();
        for &(first, second) in pairs {
            job.check()?;
            let matches = aligner.align(&prepared, &index.document(second)?.units);
            job.check()?;
            if !matches.is_empty() {
                shared.push(Sharing { first, second, matches });
            }
            job.advance(Stage::Sharing, 1);
        }
        Ok(shared)
    };
    // Collecting in parallel keeps the order of the pairs.
    let of_one: Vec<&[(u32, u32)]> = pairs.chunk_by(|a, b| a.0 == b.0).collect();
    let shared: Vec<Vec<Sharing>> = of_one
        .into_par_iter()
        .map_init(|| Aligner::new(settings.align).ended_by(&job.cancel), |aligner, pairs| align(aligner, pairs))
        .collect::<Result<_, _>>()?;
    Ok(Found { pairs: shared.into_iter().flatten().collect(), left_out })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::IndexWriter;
    use crate::text::Document;

    fn index(texts: &[String]) -> Index {
        let settings = Settings::default();
        let mut writer = IndexWriter::in_memory(&settings.sketch).unwrap();
        let mut analyser = Analyser::new(&settings.sketch);
        for (at, text) in texts.iter().enumerate() {
            let document = Document { id: format!("{at:04}"), ..Document::default() };
            writer.add(&document, Vec::new(), 0, &analyser.analyse(text)).unwrap();
        }
        writer.into_index().unwrap()
    }

    fn all(index: &Index) -> Found {
        find(index, &Settings::default(), |document| document as usize, &Job::default()).unwrap()
    }

    /// Words that no other number gives.
    fn own(number: usize) -> String {
        (0..150).map(|at| format!("word{number}n{at} ")).collect()
    }

    #[test]
    fn a_passage_is_found_in_both_documents_and_in_no_other() {
        let common = "the grey tide leaves a thin layer of silt between the stems of the marsh twice a day and every \
                      spring the reeds grow out of last year's mud while the herons wait along the channel for eels";
        let index = index(&[own(1) + common + &own(2), own(3), own(4), own(5) + common]);
        let found = all(&index);
        assert_eq!(found.left_out, 0);
        assert_eq!(found.pairs.iter().map(|pair| (pair.first, pair.second)).collect::<Vec<_>>(), [(0, 3)]);
        let [passage] = &found.pairs[0].matches[..] else { panic!("one passage: {found:?}") };
        assert!(passage.submission.len() > 20 && passage.submission.len() == passage.source.len(), "{passage:?}");
    }

    #[test]
    fn of_a_crowd_of_copies_each_is_aligned_with_a_bounded_number() {
        let texts = vec![own(1); MOST_CANDIDATES + 21];
        let found = all(&index(&texts));
        assert_eq!(found.left_out, 20 * texts.len());
        assert!(found.pairs.len() <= MOST_CANDIDATES * texts.len());
        let linked: std::collections::BTreeSet<u32> =
            found.pairs.iter().flat_map(|pair| [pair.first, pair.second]).collect();
        assert_eq!(linked.len(), texts.len());
    }
}
