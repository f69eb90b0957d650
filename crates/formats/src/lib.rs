//! From bytes to documents.
//!
//! [`input`] walks files, folders, zip archives, JSON lines and bytes in memory. [`encoding`] decodes text, and [`extract`] reads a
//! format: each has one reader, which gives the text and what the format says of it. The result is always a
//! [`Document`](copytrace_text::Document).
//!
//! Files may be hostile: depth, size and time of everything that is read are bounded by [`input::ReadLimits`], and whatever is wrong
//! with one file is an error that names it, while the others are read.
//!
//! Words: docs/ARCHITECTURE.md, *Of texts*.
//!
//! # Example
//!
//! ```
//! use copytrace_formats::input::{Input, Inputs, ReadLimits};
//!
//! let page = Input::bytes("page.html", *b"<h1>Tides</h1><p>Each tide leaves silt.</p>");
//! for raw in Inputs::new([page], ReadLimits::default()) {
//!     let document = raw?.extract(&ReadLimits::default())?;
//!     assert_eq!(document.text.trim(), "Tides\n\nEach tide leaves silt.");
//! }
//! # Ok::<(), copytrace_formats::input::ReadError>(())
//! ```

// Without the formats of packages much of what builds a text has no user.
#![cfg_attr(not(feature = "documents"), allow(dead_code))]

// The service reads lists of people by it.
#[doc(hidden)]
pub mod encoding;
pub mod extract;
pub mod input;
mod json_fields;
mod limits;
