//! What a person is told of one submission: one value that is built once from the findings, and that every page and
//! file for people renders.
//!
//! The submission's text is cut into [segments](Segment), so that a page can compute every ratio anew, with the result of
//! the library, when sources are switched off.

use super::edits::{Edits, Side};
use super::parts::{ChapterRow, ExcludedRow, FlagRow};
use super::rows::{PassageRow, Scope, SourceRow, SubmissionReport, WEAK};
use super::segments::{self, Cover};
pub use super::segments::{Segment, Status};
use crate::align::Match;
use crate::index::Record;
use crate::score::{Countable, ratio};
use crate::search::submission::Findings;
use crate::settings::Settings;
use crate::sketch::analysis::Analysis;
use crate::text::layout::{Mark, MarkKind};
use crate::text::{Document, Metadata};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::ops::Range;

/// The form of the JSON report; a new one when a field changes its meaning or goes.
pub const FORMAT: &str = "copytrace-report-1";

/// Of a longer passage only so many characters are given, on each side.
pub const MOST_PASSAGE_CHARACTERS: u32 = 20_000;

/// A numerator, a denominator, and what comes of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Ratio {
    /// Countable characters that stand in sources.
    pub matched: u64,
    /// Countable characters of the submission that count.
    pub characters: u64,
    /// `matched / characters`.
    pub ratio: f64,
}

impl Ratio {
    fn new(matched: u64, characters: u64) -> Self {
        Ratio { matched, characters, ratio: ratio(matched, characters) }
    }
}

/// The ratios of the first screen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Ratios {
    /// All that stands in sources.
    pub all: Ratio,
    /// Without what is quoted and cited.
    pub without_quotes: Ratio,
    /// Without what only the author's own works hold.
    pub without_own_work: Ratio,
    /// The one source with the most.
    pub largest_source: Ratio,
}

/// The program that made a report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Program {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

/// What the submission was checked against.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Corpus {
    /// The paths it came from.
    pub name: String,
    /// How many documents it holds.
    pub documents: usize,
    /// The day of the latest addition (ISO 8601, UTC); none for a corpus that was read for this check.
    pub updated: Option<String>,
}

/// What is known of the submission.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct About {
    /// Its id.
    pub id: String,
    /// Title, as the input told it.
    pub title: Option<String>,
    /// Author, as the input told it.
    pub author: Option<String>,
    /// Date, as the input told it.
    pub date: Option<String>,
    /// SHA-256 of the file as it was handed in, or of the member of an archive; 64 hexadecimal digits. None for a JSON
    /// line, whose `text` is the extracted text.
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

/// A source, with what it shares.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SourceEntry {
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
    /// Countable characters inside matches with it.
    pub matched: u64,
    /// `matched` / countable characters of the submission.
    pub ratio: f64,
    /// Of `matched` what no better source has.
    pub credited: u64,
    /// How many passages it shares.
    pub passages: usize,
    /// Exact Jaccard similarity of the two whole documents.
    pub jaccard: f64,
    /// Share of the submission's shingles that stand in it.
    pub containment: f64,
}

impl SourceEntry {
    fn of(row: &SourceRow, record: &Record, own_work: bool) -> Self {
        let Metadata { title, author, date, .. } = record.metadata.clone();
        SourceEntry {
            id: record.id.clone(),
            title,
            author,
            date,
            own_work,
            matched: row.matched_characters,
            ratio: row.ratio,
            credited: row.credited,
            passages: row.passages,
            jaccard: row.jaccard,
            containment: row.containment,
        }
    }
}

/// A match.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Passage {
    /// Which of the report's sources, from 0.
    pub source: usize,
    /// Where it stands in the submission, in characters, the end exclusive.
    pub submission: Range<u32>,
    /// Where it stands in the source, in characters, the end exclusive.
    pub source_span: Range<u32>,
    /// Which of the report's segments it covers, from 0, the end exclusive.
    pub segments: Range<usize>,
    /// Countable characters of it that count.
    pub characters: u64,
    /// How alike the two wordings are, 0 to 1.
    pub similarity: f64,
    /// `verbatim`, `edited`, `reordered` or `disguised`.
    pub kind: &'static str,
    /// The gravest status among its segments.
    pub status: Status,
    /// Why it does not count in some ratio; empty when it counts in all.
    pub excluded: String,
    /// How many other sources hold some of it, at the place where most do.
    pub others: u32,
    /// Words that differ between the wordings; none when it was too long to compare, or the source's wording is not kept.
    pub edited_words: Option<usize>,
    /// Whether only the first [`MOST_PASSAGE_CHARACTERS`] of a wording are in `pieces`.
    pub cut: bool,
    /// The two wordings in pieces, each with 0 (in both), -1 (in the submission alone) or 1 (in the source alone).
    pub pieces: Vec<(Side, String)>,
}

impl Passage {
    /// The passage of a match with the source of rank `source`; where it lies among the segments is not known yet.
    fn of(source: usize, m: &Match, row: &PassageRow, characters: u64) -> Self {
        let (ours, theirs) = (beginning(&row.submission_text), beginning(&row.source_text));
        // An index without texts leaves the source's wording out.
        let edits = match theirs {
            "" => Edits { pieces: vec![(Side::Submission, ours.to_owned())], words: None },
            theirs => Edits::between(ours, theirs),
        };
        Passage {
            source,
            submission: m.submission_chars.clone(),
            source_span: m.source_chars.clone(),
            segments: 0..0,
            characters,
            similarity: f64::from(m.similarity),
            kind: m.kind.as_str(),
            status: Status::Excluded,
            excluded: row.excluded.clone(),
            others: 0,
            edited_words: edits.words,
            cut: m.submission_chars.len().max(m.source_chars.len()) > MOST_PASSAGE_CHARACTERS as usize,
            pieces: edits.pieces,
        }
    }
}

/// A part of the submission that has ratios of its own.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chapter {
    /// Its heading.
    pub title: String,
    /// Its first character.
    pub start: u32,
    /// Where it ends, exclusive.
    pub end: u32,
    /// Its ratio.
    pub ratio: Ratio,
}

impl Chapter {
    fn of(row: &ChapterRow) -> Self {
        let ratio = Ratio::new(row.matched_characters, row.characters);
        Chapter { title: row.chapter.clone(), start: row.start, end: row.end, ratio }
    }
}

/// A span that some ratio leaves out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExcludedSpan {
    /// Why.
    pub reason: String,
    /// Its first character.
    pub start: u32,
    /// Where it ends, exclusive.
    pub end: u32,
    /// Countable characters of it.
    pub characters: u64,
}

impl ExcludedSpan {
    fn of(row: &ExcludedRow) -> Self {
        ExcludedSpan { reason: row.reason.to_owned(), start: row.start, end: row.end, characters: row.characters }
    }
}

/// A sign that a text was made to look different to a program than to a reader.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FlagEntry {
    /// What kind of sign.
    pub kind: String,
    /// Where it starts.
    pub start: u32,
    /// Where it ends, exclusive.
    pub end: u32,
    /// How many words, characters or pictures.
    pub count: u32,
    /// What that means.
    pub explanation: String,
}

impl FlagEntry {
    fn of(row: &FlagRow) -> Self {
        let (kind, explanation) = (row.kind.to_owned(), row.explanation.to_owned());
        FlagEntry { kind, start: row.start, end: row.end, count: row.count, explanation }
    }
}

/// Where a page of the original starts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageStart {
    /// Its number.
    pub number: u32,
    /// Its first character.
    pub start: u32,
}

/// Everything a person is told of one submission.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// [`FORMAT`].
    pub format: &'static str,
    /// What made it.
    pub program: Program,
    /// Twelve hexadecimal digits that are the same whenever submission, corpus, settings and findings are, on whatever day.
    pub number: String,
    /// The submission.
    pub submission: About,
    /// The corpus.
    pub corpus: Corpus,
    /// The day of the check (ISO 8601), when the person who ran it gave one.
    pub checked: Option<String>,
    /// What the search was set to, by name.
    pub settings: Vec<(&'static str, String)>,
    /// The ratios.
    pub ratios: Ratios,
    /// What else should be known.
    pub remarks: String,
    /// The sources, those with the most first.
    pub sources: Vec<SourceEntry>,
    /// The matches, in the order of the submission.
    pub passages: Vec<Passage>,
    /// The submission, cut at every border; they partition its text.
    pub segments: Vec<Segment>,
    /// The chapters.
    pub chapters: Vec<Chapter>,
    /// Spans that some ratio leaves out.
    pub excluded: Vec<ExcludedSpan>,
    /// Signs of manipulation.
    pub flags: Vec<FlagEntry>,
    /// The pages of the original; none when its format has none.
    pub pages: Vec<PageStart>,
    /// The extracted text.
    #[serde(skip)]
    pub text: String,
}

/// What a report needs besides the submission and what was found.
pub struct Context<'a> {
    /// How the corpus is called.
    pub corpus: &'a Corpus,
    /// What the search was set to.
    pub settings: &'a Settings,
    /// The day of the check (ISO 8601), if it is to be told.
    pub checked: Option<&'a str>,
}

impl Report {
    /// Builds the report on a submission. `rows` are its tables, whose figures and wordings it takes.
    pub fn new(
        document: &Document,
        analysis: &Analysis,
        findings: &Findings,
        rows: &SubmissionReport,
        scope: &Scope<'_>,
        context: &Context<'_>,
    ) -> Report {
        let units = &analysis.units;
        let counted = Countable::outside(units, scope.exclusions);
        let mut ranked: Vec<usize> = (0..findings.sources.len()).collect();
        ranked.sort_by_key(|&at| std::cmp::Reverse(rows.sources[at].matched_characters));
        let mut sources = Vec::new();
        let mut passages = Vec::new();
        for (rank, &at) in ranked.iter().enumerate() {
            let (source, row) = (&findings.sources[at], &rows.sources[at]);
            sources.push(SourceEntry::of(row, &source.record, (scope.is_own)(&source.record)));
            // Rows stand by source and then by place, as matches do.
            let first = rows.passages.partition_point(|row| row.source < source.record.id);
            let of_counted = rows.passages[first..].iter().filter(|row| row.excluded != WEAK);
            let of_source = source.matches.iter().zip(of_counted);
            passages.extend(of_source.map(|(m, row)| Passage::of(rank, m, row, counted.of(&m.submission))));
        }
        let place =
            |p: &Passage| (p.submission.start, std::cmp::Reverse(p.submission.end), p.source, p.source_span.start);
        passages.sort_by_key(place);
        let pages = pages(document);
        let covers: Vec<Cover> = passages
            .iter()
            .map(|p| Cover { characters: p.submission.clone(), own_work: sources[p.source].own_work })
            .collect();
        let borders = covers.iter().map(|cover| cover.characters.clone());
        let borders: Vec<Range<u32>> = borders.chain(pages.iter().map(|page| page.start..page.start)).collect();
        let mut segments = segments::cut(units, &counted, scope, &borders);
        let holders = segments::cover(&mut segments, &covers);
        for passage in &mut passages {
            let range = segments::covered(&segments, &passage.submission);
            passage.others = holders[range.clone()].iter().max().map_or(0, |&most| most.saturating_sub(1));
            let gravest = segments[range.clone()].iter().map(|segment| segment.status).min();
            passage.status = gravest.filter(|_| !sources[passage.source].own_work).unwrap_or(Status::Excluded);
            passage.segments = range;
        }
        let ratios = ratios(&segments, &sources);
        let mut report = Report {
            format: FORMAT,
            program: Program { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") },
            number: String::new(),
            submission: About::of(document, units.text_chars),
            corpus: context.corpus.clone(),
            checked: context.checked.map(str::to_owned),
            settings: described(context.settings),
            ratios,
            remarks: rows.summary.message.clone(),
            sources,
            passages,
            segments,
            chapters: rows.chapters.iter().map(Chapter::of).collect(),
            excluded: rows.excluded.iter().map(ExcludedSpan::of).collect(),
            flags: rows.flags.iter().map(FlagEntry::of).collect(),
            pages,
            text: document.text.clone(),
        };
        report.number = number(&report);
        report
    }
}

/// The number of a report: the start of a hash of what it says.
fn number(report: &Report) -> String {
    let mut hash = Sha256::new();
    let said = format!("{:?}", (&report.program, &report.submission, &report.corpus, &report.settings, &report.ratios));
    hash.update(said.as_bytes());
    for passage in &report.passages {
        hash.update(format!("{:?}", (passage.source, &passage.submission, &passage.source_span)).as_bytes());
    }
    hexadecimal(&hash.finalize()[..6])
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What of a passage is shown side by side.
fn beginning(text: &str) -> &str {
    let end = text.char_indices().nth(MOST_PASSAGE_CHARACTERS as usize).map_or(text.len(), |(byte, _)| byte);
    &text[..end]
}

/// Where the pages of the original start.
fn pages(document: &Document) -> Vec<PageStart> {
    let page = |mark: &Mark| match mark.kind {
        MarkKind::Page(number) => Some(PageStart { number, start: mark.start }),
        _ => None,
    };
    document.layout.marks().iter().filter_map(page).collect()
}

/// The ratios, summed over the segments.
fn ratios(segments: &[Segment], sources: &[SourceEntry]) -> Ratios {
    let total = segments.iter().map(|segment| segment.characters).sum();
    let sum = |counts: &dyn Fn(&Segment) -> bool| Ratio::new(segments::matched(segments, counts), total);
    Ratios {
        all: sum(&|_| true),
        without_quotes: sum(&|segment| segment.status != Status::QuotedAndCited),
        without_own_work: sum(&|segment| !segment.own_work),
        largest_source: Ratio::new(sources.first().map_or(0, |source| source.matched), total),
    }
}

/// The settings that decide what is found, as a person would set them.
fn described(settings: &Settings) -> Vec<(&'static str, String)> {
    let Settings { sketch, threshold, hamming_threshold, align, .. } = settings;
    let banding = sketch.banding;
    vec![
        ("shingle", sketch.shingling.to_string()),
        ("hashes", sketch.hashes.to_string()),
        ("seed", sketch.seed.to_string()),
        ("bands × rows", format!("{} × {}", banding.bands, banding.rows)),
        ("threshold", threshold.to_string()),
        ("hamming", hamming_threshold.to_string()),
        ("min-match", align.min_match.to_string()),
        ("min-match-source", align.min_match_source.to_string()),
        ("verbatim only", align.verbatim_only.map_or_else(|| "no".to_owned(), |least| least.to_string())),
        ("evidence", align.acceptance.to_string()),
    ]
}
