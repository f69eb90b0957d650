//! `copytrace near`: fingerprints within k bits.

mod follow;
mod index;
mod sentences;
mod tables;

use super::Outcome;
use super::args::NearOptions;
use super::console::Console;
use anyhow::Context;
use copytrace::hamming::Error;
use copytrace::hamming::files::FingerprintFile;
use copytrace::report::tables::Table;
use copytrace::sketch::features::Features;
use std::path::Path;

/// The columns of matches.
const NEAR_COLUMNS: &str = "query,match,hamming";

pub fn run(options: &NearOptions, console: &Console) -> anyhow::Result<Outcome> {
    if options.follow {
        return follow::run(options, console);
    }
    if !options.index.is_empty() {
        return index::run(options, console);
    }
    let (Some(table), Some(queries)) = (&options.table, &options.queries) else {
        anyhow::bail!("what is searched is missing: --table FILE with --queries FILE, --index DIR, or --follow");
    };
    anyhow::ensure!(
        options.filter.filter(0).is_empty(),
        "a file of fingerprints has no dates and no authors: filters are for --index and --follow"
    );
    let (table, queries) = (FileArgument::open(table)?, FileArgument::open(queries)?);
    table.file.require_same_features(&queries.file)?;
    if options.sentences {
        sentences::run(&table, &queries, options, console)
    } else {
        tables::run(&table, &queries, options, console)
    }
}

/// An index keeps fingerprints of terms.
fn require_terms(features: Features) -> anyhow::Result<()> {
    if features == Features::Terms {
        return Ok(());
    }
    Err(Error::FeaturesDiffer { first: Features::Terms, second: features }.into())
}

/// Sorts matches by distance, and by id where that is equal.
fn nearest_first(matches: &mut [(String, u8)]) {
    matches.sort_by(|(id, distance), (other, other_distance)| (distance, id).cmp(&(other_distance, other)));
}

/// A file of fingerprints given as an argument.
struct FileArgument<'a> {
    path: &'a Path,
    file: FingerprintFile,
}

impl<'a> FileArgument<'a> {
    fn open(path: &'a Path) -> anyhow::Result<Self> {
        let file = FingerprintFile::open(path).with_context(|| path.display().to_string())?;
        Ok(FileArgument { path, file })
    }

    /// Adds the file's name to an error of reading it.
    fn named<T>(&self, result: Result<T, Error>) -> anyhow::Result<T> {
        result.with_context(|| self.path.display().to_string())
    }
}

/// The table that `-o` names.
fn output(options: &NearOptions, columns: &str) -> anyhow::Result<Table> {
    Ok(match &options.output {
        Some(path) => Table::create(path, columns)?,
        None => Table::to_writer("standard output", std::io::stdout(), columns)?,
    })
}

/// Where the output went, for the last message.
fn written(options: &NearOptions) -> String {
    options.output.as_ref().map(|path| format!(". Written to {}", path.display())).unwrap_or_default()
}
