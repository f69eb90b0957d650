//! The map from normalised characters back to the original ones.

use std::ops::Range;

/// For every normalised character, the span of the original text it came from.
///
/// Stub of the interface; positions are characters (Unicode scalar values) on both sides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OffsetMap {}

impl OffsetMap {
    /// The original characters that normalised character `index` came from.
    pub fn span(&self, _index: usize) -> Range<usize> {
        unimplemented!()
    }
}
