//! Why a check gave nothing, and why a document is missing from one.

use crate::index::IndexError;
use crate::job::Cancelled;
use crate::search::SearchError;
use crate::sketch::analysers::{NotAnalysed, TooShort};
pub use crate::sketch::unread::{BadId, Reason, Unread};
use serde::Serialize;

/// Why a check gave nothing: a stable code with figures, and an English sentence.
#[derive(Debug, thiserror::Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum CheckError {
    /// It was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The submission cannot be compared with anything.
    #[error(transparent)]
    TooShort(#[from] TooShort),
    /// Nothing of the submission counts.
    #[error("nothing is left to compare: all of the text is left out")]
    NothingLeft,
    /// Findings of two different checks cannot be merged.
    #[error("{id}: what was found belongs to two different checks, of other texts or with other settings")]
    OtherCheck {
        /// The submission's id.
        id: String,
    },
    /// The index is damaged, or cannot be read or written.
    #[error(transparent)]
    #[serde(untagged)]
    Index(#[from] IndexError),
    /// Another document than the submission cannot be compared with anything: a template, or one of two.
    #[error(transparent)]
    #[serde(untagged)]
    Unread(#[from] Unread),
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
