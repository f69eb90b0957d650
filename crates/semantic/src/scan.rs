//! Which documents, and where in them, may say what a submission says: sentences compared with all codes of a library.

use crate::align::weight;
use crate::cells::Leaders;
use crate::codes::{Chains, Code, Nearest, Query};
use crate::gist::Gist;
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

/// Chains are looked for in all of a submission of so many sentences, and of a longer one in so many sentences around the best groups, twice as
/// many as places.
const ALL: usize = 400;
const AROUND: usize = 12;

/// Places of one document that are looked at: the least, one more for each so many sentences of the submission, and the most.
const LEAST_PLACES: usize = 4;
const SENTENCES_OF_PLACE: usize = 200;
const MOST_PLACES: usize = 16;

/// What is less like a document than expected takes no more from its run than this, in ten-thousandths.
const MOST_LOSS: i64 = 500;

/// By so many of the nearest documents it is told how near others are than the one that is judged, which is one of them.
const NEAREST: usize = 6;

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

/// How like a submission's groups of sentences are to documents, in ten-thousandths of their products with signs.
pub(crate) struct Likenesses<'a> {
    submission: &'a Asked<'a>,
    documents: &'a [&'a Gist],
    /// Those of the nearest codes.
    nearest: Table,
}

/// Likenesses of sentences, or of groups of them, and documents.
struct Table {
    /// By document and sentence.
    all: Vec<Vec<i16>>,
    /// By sentence: those of the nearest documents, nearest first.
    sorted: Vec<Vec<i16>>,
}

impl<'a> Likenesses<'a> {
    /// Of groups to documents. Memory is 2 bytes for each group of the submission and document.
    pub(crate) fn of(
        submission: &'a Asked<'a>,
        documents: &'a [&'a Gist],
        leaders: Option<&Leaders>,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        let groups = submission.groups;
        let looked_at = leaders.map(|leaders| leaders.looked_at(groups));
        let all: Vec<u32> = (0..groups.len() as u32).collect();
        let compared = documents.par_iter().map(|gist| {
            job.check()?;
            let codes = gist.codes();
            Ok(match (&gist.order, &looked_at) {
                (Some(order), Some(looked_at)) => {
                    let codes: Vec<Code> = order.codes.iter().map(|&code| codes[code as usize]).collect();
                    let cells = looked_at.iter().enumerate();
                    let cells: Vec<_> = cells.map(|(cell, group)| (order.of_cell(cell), &group[..])).collect();
                    Cpu::best().run(Nearest { submission: groups, codes: &codes, groups: &cells })
                }
                _ => Cpu::best().run(Nearest { submission: groups, codes, groups: &[(0..codes.len(), &all)] }),
            })
        });
        let nearest = Table::of(compared.collect::<Result<_, Cancelled>>()?, groups.len());
        Ok(Likenesses { submission, documents, nearest })
    }

    /// The documents that are worth comparing sentence by sentence, the best first, each with its best places. Sentences count by
    /// their sizes.
    pub(crate) fn candidates(&self, job: &Job) -> Result<Vec<Candidate>, Cancelled> {
        let mut near = self.nearest.best(RUN, MOST_CHAINED);
        near.retain(|&document| !self.documents[document].codes().is_empty());
        let Asked { sentences, sizes, .. } = *self.submission;
        let weights: Vec<f32> = sizes.iter().map(|&size| weight(size)).collect();
        let chained = near.par_iter().map(|&document| {
            job.check()?;
            let mut chained = vec![(0, 0); sentences.len()];
            for part in self.parts(document) {
                let (submission, weights) = (&sentences[part.clone()], &weights[part.clone()]);
                let chains = Chains { submission, weights, codes: self.documents[document].codes() };
                chained[part].copy_from_slice(&Cpu::best().run(chains));
            }
            Ok(chained)
        });
        let chained: Vec<Vec<(i16, u32)>> = chained.collect::<Result<_, Cancelled>>()?;
        let likenesses = chained.iter().map(|chains| chains.iter().map(|&(likeness, _)| likeness).collect());
        let chains = Table::of(likenesses.collect(), sentences.len());
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
        let runs = self.nearest.runs(document, RUN, 2 * self.most_places());
        union(runs.into_iter().map(around).collect())
    }
}

impl Table {
    /// Of likenesses by document and sentence.
    fn of(all: Vec<Vec<i16>>, sentences: usize) -> Self {
        let sorted = (0..sentences).into_par_iter().map(|sentence| {
            let mut sorted: Vec<i16> = all.iter().map(|document| document[sentence]).collect();
            let count = (NEAREST + 1).min(sorted.len());
            if count > 0 {
                sorted.select_nth_unstable_by(count - 1, |a, b| b.cmp(a));
            }
            sorted.truncate(count);
            sorted.sort_unstable_by(|a, b| b.cmp(a));
            sorted
        });
        Table { sorted: sorted.collect(), all }
    }

    /// The documents with the best runs of so many sentences, the best first.
    fn best(&self, length: usize, most: usize) -> Vec<usize> {
        let best = |document: usize| {
            let gains = self.gains(document);
            let length = length.min(gains.len());
            (length > 0).then(|| gains.windows(length).map(|run| run.iter().sum::<i64>()).max().unwrap_or_default())
        };
        let mut found: Vec<(i64, usize)> =
            (0..self.all.len()).into_par_iter().filter_map(|document| Some((-best(document)?, document))).collect();
        found.sort_unstable();
        found.truncate(most);
        found.into_iter().map(|(_, document)| document).collect()
    }

    /// How much more like each sentence than expected a document is, in sixths of ten-thousandths.
    fn gains(&self, document: usize) -> Vec<i64> {
        let nearest = &self.all[document];
        // Where there is no other document, a sentence is expected to be as like it as its neighbours.
        let own: i64 = nearest.iter().map(|likeness| i64::from(*likeness)).sum();
        let alone = own * NEAREST as i64 / nearest.len().max(1) as i64;
        let gain = |(sentence, likeness): (usize, &i16)| {
            let others = self.sorted[sentence].iter().skip(1).take(NEAREST - 1);
            let count = others.len() as i64;
            let expected: i64 = others.map(|likeness| i64::from(*likeness)).sum();
            let expected = if count == 0 { alone } else { expected * NEAREST as i64 / count };
            let gain = i64::from(*likeness) * NEAREST as i64 - expected;
            gain.max(-MOST_LOSS * NEAREST as i64)
        };
        nearest.iter().enumerate().map(gain).collect()
    }

    /// The best runs of so many sentences in one document that do not overlap.
    fn runs(&self, document: usize, length: usize, most: usize) -> Vec<Range<usize>> {
        let gains = self.gains(document);
        let length = length.min(gains.len()).max(1);
        let mut runs: Vec<(i64, Range<usize>)> =
            gains.windows(length).enumerate().map(|(start, run)| (run.iter().sum(), start..start + length)).collect();
        runs.sort_by_key(|(gain, run)| (-gain, run.start));
        let mut taken: Vec<Range<usize>> = Vec::new();
        for (_, run) in runs {
            if taken.len() == most {
                break;
            }
            if taken.iter().all(|other| other.end <= run.start || run.end <= other.start) {
                taken.push(run);
            }
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
