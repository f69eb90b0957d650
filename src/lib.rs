//! # copytrace
//!
//! Finds which passages of a text stand in other texts too: where they are, how much they make up, and how
//! sure the finding is. The crate is the engine behind the `copytrace` program and knows nothing of its command
//! line.
//!
//! Data flows in one direction, and each step has one place:
//!
//! ```text
//! file → extract → text → normalise → segment → shingle → sketches → index
//! submission → the same steps → probe → candidates → verify → align → matches → score → report
//! ```
//!
//! # Example
//!
//! From two texts to a report:
//!
//! ```
//! use copytrace::check::{Checker, LibraryBuilder, Rules};
//! use copytrace::{messages::Language, report::messages::Messages};
//! use copytrace::{job::Job, settings::Settings, text::Document};
//!
//! let tide = "Each tide leaves a thin layer of silt between the stems, and the surface grows by a few millimetres a year";
//! let source = Document { id: "source".into(), text: format!("The marsh rises. {tide}."), ..Document::default() };
//! let thesis = Document { id: "thesis".into(), text: format!("We measured. {tide}, we found."), ..Document::default() };
//!
//! let settings = Settings::default();
//! let mut library = LibraryBuilder::new(&settings.sketch)?;
//! library.add(vec![source], &Job::default())?;
//! let checker = Checker::new(library.finish()?.into(), settings, Rules::default());
//! let report = checker.check(thesis, &Job::default())?.report();
//! assert_eq!(report.passages[0].kind.as_str(), "verbatim");
//! std::fs::write(std::env::temp_dir().join("report.html"), report.to_html(Messages::of(Language::ENGLISH))?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The folder `examples` has more: two texts, a library in memory, an index and a check, an input and a renderer of one's own,
//! near-duplicates in a stream.
//!
//! A library that lasts is an index on disk: it is made by [`index::IndexWriter::create`] and opened by
//! [`check::Library::open`]. Long work takes a [`job::Job`], which tells how far it is and can be cancelled.
//!
//! Words: docs/ARCHITECTURE.md, *Words*.

/// The examples of the pages, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/HAMMING.md")]
mod pages {}

pub mod align;
pub mod check;
pub mod index;
pub mod report;
pub(crate) mod score;
pub mod search;
pub mod settings;
pub mod sketch;

pub use copytrace_formats as formats;
pub use copytrace_hamming as hamming;
pub use copytrace_job as job;
#[cfg(feature = "reports")]
pub use copytrace_messages as messages;
#[doc(hidden)] // The program opens models by it; what it finds is in `check`.
pub use copytrace_semantic as semantic;
pub use copytrace_text as text;
