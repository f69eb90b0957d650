//! The page of a batch: all submissions, how their ratios are distributed, and who shares sources with whom.

use super::super::messages::Messages;
use super::super::rows::remarks;
use super::{display, document};
use crate::check::{Reference, Shared, SharedReport, Summary, Unread};
use display::{number, percent, text};
use maud::{Markup, html};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

const SCRIPT: &str = include_str!("batch.js");

/// The graph shows at most so many submissions.
const MOST_DRAWN: usize = 60;

/// The table of those that share text has at most so many rows, those with the most.
const MOST_ROWS: usize = 500;

/// A submission that was checked, and the file name of its page.
pub struct Entry<'a> {
    /// What was found.
    pub summary: &'a Summary,
    /// The name of its page without the ending; none when it has no page.
    pub page: Option<&'a str>,
}

/// What the script reads.
#[derive(Serialize)]
struct Data<'a> {
    words: &'a Messages,
    ratios: Vec<f64>,
}

/// Renders the page. The entries are in the order of their ids; `shared` is what they share with each other, none when they
/// were not compared; `day` is that of the check, if it is to be told.
///
/// # Errors
/// When a value cannot be written as JSON, which none should be.
pub fn render(
    checked: &[Entry<'_>],
    unread: &[&Unread],
    shared: Option<&SharedReport>,
    corpus: &Reference,
    day: Option<&str>,
    words: &Messages,
) -> Result<String, serde_json::Error> {
    let body = html! {
        header {
            p.kind { (words.batch) }
            h1 { (number((checked.len() + unread.len()) as u64)) " " (words.submissions) }
            p.byline {
                (words.corpus) ": " bdi { (text(&corpus.name)) } " – " (number(corpus.documents as u64)) " " (words.documents)
                @if let Some(day) = day { " · " (words.checked) " " (text(day)) }
                " · " (env!("CARGO_PKG_NAME")) " " (env!("CARGO_PKG_VERSION"))
            }
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
            (table(checked, words))
            (sharing(checked, shared, words))
            @if !unread.is_empty() {
                section #failed aria-labelledby="failed-title" {
                    h2 #failed-title { (words.failed) " (" (unread.len()) ")" }
                    ul { @for unread in unread {
                        li { bdi { (text(&unread.id)) } " – " (text(&unread.reason)) }
                    } }
                }
            }
            p.note { (words.note) }
        }
    };
    let ratios = checked.iter().map(|entry| entry.summary.ratios.all.ratio).collect();
    document(words, words.batch, SCRIPT, &Data { words, ratios }, &body)
}

fn table(entries: &[Entry<'_>], words: &Messages) -> Markup {
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
    let Summary { id, ratios, sources, passages, top_source, .. } = entry.summary;
    let (id, top_source) = (text(id), text(top_source.as_deref().unwrap_or_default()));
    let message = remarks(&entry.summary.remarks);
    html! {
        tr data-ratio=(ratios.all.ratio) {
            td data-key=(id) {
                @match entry.page {
                    Some(page) => a href={ "./" (address(page)) ".html" } { bdi { (id) } },
                    None => bdi { (id) },
                }
            }
            td.n data-key=(ratios.all.ratio) { (percent(ratios.all.ratio)) }
            td.n data-key=(ratios.all.matched) { (number(ratios.all.matched)) }
            td.n data-key=(ratios.all.characters) { (number(ratios.all.characters)) }
            td.n data-key=(sources) { (sources) }
            td.n data-key=(passages) { (passages) }
            td data-key=(top_source) { bdi { (top_source) } }
            td.n data-key=(ratios.largest_source.ratio) { (percent(ratios.largest_source.ratio)) }
            td data-key=(message) { (message) }
        }
    }
}

/// A file name as a relative address: every byte but plain letters, digits, `-`, `.` and `_` is escaped.
fn address(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    name.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// Who shares text with whom: a picture, the groups, and a table.
fn sharing(entries: &[Entry<'_>], shared: Option<&SharedReport>, words: &Messages) -> Markup {
    html! {
        section #shared aria-labelledby="shared-title" {
            h2 #shared-title { (words.shared) }
            @match shared {
                None => p { (words.not_shared) },
                Some(shared) if shared.pairs.is_empty() => p { (words.none_shared) },
                Some(shared) => {
                    p.caption { (words.shared_help) }
                    (graph(shared, words))
                    (shared_table(&shared.pairs, &pages(entries), words))
                }
            }
        }
    }
}

/// The page of each submission that has one.
fn pages<'a>(entries: &[Entry<'a>]) -> BTreeMap<&'a str, &'a str> {
    entries.iter().filter_map(|entry| Some((entry.summary.id.as_str(), entry.page?))).collect()
}

/// The groups as circles of dots, one group after another, and in words.
fn graph(shared: &SharedReport, words: &Messages) -> Markup {
    let groups = shared.groups();
    let places = places(&groups);
    let drawn: Vec<_> =
        shared.pairs.iter().filter_map(|row| Some((row, places.at(&row.first)?, places.at(&row.second)?))).collect();
    html! {
        @if groups.iter().map(BTreeSet::len).sum::<usize>() > places.0.len() { p.cap { (words.graph_capped) } }
        svg.graph viewBox={ "0 0 800 " (places.height()) } role="img" aria-label=(words.shared) {
            @for (row, from, to) in drawn {
                line x1=(from.0) y1=(from.1) x2=(to.0) y2=(to.1) stroke-width=(thickness(row)) {
                    title { (text(&row.first)) " – " (text(&row.second)) ": " (percent(row.ratio_first.max(row.ratio_second))) }
                }
            }
            @for (id, x, y) in &places.0 {
                circle cx=(x) cy=(y) r="7" { title { (text(id)) } }
                text x=(x) y=(y + 20) text-anchor="middle" { (short(id)) }
            }
        }
        ol.groups { @for group in &groups {
            li { (words.group) " (" (group.len()) "): "
                @for (place, id) in group.iter().enumerate() { @if place > 0 { ", " } bdi { (text(id)) } }
            }
        } }
    }
}

/// As thick as the greater share: 1 to 7.
fn thickness(row: &Shared) -> String {
    format!("{:.1}", 1.0 + 6.0 * row.ratio_first.max(row.ratio_second))
}

/// What of an id fits below its dot.
fn short(id: &str) -> String {
    const FITS: usize = 18;
    let shown = text(id);
    if shown.chars().count() <= FITS { shown } else { shown.chars().take(FITS - 1).chain(['…']).collect() }
}

fn shared_table(rows: &[Shared], pages: &BTreeMap<&str, &str>, words: &Messages) -> Markup {
    let mut ranked: Vec<&Shared> = rows.iter().collect();
    ranked.sort_by(|a, b| b.ratio_first.max(b.ratio_second).total_cmp(&a.ratio_first.max(a.ratio_second)));
    let name = |id: &str| {
        html! {
            @match pages.get(id) {
                Some(page) => a href={ "./" (address(page)) ".html" } { bdi { (text(id)) } },
                None => bdi { (text(id)) },
            }
        }
    };
    html! {
        @if rows.len() > MOST_ROWS { p.cap { (words.shared_capped) (number((rows.len() - MOST_ROWS) as u64)) } }
        div.scroll tabindex="0" role="group" aria-label=(words.shared) {
            table {
                thead { tr {
                    th scope="col" { (words.submission) } th scope="col" { (words.submission) }
                    th.n scope="col" { (words.share) } th.n scope="col" { (words.share) }
                    th.n scope="col" { (words.matched) } th.n scope="col" { (words.passages) }
                    th.n scope="col" { (words.longest) } th.n scope="col" { (words.common_sources) }
                    th.n scope="col" { (words.group) }
                } }
                tbody { @for row in ranked.into_iter().take(MOST_ROWS) { tr {
                    td { (name(&row.first)) } td { (name(&row.second)) }
                    td.n { (percent(row.ratio_first)) } td.n { (percent(row.ratio_second)) }
                    td.n { (number(row.characters_first.max(row.characters_second))) } td.n { (row.passages) }
                    td.n { (number(row.longest)) } td.n { (row.common_sources) } td.n { (row.group) }
                } } }
            }
        }
    }
}

/// Where submissions are drawn: id, x and y of 800 wide.
struct Places<'a>(Vec<(&'a str, i32, i32)>);

impl Places<'_> {
    fn at(&self, id: &str) -> Option<(i32, i32)> {
        self.0.iter().find(|place| place.0 == id).map(|place| (place.1, place.2))
    }

    fn height(&self) -> i32 {
        self.0.iter().map(|place| place.2).max().unwrap_or(0) + 40
    }
}

/// Each group in a circle; groups stand side by side as far as there is room.
fn places<'a>(groups: &[BTreeSet<&'a str>]) -> Places<'a> {
    let (mut places, mut left, mut top, mut tallest) = (Vec::new(), 0.0, 0.0, 0.0f64);
    for group in groups {
        if places.len() + group.len() > MOST_DRAWN && !places.is_empty() {
            break;
        }
        let drawn = group.len().min(MOST_DRAWN);
        let radius = (drawn as f64 * 20.0).clamp(50.0, 300.0);
        let size = radius * 2.0 + 130.0;
        if left + size > 800.0 && left > 0.0 {
            (left, top, tallest) = (0.0, top + tallest, 0.0);
        }
        for (at, &id) in group.iter().take(drawn).enumerate() {
            let angle = std::f64::consts::TAU * (at as f64 / drawn as f64 - 0.25);
            let (x, y) = (left + size / 2.0 + radius * angle.cos(), top + radius + 40.0 + radius * angle.sin());
            places.push((id, x.round() as i32, y.round() as i32));
        }
        (left, tallest) = (left + size, tallest.max(radius * 2.0 + 80.0));
    }
    Places(places)
}
