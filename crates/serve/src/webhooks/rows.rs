//! Webhooks, what is to be told them, and what became of it.

use super::Event;
use crate::audit;
use crate::fault::{Fault, NOT_FOUND};
use crate::store::rows::{self, read_by_name};
use crate::store::word::worded;
use crate::store::{Transaction, now, secret};
use rusqlite::{Connection, params};
use serde_json::json;

/// Seconds for which it is tried to tell something.
const TRIED_FOR: i64 = 3 * 86_400;
/// Seconds for which deliveries are remembered.
const REMEMBERED: i64 = 30 * 86_400;

worded! {
    /// What became of something that another system was to be told.
    State:
    /// It waits.
    Waiting "waiting";
    /// The other side has taken it.
    Done "done";
    /// It was tried for long enough.
    Failed "failed";
}

/// A webhook.
#[derive(Debug, Clone, serde::Serialize, utoipa::ToSchema)]
pub struct Webhook {
    /// Its id.
    pub id: String,
    /// Where it goes.
    pub url: String,
    /// When it was made.
    pub made: i64,
}

read_by_name!(Webhook: id url made);

/// Something that is told to a webhook.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// Its id, the same in each attempt.
    pub id: String,
    /// The webhook.
    pub webhook: String,
    /// Where that goes.
    pub url: String,
    /// Its secret, sealed.
    pub secret: String,
    /// What is told.
    pub event: Event,
    /// The same as JSON.
    pub body: String,
    /// What became of it.
    pub state: State,
    /// When it was first to be told.
    pub made: i64,
    /// How often that failed.
    pub attempts: i64,
    /// What was answered last.
    pub answer: String,
}

read_by_name!(Delivery: id webhook url secret event body state made attempts answer);

const DELIVERY: &str = "SELECT d.id, d.webhook, w.url, w.secret, d.event, d.body, d.state, d.made, d.attempts, d.answer \
                        FROM delivery d JOIN webhook w ON w.id = d.webhook";

/// All webhooks.
///
/// # Errors
/// When the database cannot be read.
pub fn all(connection: &Connection) -> Result<Vec<Webhook>, rusqlite::Error> {
    rows::all(connection, "SELECT id, url, made FROM webhook ORDER BY made, id", [])
}

/// Makes a webhook and gives its secret, which is not shown again.
///
/// # Errors
/// When the database cannot be written.
pub fn make(t: &Transaction<'_>, by: &str, url: &str) -> Result<String, Fault> {
    let (id, secret) = (secret::new_id(), super::secret(&secret::random::<32>()));
    let sealed = t.key.seal_factor(&id, &secret);
    t.execute("INSERT INTO webhook VALUES (?1, ?2, ?3, ?4)", params![id, url, sealed, now()])?;
    audit::record(t, Some(by), audit::Action::MakeWebhook, &id, "")?;
    Ok(secret)
}

/// Removes a webhook, with what waits for it.
///
/// # Errors
/// When there is none.
pub fn remove(t: &Transaction<'_>, by: &str, id: &str) -> Result<(), Fault> {
    t.execute("DELETE FROM delivery WHERE webhook = ?1", [id])?;
    if t.execute("DELETE FROM webhook WHERE id = ?1", [id])? == 0 {
        return Err((&NOT_FOUND).into());
    }
    audit::record(t, Some(by), audit::Action::RemoveWebhook, id, "")
}

/// What waits for a webhook is told in the order in which it happened: what is new waits as long as what waits already.
fn put(t: &Transaction<'_>, webhook: &str, event: Event, data: &serde_json::Value) -> Result<(), Fault> {
    let now = now();
    let at = jiff::Timestamp::from_second(now).map_or(String::new(), |at| at.to_string());
    let body = json!({ "type": event, "timestamp": at, "data": data }).to_string();
    let sql = "INSERT INTO delivery(id, webhook, event, body, state, made, not_before) SELECT ?1, ?2, ?3, ?4, 'waiting', ?5, \
               max(?5, ifnull((SELECT max(not_before) FROM delivery WHERE webhook = ?2 AND state = 'waiting'), 0))";
    t.execute(sql, params![format!("msg_{}", secret::new_id()), webhook, event, body, now])?;
    Ok(())
}

/// Tries a webhook.
///
/// # Errors
/// When there is none.
pub fn ping(t: &Transaction<'_>, webhook: &str) -> Result<(), Fault> {
    match rows::exists(t, "SELECT 1 FROM webhook WHERE id = ?1", [webhook])? {
        true => put(t, webhook, Event::Ping, &json!({})),
        false => Err((&NOT_FOUND).into()),
    }
}

/// Writes down, in the transaction in which it happens, what webhooks are to be told of a submission. Of practice nobody is told.
///
/// # Errors
/// When the database cannot be written.
pub fn tell(t: &Transaction<'_>, event: Event, submission: &str) -> Result<(), Fault> {
    let sql = "SELECT round FROM submission WHERE id = ?1 AND kind != 'self'";
    let Some(round) = rows::first::<String>(t, sql, [submission])? else { return Ok(()) };
    all(t)?
        .iter()
        .try_for_each(|webhook| put(t, &webhook.id, event, &json!({ "submission": submission, "round": round })))
}

/// What is to be told next.
///
/// # Errors
/// When the database cannot be read.
pub fn next(connection: &Connection) -> Result<Option<Delivery>, rusqlite::Error> {
    let sql =
        format!("{DELIVERY} WHERE d.state = 'waiting' AND d.not_before <= ?1 ORDER BY d.not_before, d.rowid LIMIT 1");
    rows::first(connection, &sql, [now()])
}

/// The last deliveries.
///
/// # Errors
/// When the database cannot be read.
pub fn last(connection: &Connection, most: usize) -> Result<Vec<Delivery>, rusqlite::Error> {
    rows::all(connection, &format!("{DELIVERY} ORDER BY d.rowid DESC LIMIT ?1"), [most as i64])
}

/// Notes that something was told.
///
/// # Errors
/// When the database cannot be written.
pub fn done(t: &Transaction<'_>, delivery: &Delivery, answer: &str) -> Result<(), rusqlite::Error> {
    let sql = "UPDATE delivery SET state = 'done', attempts = attempts + 1, answer = ?2 WHERE id = ?1";
    t.execute(sql, [&delivery.id, answer]).map(drop)
}

/// Notes that it could not be told. All that waits for the webhook waits longer with it, so that an address that is dead holds nobody else up.
///
/// # Errors
/// When the database cannot be written.
pub fn failed(t: &Transaction<'_>, delivery: &Delivery, answer: &str) -> Result<(), rusqlite::Error> {
    // Five seconds, then four times as long each time, up to six hours.
    let until = now() + (5_i64 << (2 * delivery.attempts).min(20)).min(6 * 3600);
    let state = if now() - delivery.made > TRIED_FOR { State::Failed } else { State::Waiting };
    let sql = "UPDATE delivery SET state = ?2, attempts = attempts + 1, answer = ?3 WHERE id = ?1";
    t.execute(sql, params![delivery.id, state, answer])?;
    let sql = "UPDATE delivery SET not_before = max(not_before, ?2) WHERE webhook = ?1 AND state = 'waiting'";
    t.execute(sql, params![delivery.webhook, until]).map(drop)
}

/// Forgets deliveries of long ago.
///
/// # Errors
/// When the database cannot be written.
pub fn forget_old(t: &Transaction<'_>, now: i64) -> Result<(), rusqlite::Error> {
    t.execute("DELETE FROM delivery WHERE state != 'waiting' AND made < ?1", [now - REMEMBERED]).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn what_happens_after_a_failure_is_told_after_what_waits() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("service.db")).unwrap();
        let write = |f: &dyn Fn(&Transaction<'_>) -> Result<(), Fault>| store.write(|t| f(t)).unwrap();
        let told = || store.read(next).unwrap();
        write(&|t| make(t, "a", "https://one.example/").map(drop));
        let webhook = store.read(all).unwrap().remove(0).id;
        write(&|t| put(t, &webhook, Event::Received, &json!({})));
        let first = told().unwrap();
        write(&|t| Ok(failed(t, &first, "500")?));
        write(&|t| put(t, &webhook, Event::Ready, &json!({})));
        assert!(told().is_none(), "it waits with the first");
        let wait_is_over = "UPDATE delivery SET not_before = not_before - 3600";
        write(&|t| Ok(t.execute(wait_is_over, []).map(drop)?));
        let again = told().unwrap();
        assert_eq!((&again.id, again.attempts), (&first.id, 1));
        write(&|t| Ok(done(t, &again, "204")?));
        assert_eq!(told().unwrap().event, Event::Ready);
    }
}
