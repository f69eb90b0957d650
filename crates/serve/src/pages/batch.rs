//! The files of a zip archive, with whose they are: shown before anything is queued.

use super::layout::{Place, page};
use super::round::administered;
use crate::batches;
use crate::fault::{BAD_FIELD, Fault, refused};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::submissions::Kind;
use maud::html;

/// Takes the archive of a request in, and gives the batch's id.
///
/// # Errors
/// When the caller does not administer the round, or the archive cannot be taken.
pub fn take(call: &Call) -> Result<String, Fault> {
    let (round, by) = (administered(call)?, &call.caller()?.person.id);
    let Some(kind) = Kind::of(&call.needed("kind")?) else { return refused(&BAD_FIELD, "kind") };
    batches::take(&call.app, &round, kind, &call.app.data.join(&call.file()?.file), by)
}

/// Unpacks an archive and matches its names.
pub fn upload(call: &Call) -> Result<Reply, Fault> {
    Ok(Reply::to(format!("/batches/{}", take(call)?)))
}

/// Shows which file is whose; those that match nobody come first.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), call.caller()?);
    let batch = call.app.store.read(|c| batches::get(c, caller, call.part("id")?))?;
    let matched = batch.files.iter().filter(|file| file.student.is_some()).count();
    let body = html! {
        h1 { (words.batch) }
        p { a href={ "/rounds/" (batch.round.id) } { bdi { (batch.round.title) } } " · " (words.word(batch.kind.as_str())) }
        div.scroll tabindex="0" { table {
            thead { tr { th scope="col" { (words.file) } th scope="col" { (words.matched_student) } } }
            tbody { @for file in &batch.files { tr {
                td { bdi { (file.name) } }
                td { @match &file.number { Some(number) => bdi { (number) " " (file.student_name.as_deref().unwrap_or_default()) }, None => span.above { (words.no_match) } } }
            } } }
        } }
        @if matched == 0 { p.alert { (words.batch_none) } } @else {
            form method="post" action={ "/batches/" (batch.id) } { button.main { (words.batch_start) " (" (matched) ")" } }
        }
    };
    Ok(Reply::page(page(call, Place::Overview, words.batch, &body)))
}

/// Queues the files that match; the others are thrown away.
pub fn start(call: &Call) -> Result<Reply, Fault> {
    let (batch, ids) = batches::run(&call.app, call.caller()?, call.part("id")?)?;
    Ok(Reply::to(format!("/rounds/{}?done={}", batch.round.id, ids.len())))
}
