//! Passages that say in other words, or in another language, what another text says.
//!
//! A [`Model`] turns sentences into vectors that are alike where sentences mean the same, in any language that it knows. A library
//! keeps a [`Gist`] of each document: a code of 128 bits for some sentences together. [`Model::look`] finds by codes which documents may
//! say what a submission says, and aligns sentences around these places.
//!
//! Thresholds of evidence were chosen on the texts that docs/SEMANTIC.md describes; it also tells which other sizes of codes and numbers
//! of documents were tried. Other constants were chosen by hand and not measured apart, unless one says otherwise or belongs to the
//! form of the model.
//!
//! Words: docs/ARCHITECTURE.md, *Of resemblances*.

mod align;
mod cells;
mod codes;
mod encoder;
mod gist;
mod glosses;
mod look;
mod matrix;
mod model;
mod near;
mod order;
mod parts;
mod pieces;
mod scan;
mod sentences;
mod table;
mod window;

pub use gist::Gist;
pub use look::{Gists, Looked, Manner, Resemblance};
pub use model::{Model, ModelError};
