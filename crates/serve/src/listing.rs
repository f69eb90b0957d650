//! Submissions in lists, with what lists show of them.

use crate::enrolment::COLLEGE;
use crate::queue::why::{self, Why};
use crate::queue::{BESIDE_CHECK, State};
use crate::reports::Figures;
use crate::rounds::{Round, Standing};
use crate::store::rows::{self, FromRow};
use crate::submissions::{Submission, Verdict};
use copytrace_messages::Tell;
use rusqlite::{Connection, params_from_iter};
use serde::Serialize;
use utoipa::ToSchema;

/// A submission as lists show it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Listed {
    /// The submission.
    #[serde(flatten)]
    pub submission: Submission,
    /// The student's number; none where names are not shown.
    pub number: Option<String>,
    /// The student's name; none where names are not shown.
    pub name: Option<String>,
    /// The student's college; none where names are not shown.
    pub college: Option<String>,
    /// The title of the thesis, as the list of students tells it; none where names are not shown.
    pub title: Option<String>,
    /// The supervisor's name, if there is one.
    pub supervisor: Option<String>,
    /// The figures of its report, if there is one.
    pub figures: Option<Figures>,
    /// Passages that the student objects to since the verdict.
    pub appeals: i64,
    /// The verdict, if there is one.
    pub verdict: Option<Verdict>,
    /// The state of its last job.
    pub state: Option<State>,
    /// Why that failed, in an English sentence.
    #[serde(serialize_with = "why::as_sentence")]
    #[schema(value_type = Option<String>)]
    pub message: Option<Why>,
    /// Why that failed, as the code of that sentence.
    pub message_code: Option<String>,
}

const APPEALS: &str =
    "(SELECT count(*) FROM appeal a WHERE a.submission = s.id AND (v.made IS NULL OR a.made >= v.made))";

impl FromRow for Listed {
    fn from_row(row: &rusqlite::Row<'_>) -> Result<Self, rusqlite::Error> {
        let message: Option<Why> = row.get("message")?;
        let has_report = row.get::<_, Option<f64>>("copy_ratio")?.is_some();
        Ok(Listed {
            submission: Submission::from_row(row)?,
            number: row.get("number")?,
            name: row.get("name")?,
            college: row.get("college")?,
            title: row.get("title")?,
            supervisor: row.get("supervisor")?,
            figures: has_report.then(|| Figures::from_row(row)).transpose()?,
            appeals: row.get("appeals")?,
            verdict: row.get("verdict")?,
            state: row.get("state")?,
            message_code: message.as_ref().and_then(Tell::code),
            message,
        })
    }
}

/// Which submissions are listed.
#[derive(Debug, Clone, Default)]
pub struct Wanted<'a> {
    /// Of this student alone, with practice checks; else without them.
    pub student: Option<&'a str>,
    /// Of students of this supervisor.
    pub supervisor: Option<&'a str>,
    /// Finals that this reviewer was named for.
    pub reviewer: Option<&'a str>,
    /// Only those nobody has decided on, since the student objected.
    pub undecided: bool,
    /// After this id, for lists in pages by id; else those with the highest ratios come first.
    pub after: Option<&'a str>,
    /// At most this number of submissions.
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
    if let Some(reviewer) = wanted.reviewer {
        condition(
            "s.kind = 'final' AND EXISTS (SELECT 1 FROM reviewer w WHERE w.round = s.round AND w.student = s.student AND w.person = ?)",
            reviewer,
        );
    }
    if let Some(after) = wanted.after {
        condition("s.id > ?", after);
    }
    if wanted.undecided {
        conditions.push(format!("(v.verdict IS NULL OR {APPEALS} > 0)"));
    }
    let order = match (wanted.after, wanted.student) {
        (Some(_), _) => "s.id",
        (None, Some(_)) => "s.received DESC, s.id",
        (None, None) => "r.decided_ratio DESC NULLS FIRST, s.id",
    };
    let sql = format!(
        "SELECT s.id, s.round, s.student, s.kind, s.attempt, s.file, s.file_name, s.sha256, s.bytes, s.received, p.number, p.name, {COLLEGE} AS college, e.title, \
         r.copy_ratio, r.decided_ratio, r.ratio_since, r.passages, r.flags, r.characters, r.compared_share, {APPEALS} AS appeals, v.verdict, j.state, j.message, coalesce(u.name, u.number) AS supervisor \
         FROM submission s JOIN enrolment e ON e.round = s.round AND e.student = s.student JOIN person p ON p.id = s.student LEFT JOIN person u ON u.id = e.supervisor \
         LEFT JOIN report r ON r.submission = s.id LEFT JOIN verdict v ON v.submission = s.id \
         LEFT JOIN job j ON j.id = (SELECT max(id) FROM job WHERE submission = s.id AND NOT {BESIDE_CHECK} \
         AND NOT coalesce(json_extract(detail, '$.beside'), 0)) \
         WHERE {} ORDER BY {order} LIMIT {}",
        conditions.join(" AND "),
        wanted.most
    );
    let mut listed: Vec<Listed> = rows::all(connection, &sql, params_from_iter(values))?;
    if round.anonymous && standing == Standing::Supervises {
        for listed in listed.iter_mut().filter(|listed| listed.verdict.is_none()) {
            (listed.number, listed.name, listed.college, listed.title) = (None, None, None, None);
            (listed.submission.file_name, listed.submission.student) = (None, String::new());
        }
    }
    if standing == Standing::Reviews {
        // A reviewer judges alone.
        listed.iter_mut().for_each(|listed| (listed.verdict, listed.appeals) = (None, 0));
        for listed in listed.iter_mut().filter(|_| round.blind.hides_author()) {
            (listed.number, listed.name, listed.college, listed.title) = (None, None, None, None);
            (listed.supervisor, listed.submission.sha256) = (None, None);
            (listed.submission.file_name, listed.submission.student) = (None, String::new());
        }
    }
    Ok(listed)
}

/// Which of a round's submissions a caller lists: all, or those of the students whom the caller supervises.
pub fn supervisor_of(standing: Standing, person: &str) -> Option<&str> {
    (standing == Standing::Supervises).then_some(person)
}
