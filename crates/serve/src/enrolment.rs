//! Who is in a round: its students, their supervisors, and the checks that each has.

use crate::fault::{BAD_FIELD, CONFLICT, Fault, NOT_ENROLLED, refused};
use crate::people::Role;
use crate::people::import::Listed;
use rusqlite::{Connection, Transaction, params};

/// A student of a round.
#[derive(Debug, Clone)]
pub struct Enrolled {
    /// The student's id.
    pub student: String,
    /// The student's number and name.
    pub number: String,
    /// See `number`.
    pub name: String,
    /// The supervisor's name, if there is one.
    pub supervisor: Option<String>,
    /// Checks that the student has besides those of the round.
    pub extra_checks: i64,
    /// How many submissions there are, besides own checks.
    pub submissions: i64,
    /// How many of them are final versions.
    pub finals: i64,
}

/// Puts students into a round; who is in it already gets the supervisor of the list.
///
/// # Errors
/// When the database cannot be written.
pub fn enrol(t: &Transaction<'_>, round: &str, listed: &[Listed]) -> Result<usize, rusqlite::Error> {
    let students = listed.iter().filter(|listed| listed.role == Role::Student);
    let sql = "INSERT INTO enrolment(round, student, supervisor) VALUES (?1, ?2, ?3) \
               ON CONFLICT(round, student) DO UPDATE SET supervisor = coalesce(excluded.supervisor, supervisor)";
    students.map(|student| t.execute(sql, params![round, student.person, student.supervisor])).sum()
}

/// The students of a round, or those of one supervisor: first those who have handed in no final version, then by number.
///
/// # Errors
/// When the database cannot be read.
pub fn all(connection: &Connection, round: &str, supervisor: Option<&str>) -> Result<Vec<Enrolled>, rusqlite::Error> {
    let sql = "SELECT e.student, coalesce(p.number, ''), coalesce(p.name, ''), coalesce(u.name, u.number), e.extra_checks, \
               (SELECT count(*) FROM submission s WHERE s.round = e.round AND s.student = e.student AND s.state = 'kept' AND kind != 'self'), \
               (SELECT count(*) FROM submission s WHERE s.round = e.round AND s.student = e.student AND s.state = 'kept' AND kind = 'final') AS finals \
               FROM enrolment e JOIN person p ON p.id = e.student LEFT JOIN person u ON u.id = e.supervisor \
               WHERE e.round = ?1 AND p.state != 'erased' AND (?2 IS NULL OR e.supervisor = ?2) ORDER BY finals > 0, p.number";
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Enrolled {
            student: row.get(0)?,
            number: row.get(1)?,
            name: row.get(2)?,
            supervisor: row.get(3)?,
            extra_checks: row.get(4)?,
            submissions: row.get(5)?,
            finals: row.get(6)?,
        })
    };
    connection.prepare_cached(sql)?.query_map(params![round, supervisor], read)?.collect()
}

/// Sets how many checks a student has besides those of the round.
///
/// # Errors
/// When the student is not in the round, or the number is not allowed.
pub fn allow(t: &Transaction<'_>, round: &str, student: &str, extra: i64) -> Result<(), Fault> {
    if !(0..=1000).contains(&extra) {
        return refused(&BAD_FIELD, "extra_checks");
    }
    let sql = "UPDATE enrolment SET extra_checks = ?3 WHERE round = ?1 AND student = ?2";
    if t.execute(sql, params![round, student, extra])? == 0 { Err((&NOT_ENROLLED).into()) } else { Ok(()) }
}

/// Takes a student out of a round.
///
/// # Errors
/// When the student is not in it, or has handed something in.
pub fn remove(t: &Transaction<'_>, round: &str, student: &str) -> Result<(), Fault> {
    let handed_in = "SELECT 1 FROM submission WHERE round = ?1 AND student = ?2";
    if t.prepare_cached(handed_in)?.exists([round, student])? {
        return refused(&CONFLICT, "submissions");
    }
    let sql = "DELETE FROM enrolment WHERE round = ?1 AND student = ?2";
    if t.execute(sql, [round, student])? == 0 { Err((&NOT_ENROLLED).into()) } else { Ok(()) }
}
