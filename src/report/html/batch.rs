//! The page of a batch: all submissions, how their ratios are distributed, and who shares sources with whom.

use super::super::messages::Messages;
use super::super::rows::SubmissionReport;
use super::groups::{Link, groups, links};
use super::{display, document};
use display::{number, percent, text};
use maud::{Markup, html};
use serde::Serialize;

const SCRIPT: &str = include_str!("batch.js");

/// The graph shows at most so many submissions.
const MOST_DRAWN: usize = 60;

/// A submission and the file name of its page.
pub struct Entry<'a> {
    /// Its tables.
    pub report: &'a SubmissionReport,
    /// The name of its page without the ending; none when it has no page.
    pub page: Option<&'a str>,
}

/// What the script reads.
#[derive(Serialize)]
struct Data<'a> {
    words: &'a Messages,
    ratios: Vec<f64>,
}

/// Renders the page. The entries are in the order of their ids; `corpus` is how the corpus is called.
///
/// # Errors
/// When a value cannot be written as JSON, which none should be.
pub fn render(entries: &[Entry<'_>], corpus: &str, words: &Messages) -> Result<String, serde_json::Error> {
    let (checked, failed): (Vec<&Entry>, Vec<&Entry>) = entries.iter().partition(|e| e.report.summary.status == "ok");
    let body = html! {
        header {
            p.kind { (words.batch) }
            h1 { (number(entries.len() as u64)) " " (words.submissions) }
            p.byline { (words.corpus) ": " bdi { (text(corpus)) } }
        }
        main {
            section aria-labelledby="distribution" {
                h2 #distribution { (words.distribution) }
                div.controls {
                    label { (words.threshold) " (%)" input #threshold type="number" min="0" max="100" step="1" value="20"; }
                    label.line { input #logarithmic type="checkbox"; (words.logarithmic) }
                    p #above role="status" {}
                }
                svg #histogram .histogram viewBox="0 0 800 180" role="img" aria-label=(words.distribution) {}
            }
            (table(&checked, words))
            (graph(&checked, words))
            @if !failed.is_empty() {
                section #failed aria-labelledby="failed-title" {
                    h2 #failed-title { (words.failed) " (" (failed.len()) ")" }
                    ul { @for entry in &failed {
                        li { bdi { (text(&entry.report.summary.submission)) } " – " (text(&entry.report.summary.message)) }
                    } }
                }
            }
            p.note { (words.note) }
        }
    };
    let ratios = checked.iter().map(|entry| entry.report.summary.copy_ratio).collect();
    document(words, words.batch, SCRIPT, &Data { words, ratios }, &body)
}

fn table(entries: &[&Entry<'_>], words: &Messages) -> Markup {
    let columns = [
        (words.submission, ""),
        (words.ratio, "n"),
        (words.matched, "n"),
        (words.all_characters, "n"),
        (words.sources, "n"),
        (words.passages, "n"),
        (words.top_source, ""),
        (words.share, "n"),
        (words.message, ""),
    ];
    html! {
        section aria-labelledby="table-title" {
            h2 #table-title { (words.submissions) }
            div.controls { label { (words.search) input #search type="search"; } }
            div.scroll tabindex="0" role="group" aria-labelledby="table-title" {
                table #table {
                    thead { tr {
                        @for (label, class) in columns {
                            th scope="col" class=(class) { button type="button" { (label) } }
                        }
                    } }
                    tbody { @for entry in entries { (row(entry)) } }
                }
            }
        }
    }
}

fn row(entry: &Entry<'_>) -> Markup {
    let summary = &entry.report.summary;
    html! {
        tr data-ratio=(summary.copy_ratio) {
            td data-key=(text(&summary.submission)) {
                @match entry.page {
                    Some(page) => a href={ "./" (address(page)) ".html" } { bdi { (text(&summary.submission)) } },
                    None => bdi { (text(&summary.submission)) },
                }
            }
            td.n data-key=(summary.copy_ratio) { (percent(summary.copy_ratio)) }
            td.n data-key=(summary.matched_characters) { (number(summary.matched_characters)) }
            td.n data-key=(summary.characters) { (number(summary.characters)) }
            td.n data-key=(summary.sources) { (summary.sources) }
            td.n data-key=(summary.passages) { (summary.passages) }
            td data-key=(text(&summary.top_source)) { bdi { (text(&summary.top_source)) } }
            td.n data-key=(summary.top_source_ratio) { (percent(summary.top_source_ratio)) }
            td data-key=(text(&summary.message)) { (text(&summary.message)) }
        }
    }
}

/// A file name as a relative address: every byte but plain letters, digits, `-`, `.` and `_` is escaped.
fn address(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    name.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// The groups as circles of dots, one group after another.
fn graph(entries: &[&Entry<'_>], words: &Messages) -> Markup {
    let reports: Vec<SubmissionReport> = entries.iter().map(|entry| entry.report.clone()).collect();
    let links = links(&reports);
    let groups = groups(&links);
    let places = places(&groups);
    let drawn = |link: &&Link| places.iter().any(|p| p.0 == link.first) && places.iter().any(|p| p.0 == link.second);
    let at = |submission: usize| {
        places.iter().find(|place| place.0 == submission).map_or((0, 0), |place| (place.1, place.2))
    };
    let height = places.iter().map(|place| place.2).max().unwrap_or(0) + 70;
    let name = |at: usize| text(&entries[at].report.summary.submission);
    let short = |at: usize| name(at).chars().take(18).collect::<String>();
    html! {
        section #shared aria-labelledby="shared-title" {
            h2 #shared-title { (words.shared) }
            @if groups.is_empty() { p { (words.none_shared) } } @else {
                p.caption { (words.shared_help) }
                @if groups.iter().map(Vec::len).sum::<usize>() > MOST_DRAWN { p.cap { (words.graph_capped) } }
                svg.graph viewBox={ "0 0 800 " (height) } role="img" aria-labelledby="shared-title" {
                    @for link in links.iter().filter(drawn) {
                        @let (from, to) = (at(link.first), at(link.second));
                        line x1=(from.0) y1=(from.1) x2=(to.0) y2=(to.1) stroke-width=(link.shared.min(6)) {}
                    }
                    @for &(submission, x, y) in &places {
                        circle cx=(x) cy=(y) r="7" { title { (name(submission)) } }
                        text x=(x) y=(y + 20) text-anchor="middle" { (short(submission)) }
                    }
                }
                ol { @for (at, group) in groups.iter().enumerate() {
                    li { (words.cluster) " " (at + 1) ": "
                        @for (place, &submission) in group.iter().enumerate() { @if place > 0 { ", " } bdi { (name(submission)) } }
                    }
                } }
            }
        }
    }
}

/// Where each submission is drawn: x and y of 800 wide. Groups stand side by side as far as there is room.
fn places(groups: &[Vec<usize>]) -> Vec<(usize, i32, i32)> {
    let (mut places, mut left, mut top, mut tallest) = (Vec::new(), 0.0, 0.0, 0.0f64);
    for group in groups {
        if places.len() + group.len() > MOST_DRAWN && !places.is_empty() {
            break;
        }
        let group = &group[..group.len().min(MOST_DRAWN)];
        let radius = (group.len() as f64 * 20.0).clamp(50.0, 300.0);
        let size = radius * 2.0 + 130.0;
        if left + size > 800.0 && left > 0.0 {
            (left, top, tallest) = (0.0, top + tallest, 0.0);
        }
        for (at, &submission) in group.iter().enumerate() {
            let angle = std::f64::consts::TAU * (at as f64 / group.len() as f64 - 0.25);
            let (x, y) = (left + size / 2.0 + radius * angle.cos(), top + radius + 40.0 + radius * angle.sin());
            places.push((submission, x.round() as i32, y.round() as i32));
        }
        (left, tallest) = (left + size, tallest.max(radius * 2.0 + 80.0));
    }
    places
}
