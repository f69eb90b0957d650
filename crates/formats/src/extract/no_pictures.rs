//! Pictures where the feature `documents` is off: nobody looks at them.

/// The pictures of a document.
#[derive(Debug, Default)]
pub(super) struct Pictures;

impl Pictures {
    /// The letters of prose that a picture shows: not known.
    pub(super) fn shown(&mut self, _: &[u8]) -> Option<u32> {
        None
    }
}
