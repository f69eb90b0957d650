//! The reference index: what is kept of a corpus so that submissions find their sources in it.
//!
//! An index is a catalogue (SQLite: which documents there are, the list of live segments) and immutable segments (what is
//! searched, texts, and what is known of each document). On disk it is a folder; a corpus that is not kept is the same thing
//! in memory. [`IndexWriter`] changes one, [`Index`] searches one or several as if they were one.
//!
//! Words: docs/ARCHITECTURE.md, *Of the index*.

mod blocks;
mod catalogue;
mod changes;
mod derived;
mod disk;
mod error;
mod home;
mod inspect;
mod layout;
mod lock;
mod merge;
mod policy;
mod reader;
mod records;
pub(crate) mod segment;
mod snapshot;
mod writer;

#[doc(hidden)] // What the second look of a check keeps.
pub use derived::{Derived, Keeper};
pub use error::IndexError;
pub use inspect::{ListSizes, Statistics};
pub use policy::MergePolicy;
pub use reader::Index;
pub use records::Record;
pub use writer::{Added, IndexWriter};
