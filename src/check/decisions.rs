//! A report without some of its sources, and its ratios when a person has decided that some passages do not count.

use super::report::{Passage, Report, Source, others, own_work};
use crate::score::ratios::{Ratio, Ratios};
use crate::score::recount::{Cover, recount};
use crate::score::segments::{self, Status};
use crate::text::NotCounted;
use std::ops::Range;

impl Report {
    /// The ratios without the passages for which `left_out` says so, by their place in [`Report::passages`]. Without any left
    /// out they are the report's own; the denominators stay.
    pub fn ratios_without(&self, left_out: impl Fn(usize) -> bool) -> Ratios {
        let counts = self.passages.iter().enumerate().filter(|(at, _)| !left_out(*at));
        let covers: Vec<Cover> = counts.flat_map(|(_, passage)| passage.covers()).collect();
        recount(self.segments.clone(), &own_work(&self.sources), covers, self.ratios.in_short_runs.matched).ratios
    }

    /// The report as if some sources were not there: their ids. Their passages go with them, and every ratio is counted anew,
    /// exactly; what the other sources share stays as it is, except that they are credited with what the lost ones had before them.
    pub fn without(&self, ids: &[&str]) -> Report {
        let is_kept = |source: &Source| !ids.contains(&source.id.as_str());
        let mut next = 0..;
        let ranks: Vec<Option<usize>> =
            self.sources.iter().map(|source| is_kept(source).then(|| next.next()).flatten()).collect();
        let kept = |passages: &[Passage]| -> Vec<Passage> {
            let kept = |passage: &Passage| Some(Passage { source: ranks[passage.source]?, ..passage.clone() });
            passages.iter().filter_map(kept).collect()
        };
        let mut report = self.clone();
        report.sources.retain(is_kept);
        (report.passages, report.weak) = (kept(&self.passages), kept(&self.weak));
        let short_runs = report.ratios.in_short_runs.matched;
        let counted = recount(
            report.segments,
            &own_work(&report.sources),
            report.passages.iter().flat_map(Passage::covers).collect(),
            short_runs,
        );
        (report.segments, report.ratios) = (counted.segments, counted.ratios);
        for passage in &mut report.passages {
            passage.others = others(&counted.holders, &passage.segments);
        }
        report.count_parts(|_| true);
        let of_own_work: Vec<&Range<u32>> = report
            .passages
            .iter()
            .filter(|passage| report.sources[passage.source].own_work)
            .map(|passage| &passage.submission)
            .collect();
        report
            .excluded
            .retain(|span| span.reason != NotCounted::OwnWork || of_own_work.contains(&&(span.start..span.end)));
        report.number = report.computed_number();
        report
    }

    /// The report as it is shown after a review: passages for which `left_out` says so do not count, as [`NotCounted::LeftOutInReview`], and
    /// every figure is counted without them. Text that they alone cover stays marked, as not counted. The number stays that of
    /// the report as found, so this is to be rendered and not to be verified.
    #[doc(hidden)] // for pages and sheets of the service
    pub fn reviewed(&self, left_out: impl Fn(usize) -> bool) -> Report {
        let mut report = self.clone();
        for (_, passage) in report.passages.iter_mut().enumerate().filter(|(at, _)| left_out(*at)) {
            (passage.status, passage.excluded) = (Status::Excluded, Some(NotCounted::LeftOutInReview));
        }
        let counts = |passage: &Passage| passage.excluded != Some(NotCounted::LeftOutInReview);
        let covers = report.passages.iter().filter(|passage| counts(passage)).flat_map(Passage::covers).collect();
        let short_runs = report.ratios.in_short_runs.matched;
        let counted = recount(report.segments, &own_work(&report.sources), covers, short_runs);
        (report.segments, report.ratios) = (counted.segments, counted.ratios);
        for (source, matched) in report.sources.iter_mut().zip(counted.of_sources) {
            (source.matched, source.ratio) = (matched, Ratio::new(matched, report.ratios.all.characters).ratio);
        }
        report.count_parts(counts);
        for (segment, found) in report.segments.iter_mut().zip(&self.segments) {
            if found.matched && !segment.matched {
                (segment.matched, segment.status) = (true, Status::Excluded);
            }
        }
        report
    }

    /// Credits the sources anew, in the order in which they stand, with the passages that count, and the chapters with the segments.
    fn count_parts(&mut self, counts: impl Fn(&Passage) -> bool) {
        let mut credited = vec![false; self.segments.len()];
        for (rank, source) in self.sources.iter_mut().enumerate() {
            source.credited = 0;
            let passages = self.passages.iter().filter(|passage| passage.source == rank && counts(passage));
            for at in passages.flat_map(Passage::covered).flatten() {
                if !std::mem::replace(&mut credited[at], true) {
                    source.credited += self.segments[at].characters;
                }
            }
        }
        for chapter in &mut self.chapters {
            let within = segments::covered(&self.segments, &(chapter.start..chapter.end));
            let matched = segments::matched(&self.segments[within], |_| true);
            chapter.ratio = Ratio::new(matched, chapter.ratio.characters);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::check::{Checker, LibraryBuilder, Report, Rules};
    use crate::job::Job;
    use crate::settings::Settings;
    use crate::text::Document;
    use proptest::prelude::*;

    const SENTENCES: [&str; 6] = [
        "Each tide leaves a thin layer of silt between the stems of the grass, and the surface grows by a few millimetres",
        "The piano was tuned twice a year by a man who came over the pass with his tools in a leather bag and told stories",
        "District nurses went from farm to farm on bicycles, and what they wrote down at night is kept in the town archive",
        "潮汐沼泽的表面每年升高几毫米，因为每一次涨潮都会在草茎之间留下一层很薄的淤泥，年复一年地堆积起来",
        "风筝的骨架用竹篾扎成，糊上桑皮纸，再画上燕子或者鲤鱼的图案，春天里孩子们拿到河滩上去放",
        "“The harbour was closed for seven winters in a row, and the boats were drawn up on the shore beyond the mill” [3]",
    ];

    fn document(id: &str, sentences: &[usize]) -> Document {
        let text: Vec<String> =
            sentences.iter().map(|&at| format!("{}. Then {id} went on by itself.", SENTENCES[at])).collect();
        Document { id: id.to_owned(), text: text.join("\n\n"), ..Document::default() }
    }

    fn report(sources: &[Vec<usize>], own_work: &[String]) -> Report {
        let settings = Settings::default();
        let mut library = LibraryBuilder::new(&settings.sketch).unwrap();
        let documents =
            sources.iter().zip(0..).map(|(sentences, n)| document(&format!("source{n}"), sentences)).collect();
        assert_eq!(library.add(documents, &Job::default()).unwrap(), []);
        let rules = Rules { own_work: own_work.to_vec(), ..Rules::default() };
        let checker = Checker::new(library.finish().unwrap().into(), settings, rules);
        checker.check(document("thesis", &[0, 1, 2, 3, 4, 5]), &Job::default()).unwrap().report()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn leaving_out_a_source_gives_the_ratios_of_a_library_without_it(
            sources in proptest::collection::vec(proptest::sample::subsequence((0..6).collect::<Vec<_>>(), 1..5), 2..5),
            own in any::<bool>(),
        ) {
            let own_work: Vec<String> = own.then(|| "source0".to_owned()).into_iter().collect();
            let whole = report(&sources, &own_work);
            prop_assert_eq!(whole.ratios_without(|_| false), whole.ratios);
            let last = format!("source{}", sources.len() - 1);
            let without = report(&sources[..sources.len() - 1], &own_work);
            let left_out = |at: usize| whole.sources[whole.passages[at].source].id == last;
            prop_assert_eq!(whole.ratios_without(left_out), without.ratios);
            prop_assert_eq!(whole.ratios_without(|_| true).all.matched, 0);
            let reviewed = whole.reviewed(left_out);
            prop_assert_eq!(reviewed.ratios, without.ratios);
            prop_assert_eq!(&reviewed.chapters, &without.chapters);
            let counted = |report: &Report| report.sources.iter().map(|s| (s.matched, s.credited)).filter(|s| s.0 > 0).collect::<Vec<_>>();
            prop_assert_eq!(counted(&reviewed), counted(&without));
            prop_assert_eq!(whole.reviewed(|_| false), whole);
        }
    }
}
