//! Numbers as bits: what compressed tables and segments are written with.

pub(crate) mod bits;
pub(crate) mod huffman;
mod integers;
