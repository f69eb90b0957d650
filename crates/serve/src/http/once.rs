//! A request of the programming interface with an `Idempotency-Key` is done once: its reply is kept in the transaction of its effect,
//! so that there are both or none, whenever the server ends.

use super::call::Call;
use super::reply::Reply;
use super::route::Route;
use crate::app::App;
use crate::fault::{BAD_FIELD, CONFLICT, Fault, KEY_REUSED, TOLD_ONCE, refused};
use crate::people::session::Caller;
use crate::store::{Transaction, now, rows};
use axum::http::{HeaderMap, Method, header};
use rusqlite::params;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Seconds for which replies are remembered.
const REMEMBERED: i64 = 86_400;

/// The longest key in bytes.
const LONGEST: usize = 200;

/// By what a request is known again.
#[derive(Debug)]
pub struct Key {
    person: String,
    key: String,
    /// What makes it the same: route, path, fields and the bytes of its files.
    request: [u8; 32],
}

/// A reply that was kept.
struct Kept {
    request: Vec<u8>,
    /// That of the reply; negative for one that told a secret.
    status: i64,
    body: String,
    place: String,
}

rows::read_by_name!(Kept: request status body place);

impl Key {
    /// That of a request which is to be done once; none if its caller does not ask for that.
    ///
    /// # Errors
    /// When it is empty or too long.
    pub fn of(call: &Call) -> Result<Option<Self>, Fault> {
        let (Some(key), Some(caller)) = (key_of(call.route, &call.headers), &call.caller) else { return Ok(None) };
        if key.is_empty() || key.len() > LONGEST {
            return refused(&BAD_FIELD, "Idempotency-Key");
        }
        let path: BTreeMap<&String, &String> = call.path.iter().collect();
        let files: Vec<_> = call.files.iter().map(|file| (&file.name, &file.sha256)).collect();
        let request =
            Sha256::digest(format!("{}{path:?}{:?}{files:?}", call.route.path, call.fields).as_bytes()).into();
        Ok(Some(Key { person: caller.person.id.clone(), key: key.to_owned(), request }))
    }

    /// Keeps the reply in the transaction of what it tells of; a secret is not kept.
    ///
    /// # Errors
    /// When it cannot be kept; the effect is to be taken back then.
    pub fn keep(&self, t: &Transaction<'_>, reply: &Reply) -> Result<(), rusqlite::Error> {
        let (status, body) = if reply.is_secret { (-1, &[][..]) } else { (i64::from(reply.status), &reply.body[..]) };
        let (body, place) = (String::from_utf8_lossy(body), reply.place());
        t.execute("DELETE FROM reply WHERE made <= ?1", [now() - REMEMBERED])?;
        let sql =
            "INSERT INTO reply(person, key, request, status, body, place, made) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        t.execute(sql, params![self.person, self.key, self.request, status, body, place, now()]).map(drop)
    }

    /// The reply that the request got before, if it did.
    fn repeated(&self, call: &Call) -> Result<Option<Reply>, Fault> {
        let sql = "SELECT request, status, body, place FROM reply WHERE person = ?1 AND key = ?2 AND made > ?3";
        let since = now() - REMEMBERED;
        let kept = call.app.read(|c| Ok(rows::first(c, sql, params![self.person, self.key, since])?))?;
        let Some(Kept { request, status, body, place }) = kept else { return Ok(None) };
        match u16::try_from(status) {
            _ if request != self.request => Err((&KEY_REUSED).into()),
            // An earlier version kept a key before it knew the reply: what came of it nobody knows.
            Ok(0) => refused(&CONFLICT, "a request with this Idempotency-Key was cut off"),
            Ok(status) => {
                let reply = Reply::bytes("application/json", body).status(status);
                Ok(Some(if place.is_empty() { reply } else { reply.with(header::LOCATION, place) }))
            }
            Err(_) => Err((&TOLD_ONCE).into()),
        }
    }
}

/// Handles a request, unless it was handled before: then it gets the same reply.
///
/// # Errors
/// When it is under way, or another one had its key.
pub fn handle(call: &Call, first: impl FnOnce() -> Result<Reply, Fault>) -> Result<Reply, Fault> {
    let Some(key) = &call.key else { return first() };
    let Ok(_place) = call.app.under_way.enter(&format!("{} {}", key.person, key.key), 1) else {
        return refused(&CONFLICT, "a request with this Idempotency-Key is under way");
    };
    match key.repeated(call)? {
        Some(reply) => Ok(reply),
        None => first(),
    }
}

/// Whether a reply is kept under the key of a request. What it asks for may be impossible by now because it was done: its object is
/// gone, or the quota is used.
///
/// # Errors
/// When the database cannot be read.
pub fn is_repeated(app: &App, caller: &Caller, route: &Route, headers: &HeaderMap) -> Result<bool, Fault> {
    let Some(key) = key_of(route, headers) else { return Ok(false) };
    let sql = "SELECT 1 FROM reply WHERE person = ?1 AND key = ?2 AND made > ?3";
    app.read(|c| Ok(rows::exists(c, sql, params![caller.person.id, key, now() - REMEMBERED])?))
}

/// The header, where it counts: forms of pages have none.
fn key_of<'a>(route: &Route, headers: &'a HeaderMap) -> Option<&'a str> {
    let key = headers.get("idempotency-key").filter(|_| route.method == Method::POST && route.described.is_some());
    key?.to_str().ok()
}
