//! The students of a round: who has handed in nothing, and who may hand in more often.

use super::forms::{file, folded, line, optional_value, table};
use super::layout::{Place, page};
use super::{invitations, lists};
use crate::deeds::people;
use crate::fault::{Fault, NOT_FOUND};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::listing::supervisor_of;
use crate::rounds::{Round, Standing};
use crate::{deeds, enrolment};
use maud::html;

/// The list of students.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), call.caller()?);
    let (round, standing, students, counts) = call.app.store.read(|c| {
        let (round, standing) = Round::of(c, caller, call.part("id")?)?;
        if standing == Standing::Studies {
            return Err(Fault::from(&NOT_FOUND));
        }
        // Who is missing would tell a supervisor whose the others are.
        let counts = !round.anonymous || standing != Standing::Supervises;
        let students = enrolment::all(c, &round.id, supervisor_of(standing, &caller.person.id), counts)?;
        Ok((round, standing, students, counts))
    })?;
    let missing = students.iter().filter(|student| student.finals == 0).count();
    let manages = standing == Standing::Administers;
    let address = format!("/rounds/{}/students", round.id);
    let (counted, managed) = (|title| if counts { title } else { "" }, |title| if manages { title } else { "" });
    let titles = [
        words.number,
        words.name,
        words.college,
        words.thesis_title,
        words.supervisor,
        counted(words.submissions),
        counted(words.kind_final),
        managed(words.extra_checks),
        managed(words.action),
    ];
    let rows = html! { @for student in &students { tr {
        td { (student.number) } td { bdi { (student.name) } } td { bdi { (student.college.as_deref().unwrap_or("–")) } } td { bdi { (student.title.as_deref().unwrap_or("–")) } } td { bdi { (student.supervisor.as_deref().unwrap_or("–")) } }
        @if counts { td.n { (student.submissions) } td.n { span.above[student.finals == 0] { (student.finals) } } }
        @if manages {
            td { form method="post" action={ (address) "/" (student.student) } {
                input type="number" name="extra_checks" min="0" max="1000" value=(student.extra_checks) aria-label={ (words.extra_checks) " " (student.number) };
                " " button aria-label={ (words.save) " " (student.number) } { (words.save) }
            } }
            td { details { summary { (words.change) span.hint { " " (student.number) } }
                form method="post" action={ (address) "/" (student.student) "/edit" } {
                    (optional_value(words.supervisor, "supervisor", "text", student.supervisor_number.as_deref().unwrap_or_default()))
                    (optional_value(words.thesis_title, "thesis_title", "text", student.title.as_deref().unwrap_or_default()))
                    button aria-label={ (words.save) " " (words.thesis_title) " " (student.number) } { (words.save) }
                }
            } @if student.submissions == 0 { form method="post" action={ (address) "/" (student.student) "/remove" } { button aria-label={ (words.remove) " " (student.number) } { (words.remove) } } } }
        }
    } } };
    let body = html! {
        h1 { (words.students) }
        p { a href={ "/rounds/" (round.id) } { bdi { (round.title) } } " · " (words.students) (words.colon) (students.len()) @if counts { " · " (words.without_final) (words.colon) (missing) } }
        @if students.is_empty() { p.empty { (words.no_students) } } @else { (table(&titles, &[words.submissions, words.kind_final], &rows)) }
        @if manages { section aria-labelledby="enrol" {
            h2 #enrol { (words.enrol) }
            form.box method="post" action=(address) enctype="multipart/form-data" {
                p.hint { (words.enrol_hint) } (file(words.file, ".csv,.xlsx", false))
                button.main name="preview" value="true" { (words.preview) }
            }
        }
            (folded("invite", words.invite_many, false, &html! {
                form.box method="post" action={ "/rounds/" (round.id) "/invitations" } { (invitations::fields(call)) }
            }))
            (folded("add", words.add_student, false, &html! {
                form.box method="post" action=(address) {
                    (line(words.number, "number", "text", "")) (line(words.name, "name", "text", ""))
                    (optional_value(words.supervisor, "supervisor", "text", "")) (optional_value(words.thesis_title, "thesis_title", "text", ""))
                    button { (words.add_student) }
                }
            }))
        }
    };
    Ok(page(call, Place::Overview, words.students, &body))
}

/// Puts the students of a list into the round, or shows what that would do.
pub fn enrol(call: &Call) -> Result<Reply, Fault> {
    let (round, list) = (call.part("id")?, people::given(call)?);
    if lists::is_preview(call) {
        let rows = deeds::rehearse_enrolment(call, list.clone())?;
        return lists::preview(call, Place::Overview, &format!("/rounds/{round}/students"), &list, rows);
    }
    Ok(Reply::to(format!("/rounds/{round}/students?done={}", deeds::enrol(call, list)?.count)))
}
