//! How far files of one thesis in two formats agree.

use crate::reading::Reading;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Files of one family that agree less are different texts.
const TWINS: f64 = 0.6;

/// Texts are compared for no longer.
const LONGEST: Duration = Duration::from_secs(20);

/// Words shown of a difference, and before it.
const SHOWN: usize = 40;
const BEFORE: usize = 4;

/// Every two files of one family in two formats, and the share of the words (of Han, the characters) of both that stand in both in
/// the same order; of the sentences in the parts that count, as captions, code and labels of drawings are pictures in some formats.
/// With `differences` where they differ, most words first.
pub fn table(readings: &[Reading], differences: bool) -> String {
    let mut table = "| twins | formats | words | agree |\n|---|---|---|---|\n".to_owned();
    for (at, one) in readings.iter().enumerate() {
        let twins = readings[at + 1..]
            .iter()
            .filter(|other| other.row["family"] == one.row["family"] && other.row["format"] != one.row["format"]);
        for other in twins.filter(|other| !one.units.is_empty() && !other.units.is_empty()) {
            let operations = compare(&one.units, &other.units);
            let agree = agreement(&operations, one.units.len() + other.units.len());
            let agree = if agree < TWINS { format!("different texts ({agree:.2})") } else { format!("{agree:.3}") };
            let _ = writeln!(
                table,
                "| {} – {} | {} – {} | {} – {} | {agree} |",
                one.row["id"],
                other.row["id"],
                one.row["format"],
                other.row["format"],
                one.units.len(),
                other.units.len(),
            );
            if differences {
                table.push_str(&differ(&operations, &one.words, &other.words));
            }
        }
    }
    table
}

fn compare(one: &[u32], other: &[u32]) -> Vec<DiffOp> {
    capture_diff_slices_deadline(Algorithm::Myers, one, other, Some(Instant::now() + LONGEST))
}

fn agreement(operations: &[DiffOp], words: usize) -> f64 {
    let common: usize = operations.iter().map(|op| if let DiffOp::Equal { len, .. } = op { *len } else { 0 }).sum();
    2.0 * common as f64 / words as f64
}

/// A line for each stretch of words that one of the two has, with what stands before it.
fn differ(operations: &[DiffOp], one: &[String], other: &[String]) -> String {
    let mut stretches: Vec<_> = operations.iter().filter(|op| !matches!(op, DiffOp::Equal { .. })).collect();
    stretches.sort_by_key(|op| std::cmp::Reverse(op.old_range().len() + op.new_range().len()));
    let line = |op: &&DiffOp| {
        let (one_range, other_range) = (op.old_range(), op.new_range());
        let before = one[one_range.start.saturating_sub(BEFORE)..one_range.start].join(" ");
        let shown = |words: &[String]| words.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(" ");
        let (here, there) = (&one[one_range.clone()], &other[other_range.clone()]);
        format!("{:>6} {:>6} {before} [{}] [{}]\n", here.len(), there.len(), shown(here), shown(there))
    };
    stretches.iter().map(line).collect()
}
