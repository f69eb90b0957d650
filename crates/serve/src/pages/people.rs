//! People: who there is, lists that are imported, links to sign in, erasure.

use super::account::tokens_list;
use super::forms::{called, choice, file, folded, line, optional_value, table};
use super::layout::{Place, page};
use super::words::Words;
use super::{invitations, lists};
use crate::fault::{Fault, NOT_ALLOWED, NOT_FOUND, refused};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::import::{self, Terms};
use crate::people::{self, Person, Role, Unit, WHOLE, session, units};
use crate::providers::admit;
use crate::store::word::worded;
use crate::{audit, erase, export};
use maud::{Markup, html};
use serde::Deserialize;

/// People on a page.
const MOST: usize = 100;

/// The list of people.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    show_with(call, None)
}

fn show_with(call: &Call, link: Option<&str>) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), call.caller()?);
    caller.oversees()?;
    let manages = caller.administrator().is_ok();
    let (after, searched) = (call.parameter("after"), call.parameter("q"));
    let (listed, units) = call.app.read(|c| Ok((people::page(c, searched, after, MOST)?, units(c)?)))?;
    let rows = html! { @for person in &listed { tr {
        td { (person.number.as_deref().unwrap_or_default()) }
        td { bdi { (person.name.as_deref().unwrap_or_default()) } @if let Some(mail) = &person.mail { br; span.hint { (mail) } } }
        td {
            @if !person.active { span.tag { (words.not_let_in) } " " }
            @for (at, (of, role)) in person.roles.iter().enumerate() { @if at > 0 { ", " } (words.word(role.as_str())) " · " bdi { (unit(&units, *of)) } }
        }
        @if manages { td {
            a href={ "/people/" (person.id) "/tokens" } aria-label={ (words.tokens) " " (person.label()) } { (words.tokens) } " "
            @if person.active { form method="post" action={ "/people/" (person.id) "/invite" } { button aria-label={ (words.invite) " " (person.label()) } { (words.invite) } } " " }
            @if person.id != caller.person.id { (others(words, person, &units)) }
        } }
    } } };
    let titles = [words.number, words.name, words.roles, if manages { words.action } else { "" }];
    let body = html! {
        h1 { (words.people) }
        @if let Some(link) = link { p.alert role="status" { (words.invite_made) br; code { (link) } } }
        form.controls method="get" action="/people" { label { (words.find_people) input type="search" name="q" value=(searched); } button { (words.find) } " " a href="/units" { (words.units) } " · " a href="/letters" { (words.letters) } " · " a href="/webhooks" { (words.webhooks) } " · " a href="/platforms" { (words.platforms) } }
        @if listed.is_empty() { p.empty { (words.no_people) } } @else { (table(&titles, &[], &rows)) }
        @if let (MOST, Some(last)) = (listed.len(), listed.last()) { p { a href={ "/people?" (next_page(searched, last)) } { (words.more) } } }
        @if manages {
            section aria-labelledby="import" {
                h2 #import { (words.import) }
                form.box method="post" action="/people" enctype="multipart/form-data" {
                    p.hint { (words.import_hint) }
                    (file(words.file, ".csv,.xlsx", false))
                    button name="preview" value="true" { (words.preview) }
                }
            }
            (folded("invite", words.invite_many, false, &html! {
                form.box method="post" action="/people/invitations" {
                    (choice(words.unit, "unit", units.iter().map(|unit| (unit.id.to_string(), unit.name.as_str())), ""))
                    (invitations::fields(call))
                }
            }))
            (folded("add", words.add_person, false, &html! {
                form.box method="post" action="/people" {
                    (line(words.number, "number", "text", "")) (line(words.name, "name", "text", "")) (optional_value(words.mail, "mail", "email", ""))
                    (choice(words.roles, "role", called(words, Role::ALL), Role::Student.as_str()))
                    (choice(words.college, "college", units.iter().map(|unit| (in_list(unit).to_owned(), unit.name.as_str())), ""))
                    button.main { (words.add_person) }
                }
            }))
        }
    };
    Ok(page(call, Place::People, words.people, &body))
}

fn next_page(searched: &str, last: &Person) -> String {
    let after = last.number.as_deref().unwrap_or_default();
    form_urlencoded::Serializer::new(String::new()).append_pair("q", searched).append_pair("after", after).finish()
}

fn unit(units: &[Unit], id: i64) -> &str {
    units.iter().find(|unit| unit.id == id).map_or("", |unit| unit.name.as_str())
}

/// What a list calls a unit: nothing stands for the whole institution.
fn in_list(unit: &Unit) -> &str {
    if unit.id == WHOLE { "" } else { unit.code.as_deref().unwrap_or(&unit.name) }
}

/// What can be done about another: not about oneself, so that nobody locks themselves out.
fn others(words: &Words, person: &Person, units: &[Unit]) -> Markup {
    let address = format!("/people/{}", person.id);
    let access = if person.active { words.shut_out } else { words.let_in };
    html! { details {
        summary { (words.change) span.hint { " " (person.number.as_deref().unwrap_or_default()) } }
        form method="post" action={ (address) "/name" } {
            (line(words.name, "name", "text", person.name.as_deref().unwrap_or_default()))
            button aria-label={ (words.save) " " (person.label()) } { (words.save) }
        }
        form method="post" action={ (address) "/mail" } {
            (optional_value(words.mail, "mail", "email", person.mail.as_deref().unwrap_or_default()))
            button aria-label={ (words.save) " " (words.mail) " " (person.label()) } { (words.save) }
        }
        form method="post" action={ (address) "/access" } {
            input type="hidden" name="access" value=(if person.active { "no" } else { "yes" });
            button aria-label={ (access) " " (person.label()) } { (access) }
        }
        @if person.has_factor { form method="post" action={ (address) "/factor" } {
            button aria-label={ (words.remove_factor) " " (person.label()) } { (words.remove_factor) }
        } }
        @if person.is_linked { form method="post" action={ (address) "/identity" } {
            button aria-label={ (words.forget_identity) " " (person.label()) } { (words.forget_identity) }
        } }
        @for (of, role) in &person.roles {
            form method="post" action={ (address) "/role" } {
                input type="hidden" name="unit" value=(of); input type="hidden" name="role" value=(role.as_str());
                button aria-label={ (words.take_role) " " (words.word(role.as_str())) " " (unit(units, *of)) " " (person.label()) } { (words.take_role) (words.colon) (words.word(role.as_str())) " " bdi { (unit(units, *of)) } }
            }
        }
        form method="post" action={ (address) "/grant" } {
            (choice(words.roles, "role", called(words, Role::ALL), Role::Student.as_str()))
            (choice(words.unit, "unit", units.iter().map(|unit| (unit.id.to_string(), unit.name.as_str())), ""))
            button aria-label={ (words.give_role) " " (person.label()) } { (words.give_role) }
        }
        a href={ (address) "/data.zip" } aria-label={ (words.own_data) " " (person.label()) } { (words.own_data) }
        details { summary { (words.erase) span.hint { " " (person.number.as_deref().unwrap_or_default()) } } p.hint { (words.erase_hint) }
            form method="post" action={ (address) "/erase" } { button aria-label={ (words.erase) " " (person.label()) } { (words.erase) } } }
    } }
}

/// The caller, who administers all, and another person.
fn another(call: &Call) -> Result<(&str, &str), Fault> {
    let (by, id) = (call.caller()?.administrator()?, call.part("id")?);
    if id == by { refused(&NOT_ALLOWED, "yourself") } else { Ok((by, id)) }
}

worded! {
    /// Whether a person is let in.
    Access:
    /// Let in.
    Yes "yes";
    /// Shut out.
    No "no";
}

#[derive(Deserialize)]
struct AccessForm {
    access: Access,
}

#[derive(Deserialize)]
struct NameForm {
    name: String,
}

/// Corrects a person's name.
pub fn rename(call: &Call) -> Result<Reply, Fault> {
    let ((by, id), form) = (another(call)?, call.fields::<NameForm>()?);
    call.app.store.write(|t| people::rename(t, by, id, form.name.trim()))?;
    Ok(Reply::to("/people"))
}

#[derive(Deserialize)]
struct MailForm {
    mail: Option<String>,
}

/// Writes down where letters reach a person.
pub fn set_mail(call: &Call) -> Result<Reply, Fault> {
    let ((by, id), form) = (another(call)?, call.fields::<MailForm>()?);
    call.app.store.write(|t| people::set_mail(t, by, id, form.mail.as_deref().map(str::trim)))?;
    Ok(Reply::to("/people"))
}

/// Lets a person in, or no more.
pub fn access(call: &Call) -> Result<Reply, Fault> {
    let ((by, id), form) = (another(call)?, call.fields::<AccessForm>()?);
    call.app.store.write(|t| people::let_in(t, by, id, form.access == Access::Yes))?;
    Ok(Reply::to("/people"))
}

/// Takes the second factor of somebody who lost it away.
pub fn remove_factor(call: &Call) -> Result<Reply, Fault> {
    let (by, id) = another(call)?;
    call.app.store.write(|t| session::remove_factor(t, id, Some(by)))?;
    Ok(Reply::to("/people"))
}

/// Forgets by which subjects providers know somebody: when the institution has given a number to another.
pub fn forget_identity(call: &Call) -> Result<Reply, Fault> {
    let (by, id) = another(call)?;
    call.app.store.write(|t| admit::forget(t, by, id))?;
    Ok(Reply::to("/people"))
}

#[derive(Deserialize)]
struct RoleForm {
    unit: i64,
    role: Role,
}

/// Takes a role away.
pub fn take_role(call: &Call) -> Result<Reply, Fault> {
    let ((by, id), form) = (another(call)?, call.fields::<RoleForm>()?);
    call.app.store.write(|t| people::take_away(t, by, id, form.unit, form.role))?;
    Ok(Reply::to("/people"))
}

/// Gives a role to somebody who is there.
pub fn give_role(call: &Call) -> Result<Reply, Fault> {
    let ((by, id), form) = (another(call)?, call.fields::<RoleForm>()?);
    call.app.store.write(|t| people::give(t, by, id, form.unit, form.role))?;
    Ok(Reply::to("/people"))
}

/// Imports a list, or shows what that would do.
pub fn import(call: &Call) -> Result<Reply, Fault> {
    let (by, list) = (call.caller()?.administrator()?, lists::given(call)?);
    let terms = Terms { renames: true, unit: WHOLE, may: &|_| Ok(()) };
    if lists::is_preview(call) {
        let rows = call.app.store.rehearse(|t| import::take(t, list.clone(), &terms))?;
        return lists::preview(call, Place::People, "/people", &list, rows);
    }
    let count = call.app.write(|t| {
        let count = import::import(t, list, &terms)?.len();
        lists::taken(t, call)?;
        audit::record(t, Some(by), "import_people", "", &count.to_string())?;
        Ok(count)
    })?;
    Ok(Reply::to(format!("/people?done={count}")))
}

/// Makes a link by which a person chooses a password.
pub fn invite(call: &Call) -> Result<Reply, Fault> {
    let (by, id) = (call.caller()?.administrator()?, call.part("id")?);
    let secret = call.app.write(|t| {
        Person::active(t, id)?.ok_or(&NOT_FOUND)?;
        audit::record(t, Some(by), "invite", id, "")?;
        Ok(session::invite(t, id)?)
    })?;
    Ok(show_with(call, Some(&format!("{}/invite/{secret}", call.base())))?.secret())
}

/// Somebody's tokens.
pub fn tokens(call: &Call) -> Result<Reply, Fault> {
    let (words, id) = (call.words(), call.part("id")?);
    let (person, tokens) = call.app.read(|c| Ok((Person::kept(c, id)?.ok_or(&NOT_FOUND)?, session::tokens(c, id)?)))?;
    let body = html! {
        h1 { (words.tokens) (words.colon) bdi { (person.label()) } }
        (tokens_list(words, &tokens, &format!("/people/{id}/tokens")))
    };
    Ok(page(call, Place::People, words.tokens, &body))
}

/// Revokes a token of somebody.
pub fn revoke_token(call: &Call) -> Result<Reply, Fault> {
    let (by, id, token) = (call.caller()?.administrator()?, call.part("id")?, call.number("token")?);
    call.app.store.write(|t| session::revoke_token(t, id, token, by))?;
    Ok(Reply::to(format!("/people/{id}/tokens")))
}

/// What is kept of a person, as an archive for that person.
pub fn data(call: &Call) -> Result<Reply, Fault> {
    let (by, id) = (call.caller()?.administrator()?, call.part("id")?);
    call.app.store.read(|c| Person::kept(c, id))?.ok_or(&NOT_FOUND)?;
    let archive = export::of_person(&call.app, id, by, call.words().closed_source)?;
    Ok(Reply::large_file("application/zip", "data.zip", archive))
}

/// Erases a person with everything that the person handed in.
pub fn erase(call: &Call) -> Result<Reply, Fault> {
    let (by, id) = another(call)?;
    let erased = call.app.store.write(|t| {
        Person::kept(t, id)?.ok_or(&NOT_FOUND)?;
        erase::person(t, id, Some(by))
    })?;
    erase::finish(&call.app, &erased);
    Ok(Reply::to("/people"))
}
