//! Who a request is from: sessions of browsers, tokens of programs, and links that are good once.

use super::{Person, Role, password, totp};
use crate::audit;
use crate::fault::{
    BAD_FIELD, CONFLICT, Fault, LINK_USED, NOT_ALLOWED, NOT_FOUND, NOT_SIGNED_IN, WRONG_PASSWORD, refused,
};
use crate::store::Transaction;
use crate::store::rows::{self, read_by_name};
use crate::store::word::worded;
use crate::store::{now, secret};
use rusqlite::{Connection, params};

/// Seconds without a request after which a session ends, ...
const IDLE: i64 = 12 * 3600;
/// ... and seconds after its beginning.
const LONGEST: i64 = 7 * 86_400;
/// Seconds for which a link to choose a password is good.
const INVITATION: i64 = 3 * 86_400;
/// Seconds for which a token is good.
const TOKEN: i64 = 180 * 86_400;

worded! {
    /// What a token may be allowed to do.
    Scope:
    /// Read.
    Read "read";
    /// Hand in.
    Submit "submit";
    /// Make rounds, enrol, deposit, erase.
    Manage "manage";
}

/// Who a request is from.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The person.
    pub person: Person,
    /// By what the person is known.
    pub via: Via,
    /// Whether a second factor is asked for when the person signs in, here or by the provider that was used.
    pub strong: bool,
    /// The site whose frames may show the pages of the session.
    pub frame: Option<String>,
}

/// By what a person is known.
#[derive(Debug, Clone)]
pub enum Via {
    /// A session of this number, in a browser.
    Session(i64),
    /// A token with these scopes.
    Token(Vec<Scope>),
}

impl Caller {
    /// The id of the caller, who must be an administrator of the whole institution: what concerns all people is up to nobody
    /// else.
    ///
    /// # Errors
    /// When the caller is not one.
    pub fn administrator(&self) -> Result<&str, Fault> {
        if self.person.has_everywhere(Role::Administrator) { Ok(&self.person.id) } else { Err((&NOT_ALLOWED).into()) }
    }

    /// Refuses everybody but administrators and auditors of the whole institution.
    ///
    /// # Errors
    /// When the caller is neither.
    pub fn oversees(&self) -> Result<(), Fault> {
        if self.person.has_everywhere(Role::Auditor) { Ok(()) } else { self.administrator().map(drop) }
    }
}

/// A session as the person who has it sees it.
pub struct Session {
    /// Its number.
    pub id: i64,
    /// What the browser calls itself.
    pub agent: String,
    /// When it was used last.
    pub seen: i64,
}

read_by_name!(Session: id agent seen);

/// The sessions of a person, the one that was used last first.
///
/// # Errors
/// When the database cannot be read.
pub fn sessions(connection: &Connection, person: &str) -> Result<Vec<Session>, rusqlite::Error> {
    let sql = "SELECT id, coalesce(agent, '') AS agent, seen FROM session WHERE person = ?1 ORDER BY seen DESC";
    rows::all(connection, sql, [person])
}

/// A token as the person who has it sees it.
pub struct Token {
    /// Its number.
    pub id: i64,
    /// What the person calls it.
    pub label: String,
    /// Its scopes, with blanks between them.
    pub scopes: String,
    /// When it expires.
    pub expires: i64,
    /// When it was used last.
    pub used: Option<i64>,
}

read_by_name!(Token: id label scopes expires used);

/// The tokens of a person, the oldest first.
///
/// # Errors
/// When the database cannot be read.
pub fn tokens(connection: &Connection, person: &str) -> Result<Vec<Token>, rusqlite::Error> {
    rows::all(connection, "SELECT id, label, scopes, expires, used FROM token WHERE person = ?1 ORDER BY id", [person])
}

/// How somebody has signed in at a provider of the institution.
#[derive(Debug, Clone)]
pub struct Outside {
    /// The provider.
    pub provider: String,
    /// Its own session, by which it tells of the end.
    pub session: Option<String>,
    /// Whether it asked for a second factor.
    pub strong: bool,
    /// The site whose frames may show the pages of the session.
    pub frame: Option<String>,
}

/// Begins a session and gives its secret.
///
/// # Errors
/// When the database cannot be written.
pub fn begin(
    t: &Transaction<'_>,
    person: &str,
    agent: &str,
    outside: Option<&Outside>,
) -> Result<String, rusqlite::Error> {
    let (secret, now) = (secret::new_secret(), now());
    let agent: String = agent.chars().take(120).collect();
    let sql = "INSERT INTO session(hash, person, made, seen, expires, agent, provider, outside, strong, frame) \
               VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    let provider = outside.map(|outside| &outside.provider);
    let session = outside.and_then(|outside| outside.session.as_deref()).map(secret::hash);
    let strong = outside.is_some_and(|outside| outside.strong);
    let frame = outside.and_then(|outside| outside.frame.as_deref());
    let (hash, until) = (secret::hash(&secret), now + LONGEST);
    t.execute(sql, params![hash, person, now, until, agent, provider, session, strong, frame])?;
    t.execute("DELETE FROM session WHERE expires < ?1 OR seen < ?2", params![now, now - IDLE])?;
    Ok(secret)
}

/// A session as a request finds it.
struct Used {
    id: i64,
    person: String,
    seen: i64,
    strong: bool,
    frame: Option<String>,
}

read_by_name!(Used: id person seen strong frame);

/// Sessions that a provider began, with the person of each: the one of its own session, or all those of a subject.
///
/// # Errors
/// When the database cannot be read.
pub fn of_provider(
    connection: &Connection,
    provider: &str,
    subject: &str,
    session: Option<&str>,
) -> Result<Vec<(i64, String)>, rusqlite::Error> {
    let by_subject = "SELECT s.id, s.person FROM session s JOIN identity i ON i.person = s.person AND i.provider = s.provider \
                      WHERE s.provider = ?1 AND i.subject = ?2";
    match session {
        Some(session) => {
            let sql = "SELECT id, person FROM session WHERE provider = ?1 AND outside = ?2";
            rows::all(connection, sql, params![provider, secret::hash(session)])
        }
        None => rows::all(connection, by_subject, params![provider, secret::hash(subject)]),
    }
}

/// By which provider a session was begun.
///
/// # Errors
/// When the database cannot be read.
pub fn provider_of(connection: &Connection, session: i64) -> Result<Option<String>, rusqlite::Error> {
    let sql = "SELECT provider FROM session WHERE id = ?1 AND provider IS NOT NULL";
    rows::first(connection, sql, [session])
}

/// Who has the session of this secret.
///
/// # Errors
/// When the database cannot be read.
pub fn of_session(connection: &Connection, secret: &str) -> Result<Option<(Caller, i64)>, rusqlite::Error> {
    let sql = "SELECT id, person, seen, strong, frame FROM session WHERE hash = ?1 AND expires > ?2 AND seen > ?3";
    let now = now();
    let found: Option<Used> = rows::first(connection, sql, params![secret::hash(secret), now, now - IDLE])?;
    let Some(Used { id, person, seen, strong, frame }) = found else { return Ok(None) };
    let person = Person::active(connection, &person)?;
    let via = Via::Session(id);
    Ok(person.map(|person| (Caller { strong: strong || person.has_factor, person, via, frame }, seen)))
}

/// Notes that a session was used.
///
/// # Errors
/// When the database cannot be written.
pub fn seen(t: &Transaction<'_>, session: i64) -> Result<(), rusqlite::Error> {
    t.execute("UPDATE session SET seen = ?2 WHERE id = ?1", params![session, now()]).map(drop)
}

/// Makes a token and gives its secret, which is not kept.
///
/// # Errors
/// When the database cannot be written.
pub fn new_token(t: &Transaction<'_>, person: &str, label: &str, scopes: &str) -> Result<String, rusqlite::Error> {
    let secret = format!("ct_{}", secret::new_secret());
    let sql = "INSERT INTO token(hash, person, label, scopes, expires) VALUES (?1, ?2, ?3, ?4, ?5)";
    t.execute(sql, params![secret::hash(&secret), person, label, scopes, now() + TOKEN])?;
    Ok(secret)
}

/// Who has the token of this secret, and when it was used last.
///
/// # Errors
/// When there is no such token, or the database cannot be read.
pub fn of_token(connection: &Connection, secret: &str) -> Result<(Caller, i64), Fault> {
    let sql = "SELECT person, scopes, coalesce(used, 0) FROM token WHERE hash = ?1 AND expires > ?2";
    let found: Option<(String, String, i64)> = rows::first(connection, sql, params![secret::hash(secret), now()])?;
    let (person, scopes, used) = found.ok_or(&NOT_SIGNED_IN)?;
    let person = Person::active(connection, &person)?.ok_or(&NOT_SIGNED_IN)?;
    Ok((
        Caller {
            strong: person.has_factor,
            person,
            via: Via::Token(scopes.split(' ').filter_map(Scope::of).collect()),
            frame: None,
        },
        used,
    ))
}

/// Notes that a token was used.
///
/// # Errors
/// When the database cannot be written.
pub fn used(t: &Transaction<'_>, secret: &str) -> Result<(), rusqlite::Error> {
    t.execute("UPDATE token SET used = ?2 WHERE hash = ?1", params![secret::hash(secret), now()]).map(drop)
}

/// Revokes a token of a person.
///
/// # Errors
/// When there is none.
pub fn revoke_token(t: &Transaction<'_>, person: &str, token: i64, by: &str) -> Result<(), Fault> {
    if t.execute("DELETE FROM token WHERE id = ?1 AND person = ?2", params![token, person])? == 0 {
        return Err((&NOT_FOUND).into());
    }
    audit::record(t, Some(by), audit::Action::RevokeToken, person, &token.to_string())
}

/// The person whose number and password these are.
///
/// # Errors
/// When they are not, or the database cannot be read.
pub fn of_password(connection: &Connection, number: &str, given: &str) -> Result<Person, Fault> {
    let sql = "SELECT password FROM person WHERE number = ?1 AND state = 'active'";
    let hash: Option<Option<String>> = rows::first(connection, sql, [number])?;
    let person = Person::by_number(connection, number)?;
    match (password::is_right(given, hash.flatten().as_deref()), person) {
        (true, Some(person)) => Ok(person),
        _ => Err((&WRONG_PASSWORD).into()),
    }
}

/// Whether a code is good for signing in; of a person without a second factor any is. A code is good once.
///
/// # Errors
/// When the database cannot be written.
pub fn take_code(t: &Transaction<'_>, person: &str, given: &str) -> Result<bool, rusqlite::Error> {
    let sql = "SELECT totp, totp_step FROM person WHERE id = ?1 AND totp IS NOT NULL";
    let Some((sealed, last)) = rows::first::<(String, i64)>(t, sql, [person])? else { return Ok(true) };
    let Some(factor) = t.key.open_factor(person, &sealed) else { return Ok(false) };
    let Some(step) = totp::step_of(&factor, given, now(), last) else { return Ok(false) };
    t.execute("UPDATE person SET totp_step = ?2 WHERE id = ?1", params![person, step])?;
    Ok(true)
}

/// Sets a person's second factor up if there is none and the code is one of its key, which counts as used.
///
/// # Errors
/// When it is not, or the database cannot be written.
pub fn set_factor(t: &Transaction<'_>, person: &str, key: &str, given: &str) -> Result<(), Fault> {
    let Some(step) = totp::step_of(key, given, now(), 0) else { return refused(&BAD_FIELD, "code") };
    let sql = "UPDATE person SET totp = ?2, totp_step = ?3 WHERE id = ?1 AND totp IS NULL";
    match t.execute(sql, params![person, t.key.seal_factor(person, key), step])? {
        0 => refused(&CONFLICT, "key"),
        _ => audit::record(t, Some(person), audit::Action::SetSecondFactor, person, ""),
    }
}

/// Takes a person's second factor away; the last step stays, so that no code that was used comes back to life.
///
/// # Errors
/// When there is none, or the database cannot be written.
pub fn remove_factor(t: &Transaction<'_>, person: &str, by: Option<&str>) -> Result<(), Fault> {
    match t.execute("UPDATE person SET totp = NULL WHERE id = ?1 AND totp IS NOT NULL", [person])? {
        0 => Err((&NOT_FOUND).into()),
        _ => audit::record(t, by, audit::Action::RemoveSecondFactor, person, ""),
    }
}

/// Whether a person has chosen a password.
///
/// # Errors
/// When the database cannot be read.
pub fn has_password(connection: &Connection, person: &str) -> Result<bool, rusqlite::Error> {
    rows::exists(connection, "SELECT 1 FROM person WHERE id = ?1 AND password IS NOT NULL", [person])
}

/// Makes a link's secret for a person, who may choose a password with it, once.
///
/// # Errors
/// When the database cannot be written.
pub fn invite(t: &Transaction<'_>, person: &str) -> Result<String, rusqlite::Error> {
    invite_for(t, person, INVITATION)
}

/// The same for a link that is good for this number of seconds.
///
/// # Errors
/// When the database cannot be written.
pub fn invite_for(t: &Transaction<'_>, person: &str, seconds: i64) -> Result<String, rusqlite::Error> {
    let secret = secret::new_secret();
    t.execute("DELETE FROM invitation WHERE person = ?1 OR expires < ?2", params![person, now()])?;
    t.execute("INSERT INTO invitation VALUES (?1, ?2, ?3)", params![secret::hash(&secret), person, now() + seconds])?;
    Ok(secret)
}

/// Whom a link is for.
///
/// # Errors
/// When it was used, or is too old.
pub fn invited(connection: &Connection, secret: &str) -> Result<Person, Fault> {
    let sql = "SELECT person FROM invitation WHERE hash = ?1 AND expires > ?2";
    let found: Option<String> = rows::first(connection, sql, params![secret::hash(secret), now()])?;
    let person = found.map(|id| Person::active(connection, &id)).transpose()?.flatten();
    person.ok_or(Fault::from(&LINK_USED))
}

/// Sets a password; all links, sessions and tokens of the person end: whoever knew the old one may have made them.
///
/// # Errors
/// When the database cannot be written.
pub fn set_password(t: &Transaction<'_>, person: &str, hash: &str) -> Result<(), rusqlite::Error> {
    t.execute("UPDATE person SET password = ?2 WHERE id = ?1", params![person, hash])?;
    t.execute("DELETE FROM token WHERE person = ?1", [person])?;
    end_all(t, person)
}

/// Ends all links and sessions of a person.
///
/// # Errors
/// When the database cannot be written.
pub fn end_all(t: &Transaction<'_>, person: &str) -> Result<(), rusqlite::Error> {
    t.execute("DELETE FROM invitation WHERE person = ?1", [person])?;
    t.execute("DELETE FROM session WHERE person = ?1", [person]).map(drop)
}
