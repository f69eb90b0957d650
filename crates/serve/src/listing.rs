//! Submissions in lists, with what lists show of them.

use crate::reports::Figures;
use crate::rounds::{Round, Standing};
use crate::submissions::Submission;
use rusqlite::{Connection, params_from_iter};
use serde::Serialize;

/// A submission as lists show it.
#[derive(Debug, Clone, Serialize)]
pub struct Listed {
    /// The submission.
    #[serde(flatten)]
    pub submission: Submission,
    /// The student's number; none where names are not shown.
    pub number: Option<String>,
    /// The student's name; none where names are not shown.
    pub name: Option<String>,
    /// The supervisor's name, if there is one.
    pub supervisor: Option<String>,
    /// The figures of its report, if there is one.
    pub figures: Option<Figures>,
    /// The verdict, if there is one.
    pub verdict: Option<String>,
    /// The state of its last job.
    pub state: String,
    /// Why that failed.
    pub message: Option<String>,
}

/// Which submissions are listed.
#[derive(Debug, Clone, Default)]
pub struct Wanted<'a> {
    /// Of this student alone, his own checks too; else no student's own checks.
    pub student: Option<&'a str>,
    /// Of students of this supervisor.
    pub supervisor: Option<&'a str>,
    /// Only those nobody has decided on.
    pub undecided: bool,
    /// After this id, for lists in pages by id; else those with the highest ratios come first.
    pub after: Option<&'a str>,
    /// At most so many.
    pub most: usize,
}

/// Submissions of a round. Names are left out where the round is marked anonymously and the caller supervises.
///
/// # Errors
/// When the database cannot be read.
pub fn of_round(
    connection: &Connection,
    round: &Round,
    standing: Standing,
    wanted: &Wanted<'_>,
) -> Result<Vec<Listed>, rusqlite::Error> {
    let mut conditions = vec!["s.state = 'kept'".to_owned(), "s.round = ?1".to_owned()];
    let mut values = vec![round.id.clone()];
    let mut condition = |text: &str, value: &str| {
        values.push(value.to_owned());
        conditions.push(text.replace('?', &format!("?{}", values.len())));
    };
    match wanted.student {
        Some(student) => condition("s.student = ?", student),
        None => condition("s.kind != ?", "self"),
    }
    if let Some(supervisor) = wanted.supervisor {
        condition("e.supervisor = ?", supervisor);
    }
    if let Some(after) = wanted.after {
        condition("s.id > ?", after);
    }
    if wanted.undecided {
        conditions.push("v.verdict IS NULL".to_owned());
    }
    let order = match (wanted.after, wanted.student) {
        (Some(_), _) => "s.id",
        (None, Some(_)) => "s.received DESC, s.id",
        (None, None) => "r.decided_ratio DESC NULLS FIRST, s.id",
    };
    let sql = format!(
        "SELECT s.id, s.round, s.student, s.kind, s.attempt, s.file, s.file_name, s.sha256, s.bytes, s.received, p.number, p.name, \
         r.copy_ratio, r.decided_ratio, r.passages, r.flags, r.characters, v.verdict, j.state, j.message, coalesce(u.name, u.number) \
         FROM submission s JOIN enrolment e ON e.round = s.round AND e.student = s.student JOIN person p ON p.id = s.student LEFT JOIN person u ON u.id = e.supervisor \
         LEFT JOIN report r ON r.submission = s.id LEFT JOIN verdict v ON v.submission = s.id \
         LEFT JOIN job j ON j.id = (SELECT max(id) FROM job WHERE submission = s.id AND NOT (kind = 'enter' AND state = 'done')) \
         WHERE {} ORDER BY {order} LIMIT {}",
        conditions.join(" AND "),
        wanted.most
    );
    let read = |row: &rusqlite::Row<'_>| {
        let copy_ratio: Option<f64> = row.get(12)?;
        let figures = match copy_ratio {
            None => None,
            Some(copy_ratio) => Some(Figures {
                copy_ratio,
                decided_ratio: row.get(13)?,
                passages: row.get(14)?,
                flags: row.get(15)?,
                characters: row.get(16)?,
            }),
        };
        let verdict: Option<String> = row.get(17)?;
        let named = !round.anonymous || standing != Standing::Supervises || verdict.is_some();
        let mut submission = Submission::read(row)?;
        if !named {
            (submission.file_name, submission.student) = (None, String::new());
        }
        let hidden = |value: Option<String>| value.filter(|_| named);
        Ok(Listed {
            submission,
            number: hidden(row.get(10)?),
            name: hidden(row.get(11)?),
            figures,
            verdict,
            state: row.get::<_, Option<String>>(18)?.unwrap_or_default(),
            message: row.get(19)?,
            supervisor: row.get(20)?,
        })
    };
    connection.prepare_cached(&sql)?.query_map(params_from_iter(values), read)?.collect()
}

/// Which of a round's submissions a caller lists: all, or those of his own students.
pub fn supervisor_of(standing: Standing, person: &str) -> Option<&str> {
    (standing == Standing::Supervises).then_some(person)
}
