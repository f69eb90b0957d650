//! How often a feature stands in a text, measured where it is used.
//!
//! A thesis is many texts in one: an abstract in another language, tables, a list of references. Over the whole of it the
//! commonest word of a short part looks rare. So a word's rate is its count over the units of its own script, and not
//! less than how often it comes again within the blocks of the text in which it occurs at all.

use super::evidence;
use super::features::IN_A_ROW;
use crate::text::flag;

/// Units of one script in a block. 500 to 4,000 were tried on PAN and on real theses (docs/ALIGNMENT.md, *What each part is worth*):
/// with 500 fewer true passages are found, with 2,000 and 4,000 more false ones.
const BLOCK: u32 = 1000;

/// How often a feature occurs in a text, and over how much of it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Count {
    /// Occurrences.
    pub all: u32,
    /// Blocks of the text in which it occurs.
    blocks: u32,
    /// The last of them, counted from 1.
    last: u32,
}

impl Count {
    /// Adds an occurrence that has `before` units of its script before it.
    pub fn add(&mut self, before: u32) {
        let block = before / BLOCK + 1;
        self.all += 1;
        self.blocks += u32::from(block != self.last);
        self.last = block;
    }

    /// The same with `occurrences` fewer occurrences.
    pub fn without(self, occurrences: u32) -> Self {
        let all = self.all.saturating_sub(occurrences);
        Count { all, blocks: self.blocks.min(all), ..self }
    }

    /// How often it occurs again for each unit, in a text with `units` units of its script: the first occurrence says nothing of
    /// how frequent it is. Occurrences again within blocks are counted over these blocks alone.
    pub fn rate(self, units: u32, smoothing: f64) -> f64 {
        if self.all < 2 {
            return 0.0;
        }
        let everywhere = f64::from(self.all - 1) / (f64::from(units) + smoothing);
        let where_used = f64::from(self.all - self.blocks) / (f64::from(self.blocks * BLOCK.min(units)) + smoothing);
        everywhere.max(where_used)
    }
}

/// What sort of unit a feature is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// A word.
    Word,
    /// A single character.
    Character,
    /// A number in a row of numbers: it tells nothing.
    NumberInRow,
}

impl Sort {
    /// The sort of a feature with this key at a unit with these flags.
    pub fn of(key: u64, flags: u8) -> Self {
        match flags & flag::HAN {
            0 if key & IN_A_ROW != 0 => Sort::NumberInRow,
            0 => Sort::Word,
            _ => Sort::Character,
        }
    }
}

/// The class of the rate of a feature that occurs `count` times in a stretch of a text, which is taken for one block.
pub fn class_in_stretch(count: u32, smoothing: f64) -> u16 {
    match count {
        0 | 1 => 0,
        _ => evidence::class((f64::from(count - 1) / (f64::from(BLOCK) + smoothing)) as f32),
    }
}
