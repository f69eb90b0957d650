//! Reports as they are kept and as they are shown: whole to staff, redacted to students.

pub mod appeals;
pub mod decisions;
pub mod redact;
pub mod review;

use crate::collections;
use crate::fault::{Fault, NOT_READY};
use crate::store::rows::{self, read_by_name};
use copytrace::check::{Certainty, Report};
use rusqlite::Connection;
use std::collections::BTreeMap;

/// A report as it is kept.
pub struct Kept {
    /// The program's JSON, byte for byte.
    pub json: Vec<u8>,
    /// For each source the folder of the index that it was found in.
    pub origins: Vec<String>,
}

/// The report of a submission.
///
/// # Errors
/// When there is none yet.
pub fn kept(connection: &Connection, submission: &str) -> Result<Kept, Fault> {
    let sql = "SELECT model, origins FROM report WHERE submission = ?1";
    let (model, origins): (Vec<u8>, String) = rows::first(connection, sql, [submission])?.ok_or(&NOT_READY)?;
    Ok(Kept { json: zstd::decode_all(&model[..])?, origins: serde_json::from_str(&origins)? })
}

impl Kept {
    /// The report as a value.
    ///
    /// # Errors
    /// When another version of the program wrote it in a form that this one cannot read.
    pub fn report(&self) -> Result<Report, Fault> {
        Ok(serde_json::from_slice(&self.json)?)
    }

    /// The report as its student may see it: of sources that are not open to everyone no name and no word.
    /// Nor of those that are `withheld` from the round.
    ///
    /// # Errors
    /// When the database or the report cannot be read.
    pub fn for_student(
        &self,
        report: Report,
        connection: &Connection,
        closed: &str,
        withheld: &[Option<String>],
    ) -> Result<Report, Fault> {
        let open: BTreeMap<String, bool> =
            collections::all(connection)?.into_iter().map(|collection| (collection.folder, collection.open)).collect();
        let is_open = |source: usize| {
            let is_withheld = withheld.get(source).is_some_and(Option::is_some);
            !is_withheld && self.origins.get(source).and_then(|folder| open.get(folder)).copied().unwrap_or(false)
        };
        Ok(redact::redacted(report, is_open, closed))
    }
}

/// Figures of a report that lists show.
#[derive(Debug, Clone, Copy, serde::Serialize, utoipa::ToSchema)]
pub struct Figures {
    /// The copy ratio of the report.
    pub copy_ratio: f64,
    /// The same without what a person excluded.
    pub decided_ratio: f64,
    /// The copy ratio since finals of the round came later that share text with it; none where none has.
    pub ratio_since: Option<f64>,
    /// Its passages.
    pub passages: i64,
    /// Its signs of manipulation.
    pub flags: i64,
    /// The characters that count.
    pub characters: i64,
    /// The share of what a reader sees that was compared as language, 0 to 1: below .9 the ratios are at least what they are, below
    /// .7 they say nothing.
    pub compared_share: f64,
}

impl Figures {
    /// What the ratios say.
    pub fn certainty(&self) -> Certainty {
        Certainty::of(self.compared_share)
    }
}

read_by_name!(Figures: copy_ratio decided_ratio ratio_since passages flags characters compared_share);

/// The figures of a submission's report, if there is one.
///
/// # Errors
/// When the database cannot be read.
pub fn figures(connection: &Connection, submission: &str) -> Result<Option<Figures>, rusqlite::Error> {
    let sql = "SELECT copy_ratio, decided_ratio, ratio_since, passages, flags, characters, compared_share FROM report WHERE submission = ?1";
    rows::first(connection, sql, [submission])
}
