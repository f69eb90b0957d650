//! What both the pages and the programming interface do: whether the caller may do it, what is done, and what it came to.
//!
//! Deeds that programs ask for end their transaction by `tell`, which makes of what they came to what the caller of the deed gets:
//! so a reply is kept together with what it tells of, or neither is. Whoever keeps none passes [`as_it_is`].

pub mod collections;
pub mod elsewhere;
pub mod office;
pub mod outcome;
pub mod people;
pub mod rounds;
pub mod submissions;

use crate::access::{self, Object};
use crate::app::App;
use crate::collections::make_index;
use crate::fault::{FILE_GONE, Fault, NOT_ALLOWED, NOT_ENROLLED, NOT_FOUND, NOT_SHOWN, refused};
use crate::people::import::{Named, Row, Terms, all_right, take};
use crate::people::session::Caller;
use crate::people::{Person, Role, unit_and_above};
use crate::reports::decisions::{self, Decision};
use crate::reports::{self, redact, review};
use crate::rounds::{self as all_rounds, NewRound, Round, Standing};
use crate::store::word::worded;
use crate::store::{Transaction, now, rows, secret};
use crate::submissions::{self as handed_in, Kind, Seen, Shown, Submission, Uploaded, View, Way};
use crate::{audit, enrolment, erase, queue, sharing, terms};
use copytrace::check::Report;
use rusqlite::{Connection, params};
use serde::Deserialize;
use std::collections::BTreeSet;
use utoipa::ToSchema;

/// Seconds for which a link to a report is good.
pub const LINK_LASTS: i64 = 600;

/// What a deed came to, as it is.
///
/// # Errors
/// Never.
pub fn as_it_is<T>(_: &Transaction<'_>, came_to: T) -> Result<T, Fault> {
    Ok(came_to)
}

/// Makes a round, and tells its id.
///
/// # Errors
/// When the caller does not administer its unit, or a field is wrong.
pub fn make_round<R>(
    app: &App,
    caller: &Caller,
    new: &NewRound,
    tell: impl FnOnce(&Transaction<'_>, String) -> Result<R, Fault>,
) -> Result<R, Fault> {
    app.store.write(|t| {
        if !caller.person.has(Role::Administrator, &unit_and_above(t, new.unit)?) {
            return Err((&NOT_ALLOWED).into());
        }
        let id = all_rounds::create(t, new)?;
        audit::record(t, Some(&caller.person.id), "create_round", &id, "")?;
        make_index(&app.data, &format!("rounds/{id}"))?;
        tell(t, id)
    })
}

/// Puts the students of a list into a round, and tells their number.
///
/// # Errors
/// When the caller does not administer the round, or a row of the list is wrong.
pub fn enrol<R>(
    app: &App,
    caller: &Caller,
    round: &str,
    list: Vec<Vec<String>>,
    tell: impl FnOnce(&Transaction<'_>, usize) -> Result<R, Fault>,
) -> Result<R, Fault> {
    app.store.write(|t| {
        let listed = all_right(take_into(t, caller, round, list)?)?;
        let enrolled = listed.iter().filter(|listed| listed.role == Role::Student).count();
        audit::record(t, Some(&caller.person.id), "enrol", round, &enrolled.to_string())?;
        tell(t, enrolled)
    })
}

/// What [`enrol`] would come to, row by row; nothing is changed.
///
/// # Errors
/// When the caller does not administer the round, or the list is none.
pub fn rehearse_enrolment(app: &App, caller: &Caller, round: &str, list: Vec<Vec<String>>) -> Result<Vec<Row>, Fault> {
    app.store.rehearse(|t| take_into(t, caller, round, list))
}

/// Adds the people of a list, and puts its students into a round.
fn take_into(t: &Transaction<'_>, caller: &Caller, round: &str, list: Vec<Vec<String>>) -> Result<Vec<Row>, Fault> {
    let round = Round::administered(t, caller, round)?;
    // Who administers one unit renames nobody, lists nobody of another unit, and makes no administrators.
    let everywhere = caller.person.has_everywhere(Role::Administrator);
    let may = |named: Named<'_>| {
        let object = match named {
            _ if everywhere => return Ok(()),
            Named::Person(person) => Object::Listed(person),
            Named::Unit(Some(unit)) => Object::Unit(unit),
            Named::Unit(None) => Object::Institution,
        };
        access::require(t, caller, object, &[Role::Administrator])
    };
    let mut rows = take(t, list, &Terms { renames: everywhere, unit: round.unit, may: &may })?;
    for row in &mut rows {
        let Some(listed) = &row.of else { continue };
        if !everywhere && matches!(listed.role, Role::Administrator | Role::Auditor) {
            let whose = "only an administrator of the whole institution adds administrators and auditors";
            return refused(&NOT_ALLOWED, whose);
        }
        if let (Ok(changes), Role::Student) = (&mut row.fate, listed.role) {
            changes.extend(enrolment::enrol(t, &round.id, listed)?);
        }
    }
    Ok(rows)
}

/// What is handed in, besides its file.
#[derive(Debug, Deserialize, ToSchema)]
pub struct HandIn {
    /// What it is for.
    pub kind: Kind,
    /// The student's number, when staff hand in.
    pub student: Option<String>,
    /// The version of the text that the student agrees to, where one is needed that the student has not agreed to yet.
    pub agrees: Option<i64>,
}

/// What an archive of many submissions is for.
#[derive(Debug, Deserialize, ToSchema)]
pub struct HandInMany {
    /// What each of its files is for: not for practice.
    pub kind: Kind,
}

/// Refuses a caller who cannot hand in anything in a round now, before it comes.
///
/// # Errors
/// When the caller has nothing to do with the round, or its rules are against it.
pub fn may_hand_in(app: &App, caller: &Caller, round: &str) -> Result<(), Fault> {
    app.store.read(|c| match Round::of(c, caller, round)? {
        (round, Standing::Studies) => handed_in::may_hand_in(c, &round, &caller.person.id),
        _ => Ok(()),
    })
}

/// Hands a file in, students for themselves, administrators for a student; and tells the submission's id.
///
/// # Errors
/// When the caller may not hand it in, or the round's rules are against it.
pub fn hand_in<R>(
    app: &App,
    caller: &Caller,
    round: &str,
    of: &HandIn,
    file: &Uploaded,
    tell: impl FnOnce(&Transaction<'_>, String) -> Result<R, Fault>,
) -> Result<R, Fault> {
    let (told, gone) = app.store.write(|t| {
        let (round, standing) = Round::of(t, caller, round)?;
        let (student, way) = match standing {
            Standing::Studies => {
                terms::agree(t, &caller.person.id, of.agrees)?;
                (caller.person.id.clone(), Way::Student)
            }
            Standing::Administers if of.kind != Kind::Practice => {
                let number = of.student.as_deref().unwrap_or_default().trim();
                (Person::by_number(t, number)?.ok_or(&NOT_ENROLLED)?.id, Way::Staff)
            }
            _ => return Err((&NOT_ALLOWED).into()),
        };
        let id = handed_in::receive(t, &app.data, &round, &student, of.kind, file, &caller.person.id, way)?;
        let before = "s.round = ?1 AND s.student = ?2 AND s.id != ?3";
        let gone = handed_in::forget_unreadable(t, before, [&round.id, &student, &id])?;
        Ok::<_, Fault>((tell(t, id)?, gone))
    })?;
    app.remove_files(&gone);
    app.pool.wake();
    Ok(told)
}

/// Where finals are deposited.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DepositInto {
    /// The collection's id.
    #[schema(minimum = 1)]
    pub collection: i64,
}

/// Deposits all finals of a round that have passed, and tells their number.
///
/// # Errors
/// When the caller does not administer the round, or there is no such collection.
pub fn deposit_passed<R>(
    app: &App,
    caller: &Caller,
    round: &str,
    into: &DepositInto,
    tell: impl FnOnce(&Transaction<'_>, usize) -> Result<R, Fault>,
) -> Result<R, Fault> {
    let told = app.store.write(|t| {
        let round = Round::administered(t, caller, round)?;
        sharing::may_deposit(t, caller, round.unit, into.collection)?;
        tell(t, handed_in::deposit_passed(t, &round.id, into.collection, &caller.person.id)?)
    })?;
    app.pool.wake();
    Ok(told)
}

/// A submission as the caller sees it.
///
/// # Errors
/// When there is none, or the caller has no access to it.
pub fn see(app: &App, caller: &Caller, id: &str) -> Result<Seen, Fault> {
    app.store.read(|c| handed_in::see(c, caller, id))
}

/// A submission that the caller administers.
fn administered(app: &App, caller: &Caller, id: &str) -> Result<Seen, Fault> {
    match see(app, caller, id)? {
        seen if seen.view == View::Decides && seen.standing == Standing::Administers => Ok(seen),
        _ => Err((&NOT_ALLOWED).into()),
    }
}

/// A report as somebody may see it, with what was decided about it.
pub struct Case {
    /// The submission.
    pub submission: Submission,
    /// Its round.
    pub round: Round,
    /// Whom it is shown to.
    pub shown_to: ShownTo,
    /// The report as it is, or redacted.
    pub report: Report,
    /// The decisions, each with the passages that it is about.
    pub decisions: Vec<(Decision, Vec<usize>)>,
    /// The passages that those which stand leave out.
    pub left_out: BTreeSet<usize>,
    /// The folders that it was compared with.
    pub folders: Vec<String>,
    /// For each source, what it is called where its wording is another unit's that has not granted it.
    pub withheld: Vec<Option<String>>,
}

/// The names by which a text may call its author.
fn author(c: &Connection, submission: &Submission) -> Result<Vec<String>, Fault> {
    let person = Person::kept(c, &submission.student)?;
    Ok(person.into_iter().flat_map(|person| [person.name, person.number, person.mail]).flatten().collect())
}

impl Case {
    /// The report on a submission, as it is shown to somebody. `closed` is what sources are called that are not shown.
    ///
    /// # Errors
    /// When there is none.
    pub fn read(
        c: &Connection,
        submission: Submission,
        round: Round,
        shown_to: ShownTo,
        closed: &str,
    ) -> Result<Case, Fault> {
        let kept = reports::kept(c, &submission.id)?;
        let (found, decisions) = (kept.report()?, decisions::all(c, &submission.id)?);
        let left_out = decisions::left_out(&found, &decisions);
        let decisions =
            decisions.into_iter().map(|made| (made.passages(&found), made)).map(|(of, made)| (made, of)).collect();
        let folders = found.corpus.name.split(", ").map(str::to_owned).collect();
        let withheld = sharing::withheld(c, &round, &submission.id, &kept, &found)?;
        let report = match shown_to {
            ShownTo::Staff => redact::without_wording(found, &withheld),
            ShownTo::Anonymous => {
                redact::without_author(redact::without_wording(found, &withheld), &author(c, &submission)?)
            }
            ShownTo::Student => kept.for_student(found, c, closed, &withheld)?,
        };
        Ok(Case { submission, round, shown_to, report, decisions, left_out, folders, withheld })
    }
}

/// The report on a submission as the caller may see it. `closed` is what sources are called that are not shown. That it was looked
/// at is recorded.
///
/// # Errors
/// When there is none yet, or it is not shown.
pub fn report(app: &App, caller: &Caller, seen: &Seen, closed: &str) -> Result<Case, Fault> {
    let shown_to = match (seen.view, seen.shown()) {
        (View::Student, Shown::Report) => ShownTo::Student,
        (View::Student, Shown::Ratio | Shown::Nothing) => return Err((&NOT_SHOWN).into()),
        _ if seen.shows_names() => ShownTo::Staff,
        _ => ShownTo::Anonymous,
    };
    let Seen { submission, round, .. } = seen.clone();
    let mut case = app.store.read(|c| Case::read(c, submission, round, shown_to, closed))?;
    if seen.view == View::Reviews {
        // A reviewer judges alone; and reasons may name people.
        (case.decisions, case.left_out) = Default::default();
    }
    audit::look(&app.store, Some(&caller.person.id), "view_report", &seen.submission.id)?;
    Ok(case)
}

/// The same as JSON: to staff the bytes that the program gives for the same file, library and settings, and behind them what people
/// decided, if they did.
///
/// # Errors
/// Those of [`report`].
pub fn report_json(app: &App, caller: &Caller, seen: &Seen, closed: &str) -> Result<Vec<u8>, Fault> {
    let case = report(app, caller, seen, closed)?;
    let id = seen.submission.id.as_str();
    let (json, verdicts) = app.store.read(|c| {
        let json = match case.shown_to {
            ShownTo::Staff if case.withheld.iter().all(Option::is_none) => reports::kept(c, id)?.json,
            _ => case.report.to_json()?.into_bytes(),
        };
        let verdicts = if seen.view == View::Reviews { Vec::new() } else { handed_in::verdicts(c, id)? };
        Ok::<_, Fault>((json, verdicts))
    })?;
    review::add_to(json, &case, &verdicts)
}

/// Deposits a final into a collection.
///
/// # Errors
/// When the caller does not administer it, or it has not passed.
pub fn deposit<R>(
    app: &App,
    caller: &Caller,
    id: &str,
    into: &DepositInto,
    tell: impl FnOnce(&Transaction<'_>, ()) -> Result<R, Fault>,
) -> Result<R, Fault> {
    let seen = administered(app, caller, id)?;
    let by = &caller.person.id;
    let told = app.write(|t| {
        sharing::may_deposit(t, caller, seen.round.unit, into.collection)?;
        handed_in::deposit(t, &seen.submission, into.collection, by)?;
        tell(t, ())
    })?;
    app.pool.wake();
    Ok(told)
}

/// Cancels the check of a submission; it costs nothing of the quota.
///
/// # Errors
/// When the caller only reads, or the check is over.
pub fn cancel<R>(
    app: &App,
    caller: &Caller,
    id: &str,
    tell: impl FnOnce(&Transaction<'_>, ()) -> Result<R, Fault>,
) -> Result<R, Fault> {
    if matches!(see(app, caller, id)?.view, View::Reads | View::Reviews) {
        return Err((&NOT_ALLOWED).into());
    }
    let (told, job) = app.write(|t| {
        let status = queue::status(t, id)?.filter(|status| !status.state.is_over()).ok_or(&NOT_FOUND)?;
        queue::cancel(t, status.job)?;
        audit::record(t, Some(&caller.person.id), "cancel", id, "")?;
        Ok((tell(t, ())?, status.job))
    })?;
    app.pool.kill(job);
    Ok(told)
}

/// Checks a submission again: because it failed, or the library has grown since.
///
/// # Errors
/// When the caller does not decide on it, somebody has decided, or it is being checked.
pub fn check_again<R>(
    app: &App,
    caller: &Caller,
    id: &str,
    tell: impl FnOnce(&Transaction<'_>, ()) -> Result<R, Fault>,
) -> Result<R, Fault> {
    let seen = see(app, caller, id)?;
    if seen.view != View::Decides {
        return Err((&NOT_ALLOWED).into());
    }
    let told = app.write(|t| {
        handed_in::check_again(t, &seen.round, &seen.submission, &caller.person.id, 0)?;
        tell(t, ())
    })?;
    app.pool.wake();
    Ok(told)
}

/// The file that was handed in, with a name to keep it under; whoever may know whose it is may have it.
///
/// # Errors
/// When the caller may not, or the file is gone.
pub fn original(app: &App, caller: &Caller, id: &str) -> Result<(String, Vec<u8>), Fault> {
    let seen = see(app, caller, id)?;
    if !seen.shows_names() {
        return Err((&NOT_ALLOWED).into());
    }
    let Submission { id, kind, attempt, file, .. } = &seen.submission;
    let Some((_, ending)) = file.rsplit_once('.') else { return Err((&FILE_GONE).into()) };
    let bytes = std::fs::read(app.data.join(file))?;
    app.store.write(|t| audit::record(t, Some(&caller.person.id), "fetch_file", id, ""))?;
    Ok((format!("submission-{}-{}-{attempt}.{ending}", &id[..8], kind.as_str()), bytes))
}

/// Erases a submission, and gives its round's id.
///
/// # Errors
/// When the caller does not administer it.
pub fn erase(app: &App, caller: &Caller, id: &str) -> Result<String, Fault> {
    let seen = administered(app, caller, id)?;
    let erased = app.store.write(|t| erase::submission(t, id, Some(&caller.person.id)))?;
    erase::finish(app, &erased);
    Ok(seen.round.id)
}

worded! {
    /// Whom a link shows a report as to.
    ShownTo:
    /// Staff.
    Staff "staff";
    /// Staff who learn no names before the verdict.
    Anonymous "anonymous";
    /// The student.
    Student "student";
}

/// Makes a link by which a third system shows the report for some minutes, and tells its secret.
///
/// # Errors
/// When the caller has no access to the submission, or there is no report yet.
pub fn make_link<R>(
    app: &App,
    caller: &Caller,
    id: &str,
    shown_to: ShownTo,
    tell: impl FnOnce(&Transaction<'_>, String) -> Result<R, Fault>,
) -> Result<R, Fault> {
    let (seen, secret) = (see(app, caller, id)?, secret::new_secret());
    // Who is shown no names hands none on.
    let shown_to = if shown_to == ShownTo::Staff && !seen.shows_names() { ShownTo::Anonymous } else { shown_to };
    app.store.write(|t| {
        reports::kept(t, id)?;
        t.execute("DELETE FROM viewer WHERE expires < ?1", [now()])?;
        let sql = "INSERT INTO viewer VALUES (?1, ?2, ?3, ?4)";
        t.execute(sql, params![secret::hash(&secret), id, shown_to, now() + LINK_LASTS])?;
        audit::record(t, Some(&caller.person.id), "make_viewer", id, shown_to.as_str())?;
        tell(t, secret)
    })
}

/// The report that a link shows.
///
/// # Errors
/// When there is no such link, or no longer.
pub fn linked_report(app: &App, secret: &str, closed: &str) -> Result<Case, Fault> {
    let case = app.read(|c| {
        let sql = "SELECT submission, view FROM viewer WHERE hash = ?1 AND expires > ?2";
        let found = rows::first(c, sql, params![secret::hash(secret), now()])?;
        let (id, shown_to): (String, ShownTo) = found.ok_or(&NOT_FOUND)?;
        let submission = handed_in::get(c, &id)?;
        let round = Round::get(c, &submission.round)?;
        Case::read(c, submission, round, shown_to, closed)
    })?;
    audit::look(&app.store, None, "view_report", &case.submission.id)?;
    Ok(case)
}
