//! The files of a zip archive, with whose they are: shown before anything is queued.

use super::forms::{line, table};
use super::layout::{Place, page};
use crate::batches;
use crate::deeds::archives;
use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use copytrace_messages::Tell;
use maud::html;

/// Unpacks an archive and matches its names.
pub fn upload(call: &Call) -> Result<Reply, Fault> {
    Ok(Reply::to(format!("/batches/{}", archives::take(call)?.id)))
}

/// Shows which file is whose, and which are not taken; those that match nobody come first.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), call.caller()?);
    let batch = call.app.store.read(|c| batches::get(c, caller, call.part("id")?))?;
    let matched = batch.files.iter().filter(|file| file.student.is_some() && file.problem.is_none()).count();
    let rows = html! { @for file in &batch.files { tr {
        td { bdi { (file.name) } }
        td {
            @if let Some(number) = &file.number { bdi { (number) " " (file.student_name.as_deref().unwrap_or_default()) } " " }
            @match &file.problem {
                Some(problem) => span.above { (problem.tell(call.language)) },
                None if file.number.is_none() => span.above { (words.no_match) },
                None => {},
            }
            @if file.student.is_some() || file.problem.is_none() { details open[file.student.is_none()] {
                summary { (words.give_to) span.hint { " " (file.name) } }
                form method="post" action={ "/batches/" (batch.id) "/files/" (file.n) } {
                    (line(words.number, "student", "text", file.number.as_deref().unwrap_or_default()))
                    button aria-label={ (words.save) " " (file.name) } { (words.save) }
                }
            } }
        }
    } } };
    let body = html! {
        h1 { (words.batch) }
        p.hint { (words.batch_waits) }
        p { a href={ "/rounds/" (batch.round.id) } { bdi { (batch.round.title) } } " · " (words.word(batch.kind.as_str())) }
        (table(&[words.file, words.matched_student], &[], &rows))
        @if matched == 0 { p.alert { (words.batch_none) } } @else {
            form method="post" action={ "/batches/" (batch.id) } { button.main { (words.batch_start) " (" (matched) ")" } }
        }
    };
    Ok(page(call, Place::Overview, words.batch, &body))
}

/// Queues the files that match; the others are thrown away.
pub fn start(call: &Call) -> Result<Reply, Fault> {
    let started = archives::start(call)?;
    Ok(Reply::to(format!("/rounds/{}?papers={}", started.round, started.submissions.len())))
}
