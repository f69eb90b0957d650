//! What a copy ratio is worth, by how much of the submission was compared as language. Text that no comparison could have found
//! is not original for that: the less was compared, the less the ratio says.

use crate::text::prose::{Cause, Compared};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// From this share on a ratio stands for the whole of a submission. Of 44 real theses 40 have .95 and more (docs/RATIOS.md).
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

/// How much of a submission was compared as language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparedShare {
    /// The share of the countable characters that a reader sees, 0 to 1.
    pub share: f64,
    /// The shares that were not compared, by cause. With `share` they add up to 1.
    pub causes: BTreeMap<Cause, f64>,
}

impl Default for ComparedShare {
    fn default() -> Self {
        ComparedShare { share: 1.0, causes: BTreeMap::new() }
    }
}

impl ComparedShare {
    /// The shares of what was compared.
    pub(crate) fn of(compared: &Compared) -> Self {
        let share = |(cause, count)| (cause, f64::from(count) / f64::from(compared.seen));
        ComparedShare { share: compared.share(), causes: compared.by_cause().into_iter().map(share).collect() }
    }

    /// What the ratios say.
    pub fn certainty(&self) -> Certainty {
        Certainty::of(self.share)
    }

    /// The cause of most of what was not compared.
    pub fn main_cause(&self) -> Option<Cause> {
        self.causes.iter().max_by(|a, b| a.1.total_cmp(b.1)).map(|(cause, _)| *cause)
    }
}
