//! What the server tells on standard error: one JSON object a line, without names and wording.

use serde_json::{Value, json};

fn tell(level: &str, what: &str, about: &Value) {
    let at = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    eprintln!("{}", json!({ "at": at, "level": level, "what": what, "about": about }));
}

/// Tells that something failed that should not.
pub fn failed(what: &str, why: &str) {
    tell("error", what, &json!(why));
}

/// Tells that somebody could not sign in: why, by the id of the account if there is one, and from where.
pub fn refused_sign_in(code: &str, account: &str, address: &str) {
    tell("warn", "sign_in", &json!({ "code": code, "account": account, "address": address }));
}
