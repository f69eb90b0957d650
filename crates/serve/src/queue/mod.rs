//! The queue of work: rows of the database, claimed by the workers of one server at a time.
//!
//! An attempt is counted when a job is claimed, so a job that kills its worker is found however suddenly the worker dies. The
//! result and the state `done` come in one transaction. A claim lasts as long as the lock on the data folder, which the
//! system takes from a server that dies; so there are no times to run out, and a clock that jumps changes nothing.

mod complete;
pub mod order;
pub mod pool;
pub mod protocol;
pub mod why;
pub mod worker;

use crate::fault::Fault;
use crate::log;
use crate::store::Transaction;
use crate::store::now;
use crate::store::rows::{self, FromRow, read_by_name};
use crate::store::word::worded;
use copytrace::check::Unread;
use copytrace_messages::Tell;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use why::Why;

/// A job fails after this number of attempts in which its worker died.
pub const MOST_ATTEMPTS: i64 = 3;
/// Attempts that ended because the server died are no sign against a job, unless there are very many.
const MOST_ORPHANED: i64 = 30;
/// Seconds for which a job waits that cannot be done now: twice as long each time, from one second to this.
const LONGEST_PAUSE: i64 = 300;
/// From how many waits on a job is told of: what passes by itself has passed by then.
const MANY_PAUSES: i64 = 3;

/// What a job does. Its row has this as JSON, and in columns what jobs are looked up by.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Task {
    /// Checks a submission.
    Check {
        /// Its id.
        submission: String,
        /// Whether it has a report, which stays: a final that came later shares text with it, and what its ratio is now is shown beside.
        #[serde(default)]
        beside: bool,
    },
    /// Puts a submission into an index: of its round, or of the collection where it is deposited.
    Enter {
        /// Its id.
        submission: String,
        /// The index.
        folder: String,
        /// Ids of documents that it takes the place of.
        replaces: Vec<String>,
        /// Whether its check is to follow.
        then_check: bool,
    },
    /// Takes documents out of an index, down to the last byte. It never fails: what cannot be done now is done later.
    Remove {
        /// The index.
        folder: String,
        /// Their ids.
        ids: Vec<String>,
    },
    /// Fills a collection.
    Fill {
        /// Its index.
        folder: String,
        /// Where the documents are.
        from: PathBuf,
        /// Documents that could not even be unpacked.
        #[serde(default)]
        unread: Vec<Unread>,
    },
    /// Harvests a source into a collection.
    Harvest {
        /// Its index.
        folder: String,
        /// The source.
        harvest: Harvested,
    },
}

/// A source that is harvested.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Harvested {
    /// Its number.
    pub id: i64,
    /// The source, as on a command line.
    pub source: String,
    /// Whom the keeper of the server may write to.
    pub contact: String,
    /// The licence of documents that name none.
    pub licence: String,
    /// The collection of documents that name none.
    pub collection: String,
    /// Whether addresses inside the network may be asked.
    pub inside: bool,
}

worded! {
    /// How a job stands.
    State:
    /// It waits.
    Queued "queued";
    /// A worker does it.
    Running "running";
    /// It is done.
    Done "done";
    /// It cannot be done.
    Failed "failed";
    /// A person called it off.
    Cancelled "cancelled";
}

impl State {
    /// Whether nothing more will happen.
    pub fn is_over(self) -> bool {
        matches!(self, State::Done | State::Failed | State::Cancelled)
    }
}

/// Queues checks of finals that another final of the round shares text with, and whose reports do not know of it, where this submission is
/// one of the two: it came later. Their reports stay, and say what the ratio is now. Of a batch each knows of all others already.
///
/// # Errors
/// When the database cannot be written.
pub fn tell_earlier(t: &Transaction<'_>, submission: &str) -> Result<(), Fault> {
    let sql = "WITH pair(later, earlier) AS (SELECT submission, substr(source, length(?2) + 1) FROM meeting WHERE submission = ?1 \
               AND characters > 0 UNION SELECT submission, ?1 FROM meeting WHERE source = ?2 || ?1 AND characters > 0) \
               SELECT DISTINCT earlier.id, earlier.round FROM pair JOIN submission later ON later.id = pair.later \
               JOIN submission earlier ON earlier.id = pair.earlier JOIN report ON report.submission = earlier.id \
               WHERE later.round = earlier.round AND later.kind = 'final' AND earlier.kind = 'final' AND later.state = 'kept' \
               AND earlier.state = 'kept' AND earlier.file != '' AND NOT EXISTS \
               (SELECT 1 FROM meeting known WHERE known.submission = earlier.id AND known.source = ?2 || later.id) AND NOT EXISTS \
               (SELECT 1 FROM job WHERE job.submission = earlier.id AND job.state = 'queued') ORDER BY earlier.id";
    for (submission, round) in rows::all::<(String, String)>(t, sql, [submission, worker::SUBMISSION])? {
        add(t, &Task::Check { submission, beside: true }, 1, &round)?;
    }
    Ok(())
}

/// Queues work, and gives its number. Lane 0 goes before lane 1, and that before 2: somebody waits for a single check, nobody for one
/// of a batch or a harvest, of which only one runs at a time.
/// `fair` says whose turn it is within a lane: rounds take turns.
///
/// # Errors
/// When the database cannot be written.
pub fn add(t: &Transaction<'_>, task: &Task, lane: i64, fair: &str) -> Result<i64, Fault> {
    // Jobs that change the same index run one at a time.
    let (kind, submission, folder) = match task {
        Task::Check { submission, .. } => ("check", Some(submission), None),
        Task::Enter { submission, folder, .. } => ("enter", Some(submission), Some(folder)),
        Task::Remove { folder, .. } => ("remove", None, Some(folder)),
        Task::Fill { folder, .. } | Task::Harvest { folder, .. } => ("fill", None, Some(folder)),
    };
    let detail = serde_json::to_string(task)?;
    let sql = "INSERT INTO job(kind, submission, folder, detail, lane, fair, state, made) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'queued', ?7)";
    Ok(t.prepare_cached(sql)?.insert(params![kind, submission, folder, detail, lane, fair, now()])?)
}

/// A job that a worker has taken.
#[derive(Debug, Clone)]
pub struct Claimed {
    /// Its number.
    pub id: i64,
    /// The submission it is about.
    pub submission: Option<String>,
    /// The lane.
    pub lane: i64,
    detail: String,
}

read_by_name!(Claimed: id submission lane detail);

impl Claimed {
    /// What it does.
    ///
    /// # Errors
    /// When another version of the program queued it in a form that this one cannot read.
    pub fn task(&self) -> Result<Task, Fault> {
        Ok(serde_json::from_str(&self.detail)?)
    }
}

/// Takes the next job for the server of this name: of the lower lane first, those that killed no worker before those that
/// did, and the one whose round had its last turn longest ago. A final is checked when all that wait to be put into its round's index
/// are there, so that of two of one batch neither is the first; those that cannot be put there now keep nobody waiting.
///
/// # Errors
/// When the database cannot be written.
pub fn claim(t: &Transaction<'_>, server: &str) -> Result<Option<Claimed>, rusqlite::Error> {
    // A time further ahead than any pause is one of a clock that has been put right since.
    let sql = "SELECT id, submission, lane, detail FROM job WHERE state = 'queued' AND (folder IS NULL OR folder NOT IN \
               (SELECT folder FROM job WHERE state = 'running' AND folder IS NOT NULL)) AND not_before NOT BETWEEN ?1 + 1 AND ?1 + ?2 \
               AND NOT (fair = 'harvest' AND EXISTS (SELECT 1 FROM job WHERE fair = 'harvest' AND state = 'running')) \
               AND NOT (kind = 'check' AND EXISTS (SELECT 1 FROM job AS entering WHERE entering.fair = job.fair AND entering.kind = 'enter' \
               AND entering.state IN ('queued', 'running') AND entering.postponed = 0) \
               AND EXISTS (SELECT 1 FROM submission WHERE submission.id = job.submission AND submission.kind = 'final')) \
               ORDER BY lane, attempts, (SELECT max(turn) FROM job AS other WHERE other.fair = job.fair), id LIMIT 1";
    let found: Option<Claimed> = rows::first(t, sql, [now(), LONGEST_PAUSE])?;
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
    state: State,
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
        fail(t, id, server, "worker_died", Some(&Why::WorkerDied.stored()))?;
    }
    Ok(())
}

/// The condition that a job makes a report, and shows no ratio beside one.
const MAKES_REPORT: &str = "NOT coalesce(json_extract(detail, '$.beside'), 0)";

/// Jobs that tell nothing of how a submission's check stands, in SQL: it was put into an index, or is being deposited.
pub const BESIDE_CHECK: &str = "(kind = 'enter' AND (state = 'done' OR state IN ('queued', 'running') \
                                AND NOT coalesce(json_extract(detail, '$.then_check'), 0)))";

/// Fails a job; but what is to be erased is erased in the end, so a removal is put off instead, and a report stays as it was if what is
/// shown beside it cannot be found out.
///
/// # Errors
/// When the database cannot be written.
pub fn fail(
    t: &Transaction<'_>,
    id: i64,
    server: &str,
    code: &str,
    message: Option<&str>,
) -> Result<(), rusqlite::Error> {
    if rows::exists(t, "SELECT 1 FROM job WHERE id = ?1 AND kind = 'remove'", [id])? {
        log::failed("remove", message.unwrap_or(code));
        return postpone(t, id, server);
    }
    let makes_report = rows::exists(t, &format!("SELECT 1 FROM job WHERE id = ?1 AND {MAKES_REPORT}"), [id])?;
    let state = if makes_report { State::Failed } else { State::Done };
    end(t, id, server, state, Some(code), message).map(drop)
}

/// Puts a job back that cannot be done right now, for longer each time; the attempt does not count.
///
/// # Errors
/// When the database cannot be written.
pub fn postpone(t: &Transaction<'_>, id: i64, server: &str) -> Result<(), rusqlite::Error> {
    let sql = "UPDATE job SET state = 'queued', claim = NULL, attempts = attempts - 1, postponed = postponed + 1, \
               not_before = ?3 + min(1 << min(postponed, 20), ?4) WHERE id = ?1 AND claim = ?2 AND state = 'running'";
    t.execute(sql, params![id, server, now(), LONGEST_PAUSE]).map(drop)
}

/// Puts a job back of which this was one turn: it goes on when those before it in the queue have had theirs.
///
/// # Errors
/// When the database cannot be written.
pub fn go_on(t: &Transaction<'_>, id: i64, server: &str) -> Result<(), rusqlite::Error> {
    let sql = "UPDATE job SET state = 'queued', claim = NULL, attempts = 0 WHERE id = ?1 AND claim = ?2 AND state = 'running'";
    t.execute(sql, params![id, server]).map(drop)
}

/// Ids of documents that are to be taken out of indexes and still may stand in them: nothing is compared with them.
///
/// # Errors
/// When the database cannot be read.
pub fn being_removed(connection: &Connection) -> Result<Vec<String>, rusqlite::Error> {
    let sql = "SELECT DISTINCT value FROM job, json_each(detail, '$.ids') WHERE kind = 'remove' AND state IN ('queued', 'running') ORDER BY 1";
    rows::all(connection, sql, [])
}

/// How many removals, and how many other jobs, could not be done again and again and wait.
///
/// # Errors
/// When the database cannot be read.
pub fn put_off(connection: &Connection) -> Result<(i64, i64), rusqlite::Error> {
    let sql = "SELECT count(*) FILTER (WHERE kind = 'remove'), count(*) FILTER (WHERE kind != 'remove') FROM job \
               WHERE state IN ('queued', 'running') AND postponed >= ?1";
    rows::one(connection, sql, [MANY_PAUSES])
}

/// Puts back what a server that died was doing.
///
/// # Errors
/// When the database cannot be written.
pub fn recover(t: &Transaction<'_>) -> Result<usize, rusqlite::Error> {
    let failed = "UPDATE job SET state = 'failed', code = 'server_died', message = ?3, ended = ?2 \
                  WHERE state = 'running' AND orphaned >= ?1 AND kind != 'remove'";
    t.execute(failed, params![MOST_ORPHANED, now(), Why::ServerDied.stored()])?;
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
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct Status {
    /// The job's number.
    pub job: i64,
    /// How it stands.
    pub state: State,
    /// Per cent, while it runs.
    pub progress: i64,
    /// How many jobs go before it, while it is queued.
    pub before: i64,
    /// Why it failed, as a word.
    pub code: Option<String>,
    /// Why it failed, in an English sentence.
    #[serde(serialize_with = "why::as_sentence")]
    #[schema(value_type = Option<String>)]
    pub message: Option<Why>,
    /// Why it failed, as the code of that sentence.
    pub message_code: Option<String>,
}

impl FromRow for Status {
    fn from_row(row: &rusqlite::Row<'_>) -> Result<Self, rusqlite::Error> {
        let message: Option<Why> = row.get("message")?;
        Ok(Status {
            job: row.get("job")?,
            state: row.get("state")?,
            progress: row.get("progress")?,
            before: row.get("before")?,
            code: row.get("code")?,
            message_code: message.as_ref().and_then(Tell::code),
            message,
        })
    }
}

/// How the work on a submission stands, besides deposits and what is shown beside its report.
///
/// # Errors
/// When the database cannot be read.
pub fn status(connection: &Connection, submission: &str) -> Result<Option<Status>, rusqlite::Error> {
    let sql = format!(
        "SELECT id AS job, state, progress, code, message, iif(state = 'queued', (SELECT count(*) FROM job other \
         WHERE other.state IN ('queued', 'running') AND (other.lane < job.lane OR other.lane = job.lane AND other.id < job.id)), 0) \
         AS \"before\" FROM job WHERE submission = ?1 AND NOT {BESIDE_CHECK} AND {MAKES_REPORT} ORDER BY id DESC LIMIT 1"
    );
    rows::first(connection, &sql, [submission])
}

/// How many jobs are in each state, for those who watch the server.
///
/// # Errors
/// When the database cannot be read.
pub fn counts(connection: &Connection) -> Result<Vec<(State, i64)>, rusqlite::Error> {
    rows::all(connection, "SELECT state, count(*) FROM job GROUP BY state", [])
}

#[cfg(test)]
mod tests;
