//! What was found for one submission, before it is counted.

use super::about::Reference;
use super::error::CheckError;
use super::resemblance;
use super::surroundings;
use crate::align::Match;
use crate::score::exclusion;
use crate::score::labels;
use crate::score::wording::Wording;
use crate::search::DocumentSimilarity;
use crate::search::holders::HolderCounts;
use crate::settings::Settings;
use crate::sketch::analysis::Analysis;
use crate::text::char_text::CharText;
use crate::text::normalise::Normalised;
use crate::text::prose::Compared;
use crate::text::ranges::union;
use crate::text::structure::Structure;
use crate::text::units::{Segmenter, Units};
use crate::text::{Document, Metadata};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::OnceLock;

/// What was found for one submission. It needs nothing besides: it can be sent elsewhere, [merged](Findings::merge) with
/// what other parts of a library hold, and made a [report](Findings::report) of.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Findings {
    /// The submission.
    pub submission: Document,
    /// What it was checked against.
    pub reference: Reference,
    /// What the search was set to.
    pub settings: Settings,
    /// Whether title page, contents, references and the like count as well.
    pub count_all_parts: bool,
    /// What this many documents hold, or more, does not count; `None` counts it.
    pub ignore_common: Option<u32>,
    /// How many documents hold what stands at each place of it.
    pub holders: HolderCounts,
    /// Where runs of a few words stand in some document, each too short to be a passage, in units, in order and apart.
    pub short_runs: Vec<Range<u32>>,
    /// What of it stands in templates, in units.
    pub templates: Vec<Range<u32>>,
    /// The sources, in the order of their ids.
    pub sources: Vec<FoundSource>,
    /// Ids of documents of the library that are the submission itself, in their order. They are no sources.
    pub itself: Vec<String>,
    /// How many candidates were verified and aligned.
    pub candidates: usize,
    /// Keys of the submission that very many documents hold, so that only some of these were looked at.
    pub frequent_keys: usize,
    /// Whether it was searched with the words restored that it was spoilt from.
    pub(super) is_restored: bool,
    /// What is found if words are restored, besides; only of a text much of which is language then and was not before.
    pub restored: Option<Box<Findings>>,
    /// What it says that sources say in other words, if that was looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) resemblances: Option<resemblance::Found>,
    /// What is computed of the submission's text at need.
    #[serde(skip)]
    pub(super) parsed: OnceLock<Parsed>,
}

/// What is computed of a submission's text.
#[derive(Debug, Clone, Default)]
pub(super) struct Parsed {
    /// Its units and its parts.
    units: Units,
    structure: Structure,
    /// The normalised text that the units are of; empty where it is not at hand.
    normalised: String,
    compared: OnceLock<Compared>,
    wording: OnceLock<Wording>,
}

/// A document that shares text with the submission, before it is counted how much. (In a report it is a
/// [`Source`](super::Source).)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoundSource {
    /// Its id.
    pub id: String,
    /// Title, author, date and collection, as far as they are known.
    pub metadata: Metadata,
    /// Whether it is the author's own work.
    pub own_work: bool,
    /// How similar the two are as wholes; the submission is the first.
    pub similarity: DocumentSimilarity,
    /// Its length in characters.
    #[serde(default)]
    pub(super) characters: u32,
    /// Its SimHash fingerprint.
    #[serde(default)]
    pub(super) fingerprint: u64,
    /// The passages they share, in the order of the submission.
    pub passages: Vec<SharedPassage>,
    /// Those that are too thin to count ([`Match::weak`]), in the order of the submission. They are in no ratio.
    pub weak: Vec<SharedPassage>,
}

impl Parsed {
    fn of(submission: &Document, normalised: Normalised) -> Parsed {
        let units = Segmenter::new().units(&normalised);
        let structure = Structure::find(&submission.text, &submission.layout);
        Parsed { units, structure, normalised: normalised.text, ..Parsed::default() }
    }

    fn compared(&self, submission: &Document) -> &Compared {
        self.compared.get_or_init(|| {
            let seen = submission.visible();
            let normalised = match &*self.normalised {
                "" => Cow::from(Normalised::of(&seen).text),
                normalised => Cow::from(normalised),
            };
            Compared::of(&seen, &normalised, &submission.layout, &self.structure, &self.units)
        })
    }
}

impl FoundSource {
    /// What of the submission its passages hold, in units.
    pub(super) fn ranges(&self) -> Vec<Range<u32>> {
        self.passages.iter().flat_map(|passage| passage.place.copied()).collect()
    }
}

/// A passage that two texts share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SharedPassage {
    /// Where it stands in both, and how alike the two sides are.
    pub place: Match,
    /// The source's wording; `None` when the library does not keep it.
    pub source_text: Option<String>,
    /// Whether the source has it in a paragraph that goes on before or behind it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) in_paragraph: bool,
    /// What stands around a short one in the source: [`surroundings::around`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) around: Vec<u32>,
}

impl SharedPassage {
    /// A passage of a source whose text is known, or not kept.
    pub(super) fn new(place: Match, source: Option<&CharText>) -> Self {
        SharedPassage {
            source_text: source.map(|text| text.slice(&place.source_chars).to_owned()),
            in_paragraph: source.is_some_and(|text| exclusion::is_in_paragraph(text, &place.source_chars)),
            around: source.map(|text| surroundings::around(text, &place)).unwrap_or_default(),
            place,
        }
    }
}

/// Two are equal when they say the same.
impl PartialEq for Findings {
    fn eq(&self, other: &Self) -> bool {
        self.same_check(other)
            && self.reference == other.reference
            && self.sources == other.sources
            && self.holders == other.holders
            && self.short_runs == other.short_runs
            && self.itself == other.itself
            && (self.candidates, self.frequent_keys) == (other.candidates, other.frequent_keys)
            && self.restored == other.restored
            && self.resemblances == other.resemblances
    }
}

impl Findings {
    /// Findings of a submission without any source, whose analysis is at hand: they take the units of it.
    pub(super) fn new(submission: Document, analysis: &mut Analysis, reference: Reference, settings: Settings) -> Self {
        let structure = Structure::find(&submission.text, &submission.layout);
        let (units, normalised) = (std::mem::take(&mut analysis.units), analysis.normalised().to_owned());
        let parsed = Parsed { units, structure, normalised, ..Parsed::default() };
        Findings {
            submission,
            reference,
            settings,
            count_all_parts: false,
            ignore_common: None,
            holders: HolderCounts::default(),
            short_runs: Vec::new(),
            templates: Vec::new(),
            sources: Vec::new(),
            itself: Vec::new(),
            candidates: 0,
            frequent_keys: 0,
            is_restored: false,
            restored: None,
            resemblances: None,
            parsed: OnceLock::from(parsed),
        }
    }

    fn parsed(&self) -> &Parsed {
        self.parsed.get_or_init(|| {
            let plain = Parsed::of(&self.submission, Normalised::of(&self.submission.visible()));
            let restored = self.is_restored.then(|| plain.compared(&self.submission).restored(&self.submission));
            restored.flatten().map_or(plain, |normalised| Parsed::of(&self.submission, normalised))
        })
    }

    /// Takes the submission's units, if they are at hand.
    pub(super) fn into_units(self) -> Option<Units> {
        self.parsed.into_inner().map(|parsed| parsed.units)
    }

    /// The submission's units.
    pub(super) fn units(&self) -> &Units {
        &self.parsed().units
    }

    /// The submission's parts.
    pub(super) fn structure(&self) -> &Structure {
        &self.parsed().structure
    }

    /// How much of the submission was compared as language.
    pub(super) fn compared(&self) -> &Compared {
        self.parsed().compared(&self.submission)
    }

    /// What the submission's units tell.
    pub(super) fn wording(&self) -> &Wording {
        let Document { text, layout, .. } = &self.submission;
        self.parsed().wording.get_or_init(|| Wording::of(text, layout, self.units()))
    }

    /// The passages of all sources that count.
    pub(super) fn places(&self) -> impl Iterator<Item = &Match> {
        self.sources.iter().flat_map(|source| &source.passages).map(|passage| &passage.place)
    }

    /// What of passages is sentences in paragraphs of their sources, in units.
    pub(super) fn sentences(&self) -> Vec<Range<u32>> {
        let holds_sentence = |passage: &&SharedPassage| {
            passage.in_paragraph && passage.source_text.as_deref().is_some_and(|text| !labels::are_labels(text))
        };
        let passages = self.sources.iter().flat_map(|source| &source.passages).filter(holds_sentence);
        passages.flat_map(|passage| passage.place.copied()).collect()
    }

    fn same_check(&self, other: &Findings) -> bool {
        self.submission == other.submission
            && self.settings == other.settings
            && self.count_all_parts == other.count_all_parts
            && self.ignore_common == other.ignore_common
            && self.templates == other.templates
    }

    /// What was found in two libraries together, as if they were one. Of documents with one id the first library's counts.
    ///
    /// The result equals that of one library if both judged alike how common the submission's keys are.
    ///
    /// # Errors
    /// When the two are not of the same submission, checked with the same settings.
    pub fn merge(mut self, other: Findings) -> Result<Findings, CheckError> {
        if !self.same_check(&other) {
            return Err(CheckError::OtherCheck { id: self.submission.id });
        }
        let known: BTreeSet<&str> = self.sources.iter().map(|source| source.id.as_str()).collect();
        let (new, known): (Vec<FoundSource>, Vec<FoundSource>) =
            other.sources.into_iter().partition(|source| !known.contains(source.id.as_str()));
        self.restored = match (self.restored, other.restored) {
            (Some(ours), Some(theirs)) => Some(Box::new(ours.merge(*theirs)?)),
            (ours, theirs) => ours.or(theirs),
        };
        self.resemblances = match (self.resemblances, other.resemblances) {
            (Some(mut ours), Some(theirs)) => {
                let known: BTreeSet<String> = ours.passages.iter().map(|passage| passage.source.clone()).collect();
                ours.passages.extend(theirs.passages.into_iter().filter(|passage| !known.contains(&passage.source)));
                Some(ours)
            }
            (ours, theirs) => ours.or(theirs),
        };
        self.candidates += other.candidates - known.len();
        self.sources.extend(new);
        self.sources.sort_by(|a, b| a.id.cmp(&b.id));
        self.itself.extend(other.itself);
        self.itself.sort();
        self.itself.dedup();
        self.frequent_keys = self.frequent_keys.max(other.frequent_keys);
        self.holders.add(&other.holders);
        self.short_runs.extend(other.short_runs);
        self.short_runs = union(self.short_runs);
        let (ours, theirs) = (&mut self.reference, other.reference);
        ours.documents += theirs.documents;
        ours.updated = ours.updated.take().max(theirs.updated);
        if ours.name != theirs.name {
            ours.name = [&ours.name, &theirs.name]
                .into_iter()
                .filter(|name| !name.is_empty())
                .cloned()
                .collect::<Vec<_>>()
                .join(", ");
        }
        Ok(self)
    }
}
