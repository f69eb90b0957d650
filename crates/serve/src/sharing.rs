//! Collections that units share. A unit offers one to another, which agrees; then rounds of the other may be compared with it. Their
//! reports tell how long a match is and whom to ask. Its wording, and which text it is, they tell once the unit whose it is has granted that.

use crate::access::{self, Object};
use crate::audit;
use crate::collections::{self, Collection};
use crate::fault::{BAD_FIELD, CONFLICT, Fault, NOT_ALLOWED, NOT_EMPTY, NOT_FOUND, refused};
use crate::mail::notices;
use crate::people::session::Caller;
use crate::people::{Role, unit_and_above};
use crate::reports::{self, Kept};
use crate::rounds::Round;
use crate::store::rows::{self, read_by_name};
use crate::store::word::worded;
use crate::store::{Transaction, now};
use crate::submissions::Submission;
use copytrace::check::Report;
use copytrace_messages::message;
use rusqlite::{Connection, params};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Bytes of a reason.
const LONGEST: usize = 2000;

/// A collection that is shared with a unit, or offered to it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Share {
    /// Its number.
    pub id: i64,
    /// The collection.
    pub collection: i64,
    /// What that is called.
    pub name: String,
    /// Whose it is.
    pub owner: i64,
    /// The unit that it is shared with.
    pub with: i64,
    /// What that is called.
    pub with_name: String,
    /// When that unit agreed; none while it is offered.
    pub agreed: Option<i64>,
}

read_by_name!(Share: id collection name owner with with_name agreed);

const SHARE: &str = "SELECT s.id, s.collection, c.name, c.unit AS owner, s.unit AS \"with\", u.name AS with_name, s.agreed FROM share s \
                     JOIN collection c ON c.id = s.collection JOIN unit u ON u.id = s.unit";

/// The sharing of this number.
///
/// # Errors
/// When there is none.
pub fn share(c: &Connection, id: i64) -> Result<Share, Fault> {
    Ok(rows::first(c, &format!("{SHARE} WHERE s.id = ?1"), [id])?.ok_or(&NOT_FOUND)?)
}

/// With whom which collections are shared, as far as the caller administers or audits one of both sides.
///
/// # Errors
/// When the database cannot be read.
pub fn shares(c: &Connection, caller: &Caller) -> Result<Vec<Share>, Fault> {
    let all: Vec<Share> = rows::all(c, &format!("{SHARE} ORDER BY c.name, u.name, s.id"), [])?;
    let mut known = Vec::new();
    for share in all {
        if oversees(c, caller, share.owner)? || oversees(c, caller, share.with)? {
            known.push(share);
        }
    }
    Ok(known)
}

/// Whether somebody administers or audits a unit.
///
/// # Errors
/// When the database cannot be read.
pub fn oversees(c: &Connection, caller: &Caller, unit: i64) -> Result<bool, Fault> {
    let units = unit_and_above(c, unit)?;
    Ok(caller.person.has(Role::Administrator, &units) || caller.person.has(Role::Auditor, &units))
}

/// Offers a collection to a unit, and gives the number of the offer.
///
/// # Errors
/// When there is no such collection or unit, or the unit has it anyhow.
pub fn offer(t: &Transaction<'_>, collection: i64, with: i64, by: &str) -> Result<i64, Fault> {
    let collection = collections::get(t, collection)?;
    if !rows::exists(t, "SELECT 1 FROM unit WHERE id = ?1", [with])?
        || unit_and_above(t, with)?.contains(&collection.unit)
    {
        return refused(&BAD_FIELD, "with");
    }
    let sql = "INSERT OR IGNORE INTO share(collection, unit, offered) VALUES (?1, ?2, ?3)";
    if t.execute(sql, params![collection.id, with, now()])? == 0 {
        return refused(&CONFLICT, "with");
    }
    let id = t.last_insert_rowid();
    audit::record(t, Some(by), audit::Action::OfferCollection, &collection.id.to_string(), &with.to_string())?;
    Ok(id)
}

/// Agrees to an offer.
///
/// # Errors
/// When it was agreed to already.
pub fn agree(t: &Transaction<'_>, id: i64, by: &str) -> Result<(), Fault> {
    let share = share(t, id)?;
    if t.execute("UPDATE share SET agreed = ?2 WHERE id = ?1 AND agreed IS NULL", params![id, now()])? == 0 {
        return Err((&CONFLICT).into());
    }
    audit::record(t, Some(by), audit::Action::AgreeToShare, &share.collection.to_string(), &share.with.to_string())
}

/// Ends the sharing of a collection. Rounds that have no other right to it are compared with it no more, and what was granted is
/// taken back.
///
/// # Errors
/// When one of them would have nothing left to be compared with: every ratio would be a false 0.
pub fn end(t: &Transaction<'_>, id: i64, by: &str) -> Result<(), Fault> {
    let share = share(t, id)?;
    t.execute("DELETE FROM share WHERE id = ?1", [id])?;
    audit::record(t, Some(by), audit::Action::EndSharing, &share.collection.to_string(), &share.with.to_string())?;
    let collection = collections::get(t, share.collection)?;
    let comparing = "SELECT round FROM round_collection WHERE collection = ?1 ORDER BY round";
    let mut alone = Vec::new();
    for round in rows::all::<String>(t, comparing, [collection.id])? {
        let round = Round::get(t, &round)?;
        if may_compare(t, round.unit, &collection)? {
            continue;
        }
        let sql = "DELETE FROM round_collection WHERE round = ?1 AND collection = ?2";
        t.execute(sql, params![round.id, collection.id])?;
        if !rows::exists(t, "SELECT 1 FROM round_collection WHERE round = ?1", [&round.id])? {
            alone.push(round.title.clone());
        }
        audit::record(t, Some(by), audit::Action::ChangeRound, &round.id, "")?;
    }
    if !alone.is_empty() {
        return Err(Fault::Told(&NOT_EMPTY, vec![message!("collection-compared", rounds = alone.join(", "))]));
    }
    let granted = "SELECT r.id, d.unit FROM wording_request r JOIN submission s ON s.id = r.submission JOIN round d ON d.id = s.round \
                   WHERE r.collection = ?1 AND r.state IN ('asked', 'granted')";
    for (request, unit) in rows::all::<(i64, i64)>(t, granted, [collection.id])? {
        if !may_compare(t, unit, &collection)? {
            put_answer(t, request, Asking::Revoked, "", by)?;
        }
    }
    Ok(())
}

/// Whether rounds of a unit may be compared with a collection: it is of this unit or of one above, or shared with one of them.
///
/// # Errors
/// When the database cannot be read.
pub fn may_compare(c: &Connection, unit: i64, collection: &Collection) -> Result<bool, rusqlite::Error> {
    let units = unit_and_above(c, unit)?;
    let shared = "SELECT unit FROM share WHERE collection = ?1 AND agreed IS NOT NULL";
    Ok(units.contains(&collection.unit)
        || rows::all::<i64>(c, shared, [collection.id])?.iter().any(|shared| units.contains(shared)))
}

/// Refuses who may not deposit finals of a unit's rounds in a collection: it must be of that unit or of one above, or the caller
/// administers it.
///
/// # Errors
/// When that is so, or there is no such collection.
pub fn may_deposit(c: &Connection, caller: &Caller, unit: i64, collection: i64) -> Result<(), Fault> {
    let collection = collections::get(c, collection)?;
    match unit_and_above(c, unit)?.contains(&collection.unit) {
        true => Ok(()),
        false => access::require(c, caller, Object::Unit(collection.unit), &[Role::Administrator]),
    }
}

worded! {
    /// What became of a request.
    Asking:
    /// It waits.
    Asked "asked";
    /// It was granted.
    Granted "granted";
    /// It was refused.
    Refused "refused";
    /// It was granted once, and is no more.
    Revoked "revoked";
}

worded! {
    /// What a request is answered.
    Answer:
    /// The wording may be read.
    Grant "grant";
    /// It may not, or no more.
    Refuse "refuse";
}

/// A request for wording, as the unit that is asked sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Request {
    /// Its number.
    pub id: i64,
    /// The submission in whose report the source is.
    pub submission: String,
    /// The collection.
    pub collection: i64,
    /// What that is called.
    pub name: String,
    /// Whose it is.
    pub owner: i64,
    /// The document's id in the collection.
    pub source: String,
    /// Characters of the submission that the matches with it cover.
    pub characters: i64,
    /// What it is asked for.
    pub reason: String,
    /// Who asks.
    pub who: String,
    /// The unit of the round.
    pub unit: String,
    /// When.
    pub made: i64,
    /// What became of it.
    pub state: Asking,
    /// Why.
    pub answer: String,
}

read_by_name!(Request: id submission collection name owner source characters reason who unit made state answer);

/// Requests to those units that the caller administers or audits, those first that wait.
///
/// # Errors
/// When the database cannot be read.
pub fn requests(c: &Connection, caller: &Caller) -> Result<Vec<Request>, Fault> {
    let sql = "SELECT r.id, r.submission, r.collection, c.name, c.unit AS owner, r.source, r.characters, r.reason, \
               trim(coalesce(p.number, '') || ' ' || coalesce(p.name, '')) AS who, u.name AS unit, r.made, r.state, r.answer \
               FROM wording_request r JOIN collection c ON c.id = r.collection JOIN person p ON p.id = r.person \
               JOIN submission s ON s.id = r.submission JOIN round d ON d.id = s.round JOIN unit u ON u.id = d.unit \
               ORDER BY r.state != 'asked', r.made DESC, r.id DESC";
    let mut known = Vec::new();
    for request in rows::all::<Request>(c, sql, [])? {
        if oversees(c, caller, request.owner)? {
            known.push(request);
        }
    }
    Ok(known)
}

/// Asks for the wording of a source, by its place in the report, and gives the request's number. What was refused or taken back may be
/// asked for again.
///
/// # Errors
/// When the source is not withheld, it is asked for already, or the reason is missing.
pub fn ask(
    t: &Transaction<'_>,
    submission: &Submission,
    round: &Round,
    source: usize,
    reason: &str,
    by: &str,
) -> Result<i64, Fault> {
    let reason = reason.trim();
    if reason.is_empty() || reason.len() > LONGEST {
        return refused(&BAD_FIELD, "reason");
    }
    let kept = reports::kept(t, &submission.id)?;
    let report = kept.report()?;
    let withheld = withheld(t, round, &submission.id, &kept, &report)?;
    let folder = kept.origins.get(source).filter(|_| withheld.get(source).is_some_and(Option::is_some));
    let collection: Option<i64> = match folder {
        Some(folder) => rows::first(t, "SELECT id FROM collection WHERE folder = ?1", [folder])?,
        None => None,
    };
    let Some(collection) = collection else { return refused(&BAD_FIELD, "source") };
    let found = report.passages.iter().filter(|passage| passage.source == source);
    let characters = found.map(|passage| passage.characters).sum::<u64>() as i64;
    let id = &report.sources[source].id;
    let sql = "INSERT INTO wording_request(submission, collection, source, characters, reason, person, made, state) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'asked') ON CONFLICT DO UPDATE SET characters = ?4, reason = ?5, person = ?6, made = ?7, \
               state = 'asked', answer = '', answered = NULL WHERE state IN ('refused', 'revoked') RETURNING id";
    let asked = params![submission.id, collection, id, characters, reason, by, now()];
    let Some(request) = rows::first::<i64>(t, sql, asked)? else { return refused(&CONFLICT, "source") };
    audit::record(t, Some(by), audit::Action::AskWording, &submission.id, &request.to_string())?;
    let unit = collections::get(t, collection)?.unit;
    for asked in asked_people(t, unit)? {
        notices::asked(t, &asked, &submission.id)?;
    }
    Ok(request)
}

/// Those whom a request to a unit is told: its administrators, or those of the next unit above that has some.
fn asked_people(c: &Connection, unit: i64) -> Result<Vec<String>, rusqlite::Error> {
    for unit in unit_and_above(c, unit)? {
        let sql = "SELECT person FROM role WHERE unit = ?1 AND role = 'administrator' ORDER BY person";
        let people: Vec<String> = rows::all(c, sql, [unit])?;
        if !people.is_empty() {
            return Ok(people);
        }
    }
    Ok(Vec::new())
}

/// Answers a request. What was granted can be taken back, and what was refused granted.
///
/// # Errors
/// When there is none, a refusal has no reason, the collection is shared no more, or that was answered already.
pub fn answer(t: &Transaction<'_>, id: i64, answer: Answer, reason: &str, by: &str) -> Result<(), Fault> {
    let reason = reason.trim();
    if reason.len() > LONGEST || answer == Answer::Refuse && reason.is_empty() {
        return refused(&BAD_FIELD, "reason");
    }
    let of = "SELECT state, collection FROM wording_request WHERE id = ?1";
    let (state, collection): (Asking, i64) = rows::first(t, of, [id])?.ok_or(&NOT_FOUND)?;
    let next = match (state, answer) {
        (Asking::Asked | Asking::Refused | Asking::Revoked, Answer::Grant) => Asking::Granted,
        (Asking::Asked, Answer::Refuse) => Asking::Refused,
        (Asking::Granted, Answer::Refuse) => Asking::Revoked,
        _ => return Err((&CONFLICT).into()),
    };
    let unit = "SELECT d.unit FROM wording_request r JOIN submission s ON s.id = r.submission JOIN round d ON d.id = s.round WHERE r.id = ?1";
    if next == Asking::Granted && !may_compare(t, rows::one(t, unit, [id])?, &collections::get(t, collection)?)? {
        return Err((&NOT_ALLOWED).into());
    }
    put_answer(t, id, next, reason, by)
}

fn put_answer(t: &Transaction<'_>, id: i64, state: Asking, reason: &str, by: &str) -> Result<(), Fault> {
    let sql =
        "UPDATE wording_request SET state = ?2, answer = ?3, answered = ?4 WHERE id = ?1 RETURNING person, submission";
    let (person, submission): (String, String) = rows::one(t, sql, params![id, state, reason, now()])?;
    let action = match state {
        Asking::Granted => audit::Action::GrantWording,
        Asking::Refused => audit::Action::RefuseWording,
        Asking::Asked | Asking::Revoked => audit::Action::RevokeWording,
    };
    // The reason may name people, who may be erased one day.
    audit::record(t, Some(by), action, &submission, &id.to_string())?;
    Ok(notices::answered(t, &person, &submission)?)
}

/// What became of what was asked about a report: by the source's place in it.
///
/// # Errors
/// When the database cannot be read.
pub fn asked(c: &Connection, submission: &str, report: &Report) -> Result<BTreeMap<usize, (Asking, String)>, Fault> {
    let sql = "SELECT source, state, answer FROM wording_request WHERE submission = ?1 ORDER BY id";
    let rows: Vec<(String, Asking, String)> = rows::all(c, sql, [submission])?;
    let place = |id: &str| report.sources.iter().position(|source| source.id == id);
    Ok(rows.into_iter().filter_map(|(id, state, answer)| Some((place(&id)?, (state, answer)))).collect())
}

/// What a source of a report is called for those who may not read it; none of one that they may.
///
/// # Errors
/// When there is no report.
pub fn called(c: &Connection, round: &Round, submission: &str, source: &str) -> Result<Option<String>, Fault> {
    let kept = reports::kept(c, submission)?;
    let report = kept.report()?;
    let withheld = withheld(c, round, submission, &kept, &report)?;
    let place = report.sources.iter().position(|known| known.id == source);
    Ok(place.and_then(|at| withheld.into_iter().nth(at).flatten()))
}

/// For each source of a report, what it is called for those who may not read it: the unit whose it is, which can be asked. None of
/// sources that the round's unit, or one above, has itself, and of those that were granted.
///
/// # Errors
/// When the database cannot be read.
pub fn withheld(
    c: &Connection,
    round: &Round,
    submission: &str,
    kept: &Kept,
    report: &Report,
) -> Result<Vec<Option<String>>, Fault> {
    let own = unit_and_above(c, round.unit)?;
    let folders = "SELECT folder, unit FROM collection UNION ALL SELECT folder, unit FROM former_collection";
    let owners: BTreeMap<String, i64> = rows::all::<(String, i64)>(c, folders, [])?.into_iter().collect();
    let granted = "SELECT c.folder, r.source FROM wording_request r JOIN collection c ON c.id = r.collection \
                   WHERE r.submission = ?1 AND r.state = 'granted'";
    let granted: Vec<(String, String)> = rows::all(c, granted, [submission])?;
    let mut withheld = Vec::new();
    for (at, source) in report.sources.iter().enumerate() {
        let folder = kept.origins.get(at).map_or("", String::as_str);
        let owner = owners.get(folder).filter(|owner| !own.contains(owner));
        let is_granted = || granted.iter().any(|(of, id)| of == folder && *id == source.id);
        withheld.push(match owner {
            Some(owner) if !is_granted() => {
                let name: Option<String> = rows::first(c, "SELECT name FROM unit WHERE id = ?1", [owner])?;
                Some(format!("{} {}", name.as_deref().unwrap_or("–"), at + 1))
            }
            _ => None,
        });
    }
    Ok(withheld)
}
