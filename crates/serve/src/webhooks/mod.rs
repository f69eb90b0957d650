//! Webhooks: other systems are told what happens, by requests that are signed ([Standard Webhooks](https://www.standardwebhooks.com)).
//!
//! Requests only write down what is to be told ([`rows::tell`]); a task of the server tells it ([`post`]). Webhooks carry ids, no names.

pub mod post;
pub mod roads;
pub mod rows;

use crate::store::word::worded;
use axum::http::Uri;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use copytrace_harvest::is_inside;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::net::IpAddr;

worded! {
    /// What is told.
    Event:
    /// A draft or a final was handed in.
    Received "submission.received";
    /// There is a report.
    Ready "report.ready";
    /// A check has failed.
    Failed "check.failed";
    /// A verdict was given.
    Verdict "verdict.given";
    /// Nothing: an administrator tries the webhook.
    Ping "ping";
}

/// What stands before secrets, so that people know what they are.
const PREFIX: &str = "whsec_";

/// A secret of 256 bits as both sides keep it.
pub fn secret(bytes: &[u8; 32]) -> String {
    format!("{PREFIX}{}", STANDARD.encode(bytes))
}

/// The signature of a message: HMAC-SHA256 over its id, its time (seconds since 1970) and its body. None if the secret is none.
pub fn signature(secret: &str, id: &str, at: i64, body: &str) -> Option<String> {
    let key = STANDARD.decode(secret.strip_prefix(PREFIX)?).ok()?;
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&key).ok()?;
    mac.update(format!("{id}.{at}.{body}").as_bytes());
    Some(format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes())))
}

/// Whether webhooks may go to an address, as far as it tells by itself: names are looked up, and refused if they stand for an address inside
/// the network, when something is told. `allowed` are hosts for which that does not count.
pub fn may_go_to(url: &str, allowed: &[String]) -> bool {
    let Ok(uri) = url.parse::<Uri>() else { return false };
    let (Some(authority), Some(host)) = (uri.authority(), uri.host()) else { return false };
    if authority.as_str().contains('@') || url.contains('#') || url.len() > 2000 {
        return false;
    }
    if is_allowed(host, allowed) {
        return matches!(uri.scheme_str(), Some("https" | "http"));
    }
    let inside = host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(is_inside);
    uri.scheme_str() == Some("https") && !inside && !host.eq_ignore_ascii_case("localhost")
}

/// Whether the configuration lets webhooks go to a host, wherever it is.
pub fn is_allowed(host: &str, allowed: &[String]) -> bool {
    allowed.iter().any(|known| known.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_signed_as_the_standard_says() {
        // The example of the standard's own libraries.
        let signed = signature(
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            "{\"test\": 2432232314}",
        );
        assert_eq!(signed.as_deref(), Some("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="));
        assert_eq!(signature("no secret", "a", 1, ""), None);
    }

    #[test]
    fn addresses_inside_the_network_and_those_without_encryption_are_refused_unless_they_are_allowed() {
        let allowed = ["hooks.campus.example".to_owned(), "127.0.0.1".to_owned()];
        for good in [
            "https://hooks.example.edu/x?y=1",
            "http://hooks.campus.example/x",
            "http://127.0.0.1:8080/",
            "https://8.8.8.8/",
        ] {
            assert!(may_go_to(good, &allowed), "{good}");
        }
        for bad in [
            "",
            "hooks.example.edu",
            "http://hooks.example.edu/",
            "ftp://hooks.campus.example/",
            "https://localhost/",
            "https://LOCALHOST:1/",
            "https://10.1.2.3/",
            "https://169.254.169.254/latest/meta-data",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://user@hooks.example.edu/",
            "https://hooks.example.edu/#x",
            "http://127.0.0.1.example.edu/",
            "file:///etc/passwd",
        ] {
            assert!(!may_go_to(bad, &allowed), "{bad}");
        }
        assert!(!may_go_to("https://127.0.0.1/", &[]));
    }
}
