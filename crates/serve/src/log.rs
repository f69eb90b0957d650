//! What the server tells on standard error: one JSON object a line, without names and wording.

use serde_json::json;

/// Tells that something failed that should not.
pub fn failed(what: &str, why: &str) {
    tell("error", what, why);
}

/// Tells something that whoever runs the server should know.
pub fn notice(what: &str, about: &str) {
    tell("notice", what, about);
}

fn tell(level: &str, what: &str, about: &str) {
    let at = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    eprintln!("{}", json!({ "at": at, "level": level, "what": what, "about": about }));
}
