//! What the server tells on standard error: one JSON object a line, without names and wording.

use serde_json::json;

/// Tells that something failed that should not.
pub fn failed(what: &str, why: &str) {
    let at = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    eprintln!("{}", json!({ "at": at, "level": "error", "what": what, "about": why }));
}
