//! Everything that is told of one submission, in one value that every file and page only renders.
//!
//! The submission's text is cut into [segments](CountedSegment), so that every ratio can be computed anew from a report alone, with
//! the result of the library, when sources are left out.

use super::about::{About, Program, Reference, number_of};
use super::resemblance::Resemblances;
use crate::align::Kind;
#[cfg(doc)]
use crate::score::Countable;
use crate::score::compared::Certainty;
use crate::score::ratios::{Ratio, Ratios};
use crate::score::recount::Cover;
use crate::score::segments::{CountedSegment, Status};
use crate::search::DocumentSimilarity;
#[cfg(doc)]
use crate::search::holders::HolderCounts;
use crate::settings::Settings;
use crate::text::NotCounted;
use crate::text::manipulation::{Flag, FlagKind};
use crate::text::prose::Compared;
use crate::text::ranges::without;
use crate::text::structure::SectionKind;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What else should be known of a check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remarks {
    /// Characters that could not be decoded and stand in the text as U+FFFD.
    pub undecodable: usize,
    /// Keys of the submission that very many documents hold, so that only some of these were looked at.
    pub frequent_keys: usize,
    /// Pictures, and pages without text, of which nothing is compared.
    #[serde(default)]
    pub pictures: usize,
}

/// A source, with what it shares.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// Its id.
    pub id: String,
    /// Title, where known.
    pub title: Option<String>,
    /// Author, where known.
    pub author: Option<String>,
    /// Date, where known.
    pub date: Option<String>,
    /// Where anyone can read it, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The licence it is given under, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// Whether it is the author's own work.
    pub own_work: bool,
    /// Countable characters of the submission inside matches with it.
    pub matched: u64,
    /// `matched` / countable characters of the submission.
    pub ratio: f64,
    /// Of `matched` what no better source has ([`Countable::credited`]).
    pub credited: u64,
    /// Countable characters of the longest match.
    pub longest: u64,
    /// How many passages it shares.
    pub passages: usize,
    /// How similar the two are as wholes; the submission is the first.
    pub similarity: DocumentSimilarity,
}

/// A match. Offsets are characters of the two extracted texts, the end exclusive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// Which of the report's sources, from 0.
    pub source: usize,
    /// Where it stands in the submission.
    pub submission: Range<u32>,
    /// Where it stands in the source.
    pub source_span: Range<u32>,
    /// Which of the report's segments it reaches over, from 0, the end exclusive. It covers them but for `own_segments`.
    pub segments: Range<usize>,
    /// What of it is the submission's own text, between or beside copied sentences. It counts in no ratio.
    pub own: Vec<Range<u32>>,
    /// What of the source's side was not taken.
    pub left_out: Vec<Range<u32>>,
    /// Which of the report's segments are its own text.
    pub own_segments: Vec<Range<usize>>,
    /// Countable characters of it that count.
    pub characters: u64,
    /// How alike the two wordings are, 0 to 1.
    pub similarity: f64,
    /// What kind of match it is.
    pub kind: Kind,
    /// The gravest status among its segments.
    pub status: Status,
    /// Why it does not count in some ratio; `None` when it counts in all.
    pub excluded: Option<NotCounted>,
    /// How many other sources hold some of it, at the place where most do.
    pub others: u32,
    /// How many documents of the corpus hold its wording, this source among them, as far as keys tell ([`HolderCounts::of`]).
    pub holders: u32,
    /// The source's wording; `None` when the library does not keep it.
    pub source_text: Option<String>,
    /// Of a reordered match: where its parts stand in the submission and in the source, in the order of the submission.
    pub pieces: Vec<(Range<u32>, Range<u32>)>,
}

/// A part of the submission that has a ratio of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chapter {
    /// What it is.
    pub kind: SectionKind,
    /// Its heading; empty for text before the first one.
    pub title: String,
    /// Its first character.
    pub start: u32,
    /// Where it ends, exclusive.
    pub end: u32,
    /// Its ratio.
    pub ratio: Ratio,
}

impl Chapter {
    /// Its heading, or what it is; empty for a text of the body without a heading.
    pub fn name(&self) -> &str {
        match self.kind {
            SectionKind::Chapter => &self.title,
            kind if self.title.is_empty() => kind.as_str(),
            _ => &self.title,
        }
    }
}

/// A span that some ratio leaves out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excluded {
    /// Why.
    pub reason: NotCounted,
    /// Its first character.
    pub start: u32,
    /// Where it ends, exclusive.
    pub end: u32,
    /// Countable characters of it.
    pub characters: u64,
}

/// Where a page of the original starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageStart {
    /// Its number.
    pub number: u32,
    /// Its first character.
    pub start: u32,
}

/// Everything that is told of one submission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`Report::FORMAT`].
    pub format: String,
    /// What made it.
    pub program: Program,
    /// Twelve hexadecimal digits that are the same whenever submission, reference, settings and findings are, on whatever day.
    pub number: String,
    /// The submission.
    pub submission: About,
    /// What it was checked against.
    pub corpus: Reference,
    /// The day of the check (ISO 8601), if the one who ran it wants it told.
    pub checked: Option<String>,
    /// What the search was set to.
    pub settings: Settings,
    /// The ratios.
    pub ratios: Ratios,
    /// How much of what a reader sees was compared as language, and why the rest was not.
    pub compared: Compared,
    /// What else should be known.
    pub remarks: Remarks,
    /// The sources, those with the most first; of equal ones the first by id.
    pub sources: Vec<Source>,
    /// Ids of documents of the library that are the submission itself and were left out.
    pub itself: Vec<String>,
    /// The matches, in the order of the submission.
    pub passages: Vec<Passage>,
    /// Matches that are too thin to count, in the order of the submission: a person may look at them. They are in no
    /// ratio, and no segment is matched for their sake.
    pub weak: Vec<Passage>,
    /// What it says that sources say in another language or in other words, if that was looked for. It is in no ratio above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resemblances: Option<Resemblances>,
    /// The submission, cut at every border; they partition its text.
    pub segments: Vec<CountedSegment>,
    /// The chapters.
    pub chapters: Vec<Chapter>,
    /// Spans that some ratio leaves out, in the order of the text.
    pub excluded: Vec<Excluded>,
    /// Signs of manipulation, by kind and place.
    pub flags: Vec<Flag>,
    /// The pages of the original; none when its format has none.
    pub pages: Vec<PageStart>,
    /// The extracted text.
    pub text: String,
}

/// A report in a few figures, for lists of many.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The submission's id.
    pub id: String,
    /// The ratios.
    pub ratios: Ratios,
    /// How many sources it has.
    pub sources: usize,
    /// How many passages it shares with them.
    pub passages: usize,
    /// The source with the most matched characters.
    pub top_source: Option<String>,
    /// Title and author, as far as they are known.
    pub title: Option<String>,
    /// See `title`.
    pub author: Option<String>,
    /// How many signs of manipulation there are, by kind.
    pub flags: BTreeMap<FlagKind, u32>,
    /// Ids of documents of the library that are the submission itself and were left out.
    pub itself: Vec<String>,
    /// How much of what a reader sees was compared as language, and why the rest was not.
    pub compared: Compared,
    /// What else should be known.
    pub remarks: Remarks,
    /// How many passages say what a source says in another language or in other words, if that was looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resemblances: Option<usize>,
    /// Languages (ISO 639-1) in which that was not looked for, as the model does not know them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown_languages: Vec<String>,
}

impl Summary {
    /// What the ratios say.
    pub fn certainty(&self) -> Certainty {
        Certainty::of(self.compared.share())
    }
}

impl Report {
    /// What the ratios say.
    pub fn certainty(&self) -> Certainty {
        Certainty::of(self.compared.share())
    }

    /// The form of a serialised report; a new one when a field changes its meaning or goes.
    pub const FORMAT: &str = "copytrace-report-2";

    /// The signs of manipulation of each kind: what they are about, counted, and where they stand in `flags`.
    pub fn flags_by_kind(&self) -> BTreeMap<FlagKind, (u32, Vec<usize>)> {
        let mut kinds: BTreeMap<FlagKind, (u32, Vec<usize>)> = BTreeMap::new();
        for (at, flag) in self.flags.iter().enumerate() {
            let (count, places) = kinds.entry(flag.kind).or_default();
            *count += flag.count;
            places.push(at);
        }
        kinds
    }

    /// The report in a few figures.
    pub fn summary(&self) -> Summary {
        let weak: BTreeSet<usize> = self.weak.iter().map(|passage| passage.source).collect();
        Summary {
            id: self.submission.id.clone(),
            ratios: self.ratios,
            sources: self
                .sources
                .iter()
                .enumerate()
                .filter(|(rank, source)| source.passages > 0 || !weak.contains(rank))
                .count(),
            passages: self.passages.len(),
            top_source: self.sources.first().filter(|source| source.passages > 0).map(|source| source.id.clone()),
            title: self.submission.title.clone(),
            author: self.submission.author.clone(),
            flags: self.flags_by_kind().into_iter().map(|(kind, (count, _))| (kind, count)).collect(),
            itself: self.itself.clone(),
            compared: self.compared.clone(),
            remarks: self.remarks,
            resemblances: self.resemblances.as_ref().map(|found| found.passages.len()),
            unknown_languages: self.resemblances.iter().flat_map(|found| found.unknown_languages.clone()).collect(),
        }
    }

    /// The number that a report of this content has.
    pub(super) fn computed_number(&self) -> String {
        let Report { program, submission, corpus, settings, ratios, .. } = self;
        let passages: Vec<_> = self.passages.iter().map(|p| (p.source, &p.submission, &p.source_span)).collect();
        number_of(program, submission, corpus, settings, ratios, &passages)
    }
}

impl Passage {
    /// Why it does not count, if it does not: it lies in a part that does not but for some characters, is the author's own, or was left
    /// out. Quotations count in the overall ratio.
    #[doc(hidden)] // for pages, and sheets of the service
    pub fn set_aside(&self) -> Option<NotCounted> {
        self.excluded.filter(|reason| self.status == Status::Excluded || !counts_in_some_ratio(*reason))
    }

    /// Which of the report's segments it covers: ranges in order and apart.
    pub fn covered(&self) -> Vec<Range<usize>> {
        without(&self.segments, &self.own_segments)
    }

    /// What it covers, as far as it counts.
    pub(super) fn covers(&self) -> impl Iterator<Item = Cover> {
        self.covered().into_iter().map(|segments| Cover { source: self.source, segments })
    }
}

/// Which of some sources are the author's own work.
pub(super) fn own_work(sources: &[Source]) -> Vec<bool> {
    sources.iter().map(|source| source.own_work).collect()
}

/// How many other sources hold some of a passage of these segments, at the place where most do.
pub(super) fn others(holders: &[u32], segments: &Range<usize>) -> u32 {
    holders[segments.clone()].iter().max().map_or(0, |&most| most.saturating_sub(1))
}

/// Whether what does not count for this reason counts in some ratio all the same.
pub(crate) fn counts_in_some_ratio(reason: NotCounted) -> bool {
    matches!(reason, NotCounted::Quotation | NotCounted::OwnWork)
}
