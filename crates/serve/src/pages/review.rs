//! Reviews: what reviewers say of a final, and who reviews in a round.

use super::forms::{called, choice, file, folded, line, pick, table};
use super::layout::{Place, page, time};
use super::submission::{VerdictForm, back, seen};
use crate::access::{self, Object};
use crate::fault::{BAD_FIELD, Fault};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::{Role, units};
use crate::reports::figures;
use crate::reviewers::{self, Outcome, Reviewer};
use crate::rounds::{Round, Standing};
use crate::store::rows;
use crate::submissions::{Seen, Verdict, View};
use copytrace_messages::Message;
use maud::{Markup, html};
use rusqlite::Connection;
use serde::Deserialize;

/// What reviewers said, as far as the caller is told it; and the form of the one who calls.
pub fn shown(call: &Call, seen: &Seen) -> Result<Markup, Fault> {
    let (words, id) = (call.words(), &seen.submission.id);
    let (reviewers, has_report) =
        call.app.read(|c| Ok((reviewers::of_submission(c, id)?, figures(c, id)?.is_some())))?;
    let oversees = matches!(seen.standing, Standing::Administers | Standing::Audits);
    let own = &call.caller()?.person.id;
    let told: Vec<(usize, &Reviewer)> = (1..)
        .zip(&reviewers)
        .filter(|(_, reviewer)| match seen.view {
            View::Reviews => reviewer.person == *own,
            // Who is not to decide is told once it is decided.
            _ => oversees || seen.verdict.is_some(),
        })
        .collect();
    let is_named = oversees || seen.view == View::Reviews || !seen.round.blind.hides_reviewers();
    let open = seen.view == View::Reviews
        && has_report
        && seen.verdict.is_none()
        && told.iter().all(|(_, own)| own.verdict.is_none());
    Ok(html! {
        @if oversees && seen.verdict.is_none() && reviewers::outcome(&reviewers) == Outcome::Differ { p.alert role="status" { (words.reviewers_differ) } }
        @for (at, reviewer) in told { @if let Some(verdict) = reviewer.verdict {
            p.box.said { b { (words.reviewer) " " @if is_named { bdi { (reviewer.called) } } @else { (at) } (words.colon) (words.word(verdict.as_str())) }
                @if is_named { " · " (time(reviewer.made)) }
                @if !reviewer.comment.is_empty() { br; bdi { (reviewer.comment) } } }
        } }
        @if open { section aria-labelledby="verdict" {
            h2 #verdict { (words.give_verdict) }
            form.box method="post" action={ "/submissions/" (id) "/review" } {
                p.hint { (words.review_hint) }
                (pick(words.verdict, "verdict", called(words, Verdict::ALL)))
                label { span { (words.comment) } textarea name="comment" {} }
                button.main { (words.give_verdict) }
            }
        } }
    })
}

/// Takes the verdict of a reviewer.
pub fn judge(call: &Call) -> Result<Reply, Fault> {
    let (seen, by) = (seen(call)?, &call.caller()?.person.id);
    let VerdictForm { verdict, comment } = call.fields()?;
    call.app.store.write(|t| reviewers::judge(t, &seen, verdict, &comment, by))?;
    back(call)
}

/// A student of a round, with the last final.
struct Student {
    id: String,
    called: String,
    last: Option<String>,
}

crate::store::rows::read_by_name!(Student: id called last);

fn students(c: &Connection, round: &str) -> Result<Vec<(Student, Vec<Reviewer>)>, rusqlite::Error> {
    let sql = "SELECT p.id, trim(coalesce(p.number, '') || ' ' || coalesce(p.name, '')) AS called, (SELECT s.id FROM submission s \
               WHERE s.round = e.round AND s.student = e.student AND s.kind = 'final' AND s.state = 'kept' ORDER BY s.attempt DESC LIMIT 1) AS last \
               FROM enrolment e JOIN person p ON p.id = e.student WHERE e.round = ?1 AND p.state != 'erased' ORDER BY p.number";
    let named = "SELECT r.person, trim(coalesce(p.number, '') || ' ' || coalesce(p.name, '')) AS called, NULL AS verdict, '' AS comment, 0 AS made \
                 FROM reviewer r JOIN person p ON p.id = r.person WHERE r.round = ?1 AND r.student = ?2 ORDER BY r.person";
    let with = |student: Student| {
        let reviewers = match &student.last {
            Some(last) => reviewers::of_submission(c, last)?,
            None => rows::all(c, named, [round, &student.id])?,
        };
        Ok((student, reviewers))
    };
    rows::all::<Student>(c, sql, [round])?.into_iter().map(with).collect()
}

/// The reviewers of a round, those first who differ.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), call.caller()?);
    let (round, standing, mut students, units) = call.app.read(|c| {
        let (round, standing) = Round::of(c, caller, call.part("id")?)?;
        access::require(c, caller, Object::Round(&round.id), &[Role::Administrator, Role::Auditor])?;
        let students = students(c, &round.id)?;
        let mut administered = units(c)?;
        administered.retain(|unit| access::require(c, caller, Object::Unit(unit.id), &[Role::Administrator]).is_ok());
        Ok((round, standing, students, administered))
    })?;
    let differs = |reviewers: &[Reviewer]| reviewers::outcome(reviewers) == Outcome::Differ;
    students.sort_by_key(|(_, reviewers)| !differs(reviewers));
    let (manages, address) = (standing == Standing::Administers, format!("/rounds/{}/reviewers", round.id));
    let rows = html! { @for (student, reviewers) in &students { tr {
        td { bdi { (student.called) } }
        td { @match &student.last { Some(id) => a href={ "/submissions/" (id) } { "№ " (&id[..8]) }, None => "–" } }
        td { @for reviewer in reviewers {
            bdi { (reviewer.called) } (words.colon) (reviewer.verdict.map_or(words.no_verdict, |verdict| words.word(verdict.as_str())))
            @if manages && reviewer.verdict.is_none() { " " form method="post" action={ (address) "/" (student.id) } {
                input type="hidden" name="reviewer" value=(reviewer.person);
                button aria-label={ (words.remove) " " (reviewer.called) " " (student.called) } { (words.remove) }
            } }
            br;
        } }
        td { @if differs(reviewers) { span.above { (words.differ) } } }
    } } };
    let body = html! {
        h1 { (words.reviewers) }
        p.byline { a href={ "/rounds/" (round.id) } { bdi { (round.title) } } }
        (table(&[words.student, words.kind_final, words.reviewers, words.state], &[], &rows))
        @if manages {
            (folded("draw", words.draw_reviewers, true, &html! {
                form.box method="post" action={ (address) "/draw" } {
                    p.hint { (words.draw_hint) }
                    (choice(words.unit, "unit", units.iter().map(|unit| (unit.id.to_string(), unit.name.as_str())), ""))
                    (line(words.reviewers_each, "reviewers", "number", "2"))
                    button.main { (words.draw_reviewers) }
                }
            }))
            (folded("name", words.name_reviewers, false, &html! {
                form.box method="post" action=(address) enctype="multipart/form-data" {
                    p.hint { (words.name_reviewers_hint) } (file(words.file, ".csv,.xlsx", false)) button { (words.name_reviewers) }
                }
            }))
        }
    };
    Ok(page(call, Place::Overview, words.reviewers, &body))
}

#[derive(Deserialize)]
struct Draw {
    unit: i64,
    reviewers: i64,
}

/// Draws reviewers.
pub fn draw(call: &Call) -> Result<Reply, Fault> {
    let (caller, Draw { unit, reviewers }) = (call.caller()?, call.fields()?);
    let round = call.part("id")?;
    let drawn = call.app.store.write(|t| {
        let round = Round::administered(t, caller, round)?;
        reviewers::draw(t, &caller.person.id, &round, unit, reviewers)
    })?;
    Ok(Reply::to(format!("/rounds/{round}/reviewers?done={drawn}")))
}

/// The columns of the list, each with the names that it may have.
const COLUMNS: [&[&str]; 2] =
    [&["student", "number", "学号"], &["reviewer", "评审工号", "评审", "评阅人工号", "评阅人"]];

/// Names the reviewers of a list.
pub fn name(call: &Call) -> Result<Reply, Fault> {
    let (caller, list, round) = (call.caller()?, call.list()?, call.part("id")?);
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
    let named = call.app.store.write(|t| {
        let round = Round::administered(t, caller, round)?;
        reviewers::name(t, caller, &round, &pairs)
    })?;
    Ok(Reply::to(format!("/rounds/{round}/reviewers?done={named}")))
}

#[derive(Deserialize)]
struct Named {
    reviewer: String,
}

/// Takes a reviewer back who has said nothing yet.
pub fn take_back(call: &Call) -> Result<Reply, Fault> {
    let (caller, Named { reviewer }) = (call.caller()?, call.fields()?);
    let (round, student) = (call.part("id")?, call.part("student")?);
    call.app.store.write(|t| {
        let round = Round::administered(t, caller, round)?;
        reviewers::take_back(t, &caller.person.id, &round, student, &reviewer)
    })?;
    Ok(Reply::to(format!("/rounds/{round}/reviewers")))
}
