//! Everything that is told of one submission, in one value that every file and page only renders.
//!
//! The submission's text is cut into [segments](CountedSegment), so that whoever has a report can compute every ratio anew, with
//! the result of the library, when sources are left out.

use super::findings::{Findings, SharedPassage, Source as Found};
use crate::align::Kind;
use crate::score::Countable;
use crate::score::exclusion::{self, Exclusion, units_within};
use crate::score::passages::{cited_quotations, part_of, why_not_counted};
pub use crate::score::ratios::{Ratio, Ratios};
use crate::score::segments::{self, Cover};
pub use crate::score::segments::{CountedSegment, Status};
use crate::search::DocumentSimilarity;
#[cfg(doc)]
use crate::search::holders::Holders;
use crate::settings::Settings;
use crate::text::layout::{Mark, MarkKind};
use crate::text::manipulation::{self, Flag, FlagKind};
use crate::text::structure::{Section, SectionKind};
use crate::text::units::Units;
use crate::text::{Document, Metadata};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The form of a serialised report; a new one when a field changes its meaning or goes.
pub const FORMAT: &str = "copytrace-report-2";

/// The program that made a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// What a submission was checked against.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// What it is called: the paths it came from.
    pub name: String,
    /// How many documents it holds.
    pub documents: usize,
    /// The day of the latest addition (ISO 8601, UTC); none for a corpus that was read for this check.
    pub updated: Option<String>,
}

/// What is known of the submission.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Its id.
    pub id: String,
    /// Title, as the input told it.
    pub title: Option<String>,
    /// Author, as the input told it.
    pub author: Option<String>,
    /// Date, as the input told it.
    pub date: Option<String>,
    /// SHA-256 of the file as it was handed in, or of the member of an archive; 64 hexadecimal digits. None for a text that
    /// came without a file, such as a JSON line.
    pub file_sha256: Option<String>,
    /// SHA-256 of the extracted text in UTF-8, 64 hexadecimal digits.
    pub text_sha256: String,
    /// Characters (Unicode scalar values) of the extracted text, which all offsets count.
    pub text_characters: u32,
}

impl About {
    fn of(document: &Document, text_characters: u32) -> Self {
        let Metadata { title, author, date, .. } = document.metadata.clone();
        About {
            id: document.id.clone(),
            title,
            author,
            date,
            file_sha256: document.file_sha256.map(|digest| hexadecimal(&digest)),
            text_sha256: hexadecimal(&Sha256::digest(document.text.as_bytes())),
            text_characters,
        }
    }
}

/// What else should be known of a check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remarks {
    /// Characters that could not be decoded and stand in the text as U+FFFD.
    pub undecodable: usize,
    /// Keys of the submission that very many documents hold, so that only some of these were looked at.
    pub frequent_keys: usize,
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

impl Source {
    fn of(found: &Found, credited: u64, counted: &Countable) -> Self {
        let Metadata { title, author, date, .. } = found.metadata.clone();
        let ranges = || found.passages.iter().map(|passage| passage.place.submission.clone());
        let of_source = Ratio::new(counted.of_union(ranges()), counted.total());
        Source {
            id: found.id.clone(),
            title,
            author,
            date,
            own_work: found.own_work,
            matched: of_source.matched,
            ratio: of_source.ratio,
            credited,
            longest: ranges().map(|range| counted.of(&range)).max().unwrap_or(0),
            passages: found.passages.len(),
            similarity: found.similarity,
        }
    }
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
    /// Which of the report's segments it covers, from 0, the end exclusive.
    pub segments: Range<usize>,
    /// Countable characters of it that count.
    pub characters: u64,
    /// How alike the two wordings are, 0 to 1.
    pub similarity: f64,
    /// What kind of match it is.
    pub kind: Kind,
    /// The gravest status among its segments.
    pub status: Status,
    /// Why it does not count in some ratio, a word of `excluded.csv`; `None` when it counts in all.
    pub excluded: Option<String>,
    /// How many other sources hold some of it, at the place where most do.
    pub others: u32,
    /// How many documents of the corpus hold its wording, this source among them, as far as keys tell ([`Holders::of`]).
    pub holders: u32,
    /// The source's wording; `None` when the library does not keep it.
    pub source_text: Option<String>,
    /// Of a reordered match: where its parts stand in the submission and in the source, in the order of the submission.
    #[serde(default)]
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
    /// Why, in the words of `excluded.csv`.
    pub reason: String,
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
    /// [`FORMAT`].
    pub format: String,
    /// What made it.
    pub program: Program,
    /// Twelve hexadecimal digits that are the same whenever submission, reference, settings and findings are, on whatever day.
    pub number: String,
    /// The submission.
    pub submission: About,
    /// What it was checked against.
    pub corpus: Reference,
    /// The day of the check (ISO 8601), when whoever ran it wants it told.
    pub checked: Option<String>,
    /// What the search was set to.
    pub settings: Settings,
    /// The ratios.
    pub ratios: Ratios,
    /// What else should be known.
    pub remarks: Remarks,
    /// The sources, those with the most first; of equal ones the first by id.
    pub sources: Vec<Source>,
    /// Ids of documents of the library that are the submission itself and were left out.
    #[serde(default)]
    pub itself: Vec<String>,
    /// The matches, in the order of the submission.
    pub passages: Vec<Passage>,
    /// Matches that are too thin to count, in the order of the submission: a person may look at them. They are in no
    /// ratio, and no segment is matched for their sake.
    pub weak: Vec<Passage>,
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
    /// What else should be known.
    pub remarks: Remarks,
}

impl Report {
    /// The report on what was found.
    pub(super) fn new(findings: &Findings) -> Report {
        let (document, units, structure) = (&findings.submission, findings.units(), findings.structure());
        // Before all else: it needs the most memory.
        let mut flags = manipulation::find(&document.text, &document.layout, structure, units);
        let exclusions = findings.exclusions();
        let (all, counted) = (Countable::new(units), Countable::outside(units, &exclusions));
        let quoted = cited_quotations(structure, units);

        let of_sources: Vec<Vec<Range<u32>>> = findings.sources.iter().map(Found::ranges).collect();
        let credits = counted.credited(&of_sources);
        let mut ranked: Vec<(&Found, Source)> = findings
            .sources
            .iter()
            .zip(credits)
            .map(|(found, credited)| (found, Source::of(found, credited, &counted)))
            .collect();
        // The sort is stable: of two with as much the one whose id comes first stays first.
        ranked.sort_by_key(|(_, source)| Reverse(source.matched));
        let passage = |rank: usize, shared: &SharedPassage, excluded: Option<&str>| {
            let place = &shared.place;
            Passage {
                source: rank,
                submission: place.submission_chars.clone(),
                source_span: place.source_chars.clone(),
                segments: 0..0,
                characters: counted.of(&place.submission),
                similarity: f64::from(place.similarity),
                kind: place.kind,
                status: Status::Excluded,
                excluded: excluded.map(str::to_owned),
                others: 0,
                holders: findings.holders.of(&place.submission),
                source_text: shared.source_text.clone(),
                pieces: place.pieces.clone(),
            }
        };
        let (mut passages, mut weak) = (Vec::new(), Vec::new());
        for (rank, (found, source)) in ranked.iter().enumerate() {
            passages.extend(found.passages.iter().map(|shared| {
                let why = why_not_counted(&shared.place.submission, &all, &exclusions, source.own_work, &quoted);
                passage(rank, shared, why)
            }));
            weak.extend(found.weak.iter().map(|shared| {
                let part = part_of(&shared.place.submission, &all, &exclusions);
                passage(rank, shared, Some(part.unwrap_or(WEAK)))
            }));
        }
        weak.sort_by_key(by_place);
        passages.sort_by_key(by_place);
        let sources: Vec<Source> = ranked.into_iter().map(|(_, source)| source).collect();

        let pages = pages(document);
        let covers = covers(&passages, &sources);
        let borders = covers.iter().map(|cover| cover.characters.clone());
        let borders = borders.chain(weak.iter().map(|passage| passage.submission.clone()));
        let borders: Vec<Range<u32>> = borders.chain(pages.iter().map(|page| page.start..page.start)).collect();
        let mut segments = segments::cut(units, &counted, structure, &exclusions, &borders);
        let holders = segments::cover(&mut segments, &covers);
        for passage in &mut passages {
            let range = segments::covered(&segments, &passage.submission);
            passage.others = holders[range.clone()].iter().max().map_or(0, |&most| most.saturating_sub(1));
            let gravest = segments[range.clone()].iter().map(|segment| segment.status).min();
            passage.status = gravest.filter(|_| !sources[passage.source].own_work).unwrap_or(Status::Excluded);
            passage.segments = range;
        }

        for passage in &mut weak {
            passage.segments = segments::covered(&segments, &passage.submission);
        }

        let matched: Vec<Range<u32>> = of_sources.iter().flatten().cloned().collect();
        flags.extend(exclusion::copied_parts(&document.text, &exclusions, &matched, units));
        let in_short_runs = counted.of_union(findings.short_runs.iter().chain(&matched).cloned());
        let in_short_runs = in_short_runs - counted.of_union(matched);
        flags.extend(exclusion::mosaic(&findings.short_runs, in_short_runs, counted.total(), units));
        let remarks = Remarks { undecodable: document.undecodable, frequent_keys: findings.frequent_keys };
        let program =
            Program { name: env!("CARGO_PKG_NAME").to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() };
        let mut report = Report {
            format: FORMAT.to_owned(),
            program,
            number: String::new(),
            submission: About::of(document, units.text_chars),
            corpus: findings.reference.clone(),
            checked: None,
            settings: findings.settings,
            ratios: Ratios::new(&segments, sources.first().map_or(0, |source| source.matched), in_short_runs),
            remarks,
            sources,
            itself: findings.itself.clone(),
            passages,
            weak,
            segments,
            chapters: chapters(&structure.sections, units, &counted, &of_sources),
            excluded: excluded(findings, &exclusions, &quoted, units, &all),
            flags,
            pages,
            text: document.text.clone(),
        };
        report.number = number(&report);
        report
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
        let holders = segments::cover(&mut report.segments, &covers(&report.passages, &report.sources));
        for passage in &mut report.passages {
            let most = holders[passage.segments.clone()].iter().max();
            passage.others = most.map_or(0, |&most| most.saturating_sub(1));
        }
        // Sources stand in the order in which they are credited.
        let mut credited = vec![false; report.segments.len()];
        for (rank, source) in report.sources.iter_mut().enumerate() {
            source.credited = 0;
            for at in report.passages.iter().filter(|p| p.source == rank).flat_map(|p| p.segments.clone()) {
                if !std::mem::replace(&mut credited[at], true) {
                    source.credited += report.segments[at].characters;
                }
            }
        }
        for chapter in &mut report.chapters {
            let within = segments::covered(&report.segments, &(chapter.start..chapter.end));
            let matched = segments::matched(&report.segments[within], |_| true);
            chapter.ratio = Ratio::new(matched, chapter.ratio.characters);
        }
        let of_own_work: Vec<Range<u32>> = covers(&report.passages, &report.sources)
            .into_iter()
            .filter(|cover| cover.own_work)
            .map(|cover| cover.characters)
            .collect();
        report.excluded.retain(|span| span.reason != OWN_WORK || of_own_work.contains(&(span.start..span.end)));
        let largest = report.sources.first().map_or(0, |source| source.matched);
        report.ratios = Ratios::new(&report.segments, largest, report.ratios.in_short_runs.matched);
        report.number = number(&report);
        report
    }

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
            remarks: self.remarks,
        }
    }
}

/// What `excluded` says of a passage that is too thin to count, unless it lies in a part that does not count anyway.
pub const WEAK: &str = "weak";

/// What `excluded.csv` says of what stands in the author's own work.
const OWN_WORK: &str = "own work";

fn covers(passages: &[Passage], sources: &[Source]) -> Vec<Cover> {
    let cover = |p: &Passage| Cover { characters: p.submission.clone(), own_work: sources[p.source].own_work };
    passages.iter().map(cover).collect()
}

fn by_place(p: &Passage) -> (u32, Reverse<u32>, usize, u32) {
    (p.submission.start, Reverse(p.submission.end), p.source, p.source_span.start)
}

/// The number of a report: the start of a hash of what it says.
fn number(report: &Report) -> String {
    let Report { program, submission, corpus, settings, ratios, .. } = report;
    let passages: Vec<_> = report.passages.iter().map(|p| (p.source, &p.submission, &p.source_span)).collect();
    number_of(program, submission, corpus, settings, ratios, &passages)
}

/// The same of what it is made of. A passage has the rank of its source, and its places in the submission and in the source.
pub(super) fn number_of(
    program: &Program,
    submission: &About,
    corpus: &Reference,
    settings: &Settings,
    ratios: &Ratios,
    passages: &[(usize, &Range<u32>, &Range<u32>)],
) -> String {
    // All of it can be written as JSON: text, numbers and lists.
    let said = serde_json::to_vec(&(program, submission, corpus, settings, ratios, passages)).unwrap_or_default();
    hexadecimal(&Sha256::digest(said)[..6])
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Where the pages of the original start.
fn pages(document: &Document) -> Vec<PageStart> {
    let page = |mark: &Mark| match mark.kind {
        MarkKind::Page(number) => Some(PageStart { number, start: mark.start }),
        _ => None,
    };
    document.layout.marks().iter().filter_map(page).collect()
}

/// The sections that count. `counted` leaves out what does not; `matched` are the units of each source's matches.
fn chapters(sections: &[Section], units: &Units, counted: &Countable, matched: &[Vec<Range<u32>>]) -> Vec<Chapter> {
    let chapter = |section: &Section| {
        let within = units_within(units, &(section.start..section.end));
        let cut = |range: &Range<u32>| range.start.max(within.start)..range.end.min(within.end);
        let inside = matched.iter().flatten().map(cut).filter(|range| range.start < range.end);
        let ratio = Ratio::new(counted.of_union(inside), counted.of(&within));
        Chapter { kind: section.kind, title: section.title.clone(), start: section.start, end: section.end, ratio }
    };
    sections.iter().filter(|section| section.kind.counts()).map(chapter).collect()
}

/// What some ratio leaves out: parts, cited quotations, what stands in the author's own work, and what is in no unit.
fn excluded(
    findings: &Findings,
    exclusions: &[Exclusion],
    quoted: &[Range<u32>],
    units: &Units,
    all: &Countable,
) -> Vec<Excluded> {
    let own_work = findings.sources.iter().filter(|source| source.own_work).flat_map(Found::ranges);
    let own_work = own_work.map(|range| (OWN_WORK, range));
    let parts = exclusions.iter().map(|exclusion| (exclusion.reason, exclusion.units.clone()));
    let quotations = quoted.iter().map(|range| ("quotation", range.clone()));
    let span = |(reason, range): (&str, Range<u32>)| {
        let span = units.span(range.start as usize, range.end as usize);
        Excluded { reason: reason.to_owned(), start: span.start, end: span.end, characters: all.of(&range) }
    };
    let mut excluded: Vec<Excluded> = own_work.chain(parts).chain(quotations).map(span).collect();
    let Document { text, layout, .. } = &findings.submission;
    excluded.extend(exclusion::absent(text, layout).into_iter().map(|absent| Excluded {
        reason: absent.reason.to_owned(),
        start: absent.chars.start,
        end: absent.chars.end,
        characters: absent.characters,
    }));
    excluded.sort_by(|a, b| (a.start, a.end, &a.reason).cmp(&(b.start, b.end, &b.reason)));
    excluded
}
