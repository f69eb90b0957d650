//! How cells of the tables are written.

use super::tables::defused;
use serde::Serializer;

/// Texts are written so that no spreadsheet runs them as a formula.
pub(super) fn text<S: Serializer>(value: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&defused(value))
}

/// Ratios are written with four decimals.
pub(super) fn four_decimals<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format!("{value:.4}"))
}

/// Jaccard similarities are written with six decimals.
pub(super) fn six_decimals<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format!("{value:.6}"))
}
