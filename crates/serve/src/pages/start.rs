//! The overview: whom one must look at first, and the rounds.

use super::forms::table;
use super::layout::{Place, page, percent, time};
use super::words::Words;
use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::listing::{Listed, Wanted, of_round, supervisor_of};
use crate::people::Role;
use crate::queue::{self, State};
use crate::reviewers;
use crate::rounds::{Round, Standing, visible};
use crate::submissions::Verdict;
use maud::{Markup, html};

/// Submissions of a round that are looked through, and submissions that are shown.
const LOOKED_AT: usize = 200;
const SHOWN: usize = 30;

/// The overview.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), call.caller()?);
    let (rounds, mut first, waits, finals) = call.app.read(|c| {
        let rounds = visible(c, caller)?;
        let waits = if caller.oversees().is_ok() { queue::put_off(c)? } else { (0, 0) };
        let mut first = Vec::new();
        for (round, standing) in rounds.iter().filter(|(_, standing)| is_staff(*standing)) {
            let supervisor = supervisor_of(*standing, &caller.person.id);
            let wanted = Wanted { supervisor, undecided: true, most: LOOKED_AT, ..Wanted::default() };
            let waiting = of_round(c, round, *standing, &wanted)?;
            let urgent = waiting.into_iter().filter(|listed| is_urgent(listed, round));
            first.extend(urgent.map(|listed| (listed, round.clone())));
        }
        Ok((rounds, first, waits, reviewers::to_review(c, &caller.person.id, None)?))
    })?;
    let ratio = |listed: &Listed| listed.figures.map_or(2.0, |figures| figures.decided_ratio);
    first.sort_by(|(a, _), (b, _)| ratio(b).total_cmp(&ratio(a)).then_with(|| a.submission.id.cmp(&b.submission.id)));
    first.truncate(SHOWN);
    let looks = rounds.iter().any(|(_, standing)| is_staff(*standing));
    let body = html! {
        h1 { (words.overview) }
        @for (count, told) in [(waits.0, words.removals_wait), (waits.1, words.jobs_wait)] {
            @if count > 0 { p.alert role="alert" { (told) " " (count) } }
        }
        @if looks { section aria-labelledby="first" {
            h2 #first { (words.look_first) }
            @if first.is_empty() { p.empty { (words.look_first_none) } } @else { (first_table(words, &first)) }
        } }
        @if !finals.is_empty() { (to_review(words, &finals)) }
        section aria-labelledby="rounds" {
            h2 #rounds { (words.rounds) }
            @if rounds.is_empty() { p.empty { (empty(call, words)) } } @else { (rounds_table(words, &rounds)) }
            @if caller.person.is(Role::Administrator) { p { a.button href="/rounds/new" { (words.new_round) } } }
        }
    };
    Ok(page(call, Place::Overview, words.overview, &body))
}

/// Whether the submissions of a round are somebody's to look at.
fn is_staff(standing: Standing) -> bool {
    !matches!(standing, Standing::Studies | Standing::Reviews)
}

/// Finals to review.
pub fn to_review(words: &Words, finals: &[(String, String, Option<Verdict>)]) -> Markup {
    let rows = html! { @for (id, round, verdict) in finals { tr {
        td { a href={ "/submissions/" (id) } { "№ " (&id[..8]) } } td { bdi { (round) } }
        td { (verdict.map_or(words.no_verdict, |verdict| words.word(verdict.as_str()))) }
    } } };
    html! { section aria-labelledby="review" {
        h2 #review { (words.to_review) }
        @if finals.is_empty() { p.empty { (words.look_first_none) } } @else { (table(&[words.kind_final, words.round, words.verdict], &[], &rows)) }
    } }
}

/// What somebody must look at: it could not be checked, is at or above the round's limit, or has unusual signs.
fn is_urgent(listed: &Listed, round: &Round) -> bool {
    match listed.figures {
        None => listed.state == Some(State::Failed),
        Some(figures) => figures.decided_ratio >= round.limit_ratio || figures.flags > 0 || listed.appeals > 0,
    }
}

fn empty(call: &Call, words: &Words) -> &'static str {
    let is = |role| call.caller.as_ref().is_some_and(|caller| caller.person.is(role));
    match (is(Role::Administrator), is(Role::Student)) {
        (true, _) => words.no_rounds_admin,
        (_, true) => words.no_rounds_student,
        _ => words.no_rounds,
    }
}

fn first_table(words: &Words, first: &[(Listed, Round)]) -> Markup {
    let titles = [words.matched_student, words.rounds, words.decided_ratio, words.signs, words.state];
    let rows = html! { @for (listed, round) in first { tr.above[listed.figures.is_some_and(|f| f.decided_ratio >= round.limit_ratio)] {
        td { a href={ "/submissions/" (listed.submission.id) } { (who(listed)) } }
        td { bdi { (round.title) } }
        (ratio_cells(listed, round))
        td { (state(words, listed)) }
    } } };
    table(&titles, &[words.decided_ratio, words.signs], &rows)
}

/// How the work on a submission stands.
pub fn state(words: &Words, listed: &Listed) -> &'static str {
    words.word(listed.state.map_or("", State::as_str))
}

/// Whose a submission is, or its number where names are not shown.
pub fn who(listed: &Listed) -> Markup {
    html! { bdi { @match (&listed.number, &listed.name) {
        (Some(number), Some(name)) => { (number) " " (name) },
        (Some(known), None) | (None, Some(known)) => (known),
        _ => { "№ " (&listed.submission.id[..8]) },
    } } }
}

/// The cells of ratio and signs.
pub fn ratio_cells(listed: &Listed, round: &Round) -> Markup {
    html! {
        td.n data-key=(listed.figures.map_or(-1.0, |figures| figures.decided_ratio)) { @match listed.figures {
            Some(figures) => span.above[figures.decided_ratio >= round.limit_ratio] { (percent(figures.decided_ratio)) },
            None => "–",
        } }
        td.n.wide data-key=(listed.figures.map_or(-1, |figures| figures.flags)) { @match listed.figures { Some(figures) => (figures.flags), None => "–" } }
    }
}

fn rounds_table(words: &Words, rounds: &[(Round, Standing)]) -> Markup {
    let rows = html! { @for (round, _) in rounds { tr {
        td { a href={ "/rounds/" (round.id) } { bdi { (round.title) } } }
        td { (if round.is_open() { words.open_now } else { words.not_open }) }
        td { (time(round.opens)) } td { (time(round.closes)) }
    } } };
    table(&[words.title, words.state, words.opens, words.closes], &[], &rows)
}
