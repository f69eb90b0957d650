//! What programs read of a round, and of what was decided in it.

use super::list;
use crate::access::{self, Object};
use crate::deeds;
use crate::fault::{Fault, NOT_ALLOWED, NOT_FOUND};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::listing::supervisor_of;
use crate::people::Role;
use crate::reviewers::{self, Reviewer};
use crate::rounds::{self, Round, Standing};
use crate::submissions::View;
use crate::{enrolment, reports};
use serde::Serialize;
use utoipa::ToSchema;

/// A round with what its submissions are compared with; these are told to those who administer or audit it.
#[derive(Serialize, ToSchema)]
pub struct RoundTold {
    #[serde(flatten)]
    round: Round,
    /// The collections that are compared.
    collections: Vec<i64>,
    templates: Vec<Template>,
}

/// A template.
#[derive(Serialize, ToSchema)]
pub struct Template {
    id: i64,
    name: String,
}

/// A round.
pub fn round(call: &Call) -> Result<Reply, Fault> {
    let told = call.app.read(|c| {
        let (round, standing) = Round::of(c, call.caller()?, call.part("id")?)?;
        let (mut collections, mut templates) = (Vec::new(), Vec::new());
        if matches!(standing, Standing::Administers | Standing::Audits) {
            collections = rounds::compared(c, &round.id)?;
            templates = rounds::template_names(c, &round.id)?;
        }
        let templates = templates.into_iter().map(|(id, name)| Template { id, name }).collect();
        Ok(RoundTold { round, collections, templates })
    })?;
    Ok(Reply::json(&told))
}

/// Changes a round.
pub fn change_round(call: &Call) -> Result<Reply, Fault> {
    Ok(call.told(&deeds::rounds::change(call, |_| call.fields())?))
}

/// The students of a round.
pub fn students(call: &Call) -> Result<Reply, Fault> {
    let caller = call.caller()?;
    list(call.app.read(|c| {
        let (round, standing) = Round::of(c, caller, call.part("id")?)?;
        if matches!(standing, Standing::Studies | Standing::Reviews) {
            return Err(Fault::from(&NOT_FOUND));
        }
        let mut students = enrolment::all(c, &round.id, supervisor_of(standing, &caller.person.id), false)?;
        if round.anonymous && standing == Standing::Supervises {
            // Who is missing would tell a supervisor whose the others are.
            students.iter_mut().for_each(|student| (student.submissions, student.finals) = (0, 0));
        }
        Ok(students)
    })?)
}

/// A student with the reviewers of the last final, or of the one that is to come.
#[derive(Serialize, ToSchema)]
pub struct Reviewed {
    student: String,
    reviewers: Vec<Reviewer>,
}

/// Who reviews whose finals in a round.
pub fn reviewers(call: &Call) -> Result<Reply, Fault> {
    list(call.app.read(|c| {
        let (round, _) = Round::of(c, call.caller()?, call.part("id")?)?;
        access::require(c, call.caller()?, Object::Round(&round.id), &[Role::Administrator, Role::Auditor])?;
        let all = reviewers::of_round(c, &round.id)?;
        Ok(all.into_iter().map(|(student, reviewers)| Reviewed { student: student.id, reviewers }).collect())
    })?)
}

/// A decision on a report.
#[derive(Serialize, ToSchema)]
pub struct DecisionTold {
    /// Its number.
    id: i64,
    /// The passages that it is about, by their places in the report, from 0.
    passages: Vec<usize>,
    reason: String,
    by: String,
    made: i64,
    revoked: Option<i64>,
}

/// What was decided about the report of a submission.
pub fn decisions(call: &Call) -> Result<Reply, Fault> {
    let seen = deeds::see(call)?;
    if matches!(seen.view, View::Student | View::Reviews) {
        return Err((&NOT_ALLOWED).into());
    }
    let id = &seen.submission.id;
    let found = call.app.read(|c| {
        let report = reports::kept(c, id)?.report()?;
        let of = |made: reports::decisions::Decision| DecisionTold {
            id: made.id,
            passages: made.passages(&report),
            reason: made.reason,
            by: made.name,
            made: made.made,
            revoked: made.revoked,
        };
        Ok(reports::decisions::all(c, id)?.into_iter().map(of).collect::<Vec<_>>())
    })?;
    list(found)
}
