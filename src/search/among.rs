//! Who shares passages with whom among the documents of one index.

use super::candidates;
use crate::align::look::Look;
use crate::align::{Aligner, Match, Submission};
use crate::index::{Index, IndexError};
use crate::settings::Settings;
use crate::sketch::analysis::Analyser;
use rayon::prelude::*;

/// Of one document's candidates so many are aligned at most, so that a crowd of copies costs time linear in its size.
pub const MOST_CANDIDATES: usize = 200;

/// Two documents that share a passage.
#[derive(Debug, Clone, PartialEq)]
pub struct Sharing {
    /// The number of the one that comes first in the index.
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
    /// Candidates that were not aligned: very many documents hold what the two share, or one had [`MOST_CANDIDATES`] others.
    pub left_out: usize,
}

/// Aligns each document with those that retrieval finds for it, in either direction.
///
/// # Errors
/// When the index is damaged.
pub fn find(index: &Index, settings: &Settings) -> Result<Found, IndexError> {
    let mut documents: Vec<u32> = index.documents().collect();
    documents.sort_unstable();
    let candidates = |analyser: &mut Analyser, document: u32| -> Result<(Vec<(u32, u32)>, usize), IndexError> {
        let analysis = analyser.of_stored(index.document(document)?);
        let mut found = candidates::find(index, &analysis, &settings.retrieval, None)?;
        let mut others = std::mem::take(&mut found.documents);
        let prepared = Submission::new(&analysis.units);
        let mut look = Look::new(&prepared, &settings.align);
        for sharing in found.sharing.iter().filter(|sharing| sharing.document != document) {
            if found.worth_while(sharing, index, &mut look)? {
                others.push(sharing.document);
            }
        }
        others.retain(|&other| other != document);
        others.sort_unstable();
        let left_out = others.len().saturating_sub(MOST_CANDIDATES) + found.passed_over as usize;
        others.truncate(MOST_CANDIDATES);
        let pair = |other: u32| (document.min(other), document.max(other));
        Ok((others.into_iter().map(pair).collect(), left_out))
    };
    let found: Vec<(Vec<(u32, u32)>, usize)> = documents
        .into_par_iter()
        .map_init(|| Analyser::new(&settings.sketch), |analyser, document| candidates(analyser, document))
        .collect::<Result<_, _>>()?;
    let left_out = found.iter().map(|(_, left_out)| left_out).sum();
    let mut pairs: Vec<(u32, u32)> = found.into_iter().flat_map(|(pairs, _)| pairs).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let align = |aligner: &mut Aligner, pairs: &[(u32, u32)]| -> Result<Vec<Sharing>, IndexError> {
        let units = index.document(pairs[0].0)?.units;
        let prepared = Submission::new(&units);
        let mut shared = Vec::new();
        for &(first, second) in pairs {
            let matches = aligner.align(&prepared, &index.document(second)?.units);
            if !matches.is_empty() {
                shared.push(Sharing { first, second, matches });
            }
        }
        Ok(shared)
    };
    // Collecting in parallel keeps the order of the pairs.
    let of_one: Vec<&[(u32, u32)]> = pairs.chunk_by(|a, b| a.0 == b.0).collect();
    let shared: Vec<Vec<Sharing>> = of_one
        .into_par_iter()
        .map_init(|| Aligner::new(settings.align), |aligner, pairs| align(aligner, pairs))
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

    /// Words that no other number gives.
    fn own(number: usize) -> String {
        (0..150).map(|at| format!("word{number}n{at} ")).collect()
    }

    #[test]
    fn a_passage_is_found_in_both_documents_and_in_no_other() {
        let common = "the grey tide leaves a thin layer of silt between the stems of the marsh twice a day and every \
                      spring the reeds grow out of last year's mud while the herons wait along the channel for eels";
        let index = index(&[own(1) + common + &own(2), own(3), own(4), own(5) + common]);
        let found = find(&index, &Settings::default()).unwrap();
        assert_eq!(found.left_out, 0);
        assert_eq!(found.pairs.iter().map(|pair| (pair.first, pair.second)).collect::<Vec<_>>(), [(0, 3)]);
        let [passage] = &found.pairs[0].matches[..] else { panic!("one passage: {found:?}") };
        assert!(passage.submission.len() > 20 && passage.submission.len() == passage.source.len(), "{passage:?}");
    }

    #[test]
    fn of_a_crowd_of_copies_each_is_aligned_with_a_bounded_number() {
        let texts = vec![own(1); MOST_CANDIDATES + 21];
        let found = find(&index(&texts), &Settings::default()).unwrap();
        assert!(found.left_out > 100 * texts.len(), "{}", found.left_out);
        assert!(found.pairs.len() <= MOST_CANDIDATES * texts.len());
        let linked: std::collections::BTreeSet<u32> =
            found.pairs.iter().flat_map(|pair| [pair.first, pair.second]).collect();
        assert_eq!(linked.len(), texts.len());
    }
}
