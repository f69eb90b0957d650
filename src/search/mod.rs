//! Who shares text with whom: one submission against an index, all documents of an index with each other, and all pairs of a corpus.
//!
//! For a submission, [`candidates`] asks the index which documents hold its sampled keys, and [`worth`] looks at the places
//! where the texts may agree. [`submission`] aligns the worthwhile documents with one submission; [`among`] aligns documents with
//! each other. [`all_pairs`] finds near-duplicates of whole documents and aligns nothing: it is the one to use for millions of short
//! texts, and not for passages.
//!
//! Words: docs/ARCHITECTURE.md, *Of search*.

pub mod all_pairs;
pub(crate) mod among;
pub(crate) mod candidates;
mod error;
pub mod filter;
pub mod frequencies;
pub(crate) mod hits;
pub(crate) mod holders;
mod meetings;
pub(crate) mod rounds;
pub mod sentences;
mod similarity;
pub(crate) mod submission;
#[cfg(test)]
mod tests;
mod worth;

// What `copytrace.spark` runs the same search by, in pieces.
#[doc(hidden)]
pub use crate::sketch::profile::{Profile, ProfileView};
pub(crate) use error::SearchError;
pub use similarity::DocumentSimilarity;
