//! Lists of people on their way in: a file, or the fields of one person. What a list would do is shown row by row before it is done.

use super::forms::table;
use super::layout::{Place, page};
use crate::fault::{FILE_GONE, Fault};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::import::Row;
use crate::people::waiting::{self, List};
use crate::store::Transaction;
use copytrace::report::messages::Messages;
use copytrace_messages::{Message, Tell, message};
use maud::html;

/// Rows that a page shows: those that are refused, then those that change something.
const MOST_SHOWN: usize = 1000;

/// The columns of the list that the fields of one person make, with the names of the fields.
const ONE: [(&str, &str); 7] = [
    ("number", "number"),
    ("name", "name"),
    ("role", "role"),
    ("unit", "college"),
    ("supervisor", "supervisor"),
    ("title", "thesis_title"),
    ("mail", "mail"),
];

/// The list that a form brings: one that was shown before, the fields of one person, or a file.
///
/// # Errors
/// When there is none, or it is no list.
pub fn given(call: &Call) -> Result<List, Fault> {
    if let Some(id) = call.fields.values("list").first() {
        let gone = || Fault::Told(&FILE_GONE, vec![message!("list-gone")]);
        let by = &call.caller()?.person.id;
        return call.app.read(|c| waiting::of(c, by, id))?.ok_or_else(gone);
    }
    if call.files.is_empty() && !call.fields.values("number").is_empty() {
        let value = |field: &str| call.fields.values(field).into_iter().next().unwrap_or_default().trim().to_owned();
        let heads = ONE.map(|(column, _)| column.to_owned()).to_vec();
        return Ok(vec![heads, ONE.map(|(_, field)| value(field)).to_vec()]);
    }
    call.list()
}

/// Forgets the list that a form named, in the transaction that takes it.
///
/// # Errors
/// When the database cannot be written.
pub fn taken(t: &Transaction<'_>, call: &Call) -> Result<(), Fault> {
    call.fields.values("list").iter().try_for_each(|id| Ok(waiting::forget(t, id)?))
}

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
