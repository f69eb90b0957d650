//! Who is in a round: its students, their supervisors, and the checks that each has.

use crate::audit;
use crate::fault::{BAD_FIELD, CONFLICT, Fault, NOT_ENROLLED, refused};
use crate::people::Person;
use crate::people::import::OnList;
use crate::store::Transaction;
use crate::store::rows::{self, read_by_name};
use copytrace_messages::{Message, message};
use rusqlite::{Connection, params};

/// What the college is called that a student `p` is of, in SQL; nothing for the institution as a whole.
pub const COLLEGE: &str = "(SELECT unit.name FROM role JOIN unit ON unit.id = role.unit \
                           WHERE role.person = p.id AND role.role = 'student' AND unit.id != 1 ORDER BY unit.id DESC LIMIT 1)";

/// A student of a round.
#[derive(Debug, Clone, serde::Serialize, utoipa::ToSchema)]
pub struct Enrolled {
    /// The student's id.
    pub student: String,
    /// The student's number and name.
    pub number: String,
    /// See `number`.
    pub name: String,
    /// The student's college, and the title of the thesis, if they are known.
    pub college: Option<String>,
    /// See `college`.
    pub title: Option<String>,
    /// The supervisor's name and number, if there is one.
    pub supervisor: Option<String>,
    /// See `supervisor`.
    pub supervisor_number: Option<String>,
    /// Checks that the student has besides those of the round.
    pub extra_checks: i64,
    /// How many submissions there are, besides own checks.
    pub submissions: i64,
    /// How many of them are final versions.
    pub finals: i64,
}

read_by_name!(Enrolled: student number name college title supervisor supervisor_number extra_checks submissions finals);

/// Puts a student into a round, and tells what that changes. Who is in it already gets the supervisor and the title of the list,
/// if it has them.
///
/// # Errors
/// When the database cannot be written.
pub fn enrol(t: &Transaction<'_>, round: &str, listed: &OnList) -> Result<Vec<Message>, rusqlite::Error> {
    let sql = "SELECT supervisor, title FROM enrolment WHERE round = ?1 AND student = ?2";
    let before: Option<(Option<String>, Option<String>)> = rows::first(t, sql, [round, &listed.person])?;
    let sql = "INSERT INTO enrolment(round, student, supervisor, title) VALUES (?1, ?2, ?3, ?4) ON CONFLICT(round, student) \
               DO UPDATE SET supervisor = coalesce(excluded.supervisor, supervisor), title = coalesce(excluded.title, title)";
    t.execute(sql, params![round, listed.person, listed.supervisor, listed.title])?;
    let mut changes = Vec::new();
    changes.extend(before.is_none().then(|| message!("list-joins")));
    let (supervisor, title) = before.unwrap_or_default();
    if let Some(new) = listed.supervisor.as_ref().filter(|new| Some(*new) != supervisor.as_ref()) {
        let called: Option<String> = rows::one(t, "SELECT coalesce(name, number) FROM person WHERE id = ?1", [new])?;
        changes.push(message!("list-new-supervisor", supervisor = called.unwrap_or_default()));
    }
    if let Some(new) = listed.title.as_ref().filter(|new| Some(*new) != title.as_ref()) {
        changes.push(message!("list-new-title", title = new.as_str()));
    }
    Ok(changes)
}

/// Corrects who supervises a student of a round, by the supervisor's number, and the title of the thesis; what is not given is taken
/// away.
///
/// # Errors
/// When the student is not in the round, or there is no such supervisor.
pub fn correct(
    t: &Transaction<'_>,
    by: &str,
    round: &str,
    student: &str,
    supervisor: Option<&Person>,
    title: Option<&str>,
) -> Result<(), Fault> {
    if title.is_some_and(|title| title.len() > 1000) {
        return refused(&BAD_FIELD, "thesis_title");
    }
    let sql = "UPDATE enrolment SET supervisor = ?3, title = ?4 WHERE round = ?1 AND student = ?2";
    if t.execute(sql, params![round, student, supervisor.map(|person| &person.id), title])? == 0 {
        return Err((&NOT_ENROLLED).into());
    }
    audit::record(t, Some(by), audit::Action::CorrectStudent, round, student)
}

/// The students of a round, or those of one supervisor, by number; if those who miss something come first, those who have handed
/// in no final version do.
///
/// # Errors
/// When the database cannot be read.
pub fn all(
    connection: &Connection,
    round: &str,
    supervisor: Option<&str>,
    missing_first: bool,
) -> Result<Vec<Enrolled>, rusqlite::Error> {
    let sql = format!(
        "SELECT e.student, coalesce(p.number, '') AS number, coalesce(p.name, '') AS name, {COLLEGE} AS college, e.title, coalesce(u.name, u.number) AS supervisor, u.number AS supervisor_number, e.extra_checks, \
               (SELECT count(*) FROM submission s WHERE s.round = e.round AND s.student = e.student AND s.state = 'kept' AND kind != 'self') AS submissions, \
               (SELECT count(*) FROM submission s WHERE s.round = e.round AND s.student = e.student AND s.state = 'kept' AND kind = 'final') AS finals \
               FROM enrolment e JOIN person p ON p.id = e.student LEFT JOIN person u ON u.id = e.supervisor \
               WHERE e.round = ?1 AND p.state != 'erased' AND (?2 IS NULL OR e.supervisor = ?2) ORDER BY ?3 AND finals > 0, p.number"
    );
    rows::all(connection, &sql, params![round, supervisor, missing_first])
}

/// Sets how many checks a student has besides those of the round.
///
/// # Errors
/// When the student is not in the round, or the number is not allowed.
pub fn allow(t: &Transaction<'_>, by: &str, round: &str, student: &str, extra: i64) -> Result<(), Fault> {
    if !(0..=1000).contains(&extra) {
        return refused(&BAD_FIELD, "extra_checks");
    }
    let sql = "UPDATE enrolment SET extra_checks = ?3 WHERE round = ?1 AND student = ?2";
    if t.execute(sql, params![round, student, extra])? == 0 {
        return Err((&NOT_ENROLLED).into());
    }
    audit::record(t, Some(by), audit::Action::AllowChecks, round, &format!("{student} {extra}"))
}

/// Takes a student out of a round.
///
/// # Errors
/// When the student is not in it, or has handed something in.
pub fn remove(t: &Transaction<'_>, by: &str, round: &str, student: &str) -> Result<(), Fault> {
    if rows::exists(t, "SELECT 1 FROM submission WHERE round = ?1 AND student = ?2", [round, student])? {
        return refused(&CONFLICT, "submissions");
    }
    if t.execute("DELETE FROM enrolment WHERE round = ?1 AND student = ?2", [round, student])? == 0 {
        return Err((&NOT_ENROLLED).into());
    }
    audit::record(t, Some(by), audit::Action::RemoveStudent, round, student)
}
