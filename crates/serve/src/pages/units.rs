//! Units: the colleges and departments in which people have their roles.

use super::forms::{choice, chosen, line, optional_value};
use super::layout::{Place, page};
use super::people::{administrator, overseer};
use crate::audit;
use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::{self, Role, Unit, WHOLE, units};
use maud::html;

/// The list of units.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), overseer(call)?);
    let manages = caller.person.has_everywhere(Role::Administrator);
    let all = call.app.store.read(units)?;
    let options = || all.iter().map(|unit| (unit.id.to_string(), unit.name.as_str()));
    let parent =
        |unit: &Unit| all.iter().find(|other| Some(other.id) == unit.parent).map_or("–", |other| &other.name);
    let body = html! {
        h1 { (words.units) }
        p { a href="/people" { (words.people) } }
        div.scroll tabindex="0" { table {
            thead { tr { th scope="col" { (words.called) } th scope="col" { (words.code) } th scope="col" { (words.part_of) } @if manages { th scope="col" { (words.action) } } } }
            tbody { @for unit in &all { tr {
                td { bdi { (unit.name) } } td { (unit.code.as_deref().unwrap_or("–")) } td { bdi { (parent(unit)) } }
                @if manages { td { details { summary { (words.change) span.hint { " " (unit.id) } }
                    form method="post" action={ "/units/" (unit.id) } {
                        (line(words.called, "name", "text", &unit.name))
                        @if unit.id != WHOLE { (chosen(words.part_of, "parent", options(), &unit.parent.unwrap_or(WHOLE).to_string())) }
                        button { (words.save) }
                    }
                } } }
            } } }
        } }
        @if manages { section aria-labelledby="new" {
            h2 #new { (words.new_unit) }
            form.box method="post" action="/units" {
                (line(words.called, "name", "text", ""))
                (optional_value(words.code, "code", "text", ""))
                (choice(words.part_of, "parent", options()))
                button.main { (words.create) }
            }
        } }
    };
    Ok(Reply::page(page(call, Place::People, words.units, &body)))
}

/// Adds a unit.
pub fn create(call: &Call) -> Result<Reply, Fault> {
    let (caller, name, parent) = (administrator(call)?, call.needed("name")?, call.parsed("parent")?);
    let code = call.field("code").map(|_| call.needed("code")).transpose()?;
    call.app.store.write(|t| {
        let id = people::add_unit(t, parent, name.trim(), code.as_deref().map(str::trim))?;
        audit::record(t, Some(&caller.person.id), "create_unit", &id.to_string(), "").map_err(Fault::from)
    })?;
    Ok(Reply::to("/units"))
}

/// Renames a unit, or makes it a part of another.
pub fn change(call: &Call) -> Result<Reply, Fault> {
    let (caller, id, name) = (administrator(call)?, call.number("id")?, call.needed("name")?);
    let parent = call.field("parent").map(|_| call.parsed("parent")).transpose()?;
    call.app.store.write(|t| {
        people::change_unit(t, id, name.trim(), parent)?;
        audit::record(t, Some(&caller.person.id), "change_unit", &id.to_string(), "").map_err(Fault::from)
    })?;
    Ok(Reply::to("/units"))
}
