//! What a search finds.

/// A fingerprint found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit<Row = u32> {
    /// Its position among the fingerprints that were searched, from 0: those that a table was built from, or that were ever
    /// inserted in a [window](crate::Window).
    pub row: Row,
    /// How many bits differ from the query's.
    pub distance: u8,
}
