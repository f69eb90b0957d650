//! Which objects a person may name. One function answers for every id: of a path, of a field of a form or of the programming
//! interface, of a list. What a caller has nothing to do with looks as if it did not exist.

use crate::app::App;
use crate::fault::{BAD_FIELD, Fault, NOT_ALLOWED, NOT_FOUND, refused};
use crate::http::call::Fields;
use crate::http::route::Route;
use crate::people::session::Caller;
use crate::people::{Person, Role, WHOLE, unit_and_above};
use crate::rounds::{Round, Standing};
use crate::store::rows;
use crate::submissions::{self, View};
use rusqlite::Connection;
use std::collections::HashMap;

/// Something that has a name by which it can be asked for.
#[derive(Debug, Clone, Copy)]
pub enum Object<'a> {
    /// What concerns everybody: people, units, the audit log.
    Institution,
    /// One of these, by its table and id.
    OfInstitution(&'static str, &'a str),
    /// A unit, as the place of a round or of people.
    Unit(i64),
    /// A round.
    Round(&'a str),
    /// A submission.
    Submission(&'a str),
    /// An archive that waits.
    Batch(&'a str),
    /// A collection that a round is compared with, or into which finals go.
    Collection(i64),
    /// The list of collections, of which everybody is shown those that they may name.
    Collections,
    /// What the units have to do with that a query finds by this id: a collection, its sharing, a request for its wording.
    OfUnits(&'static str, &'a str),
    /// Somebody on a list for a round.
    Listed(&'a Person),
}

/// The roles in which a caller stands to an object; none at all when there is no such object, or the caller has nothing to do
/// with it.
///
/// # Errors
/// When the database cannot be read.
pub fn roles(connection: &Connection, caller: &Caller, object: Object<'_>) -> Result<Option<Vec<Role>>, Fault> {
    let person = &caller.person;
    let within = |units: &[i64]| Role::ALL.iter().copied().filter(|role| person.has(*role, units)).collect::<Vec<_>>();
    // The roles in units that one of these is a part of, or that are parts of one.
    let joined = |units: &[i64]| -> Result<Vec<Role>, Fault> {
        let mut has = Vec::new();
        for unit in units {
            has.extend(within(&unit_and_above(connection, *unit)?));
            for (own, role) in &person.roles {
                has.extend(unit_and_above(connection, *own)?.contains(unit).then_some(*role));
            }
        }
        Ok(has)
    };
    let exists = |sql: &str, id: &dyn rusqlite::ToSql| rows::exists(connection, sql, [id]);
    Ok(match object {
        Object::Institution => Some(within(&[WHOLE])),
        Object::OfInstitution(table, id) => {
            let exists = exists(&format!("SELECT 1 FROM {table} WHERE CAST(id AS TEXT) = ?1"), &id)?;
            Some(within(&[WHOLE])).filter(|roles| exists || roles.is_empty())
        }
        // Every administrator knows which units there are.
        Object::Unit(id) if exists("SELECT 1 FROM unit WHERE id = ?1", &id)? => {
            Some(within(&unit_and_above(connection, id)?))
        }
        Object::Collections => Some(person.roles.iter().map(|(_, role)| *role).collect()),
        Object::OfUnits(sql, id) => {
            let units: Vec<i64> = rows::all(connection, sql, [id])?;
            let mut has = if units.is_empty() { within(&[WHOLE]) } else { Vec::new() };
            for unit in &units {
                has.extend(within(&unit_and_above(connection, *unit)?));
            }
            Some(has).filter(|roles| !units.is_empty() || roles.is_empty())
        }
        Object::Collection(id) if exists("SELECT 1 FROM collection WHERE id = ?1", &id)? => {
            let units = "SELECT unit FROM collection WHERE id = ?1 UNION SELECT unit FROM share WHERE collection = ?1 AND agreed IS NOT NULL";
            Some(joined(&rows::all::<i64>(connection, units, [id])?)?)
        }
        Object::Round(id) => hidden(Round::of(connection, caller, id))?.map(|(_, standing)| vec![standing.role()]),
        Object::Submission(id) => hidden(submissions::see(connection, caller, id))?.map(|seen| match seen.view {
            View::Student => vec![Role::Student],
            View::Decides | View::Reads | View::Reviews => vec![seen.standing.role()],
        }),
        Object::Batch(id) => match rows::first::<String>(connection, "SELECT round FROM batch WHERE id = ?1", [id])? {
            Some(round) => roles(connection, caller, Object::Round(&round))?,
            None => None,
        },
        // Those of a unit below the caller's, and those of the units that it is a part of: not those of units beside it.
        Object::Listed(listed) => Some(joined(&listed.roles.iter().map(|(unit, _)| *unit).collect::<Vec<_>>())?),
        Object::Unit(_) | Object::Collection(_) => None,
    })
}

/// Nothing in the place of what is not there.
fn hidden<T>(found: Result<T, Fault>) -> Result<Option<T>, Fault> {
    match found {
        Err(Fault::Refused(refusal, _)) if *refusal == NOT_FOUND => Ok(None),
        found => found.map(Some),
    }
}

/// Refuses who stands to an object in none of these roles.
///
/// # Errors
/// When that is so, or there is no such object for the caller.
pub fn require(connection: &Connection, caller: &Caller, object: Object<'_>, allowed: &[Role]) -> Result<(), Fault> {
    match roles(connection, caller, object)? {
        None => Err((&NOT_FOUND).into()),
        Some(roles) if roles.iter().any(|role| allowed.contains(role)) => Ok(()),
        Some(_) => Err((&NOT_ALLOWED).into()),
    }
}

const COLLECTION: &str = "SELECT unit FROM collection WHERE CAST(id AS TEXT) = ?1";
/// A source that is harvested is of the unit of its collection.
const HARVEST: &str =
    "SELECT c.unit FROM harvest h JOIN collection c ON c.id = h.collection WHERE CAST(h.id AS TEXT) = ?1";
/// Both sides have to do with what they share, ...
const SHARE: &str = "SELECT s.unit FROM share s WHERE CAST(s.id AS TEXT) = ?1 UNION \
                     SELECT c.unit FROM share s JOIN collection c ON c.id = s.collection WHERE CAST(s.id AS TEXT) = ?1";
/// ... but the one alone whose it is answers a request.
const REQUEST: &str =
    "SELECT c.unit FROM wording_request r JOIN collection c ON c.id = r.collection WHERE CAST(r.id AS TEXT) = ?1";

/// The object that a path names: by its first word, and the id behind it.
pub fn of_path<'a>(path: &str, id: &'a str) -> Option<Object<'a>> {
    let first = path.trim_start_matches("/api/v1").trim_start_matches('/').split('/').next().unwrap_or_default();
    match first {
        "rounds" if path.contains("{id}") => Some(Object::Round(id)),
        "submissions" => Some(Object::Submission(id)),
        "batches" => Some(Object::Batch(id)),
        "people" if path.contains("{id}") => Some(Object::OfInstitution("person", id)),
        "units" if path.contains("{id}") => Some(Object::OfInstitution("unit", id)),
        "collections" if path.contains("{id}") => Some(Object::OfUnits(COLLECTION, id)),
        "harvests" if path.contains("{id}") => Some(Object::OfUnits(HARVEST, id)),
        "shares" if path.contains("{id}") => Some(Object::OfUnits(SHARE, id)),
        "requests" if path.contains("{id}") => Some(Object::OfUnits(REQUEST, id)),
        "collections" | "shares" | "requests" => Some(Object::Collections),
        "platforms" if path.contains("{id}") => Some(Object::OfInstitution("platform", id)),
        "webhooks" if path.contains("{id}") => Some(Object::OfInstitution("webhook", id)),
        "letters" if path.contains("{id}") => Some(Object::OfInstitution("letter", id)),
        "people" | "units" | "letters" | "webhooks" | "platforms" | "audit" | "data-protection" => {
            Some(Object::Institution)
        }
        _ => None,
    }
}

/// Refuses a request whose path names what the caller may not name, in one of the roles for which the route is.
///
/// # Errors
/// When that is so.
pub fn admit(app: &App, caller: &Caller, route: &Route, path: &HashMap<String, String>) -> Result<(), Fault> {
    let id = path.get("id").map_or("", String::as_str);
    match of_path(route.path, id) {
        Some(object) => app.store.read(|c| require(c, caller, object, route.roles)),
        None => Ok(()),
    }
}

/// The fields that name objects, wherever they occur.
const NAMING: [&str; 5] = ["unit", "parent", "previous", "collection", "collections"];

/// Refuses fields that name what the caller may not name: only administrators name units, rounds and collections. A round keeps its
/// predecessor, whoever named it.
///
/// # Errors
/// When there is such a field.
pub fn admit_fields(app: &App, caller: &Caller, round: &str, fields: &Fields) -> Result<(), Fault> {
    for name in NAMING {
        for value in fields.values(name) {
            let object = match (name, value.parse()) {
                ("previous", _) => Object::Round(&value),
                ("unit" | "parent", Ok(id)) => Object::Unit(id),
                (_, Ok(id)) => Object::Collection(id),
                // What is no number is no name either; whoever reads the field says so.
                (_, Err(_)) => continue,
            };
            let named = app.store.read(|c| {
                let unchanged = "SELECT 1 FROM round WHERE id = ?1 AND previous = ?2";
                if name == "previous" && rows::exists(c, unchanged, [round, &value])? {
                    return Ok(());
                }
                require(c, caller, object, &[Role::Administrator])
            });
            match named {
                Err(Fault::Refused(refusal, _)) if *refusal == NOT_FOUND => return refused(&BAD_FIELD, name),
                Err(Fault::Refused(refusal, _)) => return refused(refusal, name),
                named => named?,
            }
        }
    }
    Ok(())
}

impl Standing {
    /// The role that somebody has who stands so to a round.
    pub fn role(self) -> Role {
        match self {
            Standing::Administers => Role::Administrator,
            Standing::Audits => Role::Auditor,
            Standing::Supervises => Role::Supervisor,
            Standing::Reviews => Role::Reviewer,
            Standing::Studies => Role::Student,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::routes::{EVENTS, ROUTES};

    #[test]
    fn every_id_in_a_path_names_an_object_but_those_of_one_s_own_account() {
        for route in ROUTES.iter().chain([&EVENTS]).filter(|route| route.path.contains("{id}")) {
            let known = of_path(route.path, "id").is_some();
            assert_eq!(known, !route.path.starts_with("/account/"), "{}", route.path);
        }
    }
}
