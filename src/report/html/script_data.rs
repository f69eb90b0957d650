//! What the script of a submission's page reads: of a report what can be switched off and looked at side by side.

use super::super::edits::{Edits, Side};
use super::super::messages::Messages;
use crate::align::Kind;
use crate::check::{Chapter, CountedSegment, Passage, Ratios, Report, Source, Status};
use crate::text::char_text::CharText;
use serde::Serialize;
use std::ops::Range;

/// Of a longer passage only so many characters are shown, on each side.
const MOST_PASSAGE_CHARACTERS: u32 = 20_000;

/// What the script reads.
#[derive(Serialize)]
pub(super) struct PageData<'a> {
    words: &'a Messages,
    report: ReportData<'a>,
}

#[derive(Serialize)]
struct ReportData<'a> {
    ratios: &'a Ratios,
    sources: &'a [Source],
    passages: Vec<PassageData<'a>>,
    segments: &'a [CountedSegment],
    chapters: &'a [Chapter],
}

#[derive(Serialize)]
struct PassageData<'a> {
    source: usize,
    segments: &'a Range<usize>,
    characters: u64,
    similarity: f64,
    kind: Kind,
    status: Status,
    others: u32,
    /// Words that differ; none when it was too long to compare, or the source's wording is not kept.
    edited_words: Option<usize>,
    /// Whether only the beginning of a wording is in `pieces`.
    cut: bool,
    /// The two wordings in pieces, each with 0 (in both), -1 (in the submission alone) or 1 (in the source alone).
    pieces: Vec<(Side, String)>,
}

impl<'a> PageData<'a> {
    pub(super) fn new(words: &'a Messages, report: &'a Report) -> Self {
        let Report { ratios, sources, segments, chapters, .. } = report;
        let text = CharText::new(&report.text);
        let passages = report.passages.iter().map(|passage| PassageData::new(passage, &text)).collect();
        PageData { words, report: ReportData { ratios, sources, passages, segments, chapters } }
    }
}

impl<'a> PassageData<'a> {
    fn new(passage: &'a Passage, text: &CharText<'_>) -> Self {
        let ours = beginning(text.slice(&passage.submission));
        let edits = match &passage.source_text {
            None => Edits { pieces: vec![(Side::Submission, ours.to_owned())], words: None },
            Some(theirs) => Edits::between(ours, beginning(theirs)),
        };
        let Passage { source, ref segments, characters, similarity, kind, status, others, .. } = *passage;
        let cut = passage.submission.len().max(passage.source_span.len()) > MOST_PASSAGE_CHARACTERS as usize;
        let (edited_words, pieces) = (edits.words, edits.pieces);
        PassageData { source, segments, characters, similarity, kind, status, others, edited_words, cut, pieces }
    }
}

/// What of a passage is shown side by side.
fn beginning(text: &str) -> &str {
    let end = text.char_indices().nth(MOST_PASSAGE_CHARACTERS as usize).map_or(text.len(), |(byte, _)| byte);
    &text[..end]
}
