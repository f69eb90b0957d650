//! Why a check gave nothing, and why a document is missing from one.

use crate::formats::input::ReadError;
use crate::index::IndexError;
use crate::job::Cancelled;
use crate::search::SearchError;
use crate::sketch::analysers::{NotAnalysed, TooShort};
use serde::{Deserialize, Serialize};

/// Why a check gave nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The index is damaged, or cannot be read or written.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// It was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The submission cannot be compared with anything.
    #[error(transparent)]
    TooShort(#[from] TooShort),
    /// Another document than the submission cannot be compared with anything: a template, or one of two.
    #[error(transparent)]
    Unread(#[from] Unread),
    /// Nothing of the submission counts.
    #[error("nothing is left to compare: all of the text is left out")]
    NothingLeft,
}

impl From<NotAnalysed> for CheckError {
    fn from(error: NotAnalysed) -> Self {
        error.too_short().map_or_else(CheckError::Cancelled, CheckError::TooShort)
    }
}

impl From<SearchError> for CheckError {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Index(error) => CheckError::Index(error),
            SearchError::Cancelled(cancelled) => CheckError::Cancelled(cancelled),
        }
    }
}

/// A document that is missing from the results, and why. The others are there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{id}: {reason}")]
pub struct Unread {
    /// Its id, or the path that could not be read.
    pub id: String,
    /// The reason, in words and without the id.
    pub reason: String,
}

impl Unread {
    /// A document that is missing for this reason.
    pub fn new(id: &str, reason: impl ToString) -> Self {
        Unread { id: id.to_owned(), reason: reason.to_string() }
    }
}

impl From<ReadError> for Unread {
    fn from(error: ReadError) -> Self {
        // A JSON line may call itself as it likes: its file is told too.
        let told = error.path().ends_with(error.id());
        let place = if told { String::new() } else { format!(" ({})", error.path()) };
        Unread::new(error.id(), format!("{}{place}", error.reason()))
    }
}
