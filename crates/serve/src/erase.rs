//! Erasing a person: files, reports, index entries, and every word of his in others' reports and in the database's log.
//!
//! Rows that others' rows and the audit log name by an id stay, without anything that tells who it was. The service's own
//! backups are the institution's to rotate.

use crate::audit;
use crate::fault::Fault;
use crate::queue::order::{Detail, document_id};
use crate::queue::{self, Kind, NewJob};
use crate::reports::{self, redact};
use copytrace::report::json;
use rusqlite::{Transaction, params};
use std::collections::BTreeMap;

/// What is to be done once the transaction is on the disk.
#[derive(Debug, Default)]
pub struct Erased {
    /// Files to be removed, below the data folder.
    pub files: Vec<String>,
    /// Jobs that were cancelled, whose workers are to be killed.
    pub jobs: Vec<i64>,
}

impl Erased {
    /// Adds what else is to be done.
    fn and(&mut self, other: Erased) {
        self.files.extend(other.files);
        self.jobs.extend(other.jobs);
    }
}

/// Erases a person with all submissions.
///
/// # Errors
/// When the database cannot be written.
pub fn person(t: &Transaction<'_>, person: &str, by: Option<&str>) -> Result<Erased, Fault> {
    let sql = "SELECT id FROM submission WHERE student = ?1 AND state = 'kept'";
    let ids =
        t.prepare_cached(sql)?.query_map([person], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
    let mut erased = Erased::default();
    for id in ids {
        erased.and(submission(t, &id, by)?);
    }
    // Files of archives that wait.
    let sql = "DELETE FROM batch_file WHERE student = ?1 RETURNING file";
    erased.files.extend(
        t.prepare_cached(sql)?.query_map([person], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?,
    );
    for table in ["session", "token", "invitation", "role"] {
        t.execute(&format!("DELETE FROM {table} WHERE person = ?1"), [person])?;
    }
    t.execute("DELETE FROM reply WHERE person = ?1", [person])?;
    t.execute("UPDATE person SET number = NULL, name = NULL, password = NULL, language = NULL, state = 'erased' WHERE id = ?1", [person])?;
    audit::record(t, by, "erase_person", person, "")?;
    Ok(erased)
}

/// Erases a submission.
///
/// # Errors
/// When the database cannot be written.
pub fn submission(t: &Transaction<'_>, id: &str, by: Option<&str>) -> Result<Erased, Fault> {
    let mut erased = Erased::default();
    let file: String = t.query_row("SELECT file FROM submission WHERE id = ?1", [id], |row| row.get(0))?;
    erased.files.push(file);
    let jobs = t
        .prepare_cached("SELECT id FROM job WHERE submission = ?1")?
        .query_map([id], |row| row.get::<_, i64>(0))?
        .collect::<Result<Vec<_>, _>>()?;
    for job in jobs {
        if queue::cancel(t, job)? {
            erased.jobs.push(job);
        }
        erased.files.push(queue::order::scratch(job).display().to_string());
    }
    // Which indexes it was put into, or is being put into.
    let mut folders: BTreeMap<String, ()> = BTreeMap::new();
    let entered = "SELECT DISTINCT folder FROM job WHERE submission = ?1 AND kind = 'enter' AND folder IS NOT NULL";
    for folder in t.prepare_cached(entered)?.query_map([id], |row| row.get::<_, String>(0))? {
        folders.insert(folder?, ());
    }
    let document = document_id(id);
    for folder in folders.keys() {
        let detail = serde_json::to_string(&Detail { ids: vec![document.clone()], ..Detail::default() })?;
        queue::add(
            t,
            &NewJob { kind: Kind::Remove, submission: None, folder: Some(folder), detail, lane: 0, fair: "erase" },
        )?;
    }
    // Others' reports quote it.
    let quoting = "SELECT submission FROM meeting WHERE source = ?1";
    let quoting = t
        .prepare_cached(quoting)?
        .query_map([&document], |row| row.get::<_, String>(0))?
        .collect::<Result<Vec<_>, _>>()?;
    for other in quoting {
        let Ok(kept) = reports::kept(t, &other) else { continue };
        if let Some(report) = redact::without_sources(kept.report()?, std::slice::from_ref(&document)) {
            let model = zstd::encode_all(json::render(&report)?.as_bytes(), 6)?;
            t.execute("UPDATE report SET model = ?2 WHERE submission = ?1", params![other, model])?;
        }
    }
    for table in ["decision", "report", "meeting", "verdict", "deposit", "viewer"] {
        t.execute(&format!("DELETE FROM {table} WHERE submission = ?1"), [id])?;
    }
    t.execute("UPDATE job SET message = NULL WHERE submission = ?1", [id])?;
    t.execute(
        "UPDATE submission SET file = '', file_name = NULL, sha256 = NULL, state = 'erased' WHERE id = ?1",
        [id],
    )?;
    audit::record(t, by, "erase_submission", id, "")?;
    Ok(erased)
}

/// The submissions whose rounds keep them no longer at this time.
///
/// # Errors
/// When the database cannot be read.
pub fn overdue(connection: &rusqlite::Connection, now: i64) -> Result<Vec<String>, rusqlite::Error> {
    let sql = "SELECT submission.id FROM submission JOIN round ON round.id = submission.round WHERE state = 'kept' AND keep_days IS NOT NULL \
               AND closes + keep_days * 86400 < ?1 AND NOT EXISTS (SELECT 1 FROM deposit WHERE submission = submission.id) LIMIT 500";
    connection.prepare(sql)?.query_map([now], |row| row.get(0))?.collect()
}
