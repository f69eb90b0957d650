//! The reference index: what is kept of a corpus so that submissions find their sources in it.
//!
//! An index is a catalogue (SQLite: documents, metadata, texts, the list of live segments) and immutable segments
//! (what is searched). On disk it is a folder; a corpus that is not kept is the same thing in memory.
//! [`IndexWriter`] changes one, [`Index`] searches one or several as if they were one.

mod catalogue;
mod disk;
mod error;
pub mod inspect;
mod layout;
mod policy;
mod reader;
pub mod segment;
mod writer;

pub use catalogue::{Record, content_hash};
pub use error::IndexError;
pub use policy::MergePolicy;
pub use reader::{Holders, Index};
pub use writer::{Added, IndexWriter};
