//! Numbers as bits: what compressed tables and segments are written with.

pub mod bits;
pub mod huffman;
mod integers;
