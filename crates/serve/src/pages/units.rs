//! Units: the colleges and departments in which people have their roles.

use super::forms::{choice, line, optional_value, table};
use super::layout::{Place, page};
use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::{Unit, WHOLE, units};
use maud::html;

/// The list of units.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), call.caller()?);
    caller.oversees()?;
    let manages = caller.administrator().is_ok();
    let all = call.app.store.read(units)?;
    let options = || all.iter().map(|unit| (unit.id.to_string(), unit.name.as_str()));
    let parent =
        |unit: &Unit| all.iter().find(|other| Some(other.id) == unit.parent).map_or("–", |other| &other.name);
    let rows = html! { @for unit in &all { tr {
        td { bdi { (unit.name) } } td { (unit.code.as_deref().unwrap_or("–")) } td { bdi { (parent(unit)) } }
        @if manages { td { details { summary { (words.change) span.hint { " " (unit.id) } }
            form method="post" action={ "/units/" (unit.id) } {
                (line(words.called, "name", "text", &unit.name))
                @if unit.id != WHOLE { (choice(words.part_of, "parent", options(), &unit.parent.unwrap_or(WHOLE).to_string())) }
                button { (words.save) }
            }
            @if unit.id != WHOLE { form method="post" action={ "/units/" (unit.id) "/remove" } { button aria-label={ (words.remove) " " (unit.name) } { (words.remove) } } }
        } } }
    } } };
    let body = html! {
        h1 { (words.units) }
        p { a href="/people" { (words.people) } }
        (table(&[words.called, words.code, words.part_of, if manages { words.action } else { "" }], &[], &rows))
        @if manages { section aria-labelledby="new" {
            h2 #new { (words.new_unit) }
            form.box method="post" action="/units" {
                (line(words.called, "name", "text", ""))
                (optional_value(words.code, "code", "text", ""))
                (choice(words.part_of, "parent", options(), ""))
                button.main { (words.create) }
            }
        } }
    };
    Ok(page(call, Place::People, words.units, &body))
}
