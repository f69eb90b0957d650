//! The students of a round: who has handed in nothing, and who may hand in more often.

use super::forms::file;
use super::layout::{Place, page};
use super::round::{administered, of};
use crate::audit;
use crate::enrolment;
use crate::fault::{Fault, NOT_ALLOWED, NOT_FOUND, refused};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::listing::supervisor_of;
use crate::people::Role;
use crate::people::import::import;
use crate::rounds::Standing;
use maud::html;

/// The list of students.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let (round, standing) = of(call)?;
    if standing == Standing::Studies {
        return Err((&NOT_FOUND).into());
    }
    let (words, caller) = (call.words(), call.caller()?);
    let supervisor = supervisor_of(standing, &caller.person.id);
    let students = call.app.store.read(|c| enrolment::all(c, &round.id, supervisor))?;
    // Who is missing would tell a supervisor whose the others are.
    let counts = !round.anonymous || standing != Standing::Supervises;
    let missing = students.iter().filter(|student| student.finals == 0).count();
    let manages = standing == Standing::Administers;
    let address = format!("/rounds/{}/students", round.id);
    let body = html! {
        h1 { (words.students) }
        p { a href={ "/rounds/" (round.id) } { bdi { (round.title) } } " · " (words.students) ": " (students.len()) @if counts { " · " (words.without_final) ": " (missing) } }
        @if students.is_empty() { p.empty { (words.no_students) } } @else { div.scroll tabindex="0" { table {
            thead { tr {
                th scope="col" { (words.number) } th scope="col" { (words.name) } th scope="col" { (words.supervisor) }
                @if counts { th.n scope="col" { (words.submissions) } th.n scope="col" { (words.kind_final) } }
                @if manages { th scope="col" { (words.extra_checks) } th scope="col" { (words.action) } }
            } }
            tbody { @for student in &students { tr {
                td { (student.number) } td { bdi { (student.name) } } td { bdi { (student.supervisor.as_deref().unwrap_or("–")) } }
                @if counts { td.n { (student.submissions) } td.n { span.above[student.finals == 0] { (student.finals) } } }
                @if manages {
                    td { form method="post" action={ (address) "/" (student.student) } {
                        input type="number" name="extra_checks" min="0" max="1000" value=(student.extra_checks) aria-label={ (words.extra_checks) " " (student.number) };
                        " " button aria-label={ (words.save) " " (student.number) } { (words.save) }
                    } }
                    td { @if student.submissions == 0 { form method="post" action={ (address) "/" (student.student) "/remove" } { button aria-label={ (words.remove) " " (student.number) } { (words.remove) } } } }
                }
            } } }
        } } }
        @if manages { section aria-labelledby="enrol" {
            h2 #enrol { (words.enrol) }
            form.box method="post" action=(address) enctype="multipart/form-data" {
                p.hint { (words.enrol_hint) } (file(words.file, ".csv,.xlsx", false)) button.main { (words.enrol) }
            }
        } }
    };
    Ok(Reply::page(page(call, Place::Overview, words.students, &body)))
}

/// Puts the students of a list into the round.
pub fn enrol(call: &Call) -> Result<Reply, Fault> {
    let (round, by) = (administered(call)?, &call.caller()?.person);
    let list = call.list()?;
    let count = call.app.store.write(|t| {
        // Who administers one unit renames nobody of another, and makes no administrators of it.
        let everywhere = by.has_everywhere(Role::Administrator);
        let listed = import(t, list, everywhere)?;
        if !everywhere && listed.iter().any(|listed| matches!(listed.role, Role::Administrator | Role::Auditor)) {
            return refused(
                &NOT_ALLOWED,
                "only an administrator of the whole institution adds administrators and auditors",
            );
        }
        let enrolled = enrolment::enrol(t, &round.id, &listed)?;
        audit::record(t, Some(&by.id), "enrol", &round.id, &enrolled.to_string())?;
        Ok::<_, Fault>(enrolled)
    })?;
    Ok(Reply::to(format!("/rounds/{}/students?done={count}", round.id)))
}

/// Sets how many checks a student has besides those of the round.
pub fn allow(call: &Call) -> Result<Reply, Fault> {
    let (round, by, student) = (administered(call)?, &call.caller()?.person.id, call.part("student")?);
    let extra: i64 = call.parsed("extra_checks")?;
    call.app.store.write(|t| {
        enrolment::allow(t, &round.id, student, extra)?;
        audit::record(t, Some(by), "allow_checks", &round.id, &format!("{student} {extra}")).map_err(Fault::from)
    })?;
    Ok(Reply::to(format!("/rounds/{}/students", round.id)))
}

/// Takes a student who has handed in nothing out of the round.
pub fn remove(call: &Call) -> Result<Reply, Fault> {
    let (round, by, student) = (administered(call)?, &call.caller()?.person.id, call.part("student")?);
    call.app.store.write(|t| {
        enrolment::remove(t, &round.id, student)?;
        audit::record(t, Some(by), "remove_student", &round.id, student).map_err(Fault::from)
    })?;
    Ok(Reply::to(format!("/rounds/{}/students", round.id)))
}
