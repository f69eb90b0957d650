//! The pages of a desk that the service has not.

use super::layout::{Place, page};
use crate::fault::{Fault, NOT_FOUND};
use crate::http::call::Call;
use crate::http::reply::Reply;
use maud::html;

/// Ends the program. What is being checked goes on at the next start.
pub fn end(call: &Call) -> Result<Reply, Fault> {
    let (words, desk) = (call.words(), call.app.desk.as_ref().ok_or(&NOT_FOUND)?);
    desk.ended.notify_one();
    let body = html! { h1 { (words.end_desk) } p role="status" { (words.desk_ended) } };
    Ok(page(call, Place::Elsewhere, words.end_desk, &body))
}
