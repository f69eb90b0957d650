//! Reviews: what reviewers say of a final, and who reviews in a round.

use super::forms::{called, choice, file, folded, line, pick, table};
use super::layout::{Place, page, time};
use crate::access::{self, Object};
use crate::deeds;
use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::{Role, units};
use crate::reports::figures;
use crate::reviewers::{self, Outcome, Reviewer};
use crate::rounds::{Round, Standing};
use crate::submissions::{Seen, Verdict, View};
use maud::{Markup, html};

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

/// The reviewers of a round, those first who differ.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), call.caller()?);
    let (round, standing, mut students, units) = call.app.read(|c| {
        let (round, standing) = Round::of(c, caller, call.part("id")?)?;
        access::require(c, caller, Object::Round(&round.id), &[Role::Administrator, Role::Auditor])?;
        let students = reviewers::of_round(c, &round.id)?;
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

/// The reviewers of the round of the path, with how many are new.
fn named(call: &Call, count: usize) -> Result<Reply, Fault> {
    Ok(Reply::to(format!("/rounds/{}/reviewers?done={count}", call.part("id")?)))
}

/// Draws reviewers.
pub fn draw(call: &Call) -> Result<Reply, Fault> {
    named(call, deeds::rounds::draw(call)?.count)
}

/// Names the reviewers of a list.
pub fn name(call: &Call) -> Result<Reply, Fault> {
    named(call, deeds::rounds::name_reviewers(call)?.count)
}
