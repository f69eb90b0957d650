//! A file of fingerprints against another, and tables built ahead for it.

use super::NEAR_COLUMNS;
use crate::Outcome;
use crate::args::NearOptions;
use crate::console::Console;
use crate::output;
use copytrace::hamming::fingerprints::{FingerprintFile, describe, for_each_near_pair, write_tables};
use copytrace::report::whole_file::WholeFile;
use std::path::Path;

/// Bytes of rows that are written at a time.
const LINES: usize = 1 << 18;

pub fn run(
    table: &FingerprintFile,
    queries: &FingerprintFile,
    options: &NearOptions,
    console: &Console,
) -> anyhow::Result<Outcome> {
    let mut rows = output::table(options.output.as_deref(), NEAR_COLUMNS)?;
    let (mut lines, mut count) = (Vec::with_capacity(LINES + 64), 0u64);
    let mut digits = itoa::Buffer::new();
    for_each_near_pair(table, queries, options.distance, &console.cancel, |pair| -> anyhow::Result<()> {
        for (number, end) in [(pair.query, ","), (pair.found, ","), (pair.distance.into(), "\r\n")] {
            lines.extend_from_slice(digits.format(number).as_bytes());
            lines.extend_from_slice(end.as_bytes());
        }
        count += 1;
        if lines.len() >= LINES {
            rows.write_lines(&lines)?;
            lines.clear();
        }
        Ok(())
    })?;
    rows.write_lines(&lines)?;
    rows.finish()?;
    let written = output::written(options.output.as_deref());
    console.done(&format!("{count} pairs within {} bits{written}", options.distance));
    Ok(Outcome::Done)
}

/// Builds the tables of a file once, for any number of searches.
pub fn build(
    table: &FingerprintFile,
    path: &Path,
    options: &NearOptions,
    console: &Console,
) -> anyhow::Result<Outcome> {
    anyhow::ensure!(
        path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tables")),
        "{}: tables are written to a .tables file",
        path.display()
    );
    let written =
        write_tables(table, options.distance, options.engine, path, WholeFile::create(path)?, &console.cancel)?;
    console.cancel.check()?;
    written.finish()?;
    describe(path, table.features)?;
    console.done(&format!("Tables for up to {} bits written to {}", options.distance, path.display()));
    Ok(Outcome::Done)
}
