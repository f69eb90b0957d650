//! The queue of work: rows of the database, claimed by the workers of one server at a time.
//!
//! An attempt is counted when a job is claimed, so a job that kills its worker is found however suddenly the worker dies. The
//! result and the state `done` come in one transaction. A claim lasts as long as the lock on the data folder, which the
//! system takes from a server that dies; so there are no times to run out, and a clock that jumps changes nothing.

mod complete;
pub mod order;
pub mod pool;
pub mod protocol;
pub mod worker;

use crate::store::now;
use rusqlite::{Connection, OptionalExtension, Transaction, params};

/// After so many attempts in which its worker died a job fails.
pub const MOST_ATTEMPTS: i64 = 3;
/// Attempts that ended because the server died are no sign against a job, unless there are very many.
const MOST_ORPHANED: i64 = 30;

/// What a job does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Checks a submission.
    Check,
    /// Puts a submission into an index: of its round, or of the collection where it is deposited.
    Enter,
    /// Takes documents out of an index, down to the last byte.
    Remove,
    /// Fills a collection from a folder.
    Fill,
}

impl Kind {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Check => "check",
            Kind::Enter => "enter",
            Kind::Remove => "remove",
            Kind::Fill => "fill",
        }
    }

    fn of(word: &str) -> Kind {
        match word {
            "enter" => Kind::Enter,
            "remove" => Kind::Remove,
            "fill" => Kind::Fill,
            _ => Kind::Check,
        }
    }
}

/// Work to be queued.
#[derive(Debug, Clone)]
pub struct NewJob<'a> {
    /// What it does.
    pub kind: Kind,
    /// The submission it is about.
    pub submission: Option<&'a str>,
    /// The index it changes; such jobs run one at a time for each folder.
    pub folder: Option<&'a str>,
    /// What else the worker needs, JSON.
    pub detail: String,
    /// Lane 0 goes before lane 1: somebody waits for a single check, nobody for one of a batch.
    pub lane: i64,
    /// Whose turn it is within a lane: rounds take turns.
    pub fair: &'a str,
}

/// Queues work, and gives its number.
///
/// # Errors
/// When the database cannot be written.
pub fn add(t: &Transaction<'_>, new: &NewJob<'_>) -> Result<i64, rusqlite::Error> {
    let sql = "INSERT INTO job(kind, submission, folder, detail, lane, fair, state, made) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'queued', ?7)";
    t.prepare_cached(sql)?.insert(params![
        new.kind.as_str(),
        new.submission,
        new.folder,
        new.detail,
        new.lane,
        new.fair,
        now()
    ])
}

/// A job that a worker has taken.
#[derive(Debug, Clone)]
pub struct Claimed {
    /// Its number.
    pub id: i64,
    /// What it does.
    pub kind: Kind,
    /// The submission it is about.
    pub submission: Option<String>,
    /// The index it changes.
    pub folder: Option<String>,
    /// What else is needed, JSON.
    pub detail: String,
    /// The lane.
    pub lane: i64,
}

/// Takes the next job for the server of this name: of the lower lane first, those that killed no worker before those that
/// did, and the one whose round had its last turn longest ago.
///
/// # Errors
/// When the database cannot be written.
pub fn claim(t: &Transaction<'_>, server: &str) -> Result<Option<Claimed>, rusqlite::Error> {
    let sql = "SELECT id, kind, submission, folder, detail, lane FROM job WHERE state = 'queued' AND (folder IS NULL OR folder NOT IN \
               (SELECT folder FROM job WHERE state = 'running' AND folder IS NOT NULL)) ORDER BY lane, attempts, \
               (SELECT max(turn) FROM job AS other WHERE other.fair = job.fair), id LIMIT 1";
    let read = |row: &rusqlite::Row<'_>| {
        let kind = Kind::of(&row.get::<_, String>(1)?);
        Ok(Claimed {
            id: row.get(0)?,
            kind,
            submission: row.get(2)?,
            folder: row.get(3)?,
            detail: row.get(4)?,
            lane: row.get(5)?,
        })
    };
    let found = t.prepare_cached(sql)?.query_row([], read).optional()?;
    if let Some(claimed) = &found {
        let sql = "UPDATE job SET state = 'running', attempts = attempts + 1, claim = ?2, started = ?3, progress = 0, \
                   turn = (SELECT max(turn) FROM job) + 1 WHERE id = ?1";
        t.prepare_cached(sql)?.execute(params![claimed.id, server, now()])?;
    }
    Ok(found)
}

/// Ends a job that this server runs; false when it does so no more, because the job was cancelled: then nothing it did counts.
///
/// # Errors
/// When the database cannot be written.
pub fn end(
    t: &Transaction<'_>,
    id: i64,
    server: &str,
    state: &str,
    code: Option<&str>,
    message: Option<&str>,
) -> Result<bool, rusqlite::Error> {
    let sql = "UPDATE job SET state = ?3, code = ?4, message = ?5, ended = ?6, progress = 100 WHERE id = ?1 AND claim = ?2 AND state = 'running'";
    Ok(t.execute(sql, params![id, server, state, code, message, now()])? == 1)
}

/// Puts a job back whose worker died, or fails it when that happened too often.
///
/// # Errors
/// When the database cannot be written.
pub fn worker_died(t: &Transaction<'_>, id: i64, server: &str) -> Result<(), rusqlite::Error> {
    let sql = "UPDATE job SET state = 'queued', claim = NULL WHERE id = ?1 AND claim = ?2 AND state = 'running' AND attempts - orphaned < ?3";
    if t.execute(sql, params![id, server, MOST_ATTEMPTS])? == 0 {
        end(
            t,
            id,
            server,
            "failed",
            Some("worker_died"),
            Some("reading or checking it ended its process three times"),
        )?;
    }
    Ok(())
}

/// Puts a job back that cannot be done right now; the attempt does not count.
///
/// # Errors
/// When the database cannot be written.
pub fn postpone(t: &Transaction<'_>, id: i64, server: &str) -> Result<(), rusqlite::Error> {
    let sql = "UPDATE job SET state = 'queued', claim = NULL, attempts = attempts - 1 WHERE id = ?1 AND claim = ?2 AND state = 'running'";
    t.execute(sql, params![id, server]).map(drop)
}

/// Puts back what a server that died was doing.
///
/// # Errors
/// When the database cannot be written.
pub fn recover(t: &Transaction<'_>) -> Result<usize, rusqlite::Error> {
    let failed = "UPDATE job SET state = 'failed', code = 'server_died', message = 'the server died each time it was checked', ended = ?2 \
                  WHERE state = 'running' AND orphaned >= ?1";
    t.execute(failed, params![MOST_ORPHANED, now()])?;
    t.execute("UPDATE job SET state = 'queued', claim = NULL, orphaned = orphaned + 1 WHERE state = 'running'", [])
}

/// Cancels a job that has not ended; tells whether there was one.
///
/// # Errors
/// When the database cannot be written.
pub fn cancel(t: &Transaction<'_>, id: i64) -> Result<bool, rusqlite::Error> {
    let sql = "UPDATE job SET state = 'cancelled', ended = ?2 WHERE id = ?1 AND state IN ('queued', 'running')";
    Ok(t.execute(sql, params![id, now()])? == 1)
}

/// How a submission's work stands: that of the last of its jobs.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Status {
    /// The job's number.
    pub job: i64,
    /// `queued`, `running`, `done`, `failed` or `cancelled`.
    pub state: String,
    /// Per cent, while it runs.
    pub progress: i64,
    /// How many jobs go before it, while it is queued.
    pub before: i64,
    /// Why it failed, as a word.
    pub code: Option<String>,
    /// Why it failed, in a sentence.
    pub message: Option<String>,
}

impl Status {
    /// Whether nothing more will happen.
    pub fn is_over(&self) -> bool {
        matches!(self.state.as_str(), "done" | "failed" | "cancelled")
    }
}

/// How the work on a submission stands, besides deposits.
///
/// # Errors
/// When the database cannot be read.
pub fn status(connection: &Connection, submission: &str) -> Result<Option<Status>, rusqlite::Error> {
    let sql = "SELECT id, state, progress, code, message, lane FROM job WHERE submission = ?1 AND NOT (kind = 'enter' AND state = 'done') \
               ORDER BY id DESC LIMIT 1";
    let read = |row: &rusqlite::Row<'_>| {
        let (job, state): (i64, String) = (row.get(0)?, row.get(1)?);
        let status = Status { job, state, progress: row.get(2)?, before: 0, code: row.get(3)?, message: row.get(4)? };
        Ok((status, row.get::<_, i64>(5)?))
    };
    let Some((status, lane)) = connection.prepare_cached(sql)?.query_row([submission], read).optional()? else {
        return Ok(None);
    };
    let before = match status.state.as_str() {
        "queued" => {
            let sql = "SELECT count(*) FROM job WHERE state IN ('queued', 'running') AND (lane < ?1 OR lane = ?1 AND id < ?2)";
            connection.prepare_cached(sql)?.query_row([lane, status.job], |row| row.get(0))?
        }
        _ => 0,
    };
    Ok(Some(Status { before, ..status }))
}

/// How many jobs are in each state, for those who watch the server.
///
/// # Errors
/// When the database cannot be read.
pub fn counts(connection: &Connection) -> Result<Vec<(String, i64)>, rusqlite::Error> {
    let mut statement = connection.prepare_cached("SELECT state, count(*) FROM job GROUP BY state ORDER BY state")?;
    statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

#[cfg(test)]
mod tests;
