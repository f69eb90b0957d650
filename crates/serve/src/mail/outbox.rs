//! Letters that are to be sent, and what became of them.

use super::notices;
use crate::fault::{Fault, NOT_FOUND};
use crate::people::Person;
use crate::store::rows::{self, read_by_name};
use crate::store::word::worded;
use crate::store::{Transaction, now};
use rusqlite::{Connection, params};

/// Seconds between two digests of a person.
const DAY: i64 = 86_400;
/// Seconds within which a lost password is asked for once, whoever asks.
const ASKED_ONCE: i64 = 600;
/// Seconds for which letters are remembered that were sent or refused.
const REMEMBERED: i64 = 90 * DAY;
/// After how many attempts, over some two days, a letter that a server puts off counts as refused.
const MOST_ATTEMPTS: i64 = 12;

worded! {
    /// What a letter is for.
    Letter:
    /// A link for somebody who has no password yet.
    Invitation "invitation";
    /// A link for somebody who lost the password.
    Reset "reset";
    /// What has happened.
    Digest "digest";
}

worded! {
    /// What became of a letter.
    Fate:
    /// It waits.
    Waiting "waiting";
    /// The mail server has taken it.
    Sent "sent";
    /// The mail server has refused it.
    Refused "refused";
}

/// A letter.
#[derive(Debug, Clone)]
pub struct Row {
    /// Its number.
    pub id: i64,
    /// To whom.
    pub person: String,
    /// What for.
    pub kind: Letter,
    /// What became of it.
    pub state: Fate,
    /// When it was asked for.
    pub made: i64,
    /// How often a server put it off.
    pub attempts: i64,
    /// What the server said last.
    pub answer: String,
}

read_by_name!(Row: id person kind state made attempts answer);

const COLUMNS: &str = "id, person, kind, state, made, attempts, answer";

/// Puts a letter into the outbox, unless one of its kind waits there for the person.
///
/// # Errors
/// When the database cannot be written.
pub fn put(t: &Transaction<'_>, person: &str, kind: Letter) -> Result<(), rusqlite::Error> {
    let sql = "INSERT INTO letter(person, kind, state, made, not_before) SELECT ?1, ?2, 'waiting', ?3, ?3 \
               WHERE NOT EXISTS(SELECT 1 FROM letter WHERE person = ?1 AND kind = ?2 AND state = 'waiting')";
    t.execute(sql, params![person, kind, now()]).map(drop)
}

/// The letters that are to be sent next, at most `most` of them.
///
/// # Errors
/// When the database cannot be read.
pub fn next(connection: &Connection, most: usize) -> Result<Vec<Row>, rusqlite::Error> {
    // What somebody asked for goes before what was not asked for.
    let sql = format!(
        "SELECT {COLUMNS} FROM letter WHERE state = 'waiting' AND not_before <= ?1 ORDER BY kind = 'digest', kind = 'invitation', id LIMIT ?2"
    );
    rows::all(connection, &sql, params![now(), most as i64])
}

/// The last letters, with whom each is for.
///
/// # Errors
/// When the database cannot be read.
pub fn last(connection: &Connection, most: usize) -> Result<Vec<(Row, Option<Person>)>, rusqlite::Error> {
    let sql = format!("SELECT {COLUMNS} FROM letter ORDER BY state = 'refused' DESC, id DESC LIMIT ?1");
    let letters: Vec<Row> = rows::all(connection, &sql, [most as i64])?;
    letters.into_iter().map(|letter| Ok((letter.clone(), Person::kept(connection, &letter.person)?))).collect()
}

/// Notes what became of a letter.
///
/// # Errors
/// When the database cannot be written.
pub fn ended(t: &Transaction<'_>, letter: &Row, state: Fate, answer: &str) -> Result<(), rusqlite::Error> {
    let sql = "UPDATE letter SET state = ?2, answer = ?3, not_before = ?4 WHERE id = ?1";
    t.execute(sql, params![letter.id, state, answer, now()])?;
    if letter.kind == Letter::Digest { notices::told(t, &letter.person) } else { Ok(()) }
}

/// Puts off a letter that a server does not take now.
///
/// # Errors
/// When the database cannot be written.
pub fn put_off(t: &Transaction<'_>, letter: &Row, answer: &str) -> Result<(), rusqlite::Error> {
    if letter.attempts + 1 >= MOST_ATTEMPTS {
        return ended(t, letter, Fate::Refused, answer);
    }
    // Five minutes, then twice as long each time, up to six hours: some servers put off whoever is new to them.
    let pause = (300_i64 << letter.attempts.min(10)).min(6 * 3600);
    let sql = "UPDATE letter SET attempts = attempts + 1, answer = ?2, not_before = ?3 WHERE id = ?1";
    t.execute(sql, params![letter.id, answer, now() + pause]).map(drop)
}

/// Lets a letter that was refused be sent again.
///
/// # Errors
/// When there is none.
pub fn again(t: &Transaction<'_>, letter: i64) -> Result<(), Fault> {
    let sql = "UPDATE letter SET state = 'waiting', attempts = 0, not_before = ?2 WHERE id = ?1 AND state = 'refused'";
    if t.execute(sql, [letter, now()])? == 0 { Err((&NOT_FOUND).into()) } else { Ok(()) }
}

/// Whose news have waited long enough, and who got no digest within a day.
const DUE: &str = "SELECT person FROM notice n GROUP BY person HAVING min(made) <= ?1 AND NOT EXISTS(SELECT 1 FROM letter \
                   WHERE person = n.person AND kind = 'digest' AND (state = 'waiting' OR not_before > ?2))";

/// Writes down that somebody lost a password, by what was typed.
///
/// # Errors
/// When the database cannot be written.
pub fn lost_password(t: &Transaction<'_>, given: &str) -> Result<(), rusqlite::Error> {
    t.execute("INSERT OR IGNORE INTO lost_password VALUES (?1)", [given]).map(drop)
}

/// Puts into the outbox what is due now: links for those who lost a password, and digests of news that are this many seconds old.
///
/// # Errors
/// When the database cannot be written.
pub fn gather(t: &Transaction<'_>, gathered: i64) -> Result<(), Fault> {
    let now = now();
    // Whoever signs in by a provider alone gets no password by mail: the provider may have shut the person out. Nor does anybody end the
    // link of an invitation by asking.
    let lost = "DELETE FROM lost_password RETURNING given";
    let whose = "SELECT id FROM person p WHERE (number = ?1 OR lower(mail) = lower(?1)) AND mail IS NOT NULL AND state = 'active' \
                 AND (password IS NOT NULL OR NOT EXISTS(SELECT 1 FROM identity WHERE person = p.id) \
                 AND NOT EXISTS(SELECT 1 FROM invitation WHERE person = p.id AND expires > ?3)) \
                 AND NOT EXISTS(SELECT 1 FROM letter WHERE person = p.id AND kind = 'reset' AND made > ?2)";
    for given in rows::all::<String>(t, lost, [])? {
        for person in rows::all::<String>(t, whose, params![given, now - ASKED_ONCE, now])? {
            put(t, &person, Letter::Reset)?;
        }
    }
    for person in rows::all::<String>(t, DUE, [now - gathered, now - DAY])? {
        put(t, &person, Letter::Digest)?;
    }
    Ok(())
}

/// Whether there is something for [`gather`].
///
/// # Errors
/// When the database cannot be read.
pub fn has_news(connection: &Connection, gathered: i64) -> Result<bool, rusqlite::Error> {
    let sql = format!("SELECT given FROM lost_password UNION ALL {DUE}");
    rows::exists(connection, &sql, [now() - gathered, now() - DAY])
}

/// Forgets letters of long ago, and news that no digest told.
///
/// # Errors
/// When the database cannot be written.
pub fn forget_old(t: &Transaction<'_>, now: i64) -> Result<(), rusqlite::Error> {
    t.execute("DELETE FROM letter WHERE state != 'waiting' AND not_before < ?1", [now - REMEMBERED])?;
    t.execute("DELETE FROM notice WHERE made < ?1", [now - REMEMBERED]).map(drop)
}
