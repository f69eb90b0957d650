//! A report's ratios when a person has decided that some of its passages do not count.

use super::report::{Ratio, Ratios, Report, Status};

impl Report {
    /// The ratios without the passages for which `left_out` says so, by their place in [`Report::passages`]. Without any left
    /// out they are the report's own; the denominators stay.
    pub fn ratios_without(&self, left_out: impl Fn(usize) -> bool) -> Ratios {
        // How many passages that count begin and end at each segment: of all, and of other authors' works.
        let mut changes = vec![(0i64, 0i64); self.segments.len() + 1];
        let mut of_source = vec![0u64; self.sources.len()];
        let mut counted_until = vec![0usize; self.sources.len()];
        for (_, passage) in self.passages.iter().enumerate().filter(|(at, _)| !left_out(*at)) {
            let foreign = i64::from(!self.sources[passage.source].own_work);
            for (at, sign) in [(passage.segments.start, 1), (passage.segments.end, -1)] {
                changes[at].0 += sign;
                changes[at].1 += sign * foreign;
            }
            // Passages are in the order of the submission, so what one adds to its source begins where the last ended.
            let until = &mut counted_until[passage.source];
            for segment in passage.segments.clone().skip_while(|at| at < until) {
                of_source[passage.source] += self.segments[segment].characters;
            }
            *until = passage.segments.end.max(*until);
        }
        let (mut all, mut without_quotes, mut without_own_work) = (0, 0, 0);
        let (mut holders, mut foreign) = (0, 0);
        for (segment, change) in self.segments.iter().zip(changes) {
            (holders, foreign) = (holders + change.0, foreign + change.1);
            if holders > 0 {
                all += segment.characters;
                without_quotes += if segment.status == Status::QuotedAndCited { 0 } else { segment.characters };
                without_own_work += if foreign > 0 { segment.characters } else { 0 };
            }
        }
        let total = self.ratios.all.characters;
        Ratios {
            all: Ratio::new(all, total),
            without_quotes: Ratio::new(without_quotes, total),
            without_own_work: Ratio::new(without_own_work, total),
            largest_source: Ratio::new(of_source.into_iter().max().unwrap_or(0), total),
            in_short_runs: self.ratios.in_short_runs,
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
        }
    }
}
