//! The ways to search, and the choice among them.

use std::fmt;
use std::str::FromStr;

use super::code::Code;
use super::container::damaged;
use super::cost::Cost;
use super::design::Design;
use super::{Error, blocks, format, multi_index, permuted, scan};

/// A way to search. All give the same answer; they differ in memory and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// The cost model's choice: a scan for few fingerprints, else [`Engine::MultiIndex`].
    Auto,
    /// Comparing with every fingerprint: 8 bytes each.
    Scan,
    /// The classical tables: k + 1 blocks of bits, one of which must be equal.
    Blocks,
    /// Fewer and wider parts, in which some bits may differ (Norouzi, Punjani and Fleet, CVPR 2012).
    MultiIndex,
    /// Sorted permuted tables (Manku, Jain and Das Sarma, WWW 2007, section 3).
    Permuted,
    /// Permuted tables in blocks of Rice codes.
    Compressed,
    /// Permuted tables in blocks of the paper's own code (section 3.2): Huffman codes of first differing bits.
    CompressedHuffman,
}

/// What permuted tables may take for each fingerprint, in bytes, where nothing else is said: room for the 20
/// tables of k = 3.
const PERMUTED_BYTES: u64 = 200;

impl Engine {
    /// The largest distance in bits that can be searched.
    pub const MAX_DISTANCE: u8 = format::MAX_DISTANCE;

    /// The engine and the tables that will be built for `count` fingerprints.
    pub(super) fn resolve(self, k: u8, count: usize) -> (Engine, Design) {
        match self {
            Engine::Auto => {
                let design = multi_index::design(k, count);
                if Cost::of_scan(count).picoseconds <= Cost::of(&design, count).picoseconds {
                    Engine::Scan.resolve(k, count)
                } else {
                    (Engine::MultiIndex, design)
                }
            }
            Engine::Scan => (self, scan::design(k)),
            Engine::Blocks => (self, blocks::design(k, count)),
            Engine::MultiIndex => (self, multi_index::design(k, count)),
            Engine::Permuted => (self, permuted::design(k, count, PERMUTED_BYTES)),
            Engine::Compressed | Engine::CompressedHuffman => (self, permuted::design_for_compression(k, count)),
        }
    }

    /// How the blocks of a compressed table are written; none for tables that are not compressed.
    pub(super) fn code(self) -> Option<Code> {
        match self {
            Engine::Compressed => Some(Code::Rice),
            Engine::CompressedHuffman => Some(Code::FirstBit),
            _ => None,
        }
    }

    /// The number that stands for the engine in a stored table.
    pub(super) fn number(self) -> u8 {
        // A stored table of no chosen engine is one that is scanned.
        NUMBERED.iter().position(|engine| *engine == self).unwrap_or(0) as u8
    }

    /// The engine a number stands for.
    pub(super) fn of_number(number: u8) -> Result<Self, Error> {
        NUMBERED.get(usize::from(number)).copied().map_or_else(|| damaged("its engine is unknown"), Ok)
    }
}

/// The engines by the numbers that stand for them in stored tables.
const NUMBERED: [Engine; 6] =
    [Engine::Scan, Engine::Blocks, Engine::MultiIndex, Engine::Permuted, Engine::CompressedHuffman, Engine::Compressed];

/// The engines by name.
const NAMES: [(&str, Engine); 7] = [
    ("auto", Engine::Auto),
    ("scan", Engine::Scan),
    ("blocks", Engine::Blocks),
    ("multi-index", Engine::MultiIndex),
    ("permuted", Engine::Permuted),
    ("compressed", Engine::Compressed),
    ("compressed-huffman", Engine::CompressedHuffman),
];

impl FromStr for Engine {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let known = NAMES.iter().find(|(known, _)| *known == name);
        known.map(|(_, engine)| *engine).ok_or_else(|| Error::UnknownEngine { name: name.into() })
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAMES.iter().find(|(_, engine)| engine == self).map_or("", |(name, _)| name))
    }
}

/// # Errors
/// `k` is larger than any engine is made for.
pub(super) fn check_distance(k: u8) -> Result<(), Error> {
    if k > Engine::MAX_DISTANCE { Err(Error::DistanceOutOfRange { k }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_lead_back_to_their_engine() {
        for (name, engine) in NAMES {
            assert_eq!(name.parse::<Engine>().unwrap(), engine);
            assert_eq!(engine.to_string(), name);
            if engine != Engine::Auto {
                assert_eq!(Engine::of_number(engine.number()).unwrap(), engine);
            }
        }
        assert!("fast".parse::<Engine>().unwrap_err().to_string().contains("\"fast\""));
    }

    #[test]
    fn few_fingerprints_are_scanned_and_many_are_not() {
        assert_eq!(Engine::Auto.resolve(3, 100).0, Engine::Scan);
        assert_eq!(Engine::Auto.resolve(3, 1_000_000).0, Engine::MultiIndex);
    }
}
