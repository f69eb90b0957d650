//! Whether what a report tells agrees with itself: its number and its figures, computed anew from its passages.

use super::report::{About, CountedSegment, Program, Ratios, Reference, number_of};
use crate::settings::Settings;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What a report tells that its number and figures can be computed from: a part of the JSON form, and of what a page holds for
/// its script.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Told {
    /// The form of the report.
    pub format: String,
    /// What made it.
    pub program: Program,
    /// Its number.
    pub number: String,
    /// The submission.
    pub submission: About,
    /// What it was checked against.
    pub corpus: Reference,
    /// What the search was set to.
    pub settings: Settings,
    /// The ratios.
    pub ratios: Ratios,
    sources: Vec<ToldSource>,
    passages: Vec<ToldPassage>,
    segments: Vec<CountedSegment>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct ToldSource {
    id: String,
    own_work: bool,
    matched: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct ToldPassage {
    source: usize,
    submission: Range<u32>,
    source_span: Range<u32>,
    segments: Range<usize>,
}

/// What of a report cannot have been written by the program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
#[cfg_attr(test, derive(strum::EnumIter))]
#[non_exhaustive]
pub enum Contradiction {
    /// The report's number is another than that of what it tells.
    #[error("its number is {told}, but what it tells has the number {computed}")]
    #[serde(rename = "other-number")]
    Number {
        /// The one it has.
        told: String,
        /// The one it should have.
        computed: String,
    },
    /// A ratio is another than its passages give.
    #[error("its figures are not those of its passages")]
    #[serde(rename = "other-ratios")]
    Ratios,
    /// A source's figure is another than its passages give.
    #[error("{id}: its figure is not that of its passages")]
    #[serde(rename = "other-source-ratio")]
    Source {
        /// The source.
        id: String,
    },
    /// A passage is where nothing is.
    #[error("a passage lies outside the text or has no source")]
    #[serde(rename = "passage-outside")]
    Passage,
}

impl Told {
    /// Computes the number and all figures anew.
    ///
    /// # Errors
    /// The first thing that does not agree.
    pub fn verify(&self) -> Result<(), Contradiction> {
        let passages: Vec<_> = self.passages.iter().map(|p| (p.source, &p.submission, &p.source_span)).collect();
        let Told { program, submission, corpus, settings, ratios, .. } = self;
        let computed = number_of(program, submission, corpus, settings, ratios, &passages);
        if computed != self.number {
            return Err(Contradiction::Number { told: self.number.clone(), computed });
        }
        // For each segment: whether others' works, and whether any, cover it; and of each source which segments it has.
        let mut covered = vec![(false, false); self.segments.len()];
        let mut of_sources = vec![Vec::new(); self.sources.len()];
        for passage in &self.passages {
            let range = passage.segments.clone();
            let (Some(covered), Some(source), Some(of_source)) =
                (covered.get_mut(range.clone()), self.sources.get(passage.source), of_sources.get_mut(passage.source))
            else {
                return Err(Contradiction::Passage);
            };
            covered.iter_mut().for_each(|(others, any)| (*others, *any) = (*others || !source.own_work, true));
            of_source.push(range);
        }
        let mut largest = 0;
        for (source, mut ranges) in self.sources.iter().zip(of_sources) {
            ranges.sort_by_key(|range| range.start);
            let (mut matched, mut done) = (0, 0);
            for range in ranges {
                let range = range.start.max(done)..range.end.max(done);
                matched += self.segments[range.clone()].iter().map(|segment| segment.characters).sum::<u64>();
                done = range.end;
            }
            if matched != source.matched {
                return Err(Contradiction::Source { id: source.id.clone() });
            }
            largest = largest.max(matched);
        }
        let segments = self.segments.iter().zip(covered).map(|(segment, (others, any))| CountedSegment {
            matched: any,
            own_work: any && !others,
            ..segment.clone()
        });
        let segments: Vec<CountedSegment> = segments.collect();
        if segments != self.segments
            || Ratios::new(&segments, largest, self.ratios.in_short_runs.matched) != self.ratios
        {
            return Err(Contradiction::Ratios);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Contradiction;
    use strum::IntoEnumIterator;

    #[test]
    fn every_contradiction_has_its_message_in_every_language() {
        copytrace_messages::told_everywhere(Contradiction::iter()).unwrap();
    }
}
