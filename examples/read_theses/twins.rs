//! How far files of one thesis in two formats agree.

use crate::reading::Reading;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Files of one family that agree less are different texts.
const TWINS: f64 = 0.6;

/// Texts are compared for no longer.
const LONGEST: Duration = Duration::from_secs(20);

/// Every two files of one family in two formats, and the share of the words (of Han, the characters) of both that stand in both in
/// the same order; of the sentences in the parts that count, as captions, code and labels of drawings are pictures in some formats.
pub fn table(readings: &[Reading]) -> String {
    let mut table = "| twins | formats | words | agree |\n|---|---|---|---|\n".to_owned();
    for (at, one) in readings.iter().enumerate() {
        let twins = readings[at + 1..]
            .iter()
            .filter(|other| other.row["family"] == one.row["family"] && other.row["format"] != one.row["format"]);
        for other in twins.filter(|other| !one.units.is_empty() && !other.units.is_empty()) {
            let agree = agreement(&one.units, &other.units);
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
        }
    }
    table
}

fn agreement(one: &[u32], other: &[u32]) -> f64 {
    let operations = capture_diff_slices_deadline(Algorithm::Myers, one, other, Some(Instant::now() + LONGEST));
    let common: usize = operations.iter().map(|op| if let DiffOp::Equal { len, .. } = op { *len } else { 0 }).sum();
    2.0 * common as f64 / (one.len() + other.len()) as f64
}
