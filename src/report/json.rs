//! The report on one submission as JSON, in the form that `docs/report.schema.json` describes: it can be read back.

use crate::check::Report;

impl Report {
    /// The report as JSON, indented, with a newline at its end.
    ///
    /// # Errors
    /// When a value cannot be written as JSON, which no report's should be.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|json| json + "\n")
    }
}
