//! Submissions: how they come in, who may see them, and what becomes of them.

use crate::fault::{
    Fault, NOT_ENROLLED, NOT_FINAL, NOT_FOUND, QUOTA_USED, ROUND_CLOSED, STILL_RUNNING, TOO_SOON, WRONG_KIND, refused,
};
use crate::people::session::Caller;
use crate::queue::order::{Detail, document_id};
use crate::queue::{self, Kind as Job, NewJob};
use crate::rounds::{Round, Standing, StudentSees};
use crate::store::{now, secret};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What a submission is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The student looks for himself: nobody else is shown it, and it is compared with nothing later.
    #[serde(rename = "self")]
    Own,
    /// A version on the way.
    Draft,
    /// The version that counts; compared with the other finals of the round, and deposited if it passes.
    Final,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::Own, Kind::Draft, Kind::Final];

    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Own => "self",
            Kind::Draft => "draft",
            Kind::Final => "final",
        }
    }

    /// The kind of a word.
    pub fn of(word: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// The endings of files that are taken.
const ENDINGS: [&str; 13] =
    ["docx", "pdf", "odt", "doc", "wps", "rtf", "txt", "md", "html", "htm", "epub", "tex", "markdown"];

/// The ending of a file's name, if such files are taken.
pub fn ending(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    ENDINGS.into_iter().find(|known| known.eq_ignore_ascii_case(ending))
}

/// A submission.
#[derive(Debug, Clone, Serialize)]
pub struct Submission {
    /// Its id.
    pub id: String,
    /// The round's id.
    pub round: String,
    /// The student's id.
    pub student: String,
    /// What it is for.
    pub kind: Kind,
    /// The number of this student's submissions of its kind in this round, from 1.
    pub attempt: i64,
    /// The file, below the data folder.
    #[serde(skip)]
    pub file: String,
    /// What the file was called.
    pub file_name: Option<String>,
    /// SHA-256 of the file, hexadecimal.
    pub sha256: Option<String>,
    /// Bytes of the file.
    pub bytes: i64,
    /// When it came in.
    pub received: i64,
}

const COLUMNS: &str = "id, round, student, kind, attempt, file, file_name, sha256, bytes, received";

impl Submission {
    pub(crate) fn read(row: &rusqlite::Row<'_>) -> Result<Self, rusqlite::Error> {
        Ok(Submission {
            id: row.get(0)?,
            round: row.get(1)?,
            student: row.get(2)?,
            kind: Kind::of(&row.get::<_, String>(3)?).unwrap_or(Kind::Draft),
            attempt: row.get(4)?,
            file: row.get(5)?,
            file_name: row.get(6)?,
            sha256: row.get(7)?,
            bytes: row.get(8)?,
            received: row.get(9)?,
        })
    }
}

/// How much of a submission a caller may see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// Everything, and decides.
    Decides,
    /// Everything.
    Reads,
    /// What the round shows its student.
    Student,
}

/// A submission that a caller may see.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The submission.
    pub submission: Submission,
    /// Its round.
    pub round: Round,
    /// How the caller stands to the round.
    pub standing: Standing,
    /// How much of it the caller may see.
    pub view: View,
}

/// The submission of this id as a caller sees it.
///
/// # Errors
/// When there is none, or it is not the caller's to see: both look alike.
pub fn see(connection: &Connection, caller: &Caller, id: &str) -> Result<Seen, Fault> {
    let sql = format!("SELECT {COLUMNS} FROM submission WHERE id = ?1 AND state = 'kept'");
    let found = connection.prepare_cached(&sql)?.query_row([id], Submission::read).optional()?;
    let submission = found.ok_or(Fault::from(&NOT_FOUND))?;
    let round = Round::get(connection, &submission.round)?;
    let standing = Standing::of(connection, caller, &round)?;
    let view = match standing {
        _ if submission.student == caller.person.id => View::Student,
        Some(_) if submission.kind == Kind::Own => return Err((&NOT_FOUND).into()),
        Some(Standing::Administers) => View::Decides,
        Some(Standing::Audits) => View::Reads,
        Some(Standing::Supervises) if supervisor(connection, &submission)?.as_ref() == Some(&caller.person.id) => {
            View::Decides
        }
        _ => return Err((&NOT_FOUND).into()),
    };
    let standing = standing.ok_or(Fault::from(&NOT_FOUND))?;
    Ok(Seen { submission, round, standing, view })
}

fn supervisor(connection: &Connection, submission: &Submission) -> Result<Option<String>, rusqlite::Error> {
    let sql = "SELECT supervisor FROM enrolment WHERE round = ?1 AND student = ?2";
    let found = connection.prepare_cached(sql)?.query_row([&submission.round, &submission.student], |row| row.get(0));
    found.optional().map(Option::flatten)
}

/// What a student is shown of a submission's report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Nothing.
    Nothing,
    /// The ratio.
    Ratio,
    /// The report, without others' wording.
    Report,
}

impl Seen {
    /// What the round shows the student of this submission now. A check of his own is his to see.
    pub fn shown_to_student(&self, has_verdict: bool) -> Shown {
        match (self.submission.kind, self.round.student_sees) {
            (Kind::Own, _) | (_, StudentSees::AtOnce) => Shown::Report,
            (_, StudentSees::AfterVerdict) if has_verdict => Shown::Report,
            (_, StudentSees::Ratio) => Shown::Ratio,
            _ => Shown::Nothing,
        }
    }

    /// Whether the caller may learn whose it is.
    pub fn shows_names(&self, has_verdict: bool) -> bool {
        !self.round.anonymous || self.standing != Standing::Supervises || has_verdict
    }
}

/// A file that was uploaded and waits in `incoming/`.
#[derive(Debug, Clone, Default)]
pub struct Uploaded {
    /// Where it is, below the data folder.
    pub file: String,
    /// What it was called.
    pub name: String,
    /// Its bytes.
    pub bytes: i64,
    /// SHA-256 of it, hexadecimal.
    pub sha256: String,
}

/// Checks that count: those of which no job failed or was cancelled.
const COUNTED: &str = "round = ?1 AND student = ?2 AND NOT EXISTS \
                       (SELECT 1 FROM job WHERE job.submission = submission.id AND state IN ('failed', 'cancelled'))";

/// How many checks a student has left: of the quota, and of his own.
///
/// # Errors
/// When the student is not in the round.
pub fn left(connection: &Connection, round: &Round, student: &str) -> Result<(i64, i64), Fault> {
    let sql = "SELECT extra_checks FROM enrolment WHERE round = ?1 AND student = ?2";
    let extra: Option<i64> = connection.query_row(sql, [&round.id, student], |row| row.get(0)).optional()?;
    let extra = extra.ok_or(Fault::from(&NOT_ENROLLED))?;
    let used = |condition: &str| {
        let sql = format!("SELECT count(*) FROM submission WHERE {COUNTED} AND {condition}");
        connection.prepare_cached(&sql)?.query_row([&round.id, student], |row| row.get::<_, i64>(0))
    };
    Ok(((round.quota + extra - used("kind != 'self'")?).max(0), (round.self_checks - used("kind = 'self'")?).max(0)))
}

/// What a student must keep to; staff who upload for him decide themselves.
fn admit(t: &Transaction<'_>, round: &Round, student: &str, kind: Kind) -> Result<(), Fault> {
    if !round.is_open() {
        return Err((&ROUND_CLOSED).into());
    }
    let (checks, own) = left(t, round, student)?;
    if (if kind == Kind::Own { own } else { checks }) == 0 {
        return Err((&QUOTA_USED).into());
    }
    let running = "SELECT 1 FROM job JOIN submission ON submission.id = job.submission WHERE round = ?1 AND student = ?2 \
                   AND job.state IN ('queued', 'running')";
    if t.prepare_cached(running)?.exists([&round.id, student])? {
        return Err((&STILL_RUNNING).into());
    }
    match next(t, round, student)? {
        Some(next) if kind != Kind::Own => refused(&TOO_SOON, instant(next)),
        _ => Ok(()),
    }
}

/// A time as programs write it (RFC 3339, UTC).
fn instant(seconds: i64) -> String {
    jiff::Timestamp::from_second(seconds).map_or(String::new(), |at| at.to_string())
}

/// When the interval is over after which a student may hand in again; none if that is now. What came in while the clock was
/// ahead keeps nobody waiting until it was right.
///
/// # Errors
/// When the database cannot be read.
pub fn next(connection: &Connection, round: &Round, student: &str) -> Result<Option<i64>, rusqlite::Error> {
    let sql = format!("SELECT max(received) FROM submission WHERE {COUNTED} AND kind != 'self' AND received <= ?3");
    let last: Option<i64> =
        connection.prepare_cached(&sql)?.query_row(params![round.id, student, now()], |row| row.get(0))?;
    Ok(last.map(|last| last.saturating_add(round.interval_s)).filter(|next| *next > now()))
}

/// How a submission comes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The student uploads it, within the rules of the round.
    Student,
    /// Staff upload it.
    Staff,
    /// Staff upload it with many others.
    Batch,
}

/// Takes a submission in: puts its file in its place and queues its check.
///
/// # Errors
/// When the round's rules are against it.
#[allow(clippy::too_many_arguments)] // they are the columns of its row
pub fn receive(
    t: &Transaction<'_>,
    data: &Path,
    round: &Round,
    student: &str,
    kind: Kind,
    uploaded: &Uploaded,
    by: &str,
    way: Way,
) -> Result<String, Fault> {
    let Some(ending) = ending(&uploaded.name) else { return refused(&WRONG_KIND, &uploaded.name) };
    if way == Way::Student {
        admit(t, round, student, kind)?;
    } else {
        left(t, round, student)?;
    }
    let id = secret::new_id();
    let file = format!("files/{id}.{ending}");
    let sql = "SELECT count(*) + 1 FROM submission WHERE round = ?1 AND student = ?2 AND kind = ?3";
    let attempt: i64 = t.query_row(sql, params![round.id, student, kind.as_str()], |row| row.get(0))?;
    let Uploaded { name, bytes, sha256, .. } = uploaded;
    t.execute(
        "INSERT INTO submission(id, round, student, kind, attempt, file, file_name, sha256, bytes, received, by, state) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 'kept')",
        params![id, round.id, student, kind.as_str(), attempt, file, name, sha256, bytes, now(), by],
    )?;
    let lane = i64::from(way == Way::Batch);
    let (folder, submission, fair) = (round.folder(), Some(id.as_str()), round.id.as_str());
    if round.among && kind == Kind::Final {
        // It takes the place of the student's final before.
        let earlier = "SELECT id FROM submission WHERE round = ?1 AND student = ?2 AND kind = 'final' AND id != ?3";
        let ids = t
            .prepare_cached(earlier)?
            .query_map(params![round.id, student, id], |row| row.get::<_, String>(0))?
            .collect::<Result<Vec<_>, _>>()?;
        let ids = ids.iter().map(|id| document_id(id)).collect();
        let detail = serde_json::to_string(&Detail { ids, then_check: true, ..Detail::default() })?;
        queue::add(t, &NewJob { kind: Job::Enter, submission, folder: Some(&folder), detail, lane, fair })?;
    } else {
        queue::add(t, &NewJob { kind: Job::Check, submission, folder: None, detail: String::new(), lane, fair })?;
    }
    crate::audit::record(t, Some(by), "submit", &id, kind.as_str())?;
    // A second name, so that nothing is lost if the transaction fails; the first one goes with the request, and what no row
    // names goes when the server starts.
    let (from, to) = (data.join(&uploaded.file), data.join(&file));
    if std::fs::hard_link(&from, &to).is_err() {
        std::fs::copy(&from, &to)?;
    }
    Ok(id)
}

/// A verdict.
#[derive(Debug, Clone, Serialize)]
pub struct Verdict {
    /// `pass`, `revise` or `fail`.
    pub verdict: String,
    /// What was said to it.
    pub comment: String,
    /// Who gave it.
    pub person: String,
    /// When.
    pub made: i64,
}

/// The words of verdicts.
pub const VERDICTS: [&str; 3] = ["pass", "revise", "fail"];

/// The verdict on a submission, if there is one.
///
/// # Errors
/// When the database cannot be read.
pub fn verdict(connection: &Connection, submission: &str) -> Result<Option<Verdict>, rusqlite::Error> {
    let sql = "SELECT verdict, comment, person, made FROM verdict WHERE submission = ?1";
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Verdict { verdict: row.get(0)?, comment: row.get(1)?, person: row.get(2)?, made: row.get(3)? })
    };
    connection.prepare_cached(sql)?.query_row([submission], read).optional()
}

/// Deposits a final that has passed into a collection, where later submissions are compared with it.
///
/// # Errors
/// When it is no final, has not passed, or is deposited already.
pub fn deposit(t: &Transaction<'_>, submission: &Submission, collection: i64, by: &str) -> Result<i64, Fault> {
    let passed = verdict(t, &submission.id)?.is_some_and(|verdict| verdict.verdict == "pass");
    if submission.kind != Kind::Final || !passed {
        return Err((&NOT_FINAL).into());
    }
    let collection = crate::collections::get(t, collection)?;
    let there = t.prepare_cached("SELECT 1 FROM deposit WHERE submission = ?1")?.exists([&submission.id])?;
    if there {
        return refused(&crate::fault::CONFLICT, "deposited already");
    }
    t.execute("INSERT INTO deposit VALUES (?1, ?2, ?3, ?4)", params![submission.id, collection.id, by, now()])?;
    crate::audit::record(t, Some(by), "deposit", &submission.id, &collection.id.to_string())?;
    let (submission, folder) = (Some(submission.id.as_str()), Some(collection.folder.as_str()));
    let detail = serde_json::to_string(&Detail::default())?;
    Ok(queue::add(t, &NewJob { kind: Job::Enter, submission, folder, detail, lane: 0, fair: "deposit" })?)
}

/// Deposits of each student of a round the last final, if it has passed and is in no collection yet; gives how many.
///
/// # Errors
/// When there is no such collection.
pub fn deposit_passed(t: &Transaction<'_>, round: &str, collection: i64, by: &str) -> Result<usize, Fault> {
    crate::collections::get(t, collection)?;
    let sql = format!(
        "SELECT {COLUMNS} FROM submission s WHERE s.round = ?1 AND s.kind = 'final' AND s.state = 'kept' \
         AND EXISTS (SELECT 1 FROM verdict WHERE submission = s.id AND verdict = 'pass') \
         AND NOT EXISTS (SELECT 1 FROM deposit WHERE submission = s.id) \
         AND NOT EXISTS (SELECT 1 FROM submission later WHERE later.round = s.round AND later.student = s.student \
         AND later.kind = 'final' AND later.state = 'kept' AND later.attempt > s.attempt) ORDER BY s.id"
    );
    let passed = t.prepare_cached(&sql)?.query_map([round], Submission::read)?.collect::<Result<Vec<_>, _>>()?;
    for submission in &passed {
        deposit(t, submission, collection, by)?;
    }
    Ok(passed.len())
}
