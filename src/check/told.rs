//! Whether what a report tells agrees with itself: its number and its figures, computed anew from its passages.

use super::about::{About, Program, Reference, number_of};
use crate::score::ratios::Ratios;
use crate::score::recount::{Cover, Recount, recount};
use crate::score::segments::CountedSegment;
use crate::settings::Settings;
use crate::text::ranges::without;
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
    own_segments: Vec<Range<usize>>,
}

impl ToldPassage {
    fn covers(&self) -> Vec<Cover> {
        let covered = without(&self.segments, &self.own_segments).into_iter();
        covered.map(|segments| Cover { source: self.source, segments }).collect()
    }
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
    /// The ratios without some passages, by their places.
    #[doc(hidden)] // for `copytrace verify-report`, of pages with the decisions of a review
    pub fn ratios_without(&self, left_out: &[usize]) -> Ratios {
        let counted = |(at, passage): (usize, &ToldPassage)| (!left_out.contains(&at)).then(|| passage.covers());
        self.recounted(self.passages.iter().enumerate().filter_map(counted).flatten().collect()).ratios
    }

    fn recounted(&self, covers: Vec<Cover>) -> Recount {
        let own_work: Vec<bool> = self.sources.iter().map(|source| source.own_work).collect();
        recount(self.segments.clone(), &own_work, covers, self.ratios.in_short_runs.matched)
    }

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
        let is_inside = |passage: &ToldPassage| {
            passage.source < self.sources.len() && self.segments.get(passage.segments.clone()).is_some()
        };
        if !self.passages.iter().all(is_inside) {
            return Err(Contradiction::Passage);
        }
        let counted = self.recounted(self.passages.iter().flat_map(ToldPassage::covers).collect());
        let differs = |(source, matched): &(&ToldSource, u64)| source.matched != *matched;
        if let Some((source, _)) = self.sources.iter().zip(counted.of_sources).find(differs) {
            return Err(Contradiction::Source { id: source.id.clone() });
        }
        if counted.segments != self.segments || counted.ratios != self.ratios {
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
