//! The form of a round: a new one, or one that is changed.

use super::forms::{called, choice, line, optional_value, sure, tick_of};
use super::layout::{Place, field_time, page, time_of_field};
use super::words::Words;
use crate::collections::Collection;
use crate::fault::{BAD_FIELD, Fault, refused};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::{Role, Unit, unit_and_above, units};
use crate::reviewers::Blind;
use crate::rounds::{self, NewRound, Round, Standing, StudentSees};
use crate::{collections, deeds};
use jiff::civil::DateTime;
use maud::{Markup, html};
use serde::Deserialize;

/// What the form offers, and what it says at first.
struct Form {
    collections: Vec<Collection>,
    units: Vec<Unit>,
    earlier: Vec<Round>,
    known: Option<(Round, Vec<i64>)>,
}

impl Form {
    fn read(call: &Call, id: Option<&str>) -> Result<Self, Fault> {
        let caller = call.caller()?;
        call.app.store.read(|c| {
            let known = id.map(|id| Round::administered(c, caller, id)).transpose()?;
            let mut administered = Vec::new();
            for unit in units(c)? {
                if caller.person.has(Role::Administrator, &unit_and_above(c, unit.id)?) {
                    administered.push(unit);
                }
            }
            // Those that the caller may name, and the one that is named already.
            let named = known.as_ref().and_then(|round| round.previous.clone());
            let mut earlier = rounds::visible(c, caller)?;
            earlier.retain(|(round, standing)| *standing == Standing::Administers && named != Some(round.id.clone()));
            let mut earlier: Vec<Round> = earlier.into_iter().map(|(round, _)| round).collect();
            earlier.retain(|round| id != Some(&round.id));
            earlier.extend(named.map(|id| Round::get(c, &id)).transpose()?);
            let compared = id.map_or(Ok(Vec::new()), |id| rounds::compared(c, id))?;
            let known = known.map(|round| (round, compared));
            Ok(Form { collections: collections::nameable(c, caller)?, units: administered, earlier, known })
        })
    }

    fn fields(&self, words: &Words) -> Markup {
        let known = self.known.as_ref().map(|(round, _)| round);
        let number = |pick: fn(&Round) -> i64, default: i64| known.map_or(default, pick).to_string();
        let date = |pick: fn(&Round) -> i64| known.map_or(String::new(), |round| field_time(pick(round)));
        let blind = [words.blind_none, words.blind_author, words.blind_reviewer, words.blind_both];
        let blind = Blind::ALL.iter().zip(blind).map(|(blind, called)| (blind.as_str().to_owned(), called));
        let sees = called(words, StudentSees::ALL);
        let previous = self.earlier.iter().map(|round| (round.id.clone(), round.title.as_str()));
        let previous = std::iter::once((String::new(), words.none)).chain(previous);
        let previous_known = known.and_then(|round| round.previous.as_deref()).unwrap_or_default();
        let is_compared = |id: i64| self.known.as_ref().is_some_and(|(_, compared)| compared.contains(&id));
        html! {
            (line(words.title, "title", "text", known.map_or("", |round| &round.title)))
            @if known.is_none() { (choice(words.unit, "unit", self.units.iter().map(|unit| (unit.id.to_string(), unit.name.as_str())), "")) }
            (line(words.opens, "opens", "datetime-local", &date(|round| round.opens)))
            (line(words.closes, "closes", "datetime-local", &date(|round| round.closes)))
            (line(words.quota, "quota", "number", &number(|round| round.quota, 2)))
            (line(words.interval_hours, "interval_hours", "number", &number(|round| round.interval_s / 3600, 72)))
            (line(words.self_checks, "self_checks", "number", &number(|round| round.self_checks, 0)))
            (line(words.limit, "limit", "number", &known.map_or("20".to_owned(), |round| per_cent(round.limit_ratio))))
            (choice(words.student_sees, "student_sees", sees, known.map_or("never", |round| round.student_sees.as_str())))
            (choice(words.previous, "previous", previous, previous_known))
            (optional_value(words.keep_days, "keep_days", "number", &known.and_then(|round| round.keep_days).map_or(String::new(), |days| days.to_string())))
            (tick_of(words.anonymous, "anonymous", "true", known.is_some_and(|round| round.anonymous)))
            (choice(words.blind, "blind", blind, known.map_or("both", |round| round.blind.as_str())))
            @if known.is_none() { (tick_of(words.among, "among", "true", true)) }
            fieldset {
                legend { (words.compared_with) }
                @for collection in &self.collections { (tick_of(&collection.name, "collections", &collection.id.to_string(), is_compared(collection.id))) }
            }
        }
    }
}

/// A limit as the form has it: 0.2 is 20.
fn per_cent(ratio: f64) -> String {
    ((ratio * 1e6).round() / 1e4).to_string()
}

/// The form of a new round.
pub fn new(call: &Call) -> Result<Reply, Fault> {
    let (words, form) = (call.words(), Form::read(call, None)?);
    let body = html! {
        h1 { (words.new_round) }
        @if form.collections.is_empty() { p.empty { (words.no_collections) " " a href="/collections" { (words.collections) } } }
        form.box method="post" action="/rounds" { (form.fields(words)) button.main { (words.create) } }
    };
    Ok(page(call, Place::Overview, words.new_round, &body))
}

/// The form of a round that is there.
pub fn edit(call: &Call) -> Result<Reply, Fault> {
    let (words, id) = (call.words(), call.part("id")?);
    let form = Form::read(call, Some(id))?;
    let body = html! {
        h1 { (words.change_round) }
        @if let Some((round, _)) = &form.known { p { a href={ "/rounds/" (id) } { bdi { (round.title) } } } }
        form.box method="post" action={ "/rounds/" (id) "/edit" } { p.hint { (words.change_hint) } (form.fields(words)) button.main { (words.save) } }
        form.box method="post" action={ "/rounds/" (id) "/remove" } { p.hint { (words.remove_round_hint) } (sure(words)) button { (words.remove_round) } }
    };
    Ok(page(call, Place::Overview, words.change_round, &body))
}

/// What the form brings.
#[derive(Deserialize)]
struct Filled {
    unit: Option<i64>,
    title: String,
    opens: DateTime,
    closes: DateTime,
    quota: i64,
    interval_hours: i64,
    self_checks: i64,
    limit: f64,
    student_sees: StudentSees,
    #[serde(default)]
    anonymous: bool,
    blind: Option<Blind>,
    #[serde(default)]
    among: bool,
    keep_days: Option<i64>,
    previous: Option<String>,
    #[serde(default)]
    collections: Vec<i64>,
}

/// The round that the form describes, in a unit that may be known already. Its times are those of the server's time zone.
fn filled(call: &Call, unit: Option<i64>) -> Result<NewRound, Fault> {
    let form: Filled = call.fields()?;
    let second = |at, name: &str| time_of_field(at).map_or_else(|| refused(&BAD_FIELD, name), Ok);
    Ok(NewRound {
        unit: unit.or(form.unit).unwrap_or_default(),
        title: form.title,
        opens: second(form.opens, "opens")?,
        closes: second(form.closes, "closes")?,
        quota: form.quota,
        interval_s: form.interval_hours.saturating_mul(3600),
        self_checks: form.self_checks,
        limit_ratio: form.limit / 100.0,
        student_sees: form.student_sees,
        anonymous: form.anonymous,
        blind: form.blind.unwrap_or(Blind::Both),
        among: form.among,
        keep_days: form.keep_days,
        previous: form.previous,
        collections: form.collections,
    })
}

/// Makes a round of the form.
pub fn create(call: &Call) -> Result<Reply, Fault> {
    Ok(Reply::to(format!("/rounds/{}", deeds::make_round(call, &filled(call, None)?)?.id)))
}

/// Changes the round as the form says.
pub fn change(call: &Call) -> Result<Reply, Fault> {
    deeds::rounds::change(call, |round| filled(call, Some(round.unit)))?;
    Ok(Reply::to(format!("/rounds/{}", call.part("id")?)))
}
