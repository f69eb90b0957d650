//! What platforms are still to be told or asked, written down in the transaction in which it happens.

use crate::fault::Fault;
use crate::store::rows::{self, read_by_name};
use crate::store::word::worded;
use crate::store::{Transaction, now};
use crate::webhooks::rows::State;
use rusqlite::{Connection, params};

/// Seconds for which an errand is tried.
const TRIED_FOR: i64 = 3 * 86_400;

worded! {
    /// What an errand is for.
    What:
    /// A student's score goes to the platform's grades.
    Score "score";
    /// The platform is asked for the members of the course.
    Members "members";
}

/// Something that a platform is to be told or asked.
#[derive(Debug, Clone)]
pub struct Errand {
    /// The assignment.
    pub link: String,
    /// What for.
    pub what: What,
    /// The student; empty if it is about all.
    pub person: String,
    /// What the student is called, for people.
    pub called: String,
    /// What became of it.
    pub state: State,
    /// How often it was asked for.
    pub turn: i64,
    /// When it was asked for last.
    pub made: i64,
    /// How often it failed since.
    pub attempts: i64,
    /// What was answered last.
    pub answer: String,
}

read_by_name!(Errand: link what person called state turn made attempts answer);

const ERRAND: &str = "SELECT e.link, e.what, e.person, coalesce(p.name, p.number, '') AS called, e.state, e.turn, e.made, e.attempts, e.answer \
                      FROM errand e LEFT JOIN person p ON p.id = e.person";
const AGAIN: &str = "ON CONFLICT(link, what, person) DO UPDATE SET state = 'waiting', turn = turn + 1, made = excluded.made, \
                     not_before = excluded.not_before, attempts = 0";

/// The score of a submission's student is to go to the platform, if the round says so and the student came from there. Of practice nobody
/// is told.
///
/// # Errors
/// When the database cannot be written.
pub fn score(t: &Transaction<'_>, submission: &str) -> Result<(), rusqlite::Error> {
    let sql = format!(
        "INSERT INTO errand(link, what, person, state, made, not_before) SELECT l.id, 'score', s.student, 'waiting', ?2, ?2 \
         FROM submission s JOIN round_score USING(round) JOIN resource_link l ON l.round = s.round \
         JOIN platform_member m ON m.link = l.id AND m.person = s.student WHERE s.id = ?1 AND s.kind != 'self' {AGAIN}"
    );
    t.execute(&sql, params![submission, now()]).map(drop)
}

/// The same for all students of a round who have a report.
///
/// # Errors
/// When the database cannot be written.
pub fn scores(t: &Transaction<'_>, round: &str) -> Result<(), rusqlite::Error> {
    let sql = "SELECT s.id FROM submission s JOIN report r ON r.submission = s.id WHERE s.round = ?1 AND s.state = 'kept' ORDER BY s.id";
    rows::all::<String>(t, sql, [round])?.iter().try_for_each(|submission| score(t, submission))
}

/// The platform is to be asked for the members of an assignment's course.
///
/// # Errors
/// When the database cannot be written.
pub fn ask_members(t: &Transaction<'_>, link: &str) -> Result<(), rusqlite::Error> {
    let sql = format!(
        "INSERT INTO errand(link, what, person, state, made, not_before) VALUES (?1, 'members', '', 'waiting', ?2, ?2) {AGAIN}"
    );
    t.execute(&sql, params![link, now()]).map(drop)
}

/// What is to be done next.
///
/// # Errors
/// When the database cannot be read.
pub fn next(connection: &Connection) -> Result<Option<Errand>, rusqlite::Error> {
    let sql = format!(
        "{ERRAND} WHERE e.state = 'waiting' AND e.not_before <= ?1 ORDER BY e.not_before, e.link, e.what, e.person LIMIT 1"
    );
    rows::first(connection, &sql, [now()])
}

/// The last errands for a round.
///
/// # Errors
/// When the database cannot be read.
pub fn of_round(connection: &Connection, round: &str, most: i64) -> Result<Vec<Errand>, rusqlite::Error> {
    let sql = format!(
        "{ERRAND} JOIN resource_link l ON l.id = e.link WHERE l.round = ?1 ORDER BY e.made DESC, e.link, e.what, e.person LIMIT ?2"
    );
    rows::all(connection, &sql, params![round, most])
}

/// Notes what became of an errand, unless it was asked for again meanwhile. All that waits for a platform that does not answer waits
/// longer together, so that one that is dead holds nobody else up.
///
/// # Errors
/// When the database cannot be written.
pub fn came_to(t: &Transaction<'_>, errand: &Errand, answer: &Result<String, String>) -> Result<(), Fault> {
    let is_late = now() - errand.made > TRIED_FOR;
    let (state, attempts, text) = match answer {
        Ok(text) => (State::Done, errand.attempts, text),
        Err(text) if is_late => (State::Failed, errand.attempts + 1, text),
        Err(text) => (State::Waiting, errand.attempts + 1, text),
    };
    let text: String = text.chars().take(500).collect();
    let Errand { link, what, person, turn, .. } = errand;
    let sql = "UPDATE errand SET state = ?5, attempts = ?6, answer = ?7 WHERE link = ?1 AND what = ?2 AND person = ?3 AND turn = ?4";
    t.execute(sql, params![link, what, person, turn, state, attempts, text])?;
    if answer.is_err() {
        // Five seconds, then four times as long each time, up to six hours.
        let until = now() + (5_i64 << (2 * errand.attempts).min(20)).min(6 * 3600);
        let sql = "UPDATE errand SET not_before = max(not_before, ?2) WHERE state = 'waiting' AND link IN (SELECT other.id \
                   FROM resource_link other JOIN resource_link own ON own.platform = other.platform WHERE own.id = ?1)";
        t.execute(sql, params![link, until])?;
    }
    Ok(())
}
