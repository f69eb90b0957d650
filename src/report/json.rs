//! The report on one submission as JSON, in the form that `docs/report.schema.json` describes: it can be read back.

use crate::check::Report;

/// The report as text, indented, with a newline at its end.
///
/// # Errors
/// When a value cannot be written as JSON, which no report's should be.
pub fn render(report: &Report) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(report).map(|json| json + "\n")
}
