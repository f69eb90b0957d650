//! Lists of people on their way in. What a list would do is shown row by row before it is done.

use super::forms::table;
use super::layout::{Place, page};
use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::import::Row;
use crate::people::waiting::{self, List};
use copytrace::report::messages::Messages;
use copytrace_messages::{Message, Tell, message};
use maud::html;

/// Rows that a page shows: those that are refused, then those that change something.
const MOST_SHOWN: usize = 1000;

/// Whether a form asks to be shown what its list would do.
pub fn is_preview(call: &Call) -> bool {
    !call.fields.values("preview").is_empty()
}

/// Shows what a list would do, with the form that does it; `list` goes to `address`.
///
/// # Errors
/// When nobody is signed in.
pub fn preview(call: &Call, place: Place, address: &str, list: &List, mut rows: Vec<Row>) -> Result<Reply, Fault> {
    let words = call.words();
    // Those that are refused come first, then those that change something, each in the order of the list.
    rows.sort_by_key(|row| row.fate.as_ref().map_or(0, |changes| if changes.is_empty() { 2 } else { 1 }));
    let refused = rows.iter().filter(|row| row.fate.is_err()).count();
    let same = rows.iter().filter(|row| row.fate.as_ref().is_ok_and(Vec::is_empty)).count();
    let changing = rows.len() - refused - same;
    let kept = match refused == 0 && changing > 0 {
        true => Some(call.app.write(|t| waiting::keep(t, &call.caller()?.person.id, list))?),
        false => None,
    };
    let separator = Messages::of(call.language).semicolon;
    let told = |changes: &[Message]| -> String {
        changes.iter().map(|change| change.tell(call.language)).collect::<Vec<_>>().join(separator)
    };
    let shown = html! { @for row in rows.iter().take(MOST_SHOWN) { tr {
        td.n { (row.line) } td { (row.number) } td { bdi { (row.name) } }
        td { @match &row.fate {
            Err(why) => { span.above { (words.row_refused) (words.colon) bdi { (why.tell(call.language)) } } },
            Ok(changes) if changes.is_empty() => { (words.row_same) },
            Ok(changes) => { bdi { (told(changes)) } },
        } }
    } } };
    let body = html! {
        h1 { (words.preview) }
        p role="status" { (message!("list-summary", rows = rows.len(), changing = changing, same = same, refused = refused).tell(call.language)) }
        @if refused > 0 { p.alert role="alert" { (words.preview_refused) } }
        @if let Some(kept) = kept { form method="post" action=(address) {
            input type="hidden" name="list" value=(kept);
            button.main { (words.preview_do) }
        } }
        p { a href=(address) { (words.back) } }
        (table(&[words.row, words.number, words.name, words.row_does], &[words.row], &shown))
        @if rows.len() > MOST_SHOWN { p { (message!("list-more", more = rows.len() - MOST_SHOWN).tell(call.language)) } }
    };
    Ok(page(call, place, words.preview, &body))
}
