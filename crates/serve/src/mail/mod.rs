//! Letters: invitations, links for a lost password, and a daily summary.
//!
//! Requests only write down that a letter is to be sent ([`outbox`], [`notices`]); a task of the server sends it ([`post`]).

pub mod notices;
pub mod outbox;
pub mod post;
mod text;

use crate::store::word::worded;
use copytrace_messages::Language;
use lettre::message::Mailbox;
use serde::Deserialize;
use std::path::PathBuf;

worded! {
    /// How the connection to the mail server is encrypted.
    Encryption:
    /// From its beginning.
    Tls "tls";
    /// After a word of both sides; a server that offers none gets nothing.
    StartTls "starttls";
    /// Not at all, within this machine.
    None "none";
}

/// The mail server, as the institution describes it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// Its name.
    pub server: String,
    /// Its port; 465 with `tls`, 587 with `starttls` if none is named.
    pub port: Option<u16>,
    /// How the connection is encrypted.
    #[serde(default = "tls")]
    pub encryption: Encryption,
    /// Whom letters are from, such as `Thesis office <theses@example.edu>`.
    pub from: String,
    /// As whom the service signs in there, if it does.
    pub user: Option<String>,
    /// The file with the password for that.
    pub password_file: Option<PathBuf>,
    /// What that file says.
    #[serde(skip)]
    pub password: String,
    /// The language of letters to people who have not chosen one.
    #[serde(default = "chinese")]
    pub language: String,
    /// Minutes for which news are gathered before a digest goes out.
    #[serde(default = "gather")]
    pub gather_minutes: u32,
}

fn tls() -> Encryption {
    Encryption::Tls
}

fn chinese() -> String {
    "zh".to_owned()
}

/// So that what happens together is told together.
fn gather() -> u32 {
    15
}

impl Settings {
    /// The same with the password of its file.
    ///
    /// # Errors
    /// When something is missing or would not be safe: a sentence that names it.
    pub fn checked(mut self) -> Result<Self, String> {
        let says = |why: &str| Err(format!("mail: {why}"));
        if self.server.trim().is_empty() {
            return says("a server is needed");
        }
        if self.from.parse::<Mailbox>().is_err() {
            return says("from is an address such as Thesis office <theses@example.edu>");
        }
        if self.encryption == Encryption::None && !matches!(self.server.as_str(), "127.0.0.1" | "localhost" | "::1") {
            return says(
                "encryption is tls or starttls; without it letters with links would cross the network as they are",
            );
        }
        if Language::named(&self.language).is_none() {
            return says("there are no letters in that language");
        }
        if self.user.is_some() != self.password_file.is_some() {
            return says("a user has a password-file");
        }
        if let Some(file) = &self.password_file {
            let password = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
            self.password = password.trim_end_matches(['\r', '\n']).to_owned();
        }
        Ok(self)
    }
}

/// Whether letters can be addressed so.
pub fn is_address(text: &str) -> bool {
    text.len() <= 254 && text.parse::<lettre::Address>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_mail_server_that_would_not_be_safe_is_refused_before_the_service_starts() {
        let checked = |changes: serde_json::Value| {
            let mut settings = json!({ "server": "smtp.example.edu", "from": "Office <office@example.edu>" });
            changes.as_object().unwrap().iter().for_each(|(name, value)| settings[name] = value.clone());
            serde_json::from_value::<Settings>(settings).map_err(|error| error.to_string())?.checked()
        };
        assert_eq!(checked(json!({})).unwrap().encryption, Encryption::Tls);
        assert!(checked(json!({ "encryption": "none", "server": "127.0.0.1" })).is_ok());
        for (changes, said) in [
            (json!({ "encryption": "none" }), "as they are"),
            (json!({ "encryption": "ssl" }), "ssl"),
            (json!({ "server": " " }), "server"),
            (json!({ "from": "Office" }), "from"),
            (json!({ "from": "a@example.edu\r\nBcc: b@example.edu" }), "from"),
            (json!({ "language": "tlh" }), "language"),
            (json!({ "user": "u" }), "password-file"),
            (json!({ "user": "u", "password-file": "/nowhere/password" }), "/nowhere/password"),
            (json!({ "pasword-file": "x" }), "pasword-file"),
        ] {
            let error = checked(changes.clone()).unwrap_err();
            assert!(error.contains(said), "{changes}: {error}");
        }
    }

    #[test]
    fn an_address_is_one_and_holds_no_second_line() {
        assert!(is_address("ann.one@cs.example.edu"));
        for none in [
            "",
            "ann",
            "ann@",
            "@example.edu",
            "a b@example.edu",
            "a@example.edu\r\nTo: b@example.edu",
            "a@example.edu, b@example.edu",
        ] {
            assert!(!is_address(none), "{none}");
        }
    }
}
