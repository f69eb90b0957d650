//! People, their roles, and the units in which they have them.

pub mod import;
pub mod password;
pub mod session;

use crate::fault::{BAD_FIELD, CONFLICT, Fault, NOT_FOUND, refused};
use crate::store::{now, secret};
use rusqlite::{Connection, OptionalExtension, Transaction, params};

/// What a person may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Everything in his unit and those below.
    Administrator,
    /// Looks at the submissions of his own students and decides on them.
    Supervisor,
    /// Hands in his own work.
    Student,
    /// Reads everything in his unit, and changes nothing.
    Auditor,
}

impl Role {
    /// All of them.
    pub const ALL: [Role; 4] = [Role::Administrator, Role::Supervisor, Role::Student, Role::Auditor];

    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Administrator => "administrator",
            Role::Supervisor => "supervisor",
            Role::Student => "student",
            Role::Auditor => "auditor",
        }
    }

    /// The role of a word.
    pub fn of(word: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.as_str() == word)
    }
}

/// The unit that all others belong to.
pub const WHOLE: i64 = 1;

/// A unit: a college, a department.
#[derive(Debug, Clone)]
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

/// All units, by id.
///
/// # Errors
/// When the database cannot be read.
pub fn units(connection: &Connection) -> Result<Vec<Unit>, rusqlite::Error> {
    let mut statement = connection.prepare_cached("SELECT id, parent, name, code FROM unit ORDER BY id")?;
    let unit = |row: &rusqlite::Row<'_>| {
        Ok(Unit { id: row.get(0)?, parent: row.get(1)?, name: row.get(2)?, code: row.get(3)? })
    };
    statement.query_map([], unit)?.collect()
}

/// A unit and those it belongs to.
///
/// # Errors
/// When the database cannot be read.
pub fn unit_and_above(connection: &Connection, unit: i64) -> Result<Vec<i64>, rusqlite::Error> {
    let sql = "WITH RECURSIVE up(id) AS (SELECT ?1 UNION SELECT unit.parent FROM unit JOIN up ON unit.id = up.id \
               WHERE unit.parent IS NOT NULL) SELECT id FROM up";
    connection.prepare_cached(sql)?.query_map([unit], |row| row.get(0))?.collect()
}

/// Adds a unit, and gives its id.
///
/// # Errors
/// When its code is taken, its name is none, or there is no such parent.
pub fn add_unit(t: &Transaction<'_>, parent: i64, name: &str, code: Option<&str>) -> Result<i64, Fault> {
    is_name(name)?;
    let taken = t.query_row("SELECT 1 FROM unit WHERE code = ?1", [code], |_| Ok(())).optional()?;
    if taken.is_some() {
        return refused(&CONFLICT, code.unwrap_or_default());
    }
    if code.is_some_and(|code| code.is_empty() || code.len() > 64) {
        return refused(&BAD_FIELD, "code");
    }
    if !t.prepare_cached("SELECT 1 FROM unit WHERE id = ?1")?.exists([parent])? {
        return refused(&BAD_FIELD, "parent");
    }
    t.execute("INSERT INTO unit(parent, name, code) VALUES (?1, ?2, ?3)", params![parent, name, code])?;
    Ok(t.last_insert_rowid())
}

/// Renames a unit and, if a parent is given, makes it a part of that one. The whole institution is a part of nothing.
///
/// # Errors
/// When there is none, or it would be a part of itself.
pub fn change_unit(t: &Transaction<'_>, id: i64, name: &str, parent: Option<i64>) -> Result<(), Fault> {
    is_name(name)?;
    if t.execute("UPDATE unit SET name = ?2 WHERE id = ?1", params![id, name])? == 0 {
        return Err((&NOT_FOUND).into());
    }
    let Some(parent) = parent else { return Ok(()) };
    let above = unit_and_above(t, parent)?;
    if id == WHOLE || !above.contains(&WHOLE) || above.contains(&id) {
        return refused(&BAD_FIELD, "parent");
    }
    t.execute("UPDATE unit SET parent = ?2 WHERE id = ?1", params![id, parent])?;
    Ok(())
}

fn is_name(name: &str) -> Result<(), Fault> {
    if name.is_empty() || name.len() > 200 { refused(&BAD_FIELD, "name") } else { Ok(()) }
}

/// A person with his roles.
#[derive(Debug, Clone, Default)]
pub struct Person {
    /// The id.
    pub id: String,
    /// The number by which the institution knows the person, and by which one signs in; none once erased.
    pub number: Option<String>,
    /// The name.
    pub name: Option<String>,
    /// `en` or `zh`, if chosen.
    pub language: Option<String>,
    /// Whether the person is let in.
    pub active: bool,
    /// The roles, with the unit of each.
    pub roles: Vec<(i64, Role)>,
}

impl Person {
    /// The person of this id, unless disabled or erased.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn active(connection: &Connection, id: &str) -> Result<Option<Person>, rusqlite::Error> {
        Person::find(connection, "id = ?1 AND state = 'active'", id)
    }

    /// The person of this id, unless erased.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn kept(connection: &Connection, id: &str) -> Result<Option<Person>, rusqlite::Error> {
        Person::find(connection, "id = ?1 AND state != 'erased'", id)
    }

    /// The person of this number.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn by_number(connection: &Connection, number: &str) -> Result<Option<Person>, rusqlite::Error> {
        Person::find(connection, "number = ?1 AND state != 'erased'", number)
    }

    fn find(connection: &Connection, condition: &str, value: &str) -> Result<Option<Person>, rusqlite::Error> {
        let sql = format!("SELECT id, number, name, language, state = 'active' FROM person WHERE {condition}");
        let person = |row: &rusqlite::Row<'_>| {
            Ok(Person {
                id: row.get(0)?,
                number: row.get(1)?,
                name: row.get(2)?,
                language: row.get(3)?,
                active: row.get(4)?,
                roles: Vec::new(),
            })
        };
        let found = connection.prepare_cached(&sql)?.query_row([value], person).optional()?;
        found.map(|person| Ok(Person { roles: roles(connection, &person.id)?, ..person })).transpose()
    }

    /// Whether the person has a role anywhere.
    pub fn is(&self, role: Role) -> bool {
        self.roles.iter().any(|(_, has)| *has == role)
    }

    /// Whether the person has a role in one of these units.
    pub fn has(&self, role: Role, units: &[i64]) -> bool {
        self.roles.iter().any(|(unit, has)| *has == role && units.contains(unit))
    }

    /// Whether the person has a role in the whole institution.
    pub fn has_everywhere(&self, role: Role) -> bool {
        self.has(role, &[WHOLE])
    }

    /// The name, the number, or what stands for an erased person.
    pub fn label(&self) -> &str {
        self.name.as_deref().or(self.number.as_deref()).unwrap_or("—")
    }
}

fn roles(connection: &Connection, person: &str) -> Result<Vec<(i64, Role)>, rusqlite::Error> {
    let mut statement =
        connection.prepare_cached("SELECT unit, role FROM role WHERE person = ?1 ORDER BY unit, role")?;
    let rows = statement.query_map([person], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
    rows.map(|row| row.map(|(unit, word)| Role::of(&word).map(|role| (unit, role))))
        .filter_map(Result::transpose)
        .collect()
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

/// Gives a person a role in a unit.
///
/// # Errors
/// When the database cannot be written.
pub fn grant(t: &Transaction<'_>, person: &str, unit: i64, role: Role) -> Result<(), rusqlite::Error> {
    t.execute("INSERT OR IGNORE INTO role VALUES (?1, ?2, ?3)", params![person, unit, role.as_str()])?;
    Ok(())
}

/// Takes a role in a unit away.
///
/// # Errors
/// When the person has not got it.
pub fn take_away(t: &Transaction<'_>, person: &str, unit: i64, role: Role) -> Result<(), Fault> {
    let sql = "DELETE FROM role WHERE person = ?1 AND unit = ?2 AND role = ?3";
    if t.execute(sql, params![person, unit, role.as_str()])? == 0 { Err((&NOT_FOUND).into()) } else { Ok(()) }
}

/// Lets a person in, or no more: then all his sessions and links end, and his tokens are good for nothing while it lasts.
///
/// # Errors
/// When there is no such person.
pub fn let_in(t: &Transaction<'_>, person: &str, may: bool) -> Result<(), Fault> {
    let sql = "UPDATE person SET state = ?2 WHERE id = ?1 AND state != 'erased'";
    if t.execute(sql, [person, if may { "active" } else { "disabled" }])? == 0 {
        return Err((&NOT_FOUND).into());
    }
    if may { Ok(()) } else { Ok(session::end_all(t, person)?) }
}

/// People whose number or name holds these characters, at most so many after a number, by number.
///
/// # Errors
/// When the database cannot be read.
pub fn page(connection: &Connection, holds: &str, after: &str, most: usize) -> Result<Vec<Person>, rusqlite::Error> {
    let sql = "SELECT id FROM person WHERE state != 'erased' AND number > ?1 \
               AND (instr(lower(number), lower(?2)) OR instr(lower(coalesce(name, '')), lower(?2))) ORDER BY number LIMIT ?3";
    let ids: Vec<String> = connection
        .prepare_cached(sql)?
        .query_map(params![after, holds, most as i64], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    ids.iter().filter_map(|id| Person::find(connection, "id = ?1", id).transpose()).collect()
}
