//! The rows of `chapters.csv`, `excluded.csv` and `flags.csv`: what a submission is made of.

use super::cells::{four_decimals, text};
use crate::score::exclusion::{Absent, units_within};
use crate::score::{Countable, ratio};
use crate::text::manipulation::Flag;
use crate::text::structure::Section;
use crate::text::units::Units;
use serde::Serialize;
use std::ops::Range;

/// The columns of `chapters.csv`.
pub const CHAPTERS_COLUMNS: &str = "submission,chapter,start,end,characters,matched_characters,copy_ratio";

/// The columns of `excluded.csv`.
pub const EXCLUDED_COLUMNS: &str = "submission,reason,start,end,characters";

/// The columns of `flags.csv`.
pub const FLAGS_COLUMNS: &str = "submission,kind,start,end,count,explanation";

/// A row of `chapters.csv`: one section that counts. Offsets are characters of the extracted text, the end exclusive.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ChapterRow {
    /// The submission's id.
    #[serde(serialize_with = "text")]
    pub submission: String,
    /// The section's heading, or what it is.
    #[serde(serialize_with = "text")]
    pub chapter: String,
    /// Where it starts.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// Countable characters of it.
    pub characters: u64,
    /// Those of them inside matches.
    pub matched_characters: u64,
    /// `matched_characters / characters`.
    #[serde(serialize_with = "four_decimals")]
    pub copy_ratio: f64,
}

/// A row of `excluded.csv`: a span that some ratio leaves out.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ExcludedRow {
    /// The submission's id.
    #[serde(serialize_with = "text")]
    pub submission: String,
    /// Why: a part (`references`), `template`, `quotation`, `own work`, what nobody sees (`white text`) or is not in the text.
    pub reason: &'static str,
    /// Where it starts.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// Countable characters of it.
    pub characters: u64,
}

/// A row of `flags.csv`: a sign of manipulation.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FlagRow {
    /// The submission's id.
    #[serde(serialize_with = "text")]
    pub submission: String,
    /// What kind of sign.
    pub kind: &'static str,
    /// Where it starts.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// How many words, characters or pictures.
    pub count: u32,
    /// What that means.
    pub explanation: &'static str,
}

/// The rows of the sections that count. `counted` leaves out what does not; `matched` are the matches' units.
pub fn chapter_rows(
    submission: &str,
    sections: &[Section],
    units: &Units,
    counted: &Countable,
    matched: &[Range<u32>],
) -> Vec<ChapterRow> {
    let row = |section: &Section| {
        let within = units_within(units, &(section.start..section.end));
        let cut = |range: &Range<u32>| range.start.max(within.start)..range.end.min(within.end);
        let inside = matched.iter().map(cut).filter(|range| range.start < range.end);
        let (characters, matched_characters) = (counted.of(&within), counted.of_union(inside));
        ChapterRow {
            submission: submission.to_owned(),
            chapter: if section.title.is_empty() { section.kind.as_str().to_owned() } else { section.title.clone() },
            start: section.start,
            end: section.end,
            characters,
            matched_characters,
            copy_ratio: ratio(matched_characters, characters),
        }
    };
    sections.iter().filter(|section| section.kind.counts()).map(row).collect()
}

/// The row of a span of units that is left out.
pub fn excluded_row(
    submission: &str,
    reason: &'static str,
    range: &Range<u32>,
    units: &Units,
    all: &Countable,
) -> ExcludedRow {
    let span = units.span(range.start as usize, range.end as usize);
    ExcludedRow {
        submission: submission.to_owned(),
        reason,
        start: span.start,
        end: span.end,
        characters: all.of(range),
    }
}

/// The row of characters that are in no unit.
pub fn absent_row(submission: &str, absent: &Absent) -> ExcludedRow {
    ExcludedRow {
        submission: submission.to_owned(),
        reason: absent.reason,
        start: absent.chars.start,
        end: absent.chars.end,
        characters: absent.characters,
    }
}

/// The row of a flag.
pub fn flag_row(submission: &str, flag: &Flag) -> FlagRow {
    FlagRow {
        submission: submission.to_owned(),
        kind: flag.kind.as_str(),
        start: flag.start,
        end: flag.end,
        count: flag.count,
        explanation: flag.kind.explanation(),
    }
}
