//! Why a record of a source did not become a document, or a source ended early.

use copytrace_formats::input::ReadReason;
use serde::{Deserialize, Serialize};

/// Why: a stable code with figures, and an English sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
#[cfg_attr(test, derive(strum::EnumIter))]
#[non_exhaustive]
pub enum Reason {
    /// A record names no file that could be read.
    #[error("the record names no file, and its landing page names none")]
    NoFileNamed,
    /// In place of the file came a page that asks who one is.
    #[error("a login page came in place of the file")]
    LoginPage,
    /// In place of the file came another page.
    #[error("a page came in place of the file")]
    PageForFile,
    /// A kind of file that is not read.
    #[error("files of the kind {kind} are not read")]
    KindNotRead {
        /// As it is called there.
        kind: String,
    },
    /// More bytes than allowed.
    #[error("larger than {limit} bytes")]
    AnswerLarge {
        /// How many are allowed.
        limit: u64,
    },
    /// Compressed bytes that expand to more than allowed.
    #[error("expands to more than {limit} bytes")]
    AnswerExpands {
        /// How many are allowed.
        limit: u64,
    },
    /// The server did not answer, or did not finish, in time.
    #[error("no whole answer within {seconds} s")]
    AnswerSlow {
        /// The time it had.
        seconds: u64,
    },
    /// The server answered with an error.
    #[error("the server answered with status {status}")]
    StatusRefused {
        /// The HTTP status.
        status: u16,
    },
    /// The server asked again and again to come later, or much later.
    #[error("the server asks to come again in {seconds} s")]
    ServerBusy {
        /// When.
        seconds: u64,
    },
    /// No connection.
    #[error("no connection: {said}")]
    NoConnection {
        /// What went wrong.
        said: String,
    },
    /// An address that is no address.
    #[error("no address that can be fetched: {address}")]
    BadAddress {
        /// The address.
        address: String,
    },
    /// An address inside the network.
    #[error("{host} is inside the network; allowed by --allow-inside only (in the service: --harvest-inside)")]
    InsideNetwork {
        /// The host that was asked for.
        host: String,
    },
    /// The host's robots.txt does not allow it.
    #[error("robots.txt of the host does not allow it")]
    RobotsForbid,
    /// Redirects without an end.
    #[error("redirected too often")]
    ManyRedirects,
    /// An answer that is a page where the protocol wants XML.
    #[error("the answer is a page and no OAI-PMH")]
    NotOai,
    /// XML that is broken.
    #[error("broken XML: {said}")]
    BrokenXml {
        /// What is wrong.
        said: String,
    },
    /// The server says by the protocol that it cannot answer.
    #[error("the repository answered {error}: {said}")]
    OaiError {
        /// The protocol's name of the error.
        error: String,
        /// What the server says.
        said: String,
    },
    /// A list that goes round.
    #[error("the repository gave the same resumption token again: its list does not end")]
    TokenRepeats,
    /// A list that gives again and again what it gave.
    #[error("{pages} pages of the list brought no new record: it does not end")]
    PagesRepeat {
        /// How many came one after the other.
        pages: u32,
    },
    /// A record that does not say which it is.
    #[error("the record has no identifier")]
    NoIdentifier,
    /// The time that the user set is over.
    #[error("the time that was set is over; the next run goes on from here")]
    TimeOver,
    /// An archive that ends early or contradicts itself; what came before was taken.
    #[error("truncated or damaged after {records} records: {said}")]
    ArchiveBroken {
        /// How many records came before.
        records: u64,
        /// What is wrong.
        said: String,
    },
    /// The file is not there.
    #[error("{said}")]
    SourceUnreadable {
        /// What the system says.
        said: String,
    },
    /// Another record has the id.
    #[error("another record has this id already; only the first is taken")]
    RepeatedRecord,
    /// Another record of the source has the same file.
    #[error("{id} has this file already; only the first is taken")]
    FileTaken {
        /// The record that holds it.
        id: String,
    },
    /// Whoever keeps the documents refused it.
    #[error("{said}")]
    NotKept {
        /// Their reason.
        said: String,
    },
    /// There is no text in its bytes.
    #[error(transparent)]
    #[serde(untagged)]
    #[cfg_attr(test, strum(disabled))]
    Unread(#[from] ReadReason),
}

impl Reason {
    /// The stable name of the reason.
    pub fn code(&self) -> String {
        let value = serde_json::to_value(self).unwrap_or_default();
        value.get("code").and_then(|code| code.as_str()).unwrap_or_default().to_owned()
    }
}

/// A record that did not become a document, and why. The others go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize)]
#[serde(tag = "code", rename = "unread")]
#[error("{id}: {reason}")]
pub struct Failure {
    /// The id that it would have had, or where it is.
    pub id: String,
    /// The reason.
    pub reason: Reason,
    /// As messages ask for it; always none.
    pub place: Option<String>,
}

impl Failure {
    /// A record of this id that failed for this reason.
    pub fn new(id: impl Into<String>, reason: impl Into<Reason>) -> Self {
        Failure { id: id.into(), reason: reason.into(), place: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copytrace_messages::told_everywhere;
    use strum::IntoEnumIterator;

    #[test]
    fn every_reason_has_its_code_and_its_message_in_every_language() {
        let all: Vec<Reason> = Reason::iter().collect();
        told_everywhere(&all).unwrap();
        assert!(all.iter().all(|reason| !reason.code().is_empty()));
    }
}
