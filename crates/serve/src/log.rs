//! What the server tells on standard error: one JSON object a line, without names and wording.

use crate::server::listen::Asked;
use serde_json::{Value, json};
use std::time::Duration;

fn tell(level: &str, what: &str, about: &Value) {
    let at = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    eprintln!("{}", json!({ "at": at, "level": level, "what": what, "about": about }));
}

/// Tells that something failed that should not.
pub fn failed(what: &str, why: &str) {
    tell("error", what, &json!(why));
}

/// Tells something worth keeping.
pub fn note(what: &str, about: &str) {
    tell("info", what, &json!(about));
}

/// Tells how a request was answered.
pub fn answered(id: &str, method: &str, asked: Asked, status: u16, took: Duration) {
    let Asked { path, object, person } = asked;
    let about = json!({
        "id": id, "method": method, "path": path, "object": object, "person": person, "status": status, "ms": took.as_millis() as u64,
    });
    tell("info", "request", &about);
}

/// Tells that somebody could not sign in: why, by the id of the account if there is one, and from where.
pub fn refused_sign_in(code: &str, account: &str, address: &str) {
    tell("warn", "sign_in", &json!({ "code": code, "account": account, "address": address }));
}
