//! Units: the atoms that everything after the text is made of.
//!
//! A unit is a Han character, or a word of any other script (Unicode Standard Annex #29); punctuation and white
//! space are not units. One engine therefore serves all languages and their mixtures.

mod columns;
mod gap;
mod runs;
mod segmenter;
mod stretch;
mod tokens;
mod words;

pub use columns::Units;
#[doc(hidden)]
pub use runs::AsciiBlock;
pub use segmenter::Segmenter;
#[doc(hidden)]
pub use stretch::Stretch;
pub(crate) use tokens::{Kind, Token, Tokens};
#[doc(hidden)]
pub use words::ENGLISH_STOP_WORDS;
pub(crate) use words::stable_hash as word_hash;

#[cfg(test)]
mod tests;
