//! Deeds about rounds that are there: their rules, students, reviewers, templates and archives.

use super::outcome::{Count, Outcome};
use crate::access::{self, Object};
use crate::fault::{BAD_FIELD, Fault, WRONG_KIND, refused};
use crate::http::call::Call;
use crate::people::Role;
use crate::people::import::supervisor_of;
use crate::rounds::{self, NewRound, Round};
use crate::store::secret;
use crate::{audit, enrolment, reviewers, submissions};
use copytrace_messages::Message;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The round of the path, which the caller administers.
fn administered(call: &Call) -> Result<Round, Fault> {
    call.app.read(|c| Round::administered(c, call.caller()?, call.part("id")?))
}

/// Changes a round to what is told of it. Its unit stays.
///
/// # Errors
/// When the caller does not administer it, or a field is wrong.
pub fn change(call: &Call, new: impl FnOnce(&Round) -> Result<NewRound, Fault>) -> Result<(), Fault> {
    let round = administered(call)?;
    let new = new(&round)?;
    if new.unit != round.unit {
        return refused(&BAD_FIELD, "unit");
    }
    call.does(|t| {
        rounds::change(t, &round, &new)?;
        audit::record(t, Some(&call.caller()?.person.id), audit::Action::ChangeRound, &round.id, "")
    })
}

/// Removes a round into which nothing was handed in.
///
/// # Errors
/// When the caller does not administer it, or something was.
pub fn remove(call: &Call) -> Result<(), Fault> {
    let (round, mut files) = (administered(call)?, Vec::new());
    call.does(|t| {
        files = rounds::remove(t, &round.id, &call.caller()?.person.id)?;
        Ok(())
    })?;
    call.app.remove_files(&files);
    Ok(())
}

/// How many checks a student has besides those of the round.
#[derive(Deserialize, ToSchema)]
pub struct MoreChecks {
    extra_checks: i64,
}

/// Sets how many checks a student has besides those of the round.
///
/// # Errors
/// When the caller does not administer it, or the student is not in it.
pub fn allow(call: &Call) -> Result<(), Fault> {
    let (round, extra) = (administered(call)?, call.fields::<MoreChecks>()?.extra_checks);
    call.does(|t| enrolment::allow(t, &call.caller()?.person.id, &round.id, call.part("student")?, extra))
}

/// What is corrected of a student of a round: what is not told is taken away.
#[derive(Deserialize, ToSchema)]
pub struct Correction {
    /// The supervisor's number or name.
    supervisor: Option<String>,
    thesis_title: Option<String>,
}

/// Corrects who supervises a student, and the title of the thesis.
///
/// # Errors
/// When the caller does not administer the round, or may not name the supervisor.
pub fn correct(call: &Call) -> Result<(), Fault> {
    let (caller, round, form) = (call.caller()?, administered(call)?, call.fields::<Correction>()?);
    let title = form.thesis_title.as_deref().map(str::trim);
    call.does(|t| {
        let named = match form.supervisor.as_deref().map(str::trim) {
            None => None,
            Some(word) => match supervisor_of(t, "", word)? {
                Err(problem) => return Err(Fault::Told(&BAD_FIELD, vec![problem])),
                Ok(person) => {
                    access::require(t, caller, Object::Listed(&person), &[Role::Administrator])?;
                    Some(person)
                }
            },
        };
        enrolment::correct(t, &caller.person.id, &round.id, call.part("student")?, named.as_ref(), title)
    })
}

/// Takes a student who has handed in nothing out of the round.
///
/// # Errors
/// When the caller does not administer it, or the student has.
pub fn remove_student(call: &Call) -> Result<(), Fault> {
    let round = administered(call)?;
    call.does(|t| enrolment::remove(t, &call.caller()?.person.id, &round.id, call.part("student")?))
}

/// Whom reviewers are drawn from, and how many for each student.
#[derive(Deserialize, ToSchema)]
pub struct Draw {
    unit: i64,
    reviewers: i64,
}

/// Draws reviewers.
///
/// # Errors
/// When there are too few.
pub fn draw(call: &Call) -> Result<Count, Fault> {
    let (round, Draw { unit, reviewers }) = (administered(call)?, call.fields()?);
    call.does(|t| Ok(Count { count: reviewers::draw(t, &call.caller()?.person.id, &round, unit, reviewers)? }))
}

/// The columns of the list, each with the names that it may have.
const COLUMNS: [&[&str]; 2] =
    [&["student", "number", "学号"], &["reviewer", "评审工号", "评审", "评阅人工号", "评阅人"]];

/// Names the reviewers of a list.
///
/// # Errors
/// When some of its rows are wrong.
pub fn name_reviewers(call: &Call) -> Result<Count, Fault> {
    let (list, round) = (call.list()?, administered(call)?);
    let mut lines = (1..).zip(list).skip_while(|(_, cells)| cells.iter().all(String::is_empty));
    let heads = lines.next().map(|(_, cells)| cells).unwrap_or_default();
    let place = |names: &[&str]| heads.iter().position(|head| names.contains(&head.trim().to_lowercase().as_str()));
    let [Some(student), Some(reviewer)] = COLUMNS.map(place) else {
        return Err(Fault::Told(&BAD_FIELD, vec![Message::new("reviewer-heads")]));
    };
    let cell = |cells: &[String], at: usize| cells.get(at).map_or("", |cell| cell.trim()).to_owned();
    let pairs: Vec<_> = lines.map(|(line, cells)| (line, cell(&cells, student), cell(&cells, reviewer))).collect();
    let pairs: Vec<_> =
        pairs.into_iter().filter(|(_, student, reviewer)| !student.is_empty() || !reviewer.is_empty()).collect();
    call.does(|t| Ok(Count { count: reviewers::name(t, call.caller()?, &round, &pairs)? }))
}

/// A reviewer, by the person's id.
#[derive(Deserialize, ToSchema)]
pub struct NamedReviewer {
    reviewer: String,
}

/// Takes a reviewer back who has said nothing yet.
///
/// # Errors
/// When there is none such.
pub fn take_reviewer_back(call: &Call) -> Result<(), Fault> {
    let (round, NamedReviewer { reviewer }) = (administered(call)?, call.fields()?);
    call.does(|t| reviewers::take_back(t, &call.caller()?.person.id, &round, call.part("student")?, &reviewer))
}

/// Adds a template to the round.
///
/// # Errors
/// When the caller does not administer it, or it is no file of a kind that is read.
pub fn add_template(call: &Call) -> Result<(), Fault> {
    let (round, uploaded) = (administered(call)?, call.file()?);
    let Some(ending) = submissions::ending(&uploaded.name) else { return refused(&WRONG_KIND, &uploaded.name) };
    let file = format!("templates/{}.{ending}", secret::new_id());
    call.does(|t| {
        rounds::add_template(t, &round.id, &uploaded.name, &file, &call.caller()?.person.id)?;
        Ok(std::fs::rename(call.app.data.join(&uploaded.file), call.app.data.join(&file))?)
    })
}

/// Takes a template away; reports that are there stay as they are.
///
/// # Errors
/// When there is none.
pub fn remove_template(call: &Call) -> Result<(), Fault> {
    let (round, template, mut file) = (administered(call)?, call.number("template")?, String::new());
    call.does(|t| {
        file = rounds::remove_template(t, &round.id, template, &call.caller()?.person.id)?;
        Ok(())
    })?;
    call.app.remove_files(&[file]);
    Ok(())
}

/// How many submissions are checked again.
#[derive(Serialize, ToSchema)]
pub struct CheckedAgain {
    /// How many.
    pub submissions: usize,
}

impl Outcome for CheckedAgain {}

/// Checks all submissions of a round again that could not be checked.
///
/// # Errors
/// When the caller does not administer the round.
pub fn check_failed(call: &Call) -> Result<CheckedAgain, Fault> {
    let round = administered(call)?;
    call.queues(|t| {
        let failed = submissions::failed(t, &round.id)?;
        let by = &call.caller()?.person.id;
        failed.iter().try_for_each(|one| submissions::check_again(t, &round, one, by, 1))?;
        Ok(CheckedAgain { submissions: failed.len() })
    })
}
