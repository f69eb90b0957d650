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

pub mod align;
pub mod hamming;
pub mod index;
pub mod lsh;
pub mod report;
pub mod score;
pub mod search;
pub mod settings;
pub mod sketch;
pub mod text;
