//! People, their roles, and the units in which they have them.

pub mod import;
pub mod invitations;
pub mod password;
pub mod session;
pub mod totp;
pub mod waiting;

use crate::audit;
use crate::fault::{BAD_FIELD, CONFLICT, Fault, NOT_EMPTY, NOT_FOUND, refused};
use crate::mail::is_address;
use crate::store::Transaction;
use crate::store::rows::{self, FromRow, read_by_name};
use crate::store::word::worded;
use crate::store::{now, secret};
use rusqlite::{Connection, Params, params};

worded! {
    /// What a person may do.
    Role:
    /// Everything in the person's unit and those below.
    Administrator "administrator";
    /// Looks at the submissions of the person's own students and decides on them.
    Supervisor "supervisor";
    /// Hands in the person's own work.
    Student "student";
    /// Reads everything in the person's unit, and changes nothing.
    Auditor "auditor";
    /// Reads the finals that the person was named for, and gives a verdict on each.
    Reviewer "reviewer";
}

/// Bytes that a person's number has at most.
pub const LONGEST_NUMBER: usize = 64;

/// The unit that all others belong to.
pub const WHOLE: i64 = 1;

/// A unit: a college, a department.
#[derive(Debug, Clone, serde::Serialize, utoipa::ToSchema)]
pub struct Unit {
    /// Its id.
    pub id: i64,
    /// The unit it belongs to; none for the whole institution.
    pub parent: Option<i64>,
    /// Its name.
    pub name: String,
    /// Its code in the institution's lists.
    pub code: Option<String>,
}

read_by_name!(Unit: id parent name code);

/// All units, by id.
///
/// # Errors
/// When the database cannot be read.
pub fn units(connection: &Connection) -> Result<Vec<Unit>, rusqlite::Error> {
    rows::all(connection, "SELECT id, parent, name, code FROM unit ORDER BY id", [])
}

/// A unit and those it belongs to.
///
/// # Errors
/// When the database cannot be read.
pub fn unit_and_above(connection: &Connection, unit: i64) -> Result<Vec<i64>, rusqlite::Error> {
    let sql = "WITH RECURSIVE up(id) AS (SELECT ?1 UNION SELECT unit.parent FROM unit JOIN up ON unit.id = up.id \
               WHERE unit.parent IS NOT NULL) SELECT id FROM up";
    rows::all(connection, sql, [unit])
}

/// Adds a unit, and gives its id.
///
/// # Errors
/// When its code is taken, its name is none, or there is no such parent.
pub fn add_unit(t: &Transaction<'_>, parent: i64, name: &str, code: Option<&str>) -> Result<i64, Fault> {
    is_name(name)?;
    if rows::exists(t, "SELECT 1 FROM unit WHERE code = ?1", [code])? {
        return refused(&CONFLICT, code.unwrap_or_default());
    }
    only_name(t, 0, parent, name)?;
    if code.is_some_and(|code| code.is_empty() || code.len() > 64) {
        return refused(&BAD_FIELD, "code");
    }
    if !rows::exists(t, "SELECT 1 FROM unit WHERE id = ?1", [parent])? {
        return refused(&BAD_FIELD, "parent");
    }
    let id = audit::next_id(t, "unit")?;
    t.execute("INSERT INTO unit(id, parent, name, code) VALUES (?1, ?2, ?3, ?4)", params![id, parent, name, code])?;
    Ok(id)
}

/// Renames a unit and, if a parent is given, makes it a part of that one. The whole institution is a part of nothing.
///
/// # Errors
/// When there is none, or it would be a part of itself.
pub fn change_unit(t: &Transaction<'_>, by: &str, id: i64, name: &str, parent: Option<i64>) -> Result<(), Fault> {
    is_name(name)?;
    let known: Option<i64> = rows::first(t, "SELECT coalesce(parent, 0) FROM unit WHERE id = ?1", [id])?;
    only_name(t, id, parent.or(known).unwrap_or_default(), name)?;
    if t.execute("UPDATE unit SET name = ?2 WHERE id = ?1", params![id, name])? == 0 {
        return Err((&NOT_FOUND).into());
    }
    if let Some(parent) = parent {
        let above = unit_and_above(t, parent)?;
        if id == WHOLE || !above.contains(&WHOLE) || above.contains(&id) {
            return refused(&BAD_FIELD, "parent");
        }
        t.execute("UPDATE unit SET parent = ?2 WHERE id = ?1", params![id, parent])?;
    }
    audit::record(t, Some(by), audit::Action::ChangeUnit, &id.to_string(), "")
}

/// Refuses a name that another part of the same unit has: lists name units by name.
fn only_name(t: &Transaction<'_>, id: i64, parent: i64, name: &str) -> Result<(), Fault> {
    let sql = "SELECT 1 FROM unit WHERE parent = ?1 AND name = ?2 AND id != ?3";
    if rows::exists(t, sql, params![parent, name, id])? { refused(&CONFLICT, name) } else { Ok(()) }
}

/// Removes a unit in which nobody has a role, and that has neither parts nor rounds.
///
/// # Errors
/// When there is none, or it is not empty.
pub fn remove_unit(t: &Transaction<'_>, by: &str, id: i64) -> Result<(), Fault> {
    let sql = "SELECT name FROM unit WHERE id = ?1 AND id != ?2";
    let name: String = rows::first(t, sql, [id, WHOLE])?.ok_or(&NOT_FOUND)?;
    let parts = [
        ("unit WHERE parent", "units"),
        ("round WHERE unit", "rounds"),
        ("role WHERE unit", "people"),
        ("collection WHERE unit", "collections"),
        ("platform WHERE unit", "platforms"),
    ];
    for (place, called) in parts {
        if rows::exists(t, &format!("SELECT 1 FROM {place} = ?1"), [id])? {
            return refused(&NOT_EMPTY, called);
        }
    }
    t.execute("DELETE FROM course WHERE unit = ?1", [id])?;
    t.execute("DELETE FROM unit WHERE id = ?1", [id])?;
    audit::record(t, Some(by), audit::Action::RemoveUnit, &id.to_string(), &name)
}

/// Corrects the name of a person.
///
/// # Errors
/// When there is nobody of this id, or it is no name.
pub fn rename(t: &Transaction<'_>, by: &str, person: &str, name: &str) -> Result<(), Fault> {
    is_name(name)?;
    if t.execute("UPDATE person SET name = ?2 WHERE id = ?1 AND state != 'erased'", [person, name])? == 0 {
        return Err((&NOT_FOUND).into());
    }
    audit::record(t, Some(by), audit::Action::RenamePerson, person, "")
}

/// Writes down where letters reach a person, or that none do; links that were sent to another address end.
///
/// # Errors
/// When there is nobody of this id, or it is no address.
pub fn set_mail(t: &Transaction<'_>, by: &str, person: &str, mail: Option<&str>) -> Result<(), Fault> {
    if mail.is_some_and(|mail| !is_address(mail)) {
        return refused(&BAD_FIELD, "mail");
    }
    if t.execute("UPDATE person SET mail = ?2 WHERE id = ?1 AND state != 'erased'", params![person, mail])? == 0 {
        return Err((&NOT_FOUND).into());
    }
    t.execute("DELETE FROM invitation WHERE person = ?1", [person])?;
    audit::record(t, Some(by), audit::Action::SetMail, person, "")
}

fn is_name(name: &str) -> Result<(), Fault> {
    if name.is_empty() || name.len() > 200 { refused(&BAD_FIELD, "name") } else { Ok(()) }
}

/// A person with the roles that the person has.
#[derive(Debug, Clone, Default)]
pub struct Person {
    /// The id.
    pub id: String,
    /// The number by which the institution knows the person, and by which one signs in; none once erased.
    pub number: Option<String>,
    /// The name.
    pub name: Option<String>,
    /// Where letters reach the person.
    pub mail: Option<String>,
    /// `en` or `zh`, if chosen.
    pub language: Option<String>,
    /// Whether the person is let in.
    pub active: bool,
    /// Whether signing in needs a code besides the password.
    pub has_factor: bool,
    /// Whether a provider of sign-ins knows the person.
    pub is_linked: bool,
    /// The roles, with the unit of each.
    pub roles: Vec<(i64, Role)>,
}

impl FromRow for Person {
    fn from_row(row: &rusqlite::Row<'_>) -> Result<Self, rusqlite::Error> {
        let (id, number, name) = (row.get("id")?, row.get("number")?, row.get("name")?);
        let (language, active, has_factor) = (row.get("language")?, row.get("active")?, row.get("has_factor")?);
        let (is_linked, mail) = (row.get("is_linked")?, row.get("mail")?);
        Ok(Person { id, number, name, mail, language, active, has_factor, is_linked, roles: Vec::new() })
    }
}

impl Person {
    /// The person of this id, unless disabled or erased.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn active(connection: &Connection, id: &str) -> Result<Option<Person>, rusqlite::Error> {
        Ok(Person::all(connection, "id = ?1 AND state = 'active'", [id])?.pop())
    }

    /// The person of this id, unless erased.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn kept(connection: &Connection, id: &str) -> Result<Option<Person>, rusqlite::Error> {
        Ok(Person::all(connection, "id = ?1 AND state != 'erased'", [id])?.pop())
    }

    /// The person of this number.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn by_number(connection: &Connection, number: &str) -> Result<Option<Person>, rusqlite::Error> {
        Ok(Person::all(connection, "number = ?1 AND state != 'erased'", [number])?.pop())
    }

    fn all(connection: &Connection, condition: &str, values: impl Params) -> Result<Vec<Person>, rusqlite::Error> {
        let columns = "id, number, name, mail, language, state = 'active' AS active, totp IS NOT NULL AS has_factor, \
                       EXISTS(SELECT 1 FROM identity WHERE identity.person = person.id) AS is_linked";
        let sql = format!("SELECT {columns} FROM person WHERE {condition}");
        let mut people: Vec<Person> = rows::all(connection, &sql, values)?;
        for person in &mut people {
            let sql = "SELECT unit, role FROM role WHERE person = ?1 ORDER BY unit, role";
            person.roles = rows::all(connection, sql, [&person.id])?;
        }
        Ok(people)
    }

    /// Whether the person has a role anywhere.
    pub fn is(&self, role: Role) -> bool {
        self.roles.iter().any(|(_, has)| *has == role)
    }

    /// Whether the person has another role than that of a student.
    pub fn is_staff(&self) -> bool {
        self.roles.iter().any(|(_, role)| *role != Role::Student)
    }

    /// Whether the person has a role in one of these units.
    pub fn has(&self, role: Role, units: &[i64]) -> bool {
        self.roles.iter().any(|(unit, has)| *has == role && units.contains(unit))
    }

    /// Whether the person has a role in the whole institution.
    pub fn has_everywhere(&self, role: Role) -> bool {
        self.has(role, &[WHOLE])
    }

    /// Number and name.
    pub fn called(&self) -> String {
        format!("{} {}", self.number.as_deref().unwrap_or_default(), self.name.as_deref().unwrap_or_default())
            .trim()
            .to_owned()
    }

    /// The name, the number, or what stands for an erased person.
    pub fn label(&self) -> &str {
        self.name.as_deref().or(self.number.as_deref()).unwrap_or("—")
    }
}

/// Adds a person, or renames the one who has this number, and gives the id.
///
/// # Errors
/// When the database cannot be written.
pub fn put(t: &Transaction<'_>, number: &str, name: &str) -> Result<String, rusqlite::Error> {
    if let Some(person) = Person::by_number(t, number)? {
        t.execute("UPDATE person SET name = ?2 WHERE id = ?1", params![person.id, name])?;
        return Ok(person.id);
    }
    let id = secret::new_id();
    let sql = "INSERT INTO person(id, number, name, state, made) VALUES (?1, ?2, ?3, 'active', ?4)";
    t.execute(sql, params![id, number, name, now()])?;
    Ok(id)
}

/// Adds somebody of whom nothing is known but a name, and gives the id.
///
/// # Errors
/// When the database cannot be written.
pub fn put_name(t: &Transaction<'_>, name: &str) -> Result<String, rusqlite::Error> {
    let id = secret::new_id();
    let sql = "INSERT INTO person(id, name, state, made) VALUES (?1, ?2, 'active', ?3)";
    t.execute(sql, params![id, name, now()])?;
    Ok(id)
}

/// Gives a person a role in a unit, and tells whether the person did not have it.
///
/// # Errors
/// When the database cannot be written.
pub fn grant(t: &Transaction<'_>, person: &str, unit: i64, role: Role) -> Result<bool, rusqlite::Error> {
    Ok(t.execute("INSERT OR IGNORE INTO role VALUES (?1, ?2, ?3)", params![person, unit, role])? > 0)
}

/// Gives a role in a unit to somebody who is there.
///
/// # Errors
/// When there is no such person or unit, or the person has the role already.
pub fn give(t: &Transaction<'_>, by: &str, person: &str, unit: i64, role: Role) -> Result<(), Fault> {
    Person::kept(t, person)?.ok_or(&NOT_FOUND)?;
    if !grant(t, person, unit, role)? {
        return Err((&CONFLICT).into());
    }
    audit::record(t, Some(by), audit::Action::GiveRole, person, &format!("{} {unit}", role.as_str()))
}

/// Takes a role in a unit away.
///
/// # Errors
/// When the person does not have it.
pub fn take_away(t: &Transaction<'_>, by: &str, person: &str, unit: i64, role: Role) -> Result<(), Fault> {
    let sql = "DELETE FROM role WHERE person = ?1 AND unit = ?2 AND role = ?3";
    if t.execute(sql, params![person, unit, role])? == 0 {
        return Err((&NOT_FOUND).into());
    }
    audit::record(t, Some(by), audit::Action::TakeRole, person, &format!("{} {unit}", role.as_str()))
}

/// Lets a person in, or shuts the person out: then all sessions and links of the person end, and the tokens are good for
/// nothing while it lasts.
///
/// # Errors
/// When there is no such person.
pub fn let_in(t: &Transaction<'_>, by: &str, person: &str, may: bool) -> Result<(), Fault> {
    let (state, action) = if may { ("active", audit::Action::LetIn) } else { ("disabled", audit::Action::ShutOut) };
    if t.execute("UPDATE person SET state = ?2 WHERE id = ?1 AND state != 'erased'", [person, state])? == 0 {
        return Err((&NOT_FOUND).into());
    }
    if !may {
        session::end_all(t, person)?;
    }
    audit::record(t, Some(by), action, person, "")
}

/// At most `most` people whose number or name holds these characters and whose number comes after another, by number.
///
/// # Errors
/// When the database cannot be read.
pub fn page(connection: &Connection, holds: &str, after: &str, most: usize) -> Result<Vec<Person>, rusqlite::Error> {
    let condition = "state != 'erased' AND number > ?1 \
                     AND (instr(lower(number), lower(?2)) OR instr(lower(coalesce(name, '')), lower(?2))) ORDER BY number LIMIT ?3";
    Person::all(connection, condition, params![after, holds, most as i64])
}
