//! One submission against an index: candidates, exact figures, aligned passages.

use super::candidates::{self, Worth};
use super::frequencies::Frequencies;
use super::holders::Holders;
use super::{DocumentSimilarity, Profile, SearchError};
use crate::align::look::Look;
use crate::align::{Aligner, Match, Submission};
use crate::index::{Index, Record};
use crate::job::{Job, Stage};
use crate::settings::Settings;
use crate::sketch::analysis::Analysis;
use crate::text::ranges::union;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::LazyLock;

/// A document of the index that shares text with the submission.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// The number of the document in the index.
    pub document: u32,
    /// What the index's catalogue knows of it.
    pub record: Record,
    /// How similar the two are as wholes; the submission is the first.
    pub similarity: DocumentSimilarity,
    /// The passages they share, in the order of the submission.
    pub matches: Vec<Match>,
    /// The passages that are too thin to count ([`Match::weak`]), in the order of the submission.
    pub weak: Vec<Match>,
}

/// All that was found for one submission.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Findings {
    /// The sources, in the order of their ids.
    pub sources: Vec<Source>,
    /// How many candidates were verified and aligned.
    pub candidates: usize,
    /// Keys of the submission that very many documents hold, so that only some of these were looked at.
    pub frequent_keys: usize,
    /// How many documents of this index hold what stands at each place of the submission.
    pub holders: Holders,
    /// Where runs of six words or eight Han characters and more stand in some document around a rare key, in units of the
    /// submission, in order and apart: each too short to be a passage.
    pub short_runs: Vec<Range<u32>>,
}

/// Documents that one thread looks at, at least: it needs tables as long as the submission.
const LOOKED_AT_TOGETHER: usize = 32;

/// Checks one submission against the documents that `admits` lets through. A document of the index is a source when the two
/// share a passage, or when they are as similar as `settings.threshold` asks; nothing is reported from an estimate alone. With what
/// was counted in several indexes (`frequencies`), each finds what one index of all their documents would find in its part.
///
/// # Errors
/// When the index is damaged, or the job was cancelled.
pub fn check(
    index: &Index,
    frequencies: Option<&Frequencies>,
    submission: &Analysis,
    settings: &Settings,
    admits: impl Fn(&Record) -> bool,
    job: &Job,
) -> Result<Findings, SearchError> {
    let found = candidates::find(index, submission, &settings.retrieval, frequencies)?;
    let prepared = Submission::new(&submission.units);
    let aligner = Aligner::new(settings.align).ended_by(&job.cancel);
    let looked: Vec<(u32, Worth, Vec<Range<u32>>)> = found
        .sharing
        .par_iter()
        .with_min_len(LOOKED_AT_TOGETHER)
        .map_init(
            || Look::new(&prepared, &aligner),
            |look, sharing| {
                job.check()?;
                Ok((sharing.document, found.worth(sharing, index, look)?, look.take_runs()))
            },
        )
        .collect::<Result<_, SearchError>>()?;
    let mut admitted = Vec::new();
    let mut short_runs = Vec::new();
    let whole = found.documents.iter().map(|document| (*document, Worth::Whole, Vec::new()));
    for (document, worth, runs) in whole.chain(looked) {
        job.check()?;
        if worth == Worth::Nothing && runs.is_empty() {
            continue;
        }
        let record = index.record(document)?;
        if admits(&record) {
            short_runs.extend(runs);
            if worth != Worth::Nothing {
                admitted.push((document, worth, record));
            }
        }
    }
    let short_runs = union(short_runs);
    // Of documents with one id in several folders the first folder's counts.
    admitted.sort_by(|a, b| (&a.2.id, a.0).cmp(&(&b.2.id, b.0)));
    admitted.dedup_by(|later, first| later.2.id == first.2.id);
    let candidates = admitted.len();
    // Made for the first source, because it needs the fingerprint.
    let profile = LazyLock::new(|| Profile::from(submission));
    let profiler = Profile::maker(&settings.sketch);
    let verify = |aligner: &mut Aligner,
                  (document, worth, record): (u32, Worth, Record)|
     -> Result<Option<Source>, SearchError> {
        job.check()?;
        let mut stored = index.document(document)?;
        let units = std::mem::take(&mut stored.units);
        let matches = match worth {
            Worth::Around(places) => aligner.align_around(&prepared, &units, &places),
            _ => None,
        };
        let matches = matches.unwrap_or_else(|| aligner.align(&prepared, &units));
        job.check()?;
        job.advance(Stage::Aligning, 1);
        let (weak, matches): (Vec<Match>, Vec<Match>) = matches.into_iter().partition(|m| m.weak);
        if matches.is_empty()
            && weak.is_empty()
            && submission.shingles.overlap(&stored.shingles).jaccard() < settings.threshold
        {
            return Ok(None);
        }
        let similarity = DocumentSimilarity::of(&profile, &profiler(stored), settings);
        Ok(Some(Source { document, record, similarity, matches, weak }))
    };
    // Already in the order of the ids, which collecting in parallel keeps.
    let sources: Vec<Source> = admitted
        .into_par_iter()
        .map_init(|| aligner.clone(), |aligner, candidate| verify(aligner, candidate))
        .filter_map(Result::transpose)
        .collect::<Result<_, _>>()?;
    Ok(Findings { sources, candidates, frequent_keys: found.frequent_keys, holders: found.holders, short_runs })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::IndexWriter;
    use crate::sketch::analysis::Analyser;
    use crate::text::Document;

    #[test]
    fn the_fingerprint_of_a_submission_is_made_for_sources_alone() {
        let settings = Settings::default();
        let mut analyser = Analyser::new(&settings.sketch);
        let copied = "每一次潮水都在植物的茎之间留下薄薄一层淤泥，地面随着海面一起升高，直到下一场风暴把它带走。";
        let other = "乡镇图书馆冬天借出的小说比夏天多，账册表明如此。";
        let mut writer = IndexWriter::in_memory(&settings.sketch).unwrap();
        let document = Document { id: "source".into(), text: copied.into(), ..Document::default() };
        writer.add(&document, Vec::new(), 0, &analyser.analyse(copied)).unwrap();
        let index = writer.into_index().unwrap();
        for (text, sources) in [(other, 0), (copied, 1)] {
            let submission = analyser.analyse(text);
            let findings = check(&index, None, &submission, &settings, |_| true, &Job::default()).unwrap();
            assert_eq!(findings.sources.len(), sources);
            assert_eq!(submission.has_fingerprint(), sources > 0);
        }
    }

    /// Words that no other number gives.
    fn own(number: usize, words: usize) -> String {
        (0..words).map(|at| format!("word{number}n{at} ")).collect()
    }

    #[test]
    fn what_many_long_documents_hold_is_found_in_each_as_in_one() {
        let settings = Settings::default();
        let mut analyser = Analyser::new(&settings.sketch);
        let declaration = "the tide leaves a thin layer of silt between the stems of the marsh twice a day and every spring the \
                           reeds grow out of last year's mud while herons wait along the channel for eels ";
        // The last reaches further than what is aligned around a place.
        for common in [declaration.to_owned(), own(9000, 30) + declaration + &own(9001, 1000)] {
            let submission = analyser.analyse(&(own(0, 500) + &common + &own(1, 500)));
            let mut found_of = |documents: usize| {
                let mut writer = IndexWriter::in_memory(&settings.sketch).unwrap();
                for number in 0..documents {
                    let text = own(10 + number, 2500) + &common + &own(100 + number, 2500);
                    let document = Document { id: format!("{number:03}"), ..Document::default() };
                    writer.add(&document, Vec::new(), 0, &analyser.analyse(&text)).unwrap();
                }
                let index = writer.into_index().unwrap();
                check(&index, None, &submission, &settings, |_| true, &Job::default()).unwrap()
            };
            let [alone] = &found_of(1).sources[..] else { panic!("one source") };
            let among_many = found_of(30);
            assert_eq!(among_many.sources.len(), 30);
            for source in among_many.sources {
                assert_eq!((source.matches, source.weak), (alone.matches.clone(), alone.weak.clone()));
            }
        }
    }
}
