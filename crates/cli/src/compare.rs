//! `copytrace compare`: two documents, or given pairs of documents, aligned.

use super::Outcome;
use super::args::CompareOptions;
use super::conclusion::counted;
use super::console::Console;
use super::loading::read_one;
use super::output;
use anyhow::Context;
use copytrace::check::{Analysed, CheckError, Comparer, Unread};
use copytrace::formats::input::ReadLimits;
use copytrace::job::{Job, Stage};
use copytrace::report::rows::{PASSAGES_COLUMNS, Row, compared};
use copytrace::search::DocumentSimilarity;
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub fn run(options: &CompareOptions, console: &Console) -> anyhow::Result<Outcome> {
    let settings = options.sketch.settings(options.align.settings())?;
    let mut table = output::table(options.output.as_deref(), PASSAGES_COLUMNS)?;
    let pairs = match (&options.list, &options.submission, &options.source) {
        (Some(list), _, _) => read_list(list, options.base.as_deref())?,
        (None, Some(a), Some(b)) => vec![PathPair::new(a, b)],
        _ => anyhow::bail!("two documents are needed, or --list"),
    };

    let paths = pairs.iter().flat_map(|pair| [&pair.submission.1, &pair.source.1]);
    let comparer = Comparer::new(settings);
    let documents = ComparedFiles::load(paths, &options.reading.limits(), &comparer, console)?;
    let bar = console.bar("aligning", pairs.len() as u64);
    let job = console.job(Stage::Aligning, &bar);
    let found: Vec<_> = pairs.par_iter().map(|pair| documents.align(pair, &comparer, &job)).collect();
    bar.finish_and_clear();
    job.check()?;

    let (mut passages, mut failed) = (0, 0);
    for (pair, result) in pairs.iter().zip(found) {
        match result {
            Ok(rows) => {
                passages += rows.len();
                rows.iter().try_for_each(|row| table.write(row))?;
            }
            Err(failure) => {
                failed += 1;
                console.input_failed(&format!("{} against {}: {failure}", pair.submission.0, pair.source.0));
            }
        }
    }
    table.finish()?;

    let written = output::written(options.output.as_deref());
    let whole = match pairs.as_slice() {
        [pair] if failed == 0 => describe(&documents.similarity(pair, &comparer)?),
        _ => String::new(),
    };
    console.done(&format!(
        "{} compared: {} found{whole}{written}",
        counted(pairs.len() - failed, "pair", "pairs"),
        counted(passages, "passage", "passages")
    ));
    Ok(Outcome::of(failed > 0))
}

fn describe(similarity: &DocumentSimilarity) -> String {
    format!(
        "; Jaccard similarity {:.4} (estimated {:.4}), {:.1}% of the first in the second, {:.1}% of the second in \
         the first, Hamming distance {}",
        similarity.jaccard,
        similarity.estimated_jaccard,
        similarity.containment_first * 100.0,
        similarity.containment_second * 100.0,
        similarity.hamming
    )
}

/// Two documents to compare, each with the name it has in the report and its path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct PathPair {
    submission: (String, PathBuf),
    source: (String, PathBuf),
}

impl PathPair {
    fn new(submission: &Path, source: &Path) -> Self {
        let named = |path: &Path| (path.display().to_string(), path.to_owned());
        PathPair { submission: named(submission), source: named(source) }
    }
}

/// A row of the list.
#[derive(Deserialize)]
struct ListRow {
    submission: String,
    source: String,
}

/// Reads the list, sorted, each pair once.
fn read_list(list: &Path, base: Option<&Path>) -> anyhow::Result<Vec<PathPair>> {
    let base = base.or_else(|| list.parent()).unwrap_or(Path::new("."));
    let context = || format!("{}: not a list of pairs", list.display());
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_path(list).with_context(context)?;
    let mut pairs = Vec::new();
    for row in reader.deserialize() {
        let ListRow { submission, source } = row.with_context(context)?;
        let named = |name: String| (name.clone(), base.join(name));
        pairs.push(PathPair { submission: named(submission), source: named(source) });
    }
    pairs.sort();
    pairs.dedup();
    anyhow::ensure!(!pairs.is_empty(), "{}: the list holds no pair", list.display());
    Ok(pairs)
}

/// All documents of the pairs, each read once.
struct ComparedFiles(BTreeMap<PathBuf, Result<Analysed, Unread>>);

impl ComparedFiles {
    fn load<'a>(
        paths: impl Iterator<Item = &'a PathBuf>,
        limits: &ReadLimits,
        comparer: &Comparer,
        console: &Console,
    ) -> Result<Self, CheckError> {
        let mut paths: Vec<PathBuf> = paths.cloned().collect();
        paths.sort();
        paths.dedup();
        let bar = console.bar("reading", paths.len() as u64);
        let limits = ReadLimits { cancel: console.cancel.clone(), ..limits.clone() };
        let job = Job::default().with_cancel(console.cancel.clone());
        let load = |path: PathBuf| {
            let loaded = match read_one(&path, &limits) {
                Ok(document) => match comparer.analyse(document, &job) {
                    Err(CheckError::Unread(unread)) => Err(unread),
                    analysed => Ok(analysed?),
                },
                Err(unread) => Err(unread),
            };
            bar.inc(1);
            Ok((path, loaded))
        };
        let documents = paths.into_par_iter().map(load).collect::<Result<_, CheckError>>();
        bar.finish_and_clear();
        console.cancel.check()?;
        Ok(ComparedFiles(documents?))
    }

    fn get(&self, path: &PathBuf) -> Result<&Analysed, Unread> {
        self.0[path].as_ref().map_err(Unread::clone)
    }

    /// The rows of the passages that a pair shares.
    fn align(&self, pair: &PathPair, comparer: &Comparer, job: &Job) -> Result<Vec<Row>, CheckError> {
        let (submission, source) = (self.get(&pair.submission.1)?, self.get(&pair.source.1)?);
        let comparison = comparer.compare(submission, source, job)?;
        job.advance(Stage::Aligning, 1);
        Ok(compared(&pair.submission.0, &submission.document.text, &pair.source.0, &comparison))
    }

    /// How similar a pair is as wholes.
    fn similarity(&self, pair: &PathPair, comparer: &Comparer) -> Result<DocumentSimilarity, Unread> {
        Ok(comparer.similarity(self.get(&pair.submission.1)?, self.get(&pair.source.1)?))
    }
}
