//! A check: from the library to the report on each submission.
//!
//! A [`Library`] is what is searched: folders of an index, or documents at hand. A [`Checker`] is a library with settings and
//! rules; it may be used by many threads at once. [`Checker::check`] gives the [`Findings`] on one submission. They need
//! nothing besides, and can be merged with those of other libraries. [`Findings::report`] gives the [`Report`], which everything
//! else renders. A [`Collection`] checks many submissions, and compares them with each other. For two texts and no library there is
//! a [`Comparer`].
//!
//! Words: docs/ARCHITECTURE.md, *Of checks and reports*.

mod about;
mod checker;
mod collection;
mod comparison;
mod counting;
mod decisions;
mod error;
mod findings;
mod forms;
mod left_out;
mod library;
mod meanings;
mod remark;
mod report;
mod resemblance;
mod rounds;
mod set_phrases;
mod surroundings;
mod told;

pub use crate::score::compared::Certainty;
pub use crate::score::ratios::{Ratio, Ratios};
pub use crate::score::segments::{CountedSegment, Status};
pub use about::{About, Program, Reference};
pub use checker::{Checker, Itself, Rules};
pub use collection::{Collection, Common, Shared, SharedReport, SubmissionTexts};
pub use comparison::{Analysed, Comparer};
pub use error::{BadId, CheckError, Reason, Unread};
pub use findings::{Findings, FoundSource, SharedPassage};
pub use library::{Addition, Admitted, Library, LibraryBuilder};
#[doc(hidden)] // The second look, which only the program offers.
pub use meanings::Meanings;
pub use remark::Remark;
pub(crate) use report::counts_in_some_ratio;
pub use report::{Chapter, Excluded, PageStart, Passage, Remarks, Report, Source, Summary};
#[doc(hidden)]
pub use resemblance::{Resemblance, Resemblances};
pub use told::{Contradiction, Told};
