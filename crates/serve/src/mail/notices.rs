//! News that wait for the next digest of a person, who is told of each once.

use crate::fault::Fault;
use crate::reviewers;
use crate::rounds::Round;
use crate::store::rows::{self, read_by_name};
use crate::store::word::worded;
use crate::store::{Transaction, now};
use crate::submissions::{Kind, Shown, shown_to_student};
use rusqlite::{Connection, params};

worded! {
    /// What is told.
    News:
    /// There is a report, which its student may see.
    Report "report";
    /// There is a verdict.
    Verdict "verdict";
    /// A final waits for a verdict of the person.
    ToJudge "to_judge";
    /// A student objects to a passage.
    Objection "objection";
    /// Somebody asks for the wording of a collection that the person's unit shares.
    Asked "asked";
    /// What the person asked for was answered.
    Answered "answered";
}

/// Whom a submission concerns.
struct Concerned {
    round: String,
    student: String,
    kind: Kind,
    supervisor: Option<String>,
}

read_by_name!(Concerned: round student kind supervisor);

fn concerned(t: &Transaction<'_>, submission: &str) -> Result<Concerned, rusqlite::Error> {
    let sql = "SELECT s.round, s.student, s.kind, e.supervisor FROM submission s JOIN enrolment e ON e.round = s.round AND e.student = s.student \
               WHERE s.id = ?1";
    rows::one(t, sql, [submission])
}

/// Notes something for a person whom letters reach.
fn note(t: &Transaction<'_>, person: &str, news: News, submission: &str) -> Result<(), rusqlite::Error> {
    let sql = "INSERT OR IGNORE INTO notice SELECT id, ?2, ?3, ?4 FROM person WHERE id = ?1 AND mail IS NOT NULL AND state = 'active'";
    t.execute(sql, params![person, news, submission, now()]).map(drop)
}

/// Notes that there is a report: for the student, as far as it is shown, and for whoever is to judge.
///
/// # Errors
/// When the database cannot be written.
pub fn report(t: &Transaction<'_>, submission: &str) -> Result<(), Fault> {
    let of = concerned(t, submission)?;
    let shown = shown_to_student(&Round::get(t, &of.round)?, of.kind, false);
    if shown != Shown::Nothing {
        note(t, &of.student, News::Report, submission)?;
    }
    let reviewers = reviewers::of_submission(t, submission)?.into_iter().map(|reviewer| reviewer.person);
    let mut judges: Vec<String> = reviewers.collect();
    if judges.is_empty() && of.kind == Kind::Final {
        judges.extend(of.supervisor);
    }
    judges.iter().try_for_each(|judge| Ok(note(t, judge, News::ToJudge, submission)?))
}

/// Notes that a verdict was given.
///
/// # Errors
/// When the database cannot be written.
pub fn verdict(t: &Transaction<'_>, submission: &str) -> Result<(), rusqlite::Error> {
    t.execute("DELETE FROM notice WHERE submission = ?1 AND kind IN ('to_judge', 'objection')", [submission])?;
    note(t, &concerned(t, submission)?.student, News::Verdict, submission)
}

/// Notes that a student objects.
///
/// # Errors
/// When the database cannot be written.
pub fn objection(t: &Transaction<'_>, submission: &str) -> Result<(), rusqlite::Error> {
    match concerned(t, submission)?.supervisor {
        Some(supervisor) => note(t, &supervisor, News::Objection, submission),
        None => Ok(()),
    }
}

/// Notes for somebody that wording is asked for.
///
/// # Errors
/// When the database cannot be written.
pub fn asked(t: &Transaction<'_>, person: &str, submission: &str) -> Result<(), rusqlite::Error> {
    note(t, person, News::Asked, submission)
}

/// Notes for somebody that a request for wording was answered.
///
/// # Errors
/// When the database cannot be written.
pub fn answered(t: &Transaction<'_>, person: &str, submission: &str) -> Result<(), rusqlite::Error> {
    note(t, person, News::Answered, submission)
}

/// What waits for a person, with how often.
///
/// # Errors
/// When the database cannot be read.
pub fn waiting(connection: &Connection, person: &str) -> Result<Vec<(News, i64)>, rusqlite::Error> {
    rows::all(connection, "SELECT kind, count(*) FROM notice WHERE person = ?1 GROUP BY kind ORDER BY kind", [person])
}

/// Forgets what a person was told.
///
/// # Errors
/// When the database cannot be written.
pub fn told(t: &Transaction<'_>, person: &str) -> Result<(), rusqlite::Error> {
    t.execute("DELETE FROM notice WHERE person = ?1", [person]).map(drop)
}
