//! A check, from what submissions are compared with to the report on each.
//!
//! A [`Library`] is what is searched: folders of an index, or documents at hand. A [`Checker`] is a library with settings and
//! rules; it may be used by many threads at once. [`Checker::check`] gives the [`Findings`] on one submission, which need
//! nothing besides and can be merged with those of other libraries, and [`Findings::report`] the [`Report`] that everything
//! else renders. A [`Collection`] checks many submissions, and compares them with each other.

mod checker;
mod collection;
mod comparison;
mod decisions;
mod findings;
mod library;
mod remark;
mod report;
mod rounds;
mod told;

pub use checker::{Checker, Itself, Rules, SAME_WORK};
pub use collection::{Collection, Common, GROUP_SHARE, Shared, SharedReport, SubmissionTexts};
pub use comparison::{Analysed, Comparer, Comparison};
pub use findings::{Findings, MergeError, SharedPassage, Source as FoundSource};
pub use library::{Addition, Admitted, Library, LibraryBuilder, add_to_index, analyse_for_index, refused};
pub use remark::Remark;
pub use report::{
    About, Chapter, CountedSegment, Excluded, FORMAT, PageStart, Passage, Program, Ratio, Ratios, Reference, Remarks,
    Report, Source, Status, Summary, WEAK,
};

pub use crate::sketch::unread::{BadId, Reason, Unread};
pub use told::{Contradiction, Told};

use crate::index::IndexError;
use crate::job::Cancelled;
use crate::search::SearchError;
use crate::sketch::analysers::TooShort;
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
    /// The index is damaged, or cannot be read or written.
    #[error(transparent)]
    #[serde(untagged)]
    Index(#[from] IndexError),
}

impl From<SearchError> for CheckError {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Index(error) => CheckError::Index(error),
            SearchError::Cancelled(cancelled) => CheckError::Cancelled(cancelled),
        }
    }
}
