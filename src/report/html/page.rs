//! The page of one submission: the first screen, the sources, the full text, and two passages side by side.

use super::super::messages::Messages;
use super::super::rows::remarks;
use super::pictures::{bar, class, strip};
use super::script_data::PageData;
use super::{display, document};
use crate::check::{About, Chapter, CountedSegment, Ratio, Report, Source, Status};
use crate::settings::Settings;
use crate::text::char_text::CharText;
use crate::text::structure::SectionKind;
use display::{number, percent, text};
use maud::{Markup, html};

const SCRIPT: &str = include_str!("page.js");

/// The page lists at most so many passages, the longest ones.
const MOST_PASSAGES: usize = 5000;

/// The first screen has at most so many chapters and flags, so that it prints to one page.
const MOST_CHAPTERS: usize = 14;
const MOST_FLAGS: usize = 6;

/// Bytes of text that are laid out together.
const CHUNK: usize = 6000;

/// Renders the page of a submission.
///
/// # Errors
/// When a value cannot be written as JSON, which no report's should be.
pub fn render(report: &Report, words: &Messages) -> Result<String, serde_json::Error> {
    if report.passages.len() > MOST_PASSAGES {
        let (shortened, left_out) = shortened(report);
        return whole(&shortened, left_out, words);
    }
    whole(report, 0, words)
}

/// The Content-Security-Policy of every such page, for a server that sends it as a header.
pub fn policy() -> String {
    display::policy(super::STYLE, SCRIPT)
}

/// A report with its longest passages alone, and how many were left out. Figures and marked text stay.
fn shortened(report: &Report) -> (Report, usize) {
    let mut order: Vec<usize> = (0..report.passages.len()).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(report.passages[at].characters), at));
    order.truncate(MOST_PASSAGES);
    order.sort_unstable();
    let passages = order.iter().map(|&at| report.passages[at].clone()).collect();
    (Report { passages, ..report.clone() }, report.passages.len() - MOST_PASSAGES)
}

fn whole(report: &Report, left_out: usize, words: &Messages) -> Result<String, serde_json::Error> {
    let name = report.submission.title.as_deref().unwrap_or(&report.submission.id);
    let body = html! {
        a.skip href="#text" { (words.skip) }
        header {
            p.kind { (words.report) }
            h1 { bdi { (text(name)) } }
            p.byline {
                @let About { id, title, author, date, .. } = &report.submission;
                @for (at, part) in [title.as_ref().map(|_| id), author.as_ref(), date.as_ref()].into_iter().flatten().enumerate() {
                    @if at > 0 { " · " } bdi { (text(part)) }
                }
            }
        }
        main {
            (overview(report, words))
            (sources(report, words))
            @if left_out > 0 { p.cap { (words.capped) (number(left_out as u64)) } }
            (full_text(report, words))
        }
        (comparison(words))
    };
    document(words, &format!("{name} – {}", words.report), SCRIPT, &PageData::new(words, report), &body)
}

fn overview(report: &Report, words: &Messages) -> Markup {
    let figures = [
        ("all", words.all, &report.ratios.all),
        ("without_quotes", words.without_quotes, &report.ratios.without_quotes),
        ("without_own_work", words.without_own_work, &report.ratios.without_own_work),
        ("largest_source", words.largest_source, &report.ratios.largest_source),
    ];
    html! {
        section #overview aria-label=(words.overview) {
            div #figures {
                @for (name, label, ratio) in figures { (figure(name, label, ratio, words)) }
            }
            p #left-out role="status" {}
            (strip(report, words.where_matches_lie))
            p.caption { (words.where_matches_lie) }
            div.columns {
                div {
                    h2 { (words.top_sources) }
                    @if report.sources.is_empty() { p { (words.no_sources) } }
                    ol.top {
                        @for source in report.sources.iter().take(5) {
                            li { (source_name(source)) span.share { (percent(source.ratio)) } (bar(source.ratio)) }
                        }
                    }
                    h2 { (words.flags) }
                    @if report.flags.is_empty() { p { (words.no_flags) } }
                    ul.flags {
                        @for flag in report.flags.iter().take(MOST_FLAGS) {
                            li { b { (words.word(flag.kind.as_str()).replace('_', " ")) " × " (flag.count) } " – " (words.word(flag.kind.explanation())) }
                        }
                        @if report.flags.len() > MOST_FLAGS { li { "+ " (report.flags.len() - MOST_FLAGS) } }
                    }
                    @if !report.excluded.is_empty() {
                        h2 { (words.excluded) }
                        ul.flags {
                            @for (reason, characters) in excluded_by_reason(report) {
                                li { (words.word(reason)) ": " (number(characters)) " " (words.characters) }
                            }
                        }
                    }
                }
                div { (chapters(report, words)) }
            }
            (details(report, words))
            p.note { (words.note) }
        }
    }
}

/// The chapters of the first screen: all, or those with the greatest ratios, in order.
fn chapters(report: &Report, words: &Messages) -> Markup {
    let mut shown: Vec<usize> = (0..report.chapters.len()).collect();
    shown.sort_by(|&a, &b| report.chapters[b].ratio.ratio.total_cmp(&report.chapters[a].ratio.ratio));
    shown.truncate(MOST_CHAPTERS);
    shown.sort_unstable();
    html! {
        @if !shown.is_empty() { h2 { (words.chapters) } }
        ul.top {
            @for at in &shown {
                @let chapter = &report.chapters[*at];
                li data-chapter=(at) {
                    bdi.name { (chapter_name(chapter, words)) }
                    span.share { (percent(chapter.ratio.ratio)) }
                    (bar(chapter.ratio.ratio))
                }
            }
        }
        @if shown.len() < report.chapters.len() {
            p.caption { (words.more_chapters) (report.chapters.len() - shown.len()) }
        }
    }
}

/// The heading of a chapter, or what it is.
fn chapter_name(chapter: &Chapter, words: &Messages) -> String {
    match (chapter.title.as_str(), chapter.kind) {
        ("", SectionKind::Chapter) => words.no_heading.to_owned(),
        ("", kind) => words.word(kind.as_str()).to_owned(),
        (title, _) => text(words.word(title)),
    }
}

fn excluded_by_reason(report: &Report) -> Vec<(&str, u64)> {
    let mut sums: std::collections::BTreeMap<&str, u64> = Default::default();
    for span in &report.excluded {
        *sums.entry(span.reason.as_str()).or_default() += span.characters;
    }
    sums.into_iter().collect()
}

fn figure(name: &str, label: &str, ratio: &Ratio, words: &Messages) -> Markup {
    html! {
        div.figure data-ratio=(name) {
            p.label { (label) }
            p.value { (percent(ratio.ratio)) }
            p.of { (number(ratio.matched)) " " (words.of) " " (number(ratio.characters)) " " (words.characters) }
        }
    }
}

fn details(report: &Report, words: &Messages) -> Markup {
    let corpus = &report.corpus;
    html! {
        h2 { (words.details) }
        dl.details {
            div { dt { (words.corpus) } dd {
                bdi { (text(&corpus.name)) } " – " (number(corpus.documents as u64)) " " (words.documents) ", "
                @match &corpus.updated { Some(day) => { (words.updated) " " (day) }, None => (words.read_for_this_check) }
            } }
            div { dt { (words.program) } dd { (report.program.name) " " (report.program.version) } }
            div { dt { (words.number) } dd #number { (report.number) } }
            @if let Some(day) = &report.checked { div { dt { (words.checked) } dd { (text(day)) } } }
            @match &report.submission.file_sha256 {
                Some(digest) => { div { dt { (words.file_digest) } dd.digest { (digest) } } },
                None => { div { dt { (words.text_digest) } dd.digest { (report.submission.text_sha256) } } },
            }
            div { dt { (words.settings) } dd {
                @for (at, (name, value)) in described(&report.settings).iter().enumerate() { @if at > 0 { "; " } (name) " " (value) }
            } }
            @let remarks = remarks(&report.remarks);
            @if !remarks.is_empty() { div { dt { (words.remarks) } dd { (remarks) } } }
        }
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

fn source_name(source: &Source) -> Markup {
    html! { bdi.name { (text(source.title.as_deref().unwrap_or(&source.id))) } }
}

fn sources(report: &Report, words: &Messages) -> Markup {
    html! {
        section #sources aria-labelledby="sources-title" {
            h2 #sources-title { (words.sources) " (" (report.sources.len()) ")" }
            div.scroll tabindex="0" role="group" aria-labelledby="sources-title" {
                table {
                    thead { tr {
                        th scope="col" { (words.counted) } th scope="col" { (words.source) }
                        th.n scope="col" { (words.share) } th.n scope="col" { (words.matched) }
                        th.n scope="col" title=(words.credited_long) { (words.credited) }
                        th.n scope="col" { (words.passages) }
                    } }
                    tbody {
                        @for (at, source) in report.sources.iter().enumerate() {
                            tr data-source=(at) {
                                td { input type="checkbox" checked aria-label={ (words.counted) ": " (text(&source.id)) }; }
                                td {
                                    button.link type="button" disabled[source.passages == 0] { (source_name(source)) }
                                    div.meta {
                                        @if source.title.is_some() { bdi { (text(&source.id)) } " " }
                                        @for part in [&source.author, &source.date].into_iter().flatten() {
                                            "· " bdi { (text(part)) } " "
                                        }
                                        @if source.own_work { "· " (words.word("own work")) }
                                    }
                                }
                                td.n { (percent(source.ratio)) } td.n { (number(source.matched)) }
                                td.n { (number(source.credited)) } td.n { (source.passages) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn full_text(report: &Report, words: &Messages) -> Markup {
    html! {
        section #text aria-labelledby="text-title" tabindex="-1" {
            h2 #text-title { (words.full_text) }
            div.bar {
                div.legend role="group" aria-label=(words.legend) {
                    @for status in Status::ALL {
                        label {
                            input type="checkbox" checked data-status=(class(status));
                            mark class=(class(status)) { (status.letter()) }
                            " " (words.status(status))
                        }
                    }
                }
                div.steps {
                    button type="button" #previous { "← " (words.previous) }
                    span #position role="status" { "0 / " (report.passages.len()) }
                    button type="button" #next { (words.next) " →" }
                }
                p.keys { (words.keys) }
            }
            div.reading {
                @if report.chapters.len() > 1 {
                    nav aria-label=(words.contents) {
                        ul {
                            @for (at, chapter) in report.chapters.iter().enumerate() {
                                li data-chapter=(at) { a href={ "#c" (at) } {
                                    bdi { (chapter_name(chapter, words)) } " " span.share { (percent(chapter.ratio.ratio)) }
                                } }
                            }
                        }
                    }
                }
                article lang="" aria-label=(words.full_text) {
                    @for chunk in chunks(&lines(report)) {
                        div.chunk { @for line in chunk { p { @for piece in line { (rendered(piece, words)) } } } }
                    }
                }
            }
        }
    }
}

/// What a line of the full text is made of.
enum Piece<'a> {
    Text(&'a str),
    Marked { segment: usize, status: Status, first: bool, text: &'a str },
    Page(u32),
    Chapter(usize),
}

fn rendered(piece: &Piece, words: &Messages) -> Markup {
    html! {
        @match piece {
            Piece::Text(part) => (text(part)),
            Piece::Marked { segment, status, first, text: part } => {
                mark class=(class(*status)) data-s=(segment) data-letter=[first.then(|| status.letter())] { (text(part)) }
            },
            Piece::Page(page) => span.page { (words.page) (page) (words.page_after) },
            Piece::Chapter(at) => span id={ "c" (at) } {},
        }
    }
}

/// The text line by line.
fn lines(report: &Report) -> Vec<Vec<Piece<'_>>> {
    let characters = CharText::new(&report.text);
    let mut lines = vec![Vec::new()];
    let (mut pages, mut chapters) = (report.pages.iter().peekable(), report.chapters.iter().enumerate().peekable());
    let mut before: Option<&CountedSegment> = None;
    for (at, segment) in report.segments.iter().enumerate() {
        if let Some(page) = pages.next_if(|page| page.start <= segment.start) {
            put(&mut lines, Piece::Page(page.number));
        }
        while let Some((chapter, _)) = chapters.next_if(|(_, chapter)| chapter.start <= segment.start) {
            put(&mut lines, Piece::Chapter(chapter));
        }
        let continues = before.is_some_and(|before| before.matched && before.shown() == segment.shown());
        let mut first = !continues;
        for (line, part) in characters.slice(&(segment.start..segment.end)).split('\n').enumerate() {
            if line > 0 {
                lines.push(Vec::new());
            }
            if segment.matched && !part.trim().is_empty() {
                put(&mut lines, Piece::Marked { segment: at, status: segment.shown(), first, text: part });
                first = false;
            } else if !part.is_empty() {
                put(&mut lines, Piece::Text(part));
            }
        }
        before = Some(segment);
    }
    lines
}

/// The lines in groups of about [`CHUNK`] bytes: a browser lays out only those that are seen.
fn chunks<'a, 'b>(lines: &'b [Vec<Piece<'a>>]) -> Vec<&'b [Vec<Piece<'a>>]> {
    let length = |piece: &Piece| match piece {
        Piece::Text(text) | Piece::Marked { text, .. } => text.len(),
        Piece::Page(_) | Piece::Chapter(_) => 0,
    };
    let (mut chunks, mut first, mut bytes) = (Vec::new(), 0, 0);
    for (at, line) in lines.iter().enumerate() {
        bytes += line.iter().map(length).sum::<usize>();
        if bytes >= CHUNK {
            chunks.push(&lines[first..=at]);
            (first, bytes) = (at + 1, 0);
        }
    }
    chunks.push(&lines[first..]);
    chunks
}

fn put<'a>(lines: &mut [Vec<Piece<'a>>], piece: Piece<'a>) {
    if let Some(line) = lines.last_mut() {
        line.push(piece);
    }
}

/// The two passages side by side, empty until one is chosen.
fn comparison(words: &Messages) -> Markup {
    html! {
        aside #compare hidden aria-labelledby="compare-title" tabindex="-1" {
            div.head {
                h2 #compare-title { (words.compare) }
                button type="button" #close { (words.close) }
            }
            div #card {}
            dl #why aria-label=(words.why) {}
            div.sides {
                section aria-label=(words.in_submission) { h3 { (words.in_submission) } div #ours tabindex="0" role="group" aria-label=(words.in_submission) {} }
                section aria-label=(words.in_source) { h3 { (words.in_source) } div #theirs tabindex="0" role="group" aria-label=(words.in_source) {} }
            }
        }
    }
}
