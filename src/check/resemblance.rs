//! What a submission says in other words, or in another language, than a source: a second look, which changes nothing of the
//! first.

use super::error::CheckError;
use super::findings::Findings;
use super::library::Library;
use crate::index::{Index, IndexError};
use crate::job::{Job, Stage};
use crate::score::Countable;
use crate::score::exclusion::units_within;
use crate::score::ratios::Ratio;
use crate::text::char_text::CharText;
use crate::text::units::Units;
use copytrace_semantic::{Gist, Manner, Model, Shelf};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Of a passage at least this share must count and be found by nothing else. Chosen by hand.
const LEAST_NEW: f64 = 0.5;

/// Sentences whose vectors are kept, 2 kB each: of those of other documents the ones that are looked at are computed again.
const MOST_VECTORS: usize = 50_000;

/// A model, and what it makes of the documents of a library.
pub struct Meanings {
    model: Arc<Model>,
    /// By document.
    gists: Vec<(u32, Gist)>,
}

/// How a passage says what another says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Resembling {
    /// In another language.
    Translated,
    /// In other words.
    Retold,
}

impl Resembling {
    /// Its name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Resembling::Translated => "translated",
            Resembling::Retold => "retold",
        }
    }
}

/// A passage that says what a passage of a source says: a reason to read both, and no proof. It is in no ratio of copied text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Resemblance {
    /// The source's id.
    pub source: String,
    /// Its title, where known.
    pub title: Option<String>,
    /// How it says so.
    pub kind: Resembling,
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
    /// The passages, in the order of the submission.
    pub passages: Vec<Resemblance>,
}

impl Meanings {
    /// What a model makes of the documents of a library. That is slow (some seconds for a megabyte of text): each is a step of
    /// [`Stage::Reading`]. Documents whose text the library does not keep are left out.
    ///
    /// # Errors
    /// When the job was cancelled, or the index is damaged.
    pub fn of(library: &Library, model: Arc<Model>, job: &Job) -> Result<Self, CheckError> {
        let index = library.index();
        let documents: Vec<u32> = index.documents().collect();
        let kept = AtomicUsize::new(0);
        let gist = |document: u32| -> Result<Option<(u32, Gist)>, CheckError> {
            job.check()?;
            let read = read(index, document)?;
            let gist = read.map(|(text, units)| model.gist(&text, &units, job)).transpose()?;
            job.advance(Stage::Reading, 1);
            let fits =
                |gist: &Gist| kept.fetch_add(gist.sentences(), Ordering::Relaxed) + gist.sentences() <= MOST_VECTORS;
            Ok(gist.map(|gist| (document, if fits(&gist) { gist } else { gist.without_vectors() })))
        };
        let gists: Result<Vec<_>, CheckError> = documents.into_par_iter().map(gist).collect();
        Ok(Meanings { model, gists: gists?.into_iter().flatten().collect() })
    }

    /// How many documents can be compared.
    pub fn len(&self) -> usize {
        self.gists.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.gists.is_empty()
    }

    /// What a submission says that documents say; only of those that `admits` lets through.
    pub(super) fn look(
        &self,
        findings: &Findings,
        index: &Index,
        admits: impl Fn(u32) -> Result<bool, IndexError>,
        job: &Job,
    ) -> Result<Found, CheckError> {
        let mut admitted = Vec::new();
        for entry in &self.gists {
            if admits(entry.0)? {
                admitted.push(entry);
            }
        }
        let shelf = Admitted { index, documents: admitted };
        let text = findings.submission.visible();
        let mut passages = Vec::new();
        for found in self.model.look(&text, findings.units(), &shelf, job)? {
            let document = shelf.documents[found.document].0;
            let (record, text) = (index.record(document)?, index.text(document)?.unwrap_or_default());
            passages.push(Resemblance {
                source: record.id,
                title: record.metadata.title,
                kind: match found.manner {
                    Manner::Translated => Resembling::Translated,
                    Manner::Retold => Resembling::Retold,
                },
                source_text: CharText::new(&text).slice(&found.source).to_owned(),
                submission: found.submission,
                source_span: found.source,
                evidence: f64::from(found.evidence),
                links: found.links,
            });
        }
        Ok(Found { model: self.model.name().to_owned(), passages })
    }
}

/// What was found, before it is counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Found {
    model: String,
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
        let ratio = |kind: Resembling| {
            let of_kind = passages.iter().filter(|passage| passage.kind == kind);
            let units = of_kind.flat_map(|passage| &passage.links).map(|(here, _)| units_within(units, here));
            Ratio::new(counted.of_union(units), counted.total())
        };
        let (translated, retold) = (ratio(Resembling::Translated), ratio(Resembling::Retold));
        Resemblances { model: self.model.clone(), translated, retold, passages }
    }
}

/// The documents that a submission is compared with.
struct Admitted<'a> {
    index: &'a Index,
    documents: Vec<&'a (u32, Gist)>,
}

impl Shelf for Admitted<'_> {
    type Error = CheckError;

    fn gists(&self) -> Vec<&Gist> {
        self.documents.iter().map(|(_, gist)| gist).collect()
    }

    fn text(&self, document: usize) -> Result<Option<(String, Units)>, CheckError> {
        Ok(read(self.index, self.documents[document].0)?)
    }
}

/// A document's text and its units, if it is kept.
fn read(index: &Index, document: u32) -> Result<Option<(String, Units)>, IndexError> {
    let text = index.text(document)?;
    text.map(|text| Ok((text, index.text_units(document)?))).transpose()
}
