//! Files that the pages need.

use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use axum::http::header;
use copytrace::report::html::STYLE;
use copytrace::report::html::batch::SCRIPT as OVERVIEW;

fn lasting(kind: &str, bytes: impl Into<Vec<u8>>) -> Result<Reply, Fault> {
    Ok(Reply::bytes(kind, bytes).with(header::CACHE_CONTROL, "public, max-age=300".to_owned()))
}

/// The look of the pages: that of the reports, and what forms need.
pub fn style(_: &Call) -> Result<Reply, Fault> {
    lasting("text/css; charset=utf-8", format!("{STYLE}{}", include_str!("../static/service.css")))
}

/// The script of the pages.
pub fn script(_: &Call) -> Result<Reply, Fault> {
    lasting("text/javascript; charset=utf-8", include_str!("../static/service.js"))
}

/// The script of pages in frames of platforms.
pub fn frames(_: &Call) -> Result<Reply, Fault> {
    lasting("text/javascript; charset=utf-8", include_str!("../static/lti.js"))
}

/// The script of a round's overview: that of the page of a batch.
pub fn overview(_: &Call) -> Result<Reply, Fault> {
    lasting("text/javascript; charset=utf-8", OVERVIEW)
}

/// Browsers ask for a picture, and there is none.
pub fn no_picture(_: &Call) -> Result<Reply, Fault> {
    lasting("image/x-icon", Vec::new())
}
