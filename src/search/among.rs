//! Who shares passages with whom among the documents of one index.
//!
//! Each document is looked up in the index as a submission is, and the pairs that are worth it are aligned, each once. For one text
//! against many there is [`submission`](super::submission).

use super::SearchError;
use super::candidates;
use super::rounds::rounds;
use super::worth::Worth;
use crate::align::{Aligner, Match, Submission};
use crate::index::{Index, IndexError};
use crate::job::{Job, Stage};
use crate::settings::Settings;
use crate::sketch::analysis::Analyser;
use ahash::AHashMap;
use rayon::prelude::*;

/// The most of one document's candidates that are aligned, so that a crowd of copies costs time linear in its size. Chosen by hand;
/// not measured apart.
pub const MOST_CANDIDATES: usize = 200;

/// Units of all documents that are worked on at the same time, at most: what is made of a document takes some hundred bytes a unit. It
/// changes no result.
const UNITS: u64 = 4 << 20;

/// Two documents that share a passage.
#[derive(Debug, Clone, PartialEq)]
pub struct SharingPair {
    /// The number of the one whose id comes first.
    pub first: u32,
    /// The number of the other.
    pub second: u32,
    /// What they share and what is not too thin to count, by place in the first; `submission` stands for the first, `source` for the second.
    pub matches: Vec<Match>,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SharingPairs {
    /// The pairs, in the order of their ids.
    pub pairs: Vec<SharingPair>,
    /// Candidates that were not aligned: very many documents hold what the two share, or one had [`MOST_CANDIDATES`] others.
    pub left_out: usize,
}

/// Two documents by their ranks, the lower one first, and what of them is worth aligning.
#[derive(Debug, PartialEq)]
struct CandidatePair {
    ranks: (u32, u32),
    worth: Worth,
}

/// The documents of an index by the order of their ids: neither which candidates are left out nor which side is aligned with the
/// other may depend on the order in which documents were added.
struct Ranked<'a> {
    index: &'a Index,
    settings: &'a Settings,
    aligner: Aligner,
    /// The number of the document of each rank.
    documents: Vec<u32>,
    /// The rank of each document.
    ranks: AHashMap<u32, u32>,
}

/// Aligns each document with those that retrieval finds for it, in either direction.
///
/// # Errors
/// When the index is damaged, or the job was cancelled.
pub fn find(index: &Index, settings: &Settings, job: &Job) -> Result<SharingPairs, SearchError> {
    let ranked = Ranked::new(index, settings, job)?;
    let (candidates, left_out) = ranked.candidates(job)?;
    Ok(SharingPairs { pairs: ranked.align(&candidates, job)?, left_out })
}

impl<'a> Ranked<'a> {
    fn new(index: &'a Index, settings: &'a Settings, job: &Job) -> Result<Self, IndexError> {
        let of_ids = index.documents().map(|document| Ok((index.record(document)?.id, document)));
        let mut of_ids: Vec<(String, u32)> = of_ids.collect::<Result<_, IndexError>>()?;
        of_ids.sort_unstable();
        let documents: Vec<u32> = of_ids.into_iter().map(|(_, document)| document).collect();
        let ranks = documents.iter().copied().zip(0..).collect();
        let aligner = Aligner::new(settings.align).ended_by(&job.cancel);
        Ok(Ranked { index, settings, aligner, documents, ranks })
    }

    /// All pairs that are worth aligning, each once, in order; and how many were left out.
    fn candidates(&self, job: &Job) -> Result<(Vec<CandidatePair>, usize), SearchError> {
        let all: Vec<u32> = (0..self.documents.len() as u32).collect();
        let (mut pairs, mut left_out) = (Vec::new(), 0);
        for round in self.rounds(&all, |&rank| rank)? {
            let found = round
                .into_par_iter()
                .map_init(
                    || Analyser::new(&self.settings.sketch),
                    |analyser, rank| self.candidates_of(*rank, analyser, job),
                )
                .collect::<Result<Vec<_>, _>>()?;
            for (of_one, left_out_of_one) in found {
                pairs.extend(of_one);
                left_out += left_out_of_one;
            }
        }
        // Two documents may have found each other. What either saw is aligned.
        pairs.sort_unstable_by_key(|pair: &CandidatePair| pair.ranks);
        pairs.dedup_by(|later, first| {
            let is_same = later.ranks == first.ranks;
            if is_same {
                let (ours, theirs) = (&mut first.worth, &mut later.worth);
                *ours = std::mem::replace(ours, Worth::Nothing).or(std::mem::replace(theirs, Worth::Nothing));
            }
            is_same
        });
        Ok((pairs, left_out))
    }

    /// The pairs of one document that are worth aligning, and how many were left out.
    fn candidates_of(
        &self,
        rank: u32,
        analyser: &mut Analyser,
        job: &Job,
    ) -> Result<(Vec<CandidatePair>, usize), SearchError> {
        job.check()?;
        let document = self.documents[rank as usize];
        let analysis = analyser.of_stored(self.index.document(document)?);
        let found = candidates::find(self.index, &analysis, &self.settings.retrieval, None)?;
        let prepared = Submission::new(&analysis.units);
        let looked = found.look_at_all(self.index, &prepared, &self.aligner, |other| other != document, job)?;
        let worth_it = looked.into_iter().filter(|looked| looked.worth != Worth::Nothing);
        let mut others: Vec<(u32, Worth)> =
            worth_it.map(|looked| (self.ranks[&looked.document], looked.worth)).collect();
        others.sort_unstable_by_key(|(other, _)| *other);
        let left_out = others.len().saturating_sub(MOST_CANDIDATES) + found.passed_over as usize;
        others.truncate(MOST_CANDIDATES);
        job.advance(Stage::Sharing, 1);
        let pair = |(other, worth): (u32, Worth)| match rank < other {
            true => CandidatePair { ranks: (rank, other), worth },
            false => CandidatePair { ranks: (other, rank), worth: worth.turned() },
        };
        Ok((others.into_iter().map(pair).collect(), left_out))
    }

    /// Aligns pairs, which are in order.
    fn align(&self, pairs: &[CandidatePair], job: &Job) -> Result<Vec<SharingPair>, SearchError> {
        let of_one: Vec<&[CandidatePair]> = pairs.chunk_by(|a, b| a.ranks.0 == b.ranks.0).collect();
        job.advance(Stage::Sharing, (self.documents.len() - of_one.len()) as u64);
        let mut shared = Vec::new();
        for round in self.rounds(&of_one, |pairs| pairs[0].ranks.0)? {
            // Collecting in parallel keeps the order of the pairs.
            let of_round = round
                .into_par_iter()
                .map_init(|| self.aligner.clone(), |aligner, pairs| self.align_one(pairs, aligner, job))
                .collect::<Result<Vec<_>, _>>()?;
            shared.extend(of_round.into_iter().flatten());
        }
        Ok(shared)
    }

    /// Aligns one document with others.
    fn align_one(
        &self,
        pairs: &[CandidatePair],
        aligner: &mut Aligner,
        job: &Job,
    ) -> Result<Vec<SharingPair>, SearchError> {
        let first = self.documents[pairs[0].ranks.0 as usize];
        let units = self.index.text_units(first)?;
        let prepared = Submission::new(&units);
        let mut shared = Vec::new();
        for CandidatePair { ranks: (_, second), worth } in pairs {
            job.check()?;
            let second = self.documents[*second as usize];
            let mut matches = worth.align(aligner, &prepared, &self.index.text_units(second)?);
            matches.retain(|m| !m.weak);
            job.check()?;
            if !matches.is_empty() {
                shared.push(SharingPair { first, second, matches });
            }
        }
        job.advance(Stage::Sharing, 1);
        Ok(shared)
    }

    /// Cuts what is to be worked on into rounds by the units of each one's document, which is told by its rank.
    fn rounds<'b, T>(&self, all: &'b [T], rank: impl Fn(&T) -> u32) -> Result<Vec<&'b [T]>, IndexError> {
        let units = |one: &T| self.index.units_of(self.documents[rank(one) as usize]).map(u64::from);
        let sizes = all.iter().map(units).collect::<Result<Vec<_>, _>>()?;
        Ok(rounds(sizes, UNITS).into_iter().map(|round| &all[round]).collect())
    }
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
    fn of_long_documents_that_share_what_many_hold_only_that_is_aligned() {
        let declaration = "the tide leaves a thin layer of silt between the stems of the marsh twice a day and every spring \
                           the reeds grow out of last year's mud while herons wait along the channel for eels ";
        // So long that no key of theirs is looked at for a quotation.
        let long = |number: usize| (0..60).map(|at| own(1000 + 60 * number + at)).collect::<String>();
        let index = index(&(0..21).map(|at| long(2 * at) + declaration + &long(2 * at + 1)).collect::<Vec<_>>());
        let (settings, job) = (Settings::default(), Job::default());
        let ranked = Ranked::new(&index, &settings, &job).unwrap();
        let (candidates, left_out) = ranked.candidates(&job).unwrap();
        assert_eq!((candidates.len(), left_out), (21 * 20 / 2, 0));
        assert!(candidates.iter().all(|pair| matches!(pair.worth, Worth::Around(_))));
        // What is found is what aligning them whole finds; a stretch by itself weighs its evidence otherwise.
        let places = |candidates: &[CandidatePair]| {
            let mut shared = ranked.align(candidates, &job).unwrap();
            shared.iter_mut().flat_map(|pair| &mut pair.matches).for_each(|m| m.evidence = 0.0);
            shared
        };
        let some = &candidates[..3];
        let whole: Vec<CandidatePair> =
            some.iter().map(|pair| CandidatePair { ranks: pair.ranks, worth: Worth::Whole }).collect();
        assert_eq!(places(some), places(&whole));
        assert!(places(some).iter().all(|pair| pair.matches.len() == 1));
    }

    #[test]
    fn each_document_is_two_steps_whatever_it_shares() {
        let texts = [own(1), own(2) + &own(1), own(3)];
        let steps = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
        let count = std::sync::Arc::clone(&steps);
        let job = Job::new(move |stage, steps| {
            assert_eq!(stage, Stage::Sharing);
            count.fetch_add(steps, std::sync::atomic::Ordering::Relaxed);
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
