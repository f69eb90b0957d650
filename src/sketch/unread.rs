//! Documents that are missing from the results, and why.

use super::analysers::TooShort;
use crate::formats::extract::ExtractError;
use crate::formats::input::{ReadError, ReadReason};
use serde::{Deserialize, Serialize};

/// A document that is missing from the results, and why. The others are there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "code", rename = "unread")]
#[error("{id}: {}", self.message())]
pub struct Unread {
    /// Its id, or the path that could not be read.
    pub id: String,
    /// The reason.
    pub reason: Reason,
    /// Where it is, if the id does not tell it.
    pub place: Option<String>,
}

/// Why a document is missing from the results: a stable code with figures, and an English sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "code", rename_all = "kebab-case")]
#[cfg_attr(test, derive(strum::EnumIter))]
#[non_exhaustive]
pub enum Reason {
    /// It cannot be compared with anything.
    #[error(transparent)]
    TooShort(#[from] TooShort),
    /// Nothing of it counts.
    #[error("nothing is left to compare: all of the text is left out")]
    NothingLeft,
    /// It has no features to make a fingerprint of.
    #[error("no features: nothing to be compared")]
    NoFeatures,
    /// A submission before it has its id.
    #[error("another submission has this id already; only the first is checked")]
    RepeatedSubmission,
    /// A document before it has its id.
    #[error("another document has this id already; only the first is kept")]
    RepeatedDocument,
    /// No document can have such an id.
    #[error("refused as an id: {why}")]
    BadId {
        /// What is wrong with the id.
        why: BadId,
    },
    /// Nothing is known of files of its kind.
    #[error("not read: files of this kind are not known")]
    UnknownKind,
    /// Where one document is needed is none.
    #[error("holds no document")]
    HoldsNone,
    /// Where one document is needed are several.
    #[error("holds several documents where one is needed")]
    HoldsSeveral,
    /// What whoever uses the library says of it.
    #[error("{said}")]
    Other {
        /// The sentence.
        said: String,
    },
    /// It could not be read.
    #[error(transparent)]
    #[serde(untagged)]
    #[cfg_attr(test, strum(disabled))]
    NotRead(#[from] ReadReason),
}

/// What is wrong with an id.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(strum::EnumIter))]
#[non_exhaustive]
#[allow(missing_docs)] // the sentences say what they are
pub enum BadId {
    #[default]
    #[error("it is empty")]
    Empty,
    #[error("it is longer than 1,000 bytes")]
    TooLong,
    #[error("it holds control characters")]
    ControlCharacters,
    #[error("as a path it leads out of its folder")]
    LeadsOut,
}

impl Unread {
    /// A document that is missing for this reason.
    pub fn new(id: &str, reason: impl Into<Reason>) -> Self {
        Unread { id: id.to_owned(), reason: reason.into(), place: None }
    }

    /// The reason in an English sentence, without the id.
    pub fn message(&self) -> String {
        match &self.place {
            None => self.reason.to_string(),
            Some(place) => format!("{} ({place})", self.reason),
        }
    }
}

impl From<ReadError> for Unread {
    fn from(error: ReadError) -> Self {
        // A JSON line may call itself as it likes: its file is told too.
        let told = error.path().ends_with(error.id());
        let place = (!told).then(|| error.path().to_owned());
        Unread { place, ..Unread::new(error.id(), error.reason().clone()) }
    }
}

impl From<ExtractError> for Reason {
    fn from(error: ExtractError) -> Self {
        Reason::NotRead(error.into())
    }
}

impl From<&str> for Reason {
    fn from(sentence: &str) -> Self {
        Reason::Other { said: sentence.to_owned() }
    }
}

impl From<String> for Reason {
    fn from(sentence: String) -> Self {
        Reason::from(sentence.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copytrace_messages::{Language, Tell, told_everywhere};
    use strum::IntoEnumIterator;

    fn all() -> Vec<Reason> {
        Reason::iter().chain(BadId::iter().map(|why| Reason::BadId { why })).collect()
    }

    #[test]
    fn every_reason_has_its_message_in_every_language_and_reads_back() {
        told_everywhere(all()).unwrap();
        for reason in all() {
            let json = serde_json::to_string(&reason).unwrap();
            assert_eq!(serde_json::from_str::<Reason>(&json).unwrap(), reason, "{json}");
        }
    }

    #[test]
    fn a_missing_document_is_told_with_its_id_and_place_and_has_the_code_of_its_reason() {
        let chinese = Language::named("zh").unwrap();
        let mut unread = Unread::new("a: b.pdf", ExtractError::NoText);
        assert_eq!(unread.tell(chinese), "a: b.pdf：其中没有文字");
        unread.place = Some("lines.jsonl:3".to_owned());
        assert_eq!(unread.tell(chinese), "a: b.pdf：其中没有文字（lines.jsonl:3）");
        assert_eq!(unread.to_string(), "a: b.pdf: no text in it (lines.jsonl:3)");
        assert_eq!(unread.code().as_deref(), Some("no-text"));
        let json = serde_json::to_string(&unread).unwrap();
        assert_eq!(serde_json::from_str::<Unread>(&json).unwrap(), unread, "{json}");
    }

    #[test]
    fn how_little_a_text_has_is_told_by_what_is_compared() {
        let chinese = Language::named("zh").unwrap();
        let told = |shingling: &str| Reason::TooShort(TooShort(shingling.parse().unwrap())).tell(chinese);
        assert_eq!(told("units:5"), "文字过短，无法比较：不足 5 个词或汉字");
        assert_eq!(told("chars:9"), "文字过短，无法比较：不足 9 个字符");
        assert_eq!(told("words:3"), "文字过短，无法比较：不足 3 个词");
    }
}
