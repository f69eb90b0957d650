//! People: who there is, lists that are imported, links to sign in, erasure.

use super::forms::file;
use super::layout::{Place, page};
use crate::fault::{Fault, NOT_ALLOWED, NOT_FOUND, refused};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::session::Caller;
use crate::people::{self, Person, Role, import, session, units};
use crate::{audit, erase};
use maud::html;

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
    let after = call.query.get("after").cloned().unwrap_or_default();
    let (listed, units) = call.app.store.read(|c| Ok::<_, Fault>((people::page(c, &after, MOST)?, units(c)?)))?;
    let unit = |id: i64| units.iter().find(|unit| unit.id == id).map_or("", |unit| unit.name.as_str());
    let body = html! {
        h1 { (words.people) }
        @if let Some(link) = link { p.alert role="status" { (words.invite_made) br; code { (link) } } }
        div.scroll tabindex="0" {
            table {
                thead { tr { th scope="col" { (words.number) } th scope="col" { (words.name) } th scope="col" { (words.roles) } @if manages { th scope="col" { (words.action) } } } }
                tbody { @for person in &listed { tr {
                    td { (person.number.as_deref().unwrap_or_default()) }
                    td { bdi { (person.name.as_deref().unwrap_or_default()) } }
                    td { @for (at, (of, role)) in person.roles.iter().enumerate() { @if at > 0 { ", " } (words.word(role.as_str())) " · " bdi { (unit(*of)) } } }
                    @if manages { td {
                        form method="post" action={ "/people/" (person.id) "/invite" } { button aria-label={ (words.invite) " " (person.label()) } { (words.invite) } } " "
                        @if person.id != caller.person.id {
                            details { summary { (words.erase) } p.hint { (words.erase_hint) }
                                form method="post" action={ "/people/" (person.id) "/erase" } { button aria-label={ (words.erase) " " (person.label()) } { (words.erase) } } }
                        }
                    } }
                } } }
            }
        }
        @if let (MOST, Some(last)) = (listed.len(), listed.last()) { p { a href={ "/people?after=" (form_urlencoded::byte_serialize(last.number.as_deref().unwrap_or_default().as_bytes()).collect::<String>()) } { (words.more) } } }
        @if manages {
            section aria-labelledby="import" {
                h2 #import { (words.import) }
                form.box method="post" action="/people" enctype="multipart/form-data" {
                    p.hint { (words.import_hint) }
                    (file(words.file, ".csv", false))
                    button { (words.import) }
                }
            }
        }
    };
    Ok(Reply::page(page(call, Place::People, words.people, &body)))
}

/// Imports a list.
pub fn import(call: &Call) -> Result<Reply, Fault> {
    let caller = administrator(call)?;
    let list = call.list()?;
    call.app.store.write(|t| {
        let listed = import::import(t, &list)?;
        audit::record(t, Some(&caller.person.id), "import_people", "", &listed.len().to_string()).map_err(Fault::from)
    })?;
    Ok(Reply::to("/people"))
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
    let (caller, id) = (administrator(call)?, call.part("id")?);
    if id == caller.person.id {
        return refused(&NOT_ALLOWED, "yourself");
    }
    let erased = call.app.store.write(|t| {
        Person::active(t, id)?.ok_or(Fault::from(&NOT_FOUND))?;
        erase::person(t, id, Some(&caller.person.id))
    })?;
    call.app.finish_erasure(&erased);
    Ok(Reply::to("/people"))
}
