//! Texts as copytrace compares them.
//!
//! A [`Document`] is a text and what its format says of it (its [`layout`]). It is [normalised](normalise), with a map from every
//! normalised character back to its place, and cut into [units](units): a Han character, or a word of any other script. Beside that
//! stand the parts of a thesis ([`structure`]), which are claims of its author that are weighed, and the signs that somebody tried to
//! hide a copy ([`manipulation`]).
//!
//! Nothing here reads a file: that is what `copytrace-formats` does. Nothing here compares two texts: that is the engine's, `copytrace`.
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

pub mod char_text;
pub mod chinese;
mod document;
pub mod flag;
pub mod languages;
pub mod layout;
pub mod legibility;
pub mod manipulation;
pub mod normalise;
mod offsets;
mod phrases;
pub mod plausible;
pub mod ranges;
pub mod script;
pub mod structure;
pub mod tally;
pub mod units;
pub mod visible;

pub use document::{Document, Metadata};
