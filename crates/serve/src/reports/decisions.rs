//! What a person decides about a report: that a source or a passage does not count, and why. Decisions are revoked and never
//! changed; the report stays as it is, and its ratios are computed anew beside it.

use crate::audit;
use crate::fault::{BAD_FIELD, Fault, NOT_FOUND, refused};
use crate::store::Transaction;
use crate::store::now;
use crate::store::rows::{self, read_by_name};
use copytrace::check::{Ratios, Report};
use rusqlite::{Connection, params};

/// A decision.
#[derive(Debug, Clone)]
pub struct Decision {
    /// Its number.
    pub id: i64,
    /// The source's id.
    pub source: String,
    /// The passage, by its place in the report; the whole source if none.
    pub passage: Option<i64>,
    /// Why.
    pub reason: String,
    /// The name of the person who decided.
    pub name: String,
    /// When.
    pub made: i64,
    /// When it was revoked.
    pub revoked: Option<i64>,
}

read_by_name!(Decision: id source passage reason name made revoked);

/// All decisions on a submission's report, the first first.
///
/// # Errors
/// When the database cannot be read.
pub fn all(connection: &Connection, submission: &str) -> Result<Vec<Decision>, rusqlite::Error> {
    let sql = "SELECT d.id, source, passage, reason, coalesce(name, number, '–') AS name, d.made, revoked \
               FROM decision d JOIN person ON person.id = d.person WHERE submission = ?1 ORDER BY d.id";
    rows::all(connection, sql, [submission])
}

/// The ratios of a report without what the decisions that stand leave out.
pub fn ratios(report: &Report, decisions: &[Decision]) -> Ratios {
    let standing: Vec<&Decision> = decisions.iter().filter(|decision| decision.revoked.is_none()).collect();
    report.ratios_without(|at| {
        let source = &report.sources[report.passages[at].source].id;
        standing
            .iter()
            .any(|decision| decision.source == *source && decision.passage.is_none_or(|passage| passage == at as i64))
    })
}

/// Leaves a source or a passage out, for a reason.
///
/// # Errors
/// When the report has no such source or passage, or the reason is missing.
pub fn exclude(
    t: &Transaction<'_>,
    submission: &str,
    source: &str,
    passage: Option<i64>,
    reason: &str,
    by: &str,
) -> Result<(), Fault> {
    let reason = reason.trim();
    if reason.is_empty() || reason.len() > 2000 {
        return refused(&BAD_FIELD, "reason");
    }
    let report = super::kept(t, submission)?.report()?;
    let known = match passage {
        None => report.sources.iter().any(|known| known.id == source),
        Some(at) => usize::try_from(at)
            .ok()
            .and_then(|at| report.passages.get(at))
            .is_some_and(|passage| report.sources[passage.source].id == source),
    };
    if !known {
        return refused(&BAD_FIELD, "source");
    }
    let sql = "INSERT INTO decision(submission, source, passage, reason, person, made) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    t.execute(sql, params![submission, source, passage, reason, by, now()])?;
    let id = t.last_insert_rowid();
    audit::record(t, Some(by), "exclude", submission, &id.to_string())?;
    recompute(t, submission, &report)
}

/// Revokes a decision.
///
/// # Errors
/// When there is none that stands.
pub fn revoke(t: &Transaction<'_>, submission: &str, decision: i64, by: &str) -> Result<(), Fault> {
    let sql = "UPDATE decision SET revoked = ?3, revoked_by = ?4 WHERE id = ?1 AND submission = ?2 AND revoked IS NULL";
    if t.execute(sql, params![decision, submission, now(), by])? == 0 {
        return Err((&NOT_FOUND).into());
    }
    audit::record(t, Some(by), "revoke", submission, &decision.to_string())?;
    let report = super::kept(t, submission)?.report()?;
    recompute(t, submission, &report)
}

fn recompute(t: &Transaction<'_>, submission: &str, report: &Report) -> Result<(), Fault> {
    let decided = ratios(report, &all(t, submission)?).all.ratio;
    t.execute("UPDATE report SET decided_ratio = ?2 WHERE submission = ?1", params![submission, decided])?;
    Ok(())
}
