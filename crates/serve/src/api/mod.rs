//! The programming interface `/api/v1`.

mod office;
mod round;

pub use office::*;
pub use round::*;

use crate::batches::{self, Member};
use crate::collections;
use crate::deeds::outcome::Made;
use crate::deeds::{self, DepositInto, HandIn, HandInMany, LINK_LASTS, ShownTo};
use crate::fault::{BAD_FIELD, Fault, refused};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::listing::{Wanted, of_round, supervisor_of};
use crate::queue::{self, State, Status};
use crate::reports::{self, Figures};
use crate::rounds::{NewRound, Round, Standing, visible};
use crate::submissions::{Kind, Shown, Submission, Verdict, View};
use axum::http::header;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
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
    let new = call.fields::<NewRound>()?;
    deeds::make_round(&call.app, call.caller()?, &new, |t, id| call.tell(t, Reply::json(&Made { id }).status(201)))
}

/// Where students were enrolled.
#[derive(Serialize, ToSchema)]
pub struct EnrolledIn<'a> {
    round: &'a str,
}

/// Puts students into a round.
pub fn enrol(call: &Call) -> Result<Reply, Fault> {
    let round = call.part("id")?;
    let told = Reply::json(&EnrolledIn { round }).status(201);
    deeds::enrol(&call.app, call.caller()?, round, call.list()?, |t, _| call.tell(t, told))
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

/// A submission that was handed in.
#[derive(Serialize, ToSchema)]
pub struct HandedIn {
    id: String,
    state: State,
}

/// Hands a file in.
pub fn submit(call: &Call) -> Result<Reply, Fault> {
    let (round, of) = (call.part("id")?, call.fields::<HandIn>()?);
    deeds::hand_in(&call.app, call.caller()?, round, &of, call.file()?, |t, id| {
        let place = format!("/api/v1/submissions/{id}");
        let told = Reply::json(&HandedIn { id, state: State::Queued });
        call.tell(t, told.status(201).with(header::LOCATION, place))
    })
}

/// An archive that was unpacked and waits.
#[derive(Serialize, ToSchema)]
pub struct Unpacked {
    id: String,
    round: String,
    kind: Kind,
    files: Vec<Member>,
}

fn unpacked(c: &Connection, call: &Call, id: &str) -> Result<Reply, Fault> {
    let batch = batches::get(c, call.caller()?, id)?;
    Ok(Reply::json(&Unpacked { id: batch.id, round: batch.round.id, kind: batch.kind, files: batch.files }))
}

/// Unpacks an archive and tells which file is whose; nothing is queued yet.
pub fn take_batch(call: &Call) -> Result<Reply, Fault> {
    let (round, kind) = (call.part("id")?, call.fields::<HandInMany>()?.kind);
    batches::take(&call.app, call.caller()?, round, kind, call.file()?, |t, id| {
        call.tell(t, unpacked(t, call, &id)?.status(201))
    })
}

/// Which file of an archive is whose.
pub fn batch(call: &Call) -> Result<Reply, Fault> {
    let id = call.part("id")?;
    call.app.read(|c| unpacked(c, call, id))
}

/// Submissions that were queued, by id.
#[derive(Serialize, ToSchema)]
pub struct Started {
    submissions: Vec<String>,
}

/// Queues the files that match, and tells the submissions' ids.
pub fn start_batch(call: &Call) -> Result<Reply, Fault> {
    batches::start(&call.app, call.caller()?, call.part("id")?, |t, (_, submissions)| {
        call.tell(t, Reply::json(&Started { submissions }).status(202))
    })
}

/// The number of finals that are deposited.
#[derive(Serialize, ToSchema)]
pub struct Deposited {
    deposited: usize,
}

/// Deposits all finals of a round that have passed.
pub fn deposit_passed(call: &Call) -> Result<Reply, Fault> {
    let (round, into) = (call.part("id")?, call.fields::<DepositInto>()?);
    deeds::deposit_passed(&call.app, call.caller()?, round, &into, |t, deposited| {
        call.tell(t, Reply::json(&Deposited { deposited }).status(202))
    })
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
    let seen = deeds::see(&call.app, call.caller()?, call.part("id")?)?;
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
    deeds::erase(&call.app, call.caller()?, call.part("id")?)?;
    Ok(Reply::bytes("application/json", Vec::new()).status(204))
}

/// A final that is being deposited.
#[derive(Serialize, ToSchema)]
pub struct DepositQueued<'a> {
    submission: &'a str,
}

/// Deposits a final into a collection.
pub fn deposit(call: &Call) -> Result<Reply, Fault> {
    let submission = call.part("id")?;
    let told = Reply::json(&DepositQueued { submission }).status(202);
    deeds::deposit(&call.app, call.caller()?, submission, &call.fields()?, |t, ()| call.tell(t, told))
}

/// A submission whose check was cancelled.
#[derive(Serialize, ToSchema)]
pub struct Cancelled<'a> {
    submission: &'a str,
    state: State,
}

/// Cancels a check.
pub fn cancel(call: &Call) -> Result<Reply, Fault> {
    let submission = call.part("id")?;
    let told = Reply::json(&Cancelled { submission, state: State::Cancelled });
    deeds::cancel(&call.app, call.caller()?, submission, |t, ()| call.tell(t, told))
}

/// A submission that is being checked again.
#[derive(Serialize, ToSchema)]
pub struct CheckQueued<'a> {
    submission: &'a str,
    state: State,
}

/// Checks a submission again.
pub fn check_again(call: &Call) -> Result<Reply, Fault> {
    let submission = call.part("id")?;
    let told = Reply::json(&CheckQueued { submission, state: State::Queued }).status(202);
    deeds::check_again(&call.app, call.caller()?, submission, |t, ()| call.tell(t, told))
}

/// The collections.
pub fn collections(call: &Call) -> Result<Reply, Fault> {
    list(call.app.read(|c| collections::nameable(c, call.caller()?))?)
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

/// Makes a link by which a third system shows the report, for some minutes: to staff, or as its student sees it.
pub fn make_viewer(call: &Call) -> Result<Reply, Fault> {
    let view = call.fields::<ViewerOf>()?.view.unwrap_or(ShownTo::Staff);
    deeds::make_link(&call.app, call.caller()?, call.part("id")?, view, |t, secret| {
        let told = Reply::json(&Viewer { path: format!("/view/{secret}"), expires_in: LINK_LASTS });
        call.tell(t, told.status(201).secret())
    })
}
