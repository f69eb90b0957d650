//! Who shares passages with whom among the documents of one index.

use super::SearchError;
use super::candidates::{self, Worth};
use crate::align::look::Look;
use crate::align::{Aligner, Match, Submission};
use crate::index::{Index, IndexError};
use crate::job::{Job, Stage};
use crate::settings::Settings;
use crate::sketch::analysis::Analyser;
use ahash::AHashMap;
use rayon::prelude::*;

/// Of one document's candidates so many are aligned at most, so that a crowd of copies costs time linear in its size.
pub const MOST_CANDIDATES: usize = 200;

/// Documents that are worked on at the same time have so many units together at most: what is made of one takes some hundred bytes
/// a unit.
const UNITS: u64 = 4 << 20;

/// Two documents that share a passage.
#[derive(Debug, Clone, PartialEq)]
pub struct Sharing {
    /// The number of the one whose id comes first.
    pub first: u32,
    /// The number of the other.
    pub second: u32,
    /// What they share and what is not too thin to count, by place in the first; `submission` stands for the first, `source` for the second.
    pub matches: Vec<Match>,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// The pairs, in the order of their ids.
    pub pairs: Vec<Sharing>,
    /// Candidates that were not aligned: very many documents hold what the two share, or one had [`MOST_CANDIDATES`] others.
    pub left_out: usize,
}

/// Aligns each document with those that retrieval finds for it, in either direction.
///
/// # Errors
/// When the index is damaged, or the job was cancelled.
pub fn find(index: &Index, settings: &Settings, job: &Job) -> Result<Found, SearchError> {
    // By their ids: neither which candidates are left out nor which side is aligned with the other may depend on the order in
    // which documents were added.
    let of_ids = index.documents().map(|document| Ok((index.record(document)?.id, document)));
    let mut of_ids: Vec<(String, u32)> = of_ids.collect::<Result<_, IndexError>>()?;
    of_ids.sort_unstable();
    let documents: Vec<u32> = of_ids.into_iter().map(|(_, document)| document).collect();
    let ranks: AHashMap<u32, u32> = documents.iter().copied().zip(0..).collect();
    let aligner = Aligner::new(settings.align).ended_by(&job.cancel);
    let candidates =
        |analyser: &mut Analyser, (rank, &document): (u32, &u32)| -> Result<(Vec<(u32, u32)>, usize), SearchError> {
            job.check()?;
            let analysis = analyser.of_stored(index.document(document)?);
            let mut found = candidates::find(index, &analysis, &settings.retrieval, None)?;
            let mut others = std::mem::take(&mut found.documents);
            let prepared = Submission::new(&analysis.units);
            let mut look = Look::new(&prepared, &aligner);
            for sharing in found.sharing.iter().filter(|sharing| sharing.document != document) {
                if found.worth(sharing, index, &mut look)? != Worth::Nothing {
                    others.push(sharing.document);
                }
            }
            let mut others: Vec<u32> = others.iter().map(|other| ranks[other]).filter(|&other| other != rank).collect();
            others.sort_unstable();
            let left_out = others.len().saturating_sub(MOST_CANDIDATES) + found.passed_over as usize;
            others.truncate(MOST_CANDIDATES);
            job.advance(Stage::Sharing, 1);
            let pair = |other: u32| (rank.min(other), rank.max(other));
            Ok((others.into_iter().map(pair).collect(), left_out))
        };
    let ranked: Vec<(u32, &u32)> = (0..).zip(&documents).collect();
    let mut found: Vec<(Vec<(u32, u32)>, usize)> = Vec::with_capacity(ranked.len());
    for round in rounds(&ranked, |(_, document)| index.units_of(**document))? {
        let of_round = round
            .into_par_iter()
            .map_init(|| Analyser::new(&settings.sketch), |analyser, document| candidates(analyser, *document))
            .collect::<Result<Vec<_>, _>>()?;
        found.extend(of_round);
    }
    let left_out = found.iter().map(|(_, left_out)| left_out).sum();
    let mut pairs: Vec<(u32, u32)> = found.into_iter().flat_map(|(pairs, _)| pairs).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let align = |aligner: &mut Aligner, pairs: &[(u32, u32)]| -> Result<Vec<Sharing>, SearchError> {
        let document = |rank: u32| documents[rank as usize];
        let units = index.document(document(pairs[0].0))?.units;
        let prepared = Submission::new(&units);
        let mut shared = Vec::new();
        for &(first, second) in pairs {
            job.check()?;
            let (first, second) = (document(first), document(second));
            let mut matches = aligner.align(&prepared, &index.document(second)?.units);
            matches.retain(|m| !m.weak);
            job.check()?;
            if !matches.is_empty() {
                shared.push(Sharing { first, second, matches });
            }
        }
        job.advance(Stage::Sharing, 1);
        Ok(shared)
    };
    // Collecting in parallel keeps the order of the pairs.
    let of_one: Vec<&[(u32, u32)]> = pairs.chunk_by(|a, b| a.0 == b.0).collect();
    job.advance(Stage::Sharing, (documents.len() - of_one.len()) as u64);
    let mut pairs: Vec<Sharing> = Vec::new();
    for round in rounds(&of_one, |pairs| index.units_of(documents[pairs[0].0 as usize]))? {
        let shared = round
            .into_par_iter()
            .map_init(|| aligner.clone(), |aligner, pairs| align(aligner, pairs))
            .collect::<Result<Vec<_>, _>>()?;
        pairs.extend(shared.into_iter().flatten());
    }
    Ok(Found { pairs, left_out })
}

/// Cuts what is to be worked on into rounds of [`UNITS`] at most, in order; what has more is a round by itself.
fn rounds<T>(all: &[T], units: impl Fn(&T) -> Result<u32, IndexError>) -> Result<Vec<&[T]>, IndexError> {
    let (mut rounds, mut start, mut sum) = (Vec::new(), 0, 0);
    for (at, one) in all.iter().enumerate() {
        let here = u64::from(units(one)?);
        if at > start && sum + here > UNITS {
            rounds.push(&all[start..at]);
            (start, sum) = (at, 0);
        }
        sum += here;
    }
    rounds.push(&all[start..]);
    Ok(rounds)
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

    /// Words that no other number gives.
    fn own(number: usize) -> String {
        (0..150).map(|at| format!("word{number}n{at} ")).collect()
    }

    #[test]
    fn a_passage_is_found_in_both_documents_and_in_no_other() {
        let common = "the grey tide leaves a thin layer of silt between the stems of the marsh twice a day and every \
                      spring the reeds grow out of last year's mud while the herons wait along the channel for eels";
        let index = index(&[own(1) + common + &own(2), own(3), own(4), own(5) + common]);
        let found = find(&index, &Settings::default(), &Job::default()).unwrap();
        assert_eq!(found.left_out, 0);
        assert_eq!(found.pairs.iter().map(|pair| (pair.first, pair.second)).collect::<Vec<_>>(), [(0, 3)]);
        let [passage] = &found.pairs[0].matches[..] else { panic!("one passage: {found:?}") };
        assert!(passage.submission.len() > 20 && passage.submission.len() == passage.source.len(), "{passage:?}");
    }

    #[test]
    fn each_document_is_two_steps_whatever_it_shares() {
        let texts = [own(1), own(2) + &own(1), own(3)];
        let steps = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
        let count = std::sync::Arc::clone(&steps);
        let job = Job::new(move |progress| {
            assert_eq!(progress.stage, Stage::Sharing);
            count.fetch_add(progress.steps, std::sync::atomic::Ordering::Relaxed);
        });
        assert_eq!(find(&index(&texts), &Settings::default(), &job).unwrap().pairs.len(), 1);
        assert_eq!(steps.load(std::sync::atomic::Ordering::Relaxed), 6);
    }

    #[test]
    fn of_a_crowd_of_copies_each_is_aligned_with_a_bounded_number() {
        let texts = vec![own(1); MOST_CANDIDATES + 21];
        let found = find(&index(&texts), &Settings::default(), &Job::default()).unwrap();
        assert!(found.left_out > 100 * texts.len(), "{}", found.left_out);
        assert!(found.pairs.len() <= MOST_CANDIDATES * texts.len());
        let linked: std::collections::BTreeSet<u32> =
            found.pairs.iter().flat_map(|pair| [pair.first, pair.second]).collect();
        assert_eq!(linked.len(), texts.len());
    }
}
