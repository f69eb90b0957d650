//! The page of one submission: figures and strip, the full text with its sources beside it, two passages side by side, and what
//! else should be known, at the end.

use super::super::messages::Messages;
use super::full_text::{self, SOURCE_COLOURS};
use super::pictures::{bar, class, strip};
use super::resemblances;
use super::script_data::PageData;
use super::{display, document};
use crate::check::{About, Certainty, Chapter, Ratio, Ratios, Report, Source, Status, counts_in_some_ratio};
use crate::report::record::{Decision, Record};
use crate::settings::Settings;
use crate::text::NotCounted;
use crate::text::manipulation::FlagKind;
use crate::text::structure::SectionKind;
use display::{day, number, percent, text};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The script of every page of a submission.
pub const SCRIPT: &str = include_str!("page.js");

/// The most passages that the page lists: the longest ones.
const MOST_PASSAGES: usize = 5000;

impl Report {
    /// The page of the submission, which stands by itself.
    ///
    /// # Errors
    /// When a value cannot be written as JSON, which no report's should be.
    pub fn to_html(&self, words: &Messages) -> Result<String, serde_json::Error> {
        shortened_where_long(self, None, false, words)
    }

    /// The page of a submission with the record of its case.
    ///
    /// # Errors
    /// When a value cannot be written as JSON, which no report's should be.
    #[doc(hidden)] // for the service
    pub fn to_html_with(&self, record: &Record, words: &Messages) -> Result<String, serde_json::Error> {
        shortened_where_long(self, Some(record), false, words)
    }
}

/// Renders the page of a submission whose folder has an `index.html`.
///
/// # Errors
/// When a value cannot be written as JSON, which no report's should be.
pub fn render_in_folder(report: &Report, words: &Messages) -> Result<String, serde_json::Error> {
    shortened_where_long(report, None, true, words)
}

fn shortened_where_long(
    report: &Report,
    record: Option<&Record>,
    in_folder: bool,
    words: &Messages,
) -> Result<String, serde_json::Error> {
    if report.passages.len() <= MOST_PASSAGES {
        return whole(report, 0, record, in_folder, words);
    }
    // The longest passages alone. Figures and marked text stay, and nothing is decided on a page where places are others.
    let mut order: Vec<usize> = (0..report.passages.len()).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(report.passages[at].characters), at));
    order.truncate(MOST_PASSAGES);
    order.sort_unstable();
    let passages = order.iter().map(|&at| report.passages[at].clone()).collect();
    let record = record.map(|record| Record {
        left_out: (0..).zip(&order).filter(|(_, at)| record.left_out.contains(at)).map(|(place, _)| place).collect(),
        decide: None,
        ..record.clone()
    });
    let shortened = Report { passages, ..report.clone() };
    whole(&shortened, report.passages.len() - MOST_PASSAGES, record.as_ref(), in_folder, words)
}

fn whole(
    found: &Report,
    left_out: usize,
    record: Option<&Record>,
    in_folder: bool,
    words: &Messages,
) -> Result<String, serde_json::Error> {
    let (no_record, none) = (record.is_none(), Record::default());
    let record = record.unwrap_or(&none);
    let reviewed = (!record.left_out.is_empty()).then(|| found.reviewed(|at| record.left_out.contains(&at)));
    let report = reviewed.as_ref().unwrap_or(found);
    let About { id, .. } = &report.submission;
    let heading = if no_record { text(id) } else { text(&record.heading) };
    let has_matches = !report.passages.is_empty() || !report.weak.is_empty();
    let body = html! {
        a.skip href="#text" { (words.skip) }
        header {
            @if in_folder { div.back { a href="./index.html" { "← " (words.back) } } }
            @if let Some((address, label)) = &record.back { div.back { a href=(address) { "← " (label) } } }
            div.title {
                @if !record.institution.is_empty() || record.logo.is_some() { p.institution {
                    @if let Some(logo) = &record.logo { img src=(logo) alt=""; " " } bdi { (record.institution) }
                } }
                h1 { bdi { (heading) } }
                @if no_record { p.byline { (words.report) (claims(&report.submission)) } } @else { p.byline {
                    (words.report)
                    @for (label, fact) in &record.facts { " · " span.fact { (label) (words.colon) bdi { (text(fact)) } } }
                } }
            }
            div.sheets role="group" {
                @for (address, label) in &record.sheets { a.button href=(address) { (label) } }
                @if no_record { button type="button" data-print="brief" { (words.print_brief) } }
                button type="button" data-print="full" { (words.print_full) }
            }
        }
        p.sheet-name {}
        main {
            (overview(report, found, words))
            @if left_out > 0 { p.cap { (words.capped) (number(left_out as u64)) } }
            div.work {
                section #text aria-labelledby="text-title" tabindex="-1" {
                    h2 #text-title .unheard { (words.full_text) }
                    (reading_bar(report, has_matches, words))
                    article lang="" aria-label=(words.full_text) { (full_text::render(report, words)) }
                }
                div.panel {
                    @if !record.verdicts.is_empty() { (verdicts(record, words)) }
                    @if !record.decisions.is_empty() { (decisions("decisions", words.decisions, &record.decisions, words)) }
                    @if !record.appeals.is_empty() { (decisions("appeals", words.appeals, &record.appeals, words)) }
                    @if report.sources.iter().any(|source| source.passages > 0) { (sources(report, record, words)) }
                    @if !report.weak.is_empty() { (weak(report, words)) }
                    (flags(report, words))
                    @if report.chapters.len() > 1 { (chapters(report, words)) }
                }
            }
            (resemblances::section(report, words))
            div #table-of-passages hidden {}
            (details(report, record, no_record, words))
            p.note { (words.note) }
            @if no_record { (signatures(words)) }
        }
        (comparison(record, words))
    };
    let foot = format!("{} {} · {heading}", words.number, report.number);
    let data = PageData::new(words, found, report, record);
    document(words, &format!("{heading} – {}", words.report), &foot, SCRIPT, &data, !no_record, &body)
}

/// What a file says of itself.
fn claims(of: &About) -> Markup {
    html! {
        @for part in [&of.title, &of.author].into_iter().flatten() { " · " bdi { (display::title(part)) } }
        @if let Some(date) = &of.date { " · " bdi { (text(day(date))) } }
    }
}

fn verdicts(record: &Record, words: &Messages) -> Markup {
    html! { section #verdicts aria-labelledby="verdicts-title" {
        h2 #verdicts-title { (words.verdicts) }
        ul { @for (verdict, by, comment) in &record.verdicts { li {
            b { (verdict) } p.meta { bdi { (text(by)) } } @if !comment.is_empty() { p.said { bdi { (text(comment)) } } }
        } } }
    } }
}

/// What people left out, and why; who may decide takes it back here.
fn decisions(id: &str, title: &str, made: &[Decision], words: &Messages) -> Markup {
    let revoke = |address: &str| html! { form method="post" action=(address) { button { (words.revoke) } } };
    let decision = |Decision { about, passage, reason, told, stands, revoke: address }: &Decision| {
        html! { li.off[!stands] {
            @match passage {
                Some(at) => button.link type="button" data-passage=(at) { bdi { (text(about)) } },
                None => bdi { (text(about)) },
            }
            @if !reason.is_empty() { p.said { bdi { (text(reason)) } } }
            p.meta { (text(told)) }
            @if let Some(address) = address { (revoke(address)) }
        } }
    };
    html! { section id=(id) aria-labelledby={ (id) "-title" } {
        h2 id={ (id) "-title" } { (title) }
        ul { @for one in made { (decision(one)) } }
    } }
}

/// The figures of a report as its page shows them: after a review, and as found.
pub fn figures(ratios: &Ratios, found: &Ratios, certainty: Certainty, words: &Messages) -> Markup {
    let figures = [
        ("all", words.all, &ratios.all, &found.all),
        ("without_quotes", words.without_quotes, &ratios.without_quotes, &found.without_quotes),
        ("without_own_work", words.without_own_work, &ratios.without_own_work, &found.without_own_work),
        ("largest_source", words.largest_source, &ratios.largest_source, &found.largest_source),
        ("in_short_runs", words.in_short_runs, &ratios.in_short_runs, &found.in_short_runs),
    ];
    html! { @for (name, label, ratio, found) in figures { (figure(name, label, (ratio, found), certainty, words)) } }
}

fn overview(report: &Report, found: &Report, words: &Messages) -> Markup {
    let certainty = report.certainty();
    html! {
        section #overview aria-label=(words.overview) data-certainty=(certainty.as_str()) {
            @if !report.itself.is_empty() {
                p.notice { (words.itself) @for id in &report.itself { bdi { (text(id)) } " " } }
            }
            div #figures {
                (figures(&report.ratios, &found.ratios, certainty, words))
                (compared(report, words))
            }
            div #left-out role="status" {}
            @if report.passages.is_empty() {
                p.notice.calm { (words.no_match) }
            } @else {
                (strip(report, words.where_matches_lie))
            }
        }
    }
}

/// How much was compared, beside the ratios that are worth no more than it, and why the rest was not.
fn compared(report: &Report, words: &Messages) -> Markup {
    let (share, causes) = (report.compared.share(), report.compared.shares());
    html! {
        div.figure #compared {
            p.label { (words.compared) }
            p.value { (percent(share)) }
            p.of { (words.compared_of) @for (cause, share) in &causes { " · " (words.cause(*cause)) " " (percent(*share)) } }
        }
    }
}

/// A ratio after the review, and what it was when it was found, where they differ.
fn figure(name: &str, label: &str, (ratio, found): (&Ratio, &Ratio), certainty: Certainty, words: &Messages) -> Markup {
    html! {
        div.figure data-ratio=(name) {
            p.label { (label) @if ratio != found { " · " b { (words.after_review) } } }
            p.value { (words.share(ratio.ratio, certainty)) }
            p.of { (number(ratio.matched)) " " (words.of) " " (number(ratio.characters)) " " (words.characters) }
            @if ratio != found { p.found { (words.as_found) (words.colon) (words.share(found.ratio, certainty)) } }
        }
    }
}

/// What stays in sight above the text: what is counted, and the way from match to match.
fn reading_bar(report: &Report, found: bool, words: &Messages) -> Markup {
    let statuses = Status::ALL
        .into_iter()
        .filter(|status| report.segments.iter().any(|segment| segment.matched && segment.shown() == *status));
    html! {
        @if found {
            div.bar {
                div.steps {
                    button type="button" #previous aria-keyshortcuts="p" { "← " (words.previous) }
                    span #position role="status" { "0 / " (report.passages.len()) }
                    button type="button" #next aria-keyshortcuts="n" { (words.next) " →" }
                    label.slider {
                        (words.shortest) " " output #shortest-value { "0" }
                        input #shortest type="range" min="0" max=(longest(report)) value="0";
                    }
                }
                div.legend role="group" aria-label=(words.legend) {
                    @for status in statuses {
                        label {
                            input type="checkbox" checked data-status=(class(status));
                            mark class=(class(status)) { (words.status(status)) }
                            @let letter = words.letter(status);
                            @if !letter.is_empty() { " " sup { (letter) } }
                        }
                    }
                }
            }
        }
    }
}

/// How far the slider of the shortest match goes: matches are rarely left out that are longer than this.
fn longest(report: &Report) -> u64 {
    report.passages.iter().map(|passage| passage.characters).max().unwrap_or(0).min(500)
}

fn sources(report: &Report, record: &Record, words: &Messages) -> Markup {
    // How many passages of a source there are that do not count.
    let aside = |source: usize| {
        let of = report.passages.iter().filter(|passage| passage.source == source);
        of.filter(|passage| passage.set_aside().is_some()).count()
    };
    html! {
        section #sources aria-labelledby="sources-title" {
            h2 #sources-title { (words.sources) (words.open) (report.sources.iter().filter(|source| source.passages > 0).count()) (words.close_bracket) }
            ol {
                @for (at, source) in report.sources.iter().enumerate().filter(|(_, source)| source.passages > 0) {
                    @let aside = aside(at);
                    li.off[aside == source.passages] data-aside[aside == source.passages] data-source=(at) {
                        input type="checkbox" checked aria-label={ (words.counted) ": " (text(&source.id)) };
                        span class={ "chip s" (at % SOURCE_COLOURS) } { (at + 1) }
                        button.link type="button" { bdi.name { (text(&source.id)) } }
                        span.share { (percent(source.ratio)) }
                        (bar(source.ratio))
                        p.meta {
                            (about_source(source, words))
                            @if aside > 0 { (words.comma) (words.not_counted) (words.colon) (aside) }
                            @if let Some(address) = record.links.get(&at) { " · " a href=(address) { (words.see_submission) } }
                        }
                    }
                }
            }
        }
    }
}

/// Whether a browser may be led there: what a source says of itself may be anything.
fn is_address(url: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| url.starts_with(scheme))
}

fn about_source(source: &Source, words: &Messages) -> Markup {
    html! {
        @for part in [&source.title, &source.author].into_iter().flatten() { bdi { (display::title(part)) } " · " }
        @if let Some(date) = &source.date { bdi { (text(day(date))) } " · " }
        @if let Some(url) = source.url.as_ref().filter(|url| is_address(url)) {
            a href=(url) rel="noopener noreferrer" { bdi { (url) } } " · "
        }
        @if let Some(licence) = &source.licence { bdi { (licence) } " · " }
        @if source.own_work { b { (words.why_not_counted(NotCounted::OwnWork)) } " · " }
        (number(source.matched)) " " (words.characters) " · "
        @if source.credited < source.matched { (words.credited) (words.colon) (number(source.credited)) " · " }
        (words.passages) (words.colon) (source.passages)
    }
}

/// Matches that are too thin to count, apart from the others.
fn weak(report: &Report, words: &Messages) -> Markup {
    html! {
        details #weak {
            summary { h2 { (words.weak) (words.open) (report.weak.len()) (words.close_bracket) } }
            p.meta { (words.weak_help) }
            ul {
                @for (at, passage) in report.weak.iter().enumerate() {
                    li { button.link type="button" data-weak=(at) {
                        bdi { (text(&report.sources[passage.source].id)) } " · " (percent(passage.similarity)) " · "
                        (number(passage.characters)) " " (words.characters)
                    } }
                }
            }
        }
    }
}

/// Signs of manipulation by kind, each with the way to its places.
fn flags(report: &Report, words: &Messages) -> Markup {
    let kinds = report.flags_by_kind();
    html! {
        @if !kinds.is_empty() {
            section #flags aria-labelledby="flags-title" {
                h2 #flags-title { (words.flags) }
                ul {
                    @for (kind, (count, places)) in &kinds {
                        @let places: Vec<String> = places.iter().map(usize::to_string).collect();
                        li {
                            button.link type="button" data-places=(places.join(" ")) {
                                (words.flag(*kind)) " × " (number((*count).into()))
                            }
                            p.meta { (words.explanation(*kind)) }
                        }
                    }
                }
                @if kinds.contains_key(&FlagKind::ZeroWidth) || kinds.contains_key(&FlagKind::Direction) {
                    label.line { input #reveal type="checkbox"; " " (words.reveal) }
                }
            }
        }
    }
}

fn chapters(report: &Report, words: &Messages) -> Markup {
    html! {
        section #chapters aria-labelledby="chapters-title" {
            h2 #chapters-title { (words.chapters) }
            ul {
                @for (at, chapter) in report.chapters.iter().enumerate() {
                    li data-chapter=(at) {
                        a href={ "#c" (at) } { bdi { (chapter_name(chapter, words)) } }
                        span.share { (percent(chapter.ratio.ratio)) }
                        (bar(chapter.ratio.ratio))
                    }
                }
            }
        }
    }
}

/// The heading of a chapter, or what it is.
fn chapter_name(chapter: &Chapter, words: &Messages) -> String {
    match (chapter.title.as_str(), chapter.kind) {
        ("", SectionKind::Chapter) => words.no_heading.to_owned(),
        ("", kind) => words.word(kind.as_str()).into_owned(),
        (title, _) => text(title),
    }
}

fn excluded_by_reason(report: &Report) -> BTreeMap<NotCounted, u64> {
    let mut sums = BTreeMap::new();
    // Quotations count in the overall ratio, and own work too: each has a figure of its own.
    for span in report.excluded.iter().filter(|span| !counts_in_some_ratio(span.reason)) {
        *sums.entry(span.reason).or_default() += span.characters;
    }
    sums
}

fn details(report: &Report, record: &Record, no_record: bool, words: &Messages) -> Markup {
    let (corpus, excluded) = (&report.corpus, excluded_by_reason(report));
    html! {
        details #about {
            summary { h2 { (words.details) } }
            dl {
                div { dt { (words.corpus) } dd {
                    @if record.collections.is_empty() { (compared_with(corpus, words)) } @else {
                        bdi { (text(&record.collections.join(words.list_comma))) } " – " (number(corpus.documents as u64)) " " (words.documents)
                        @if let Some(day) = &corpus.updated { (words.comma) (words.updated) " " (day) }
                    }
                } }
                @let of = &report.submission;
                @if !no_record && (of.title.is_some() || of.author.is_some() || of.date.is_some()) {
                    div { dt { (words.claims) } dd {
                        @for (at, claim) in [&of.title, &of.author, &of.date].into_iter().flatten().enumerate() {
                            @if at > 0 { (words.semicolon) } bdi { (display::title(claim)) }
                        }
                    } }
                }
                div { dt { (words.number) } dd #number { (report.number) } }
                @if let Some(day) = &report.checked { div { dt { (words.checked) } dd { (text(day)) } } }
                @match &report.submission.file_sha256 {
                    Some(digest) => { div { dt { (words.file_digest) } dd.digest { (digest) } } },
                    None => { div { dt { (words.text_digest) } dd.digest { (report.submission.text_sha256) } } },
                }
                div { dt { (words.program) } dd { (report.program.name) " " (report.program.version) } }
                @if !excluded.is_empty() {
                    div { dt { (words.excluded) } dd {
                        @for (at, (reason, characters)) in excluded.iter().enumerate() {
                            @if at > 0 { (words.semicolon) } (words.why_not_counted(*reason)) (words.colon) (number(*characters)) " " (words.characters)
                        }
                    } }
                }
                @let remarks = words.remarks(&report.remarks());
                @if !remarks.is_empty() { div { dt { (words.remarks) } dd { (remarks) } } }
                div { dt { (words.settings) } dd {
                    @for (at, (name, value)) in described(&report.settings).iter().enumerate() { @if at > 0 { (words.semicolon) } (name) " " (value) }
                } }
            }
        }
    }
}

/// What a submission was compared with.
pub(super) fn compared_with(corpus: &crate::check::Reference, words: &Messages) -> Markup {
    html! {
        @if corpus.name.is_empty() { (words.the_others) } @else { bdi { (text(&corpus.name)) } }
        @let documents = corpus.documents.saturating_sub(usize::from(corpus.name.is_empty()));
        " – " (number(documents as u64)) " " (if documents == 1 { words.one_document } else { words.documents })
        @match &corpus.updated {
            Some(day) => { (words.comma) (words.updated) " " (day) },
            None if !corpus.name.is_empty() => { (words.comma) (words.read_for_this_check) },
            None => {}
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

/// Lines to sign on, of the printed summary sheet.
fn signatures(words: &Messages) -> Markup {
    let lines = [words.signature_student, words.signature_supervisor, words.signature_office, words.signature_date];
    html! { div.signatures { @for line in lines { p { (line) span {} } } } }
}

/// The two passages side by side, empty until one is chosen.
fn comparison(record: &Record, words: &Messages) -> Markup {
    html! {
        aside #compare hidden aria-labelledby="compare-title" tabindex="-1" {
            div.head {
                h2 #compare-title { (words.compare) }
                div #card {}
                button type="button" #close aria-keyshortcuts="Escape" { (words.close) }
            }
            dl #why aria-label=(words.why) {}
            @if let Some(address) = &record.decide { form #decide method="post" action=(address) {
                input type="hidden" name="passage";
                @let action = if record.is_appeal { words.appeal } else { words.leave_out };
                @if !record.is_appeal { label { span { (action) } " " select name="scope" {
                    option value="passage" { (words.this_passage) } option value="source" { (words.whole_source) }
                } } }
                label { span { (words.reason) } " " input name="reason" required maxlength="600"; }
                button { (action) }
            } }
            div.sides {
                section aria-label=(words.in_submission) { h3 { (words.in_submission) } div #ours dir="auto" tabindex="0" role="group" aria-label=(words.in_submission) {} }
                section aria-label=(words.in_source) { h3 { (words.in_source) } div #theirs dir="auto" tabindex="0" role="group" aria-label=(words.in_source) {} }
            }
            p.keys { (words.changes) " " (words.keys) }
        }
    }
}
