//! What a job came to, written in one transaction with its end.

use super::order::scratch;
use super::protocol::{News, Outcome, ReportColumns};
use super::why::Why;
use super::worker::SUBMISSION;
use super::{Claimed, State, Task, add, end, fail, go_on, postpone, tell_earlier, worker_died};
use crate::fault::Fault;
use crate::lti::errands;
use crate::mail::notices;
use crate::store::Transaction;
use crate::store::{Store, rows};
use crate::webhooks::{Event, rows as webhooks};
use rusqlite::params;
use std::path::Path;

/// How reports are compressed: they are kept for long and read seldom.
const LEVEL: i32 = 6;

/// Writes what a worker told last of a job; nothing told means that it died. What a cancelled job came to is thrown away.
///
/// # Errors
/// When the database cannot be written; then the job is still claimed.
pub fn write(store: &Store, data: &Path, server: &str, claimed: &Claimed, last: Option<News>) -> Result<(), Fault> {
    match last {
        None => store.write(|t| {
            worker_died(t, claimed.id, server)?;
            tell_failure(t, claimed)
        })?,
        Some(News::Later) => store.write(|t| postpone(t, claimed.id, server))?,
        Some(News::Failed { code, why }) => {
            let why = without_path(why, claimed).stored();
            store.write(|t| {
                fail(t, claimed.id, server, &code, Some(&why))?;
                tell_failure(t, claimed)
            })?;
        }
        Some(News::Done(Outcome::Report(columns))) => {
            let path = data.join(scratch(claimed.id));
            let model = zstd::encode_all(&std::fs::read(&path)?[..], LEVEL)?;
            store.write(|t| {
                if quotes_erased(t, &columns)? {
                    postpone(t, claimed.id, server)?;
                } else if end(t, claimed.id, server, State::Done, None, None)? {
                    put_report(t, claimed, &columns, &model)?;
                }
                Ok::<_, Fault>(())
            })?;
            std::fs::remove_file(path)?;
        }
        Some(News::Done(Outcome::Changed(changed))) if changed.more => store.write(|t| go_on(t, claimed.id, server))?,
        Some(News::Done(Outcome::Changed(changed))) => {
            let message = serde_json::to_string(&changed)?;
            store.write(|t| {
                if end(t, claimed.id, server, State::Done, None, Some(&message))? {
                    follow(t, claimed)?;
                }
                Ok::<_, Fault>(())
            })?;
        }
        Some(News::Ready | News::Progress(_)) => {}
    }
    Ok(())
}

/// Tells webhooks of a check that has failed now.
fn tell_failure(t: &Transaction<'_>, claimed: &Claimed) -> Result<(), Fault> {
    let has_failed = rows::exists(t, "SELECT 1 FROM job WHERE id = ?1 AND state = 'failed'", [claimed.id])?;
    match claimed.submission.as_deref().filter(|_| has_failed) {
        Some(submission) => webhooks::tell(t, Event::Failed, submission),
        None => Ok(()),
    }
}

/// Reasons name files; those of the service mean nothing to people.
fn without_path(why: Why, claimed: &Claimed) -> Why {
    let submission = claimed.submission.as_deref().unwrap_or("-");
    match &why {
        Why::Failed { said } => match said.split_once(": ") {
            Some((path, reason)) if path.contains(submission) => Why::failed(reason),
            _ => why,
        },
        _ => why,
    }
}

/// Whether a source was erased while it was compared: then the check is done again without it.
fn quotes_erased(t: &Transaction<'_>, columns: &ReportColumns) -> Result<bool, rusqlite::Error> {
    let mut erased = t.prepare_cached("SELECT 1 FROM submission WHERE id = ?1 AND state = 'erased'")?;
    for (source, _, _) in &columns.meetings {
        if erased.exists([source.strip_prefix(SUBMISSION).unwrap_or_default()])? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn put_report(t: &Transaction<'_>, claimed: &Claimed, columns: &ReportColumns, model: &[u8]) -> Result<(), Fault> {
    let origins = serde_json::to_string(&columns.origins)?;
    let submission = claimed.submission.as_deref().unwrap_or_default();
    t.execute("DELETE FROM meeting WHERE submission = ?1", [submission])?;
    put_meetings(t, submission, columns)?;
    if matches!(claimed.task()?, Task::Check { beside: true, .. }) {
        t.execute("UPDATE report SET ratio_since = ?2 WHERE submission = ?1", params![submission, columns.copy_ratio])?;
        return Ok(());
    }
    t.execute(
        "INSERT INTO report(submission, job, number, copy_ratio, decided_ratio, passages, flags, characters, model, origins, compared_share) \
         VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT(submission) DO UPDATE SET job = ?2, number = ?3, copy_ratio = ?4, \
         decided_ratio = ?4, passages = ?5, flags = ?6, characters = ?7, model = ?8, origins = ?9, compared_share = ?10, ratio_since = NULL",
        params![
            submission, claimed.id, columns.number, columns.copy_ratio, columns.passages as i64, columns.flags as i64,
            columns.characters as i64, model, origins, columns.compared_share
        ],
    )?;
    notices::report(t, submission)?;
    webhooks::tell(t, Event::Ready, submission)?;
    errands::score(t, submission)?;
    tell_earlier(t, submission)
}

/// Which submissions a report names, and how much it shares with each.
fn put_meetings(t: &Transaction<'_>, submission: &str, columns: &ReportColumns) -> Result<(), rusqlite::Error> {
    for (source, characters, ratio) in &columns.meetings {
        t.execute(
            "INSERT OR REPLACE INTO meeting VALUES (?1, ?2, ?3, ?4)",
            params![submission, source, *characters as i64, ratio],
        )?;
    }
    Ok(())
}

/// Queues the check of a final that is in its round's index now: so of two that are checked side by side at least one sees
/// the other.
fn follow(t: &Transaction<'_>, claimed: &Claimed) -> Result<(), Fault> {
    if let Task::Enter { submission, then_check: true, .. } = claimed.task()? {
        let round: String = rows::one(t, "SELECT round FROM submission WHERE id = ?1", [&submission])?;
        add(t, &Task::Check { submission, beside: false }, claimed.lane, &round)?;
    }
    Ok(())
}
