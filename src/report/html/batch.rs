//! The page of a batch: all submissions, how their ratios are distributed, where they come from, and who shares text with
//! whom.

use super::super::messages::Messages;
use super::page::compared_with;
use super::pair::{PairPage, names, ranked};
use super::{address, display, document};
use crate::check::{Certainty, Shared, SharedReport, Summary, Unread};
use crate::report::batch::{Affiliation, Batch};
use display::{number, percent, text};
use maud::{Markup, PreEscaped, html};
use serde::Serialize;
use std::collections::BTreeMap;

/// The script of the page.
pub const SCRIPT: &str = include_str!("batch.js");

/// The most pairs in the picture of those that share text, and the most rows of the table: those with the largest shares.
const MOST_DRAWN: usize = 5000;
const MOST_ROWS: usize = 500;

/// A submission is marked from this ratio on, unless another is given.
const THRESHOLD: f64 = 0.2;

/// Short runs have a column if one submission has at least this ratio in them.
const SHORT_RUNS: f64 = 0.01;

/// A submission that was checked, and the file name of its page.
pub struct Entry<'a> {
    /// What was found.
    pub summary: &'a Summary,
    /// The name of its page without the ending; none when it has no page.
    pub page: Option<&'a str>,
}

/// What the script reads.
#[derive(Serialize)]
pub struct Data<'a> {
    /// The words.
    pub words: &'a Messages,
    /// The ratios.
    pub ratios: Vec<f64>,
    /// The ids of submissions that share text.
    pub members: Vec<String>,
    /// Of each two of them: their places in this list, the share, and their page.
    pub pairs: Vec<DrawnPair>,
}

impl Data<'_> {
    /// The element that the script reads it from.
    ///
    /// # Errors
    /// When a value cannot be written as JSON, which none should be.
    pub fn element(&self) -> Result<Markup, serde_json::Error> {
        let data = PreEscaped(display::json(self)?);
        Ok(html! { script type="application/json" id="data" { (data) } })
    }
}

/// How ratios are distributed; `threshold` is in per cent. The script draws it.
pub fn distribution(threshold: f64, words: &Messages) -> Markup {
    html! {
        section #ratios aria-labelledby="distribution" {
            h2 #distribution { (words.distribution) }
            div.controls {
                label { (words.threshold) input #threshold type="number" min="0" max="100" step="any" value=(threshold); }
                label.line { input #logarithmic type="checkbox"; (words.logarithmic) }
                p #above role="status" {}
            }
            svg #histogram .histogram viewBox="0 0 800 150" role="img" aria-label=(words.distribution) {}
        }
    }
}

/// From which share on pairs are drawn, and where. The script draws them.
pub fn picture(words: &Messages) -> Markup {
    html! {
        p.caption { (words.shared_help) }
        div.controls {
            label.slider {
                (words.least_share) " " output #least-value { (percent(Shared::GROUP_SHARE)) }
                input #least type="range" min="0" max="100" step="1" value=(Shared::GROUP_SHARE * 100.0);
            }
            p #groups role="status" {}
        }
        div #picture {}
    }
}

impl Batch<'_> {
    /// The page of all submissions by itself, without links to theirs: those that were checked, in the order of their ids, and those
    /// that could not be.
    ///
    /// # Errors
    /// When a value cannot be written as JSON, which none should be.
    pub fn to_html(
        &self,
        checked: &[Summary],
        unread: &[&Unread],
        words: &Messages,
    ) -> Result<String, serde_json::Error> {
        let entries: Vec<Entry> = checked.iter().map(|summary| Entry { summary, page: None }).collect();
        render(&entries, unread, &[], self, None, words)
    }
}

/// Renders the page. The entries are in the order of their ids; `pairs` are the pages of pairs, `day` is that of the check, if
/// it is to be told.
///
/// # Errors
/// When a value cannot be written as JSON, which none should be.
pub fn render(
    checked: &[Entry<'_>],
    unread: &[&Unread],
    pairs: &[PairPage],
    batch: &Batch<'_>,
    day: Option<&str>,
    words: &Messages,
) -> Result<String, serde_json::Error> {
    let mut entries: Vec<&Entry> = checked.iter().collect();
    // The sort is stable: of two with one ratio the one whose id comes first stays first.
    // Those without a ratio come first: somebody has to look at them.
    let rank = |entry: &Entry| (entry.summary.certainty() == Certainty::Unknown, entry.summary.ratios.all.ratio);
    entries.sort_by(|a, b| rank(b).partial_cmp(&rank(a)).unwrap_or(std::cmp::Ordering::Equal));
    let all = checked.len() + unread.len();
    let threshold = (batch.threshold.unwrap_or(THRESHOLD) * 1e4).round() / 1e2;
    let body = html! {
        header {
            div.title {
                h1 { (counted_submissions(all, words)) }
                p.byline {
                    (words.batch)
                    @if let Some(corpus) = batch.reference { " · " (words.corpus) (words.colon) (compared_with(corpus, words)) }
                    @if let Some(day) = day { " · " (text(day)) }
                    " · " (env!("CARGO_PKG_NAME")) " " (env!("CARGO_PKG_VERSION"))
                }
            }
        }
        main {
            @if !unread.is_empty() {
                section #failed aria-labelledby="failed-title" {
                    h2 #failed-title { (words.failed) (words.open) (unread.len()) (words.close_bracket) }
                    ul { @for unread in unread {
                        li { bdi { (text(&unread.id)) } " – " (text(&words.reason(unread))) }
                    } }
                }
            }
            @if !checked.is_empty() {
                (distribution(threshold, words))
                (table(&entries, batch.affiliations, words))
                (sums(&grouped(&entries, batch.affiliations, |of| of.department.as_deref()), words.departments, words))
                (sums(&grouped(&entries, batch.affiliations, |of| of.supervisor.as_deref()), words.supervisors, words))
            }
            (sharing(checked, pairs, batch.shared, words))
            p.note { (words.note) }
        }
    };
    let ratios = checked.iter().map(|entry| entry.summary.ratios.all.ratio).collect();
    let (members, drawn) = drawn(batch.shared, pairs);
    let data = Data { words, ratios, members, pairs: drawn };
    document(words, words.batch, words.batch, SCRIPT, &data, false, &body)
}

/// A pair by the places of its two members, with what they share, 0 to 1, and the address of its page.
pub type DrawnPair = (usize, usize, f64, Option<String>);

/// The members of the pairs that are drawn, and these pairs.
fn drawn(shared: Option<&SharedReport>, pages: &[PairPage]) -> (Vec<String>, Vec<DrawnPair>) {
    let Some(shared) = shared else { return Default::default() };
    let ranked: Vec<&Shared> = ranked(shared).into_iter().take(MOST_DRAWN).collect();
    let mut members: Vec<&str> = ranked.iter().flat_map(|pair| [pair.first.as_str(), pair.second.as_str()]).collect();
    members.sort_unstable();
    members.dedup();
    let (place, names) = (|id: &str| members.binary_search(&id).unwrap_or(0), names(pages));
    let pair = |pair: &&Shared| {
        let page =
            names.get(&(pair.first.as_str(), pair.second.as_str())).map(|name| format!("./{}.html", address(name)));
        (place(&pair.first), place(&pair.second), pair.share(), page)
    };
    let pairs = ranked.iter().map(pair).collect();
    (members.iter().map(|id| text(id)).collect(), pairs)
}

/// How many submissions there are, in words.
fn counted_submissions(all: usize, words: &Messages) -> String {
    let all = number(all as u64);
    match words.before_count {
        "" if all == "1" => format!("{all} {}", words.one_submission),
        "" => format!("{all} {}", words.submissions),
        before => format!("{before}{all}{}", words.after_count),
    }
}

fn table(entries: &[&Entry<'_>], affiliations: &BTreeMap<String, Affiliation>, words: &Messages) -> Markup {
    let any = |of: fn(&Summary) -> bool| entries.iter().any(|entry| of(entry.summary));
    let (titles, authors) = (any(|summary| summary.title.is_some()), any(|summary| summary.author.is_some()));
    let (flags, remarked) = (any(|summary| !summary.flags.is_empty()), any(|summary| !summary.remarks().is_empty()));
    let resembling = any(|summary| summary.resemblances.is_some());
    // Chance gives a few in a thousand.
    let short_runs = any(|summary| summary.ratios.in_short_runs.ratio >= SHORT_RUNS);
    let columns = [
        (words.submission, "", true),
        (words.title, "", titles),
        (words.author, "", authors),
        (words.all, "n", true),
        (words.without_quotes, "n", true),
        (words.without_own_work, "n", true),
        (words.largest_source, "n", true),
        (words.in_short_runs, "n", short_runs),
        (words.compared, "n", true),
        (words.top_source, "", true),
        (words.sources, "n", true),
        (words.passages, "n", true),
        (words.all_characters, "n", true),
        (words.resemblances, "n", resembling),
        (words.flags_short, "", flags),
        (words.message, "", remarked),
    ];
    html! {
        section #submissions aria-labelledby="table-title" {
            h2 #table-title { (words.submission_list) }
            div.controls { label { (words.search) input #search type="search"; } }
            div.scroll tabindex="0" role="group" aria-labelledby="table-title" {
                table #table {
                    thead { tr {
                        @for (label, class, _) in columns.iter().filter(|(_, _, shown)| *shown) {
                            @let sorted = (*label == words.all).then_some("descending");
                            th scope="col" class=(class) aria-sort=[sorted] { button type="button" { (label) } }
                        }
                    } }
                    tbody { @for entry in entries { (row(entry, affiliations, [titles, authors, short_runs, resembling, flags, remarked], words)) } }
                }
            }
        }
    }
}

fn row(
    entry: &Entry<'_>,
    affiliations: &BTreeMap<String, Affiliation>,
    [titles, authors, short_runs, resembling, flags, remarked]: [bool; 6],
    words: &Messages,
) -> Markup {
    let Summary { id, title, author, ratios, sources, passages, top_source, compared, .. } = entry.summary;
    let certainty = entry.summary.certainty();
    let of = affiliations.get(id).cloned().unwrap_or_default();
    let place = [of.department, of.supervisor].into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let shown = |value: &Option<String>| display::title(value.as_deref().unwrap_or_default());
    let share = |ratio: f64| html! { td.n data-key=(ratio) { (words.share(ratio, certainty)) } };
    html! {
        tr data-ratio=(ratios.all.ratio) {
            td data-key=(text(id)) {
                @match entry.page {
                    Some(page) => a href={ "./" (address(page)) ".html" } { bdi { (text(id)) } },
                    None => bdi { (text(id)) },
                }
                @if !place.is_empty() { div.meta { bdi { (text(&place)) } } }
            }
            @if titles { td data-key=(shown(title)) { bdi { (shown(title)) } } }
            @if authors { td data-key=(shown(author)) { bdi { (shown(author)) } } }
            (share(ratios.all.ratio)) (share(ratios.without_quotes.ratio))
            (share(ratios.without_own_work.ratio)) (share(ratios.largest_source.ratio))
            @if short_runs { (share(ratios.in_short_runs.ratio)) }
            td.n data-key=(compared.share()) { (percent(compared.share())) }
            @let top = text(top_source.as_deref().unwrap_or_default());
            td data-key=(top) { bdi { (top) } }
            td.n data-key=(sources) { (sources) }
            td.n data-key=(passages) { (passages) }
            td.n data-key=(ratios.all.characters) { (number(ratios.all.characters)) }
            @if resembling { @let count = entry.summary.resemblances.unwrap_or_default(); td.n data-key=(count) { (count) } }
            @if flags {
                @let told: Vec<String> = entry.summary.flags.iter().map(|(kind, count)| {
                    format!("{} × {}", words.flag(*kind), number(u64::from(*count)))
                }).collect();
                td.told data-key=(told.join(" ")) { @for flag in &told { div { (flag) } } }
            }
            @if remarked { @let said = words.remarks(&entry.summary.remarks()); td.told data-key=(said) { (said) } }
        }
    }
}

/// The ratios of each department or supervisor.
fn grouped<'a>(
    entries: &[&Entry<'_>],
    affiliations: &'a BTreeMap<String, Affiliation>,
    of: fn(&Affiliation) -> Option<&str>,
) -> BTreeMap<&'a str, Vec<f64>> {
    let mut groups: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for entry in entries {
        if let Some(name) = affiliations.get(&entry.summary.id).and_then(of) {
            groups.entry(name).or_default().push(entry.summary.ratios.all.ratio);
        }
    }
    groups
}

/// The submissions of each department or supervisor, as one line.
pub fn sums(groups: &BTreeMap<&str, Vec<f64>>, title: &str, words: &Messages) -> Markup {
    let median = |ratios: &[f64]| {
        let mut sorted = ratios.to_vec();
        sorted.sort_by(f64::total_cmp);
        let half = sorted.len() / 2;
        if sorted.len() % 2 == 1 { sorted[half] } else { (sorted[half - 1] + sorted[half]) / 2.0 }
    };
    html! {
        @if !groups.is_empty() {
            // Narrow windows scroll it, so it can have the focus.
            section.sums aria-label=(title) tabindex="0" {
                h2 { (title) }
                table {
                    thead { tr {
                        th scope="col" { (title) } th.n scope="col" { (words.submission_list) }
                        th.n scope="col" { (words.median) } th.n scope="col" { (words.highest) }
                        th.n scope="col" { (words.at_or_above) }
                    } }
                    tbody { @for (name, ratios) in groups {
                        @let list: Vec<String> = ratios.iter().map(f64::to_string).collect();
                        tr {
                            td { bdi { (text(name)) } } td.n { (ratios.len()) } td.n { (percent(median(ratios))) }
                            td.n { (percent(ratios.iter().copied().fold(0.0, f64::max))) }
                            td.n data-ratios=(list.join(" ")) {}
                        }
                    } }
                }
            }
        }
    }
}

/// Who shares text with whom: a picture from a share on, and a table.
fn sharing(entries: &[Entry<'_>], pairs: &[PairPage], shared: Option<&SharedReport>, words: &Messages) -> Markup {
    html! {
        @if entries.len() > 1 {
            section #shared aria-labelledby="shared-title" {
                h2 #shared-title { (words.shared) }
                @match shared {
                    None => p { (words.not_shared) },
                    Some(shared) if shared.pairs.is_empty() => p { (words.none_shared) },
                    Some(shared) => {
                        (picture(words))
                        (shared_table(shared, &pages(entries), pairs, words))
                    }
                }
            }
        }
    }
}

/// The page of each submission that has one.
fn pages<'a>(entries: &[Entry<'a>]) -> BTreeMap<&'a str, &'a str> {
    entries.iter().filter_map(|entry| Some((entry.summary.id.as_str(), entry.page?))).collect()
}

fn shared_table(shared: &SharedReport, pages: &BTreeMap<&str, &str>, pairs: &[PairPage], words: &Messages) -> Markup {
    let (ranked, of_pairs) = (ranked(shared), names(pairs));
    let left_out = ranked.len().saturating_sub(MOST_ROWS);
    let name = |id: &str| {
        html! {
            @match pages.get(id) {
                Some(page) => a href={ "./" (address(page)) ".html" } { bdi { (text(id)) } },
                None => bdi { (text(id)) },
            }
        }
    };
    html! {
        @if left_out > 0 { p.cap { (words.shared_capped) (number(left_out as u64)) } }
        div.scroll tabindex="0" role="group" aria-label=(words.shared) {
            table {
                thead { tr {
                    th scope="col" { (words.submission) } th.n scope="col" { (words.share) }
                    th scope="col" { (words.submission) } th.n scope="col" { (words.share) }
                    @if !pairs.is_empty() { th scope="col" { (words.compare) } }
                    th.n scope="col" { (words.passages) } th.n scope="col" { (words.longest) }
                    th.n scope="col" { (words.similarity) } th.n scope="col" { (words.common_sources) }
                } }
                tbody { @for row in ranked.into_iter().take(MOST_ROWS) { tr data-share=(row.share()) {
                    td { (name(&row.first)) } td.n { (percent(row.ratio_first)) }
                    td { (name(&row.second)) } td.n { (percent(row.ratio_second)) }
                    @if !pairs.is_empty() { td {
                        @if let Some(page) = of_pairs.get(&(row.first.as_str(), row.second.as_str())) {
                            a href={ "./" (address(page)) ".html" } { (words.see_pair) }
                        }
                    } }
                    td.n { (row.passages) } td.n { (number(row.longest)) }
                    td.n { (percent(row.similarity)) } td.n { (row.common_sources) }
                } } }
            }
        }
    }
}
