//! Deeds about people, and about the units that they are in.

use super::outcome::{Count, Numbered, Outcome};
use crate::access::{self, Object};
use crate::erase::{self, Erased};
use crate::fault::{BAD_FIELD, CONFLICT, FILE_GONE, Fault, NOT_ALLOWED, NOT_FOUND, refused};
use crate::http::call::Call;
use crate::people::import::{self, Terms};
use crate::people::invitations::{Group, LASTS, by_mail, make};
use crate::people::session::{self, Via};
use crate::people::waiting::{self, List};
use crate::people::{self, Person, Role, WHOLE};
use crate::providers::admit;
use crate::rounds::Round;
use crate::store::word::worded;
use crate::store::{Transaction, now};
use crate::{audit, export};
use copytrace_messages::message;
use serde::{Deserialize, Serialize};
use std::fs::File;
use utoipa::ToSchema;

/// The columns of the list that the fields of one person make, with the names of the fields.
const ONE: [(&str, &str); 7] = [
    ("number", "number"),
    ("name", "name"),
    ("role", "role"),
    ("unit", "college"),
    ("supervisor", "supervisor"),
    ("title", "thesis_title"),
    ("mail", "mail"),
];

/// The list that a form brings: one that was shown before, the fields of one person, or a file.
///
/// # Errors
/// When there is none, or it is no list.
pub fn given(call: &Call) -> Result<List, Fault> {
    if let Some(id) = call.fields.values("list").first() {
        let gone = || Fault::Told(&FILE_GONE, vec![message!("list-gone")]);
        let by = &call.caller()?.person.id;
        return call.app.read(|c| waiting::of(c, by, id))?.ok_or_else(gone);
    }
    if call.files.is_empty() && !call.fields.values("number").is_empty() {
        let value = |field: &str| call.fields.values(field).into_iter().next().unwrap_or_default().trim().to_owned();
        let heads = ONE.map(|(column, _)| column.to_owned()).to_vec();
        return Ok(vec![heads, ONE.map(|(_, field)| value(field)).to_vec()]);
    }
    call.list()
}

/// Forgets the list that a form named, in the transaction that takes it.
///
/// # Errors
/// When the database cannot be written.
pub fn taken(t: &Transaction<'_>, call: &Call) -> Result<(), Fault> {
    call.fields.values("list").iter().try_for_each(|id| Ok(waiting::forget(t, id)?))
}

/// Imports a list.
///
/// # Errors
/// When the caller does not administer all, or a row is wrong.
pub fn import(call: &Call) -> Result<Count, Fault> {
    let (by, list) = (call.caller()?.administrator()?, given(call)?);
    let terms = Terms { renames: true, unit: WHOLE, may: &|_| Ok(()) };
    call.does(|t| {
        let count = import::import(t, list, &terms)?.len();
        taken(t, call)?;
        audit::record(t, Some(by), audit::Action::ImportPeople, "", &count.to_string())?;
        Ok(Count { count })
    })
}

/// The caller, who administers all, and another person.
fn another(call: &Call) -> Result<(&str, &str), Fault> {
    let (by, id) = (call.caller()?.administrator()?, call.part("id")?);
    if id == by { refused(&NOT_ALLOWED, "yourself") } else { Ok((by, id)) }
}

/// A person's name.
#[derive(Deserialize, ToSchema)]
pub struct NewName {
    name: String,
}

/// Corrects a person's name.
///
/// # Errors
/// When it is no name, or the caller's own.
pub fn rename(call: &Call) -> Result<(), Fault> {
    let ((by, id), form) = (another(call)?, call.fields::<NewName>()?);
    call.does(|t| people::rename(t, by, id, form.name.trim()))
}

/// Where letters reach a person; nowhere if there is no address.
#[derive(Deserialize, ToSchema)]
pub struct NewMail {
    mail: Option<String>,
}

/// Writes down where letters reach a person.
///
/// # Errors
/// When it is no address, or the caller's own.
pub fn set_mail(call: &Call) -> Result<(), Fault> {
    let ((by, id), form) = (another(call)?, call.fields::<NewMail>()?);
    call.does(|t| people::set_mail(t, by, id, form.mail.as_deref().map(str::trim)))
}

worded! {
    /// Whether a person is let in.
    Access:
    /// Let in.
    Yes "yes";
    /// Shut out.
    No "no";
}

/// Whether a person is let in.
#[derive(Deserialize, ToSchema)]
pub struct NewAccess {
    access: Access,
}

/// Lets a person in, or no more.
///
/// # Errors
/// When it is the caller, or nobody.
pub fn set_access(call: &Call) -> Result<(), Fault> {
    let ((by, id), form) = (another(call)?, call.fields::<NewAccess>()?);
    call.does(|t| people::let_in(t, by, id, form.access == Access::Yes))
}

/// Takes the second factor of somebody who lost it away.
///
/// # Errors
/// When it is the caller, or nobody.
pub fn remove_factor(call: &Call) -> Result<(), Fault> {
    let (by, id) = another(call)?;
    call.does(|t| session::remove_factor(t, id, Some(by)))
}

/// Forgets by which subjects providers know somebody: when the institution has given a number to another.
///
/// # Errors
/// When it is the caller, or nobody.
pub fn forget_identity(call: &Call) -> Result<(), Fault> {
    let (by, id) = another(call)?;
    call.does(|t| admit::forget(t, by, id))
}

/// A role in a unit.
#[derive(Deserialize, ToSchema)]
pub struct RoleIn {
    unit: i64,
    role: Role,
}

/// Takes a role away.
///
/// # Errors
/// When the person does not have it, or is the caller.
pub fn take_role(call: &Call) -> Result<(), Fault> {
    let ((by, id), form) = (another(call)?, call.fields::<RoleIn>()?);
    call.does(|t| people::take_away(t, by, id, form.unit, form.role))
}

/// Gives a role to somebody who is there.
///
/// # Errors
/// When the person has it, or is the caller.
pub fn give_role(call: &Call) -> Result<(), Fault> {
    let ((by, id), form) = (another(call)?, call.fields::<RoleIn>()?);
    call.does(|t| people::give(t, by, id, form.unit, form.role))
}

/// Revokes a token of somebody.
///
/// # Errors
/// When there is none.
pub fn revoke_token(call: &Call) -> Result<(), Fault> {
    let (by, id, token) = (call.caller()?.administrator()?, call.part("id")?, call.number("token")?);
    call.does(|t| session::revoke_token(t, id, token, by))
}

/// Erases a person with everything that the person handed in.
///
/// # Errors
/// When it is the caller, or nobody.
pub fn erase(call: &Call) -> Result<(), Fault> {
    let (by, id) = another(call)?;
    let mut erased = Erased::default();
    call.does(|t| {
        Person::kept(t, id)?.ok_or(&NOT_FOUND)?;
        erased = erase::person(t, id, Some(by))?;
        Ok(())
    })?;
    erase::finish(&call.app, &erased);
    Ok(())
}

/// What is kept of a person, as an archive for that person; `closed` is what sources are called that are not shown.
///
/// # Errors
/// When the caller does not administer all, or there is nobody.
pub fn data(call: &Call, closed: &str) -> Result<File, Fault> {
    let (by, id) = (call.caller()?.administrator()?, call.part("id")?);
    call.app.store.read(|c| Person::kept(c, id))?.ok_or(&NOT_FOUND)?;
    export::of_person(&call.app, id, by, closed)
}

/// A link by which a person chooses a password, good once.
#[derive(Serialize, ToSchema)]
pub struct Link {
    /// The link.
    pub link: String,
}

impl Outcome for Link {
    const IS_SECRET: bool = true;
}

/// Makes a link by which a person chooses a password.
///
/// # Errors
/// When there is nobody. A program makes none for whoever administers all: a token must not become a sign-in that rules everything.
pub fn invite(call: &Call) -> Result<Link, Fault> {
    let (caller, id) = (call.caller()?, call.part("id")?);
    let by = caller.administrator()?;
    call.does(|t| {
        let person = Person::active(t, id)?.ok_or(&NOT_FOUND)?;
        if matches!(caller.via, Via::Token(_)) && person.has_everywhere(Role::Administrator) {
            return Err((&NOT_ALLOWED).into());
        }
        audit::record(t, Some(by), audit::Action::Invite, id, "")?;
        Ok(Link { link: format!("{}/invite/{}", call.base(), session::invite(t, id)?) })
    })
}

worded! {
    /// How links are told.
    Form:
    /// As a list.
    List "csv";
    /// As sheets of paper.
    Sheets "pdf";
    /// By letters.
    Mail "mail";
}

/// Whom links are made for, and how they are told.
#[derive(Deserialize, ToSchema)]
pub struct NewInvitations {
    /// By letters, or to whoever asks, as it is if it does not say.
    pub form: Option<Form>,
    /// Also for those who have a link already.
    #[serde(default)]
    again: bool,
    /// The unit, where it is not a round's people that they are for.
    unit: Option<i64>,
}

/// Links for many.
#[derive(Serialize, ToSchema)]
pub struct Invitations {
    /// The links, each good once; none if they are sent.
    pub links: Vec<Invitation>,
    /// Until when they are good.
    pub expires: i64,
    /// Letters that are on their way.
    pub sent: usize,
    /// People without an address.
    pub without_address: usize,
}

impl Outcome for Invitations {
    const IS_SECRET: bool = true;
}

/// A link for one of many.
#[derive(Serialize, ToSchema)]
pub struct Invitation {
    /// The person's number.
    pub number: String,
    /// The name.
    pub name: String,
    /// The link.
    pub link: String,
}

/// Makes links for those of a unit who cannot sign in yet.
///
/// # Errors
/// When the caller does not administer it, or there is nobody to invite.
pub fn invite_unit(call: &Call) -> Result<Invitations, Fault> {
    let form: NewInvitations = call.fields()?;
    let unit = form.unit.ok_or_else(|| Fault::Refused(&BAD_FIELD, "unit".to_owned()))?;
    call.app.read(|c| access::require(c, call.caller()?, Object::Unit(unit), &[Role::Administrator]))?;
    invite_all(call, Group::Unit(unit), &form)
}

/// Makes links for the students of a round and those who supervise them.
///
/// # Errors
/// When the caller does not administer it, or there is nobody to invite.
pub fn invite_round(call: &Call) -> Result<Invitations, Fault> {
    let round = call.app.store.read(|c| Round::administered(c, call.caller()?, call.part("id")?))?;
    invite_all(call, Group::Round(&round.id), &call.fields()?)
}

fn invite_all(call: &Call, group: Group<'_>, form: &NewInvitations) -> Result<Invitations, Fault> {
    let (by, is_sent) = (&call.caller()?.person, form.form == Some(Form::Mail));
    if is_sent && call.app.mail.is_none() {
        return refused(&BAD_FIELD, "form");
    }
    call.does(|t| {
        let (sent, without_address) = if is_sent { by_mail(t, by, group, form.again)? } else { (0, 0) };
        let made = if is_sent { Vec::new() } else { make(t, by, group, form.again)? };
        if made.is_empty() && sent == 0 && without_address == 0 {
            return Err(Fault::Told(&CONFLICT, vec![message!("nobody-to-invite")]));
        }
        let told = |(person, secret): (Person, String)| Invitation {
            number: person.number.unwrap_or_default(),
            name: person.name.unwrap_or_default(),
            link: format!("{}/invite/{secret}", call.base()),
        };
        let links = made.into_iter().map(told).collect();
        Ok(Invitations { links, expires: now() + LASTS, sent, without_address })
    })
}

/// A unit as it is to be.
#[derive(Deserialize, ToSchema)]
pub struct NewUnit {
    name: String,
    /// Its code in lists, of a new one.
    code: Option<String>,
    /// The unit that it is a part of.
    parent: Option<i64>,
}

/// Adds a unit.
///
/// # Errors
/// When the caller does not administer all, or a field is wrong.
pub fn create_unit(call: &Call) -> Result<Numbered, Fault> {
    let (by, form) = (call.caller()?.administrator()?, call.fields::<NewUnit>()?);
    call.does(|t| {
        let code = form.code.as_deref().map(str::trim);
        let id = people::add_unit(t, form.parent.unwrap_or_default(), form.name.trim(), code)?;
        audit::record(t, Some(by), audit::Action::CreateUnit, &id.to_string(), "")?;
        Ok(Numbered { id })
    })
}

/// Renames a unit, or makes it a part of another.
///
/// # Errors
/// When the caller does not administer all, or a field is wrong.
pub fn change_unit(call: &Call) -> Result<(), Fault> {
    let (by, id, form) = (call.caller()?.administrator()?, call.number("id")?, call.fields::<NewUnit>()?);
    call.does(|t| people::change_unit(t, by, id, form.name.trim(), form.parent))
}

/// Removes a unit that is empty.
///
/// # Errors
/// When the caller does not administer all, or it is not empty.
pub fn remove_unit(call: &Call) -> Result<(), Fault> {
    let (by, id) = (call.caller()?.administrator()?, call.number("id")?);
    call.does(|t| people::remove_unit(t, by, id))
}
