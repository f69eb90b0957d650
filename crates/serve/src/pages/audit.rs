//! The audit log, and whether it is whole.

use super::layout::{Place, page, time};
use super::people::overseer;
use crate::audit;
use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::store::secret::hexadecimal;
use maud::html;

/// How many rows a page shows.
const MOST: usize = 100;

/// The log, the latest row first.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    overseer(call)?;
    let words = call.words();
    let before = call.query.get("before").and_then(|before| before.parse().ok()).unwrap_or(i64::MAX);
    let (rows, verified, head) = call
        .app
        .store
        .read(|c| Ok::<_, Fault>((audit::page(c, before, MOST)?, audit::verify(c)?, audit::head(c)?.1)))?;
    let body = html! {
        h1 { (words.audit) }
        @match verified {
            Ok(rows) => p role="status" { (words.chain_whole) " " (rows) },
            Err(row) => p.alert role="alert" { (words.chain_broken) " " (row) },
        }
        p.hint { (words.chain_head) " " code { (hexadecimal(&head)) } }
        div.scroll tabindex="0" {
            table {
                thead { tr { th.n scope="col" { (words.attempt) } th scope="col" { (words.at) } th scope="col" { (words.who) } th scope="col" { (words.action) } th scope="col" { (words.object) } } }
                tbody { @for row in &rows { tr {
                    td.n { (row.n) } td { (time(row.at)) } td { code { (row.person.as_deref().unwrap_or("–")) } }
                    td { (row.action) @if !row.detail.is_empty() { " " bdi { (row.detail) } } } td { code { (row.object) } }
                } } }
            }
        }
        @if let (MOST, Some(last)) = (rows.len(), rows.last()) { p { a href={ "/audit?before=" (last.n) } { (words.more) } } }
    };
    Ok(Reply::page(page(call, Place::Audit, words.audit, &body)))
}
