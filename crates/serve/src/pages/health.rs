//! What those who run a server ask it.

use crate::audit;
use crate::fault::{BUSY, Fault};
use crate::figures::{CONTENT_TYPE, Now};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::queue;
use crate::store::rows;

/// Where the server tells that it lives.
pub const LIVE: &str = "/health/live";

/// That it does, without a thread or the database.
pub fn alive() -> Reply {
    Reply::bytes("text/plain; charset=utf-8", "live\n")
}

/// The server answers.
pub fn live(_: &Call) -> Result<Reply, Fault> {
    Ok(alive())
}

/// The database answers, there is room on the disk, and a worker starts.
pub fn ready(call: &Call) -> Result<Reply, Fault> {
    call.app.require_space()?;
    call.app.store.read(|c| rows::one::<i64>(c, "SELECT count(*) FROM unit", []))?;
    if !call.app.pool.is_ready() {
        return Err((&BUSY).into());
    }
    Ok(Reply::bytes("text/plain; charset=utf-8", "ready\n"))
}

/// Figures in the text format of OpenMetrics.
pub fn metrics(call: &Call) -> Result<Reply, Fault> {
    let now = call.app.read(|c| {
        let (jobs, put_off) = (queue::counts(c)?, queue::put_off(c)?);
        Ok(Now { jobs, put_off, audit_rows: audit::head(c)?.0, free: call.app.free()? })
    })?;
    Ok(Reply::bytes(CONTENT_TYPE, call.app.figures.tell(&now)?))
}
