//! People: who there is, lists that are imported, links to sign in, erasure.

use super::forms::file;
use super::layout::{Place, page};
use super::words::Words;
use crate::fault::{BAD_FIELD, Fault, NOT_ALLOWED, NOT_FOUND, refused};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::session::Caller;
use crate::people::{self, Person, Role, Unit, import, session, units};
use crate::{audit, erase};
use maud::{Markup, html};

/// How many people a page shows.
const MOST: usize = 100;

/// An administrator of the whole institution; what concerns all people is nobody else's.
///
/// # Errors
/// When the caller is none.
pub fn administrator(call: &Call) -> Result<&Caller, Fault> {
    let caller = call.caller()?;
    if caller.person.has_everywhere(Role::Administrator) { Ok(caller) } else { Err((&NOT_ALLOWED).into()) }
}

/// An administrator or auditor of the whole institution.
///
/// # Errors
/// When the caller is none.
pub fn overseer(call: &Call) -> Result<&Caller, Fault> {
    let caller = call.caller()?;
    match caller.person.has_everywhere(Role::Administrator) || caller.person.has_everywhere(Role::Auditor) {
        true => Ok(caller),
        false => Err((&NOT_ALLOWED).into()),
    }
}

/// The list of people.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    show_with(call, None)
}

fn show_with(call: &Call, link: Option<&str>) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), overseer(call)?);
    let manages = caller.person.has_everywhere(Role::Administrator);
    let asked = |name: &str| call.query.get(name).cloned().unwrap_or_default();
    let (after, searched) = (asked("after"), asked("q"));
    let (listed, units) =
        call.app.store.read(|c| Ok::<_, Fault>((people::page(c, &searched, &after, MOST)?, units(c)?)))?;
    let unit = |id: i64| units.iter().find(|unit| unit.id == id).map_or("", |unit| unit.name.as_str());
    let body = html! {
        h1 { (words.people) }
        @if let Some(link) = link { p.alert role="status" { (words.invite_made) br; code { (link) } } }
        form.controls method="get" action="/people" { label { (words.find_people) input type="search" name="q" value=(searched); } button { (words.find) } " " a href="/units" { (words.units) } }
        @if listed.is_empty() { p.empty { (words.no_people) } } @else { div.scroll tabindex="0" {
            table {
                thead { tr { th scope="col" { (words.number) } th scope="col" { (words.name) } th scope="col" { (words.roles) } @if manages { th scope="col" { (words.action) } } } }
                tbody { @for person in &listed { tr {
                    td { (person.number.as_deref().unwrap_or_default()) }
                    td { bdi { (person.name.as_deref().unwrap_or_default()) } }
                    td {
                        @if !person.active { span.tag { (words.not_let_in) } " " }
                        @for (at, (of, role)) in person.roles.iter().enumerate() { @if at > 0 { ", " } (words.word(role.as_str())) " · " bdi { (unit(*of)) } }
                    }
                    @if manages { td {
                        @if person.active { form method="post" action={ "/people/" (person.id) "/invite" } { button aria-label={ (words.invite) " " (person.label()) } { (words.invite) } } " " }
                        @if person.id != caller.person.id { (others(words, person, &units)) }
                    } }
                } } }
            }
        } }
        @if let (MOST, Some(last)) = (listed.len(), listed.last()) { p { a href={ "/people?" (next_page(&searched, last)) } { (words.more) } } }
        @if manages {
            section aria-labelledby="import" {
                h2 #import { (words.import) }
                form.box method="post" action="/people" enctype="multipart/form-data" {
                    p.hint { (words.import_hint) }
                    (file(words.file, ".csv,.xlsx", false))
                    button { (words.import) }
                }
            }
        }
    };
    Ok(Reply::page(page(call, Place::People, words.people, &body)))
}

fn next_page(searched: &str, last: &Person) -> String {
    let after = last.number.as_deref().unwrap_or_default();
    form_urlencoded::Serializer::new(String::new()).append_pair("q", searched).append_pair("after", after).finish()
}

/// What can be done about another: not about oneself, so that nobody shuts himself out.
fn others(words: &Words, person: &Person, units: &[Unit]) -> Markup {
    let address = format!("/people/{}", person.id);
    let unit = |id: i64| units.iter().find(|unit| unit.id == id).map_or("", |unit| unit.name.as_str());
    html! { details {
        summary { (words.change) span.hint { " " (person.number.as_deref().unwrap_or_default()) } }
        form method="post" action={ (address) "/access" } {
            input type="hidden" name="access" value=(if person.active { "no" } else { "yes" });
            button aria-label={ (if person.active { words.shut_out } else { words.let_in }) " " (person.label()) } { (if person.active { words.shut_out } else { words.let_in }) }
        }
        @for (of, role) in &person.roles {
            form method="post" action={ (address) "/role" } {
                input type="hidden" name="unit" value=(of); input type="hidden" name="role" value=(role.as_str());
                button aria-label={ (words.take_role) " " (words.word(role.as_str())) " " (unit(*of)) " " (person.label()) } { (words.take_role) ": " (words.word(role.as_str())) " " bdi { (unit(*of)) } }
            }
        }
        details { summary { (words.erase) span.hint { " " (person.number.as_deref().unwrap_or_default()) } } p.hint { (words.erase_hint) }
            form method="post" action={ (address) "/erase" } { button aria-label={ (words.erase) " " (person.label()) } { (words.erase) } } }
    } }
}

/// Another person than the caller, who administers all.
fn another(call: &Call) -> Result<(&Caller, &str), Fault> {
    let (caller, id) = (administrator(call)?, call.part("id")?);
    if id == caller.person.id { refused(&NOT_ALLOWED, "yourself") } else { Ok((caller, id)) }
}

/// Lets a person in, or no more.
pub fn access(call: &Call) -> Result<Reply, Fault> {
    let (caller, id) = another(call)?;
    let may = match call.needed("access")?.as_str() {
        "yes" => true,
        "no" => false,
        _ => return refused(&BAD_FIELD, "access"),
    };
    call.app.store.write(|t| {
        people::let_in(t, id, may)?;
        audit::record(t, Some(&caller.person.id), if may { "let_in" } else { "shut_out" }, id, "").map_err(Fault::from)
    })?;
    Ok(Reply::to("/people"))
}

/// Takes a role away.
pub fn take_role(call: &Call) -> Result<Reply, Fault> {
    let ((caller, id), unit, word) = (another(call)?, call.parsed("unit")?, call.needed("role")?);
    let Some(role) = Role::of(&word) else { return refused(&BAD_FIELD, "role") };
    call.app.store.write(|t| {
        people::take_away(t, id, unit, role)?;
        audit::record(t, Some(&caller.person.id), "take_role", id, &format!("{word} {unit}")).map_err(Fault::from)
    })?;
    Ok(Reply::to("/people"))
}

/// Imports a list.
pub fn import(call: &Call) -> Result<Reply, Fault> {
    let caller = administrator(call)?;
    let list = call.list()?;
    let count = call.app.store.write(|t| {
        let listed = import::import(t, list, true)?;
        audit::record(t, Some(&caller.person.id), "import_people", "", &listed.len().to_string())?;
        Ok::<_, Fault>(listed.len())
    })?;
    Ok(Reply::to(format!("/people?done={count}")))
}

/// Makes a link by which a person chooses a password.
pub fn invite(call: &Call) -> Result<Reply, Fault> {
    let (caller, id) = (administrator(call)?, call.part("id")?);
    let secret = call.app.store.write(|t| {
        Person::active(t, id)?.ok_or(Fault::from(&NOT_FOUND))?;
        audit::record(t, Some(&caller.person.id), "invite", id, "")?;
        session::invite(t, id).map_err(Fault::from)
    })?;
    let host = call.header("host").unwrap_or_default();
    let scheme = if call.app.secure { "https" } else { "http" };
    show_with(call, Some(&format!("{scheme}://{host}/invite/{secret}")))
}

/// Erases a person with everything he handed in.
pub fn erase(call: &Call) -> Result<Reply, Fault> {
    let (caller, id) = another(call)?;
    let erased = call.app.store.write(|t| {
        Person::kept(t, id)?.ok_or(Fault::from(&NOT_FOUND))?;
        erase::person(t, id, Some(&caller.person.id))
    })?;
    call.app.finish_erasure(&erased);
    Ok(Reply::to("/people"))
}
