//! A round at a glance: who stands out, how ratios are distributed, by college and supervisor, and who shares text with whom.

use super::forms::{Head, sortable};
use super::layout::{percent, time};
use super::start::{ratio_cells, state, who};
use super::words::Words;
use crate::fault::Fault;
use crate::http::call::Call;
use crate::listing::Listed;
use crate::paper::head;
use crate::queue::State;
use crate::queue::worker::SUBMISSION;
use crate::rounds::Round;
use crate::store::rows;
use copytrace::check::Certainty;
use copytrace::report::html::batch::{Data, distribution, picture, sums};
use copytrace::report::messages::Messages;
use copytrace_messages::Tell;
use maud::{Markup, html};
use rusqlite::Connection;
use std::collections::BTreeMap;

/// Pairs that are listed; the picture has all.
const MOST_PAIRS: usize = 500;

/// What two submissions share: of the first what is in the second, and of the second what is in the first, where it is known.
type Shares = BTreeMap<(usize, usize), [Option<f64>; 2]>;

/// The submissions of a round with what is told of them together.
pub fn overview(call: &Call, words: &Words, round: &Round, listed: &[Listed]) -> Result<Markup, Fault> {
    let labels = Messages::of(call.language);
    let shares = call.app.read(|c| Ok(shares(c, round, listed)?))?;
    let ratio = |listed: &Listed| {
        listed.figures.filter(|figures| figures.certainty() != Certainty::Unknown).map(|figures| figures.decided_ratio)
    };
    let grouped = |of: fn(&Listed) -> Option<&str>| {
        let mut groups: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for one in listed {
            if let (Some(name), Some(ratio)) = (of(one), ratio(one)) {
                groups.entry(name).or_default().push(ratio);
            }
        }
        groups
    };
    // Members are those that share text, in the order of the list.
    let mut members: Vec<usize> = shares.keys().flat_map(|(a, b)| [*a, *b]).collect();
    members.sort_unstable();
    members.dedup();
    let place = |at: usize| members.binary_search(&at).unwrap_or_default();
    let share = |of: &[Option<f64>; 2]| of.iter().flatten().copied().fold(0.0, f64::max);
    // The report on one of a pair, at the first passage that the other has too.
    let beside = |at: usize, other: usize| {
        let (id, other) = (&listed[at].submission.id, &listed[other].submission.id);
        format!("/submissions/{id}/report#with=/submissions/{other}")
    };
    let pair = |(&(a, b), of): (&(usize, usize), &[Option<f64>; 2])| {
        let with_report = if of[0].is_some() { beside(a, b) } else { beside(b, a) };
        (place(a), place(b), share(of), Some(with_report))
    };
    let data = Data {
        words: labels,
        ratios: listed.iter().filter_map(ratio).collect(),
        members: members.iter().map(|at| called(&listed[*at])).collect(),
        pairs: shares.iter().map(pair).collect(),
    };
    let mut ranked: Vec<_> = shares.iter().collect();
    ranked.sort_by(|a, b| share(b.1).total_cmp(&share(a.1)).then(a.0.cmp(b.0)));
    let known = |ratio: Option<f64>| ratio.map_or("–".to_owned(), percent);
    let link = |at: usize, other: usize| html! { a href=(beside(at, other)) { (who(&listed[at])) } };
    Ok(html! {
        (submissions(call, words, round, listed))
        (distribution(round.limit_ratio * 100.0, labels))
        (sums(&grouped(|one| one.college.as_deref()), &head(words.college), labels))
        (sums(&grouped(|one| one.supervisor.as_deref()), &head(words.supervisor), labels))
        section #shared aria-labelledby="shared-title" {
            h2 #shared-title { (labels.shared) }
            @if shares.is_empty() { p.hint { (none_shared(words, labels, round, listed)) } } @else {
                (picture(labels))
                div.scroll tabindex="0" role="group" aria-label=(labels.shared) { table {
                    thead { tr { @for _ in 0..2 { th scope="col" { (head(if call.app.is_for_several() { words.student_of } else { words.file })) } th.n scope="col" { (head(labels.share)) } } } }
                    tbody { @for (&(a, b), of) in ranked.into_iter().take(MOST_PAIRS) { tr data-share=(share(of)) {
                        td { (link(a, b)) } td.n { (known(of[0])) } td { (link(b, a)) } td.n { (known(of[1])) }
                    } } }
                } }
            }
        }
        (data.element()?)
        script src="/static/overview.js" defer {}
    })
}

/// What is told where no two are known to share text: that none do is known when they were compared with each other, and all are.
fn none_shared(words: &Words, labels: &Messages, round: &Round, listed: &[Listed]) -> &'static str {
    let is_under_way = listed.iter().any(|one| one.state.is_some_and(|state| !state.is_over()));
    match () {
        () if !round.among => labels.not_shared,
        () if is_under_way => words.not_all_checked,
        () => labels.none_shared,
    }
}

fn called(listed: &Listed) -> String {
    match (&listed.number, &listed.name) {
        (Some(number), Some(name)) => format!("{number} {name}"),
        (Some(known), None) | (None, Some(known)) => known.clone(),
        _ => format!("№ {}", &listed.submission.id[..8]),
    }
}

/// Which submissions of a list share text: by their places in it.
fn shares(c: &Connection, round: &Round, listed: &[Listed]) -> Result<Shares, rusqlite::Error> {
    let places: BTreeMap<&str, usize> =
        listed.iter().enumerate().map(|(at, listed)| (listed.submission.id.as_str(), at)).collect();
    let sql = "SELECT meeting.submission, source, ratio FROM meeting JOIN submission s ON s.id = meeting.submission \
               WHERE s.round = ?1 AND s.state = 'kept' AND characters > 0";
    let mut shares = Shares::new();
    for (one, other, ratio) in rows::all::<(String, String, f64)>(c, sql, [&round.id])? {
        let other = other.strip_prefix(SUBMISSION).unwrap_or_default();
        if let (Some(&a), Some(&b)) = (places.get(one.as_str()), places.get(other)) {
            shares.entry((a.min(b), a.max(b))).or_default()[usize::from(a > b)] = Some(ratio);
        }
    }
    Ok(shares)
}

fn submissions(call: &Call, words: &Words, round: &Round, listed: &[Listed]) -> Markup {
    let any = |of: fn(&Listed) -> bool| listed.iter().any(of);
    let (colleges, titles) = (any(|one| one.college.is_some()), any(|one| one.title.is_some()));
    // Somebody alone has files, and nobody who decides on them.
    let several = call.app.is_for_several();
    let heads = [
        Head::text(if several { words.matched_student } else { words.file }),
        Head::text(words.college).wide(colleges),
        Head::text(words.thesis_title).wide(titles),
        Head::text(words.supervisor).wide(several),
        Head::text(words.kind).wide(several),
        Head::number(words.decided_ratio).sorted(),
        Head::number(words.signs).wide(true),
        Head::text(words.verdict).only(several),
        Head::text(words.state),
        Head::text(words.received).wide(true),
    ];
    let told = |value: &Option<String>| value.clone().unwrap_or_default();
    let rows = html! { @for one in listed {
        @let (college, title, supervisor) = (told(&one.college), told(&one.title), told(&one.supervisor));
        @let kind = format!("{} {}", words.word(one.submission.kind.as_str()), one.submission.attempt);
        @let verdict = one.verdict.map_or(words.no_verdict, |verdict| words.word(verdict.as_str()));
        @let ratio = one.figures.map_or(-1.0, |figures| figures.decided_ratio);
        tr data-ratio=(ratio) {
            td data-key=(called(one)) { a href={ "/submissions/" (one.submission.id) } { (who(one)) } }
            @if colleges { td.wide data-key=(college) { bdi { (college) } } }
            @if titles { td.wide data-key=(title) { bdi { (title) } } }
            @if several { td.wide data-key=(supervisor) { bdi { (supervisor) } } td.wide data-key=(kind) { (kind) } }
            (ratio_cells(one, round))
            @if several { td data-key=(verdict) { (verdict) } }
            td data-key=(state(words, one)) { (state(words, one))
                @if one.state == Some(State::Failed) { (words.colon) bdi { (one.message.as_ref().map(|why| why.tell(call.language)).unwrap_or_default()) } } }
            td.wide data-key=(one.submission.received) { (time(one.submission.received)) }
        }
    } };
    html! { section aria-labelledby="submissions" {
        h2 #submissions { (words.submissions) }
        div.controls { label { (words.find) input #search type="search"; } }
        (sortable("table", &heads, &rows))
    } }
}
