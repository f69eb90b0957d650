//! Erasing a person: files, reports, index entries, and every word of the person in others' reports and in the database's log.
//!
//! Rows that others' rows and the audit log name by an id stay, without anything that tells who it was. The service's own
//! backups are the institution's to rotate.

use crate::app::App;
use crate::fault::Fault;
use crate::people::waiting;
use crate::queue::order::document_id;
use crate::queue::worker::SUBMISSION;
use crate::queue::{self, Task};
use crate::reports::{self, redact};
use crate::store::Transaction;
use crate::store::{Store, rows};
use crate::{audit, folder, log};
use copytrace::index::Index;
use rusqlite::{Connection, params};
use std::path::Path;

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

/// Does what is left to be done of an erasure: kills workers, removes files, empties the database's log.
pub fn finish(app: &App, erased: &Erased) {
    erased.jobs.iter().for_each(|&job| app.pool.kill(job));
    app.remove_files(&erased.files);
    if let Err(error) = folder::forget_earlier(&app.data) {
        log::failed("erase", &error.to_string());
    }
    app.pool.wake();
    if let Err(error) = app.store.empty_log() {
        log::failed("erase", &format!("the database's log could not be emptied: {error}"));
    }
}

/// Erases a person with all submissions.
///
/// # Errors
/// When the database cannot be written.
pub fn person(t: &Transaction<'_>, person: &str, by: Option<&str>) -> Result<Erased, Fault> {
    let mut erased = Erased::default();
    let sql = "SELECT id FROM submission WHERE student = ?1 AND state = 'kept'";
    for id in rows::all::<String>(t, sql, [person])? {
        erased.and(submission(t, &id, by)?);
    }
    // Files of archives that wait.
    erased.files.extend(rows::all::<String>(t, "DELETE FROM batch_file WHERE student = ?1 RETURNING file", [person])?);
    for table in [
        "session",
        "token",
        "invitation",
        "role",
        "reply",
        "identity",
        "claimed_role",
        "letter",
        "notice",
        "reviewer",
        "agreement",
        "platform_member",
        "errand",
    ] {
        t.execute(&format!("DELETE FROM {table} WHERE person = ?1"), [person])?;
    }
    t.execute("DELETE FROM wording_request WHERE person = ?1", [person])?;
    t.execute("DELETE FROM reviewer WHERE student = ?1", [person])?;
    waiting::forget_all(t)?;
    t.execute("UPDATE person SET number = NULL, name = NULL, mail = NULL, password = NULL, totp = NULL, language = NULL, state = 'erased' WHERE id = ?1", [person])?;
    audit::record(t, by, audit::Action::ErasePerson, person, "")?;
    Ok(erased)
}

/// Erases a submission.
///
/// # Errors
/// When the database cannot be written.
pub fn submission(t: &Transaction<'_>, id: &str, by: Option<&str>) -> Result<Erased, Fault> {
    let mut erased = Erased::default();
    erased.files.push(rows::one(t, "SELECT file FROM submission WHERE id = ?1", [id])?);
    for job in rows::all::<i64>(t, "SELECT id FROM job WHERE submission = ?1", [id])? {
        if queue::cancel(t, job)? {
            erased.jobs.push(job);
        }
        erased.files.push(queue::order::scratch(job).display().to_string());
    }
    let document = document_id(id);
    // Out of the indexes into which it was put, or is being put.
    let entered = "SELECT DISTINCT folder FROM job WHERE submission = ?1 AND kind = 'enter' ORDER BY folder";
    for folder in rows::all(t, entered, [id])? {
        queue::add(t, &Task::Remove { folder, ids: vec![document.clone()] }, 0, "erase")?;
    }
    // Others' reports quote it.
    let quoting: Vec<String> = rows::all(t, "SELECT submission FROM meeting WHERE source = ?1", [&document])?;
    for other in quoting {
        let Ok(kept) = reports::kept(t, &other) else { continue };
        if let Some(report) = redact::without_sources(kept.report()?, std::slice::from_ref(&document)) {
            let model = zstd::encode_all(report.to_json()?.as_bytes(), 6)?;
            t.execute("UPDATE report SET model = ?2 WHERE submission = ?1", params![other, model])?;
        }
    }
    for table in [
        "decision",
        "report",
        "meeting",
        "verdict",
        "verdict_before",
        "appeal",
        "deposit",
        "viewer",
        "notice",
        "reviewer_verdict",
        "wording_request",
    ] {
        t.execute(&format!("DELETE FROM {table} WHERE submission = ?1"), [id])?;
    }
    t.execute("UPDATE job SET message = NULL WHERE submission = ?1", [id])?;
    t.execute(
        "UPDATE submission SET file = '', file_name = NULL, sha256 = NULL, state = 'erased' WHERE id = ?1",
        [id],
    )?;
    audit::record(t, by, audit::Action::EraseSubmission, id, "")?;
    Ok(erased)
}

/// Queues the removal of what indexes hold and the records do not: an erasure that a server before did not finish, an index that
/// was put back, or that is newer than the records of a backup.
///
/// # Errors
/// When an index or the database cannot be read.
pub fn reconcile(data: &Path, store: &Store) -> Result<(), Fault> {
    for folder in store.read(|c| rows::all::<String>(c, folder::INDEXES, []))? {
        let mut ids = Vec::new();
        Index::list(&data.join(&folder), |record| {
            ids.extend(record.id.starts_with(SUBMISSION).then_some(record.id));
            Ok(())
        })?;
        store.write(|t| {
            let mut kept = t.prepare("SELECT 1 FROM submission WHERE ?2 || id = ?1 AND state = 'kept'")?;
            let mut unknown = Vec::new();
            for id in ids {
                if !kept.exists([id.as_str(), SUBMISSION])? {
                    unknown.push(id);
                }
            }
            match unknown.is_empty() {
                true => Ok(()),
                false => queue::add(t, &Task::Remove { folder, ids: unknown }, 0, "erase").map(drop),
            }
        })?;
    }
    Ok(())
}

/// Erases again what was erased after a backup: what the audit log of a data folder, or a copy of that log, says was erased. Gives
/// how many people and submissions.
///
/// # Errors
/// When the log or the data folder cannot be read or written.
pub fn again(data: &Path, store: &Store, log: &Path) -> Result<usize, Fault> {
    let mut count = 0;
    for (action, object) in audit::actions(log)? {
        let kept = |sql: &str| store.read(|c| rows::exists(c, sql, [&object]));
        let erased = match audit::Action::of(&action) {
            Some(audit::Action::EraseSubmission)
                if kept("SELECT 1 FROM submission WHERE id = ?1 AND state = 'kept'")? =>
            {
                store.write(|t| submission(t, &object, None))?
            }
            Some(audit::Action::ErasePerson) if kept("SELECT 1 FROM person WHERE id = ?1 AND state != 'erased'")? => {
                store.write(|t| person(t, &object, None))?
            }
            _ => continue,
        };
        count += 1;
        for file in erased.files.iter().filter(|file| !file.is_empty()) {
            folder::remove(&data.join(file))?;
        }
    }
    store.empty_log()?;
    Ok(count)
}

/// The submissions whose rounds keep them no longer at this time.
///
/// # Errors
/// When the database cannot be read.
pub fn overdue(connection: &Connection, now: i64) -> Result<Vec<String>, rusqlite::Error> {
    let sql = "SELECT submission.id FROM submission JOIN round ON round.id = submission.round WHERE state = 'kept' AND keep_days IS NOT NULL \
               AND closes + keep_days * 86400 < ?1 AND NOT EXISTS (SELECT 1 FROM deposit WHERE submission = submission.id) LIMIT 500";
    rows::all(connection, sql, [now])
}
