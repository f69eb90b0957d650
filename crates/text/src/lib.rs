//! Texts as copytrace compares them.
//!
//! A [`Document`] is a text and what its format says of it (its [`layout`]). It is [normalised](normalise), with a map from every
//! normalised character back to its place, and cut into [`units`]: a Han character, or a word of any other script.
//! [`structure`] finds the parts of a thesis: an author's claims, which are weighed. [`manipulation`] finds signs of hiding. [`prose`]
//! tells how much of a text was compared as language, and `restore` guesses the words that the rest was spoilt from.
//!
//! Nothing here reads a file: that is what `copytrace-formats` does. Nothing here compares two texts: that is the engine's, `copytrace`.
//!
//! Words: docs/ARCHITECTURE.md, *Of texts*.
//!
//! # Example
//!
//! ```
//! use copytrace_text::units::Units;
//!
//! let units = Units::from_text("Each tide leaves silt, 每次潮水。");
//! assert_eq!(units.len(), 8, "four words and four Han characters");
//! assert_eq!(units.span(0, 4), 0..22, "the comma belongs to the word before it");
//! ```

mod document;
mod first_letters;
pub mod layout;
pub mod manipulation;
pub mod normalise;
mod not_counted;
mod numbered;
mod offsets;
mod packed;
mod phrases;
pub mod prose;
mod restore;
mod spelling;
pub mod structure;
pub mod units;
mod vocabulary;

pub use document::{Document, Metadata};
pub use not_counted::NotCounted;

// What the readers of formats and the engine use of this crate beside the above. It may change in any version.
#[doc(hidden)]
pub mod char_text;
#[doc(hidden)]
pub mod chinese;
#[doc(hidden)]
pub mod flag;
#[doc(hidden)]
pub mod languages;
#[doc(hidden)]
pub mod legibility;
#[doc(hidden)]
pub mod plausible;
#[doc(hidden)]
pub mod ranges;
#[doc(hidden)]
pub mod script;
#[doc(hidden)]
pub mod tally;
#[doc(hidden)]
pub mod visible;
