//! What the script of a submission's page reads: of a report what can be switched off, what can be looked at side by side, and
//! what its number is made of.

use super::super::edits::{Edits, Side};
use super::super::messages::Messages;
use super::display;
use crate::align::Kind;
use crate::check::{About, Chapter, CountedSegment, Passage, Program, Ratios, Reference, Report, Source, Status};
use crate::report::record::Record;
use crate::settings::Settings;
use crate::text::char_text::CharText;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

/// The most characters of a passage that are shown, on each side.
const MOST_PASSAGE_CHARACTERS: u32 = 20_000;

/// What the script reads.
#[derive(Serialize)]
pub(super) struct PageData<'a> {
    words: &'a Messages,
    report: ReportData<'a>,
    left_out: &'a BTreeSet<usize>,
    /// What stands in place of a source's wording.
    no_wording: &'a str,
}

#[derive(Serialize)]
struct ReportData<'a> {
    format: &'a str,
    program: &'a Program,
    number: &'a str,
    submission: &'a About,
    corpus: &'a Reference,
    settings: &'a Settings,
    ratios: &'a Ratios,
    sources: Vec<Source>,
    passages: Vec<PassageData<'a>>,
    weak: Vec<PassageData<'a>>,
    segments: &'a [CountedSegment],
    chapters: &'a [Chapter],
}

#[derive(Serialize)]
struct PassageData<'a> {
    source: usize,
    submission: &'a Range<u32>,
    source_span: &'a Range<u32>,
    segments: &'a Range<usize>,
    own_segments: &'a [Range<usize>],
    characters: u64,
    similarity: f64,
    kind: Kind,
    status: Status,
    /// Why it does not count, in words, where it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Cow<'a, str>>,
    others: u32,
    holders: u32,
    /// Words that differ; none when it was too long to compare, or the source's wording is not kept.
    edited_words: Option<usize>,
    /// Whether only the beginning of a wording is in `pieces`.
    cut: bool,
    /// The two wordings in pieces, each with the number of its [`Side`].
    pieces: Vec<(Side, String)>,
    /// What either side does not have of the other, in characters from the start of the passage.
    own: Vec<(u32, u32)>,
    left_out: Vec<(u32, u32)>,
    /// Of a reordered passage: where its parts start on both sides, in characters from the start of the passage.
    parts: Vec<(u32, u32)>,
}

impl<'a> PageData<'a> {
    /// Of a report as found, with its passages as they are after the review.
    pub(super) fn new(
        words: &'a Messages,
        report: &'a Report,
        reviewed: &'a Report,
        Record { left_out, withholds, .. }: &'a Record,
    ) -> Self {
        let Report { format, program, number, submission, corpus, settings, ratios, segments, chapters, .. } = report;
        let text = CharText::new(&report.text);
        let data =
            |passages: &'a [Passage]| passages.iter().map(|passage| PassageData::new(words, passage, &text)).collect();
        let (passages, weak) = (data(&reviewed.passages), data(&reviewed.weak));
        let sources = report.sources.iter().map(as_shown).collect();
        let report = ReportData {
            format,
            program,
            number,
            submission,
            corpus,
            settings,
            ratios,
            sources,
            passages,
            weak,
            segments,
            chapters,
        };
        let no_wording = if *withholds { words.not_shown_to_you } else { words.no_source_text };
        PageData { words, report, left_out, no_wording }
    }
}

/// A source whose title, author and date are as the page shows them.
fn as_shown(source: &Source) -> Source {
    let brief = |text: &Option<String>| text.as_deref().map(display::title);
    let (title, author) = (brief(&source.title), brief(&source.author));
    Source { title, author, date: source.date.as_deref().map(|date| display::day(date).to_owned()), ..source.clone() }
}

impl<'a> PassageData<'a> {
    fn new(words: &'a Messages, passage: &'a Passage, text: &CharText<'_>) -> Self {
        let ours = beginning(text.slice(&passage.submission));
        let edits = match &passage.source_text {
            None => Edits { pieces: vec![(Side::Submission, ours.to_owned())], words: None },
            Some(theirs) => Edits::between(ours, beginning(theirs)),
        };
        let Passage { source, characters, similarity, kind, status, others, holders, .. } = *passage;
        let (submission, source_span) = (&passage.submission, &passage.source_span);
        let part = |(ours, theirs): &(Range<u32>, Range<u32>)| {
            (ours.start.saturating_sub(submission.start), theirs.start.saturating_sub(source_span.start))
        };
        PassageData {
            source,
            submission,
            source_span,
            segments: &passage.segments,
            own_segments: &passage.own_segments,
            characters,
            similarity,
            kind,
            status,
            why: passage.set_aside().map(|reason| words.why_not_counted(reason)),
            others,
            holders,
            edited_words: edits.words,
            cut: submission.len().max(source_span.len()) > MOST_PASSAGE_CHARACTERS as usize,
            pieces: edits.pieces,
            own: passage.own.iter().map(|gap| within(gap, submission)).collect(),
            left_out: passage.left_out.iter().map(|gap| within(gap, source_span)).collect(),
            parts: passage.pieces.iter().map(part).collect(),
        }
    }
}

/// A span, from the start of the one that it lies in.
fn within(span: &Range<u32>, whole: &Range<u32>) -> (u32, u32) {
    (span.start.saturating_sub(whole.start), span.end.saturating_sub(whole.start))
}

/// What of a passage is shown side by side.
fn beginning(text: &str) -> &str {
    let end = text.char_indices().nth(MOST_PASSAGE_CHARACTERS as usize).map_or(text.len(), |(byte, _)| byte);
    &text[..end]
}
