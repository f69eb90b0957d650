//! Where a corpus comes from.
//!
//! A [`Source`] is a repository (OAI-PMH), a dump, an archive of web pages or a file of documents. [`harvest`] reads sources record
//! by record, makes [documents](copytrace_text::Document) of them that say where they come from and under which licence, and hands
//! them to a [`Sink`]: an index, or a [`CorpusFile`]. A [`Store`] records what was done and survives kills: the next run goes on
//! where this one ended, takes what is new or changed, and removes what is gone.
//!
//! Sources may be hostile: sizes, times and addresses are bounded, and whatever is wrong with a record is a [`Failure`] with a named
//! [`Reason`], while the others are read.
//!
//! Words: docs/ARCHITECTURE.md, *Of harvesting*.

mod arxiv;
mod bzip2_streams;
mod corpus_file;
mod files;
mod fingerprint;
mod jats;
mod mediawiki;
mod oai;
mod packages;
mod parquet;
mod reason;
mod record;
mod run;
mod source;
mod store;
mod streams;
mod warc;
mod web;

pub use corpus_file::CorpusFile;
pub use reason::{Failure, Reason};
pub use run::{HarvestError, Kept, Options, Seen, Sink, harvest};
pub use source::Source;
#[doc(hidden)]
pub use source::may_hide_documents;
pub use store::{SourceState, Store};
// For the service, whose webhooks go to addresses that people type.
pub use web::WebSettings;
#[doc(hidden)]
pub use web::inside::{OutsideOnly, is_inside};
