//! Submissions: how they come in, who may see them, and what becomes of them.

use crate::fault::{
    BAD_FIELD, CONFLICT, DECIDED_ON, FILE_GONE, Fault, NOT_ALLOWED, NOT_ENROLLED, NOT_FINAL, NOT_FOUND, NOT_READY,
    QUOTA_USED, ROUND_CLOSED, SAME_FILE, SPACE_USED, STILL_RUNNING, TOO_SOON, VERDICT_STANDS, WRONG_KIND, refused,
};
use crate::lti::errands;
use crate::mail::notices;
use crate::people::Role;
use crate::people::session::Caller;
use crate::queue::order::document_id;
use crate::queue::why::Why;
use crate::queue::{self, Task};
use crate::reviewers;
use crate::rounds::{Round, Standing, StudentSees};
use crate::store::Transaction;
use crate::store::rows::{self, read_by_name};
use crate::store::word::worded;
use crate::store::{now, secret};
use crate::webhooks::{Event, rows as webhooks};
use crate::{audit, collections};
use rusqlite::{Connection, Params, params};
use serde::Serialize;
use std::path::Path;
use utoipa::ToSchema;

worded! {
    /// What a submission is for.
    Kind:
    /// A practice check: nobody but the student is shown it, and it is compared with nothing later.
    Practice "self";
    /// A version on the way.
    Draft "draft";
    /// The version that counts; compared with the other finals of the round, and deposited if it passes.
    Final "final";
}

/// The endings of files that are taken.
const ENDINGS: [&str; 13] =
    ["docx", "pdf", "odt", "doc", "wps", "rtf", "txt", "md", "html", "htm", "epub", "tex", "markdown"];

/// The ending of a file's name, if such files are taken.
pub fn ending(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    ENDINGS.into_iter().find(|known| known.eq_ignore_ascii_case(ending))
}

/// The ending of a file of any kind, by which its reader knows what to say of it; a short one, of plain letters and digits.
fn any_ending(name: &str) -> &str {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_plain = (1..=8).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_plain { ending } else { "bin" }
}

/// A submission.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Submission {
    /// Its id.
    pub id: String,
    /// The round's id.
    pub round: String,
    /// The student's id.
    pub student: String,
    /// What it is for.
    pub kind: Kind,
    /// Its place among this student's submissions of its kind in this round, from 1.
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

read_by_name!(Submission: id round student kind attempt file file_name sha256 bytes received);

/// How much of a submission a caller may see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// Everything, and decides.
    Decides,
    /// Everything.
    Reads,
    /// The report, as far as the round shows it to reviewers, who give a verdict of their own.
    Reviews,
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
    /// The verdict on it, if there is one.
    pub verdict: Option<GivenVerdict>,
}

/// The submission of this id.
///
/// # Errors
/// When there is none.
pub fn get(connection: &Connection, id: &str) -> Result<Submission, Fault> {
    let sql = format!("SELECT {COLUMNS} FROM submission WHERE id = ?1 AND state = 'kept'");
    Ok(rows::first(connection, &sql, [id])?.ok_or(&NOT_FOUND)?)
}

/// The submission of this id as a caller sees it.
///
/// # Errors
/// When there is none, or it is not the caller's to see: both look alike.
pub fn see(connection: &Connection, caller: &Caller, id: &str) -> Result<Seen, Fault> {
    let submission = get(connection, id)?;
    let round = Round::get(connection, &submission.round)?;
    let standing = Standing::of(connection, caller, &round)?;
    let view = match standing {
        _ if submission.student == caller.person.id => View::Student,
        Some(_) if submission.kind == Kind::Practice => return Err((&NOT_FOUND).into()),
        Some(Standing::Administers) => View::Decides,
        Some(Standing::Audits) => View::Reads,
        Some(Standing::Supervises) if supervisor(connection, &submission)?.as_ref() == Some(&caller.person.id) => {
            View::Decides
        }
        _ if submission.kind == Kind::Final
            && caller.person.is(Role::Reviewer)
            && reviewers::reviews(connection, &caller.person.id, &round.id, Some(&submission.student))? =>
        {
            View::Reviews
        }
        _ => return Err((&NOT_FOUND).into()),
    };
    // Whoever supervises others in the round is the reviewer of this one.
    let standing = if view == View::Reviews { Some(Standing::Reviews) } else { standing };
    let standing = standing.ok_or(&NOT_FOUND)?;
    let verdict = verdict(connection, &submission.id)?;
    Ok(Seen { submission, round, standing, view, verdict })
}

fn supervisor(connection: &Connection, submission: &Submission) -> Result<Option<String>, rusqlite::Error> {
    let sql = "SELECT supervisor FROM enrolment WHERE round = ?1 AND student = ?2";
    Ok(rows::first(connection, sql, [&submission.round, &submission.student])?.flatten())
}

/// What somebody is shown of a submission's report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Nothing.
    Nothing,
    /// The ratio.
    Ratio,
    /// The report, without others' wording.
    Report,
}

/// What students are shown of the report on a submission of theirs, of this kind, with or without a verdict.
pub fn shown_to_student(round: &Round, kind: Kind, has_verdict: bool) -> Shown {
    match (kind, round.student_sees) {
        (Kind::Practice, _) | (_, StudentSees::AtOnce) => Shown::Report,
        (_, StudentSees::AfterVerdict) if has_verdict => Shown::Report,
        (_, StudentSees::Ratio) => Shown::Ratio,
        _ => Shown::Nothing,
    }
}

impl Seen {
    /// What the caller is shown of the report now. Of a practice check students see everything.
    pub fn shown(&self) -> Shown {
        match self.view {
            View::Decides | View::Reads | View::Reviews => Shown::Report,
            View::Student => shown_to_student(&self.round, self.submission.kind, self.verdict.is_some()),
        }
    }

    /// Whether a verdict that was given stands for the caller: who has seen a name since gives no other.
    pub fn is_frozen(&self) -> bool {
        self.round.anonymous && self.standing == Standing::Supervises && self.verdict.is_some()
    }

    /// Whether the caller may learn whose it is.
    pub fn shows_names(&self) -> bool {
        match self.standing {
            Standing::Reviews => !self.round.blind.hides_author(),
            Standing::Supervises => !self.round.anonymous || self.verdict.is_some(),
            _ => true,
        }
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

/// How many checks a student has left: of the quota, and for practice.
///
/// # Errors
/// When the student is not in the round.
pub fn left(connection: &Connection, round: &Round, student: &str) -> Result<(i64, i64), Fault> {
    let sql = "SELECT extra_checks FROM enrolment WHERE round = ?1 AND student = ?2";
    let extra: i64 = rows::first(connection, sql, [&round.id, student])?.ok_or(&NOT_ENROLLED)?;
    let used = |condition: &str| {
        let sql = format!("SELECT count(*) FROM submission WHERE {COUNTED} AND {condition}");
        rows::one::<i64>(connection, &sql, [&round.id, student])
    };
    Ok(((round.quota + extra - used("kind != 'self'")?).max(0), (round.self_checks - used("kind = 'self'")?).max(0)))
}

/// The most bytes of the files that a student has in a round, whatever became of their checks.
const SPACE: i64 = 512 << 20;
/// The fewest bytes that each of these files counts for: files without content fill a disk too.
const LEAST: i64 = 64 << 10;

/// Refuses a student who cannot hand in anything of any kind now.
///
/// # Errors
/// When that is so.
pub fn may_hand_in(connection: &Connection, round: &Round, student: &str) -> Result<(), Fault> {
    let of = |kind| admit(connection, round, student, kind, 0);
    of(Kind::Final).or_else(|why| of(Kind::Practice).map_err(|_| why))
}

/// Lets go of the files that could not be read, and gives them: whoever handed them in was told why. The condition speaks of the
/// submission `s` and of its last job `j`.
///
/// # Errors
/// When the database cannot be written.
pub fn forget_unreadable(t: &Transaction<'_>, condition: &str, values: impl Params) -> Result<Vec<String>, Fault> {
    let sql = format!(
        "SELECT s.id, s.file FROM submission s JOIN job j ON j.id = (SELECT max(id) FROM job WHERE submission = s.id) \
         WHERE j.state = 'failed' AND j.code = 'unreadable' AND s.state = 'kept' AND s.file != '' AND {condition}"
    );
    let unreadable: Vec<(String, String)> = rows::all(t, &sql, values)?;
    for (id, _) in &unreadable {
        t.execute("UPDATE submission SET file = '' WHERE id = ?1", [id])?;
    }
    Ok(unreadable.into_iter().map(|(_, file)| file).collect())
}

/// What a student must keep to; staff who upload for a student decide themselves.
fn admit(t: &Connection, round: &Round, student: &str, kind: Kind, bytes: i64) -> Result<(), Fault> {
    if !round.is_open() {
        return Err((&ROUND_CLOSED).into());
    }
    let (checks, practice) = left(t, round, student)?;
    if (if kind == Kind::Practice { practice } else { checks }) == 0 {
        return Err((&QUOTA_USED).into());
    }
    let running = "SELECT 1 FROM job JOIN submission ON submission.id = job.submission WHERE round = ?1 AND student = ?2 \
                   AND job.state IN ('queued', 'running')";
    if rows::exists(t, running, [&round.id, student])? {
        return Err((&STILL_RUNNING).into());
    }
    let space = "SELECT coalesce(sum(max(bytes, ?3)), 0) FROM submission WHERE round = ?1 AND student = ?2 AND by = ?2 AND file != ''";
    if rows::one::<i64>(t, space, params![round.id, student, LEAST])? + bytes.max(LEAST) > SPACE {
        return Err((&SPACE_USED).into());
    }
    match next(t, round, student)? {
        Some(next) if kind != Kind::Practice => refused(&TOO_SOON, instant(next)),
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
    let last: Option<i64> = rows::one(connection, &sql, params![round.id, student, now()])?;
    Ok(last.map(|last| last.saturating_add(round.interval_s)).filter(|next| *next > now()))
}

/// Why a file that came with many others is not taken: it is there already, or its student has passed.
///
/// # Errors
/// When the database cannot be read.
pub fn why_not(c: &Connection, round: &Round, student: &str, kind: Kind, sha256: &str) -> Result<Option<Why>, Fault> {
    let passed = "SELECT 1 FROM submission s JOIN verdict v ON v.submission = s.id WHERE s.round = ?1 AND s.student = ?2 \
                  AND s.kind = 'final' AND s.state = 'kept' AND v.verdict = 'pass'";
    if is_there(c, round, student, kind, sha256)? {
        return Ok(Some(Why::SameFile));
    }
    Ok(rows::exists(c, passed, params![round.id, student])?.then_some(Why::Passed))
}

/// Whether a student has handed in these bytes for the same purpose, and they could be checked.
fn is_there(c: &Connection, round: &Round, student: &str, kind: Kind, sha256: &str) -> Result<bool, rusqlite::Error> {
    let sql = format!("SELECT 1 FROM submission WHERE {COUNTED} AND kind = ?3 AND sha256 = ?4 AND state = 'kept'");
    rows::exists(c, &sql, params![round.id, student, kind, sha256])
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
    /// The one person of a desk puts it in with others, of whatever kind it is: that it cannot be read is told in its place.
    Desk,
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
    let ending = match (ending(&uploaded.name), way) {
        (Some(ending), _) => ending,
        (None, Way::Desk) => any_ending(&uploaded.name),
        (None, _) => return refused(&WRONG_KIND, &uploaded.name),
    };
    if way == Way::Student {
        admit(t, round, student, kind, uploaded.bytes)?;
    } else {
        left(t, round, student)?;
    }
    if kind != Kind::Practice && is_there(t, round, student, kind, &uploaded.sha256)? {
        return Err((&SAME_FILE).into());
    }
    let id = secret::new_id();
    let file = format!("files/{id}.{ending}");
    let sql = "SELECT count(*) + 1 FROM submission WHERE round = ?1 AND student = ?2 AND kind = ?3";
    let attempt: i64 = rows::one(t, sql, params![round.id, student, kind])?;
    let Uploaded { name, bytes, sha256, .. } = uploaded;
    t.execute(
        "INSERT INTO submission(id, round, student, kind, attempt, file, file_name, sha256, bytes, received, by, state) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 'kept')",
        params![id, round.id, student, kind, attempt, file, name, sha256, bytes, now(), by],
    )?;
    queue::add(t, &task(t, round, &id)?, i64::from(matches!(way, Way::Batch | Way::Desk)), &round.id)?;
    webhooks::tell(t, Event::Received, &id)?;
    audit::record(t, Some(by), audit::Action::Submit, &id, kind.as_str())?;
    // A second name, so that nothing is lost if the transaction fails; the first one goes with the request, and what no row
    // names goes when the server starts.
    let (from, to) = (data.join(&uploaded.file), data.join(&file));
    if std::fs::hard_link(&from, &to).is_err() {
        std::fs::copy(&from, &to)?;
    }
    Ok(id)
}

/// What a submission's check begins with: the last final of a student enters its round's index first, where it takes the place of
/// the finals before.
fn task(t: &Transaction<'_>, round: &Round, id: &str) -> Result<Task, Fault> {
    let entered = "SELECT 1 FROM job WHERE submission = ?1 AND kind = 'enter' AND state = 'done' AND folder = ?2";
    let finals = "SELECT other.id, other.attempt > this.attempt FROM submission this JOIN submission other \
                  ON other.round = this.round AND other.student = this.student AND other.kind = 'final' AND other.id != this.id \
                  WHERE this.id = ?1 AND this.kind = 'final' AND NOT (other.state = 'erased' AND other.attempt > this.attempt)";
    let others: Vec<(String, bool)> = rows::all(t, finals, [id])?;
    let is_final = rows::exists(t, "SELECT 1 FROM submission WHERE id = ?1 AND kind = 'final'", [id])?;
    let submission = id.to_owned();
    let is_last = is_final && !others.iter().any(|(_, later)| *later);
    if !round.among || !is_last || rows::exists(t, entered, [id, &round.folder()])? {
        return Ok(Task::Check { submission, beside: false });
    }
    let replaces = others.iter().map(|(id, _)| document_id(id)).collect();
    Ok(Task::Enter { submission, folder: round.folder(), replaces, then_check: true })
}

/// Checks a submission again, in this lane of the queue. The new report takes the place of the one before.
///
/// # Errors
/// When it is being checked, its file is gone, or somebody has decided on its report.
pub fn check_again(t: &Transaction<'_>, round: &Round, of: &Submission, by: &str, lane: i64) -> Result<(), Fault> {
    if of.file.is_empty() {
        return Err((&FILE_GONE).into());
    }
    if queue::status(t, &of.id)?.is_some_and(|status| !status.state.is_over()) {
        return Err((&STILL_RUNNING).into());
    }
    let decided = "SELECT 1 FROM verdict WHERE submission = ?1 UNION SELECT 1 FROM decision WHERE submission = ?1 AND revoked IS NULL \
                   UNION SELECT 1 FROM appeal WHERE submission = ?1";
    if rows::exists(t, decided, [&of.id])? {
        return Err((&DECIDED_ON).into());
    }
    let before: Option<String> = rows::first(t, "SELECT number FROM report WHERE submission = ?1", [&of.id])?;
    queue::add(t, &task(t, round, &of.id)?, lane, &round.id)?;
    audit::record(t, Some(by), audit::Action::CheckAgain, &of.id, before.as_deref().unwrap_or_default())
}

/// The submissions of a round that could not be checked, and whose files are there.
///
/// # Errors
/// When the database cannot be read.
pub fn failed(connection: &Connection, round: &str) -> Result<Vec<Submission>, rusqlite::Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM submission s WHERE round = ?1 AND kind != 'self' AND state = 'kept' AND file != '' AND 'failed' = \
         (SELECT state FROM job WHERE id = (SELECT max(id) FROM job WHERE submission = s.id)) ORDER BY s.id"
    );
    rows::all(connection, &sql, [round])
}

worded! {
    /// What staff say of a submission.
    Verdict:
    /// It is accepted.
    Pass "pass";
    /// It is to be handed in again.
    Revise "revise";
    /// It is refused.
    Fail "fail";
}

/// A verdict that was given.
#[derive(Debug, Clone)]
pub struct GivenVerdict {
    /// The verdict.
    pub verdict: Verdict,
    /// What was said with it.
    pub comment: String,
    /// When.
    pub made: i64,
    /// The name of who gave it.
    pub by: String,
}

read_by_name!(GivenVerdict: verdict comment made by);

/// The name of who gave a verdict `v`, in SQL. What reviewers agreed on is nobody's alone.
const BY: &str = "CASE WHEN EXISTS(SELECT 1 FROM reviewer_verdict r WHERE r.submission = v.submission AND r.person = v.person) \
                  THEN '–' ELSE coalesce(name, number, '–') END AS by";

/// The verdict on a submission, if there is one.
///
/// # Errors
/// When the database cannot be read.
pub fn verdict(connection: &Connection, submission: &str) -> Result<Option<GivenVerdict>, rusqlite::Error> {
    let sql = format!(
        "SELECT verdict, comment, v.made, {BY} FROM verdict v JOIN person ON person.id = v.person WHERE submission = ?1"
    );
    rows::first(connection, &sql, [submission])
}

/// All verdicts on a submission, the last first.
///
/// # Errors
/// When the database cannot be read.
pub fn verdicts(connection: &Connection, submission: &str) -> Result<Vec<GivenVerdict>, rusqlite::Error> {
    let sql = format!(
        "SELECT verdict, comment, v.made, {BY} FROM verdict_before v JOIN person ON person.id = v.person WHERE submission = ?1 ORDER BY v.rowid DESC"
    );
    let earlier = rows::all(connection, &sql, [submission])?;
    Ok(verdict(connection, submission)?.into_iter().chain(earlier).collect())
}

/// Gives the verdict; a later one takes the place of an earlier, which is kept, unless that has shown a name to whoever gives it.
///
/// # Errors
/// When there is no report yet, the comment is too long, or the verdict stands.
pub fn judge(t: &Transaction<'_>, of: &Seen, verdict: Verdict, comment: &str, by: &str) -> Result<(), Fault> {
    let submission = of.submission.id.as_str();
    if (Seen { verdict: self::verdict(t, submission)?, ..of.clone() }).is_frozen() {
        return Err((&VERDICT_STANDS).into());
    }
    if comment.len() > 10_000 {
        return refused(&BAD_FIELD, "comment");
    }
    if !rows::exists(t, "SELECT 1 FROM report WHERE submission = ?1", [submission])? {
        return Err((&NOT_READY).into());
    }
    // Reviewers have the word, and who administers the round if they differ.
    if of.standing == Standing::Supervises && !reviewers::of_submission(t, submission)?.is_empty() {
        return refused(&NOT_ALLOWED, "reviewers");
    }
    put_verdict(t, submission, verdict, comment, by)
}

/// Writes a verdict down; the one before is kept.
///
/// # Errors
/// When the database cannot be written.
pub fn put_verdict(
    t: &Transaction<'_>,
    submission: &str,
    verdict: Verdict,
    comment: &str,
    by: &str,
) -> Result<(), Fault> {
    let earlier = "INSERT INTO verdict_before SELECT * FROM verdict WHERE submission = ?1";
    t.execute(earlier, [submission])?;
    let sql = "INSERT OR REPLACE INTO verdict VALUES (?1, ?2, ?3, ?4, ?5)";
    t.execute(sql, params![submission, verdict, comment.trim(), by, now()])?;
    notices::verdict(t, submission)?;
    webhooks::tell(t, Event::Verdict, submission)?;
    errands::score(t, submission)?;
    audit::record(t, Some(by), audit::Action::Verdict, submission, verdict.as_str())
}

/// Whether a submission is in a collection.
///
/// # Errors
/// When the database cannot be read.
pub fn is_deposited(connection: &Connection, submission: &str) -> Result<bool, rusqlite::Error> {
    rows::exists(connection, "SELECT 1 FROM deposit WHERE submission = ?1", [submission])
}

/// Deposits a final that has passed into a collection, where later submissions are compared with it.
///
/// # Errors
/// When it is no final, has not passed, or is deposited already.
pub fn deposit(t: &Transaction<'_>, submission: &Submission, collection: i64, by: &str) -> Result<i64, Fault> {
    let passed = verdict(t, &submission.id)?.is_some_and(|given| given.verdict == Verdict::Pass);
    if submission.kind != Kind::Final || !passed {
        return Err((&NOT_FINAL).into());
    }
    let collection = collections::get(t, collection)?;
    if is_deposited(t, &submission.id)? {
        return refused(&CONFLICT, "deposited");
    }
    t.execute("INSERT INTO deposit VALUES (?1, ?2, ?3, ?4)", params![submission.id, collection.id, by, now()])?;
    audit::record(t, Some(by), audit::Action::Deposit, &submission.id, &collection.id.to_string())?;
    let (submission, folder) = (submission.id.clone(), collection.folder);
    queue::add(t, &Task::Enter { submission, folder, replaces: Vec::new(), then_check: false }, 0, "deposit")
}

/// Deposits of each student of a round the last final, if it has passed and is in no collection yet; gives how many.
///
/// # Errors
/// When there is no such collection.
pub fn deposit_passed(t: &Transaction<'_>, round: &str, collection: i64, by: &str) -> Result<usize, Fault> {
    collections::get(t, collection)?;
    let sql = format!(
        "SELECT {COLUMNS} FROM submission s WHERE s.round = ?1 AND s.kind = 'final' AND s.state = 'kept' \
         AND EXISTS (SELECT 1 FROM verdict WHERE submission = s.id AND verdict = 'pass') \
         AND NOT EXISTS (SELECT 1 FROM deposit WHERE submission = s.id) \
         AND NOT EXISTS (SELECT 1 FROM submission later WHERE later.round = s.round AND later.student = s.student \
         AND later.kind = 'final' AND later.state = 'kept' AND later.attempt > s.attempt) ORDER BY s.id"
    );
    let passed: Vec<Submission> = rows::all(t, &sql, [round])?;
    for submission in &passed {
        deposit(t, submission, collection, by)?;
    }
    Ok(passed.len())
}
