//! What a collection is harvested from: added, run, removed, and what the last runs did.

use super::forms::{choice, line, optional_value, table};
use super::layout::{Place, page, time};
use super::words::Words;
use crate::collections;
use crate::deeds::elsewhere::{self as deeds, OfCollection};
use crate::fault::Fault;
use crate::harvests::{self, Harvest, sink::state_folder};
use crate::http::call::Call;
use crate::http::reply::Reply;
use copytrace_harvest::{SourceState, Store};
use copytrace_messages::Tell;
use maud::{Markup, html};

/// Days between two runs that can be chosen.
const DAYS: [i64; 4] = [1, 7, 30, 0];

fn every(words: &Words, days: i64) -> String {
    match days {
        0 => words.harvest_by_hand.to_owned(),
        1 => words.harvest_daily.to_owned(),
        7 => words.harvest_weekly.to_owned(),
        days => format!("{days} {}", words.harvest_days),
    }
}

/// The sources of the collection of the path.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    call.caller()?.administrator()?;
    let words = call.words();
    let (collection, sources) = call.app.read(|c| {
        let collection = collections::get(c, call.number("id")?)?;
        Ok((collection.clone(), harvests::of(c, collection.id)?))
    })?;
    let store = Store::open(&state_folder(&call.app.data.join(&collection.folder)))?;
    let rows = html! { @for harvest in &sources { (row(call, harvest, store.sources().find(|(name, _)| *name == harvest.source).map(|(_, state)| state))) } };
    let titles = [
        words.harvest_source,
        words.harvest_every,
        words.harvest_last_run,
        words.state,
        words.documents,
        words.harvest_changes,
        words.harvest_errors,
        words.action,
    ];
    let body = html! {
        h1 { (words.harvests) (words.colon) bdi { (collection.name) } }
        @if sources.is_empty() { p.empty { (words.harvest_none) } } @else { (table(&titles, &[words.documents], &rows)) }
        section aria-labelledby="new" {
            h2 #new { (words.harvest_new) }
            form.box method="post" action={ "/collections/" (collection.id) "/harvests" } {
                p.hint { (words.harvest_hint) }
                (line(words.harvest_source, "source", "text", ""))
                (optional_value(words.harvest_contact, "contact", "email", ""))
                (optional_value(words.harvest_licence, "licence", "text", ""))
                (choice(words.harvest_every, "days", DAYS.map(|days| (days.to_string(), label(words, days))), "7"))
                button.main { (words.add_harvest) }
            }
        }
        p { a href={ "/collections/" (collection.id) } { (words.back) } }
    };
    Ok(page(call, Place::Collections, words.harvests, &body))
}

/// What a choice of days is called.
fn label(words: &Words, days: i64) -> &'static str {
    match days {
        0 => words.harvest_by_hand,
        1 => words.harvest_daily,
        7 => words.harvest_weekly,
        _ => words.harvest_monthly,
    }
}

fn row(call: &Call, harvest: &Harvest, state: Option<&SourceState>) -> Markup {
    let words = call.words();
    let button = |action: &str, title: &str| {
        html! {
            form method="post" action={ "/harvests/" (harvest.id) "/" (action) } { button aria-label={ (title) " " (harvest.source) } { (title) } }
        }
    };
    html! { tr {
        td { bdi { (harvest.source) } @if !harvest.licence.is_empty() { br; span.hint { (harvest.licence) } } }
        td { (every(words, harvest.days)) }
        td { @if let Some(state) = state { (last_run(state)) } }
        td { @match state {
            _ if harvest.under_way => (words.in_progress),
            Some(state) if state.finished => (words.finished),
            Some(_) => span.above { (words.harvest_stopped) },
            None => "–",
        } }
        td.n { (state.map_or(0, |state| state.documents)) }
        td { @if let Some(state) = state {
            (words.added) (words.colon) (state.new) " · " (words.harvest_replaced) (words.colon) (state.replaced) " · " (words.harvest_removed) (words.colon) (state.removed)
        } }
        td { @if let Some(state) = state { @for (code, errors) in &state.errors { p {
            (errors.count) " × "
            @match &errors.reason { Some(reason) => bdi { (reason.tell(call.language)) }, None => code { (code) } }
            @if !errors.examples.is_empty() { br; span.hint { bdi { (errors.examples.join(", ")) } } }
        } } } }
        td { @if !harvest.under_way { (button("run", words.harvest_now)) " " } (button("remove", words.remove)) }
    } }
}

/// When a source was harvested last, as the server's time.
fn last_run(state: &SourceState) -> String {
    state.last_run.parse::<jiff::Timestamp>().map_or_else(|_| state.last_run.clone(), |at| time(at.as_second()))
}

/// Harvests the source of the path now.
pub fn run(call: &Call) -> Result<Reply, Fault> {
    to_harvests(&deeds::run_harvest(call)?)
}

/// Removes the source of the path.
pub fn remove(call: &Call) -> Result<Reply, Fault> {
    to_harvests(&deeds::remove_harvest(call)?)
}

fn to_harvests(of: &OfCollection) -> Result<Reply, Fault> {
    Ok(Reply::to(format!("/collections/{}/harvests", of.collection)))
}
