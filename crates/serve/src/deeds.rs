//! What both the pages and the programming interface do: whether the caller may do it, what is done, and what it came to.

pub mod archives;
pub mod collections;
pub mod elsewhere;
pub mod office;
pub mod outcome;
pub mod people;
pub mod rounds;
pub mod submissions;

use self::outcome::{Made, Outcome};
use crate::access::{self, Object};
use crate::app::App;
use crate::collections::make_index;
use crate::fault::{FILE_GONE, Fault, NOT_ALLOWED, NOT_ENROLLED, NOT_FOUND, NOT_SHOWN, refused};
use crate::http::call::Call;
use crate::people::import::{Named, Row, Terms, all_right, take};
use crate::people::session::Caller;
use crate::people::{Person, Role, unit_and_above};
use crate::queue::State;
use crate::reports::decisions::{self, Decision};
use crate::reports::{self, redact, review};
use crate::rounds::{self as all_rounds, NewRound, Round, Standing};
use crate::store::word::worded;
use crate::store::{Transaction, now, rows, secret};
use crate::submissions::{self as handed_in, Kind, Seen, Shown, Submission, View, Way};
use crate::{audit, enrolment, erase, queue, sharing, terms};
use copytrace::check::Report;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use utoipa::ToSchema;

/// Seconds for which a link to a report is good.
const LINK_LASTS: i64 = 600;

/// Makes a round.
///
/// # Errors
/// When the caller does not administer its unit, or a field is wrong.
pub fn make_round(call: &Call, new: &NewRound) -> Result<Made, Fault> {
    call.does(|t| Ok(Made { id: put_round(t, call, new)? }))
}

/// Puts a round that is made into the database, with its index, and gives its id.
///
/// # Errors
/// Those of [`make_round`].
pub fn put_round(t: &Transaction<'_>, call: &Call, new: &NewRound) -> Result<String, Fault> {
    let by = &call.caller()?.person;
    if !by.has(Role::Administrator, &unit_and_above(t, new.unit)?) {
        return Err((&NOT_ALLOWED).into());
    }
    let id = all_rounds::create(t, new, false)?;
    audit::record(t, Some(&by.id), audit::Action::CreateRound, &id, "")?;
    make_index(&call.app.data, &format!("rounds/{id}"))?;
    Ok(id)
}

/// Where students were enrolled.
#[derive(Serialize, ToSchema)]
pub struct EnrolledIn {
    round: String,
    /// How many.
    #[serde(skip)]
    pub count: usize,
}

impl Outcome for EnrolledIn {}

/// Puts the students of a list into a round.
///
/// # Errors
/// When the caller does not administer the round, or a row of the list is wrong.
pub fn enrol(call: &Call, list: Vec<Vec<String>>) -> Result<EnrolledIn, Fault> {
    let (caller, round) = (call.caller()?, call.part("id")?);
    call.does(|t| {
        let listed = all_right(take_into(t, caller, round, list)?)?;
        let count = listed.iter().filter(|listed| listed.role == Role::Student).count();
        audit::record(t, Some(&caller.person.id), audit::Action::Enrol, round, &count.to_string())?;
        people::taken(t, call)?;
        Ok(EnrolledIn { round: round.to_owned(), count })
    })
}

/// What [`enrol`] would come to, row by row; nothing is changed.
///
/// # Errors
/// When the caller does not administer the round, or the list is none.
pub fn rehearse_enrolment(call: &Call, list: Vec<Vec<String>>) -> Result<Vec<Row>, Fault> {
    call.app.store.rehearse(|t| take_into(t, call.caller()?, call.part("id")?, list))
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

/// A submission that was handed in.
#[derive(Serialize, ToSchema)]
pub struct HandedIn {
    pub(crate) id: String,
    state: State,
}

impl Outcome for HandedIn {
    fn place(&self) -> Option<String> {
        Some(format!("/api/v1/submissions/{}", self.id))
    }
}

/// Hands a file in, students for themselves, administrators for a student.
///
/// # Errors
/// When the caller may not hand it in, or the round's rules are against it.
pub fn hand_in(call: &Call) -> Result<HandedIn, Fault> {
    let (app, caller, of, file, mut gone) =
        (&call.app, call.caller()?, call.fields::<HandIn>()?, call.file()?, Vec::new());
    let done = call.does(|t| {
        let (round, standing) = Round::of(t, caller, call.part("id")?)?;
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
        gone = handed_in::forget_unreadable(t, before, [&round.id, &student, &id])?;
        Ok(HandedIn { id, state: State::Queued })
    })?;
    app.remove_files(&gone);
    app.pool.wake();
    Ok(done)
}

/// Where finals are deposited.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DepositInto {
    /// The collection's id.
    #[schema(minimum = 1)]
    pub collection: i64,
}

/// The number of finals that are deposited.
#[derive(Serialize, ToSchema)]
pub struct Deposited {
    pub(crate) deposited: usize,
}

impl Outcome for Deposited {}

/// Deposits all finals of a round that have passed.
///
/// # Errors
/// When the caller does not administer the round, or there is no such collection.
pub fn deposit_passed(call: &Call) -> Result<Deposited, Fault> {
    let (caller, into) = (call.caller()?, call.fields::<DepositInto>()?.collection);
    call.queues(|t| {
        let round = Round::administered(t, caller, call.part("id")?)?;
        sharing::may_deposit(t, caller, round.unit, into)?;
        Ok(Deposited { deposited: handed_in::deposit_passed(t, &round.id, into, &caller.person.id)? })
    })
}

/// The submission of the path as the caller sees it.
///
/// # Errors
/// When there is none, or the caller has no access to it.
pub fn see(call: &Call) -> Result<Seen, Fault> {
    call.app.read(|c| handed_in::see(c, call.caller()?, call.part("id")?))
}

/// The same, where the caller administers it.
fn administered(call: &Call) -> Result<Seen, Fault> {
    match see(call)? {
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

/// The report on a submission as the caller may see it. That it was looked at is recorded.
///
/// # Errors
/// When there is none yet, or it is not shown.
pub fn report(call: &Call, seen: &Seen) -> Result<Case, Fault> {
    let shown_to = match (seen.view, seen.shown()) {
        (View::Student, Shown::Report) => ShownTo::Student,
        (View::Student, Shown::Ratio | Shown::Nothing) => return Err((&NOT_SHOWN).into()),
        _ if seen.shows_names() => ShownTo::Staff,
        _ => ShownTo::Anonymous,
    };
    let Seen { submission, round, .. } = seen.clone();
    let mut case = call.app.read(|c| Case::read(c, submission, round, shown_to, call.words().closed_source))?;
    if seen.view == View::Reviews {
        // A reviewer judges alone; and reasons may name people.
        (case.decisions, case.left_out) = Default::default();
    }
    audit::look(&call.app.store, Some(&call.caller()?.person.id), audit::Action::ViewReport, &seen.submission.id)?;
    Ok(case)
}

/// The same as JSON: to staff the bytes that the program gives for the same file, library and settings, and behind them what people
/// decided, if they did.
///
/// # Errors
/// Those of [`report`].
pub fn report_json(call: &Call) -> Result<Vec<u8>, Fault> {
    let seen = see(call)?;
    let (case, id) = (report(call, &seen)?, seen.submission.id.as_str());
    let (json, verdicts) = call.app.read(|c| {
        let json = match case.shown_to {
            ShownTo::Staff if case.withheld.iter().all(Option::is_none) => reports::kept(c, id)?.json,
            _ => case.report.to_json()?.into_bytes(),
        };
        let verdicts = if seen.view == View::Reviews { Vec::new() } else { handed_in::verdicts(c, id)? };
        Ok((json, verdicts))
    })?;
    review::add_to(json, &case, &verdicts)
}

/// A final that is being deposited.
#[derive(Serialize, ToSchema)]
pub struct DepositQueued {
    submission: String,
}

impl Outcome for DepositQueued {}

/// Deposits a final into a collection.
///
/// # Errors
/// When the caller does not administer it, or it has not passed.
pub fn deposit(call: &Call) -> Result<DepositQueued, Fault> {
    let (into, caller) = (call.fields::<DepositInto>()?.collection, call.caller()?);
    let Seen { submission, round, .. } = administered(call)?;
    call.queues(|t| {
        sharing::may_deposit(t, caller, round.unit, into)?;
        handed_in::deposit(t, &submission, into, &caller.person.id)?;
        Ok(DepositQueued { submission: submission.id })
    })
}

/// A submission whose check was cancelled.
#[derive(Serialize, ToSchema)]
pub struct Cancelled {
    submission: String,
    state: State,
}

impl Outcome for Cancelled {}

/// Cancels the check of a submission; it costs nothing of the quota.
///
/// # Errors
/// When the caller only reads, or the check is over.
pub fn cancel(call: &Call) -> Result<Cancelled, Fault> {
    let (Seen { submission: Submission { id, .. }, view, .. }, mut job) = (see(call)?, 0);
    if matches!(view, View::Reads | View::Reviews) {
        return Err((&NOT_ALLOWED).into());
    }
    let done = call.does(|t| {
        job = queue::status(t, &id)?.filter(|status| !status.state.is_over()).ok_or(&NOT_FOUND)?.job;
        queue::cancel(t, job)?;
        audit::record(t, Some(&call.caller()?.person.id), audit::Action::Cancel, &id, "")?;
        Ok(Cancelled { submission: id, state: State::Cancelled })
    })?;
    call.app.pool.kill(job);
    Ok(done)
}

/// A submission that is being checked again.
#[derive(Serialize, ToSchema)]
pub struct CheckQueued {
    submission: String,
    state: State,
}

impl Outcome for CheckQueued {}

/// Checks a submission again: because it failed, or the library has grown since.
///
/// # Errors
/// When the caller does not decide on it, somebody has decided, or it is being checked.
pub fn check_again(call: &Call) -> Result<CheckQueued, Fault> {
    let Seen { submission, round, view, .. } = see(call)?;
    if view != View::Decides {
        return Err((&NOT_ALLOWED).into());
    }
    call.queues(|t| {
        handed_in::check_again(t, &round, &submission, &call.caller()?.person.id, 0)?;
        Ok(CheckQueued { submission: submission.id, state: State::Queued })
    })
}

/// The file that was handed in, with a name to keep it under; whoever may know whose it is may have it.
///
/// # Errors
/// When the caller may not, or the file is gone.
pub fn original(call: &Call) -> Result<(String, Vec<u8>), Fault> {
    let seen = see(call)?;
    if !seen.shows_names() {
        return Err((&NOT_ALLOWED).into());
    }
    let Submission { id, kind, attempt, file, .. } = &seen.submission;
    let Some((_, ending)) = file.rsplit_once('.') else { return Err((&FILE_GONE).into()) };
    let bytes = std::fs::read(call.app.data.join(file))?;
    call.app.write(|t| audit::record(t, Some(&call.caller()?.person.id), audit::Action::FetchFile, id, ""))?;
    Ok((format!("submission-{}-{}-{attempt}.{ending}", &id[..8], kind.as_str()), bytes))
}

/// Erases a submission, and gives its round's id.
///
/// # Errors
/// When the caller does not administer it.
pub fn erase(call: &Call) -> Result<String, Fault> {
    let Seen { submission, round, .. } = administered(call)?;
    let erased = call.app.write(|t| erase::submission(t, &submission.id, Some(&call.caller()?.person.id)))?;
    erase::finish(&call.app, &erased);
    Ok(round.id)
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

/// Whom a link shows the report as to: `staff` if it does not say.
#[derive(Deserialize, ToSchema)]
pub struct ViewerOf {
    view: Option<ShownTo>,
}

/// A link to a report.
#[derive(Serialize, ToSchema)]
pub struct Viewer {
    path: String,
    expires_in: i64,
}

impl Outcome for Viewer {
    const IS_SECRET: bool = true;
}

/// Makes a link by which a third system shows the report, for some minutes: to staff, or as its student sees it.
///
/// # Errors
/// When the caller has no access to the submission, or there is no report yet.
pub fn make_link(call: &Call) -> Result<Viewer, Fault> {
    let shown_to = call.fields::<ViewerOf>()?.view.unwrap_or(ShownTo::Staff);
    let (seen, secret) = (see(call)?, secret::new_secret());
    let id = seen.submission.id.as_str();
    // Who is shown no names hands none on.
    let shown_to = if shown_to == ShownTo::Staff && !seen.shows_names() { ShownTo::Anonymous } else { shown_to };
    call.does(|t| {
        reports::kept(t, id)?;
        t.execute("DELETE FROM viewer WHERE expires < ?1", [now()])?;
        let sql = "INSERT INTO viewer VALUES (?1, ?2, ?3, ?4)";
        t.execute(sql, params![secret::hash(&secret), id, shown_to, now() + LINK_LASTS])?;
        audit::record(t, Some(&call.caller()?.person.id), audit::Action::MakeViewer, id, shown_to.as_str())?;
        Ok(Viewer { path: format!("/view/{secret}"), expires_in: LINK_LASTS })
    })
}

/// The report that a link shows.
///
/// # Errors
/// When there is no such link, or no longer.
pub fn linked_report(call: &Call) -> Result<Case, Fault> {
    let case = call.app.read(|c| {
        let sql = "SELECT submission, view FROM viewer WHERE hash = ?1 AND expires > ?2";
        let found = rows::first(c, sql, params![secret::hash(call.part("secret")?), now()])?;
        let (id, shown_to): (String, ShownTo) = found.ok_or(&NOT_FOUND)?;
        let submission = handed_in::get(c, &id)?;
        let round = Round::get(c, &submission.round)?;
        Case::read(c, submission, round, shown_to, call.words().closed_source)
    })?;
    audit::look(&call.app.store, None, audit::Action::ViewReport, &case.submission.id)?;
    Ok(case)
}
