//! What a person decides about a report: that a source or a passage does not count, and why. Decisions are revoked and never
//! changed; the report stays as it is, and its ratios are computed anew beside it.

use crate::audit;
use crate::fault::{BAD_FIELD, CONFLICT, Fault, NOT_FOUND, refused};
use crate::lti::errands;
use crate::store::Transaction;
use crate::store::now;
use crate::store::rows::{self, read_by_name};
use copytrace::check::Report;
use rusqlite::{Connection, params};
use std::collections::BTreeSet;

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

impl Decision {
    /// The passages that it is about, by their place in the report.
    pub fn passages(&self, report: &Report) -> Vec<usize> {
        let is_of = |at: &usize| {
            report.sources[report.passages[*at].source].id == self.source
                && self.passage.is_none_or(|passage| passage == *at as i64)
        };
        (0..report.passages.len()).filter(is_of).collect()
    }
}

/// The passages that the decisions which stand leave out, by their place in the report.
pub fn left_out(report: &Report, decisions: &[Decision]) -> BTreeSet<usize> {
    decisions.iter().filter(|made| made.revoked.is_none()).flat_map(|made| made.passages(report)).collect()
}

#[allow(clippy::too_many_arguments)] // what a decision is
/// Leaves a passage out, or a source: that of this id, or the passage's as a whole. For a reason.
///
/// # Errors
/// When the report has no such source or passage, it is left out already, or the reason is missing.
pub fn exclude(
    t: &Transaction<'_>,
    submission: &str,
    source: Option<&str>,
    passage: Option<i64>,
    whole_source: bool,
    reason: &str,
    by: &str,
) -> Result<(), Fault> {
    let reason = reason.trim();
    if reason.is_empty() || reason.len() > 2000 {
        return refused(&BAD_FIELD, "reason");
    }
    let report = super::kept(t, submission)?.report()?;
    let of = match passage {
        None => report.sources.iter().position(|known| Some(known.id.as_str()) == source),
        Some(at) => usize::try_from(at).ok().and_then(|at| report.passages.get(at)).map(|passage| passage.source),
    };
    let Some(of) = of.filter(|of| source.is_none_or(|source| source == report.sources[*of].id)) else {
        return refused(&BAD_FIELD, "source");
    };
    let (source, passage) = (report.sources[of].id.as_str(), passage.filter(|_| !whole_source));
    // Nothing is left out twice, but a source of which a passage is left out may be, as a whole.
    let made = all(t, submission)?;
    let stands =
        |d: &Decision| d.revoked.is_none() && d.source == source && (d.passage.is_none() || d.passage == passage);
    if made.iter().any(stands) {
        return refused(&CONFLICT, "source");
    }
    let sql = "INSERT INTO decision(submission, source, passage, reason, person, made) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    t.execute(sql, params![submission, source, passage, reason, by, now()])?;
    let id = t.last_insert_rowid();
    audit::record(t, Some(by), audit::Action::Exclude, submission, &id.to_string())?;
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
    audit::record(t, Some(by), audit::Action::Revoke, submission, &decision.to_string())?;
    let report = super::kept(t, submission)?.report()?;
    recompute(t, submission, &report)
}

fn recompute(t: &Transaction<'_>, submission: &str, report: &Report) -> Result<(), Fault> {
    let left_out = left_out(report, &all(t, submission)?);
    let decided = report.ratios_without(|at| left_out.contains(&at)).all.ratio;
    t.execute("UPDATE report SET decided_ratio = ?2 WHERE submission = ?1", params![submission, decided])?;
    Ok(errands::score(t, submission)?)
}
