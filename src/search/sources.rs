//! Which of very many sources are reported.

use super::submission::Source;
use crate::align::Match;

/// So many sources of a submission are reported at most, besides those that no others can stand in for.
pub const MOST_SOURCES: usize = 200;

/// Leaves out sources that share nothing with the submission of `units` units but what better sources share too, when there are more
/// than [`MOST_SOURCES`]. A better one shares more units; of equal ones the first by id. Gives how many were left out.
pub fn leave_out_repeated(sources: &mut Vec<Source>, units: usize) -> usize {
    if sources.len() <= MOST_SOURCES {
        return 0;
    }
    let shared = |source: &Source| source.matches.iter().map(|found| found.submission.len()).sum::<usize>();
    // The sort is stable, and the sources are in the order of their ids.
    let mut order: Vec<usize> = (0..sources.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(shared(&sources[at])));
    let mut covered = vec![false; units];
    let mut kept = vec![false; sources.len()];
    let mut left = MOST_SOURCES;
    for at in order {
        let has_more = cover(&sources[at].matches, &mut covered);
        kept[at] = has_more || left > 0;
        left = left.saturating_sub(1);
    }
    let before = sources.len();
    let mut kept = kept.into_iter();
    sources.retain(|_| kept.next().unwrap_or(true));
    before - sources.len()
}

/// Covers the units of matches, and tells whether one was not covered before.
fn cover(matches: &[Match], covered: &mut [bool]) -> bool {
    let mut has_more = false;
    for found in matches {
        for unit in covered.iter_mut().take(found.submission.end as usize).skip(found.submission.start as usize) {
            has_more |= !std::mem::replace(unit, true);
        }
    }
    has_more
}

#[cfg(test)]
mod tests {
    use super::super::submission::check;
    use super::*;
    use crate::index::IndexWriter;
    use crate::settings::Settings;
    use crate::sketch::analysis::Analyser;
    use crate::text::Document;

    #[test]
    fn of_very_many_sources_those_stay_that_share_what_no_other_does() {
        let settings = Settings::default();
        let mut analyser = Analyser::new(&settings.sketch);
        let words = |name: &str, count: usize| (0..count).map(|at| format!("{name}{at} ")).collect::<String>();
        let passages: Vec<String> = (0..4).map(|passage| words(&format!("passage{passage}n"), 60)).collect();
        let mut writer = IndexWriter::in_memory(&settings.sketch).unwrap();
        // Three passages of 150 documents each, and one that only the last document has.
        for number in 0..451 {
            let text = words(&format!("own{number}n"), 50) + &passages[number / 150];
            let document = Document { id: format!("{number:04}"), ..Document::default() };
            writer.add(&document, Vec::new(), 0, &analyser.analyse(&text).with_fingerprint(0)).unwrap();
        }
        let index = writer.into_index().unwrap();
        let submission = analyser.analyse(&(words("mine", 80) + &passages.concat())).with_fingerprint(0);
        let findings = check(&index, &submission, &settings, |_| true).unwrap();
        assert!((MOST_SOURCES..MOST_SOURCES + 4).contains(&findings.sources.len()), "{}", findings.sources.len());
        assert_eq!(findings.further_sources, 451 - findings.sources.len());
        assert_eq!(findings.sources.last().map(|source| source.record.id.as_str()), Some("0450"));
        let mut covered = vec![false; submission.units.len()];
        for source in &findings.sources {
            cover(&source.matches, &mut covered);
        }
        assert_eq!(covered.iter().filter(|unit| **unit).count(), 240);
    }
}
