//! The order of the codes of a document in cells.

use std::ops::Range;

/// The codes of a document by cells.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    pub(crate) codes: Vec<u32>,
    /// Where each cell ends among them.
    pub(crate) ends: Vec<u32>,
}

impl Order {
    /// The codes of a cell, as places in the order.
    pub(crate) fn of_cell(&self, cell: usize) -> Range<usize> {
        let start = cell.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[cell] as usize
    }
}
