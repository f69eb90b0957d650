//! `copytrace near`: fingerprints within k bits.

mod sentences;
mod tables;

use super::Outcome;
use super::args::NearOptions;
use super::console::Console;
use anyhow::Context;
use copytrace::hamming::files::FingerprintFile;
use copytrace::report::tables::Table;
use std::path::Path;

/// The columns of matches.
const NEAR_COLUMNS: &str = "query,match,hamming";

pub fn run(options: &NearOptions, console: &Console) -> anyhow::Result<Outcome> {
    let (Some(table), Some(queries)) = (&options.table, &options.queries) else {
        anyhow::bail!("--table and --queries are needed");
    };
    let (table, queries) = (FileArgument::open(table)?, FileArgument::open(queries)?);
    table.file.require_same_features(&queries.file)?;
    if options.sentences {
        sentences::run(&table, &queries, options, console)
    } else {
        tables::run(&table, &queries, options, console)
    }
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
    fn named<T>(&self, result: Result<T, copytrace::hamming::Error>) -> anyhow::Result<T> {
        result.with_context(|| self.path.display().to_string())
    }
}

/// The table that `-o` names.
fn output(options: &NearOptions, columns: &str) -> anyhow::Result<Table> {
    Ok(match &options.output {
        Some(path) => Table::create(path, columns)?,
        None => Table::on_standard_output(columns)?,
    })
}

/// Where the output went, for the last message.
fn written(options: &NearOptions) -> String {
    options.output.as_ref().map(|path| format!(". Written to {}", path.display())).unwrap_or_default()
}
