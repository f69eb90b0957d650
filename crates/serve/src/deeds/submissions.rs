//! What people decide about a submission: what does not count, and the verdict.

use super::see;
use crate::fault::{Fault, NOT_ALLOWED, STILL_RUNNING};
use crate::http::call::Call;
use crate::queue;
use crate::reports::{appeals, decisions};
use crate::reviewers;
use crate::sharing;
use crate::store::Transaction;
use crate::submissions::{self, Seen, Shown, Verdict, View};
use serde::Deserialize;
use utoipa::ToSchema;

use super::outcome::Numbered;

/// Does what somebody decides on the submission of the path who may decide on it.
fn decide(call: &Call, work: impl FnOnce(&Transaction<'_>, &Seen, &str) -> Result<(), Fault>) -> Result<(), Fault> {
    let (seen, by) = (see(call)?, &call.caller()?.person.id);
    if seen.view != View::Decides {
        return Err((&NOT_ALLOWED).into());
    }
    call.does(|t| {
        // A report that is being made anew is nothing to decide on.
        match queue::status(t, &seen.submission.id)? {
            Some(status) if !status.state.is_over() => Err((&STILL_RUNNING).into()),
            _ => work(t, &seen, by),
        }
    })
}

/// What is left out of a report, and why.
#[derive(Deserialize, ToSchema)]
pub struct Exclusion {
    /// The source's id, as the report has it.
    source: Option<String>,
    /// The passage, by its place in the report, from 0.
    passage: Option<i64>,
    /// `source` for all of the passage's source.
    #[serde(default)]
    scope: String,
    reason: String,
}

/// Leaves a source or passage out.
///
/// # Errors
/// When the caller does not decide on it, or there is no such source or passage.
pub fn exclude(call: &Call) -> Result<(), Fault> {
    let Exclusion { source, passage, scope, reason } = call.fields()?;
    let whole = scope == "source";
    decide(call, |t, of, by| decisions::exclude(t, &of.submission.id, source.as_deref(), passage, whole, &reason, by))
}

/// Revokes a decision.
///
/// # Errors
/// When the caller does not decide on it, or there is none that stands.
pub fn revoke(call: &Call) -> Result<(), Fault> {
    let decision = call.number("decision")?;
    decide(call, |t, of, by| decisions::revoke(t, &of.submission.id, decision, by))
}

/// Why a passage should not count.
#[derive(Deserialize, ToSchema)]
pub struct Objection {
    /// The passage, by its place in the report, from 0.
    passage: i64,
    reason: String,
}

/// Takes a student's answer in: why a passage should not count.
///
/// # Errors
/// When the report is not shown to the caller as its student.
pub fn appeal(call: &Call) -> Result<(), Fault> {
    let (seen, by) = (see(call)?, &call.caller()?.person.id);
    let Objection { passage, reason } = call.fields()?;
    if seen.view != View::Student || seen.shown() != Shown::Report {
        return Err((&NOT_ALLOWED).into());
    }
    call.does(|t| appeals::take(t, &seen.submission.id, passage, &reason, by))
}

/// A verdict.
#[derive(Deserialize, ToSchema)]
pub struct NewVerdict {
    verdict: Verdict,
    #[serde(default)]
    comment: String,
}

/// Gives the verdict; a later one takes the place of an earlier.
///
/// # Errors
/// When the caller does not decide on it, or the one that was given stands.
pub fn give_verdict(call: &Call) -> Result<(), Fault> {
    let NewVerdict { verdict, comment } = call.fields()?;
    decide(call, |t, of, by| submissions::judge(t, of, verdict, &comment, by))
}

/// Takes the verdict of a reviewer.
///
/// # Errors
/// When the caller does not review it, or has said something already.
pub fn review(call: &Call) -> Result<(), Fault> {
    let (seen, by) = (see(call)?, &call.caller()?.person.id);
    let NewVerdict { verdict, comment } = call.fields()?;
    call.does(|t| reviewers::judge(t, &seen, verdict, &comment, by))
}

/// Whose wording is asked for, and what for.
#[derive(Deserialize, ToSchema)]
pub struct NewRequest {
    /// The source, by its place in the report, from 0.
    source: usize,
    reason: String,
}

/// Asks a unit for the wording of a source of its collection.
///
/// # Errors
/// When the caller does not decide on the submission, or the source is not withheld.
pub fn ask_for_wording(call: &Call) -> Result<Numbered, Fault> {
    let (seen, by) = (see(call)?, &call.caller()?.person.id);
    let NewRequest { source, reason } = call.fields()?;
    if seen.view != View::Decides {
        return Err((&NOT_ALLOWED).into());
    }
    call.does(|t| Ok(Numbered { id: sharing::ask(t, &seen.submission, &seen.round, source, &reason, by)? }))
}
