//! People: who there is, lists that are imported, links to sign in, erasure.

use super::account::tokens_list;
use super::forms::{called, choice, file, folded, line, optional_value, table};
use super::layout::{Place, page};
use super::words::Words;
use super::{invitations, lists};
use crate::deeds::people as deeds;
use crate::fault::{Fault, NOT_FOUND};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::import::{self, Terms};
use crate::people::{self, Person, Role, Unit, WHOLE, session, units};
use maud::{Markup, html};

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

/// Imports a list, or shows what that would do.
pub fn import(call: &Call) -> Result<Reply, Fault> {
    if lists::is_preview(call) {
        call.caller()?.administrator()?;
        let list = deeds::given(call)?;
        let terms = Terms { renames: true, unit: WHOLE, may: &|_| Ok(()) };
        let rows = call.app.store.rehearse(|t| import::take(t, list.clone(), &terms))?;
        return lists::preview(call, Place::People, "/people", &list, rows);
    }
    Ok(Reply::to(format!("/people?done={}", deeds::import(call)?.count)))
}

/// Makes a link by which a person chooses a password.
pub fn invite(call: &Call) -> Result<Reply, Fault> {
    let made = deeds::invite(call)?;
    Ok(show_with(call, Some(&made.link))?.secret())
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

/// What is kept of a person, as an archive for that person.
pub fn data(call: &Call) -> Result<Reply, Fault> {
    Ok(Reply::large_file("application/zip", "data.zip", deeds::data(call, call.words().closed_source)?))
}
