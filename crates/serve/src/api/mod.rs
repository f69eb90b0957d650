//! The programming interface `/api/v1`.

mod office;
mod round;

pub use office::*;
pub use round::*;

use crate::batches;
use crate::collections;
use crate::deeds;
use crate::deeds::archives::Unpacked;
use crate::fault::{BAD_FIELD, Fault, refused};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::listing::{Wanted, of_round, supervisor_of};
use crate::queue::{self, Status};
use crate::reports::{self, Figures};
use crate::rounds::{Round, Standing, visible};
use crate::submissions::{Shown, Submission, Verdict, View};
use serde::Serialize;
use utoipa::ToSchema;

/// Submissions on a page, unless fewer are asked for.
const PAGE: usize = 100;

/// An OpenAPI document.
#[derive(ToSchema)]
pub struct Description {}

/// The description of this interface.
pub fn description(call: &Call) -> Result<Reply, Fault> {
    Ok(Reply::json(&call.app.description))
}

/// A page of a list, and the id after which the next page begins.
#[derive(Serialize)]
struct Items<T> {
    items: Vec<T>,
    next: Option<String>,
}

/// All of a list.
fn list<T: Serialize>(items: Vec<T>) -> Result<Reply, Fault> {
    Ok(Reply::json(&Items { items, next: None }))
}

/// The rounds that the caller has to do with.
pub fn rounds(call: &Call) -> Result<Reply, Fault> {
    let caller = call.caller()?;
    let rounds = call.app.store.read(|c| visible(c, caller))?;
    Ok(Reply::json(&Items { items: rounds.into_iter().map(|(round, _)| round).collect(), next: None }))
}

/// Makes a round.
pub fn create_round(call: &Call) -> Result<Reply, Fault> {
    Ok(call.told(&deeds::make_round(call, &call.fields()?)?))
}

/// Puts students into a round.
pub fn enrol(call: &Call) -> Result<Reply, Fault> {
    Ok(call.told(&deeds::enrol(call, call.list()?)?))
}

/// Submissions of a round, by id, in pages.
pub fn submissions(call: &Call) -> Result<Reply, Fault> {
    let most = match call.parameter("limit") {
        "" => PAGE,
        given => match given.parse::<usize>() {
            Ok(most) if (1..=1000).contains(&most) => most,
            _ => return refused(&BAD_FIELD, "limit"),
        },
    };
    let caller = call.caller()?;
    let items = call.app.read(|c| {
        let (round, standing) = Round::of(c, caller, call.part("id")?)?;
        let student = (standing == Standing::Studies).then_some(caller.person.id.as_str());
        let (supervisor, after) = (supervisor_of(standing, &caller.person.id), Some(call.parameter("after")));
        let reviewer = (standing == Standing::Reviews).then_some(caller.person.id.as_str());
        let wanted = Wanted { student, supervisor, reviewer, after, most, ..Wanted::default() };
        let mut items = of_round(c, &round, standing, &wanted)?;
        if standing == Standing::Studies {
            // What of a report a student sees, the submission itself tells.
            items.iter_mut().for_each(|listed| listed.figures = None);
        }
        Ok(items)
    })?;
    let next = if items.len() == most { items.last().map(|listed| listed.submission.id.clone()) } else { None };
    Ok(Reply::json(&Items { items, next }))
}

/// Which file of an archive is whose.
pub fn batch(call: &Call) -> Result<Reply, Fault> {
    let batch = call.app.read(|c| batches::get(c, call.caller()?, call.part("id")?))?;
    Ok(Reply::json(&Unpacked::from(batch)))
}

/// A submission as programs see it.
#[derive(Serialize, ToSchema)]
pub struct Told {
    #[serde(flatten)]
    submission: Submission,
    status: Option<Status>,
    figures: Option<Figures>,
    verdict: Option<Verdict>,
}

/// A submission with its state and figures.
pub fn submission(call: &Call) -> Result<Reply, Fault> {
    let seen = deeds::see(call)?;
    let id = &seen.submission.id;
    let (status, figures) = call.app.read(|c| Ok((queue::status(c, id)?, reports::figures(c, id)?)))?;
    let mut figures = figures.filter(|_| seen.shown() != Shown::Nothing);
    if seen.view == View::Student {
        // What others handed in later is nothing that a student is told of.
        figures = figures.map(|figures| Figures { ratio_since: None, ..figures });
    }
    // A reviewer judges alone.
    let (named, verdict) =
        (seen.shows_names(), seen.verdict.filter(|_| seen.view != View::Reviews).map(|given| given.verdict));
    let mut submission = seen.submission;
    if !named {
        (submission.student, submission.file_name, submission.sha256) = (String::new(), None, None);
    }
    Ok(Reply::json(&Told { submission, status, figures, verdict }))
}

/// Erases a submission.
pub fn erase(call: &Call) -> Result<Reply, Fault> {
    deeds::erase(call)?;
    Ok(call.told(&()))
}

/// The collections.
pub fn collections(call: &Call) -> Result<Reply, Fault> {
    list(call.app.read(|c| collections::nameable(c, call.caller()?))?)
}
