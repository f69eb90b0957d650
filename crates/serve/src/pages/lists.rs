//! Lists of people on their way in: a file, or the fields of one person. What a list would do is shown row by row before it is done.

use super::forms::table;
use super::layout::{Place, page};
use crate::fault::{FILE_GONE, Fault};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::import::Row;
use crate::store::secret;
use copytrace::report::messages::Messages;
use copytrace_messages::{Message, Tell, message};
use maud::html;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Rows that a page shows: those that are refused, then those that change something.
const MOST_SHOWN: usize = 1000;

/// Lists that wait at once; the oldest goes for a new one, and its file is to be chosen again.
const MOST_WAITING: usize = 16;

/// The columns of the list that the fields of one person make, with the names of the fields.
const ONE: [(&str, &str); 6] = [
    ("number", "number"),
    ("name", "name"),
    ("role", "role"),
    ("unit", "college"),
    ("supervisor", "supervisor"),
    ("title", "thesis_title"),
];

/// A list that was shown and waits for whoever brought it.
struct Waiting {
    id: String,
    by: String,
    rows: Vec<Vec<String>>,
}

/// The lists that wait, in memory alone: they are full of names.
#[derive(Default)]
pub struct Lists(Mutex<VecDeque<Waiting>>);

impl Lists {
    fn keep(&self, by: &str, rows: Vec<Vec<String>>) -> String {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.truncate(MOST_WAITING - 1);
        let id = secret::new_id();
        waiting.push_front(Waiting { id: id.clone(), by: by.to_owned(), rows });
        id
    }

    fn take(&self, by: &str, id: &str) -> Option<Vec<Vec<String>>> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = waiting.iter().position(|list| list.id == id && list.by == by)?;
        waiting.remove(at).map(|list| list.rows)
    }
}

/// The list that a form brings: one that was shown before, the fields of one person, or a file.
///
/// # Errors
/// When there is none, or it is no list.
pub fn given(call: &Call) -> Result<Vec<Vec<String>>, Fault> {
    if let Some(id) = call.fields.values("list").first() {
        let gone = || Fault::Told(&FILE_GONE, vec![message!("list-gone")]);
        return call.app.lists.take(&call.caller()?.person.id, id).ok_or_else(gone);
    }
    if call.files.is_empty() && !call.fields.values("number").is_empty() {
        let value = |field: &str| call.fields.values(field).into_iter().next().unwrap_or_default().trim().to_owned();
        let heads = ONE.map(|(column, _)| column.to_owned()).to_vec();
        return Ok(vec![heads, ONE.map(|(_, field)| value(field)).to_vec()]);
    }
    call.list()
}

/// Whether a form asks to be shown what its list would do.
pub fn is_preview(call: &Call) -> bool {
    !call.fields.values("preview").is_empty()
}

/// Shows what a list would do, with the form that does it; `list` goes to `address`.
///
/// # Errors
/// When nobody is signed in.
pub fn preview(
    call: &Call,
    place: Place,
    address: &str,
    list: Vec<Vec<String>>,
    mut rows: Vec<Row>,
) -> Result<Reply, Fault> {
    let words = call.words();
    // Those that are refused come first, then those that change something, each in the order of the list.
    rows.sort_by_key(|row| row.fate.as_ref().map_or(0, |changes| if changes.is_empty() { 2 } else { 1 }));
    let refused = rows.iter().filter(|row| row.fate.is_err()).count();
    let same = rows.iter().filter(|row| row.fate.as_ref().is_ok_and(Vec::is_empty)).count();
    let changing = rows.len() - refused - same;
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
        @else if changing > 0 { form method="post" action=(address) {
            input type="hidden" name="list" value=(call.app.lists.keep(&call.caller()?.person.id, list));
            button.main { (words.preview_do) }
        } }
        p { a href=(address) { (words.back) } }
        (table(&[words.row, words.number, words.name, words.row_does], &[words.row], &shown))
        @if rows.len() > MOST_SHOWN { p { (message!("list-more", more = rows.len() - MOST_SHOWN).tell(call.language)) } }
    };
    Ok(page(call, place, words.preview, &body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_waits_for_whoever_brought_it_once_and_the_oldest_goes_first() {
        let lists = Lists::default();
        let rows = |name: &str| vec![vec![name.to_owned()]];
        let ids: Vec<String> = (0..=MOST_WAITING).map(|n| lists.keep("a", rows(&n.to_string()))).collect();
        assert_eq!(lists.take("a", &ids[0]), None, "the oldest is gone");
        assert_eq!(lists.take("b", &ids[1]), None, "another's");
        assert_eq!(lists.take("a", &ids[1]), Some(rows("1")));
        assert_eq!(lists.take("a", &ids[1]), None, "taken");
    }
}
