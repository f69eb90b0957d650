//! Which documents, and where in them, may say what a submission says: sentences compared with all codes of a library.

use crate::align::weight;
use crate::cells::Leaders;
use crate::codes::{Query, beside, chains};
use crate::gist::Gist;
use crate::near::near;
use crate::table::Table;
use copytrace_hamming::cpu::Cpu;
use copytrace_job::{Cancelled, Job};
use copytrace_text::ranges::union;
use rayon::prelude::*;
use std::ops::Range;

/// Groups of sentences in a row that lead to a document together: of one alone a large library always holds one that is near.
const RUN: usize = 3;

/// Documents that are looked through for chains, by runs of groups that are near to them.
const MOST_CHAINED: usize = 512;

/// Documents that are aligned with a submission at the most.
const MOST_DOCUMENTS: usize = 192;

/// Chains in a row that lead to a document together.
const CHAINS: usize = 4;

/// The most sentences of a submission in all of which chains are looked for, and how many sentences on either side of the best groups of a longer
/// one. These groups are twice as many as places.
const ALL: usize = 400;
const AROUND: usize = 12;

/// How many places of one document are looked at: the fewest, for how many sentences of the submission there is one more, and the most.
const LEAST_PLACES: usize = 4;
const SENTENCES_OF_PLACE: usize = 200;
const MOST_PLACES: usize = 16;

/// Where a document may say what sentences of the submission say.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) document: usize,
    /// Sentences of the submission, each with the code of the document where its chain ends, the best first.
    pub(crate) places: Vec<Vec<(usize, usize)>>,
}

/// A submission as it is compared with codes.
pub(crate) struct Asked<'a> {
    pub(crate) sentences: &'a [Query],
    /// How much each says.
    pub(crate) sizes: &'a [f32],
    /// Groups of sentences, as those of documents that have codes, and which sentences they are.
    pub(crate) groups: &'a [Query],
    pub(crate) members: &'a [Range<usize>],
}

/// How like a submission's groups of sentences are to documents.
pub(crate) struct Likenesses<'a> {
    submission: &'a Asked<'a>,
    documents: &'a [&'a Gist],
    near: Table,
}

impl<'a> Likenesses<'a> {
    /// Of groups to documents.
    pub(crate) fn of(
        submission: &'a Asked<'a>,
        documents: &'a [&'a Gist],
        leaders: Option<&Leaders>,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        Ok(Likenesses { submission, documents, near: near(submission.groups, documents, leaders, job)? })
    }

    /// The documents that are worth comparing sentence by sentence, the best first, each with its best places. Sentences count by
    /// their sizes.
    pub(crate) fn candidates(&self, job: &Job) -> Result<Vec<Candidate>, Cancelled> {
        let mut near = self.near.best(RUN, MOST_CHAINED);
        near.retain(|&document| !self.documents[document].codes().is_empty());
        let Asked { sentences, sizes, .. } = *self.submission;
        let weights: Vec<f32> = sizes.iter().map(|&size| weight(size)).collect();
        let chained = near.par_iter().map(|&document| {
            job.check()?;
            let codes = self.documents[document].codes();
            let (blocks, mut chained) = (beside(codes), vec![(0, 0); sentences.len()]);
            for part in self.parts(document) {
                let (submission, weights) = (&sentences[part.clone()], &weights[part.clone()]);
                chained[part].copy_from_slice(&chains(Cpu::best(), submission, weights, &blocks, codes.len()));
            }
            Ok(chained)
        });
        let chained: Vec<Vec<(i16, u32)>> = chained.collect::<Result<_, Cancelled>>()?;
        let of = |sentence: usize| {
            let likenesses = chained.iter().map(|chains| chains[sentence].0);
            (0..).zip(likenesses).collect()
        };
        let chains = Table::of((0..sentences.len()).map(of).collect(), chained.len());
        let candidate = |place: usize| {
            let ends =
                |run: Range<usize>| run.map(|sentence| (sentence, chained[place][sentence].1 as usize)).collect();
            Candidate {
                document: near[place],
                places: chains.runs(place, CHAINS, self.most_places()).into_iter().map(ends).collect(),
            }
        };
        Ok(chains.best(CHAINS, MOST_DOCUMENTS).into_iter().map(candidate).collect())
    }

    fn most_places(&self) -> usize {
        (LEAST_PLACES + self.submission.sentences.len() / SENTENCES_OF_PLACE).min(MOST_PLACES)
    }

    /// The sentences of the submission in which chains of a document are looked for.
    fn parts(&self, document: usize) -> Vec<Range<usize>> {
        let Asked { sentences, members, .. } = *self.submission;
        if sentences.len() <= ALL {
            return std::iter::once(0..sentences.len()).collect();
        }
        let around = |run: Range<usize>| {
            let (first, last) = (&members[run.start], &members[run.end - 1]);
            first.start.saturating_sub(AROUND)..sentences.len().min(last.end + AROUND)
        };
        let runs = self.near.runs(document, RUN, 2 * self.most_places());
        union(runs.into_iter().map(around).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::Code;
    use crate::codes::tests::{code, turned};

    fn gist(codes: &[Code]) -> Gist {
        Gist::new(None, String::new(), codes)
    }

    fn queries(numbers: Range<u64>) -> Vec<Query> {
        numbers.map(|number| Query::of(&turned(number))).collect()
    }

    /// The candidates for a submission of sentences that are groups of their own.
    fn candidates(sentences: &[Query], documents: &[&Gist], leaders: Option<&Leaders>) -> Vec<Candidate> {
        let (sizes, members) =
            (vec![20.0; sentences.len()], (0..sentences.len()).map(|at| at..at + 1).collect::<Vec<_>>());
        let asked = Asked { sentences, sizes: &sizes, groups: sentences, members: &members };
        Likenesses::of(&asked, documents, leaders, &Job::default()).unwrap().candidates(&Job::default()).unwrap()
    }

    /// Sentences, and nine documents of which the fifth holds six of them, a little changed.
    fn planted(sentences: u64) -> (Vec<Query>, Vec<Gist>) {
        let document = |document: u64| {
            let mut codes: Vec<Code> = (0..50).map(|sentence| code(5000 + document * 50 + sentence)).collect();
            for sentence in (0..6).filter(|_| document == 4) {
                codes[20 + sentence] = code(10 + sentence as u64);
                codes[20 + sentence][..2].fill(0);
            }
            gist(&codes)
        };
        (queries(0..sentences), (0..9).map(document).collect())
    }

    #[test]
    fn the_document_that_holds_a_run_of_near_sentences_comes_first_with_its_place() {
        for (sentences, cells) in [(40, false), (40, true), (ALL as u64 + 200, false)] {
            let (submission, mut documents) = planted(sentences);
            let leaders = cells.then(|| Leaders::of(&documents));
            leaders.iter().for_each(|leaders| documents.iter_mut().for_each(|gist| leaders.arrange(gist)));
            let documents: Vec<&Gist> = documents.iter().collect();
            let best = &candidates(&submission, &documents, leaders.as_ref())[0];
            assert_eq!(best.document, 4);
            let place = &best.places[0];
            assert!(place.contains(&(15, 25)), "{place:?}");
            assert!(place.iter().all(|&(here, there)| !(10..16).contains(&here) || there == here + 10), "{place:?}");
        }
    }

    #[test]
    fn a_library_of_one_text_or_of_none_and_short_submissions_are_no_trouble() {
        let submission = queries(0..3);
        let (one, empty) = (gist(&[code(0), code(1), code(2)]), gist(&[]));
        for (submission, documents) in [
            (&submission[..1], vec![&one]),
            (&submission, vec![]),
            (&submission[..0], vec![&one]),
            (&submission, vec![&empty]),
        ] {
            assert!(candidates(submission, &documents, None).len() <= documents.len());
        }
    }
}
