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
//! A corpus of one document, and a submission that took a sentence from it:
//!
//! ```
//! use copytrace::index::IndexWriter;
//! use copytrace::search::submission;
//! use copytrace::settings::Settings;
//! use copytrace::sketch::analysis::Analyser;
//! use copytrace::text::Document;
//!
//! let settings = Settings::default();
//! let mut analyser = Analyser::new(&settings.sketch);
//!
//! let text = "The marsh rises with the sea. Each tide leaves a thin layer of silt between the stems, and the \
//!             surface grows by a few millimetres a year until the next storm.";
//! let source = Document { id: "source".into(), text: text.into(), ..Document::default() };
//! let mut writer = IndexWriter::in_memory(&settings.sketch)?;
//! writer.add(&source, Vec::new(), 0, &analyser.analyse(text))?;
//! let index = writer.into_index()?;
//!
//! let thesis = "We measured for two winters. Each tide leaves a thin layer of silt between the stems, and the \
//!               surface grows by a few millimetres a year. Our stakes were lost in March.";
//! let findings = submission::check(&index, &analyser.analyse(thesis), &settings, |_| true)?;
//! let passage = &findings.sources[0].matches[0];
//! let start = passage.submission_chars.start as usize;
//! assert!(thesis[start..].starts_with("Each tide leaves"));
//! assert_eq!(passage.kind.as_str(), "verbatim");
//! # Ok::<(), copytrace::index::IndexError>(())
//! ```
//!
//! An index on disk is made by [`index::IndexWriter::create`], opened by [`index::Index::open`], and searched in the same
//! way, by many threads at once.

pub mod align;
mod coding;
pub mod cpu;
pub mod fingerprints;
pub mod hamming;
pub mod index;
pub mod job;
pub mod lsh;
mod memory_map;
pub mod report;
pub mod score;
pub mod search;
pub mod settings;
pub mod sketch;
pub mod text;
