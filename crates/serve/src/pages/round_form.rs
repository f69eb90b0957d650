//! The form of a round: a new one, or one that is changed.

use super::forms::{choice, chosen, line, optional_value, tick_of};
use super::layout::{Place, field_time, page, time_of_field};
use super::round::administered;
use super::words::Words;
use crate::collections::Collection;
use crate::fault::{BAD_FIELD, Fault, NOT_ALLOWED, refused};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::{Role, Unit, unit_and_above, units};
use crate::rounds::{self, NewRound, Round, StudentSees};
use crate::{audit, collections};
use maud::{Markup, html};

/// What the form offers, and what it says at first.
struct Form {
    collections: Vec<Collection>,
    units: Vec<Unit>,
    earlier: Vec<Round>,
    known: Option<(Round, Vec<i64>)>,
}

impl Form {
    fn read(call: &Call, known: Option<Round>) -> Result<Self, Fault> {
        let caller = call.caller()?;
        call.app.store.read(|c| {
            let all = units(c)?;
            let mut administered = Vec::new();
            for unit in all {
                if caller.person.has(Role::Administrator, &unit_and_above(c, unit.id)?) {
                    administered.push(unit);
                }
            }
            let earlier = rounds::visible(c, caller)?.into_iter().map(|(round, _)| round);
            let earlier = earlier.filter(|round| known.as_ref().is_none_or(|known| known.id != round.id)).collect();
            let known = match known {
                Some(round) => Some((round.clone(), rounds::compared(c, &round.id)?)),
                None => None,
            };
            Ok(Form { collections: collections::all(c)?, units: administered, earlier, known })
        })
    }

    fn fields(&self, words: &Words) -> Markup {
        let known = self.known.as_ref().map(|(round, _)| round);
        let number = |pick: fn(&Round) -> i64, default: i64| known.map_or(default, pick).to_string();
        let date = |pick: fn(&Round) -> i64| known.map_or(String::new(), |round| field_time(pick(round)));
        let sees = StudentSees::ALL.map(|sees| (sees.as_str().to_owned(), words.word(sees.as_str())));
        let previous = self.earlier.iter().map(|round| (round.id.clone(), round.title.as_str()));
        let previous = std::iter::once((String::new(), words.none)).chain(previous);
        let previous_known = known.and_then(|round| round.previous.as_deref()).unwrap_or_default();
        let is_compared = |id: i64| self.known.as_ref().is_some_and(|(_, compared)| compared.contains(&id));
        html! {
            (line(words.title, "title", "text", known.map_or("", |round| &round.title)))
            @if known.is_none() { (choice(words.unit, "unit", self.units.iter().map(|unit| (unit.id.to_string(), unit.name.as_str())))) }
            (line(words.opens, "opens", "datetime-local", &date(|round| round.opens)))
            (line(words.closes, "closes", "datetime-local", &date(|round| round.closes)))
            (line(words.quota, "quota", "number", &number(|round| round.quota, 2)))
            (line(words.interval_hours, "interval_hours", "number", &number(|round| round.interval_s / 3600, 72)))
            (line(words.self_checks, "self_checks", "number", &number(|round| round.self_checks, 0)))
            (line(words.limit, "limit", "number", &known.map_or("20".to_owned(), |round| per_cent(round.limit_ratio))))
            (chosen(words.student_sees, "student_sees", sees, known.map_or("never", |round| round.student_sees.as_str())))
            (chosen(words.previous, "previous", previous, previous_known))
            (optional_value(words.keep_days, "keep_days", "number", &known.and_then(|round| round.keep_days).map_or(String::new(), |days| days.to_string())))
            (tick_of(words.anonymous, "anonymous", "1", known.is_some_and(|round| round.anonymous)))
            @if known.is_none() { (tick_of(words.among, "among", "1", true)) }
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
    Ok(Reply::page(page(call, Place::Overview, words.new_round, &body)))
}

/// The form of a round that is there.
pub fn edit(call: &Call) -> Result<Reply, Fault> {
    let (words, round) = (call.words(), administered(call)?);
    let form = Form::read(call, Some(round.clone()))?;
    let address = format!("/rounds/{}", round.id);
    let body = html! {
        h1 { (words.change_round) }
        p { a href=(address) { bdi { (round.title) } } }
        form.box method="post" action={ (address) "/edit" } { p.hint { (words.change_hint) } (form.fields(words)) button.main { (words.save) } }
    };
    Ok(Reply::page(page(call, Place::Overview, words.change_round, &body)))
}

/// A date and time of the form, in the time zone of the server.
fn moment(call: &Call, name: &str) -> Result<i64, Fault> {
    time_of_field(&call.needed(name)?).map_or_else(|| refused(&BAD_FIELD, name), Ok)
}

fn filled(call: &Call, unit: i64) -> Result<NewRound, Fault> {
    let limit: f64 = call.parsed("limit")?;
    let interval: i64 = call.parsed("interval_hours")?;
    let collection = |id: &String| id.parse::<i64>().or_else(|_| refused(&BAD_FIELD, "collections"));
    Ok(NewRound {
        unit,
        title: call.needed("title")?,
        opens: moment(call, "opens")?,
        closes: moment(call, "closes")?,
        quota: call.parsed("quota")?,
        interval_s: interval.saturating_mul(3600),
        self_checks: call.parsed("self_checks")?,
        limit_ratio: limit / 100.0,
        student_sees: StudentSees::of(&call.needed("student_sees")?),
        anonymous: call.field("anonymous").is_some(),
        among: call.field("among").is_some(),
        keep_days: call.field("keep_days").map(|_| call.parsed("keep_days")).transpose()?,
        previous: call.field("previous"),
        collections: call.all("collections").iter().map(collection).collect::<Result<_, _>>()?,
    })
}

/// Makes a round of the form.
pub fn create(call: &Call) -> Result<Reply, Fault> {
    let new = filled(call, call.parsed("unit")?)?;
    Ok(Reply::to(format!("/rounds/{}", make(call, &new)?)))
}

/// Makes a round, if the caller administers its unit.
///
/// # Errors
/// When he does not, or a field is wrong.
pub fn make(call: &Call, new: &NewRound) -> Result<String, Fault> {
    let caller = call.caller()?;
    call.app.store.write(|t| {
        if !caller.person.has(Role::Administrator, &unit_and_above(t, new.unit)?) {
            return Err((&NOT_ALLOWED).into());
        }
        let id = rounds::create(t, new)?;
        audit::record(t, Some(&caller.person.id), "create_round", &id, "")?;
        collections::make_index(&call.app.data, &format!("rounds/{id}"))?;
        Ok(id)
    })
}

/// Changes the round as the form says.
pub fn change(call: &Call) -> Result<Reply, Fault> {
    let (round, by) = (administered(call)?, &call.caller()?.person.id);
    let new = filled(call, round.unit)?;
    call.app.store.write(|t| {
        rounds::change(t, &round, &new)?;
        audit::record(t, Some(by), "change_round", &round.id, "").map_err(Fault::from)
    })?;
    Ok(Reply::to(format!("/rounds/{}", round.id)))
}
