//! What a submission says in other words, or in another language, than a source: what a second look finds, which changes nothing of
//! the first.

use crate::score::Countable;
use crate::score::exclusion::units_within;
use crate::score::ratios::Ratio;
use crate::text::units::Units;
use copytrace_semantic::Manner;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Of a passage at least this share must count and be found by nothing else. Chosen by hand.
const LEAST_NEW: f64 = 0.5;

/// A passage that says what a passage of a source says: a reason to read both, and no proof. It is in no ratio of copied text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Resemblance {
    /// The source's id.
    pub source: String,
    /// Its title, where known.
    pub title: Option<String>,
    /// How it says so.
    pub kind: Manner,
    /// Where it stands in the submission, in characters.
    pub submission: Range<u32>,
    /// Where it stands in the source.
    pub source_span: Range<u32>,
    /// How much more alike they are than texts of one subject; texts that say nothing alike have about 0, and passages 10 or more.
    pub evidence: f64,
    /// The source's wording.
    pub source_text: String,
    /// Which sentences of the submission say which of the source.
    pub links: Vec<(Range<u32>, Range<u32>)>,
    /// Which words of linked sentences translate each other by the model's dictionary.
    #[serde(default)]
    pub words: Vec<(Range<u32>, Range<u32>)>,
}

/// What the second look found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Resemblances {
    /// The name of the model.
    pub model: String,
    /// Countable characters of passages that are translated, of those of the submission.
    pub translated: Ratio,
    /// The same of those that are retold.
    pub retold: Ratio,
    /// Languages (ISO 639-1) of parts of the submission that the model does not know: nothing was looked for there.
    #[serde(default)]
    pub unknown_languages: Vec<String>,
    /// The passages, in the order of the submission.
    pub passages: Vec<Resemblance>,
}

/// What was found, before it is counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Found {
    pub(super) model: String,
    pub(super) unknown_languages: Vec<String>,
    pub(super) passages: Vec<Resemblance>,
}

impl Found {
    /// Counts what was found; what mostly stands in parts that do not count, or was found to be copied, is left out.
    pub(super) fn counted(&self, units: &Units, counted: &Countable, copied: &[Range<u32>]) -> Resemblances {
        let all = Countable::new(units);
        let is_new = |passage: &&Resemblance| {
            let within = units_within(units, &passage.submission);
            let inside = copied.iter().map(|range| range.start.max(within.start)..range.end.min(within.end));
            let known = counted.of_union(inside.filter(|range| range.start < range.end));
            (counted.of(&within) - known) as f64 >= LEAST_NEW * all.of(&within) as f64
        };
        let mut passages: Vec<Resemblance> = self.passages.iter().filter(is_new).cloned().collect();
        passages.sort_by(|a, b| {
            let place = |of: &Resemblance| (of.submission.start, of.submission.end, of.source_span.start);
            place(a).cmp(&place(b)).then_with(|| a.source.cmp(&b.source))
        });
        let ratio = |kind: Manner| {
            let of_kind = passages.iter().filter(|passage| passage.kind == kind);
            let units = of_kind.flat_map(|passage| &passage.links).map(|(here, _)| units_within(units, here));
            Ratio::new(counted.of_union(units), counted.total())
        };
        let (translated, retold) = (ratio(Manner::Translated), ratio(Manner::Retold));
        let (model, unknown_languages) = (self.model.clone(), self.unknown_languages.clone());
        Resemblances { model, translated, retold, unknown_languages, passages }
    }
}
