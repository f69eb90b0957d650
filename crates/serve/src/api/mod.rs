//! The programming interface `/api/v1`, and what those who run a server ask it.

pub mod batches;
mod openapi;

use crate::fault::{BAD_FIELD, Fault, NOT_FOUND, refused};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::listing::{Wanted, of_round, supervisor_of};
use crate::pages::submission::seen;
use crate::pages::{enrolment, round, round_form, submission as page};
use crate::queue::{self, Status};
use crate::reports::{self, Figures, redact};
use crate::rounds::{NewRound, Standing, visible};
use crate::store::{now, secret};
use crate::submissions::{Seen, Shown, Submission, View, verdict};
use crate::{audit, collections as domain};
use axum::http::header;
use copytrace::report::html::{STYLE, page as report_page};
use rusqlite::{OptionalExtension, params};
use serde::Serialize;
use serde_json::json;

/// Submissions on a page, unless fewer are asked for.
const PAGE: usize = 100;
/// Seconds for which a link to a report is good.
const VIEWER: i64 = 600;

/// The description of this interface.
pub fn description(_: &Call) -> Result<Reply, Fault> {
    Ok(Reply::json(&openapi::document()))
}

/// The rounds that are the caller's business.
pub fn rounds(call: &Call) -> Result<Reply, Fault> {
    let caller = call.caller()?;
    let rounds = call.app.store.read(|c| visible(c, caller))?;
    let items: Vec<_> = rounds.into_iter().map(|(round, _)| round).collect();
    Ok(Reply::json(&json!({ "items": items, "next": null })))
}

/// Makes a round.
pub fn create_round(call: &Call) -> Result<Reply, Fault> {
    let id = round_form::make(call, &call.json::<NewRound>()?)?;
    Ok(Reply::json(&json!({ "id": id })).status(201))
}

/// Puts students into a round.
pub fn enrol(call: &Call) -> Result<Reply, Fault> {
    enrolment::enrol(call)?;
    Ok(Reply::json(&json!({ "round": call.part("id")? })).status(201))
}

/// Submissions of a round, by id, in pages.
pub fn submissions(call: &Call) -> Result<Reply, Fault> {
    let (round, standing) = round::of(call)?;
    let caller = call.caller()?;
    let most = match call.query.get("limit") {
        None => PAGE,
        Some(given) => match given.parse::<usize>() {
            Ok(most) if (1..=1000).contains(&most) => most,
            _ => return refused(&BAD_FIELD, "limit"),
        },
    };
    let after = call.query.get("after").map_or("", String::as_str);
    let student = (standing == Standing::Studies).then_some(caller.person.id.as_str());
    let supervisor = supervisor_of(standing, &caller.person.id);
    let wanted = Wanted { student, supervisor, after: Some(after), most, ..Wanted::default() };
    let mut items = call.app.store.read(|c| of_round(c, &round, standing, &wanted))?;
    if standing == Standing::Studies {
        // What of a report a student sees, the submission itself tells.
        items.iter_mut().for_each(|listed| listed.figures = None);
    }
    let next = if items.len() == most { items.last().map(|listed| listed.submission.id.clone()) } else { None };
    Ok(Reply::json(&json!({ "items": items, "next": next })))
}

/// Hands a file in.
pub fn submit(call: &Call) -> Result<Reply, Fault> {
    let id = round::take(call)?;
    let place = format!("/api/v1/submissions/{id}");
    Ok(Reply::json(&json!({ "id": id, "state": "queued" })).status(201).with(header::LOCATION, place))
}

/// A submission as programs see it.
#[derive(Serialize)]
struct Told {
    #[serde(flatten)]
    submission: Submission,
    status: Option<Status>,
    figures: Option<Figures>,
    verdict: Option<String>,
}

/// A submission with its state and figures.
pub fn submission(call: &Call) -> Result<Reply, Fault> {
    let seen = seen(call)?;
    let Seen { submission, .. } = &seen;
    let told = call.app.store.read(|c| {
        let verdict = verdict(c, &submission.id)?;
        let shown = match seen.view {
            View::Student => seen.shown_to_student(verdict.is_some()),
            View::Decides | View::Reads => Shown::Report,
        };
        let figures = if shown == Shown::Nothing { None } else { reports::figures(c, &submission.id)? };
        let mut submission = submission.clone();
        if !seen.shows_names(verdict.is_some()) {
            (submission.student, submission.file_name) = (String::new(), None);
        }
        let status = queue::status(c, &submission.id)?;
        Ok::<_, Fault>(Told { submission, status, figures, verdict: verdict.map(|verdict| verdict.verdict) })
    })?;
    Ok(Reply::json(&told))
}

/// Erases a submission.
pub fn erase(call: &Call) -> Result<Reply, Fault> {
    page::erase(call)?;
    Ok(Reply::bytes("application/json", Vec::new()).status(204))
}

/// Deposits a final into a collection.
pub fn deposit(call: &Call) -> Result<Reply, Fault> {
    page::deposit(call)?;
    Ok(Reply::json(&json!({ "submission": call.part("id")? })).status(202))
}

/// Deposits all finals of a round that have passed.
pub fn deposit_passed(call: &Call) -> Result<Reply, Fault> {
    let deposited = round::deposit_passed(call)?;
    Ok(Reply::json(&json!({ "deposited": deposited })).status(202))
}

/// Cancels a check.
pub fn cancel(call: &Call) -> Result<Reply, Fault> {
    page::cancel(call)?;
    Ok(Reply::json(&json!({ "submission": call.part("id")?, "state": "cancelled" })))
}

/// The collections.
pub fn collections(call: &Call) -> Result<Reply, Fault> {
    crate::pages::people::overseer(call)?;
    let items = call.app.store.read(domain::all)?;
    Ok(Reply::json(&json!({ "items": items, "next": null })))
}

/// Makes a link by which a third system shows the report, for some minutes: to staff, or as its student sees it.
pub fn make_viewer(call: &Call) -> Result<Reply, Fault> {
    let seen = seen(call)?;
    let view = match call.field("view").as_deref() {
        Some("student") => "student",
        None | Some("staff") => "staff",
        Some(_) => return refused(&BAD_FIELD, "view"),
    };
    let (id, by, secret) = (&seen.submission.id, &call.caller()?.person.id, secret::new_secret());
    call.app.store.write(|t| {
        reports::kept(t, id)?;
        // Who is shown no names hands none on.
        let view = match view {
            "staff" if !seen.shows_names(verdict(t, id)?.is_some()) => "anonymous",
            view => view,
        };
        t.execute("DELETE FROM viewer WHERE expires < ?1", [now()])?;
        t.execute(
            "INSERT INTO viewer VALUES (?1, ?2, ?3, ?4)",
            params![secret::hash(&secret), id, view, now() + VIEWER],
        )?;
        audit::record(t, Some(by), "make_viewer", id, view).map_err(Fault::from)
    })?;
    Ok(Reply::json(&json!({ "path": format!("/view/{secret}"), "expires_in": VIEWER })).status(201))
}

/// A report by such a link.
pub fn viewer(call: &Call) -> Result<Reply, Fault> {
    let secret = call.part("secret")?;
    let report = call.app.store.read(|c| {
        let sql = "SELECT submission, view FROM viewer WHERE hash = ?1 AND expires > ?2";
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
        let found = c.query_row(sql, params![secret::hash(secret), now()], read).optional()?;
        let (submission, view) = found.ok_or(Fault::from(&NOT_FOUND))?;
        let kept = reports::kept(c, &submission)?;
        match view.as_str() {
            "staff" => kept.report(),
            "anonymous" => kept.report().map(redact::without_author),
            _ => kept.for_student(c, call.words().closed_source),
        }
    })?;
    Ok(Reply::report(report_page::render(&report, call.language.messages())?))
}

/// The server answers.
pub fn live(_: &Call) -> Result<Reply, Fault> {
    Ok(Reply::bytes("text/plain; charset=utf-8", "live\n"))
}

/// The database answers, and there is room on the disk.
pub fn ready(call: &Call) -> Result<Reply, Fault> {
    call.app.require_space()?;
    call.app.store.read(|c| c.query_row("SELECT count(*) FROM unit", [], |row| row.get::<_, i64>(0)))?;
    Ok(Reply::bytes("text/plain; charset=utf-8", "ready\n"))
}

/// Figures in the text format of Prometheus (version 0.0.4).
pub fn metrics(call: &Call) -> Result<Reply, Fault> {
    let (jobs, audited) = call.app.store.read(|c| Ok::<_, Fault>((queue::counts(c)?, audit::head(c)?.0)))?;
    let mut text = String::from("# TYPE copytrace_jobs gauge\n");
    for state in ["queued", "running", "done", "failed", "cancelled"] {
        let count = jobs.iter().find(|(known, _)| known == state).map_or(0, |(_, count)| *count);
        text.push_str(&format!("copytrace_jobs{{state=\"{state}\"}} {count}\n"));
    }
    text.push_str(&format!("# TYPE copytrace_audit_rows gauge\ncopytrace_audit_rows {audited}\n"));
    text.push_str(&format!("# TYPE copytrace_disk_free_bytes gauge\ncopytrace_disk_free_bytes {}\n", call.app.free()?));
    Ok(Reply::bytes("text/plain; version=0.0.4; charset=utf-8", text))
}

fn lasting(reply: Reply) -> Result<Reply, Fault> {
    Ok(reply.with(header::CACHE_CONTROL, "public, max-age=300".to_owned()))
}

/// The look of the pages: that of the reports, and what forms need.
pub fn style(_: &Call) -> Result<Reply, Fault> {
    lasting(Reply::bytes("text/css; charset=utf-8", format!("{STYLE}{}", include_str!("../static/service.css"))))
}

/// The script of the pages.
pub fn script(_: &Call) -> Result<Reply, Fault> {
    lasting(Reply::bytes("text/javascript; charset=utf-8", include_str!("../static/service.js")))
}

/// Browsers ask for a picture that there is not.
pub fn no_picture(_: &Call) -> Result<Reply, Fault> {
    lasting(Reply::bytes("image/x-icon", Vec::new()))
}
