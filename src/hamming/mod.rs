//! Exact search over 64-bit fingerprints within k bits, 0 ≤ k ≤ 7.
//!
//! [`Table`] answers single queries against many stored fingerprints, [`Batch`] many queries at once. The [`Engine`]
//! says how; every engine finds exactly what [`brute_force`] finds. Tables are plain bytes, to be asked in memory or
//! from a memory map. `docs/HAMMING.md` compares the engines.
//!
//! ```
//! use copytrace::hamming::{Engine, Table};
//!
//! let fingerprints = [0x0123_4567_89ab_cdef, 0x0123_4567_89ab_cdee, 0xfedc_ba98_7654_3210];
//! let table = Table::build(&fingerprints, 3, Engine::Auto)?;
//! let hits = table.find(0x0123_4567_89ab_cdef, 3)?;
//! assert_eq!(hits.iter().map(|hit| (hit.row, hit.distance)).collect::<Vec<_>>(), [(0, 0), (1, 1)]);
//! # Ok::<(), copytrace::hamming::Error>(())
//! ```

mod batch;
pub mod blocks;
mod bucketed;
mod code;
mod compressed;
mod container;
pub mod cost;
mod design;
mod engine;
mod error;
pub mod files;
pub mod multi_index;
mod permutation;
pub mod permuted;
mod popcount;
mod scan;
pub mod sentences;
mod table;
mod window;
mod words;

pub use batch::{Batch, Pair};
pub use code::Code;
pub use cost::Cost;
pub use design::{Design, TableDesign};
pub use engine::Engine;
pub use error::Error;
pub use popcount::Kernel;
pub use scan::{brute_force, near_words};
pub use table::{Hit, Table, write_design, write_table};
pub use window::{Window, WindowHit};
pub use words::{WordReader, WordSource, read_words, write_words};

/// The largest distance in bits that can be searched.
pub const MAX_DISTANCE: u8 = 7;

#[cfg(test)]
mod tests;
