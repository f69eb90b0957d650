//! Exact search over 64-bit fingerprints within k bits, 0 ≤ k ≤ 7.
//!
//! [`FingerprintTable`] answers single queries against many stored fingerprints, [`Batch`] many queries at once, [`Window`] those of
//! a stream against the ones before. The [`Engine`] says how a table is laid out; every engine finds exactly what
//! [`FingerprintTable::brute_force`] finds. Tables are plain bytes, to be asked in memory or from a memory map. `docs/HAMMING.md` compares the
//! engines.
//!
//! The fingerprint 0 is that of a text without features, of which nothing is known: it is near to none, not even to itself.
//!
//! Words: docs/ARCHITECTURE.md, *Of fingerprints*.
//!
//! ```
//! use copytrace_hamming::{Engine, FingerprintTable};
//!
//! let fingerprints = [0x0123_4567_89ab_cdef, 0x0123_4567_89ab_cdee, 0xfedc_ba98_7654_3210];
//! let table = FingerprintTable::build(&fingerprints, 3, Engine::Auto)?;
//! let hits = table.find(0x0123_4567_89ab_cdef, 3)?;
//! assert_eq!(hits.iter().map(|hit| (hit.row, hit.distance)).collect::<Vec<_>>(), [(0, 0), (1, 1)]);
//! # Ok::<(), copytrace_hamming::Error>(())
//! ```

mod batch;
mod blocks;
mod bucketed;
mod code;
mod compressed;
mod container;
mod cost;
mod design;
mod engine;
mod error;
mod features;
pub mod fingerprints;
mod format;
mod hit;
mod multi_index;
#[cfg(target_arch = "aarch64")]
mod neon;
mod permutation;
mod permuted;
mod popcount;
mod scan;
mod table;
mod tail;
mod window;

pub use batch::{Batch, Meeting};
pub use engine::Engine;
pub use error::Error;
pub use hit::Hit;
pub use table::FingerprintTable;
pub use window::Window;

// What the engine uses of this crate beside the above. It may change in any version.
#[doc(hidden)]
pub mod coding;
#[doc(hidden)]
pub mod cpu;
#[doc(hidden)]
pub mod memory_map;
#[doc(hidden)]
pub mod tables;
#[doc(hidden)]
pub use scan::near_words;
#[doc(hidden)]
pub use table::write_for_all_distances;

#[cfg(test)]
mod tests;
