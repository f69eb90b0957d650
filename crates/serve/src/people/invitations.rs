//! Links for many at once: for those of a round, or of a unit, who cannot sign in yet.

use super::session::invite_for;
use super::{Person, Role, unit_and_above};
use crate::audit;
use crate::fault::Fault;
use crate::mail::outbox::{self, Letter};
use crate::store::rows;
use crate::store::{Transaction, now};
use rusqlite::params;
use std::collections::HashMap;

/// Seconds for which links are good that are handed out in bulk: sheets of paper take their time.
pub const LASTS: i64 = 14 * 86_400;

/// Whom links are for.
#[derive(Debug, Clone, Copy)]
pub enum Group<'a> {
    /// The students of a round and those who supervise them.
    Round(&'a str),
    /// Everybody with a role in a unit, or in one below it.
    Unit(i64),
}

/// Makes links for those of a group whom [`chosen`] names; an earlier link of theirs ends.
///
/// # Errors
/// When the database cannot be written.
pub fn make(t: &Transaction<'_>, by: &Person, group: Group<'_>, again: bool) -> Result<Vec<(Person, String)>, Fault> {
    let mut made = Vec::new();
    for person in chosen(t, by, group, again)? {
        audit::record(t, Some(&by.id), audit::Action::Invite, &person.id, "")?;
        let secret = invite_for(t, &person.id, LASTS)?;
        made.push((person, secret));
    }
    Ok(made)
}

/// Puts letters with links into the outbox, for those of them whom letters reach; gives how many, and how many have no address.
///
/// # Errors
/// When the database cannot be written.
pub fn by_mail(t: &Transaction<'_>, by: &Person, group: Group<'_>, again: bool) -> Result<(usize, usize), Fault> {
    let (reached, not): (Vec<Person>, Vec<Person>) =
        chosen(t, by, group, again)?.into_iter().partition(|person| person.mail.is_some());
    for person in &reached {
        audit::record(t, Some(&by.id), audit::Action::Invite, &person.id, "mail")?;
        outbox::put(t, &person.id, Letter::Invitation)?;
    }
    Ok((reached.len(), not.len()))
}

/// Those of a group who have neither a password nor signed in by a provider; also those who have a link already, if `again`. Whoever has a
/// role outside the units that `by` administers is passed over: a link opens all of an account.
fn chosen(t: &Transaction<'_>, by: &Person, group: Group<'_>, again: bool) -> Result<Vec<Person>, Fault> {
    let (sql, of): (_, &dyn rusqlite::ToSql) = match &group {
        Group::Round(round) => (
            "SELECT student FROM enrolment WHERE round = ?1 UNION SELECT supervisor FROM enrolment WHERE round = ?1",
            round,
        ),
        Group::Unit(unit) => (
            "WITH RECURSIVE below(id) AS (SELECT ?1 UNION SELECT unit.id FROM unit JOIN below ON unit.parent = below.id) \
             SELECT person FROM role WHERE unit IN (SELECT id FROM below)",
            unit,
        ),
    };
    let sql = format!(
        "SELECT p.id FROM person p WHERE p.id IN ({sql}) AND p.state = 'active' AND p.password IS NULL \
         AND NOT EXISTS(SELECT 1 FROM identity i WHERE i.person = p.id) \
         AND (?2 OR NOT EXISTS(SELECT 1 FROM invitation v WHERE v.person = p.id AND v.expires > ?3)) ORDER BY p.number"
    );
    let ids: Vec<String> = rows::all(t, &sql, params![of, again, now()])?;
    let (mut units, mut made) = (HashMap::new(), Vec::new());
    for id in ids {
        let Some(person) = Person::active(t, &id)? else { continue };
        let mut is_within = !person.roles.is_empty();
        for (unit, _) in &person.roles {
            let administers = match units.get(unit) {
                Some(known) => *known,
                None => *units.entry(*unit).or_insert(by.has(Role::Administrator, &unit_and_above(t, *unit)?)),
            };
            is_within &= administers;
        }
        if is_within {
            made.push(person);
        }
    }
    Ok(made)
}
