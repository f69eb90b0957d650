//! A file of fingerprints against another, and tables built ahead for it.

use super::NEAR_COLUMNS;
use crate::Outcome;
use crate::args::NearOptions;
use crate::console::{Console, shown};
use crate::output;
use copytrace::hamming::fingerprints::FingerprintFile;
use copytrace::report::whole_file::WholeFile;
use copytrace_messages::message;
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
    for file in [table, queries] {
        tell_featureless(file, console)?;
    }
    table.for_each_near_pair(queries, options.distance, &console.cancel, |query, hit| -> anyhow::Result<()> {
        for (number, end) in [(query, ","), (hit.row, ","), (hit.distance.into(), "\r\n")] {
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
    let (distance, output) = (options.distance, options.output.as_deref().map(shown));
    console.done(&message!("near-pairs", pairs = count, distance = distance, output = output));
    Ok(Outcome::Done)
}

/// Names the rows that match nothing.
fn tell_featureless(file: &FingerprintFile, console: &Console) -> anyhow::Result<()> {
    /// Rows that are named; of more, the number says enough.
    const NAMED: usize = 20;
    let zeros = file.zeros()?;
    if !zeros.is_empty() {
        let mut rows: Vec<String> = zeros.iter().take(NAMED).map(u64::to_string).collect();
        if zeros.len() > NAMED {
            rows.push("…".to_owned());
        }
        let (path, count) = (shown(file.path()), zeros.len());
        console.notice(&message!("featureless-rows", path = path, count = count, rows = rows.join(", ")));
    }
    Ok(())
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
        message!("not-a-tables-file", path = shown(path))
    );
    let written =
        table.write_tables(options.distance, options.engine, path, WholeFile::create(path)?, &console.cancel)?;
    console.cancel.check()?;
    written.finish()?;
    FingerprintFile::describe(path, table.features)?;
    console.done(&message!("tables-written", distance = options.distance, path = shown(path)));
    Ok(Outcome::Done)
}
