//! What those who run a server ask it.

use crate::audit;
use crate::fault::{BUSY, Fault};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::queue::{self, State};
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

/// Figures in the text format of Prometheus (version 0.0.4).
pub fn metrics(call: &Call) -> Result<Reply, Fault> {
    let (jobs, audited, waits) = call.app.read(|c| Ok((queue::counts(c)?, audit::head(c)?.0, queue::put_off(c)?)))?;
    let mut text = String::from("# TYPE copytrace_jobs gauge\n");
    for state in State::ALL {
        let count = jobs.iter().find(|(known, _)| known == state).map_or(0, |(_, count)| *count);
        text.push_str(&format!("copytrace_jobs{{state=\"{}\"}} {count}\n", state.as_str()));
    }
    text.push_str("# TYPE copytrace_put_off gauge\n");
    for (kind, count) in [("removal", waits.0), ("other", waits.1)] {
        text.push_str(&format!("copytrace_put_off{{kind=\"{kind}\"}} {count}\n"));
    }
    text.push_str(&format!("# TYPE copytrace_audit_rows gauge\ncopytrace_audit_rows {audited}\n"));
    text.push_str(&format!("# TYPE copytrace_disk_free_bytes gauge\ncopytrace_disk_free_bytes {}\n", call.app.free()?));
    Ok(Reply::bytes("text/plain; version=0.0.4; charset=utf-8", text))
}
