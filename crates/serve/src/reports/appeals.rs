//! What a student answers to a report: which passage should not count, and why. Staff see it in the report, and decide there.

use crate::audit;
use crate::fault::{BAD_FIELD, CONFLICT, Fault, refused};
use crate::mail::notices;
use crate::store::Transaction;
use crate::store::now;
use crate::store::rows::{self, read_by_name};
use rusqlite::{Connection, params};

/// An answer.
#[derive(Debug, Clone)]
pub struct Appeal {
    /// The passage, by its place in the report.
    pub passage: i64,
    /// Why it should not count.
    pub reason: String,
    /// When it came.
    pub made: i64,
}

read_by_name!(Appeal: passage reason made);

/// All answers to a report, by passage.
///
/// # Errors
/// When the database cannot be read.
pub fn all(connection: &Connection, submission: &str) -> Result<Vec<Appeal>, rusqlite::Error> {
    let sql = "SELECT passage, reason, made FROM appeal WHERE submission = ?1 ORDER BY passage";
    rows::all(connection, sql, [submission])
}

/// Takes an answer in, one for each passage.
///
/// # Errors
/// When the report has no such passage, it is answered already, or the reason is missing.
pub fn take(t: &Transaction<'_>, submission: &str, passage: i64, reason: &str, by: &str) -> Result<(), Fault> {
    let reason = reason.trim();
    if reason.is_empty() || reason.len() > 2000 {
        return refused(&BAD_FIELD, "reason");
    }
    let passages = super::kept(t, submission)?.report()?.passages.len();
    if !usize::try_from(passage).is_ok_and(|at| at < passages) {
        return refused(&BAD_FIELD, "passage");
    }
    let sql = "INSERT OR IGNORE INTO appeal VALUES (?1, ?2, ?3, ?4)";
    if t.execute(sql, params![submission, passage, reason, now()])? == 0 {
        return refused(&CONFLICT, "passage");
    }
    notices::objection(t, submission)?;
    audit::record(t, Some(by), audit::Action::Appeal, submission, &passage.to_string())
}
