//! Folding away what a reader does not see.

use super::offsets::OffsetMap;

/// A normalised text with the way back to the original.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Normalised {
    /// The normalised text.
    pub text: String,
    /// For each of its characters, where it stood in the original.
    pub offsets: OffsetMap,
}

/// Normalises a text.
pub fn normalise(_original: &str) -> Normalised {
    unimplemented!()
}
