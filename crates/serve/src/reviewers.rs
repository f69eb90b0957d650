//! Reviewers of finals: who they are, what each says, and what that comes to.
//!
//! Each reviewer of a final gives a verdict once. If all say the same, that is the verdict; if they differ, the round's administrator decides.

use crate::access::{self, Object};
use crate::audit;
use crate::fault::{BAD_FIELD, CONFLICT, Fault, NOT_ALLOWED, NOT_FOUND, NOT_READY, VERDICT_STANDS, refused};
use crate::people::session::Caller;
use crate::people::{Person, Role, unit_and_above};
use crate::rounds::Round;
use crate::store::rows::{self, read_by_name};
use crate::store::secret;
use crate::store::word::worded;
use crate::store::{Transaction, now};
use crate::submissions::{self, Seen, Verdict, View};
use copytrace_messages::{Message, message};
use rusqlite::{Connection, params};

worded! {
    /// Who learns no names when finals are reviewed.
    Blind:
    /// Nobody.
    None "none";
    /// Reviewers do not learn whose a final is.
    Author "author";
    /// Authors and supervisors do not learn who the reviewers are.
    Reviewer "reviewer";
    /// Neither learns of the other.
    Both "both";
}

impl Blind {
    /// Whether reviewers do not learn whose a final is.
    pub fn hides_author(self) -> bool {
        matches!(self, Blind::Author | Blind::Both)
    }

    /// Whether authors and supervisors do not learn who the reviewers are.
    pub fn hides_reviewers(self) -> bool {
        matches!(self, Blind::Reviewer | Blind::Both)
    }
}

/// Reviewers that a final has at most.
pub const MOST: i64 = 9;

/// A reviewer of a final, and what the reviewer said of it.
#[derive(Debug, Clone, serde::Serialize, utoipa::ToSchema)]
pub struct Reviewer {
    /// The person's id.
    pub person: String,
    /// Number and name.
    pub called: String,
    /// The verdict; none yet.
    pub verdict: Option<Verdict>,
    /// What was said with it.
    pub comment: String,
    /// When.
    pub made: i64,
}

read_by_name!(Reviewer: person called verdict comment made);

/// What the reviewers of a final say together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Some have said nothing yet, or there are none.
    Open,
    /// All say this.
    Agreed(Verdict),
    /// They differ.
    Differ,
}

/// What reviewers say together.
pub fn outcome(reviewers: &[Reviewer]) -> Outcome {
    let given: Option<Vec<Verdict>> = reviewers.iter().map(|reviewer| reviewer.verdict).collect();
    match given.as_deref() {
        Some([first, rest @ ..]) if rest.iter().all(|verdict| verdict == first) => Outcome::Agreed(*first),
        Some([_, ..]) => Outcome::Differ,
        _ => Outcome::Open,
    }
}

/// The reviewers of a submission, in an order that tells nothing of when they were named.
///
/// # Errors
/// When the database cannot be read.
pub fn of_submission(c: &Connection, submission: &str) -> Result<Vec<Reviewer>, rusqlite::Error> {
    let sql = "SELECT r.person, trim(coalesce(p.number, '') || ' ' || coalesce(p.name, '')) AS called, v.verdict, coalesce(v.comment, '') AS comment, \
               coalesce(v.made, 0) AS made FROM submission s JOIN reviewer r ON r.round = s.round AND r.student = s.student \
               JOIN person p ON p.id = r.person LEFT JOIN reviewer_verdict v ON v.submission = s.id AND v.person = r.person \
               WHERE s.id = ?1 AND s.kind = 'final' ORDER BY r.person";
    rows::all(c, sql, [submission])
}

/// A student of a round, with the last final.
#[derive(Debug, Clone)]
pub struct Student {
    /// The id.
    pub id: String,
    /// Number and name.
    pub called: String,
    /// The last final.
    pub last: Option<String>,
}

read_by_name!(Student: id called last);

/// The students of a round, each with the reviewers of the last final.
///
/// # Errors
/// When the database cannot be read.
pub fn of_round(c: &Connection, round: &str) -> Result<Vec<(Student, Vec<Reviewer>)>, rusqlite::Error> {
    let sql = "SELECT p.id, trim(coalesce(p.number, '') || ' ' || coalesce(p.name, '')) AS called, (SELECT s.id FROM submission s \
               WHERE s.round = e.round AND s.student = e.student AND s.kind = 'final' AND s.state = 'kept' ORDER BY s.attempt DESC LIMIT 1) AS last \
               FROM enrolment e JOIN person p ON p.id = e.student WHERE e.round = ?1 AND p.state != 'erased' ORDER BY p.number";
    let named = "SELECT r.person, trim(coalesce(p.number, '') || ' ' || coalesce(p.name, '')) AS called, NULL AS verdict, '' AS comment, 0 AS made \
                 FROM reviewer r JOIN person p ON p.id = r.person WHERE r.round = ?1 AND r.student = ?2 ORDER BY r.person";
    let with = |student: Student| {
        let reviewers = match &student.last {
            Some(last) => of_submission(c, last)?,
            None => rows::all(c, named, [round, &student.id])?,
        };
        Ok((student, reviewers))
    };
    rows::all::<Student>(c, sql, [round])?.into_iter().map(with).collect()
}

/// Whether somebody reviews the finals of a student, or of anybody in the round.
///
/// # Errors
/// When the database cannot be read.
pub fn reviews(c: &Connection, person: &str, round: &str, student: Option<&str>) -> Result<bool, rusqlite::Error> {
    let sql = "SELECT 1 FROM reviewer WHERE person = ?1 AND round = ?2 AND (?3 IS NULL OR student = ?3)";
    rows::exists(c, sql, params![person, round, student])
}

/// Finals that somebody is to review, in one round or in all, the last of each student, with the round's title and the verdict given; those without one first.
///
/// # Errors
/// When the database cannot be read.
pub fn to_review(
    c: &Connection,
    person: &str,
    round: Option<&str>,
) -> Result<Vec<(String, String, Option<Verdict>)>, rusqlite::Error> {
    let sql = "SELECT s.id, d.title, w.verdict FROM reviewer r JOIN round d ON d.id = r.round \
               JOIN submission s ON s.round = r.round AND s.student = r.student AND s.kind = 'final' AND s.state = 'kept' \
               JOIN report ON report.submission = s.id LEFT JOIN reviewer_verdict w ON w.submission = s.id AND w.person = r.person \
               WHERE r.person = ?1 AND (?2 IS NULL OR r.round = ?2) AND NOT EXISTS(SELECT 1 FROM submission later WHERE later.round = s.round AND later.student = s.student \
               AND later.kind = 'final' AND later.state = 'kept' AND later.attempt > s.attempt) ORDER BY w.verdict IS NOT NULL, s.id";
    rows::all(c, sql, params![person, round])
}

/// Why somebody cannot review the finals of a student; none if the person can.
fn unfit(t: &Transaction<'_>, round: &Round, student: &str, person: &Person) -> Result<Option<Message>, Fault> {
    let units = unit_and_above(t, round.unit)?;
    let supervises = "SELECT 1 FROM enrolment WHERE round = ?1 AND student = ?2 AND supervisor = ?3";
    let why = if !person.active || !person.is(Role::Reviewer) {
        "reviewer-no-role"
    } else if person.id == student || rows::exists(t, supervises, [&round.id, student, &person.id])? {
        "reviewer-too-near"
    } else if person.has(Role::Administrator, &units) || person.has(Role::Auditor, &units) {
        // They read all names.
        "reviewer-reads-names"
    } else {
        return Ok(None);
    };
    Ok(Some(Message::new(why).with("who", person.called())))
}

fn put(t: &Transaction<'_>, by: &str, round: &Round, student: &str, person: &str) -> Result<bool, Fault> {
    let sql = "INSERT OR IGNORE INTO reviewer VALUES (?1, ?2, ?3, ?4)";
    let is_new = t.execute(sql, params![round.id, student, person, now()])? > 0;
    if is_new {
        audit::record(t, Some(by), audit::Action::NameReviewer, &round.id, &format!("{student} {person}"))?;
    }
    Ok(is_new)
}

/// Names reviewers by pairs of a student's and a reviewer's number, all or none; gives how many are new.
///
/// # Errors
/// When the caller may not name one of them, or some pairs are wrong: all are told.
pub fn name(
    t: &Transaction<'_>,
    caller: &Caller,
    round: &Round,
    pairs: &[(usize, String, String)],
) -> Result<usize, Fault> {
    let (mut count, mut told) = (0, Vec::new());
    for (line, student, reviewer) in pairs {
        let enrolled =
            "SELECT p.id FROM enrolment e JOIN person p ON p.id = e.student WHERE e.round = ?1 AND p.number = ?2";
        let student_id: Option<String> = rows::first(t, enrolled, [&round.id, student])?;
        let person = Person::by_number(t, reviewer)?;
        let problem = match (&student_id, &person) {
            (None, _) => Some(message!("reviewer-no-student", who = student.as_str())),
            (_, None) => Some(message!("reviewer-nobody", who = reviewer.as_str())),
            (Some(student), Some(person)) => {
                access::require(t, caller, Object::Listed(person), &[Role::Administrator])?;
                unfit(t, round, student, person)?
            }
        };
        match (problem, student_id, person) {
            (None, Some(student), Some(person)) => {
                count += usize::from(put(t, &caller.person.id, round, &student, &person.id)?)
            }
            (problem, ..) => told.extend(problem.map(|problem| message!("list-line", line = *line, problem = problem))),
        }
    }
    if told.is_empty() { Ok(count) } else { Err(Fault::Told(&BAD_FIELD, told)) }
}

/// Draws reviewers within a unit until each student of the round has `count` of them; who has the fewest comes first. Gives how many are new.
///
/// # Errors
/// When there are too few who can review the finals of a student; then nobody is drawn.
pub fn draw(t: &Transaction<'_>, by: &str, round: &Round, unit: i64, count: i64) -> Result<usize, Fault> {
    if !(1..=MOST).contains(&count) {
        return refused(&BAD_FIELD, "reviewers");
    }
    let sql = "WITH RECURSIVE below(id) AS (SELECT ?1 UNION SELECT unit.id FROM unit JOIN below ON unit.parent = below.id) \
               SELECT DISTINCT person FROM role WHERE role = 'reviewer' AND unit IN (SELECT id FROM below) ORDER BY person";
    let mut candidates = Vec::new();
    for id in rows::all::<String>(t, sql, [unit])? {
        let load = "SELECT count(*) FROM reviewer WHERE round = ?1 AND person = ?2";
        let load: i64 = rows::one(t, load, [&round.id, &id])?;
        candidates.extend(Person::active(t, &id)?.map(|person| (load, person)));
    }
    let students: Vec<String> =
        rows::all(t, "SELECT student FROM enrolment WHERE round = ?1 ORDER BY student", [&round.id])?;
    let mut drawn = 0;
    for student in students {
        let have: i64 =
            rows::one(t, "SELECT count(*) FROM reviewer WHERE round = ?1 AND student = ?2", [&round.id, &student])?;
        let mut missing = count - have;
        // By chance among those who have the fewest: ids are random, and so is the hash of two.
        candidates.sort_by_key(|(load, person)| (*load, secret::hash(&format!("{}{student}{}", round.id, person.id))));
        for (load, person) in &mut candidates {
            if missing > 0 && unfit(t, round, &student, person)?.is_none() && put(t, by, round, &student, &person.id)? {
                (missing, drawn, *load) = (missing - 1, drawn + 1, *load + 1);
            }
        }
        if missing > 0 {
            return Err(Fault::Told(&CONFLICT, vec![message!("reviewers-too-few", count = count)]));
        }
    }
    Ok(drawn)
}

/// Takes a reviewer back who has said nothing yet.
///
/// # Errors
/// When there is none such.
pub fn take_back(t: &Transaction<'_>, by: &str, round: &Round, student: &str, person: &str) -> Result<(), Fault> {
    let sql = "DELETE FROM reviewer WHERE round = ?1 AND student = ?2 AND person = ?3 AND NOT EXISTS(SELECT 1 FROM reviewer_verdict v \
               JOIN submission s ON s.id = v.submission WHERE s.round = ?1 AND s.student = ?2 AND v.person = ?3)";
    if t.execute(sql, [&round.id, student, person])? == 0 {
        return Err((&NOT_FOUND).into());
    }
    audit::record(t, Some(by), audit::Action::TakeReviewerBack, &round.id, &format!("{student} {person}"))
}

/// Takes the verdict of a reviewer. If it is the last and all agree, it is that of the final.
///
/// # Errors
/// When the caller does not review the final, has said something already, or there is a verdict or no report.
pub fn judge(t: &Transaction<'_>, of: &Seen, verdict: Verdict, comment: &str, by: &str) -> Result<(), Fault> {
    let id = of.submission.id.as_str();
    if of.view != View::Reviews {
        return Err((&NOT_ALLOWED).into());
    }
    if submissions::verdict(t, id)?.is_some() {
        return Err((&VERDICT_STANDS).into());
    }
    if comment.len() > 10_000 {
        return refused(&BAD_FIELD, "comment");
    }
    if !rows::exists(t, "SELECT 1 FROM report WHERE submission = ?1", [id])? {
        return Err((&NOT_READY).into());
    }
    let sql = "INSERT OR IGNORE INTO reviewer_verdict VALUES (?1, ?2, ?3, ?4, ?5)";
    if t.execute(sql, params![id, by, verdict, comment.trim(), now()])? == 0 {
        return Err((&VERDICT_STANDS).into());
    }
    audit::record(t, Some(by), audit::Action::Review, id, verdict.as_str())?;
    match outcome(&of_submission(t, id)?) {
        Outcome::Agreed(verdict) => submissions::put_verdict(t, id, verdict, "", by),
        Outcome::Open | Outcome::Differ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reviewers_agree_when_all_have_said_the_same_and_differ_when_all_have_not() {
        use Verdict::{Fail, Pass};
        let of = |verdicts: &[Option<Verdict>]| {
            let reviewer = |verdict: &Option<Verdict>| Reviewer {
                person: String::new(),
                called: String::new(),
                verdict: *verdict,
                comment: String::new(),
                made: 0,
            };
            outcome(&verdicts.iter().map(reviewer).collect::<Vec<_>>())
        };
        assert_eq!(of(&[]), Outcome::Open);
        assert_eq!(of(&[Some(Pass), None]), Outcome::Open);
        assert_eq!(of(&[Some(Pass), None, Some(Fail)]), Outcome::Open);
        assert_eq!(of(&[Some(Pass)]), Outcome::Agreed(Pass));
        assert_eq!(of(&[Some(Fail), Some(Fail)]), Outcome::Agreed(Fail));
        assert_eq!(of(&[Some(Pass), Some(Pass), Some(Fail)]), Outcome::Differ);
    }
}
