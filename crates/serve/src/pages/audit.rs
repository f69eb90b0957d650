//! The audit log, and whether it is whole.

use super::forms::table;
use super::layout::{Place, page, time};
use crate::audit;
use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use maud::html;

/// Rows on a page.
const MOST: usize = 100;

/// The log, the latest row first.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    call.caller()?.oversees()?;
    let words = call.words();
    let before = call.parameter("before").parse().unwrap_or(i64::MAX);
    let (rows, verified, head) = call.app.read(|c| {
        Ok((audit::page(c, before, MOST)?, audit::verify(c, call.app.store.key())?, audit::noted(&audit::head(c)?)))
    })?;
    let rows_shown = html! { @for row in &rows { tr {
        td.n { (row.n) } td { (time(row.at)) } td { code { (row.person.as_deref().unwrap_or("–")) } }
        td { (row.action) @if !row.detail.is_empty() { " " bdi { (row.detail) } } } td { code { (row.object) } }
    } } };
    let body = html! {
        h1 { (words.audit) }
        @match verified {
            Ok(rows) => p role="status" { (words.chain_whole) " " (rows) },
            Err(row) => p.alert role="alert" { (words.chain_broken) " " (row) },
        }
        p.hint { (words.chain_head) " " code data-head=(head) { (head) } }
        (table(&[words.attempt, words.at, words.who, words.action, words.object], &[words.attempt], &rows_shown))
        @if let (MOST, Some(last)) = (rows.len(), rows.last()) { p { a href={ "/audit?before=" (last.n) } { (words.more) } } }
    };
    Ok(page(call, Place::Audit, words.audit, &body))
}
