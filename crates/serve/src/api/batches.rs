//! Archives of many submissions: taken, looked at, and started.

use crate::batches::{self, Batch};
use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::pages::batch;
use serde_json::json;

fn told(batch: &Batch) -> Reply {
    Reply::json(&json!({ "id": batch.id, "round": batch.round.id, "kind": batch.kind, "files": batch.files }))
}

fn of(call: &Call, id: &str) -> Result<Batch, Fault> {
    let caller = call.caller()?;
    call.app.store.read(|c| batches::get(c, caller, id))
}

/// Unpacks an archive and tells which file is whose; nothing is queued yet.
pub fn take(call: &Call) -> Result<Reply, Fault> {
    let id = batch::take(call)?;
    Ok(told(&of(call, &id)?).status(201))
}

/// Which file of an archive is whose.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    Ok(told(&of(call, call.part("id")?)?))
}

/// Queues the files that match, and tells the submissions' ids.
pub fn start(call: &Call) -> Result<Reply, Fault> {
    let (_, ids) = batches::run(&call.app, call.caller()?, call.part("id")?)?;
    Ok(Reply::json(&json!({ "submissions": ids })).status(202))
}
