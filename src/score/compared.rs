//! What a copy ratio is worth, by how much of the submission was compared as language. Text that no comparison could have found
//! is not original for that: the less was compared, the less the ratio says.

use serde::{Deserialize, Serialize};

/// From this share on a ratio stands for the whole of a submission. Of 40 real theses five have
/// less, for tables, listings and a poor text layer (docs/LANGUAGE.md).
const WHOLE: f64 = 0.9;

/// Below this share there is no ratio: too much is unknown.
const LEAST: f64 = 0.7;

/// What the ratios of a submission say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// How much stands in sources.
    Whole,
    /// How much stands in sources at least: a part was not compared.
    AtLeast,
    /// Nothing: too much was not compared.
    Unknown,
}

impl Certainty {
    /// What ratios say where this share was compared.
    pub fn of(share: f64) -> Self {
        match share {
            share if share >= WHOLE => Certainty::Whole,
            share if share >= LEAST => Certainty::AtLeast,
            _ => Certainty::Unknown,
        }
    }

    /// The word that stands for it in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Certainty::Whole => "whole",
            Certainty::AtLeast => "at_least",
            Certainty::Unknown => "unknown",
        }
    }
}
