//! `copytrace compare`: two documents, or given pairs of documents, aligned.

use super::Outcome;
use super::args::CompareOptions;
use super::console::{Console, shown};
use super::loading::read_one;
use super::output;
use copytrace::check::{Analysed, CheckError, Comparer, Unread};
use copytrace::formats::input::ReadLimits;
use copytrace::job::{Job, Stage};
use copytrace::report::rows::{Cell, Rows};
use copytrace::search::DocumentSimilarity;
use copytrace_messages::{Figure, Message, message};
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub fn run(options: &CompareOptions, console: &Console) -> anyhow::Result<Outcome> {
    let settings = options.sketch.settings(options.align.settings())?;
    let mut table = output::table(options.output.as_deref(), Rows::PASSAGES)?;
    let pairs = match (&options.list, &options.submission, &options.source) {
        (Some(list), _, _) => read_list(list, options.base.as_deref())?,
        (None, Some(a), Some(b)) => vec![PathPair::new(a, b)],
        _ => anyhow::bail!(message!("two-documents-needed")),
    };

    let paths = pairs.iter().flat_map(|pair| [&pair.submission.1, &pair.source.1]);
    let comparer = Comparer::new(settings);
    let documents = ComparedFiles::load(paths, &options.reading.limits(), &comparer, console)?;
    let bar = console.bar(console.words.aligning, pairs.len() as u64);
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
                let (submission, source) = (pair.submission.0.as_str(), pair.source.0.as_str());
                let unread = Figure::told(&failure);
                console.error(&message!("not-compared", submission = submission, source = source, unread = unread));
            }
        }
    }
    table.finish()?;

    let similarity = match pairs.as_slice() {
        [pair] if failed == 0 => described(&documents.similarity(pair, &comparer)?),
        _ => message!("no-similarity"),
    };
    let output = options.output.as_deref().map(shown);
    let compared = message!("compared", pairs = pairs.len() - failed, passages = passages, output = output);
    console.done(&compared.with("similarity", similarity));
    Ok(Outcome::of(failed > 0))
}

fn described(similarity: &DocumentSimilarity) -> Message {
    let percent = |share: f64| format!("{:.1}%", share * 100.0);
    message!(
        "similarity",
        jaccard = format!("{:.4}", similarity.jaccard),
        estimated = format!("{:.4}", similarity.estimated_jaccard),
        first = percent(similarity.containment_first),
        second = percent(similarity.containment_second),
        hamming = similarity.hamming
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
    let no_list = |error: csv::Error| message!("not-a-list", path = shown(list)).because(error);
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_path(list).map_err(no_list)?;
    let mut pairs = Vec::new();
    for row in reader.deserialize() {
        let ListRow { submission, source } = row.map_err(no_list)?;
        let named = |name: String| (name.clone(), base.join(name));
        pairs.push(PathPair { submission: named(submission), source: named(source) });
    }
    pairs.sort();
    pairs.dedup();
    anyhow::ensure!(!pairs.is_empty(), message!("empty-list", path = shown(list)));
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
        let bar = console.bar(console.words.reading, paths.len() as u64);
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
    fn align(&self, pair: &PathPair, comparer: &Comparer, job: &Job) -> Result<Vec<Vec<Cell>>, CheckError> {
        let (submission, source) = (self.get(&pair.submission.1)?, self.get(&pair.source.1)?);
        let comparison = comparer.compare(submission, source, job)?;
        job.advance(Stage::Aligning, 1);
        Ok(Rows::compared(&pair.submission.0, &submission.document.text, &pair.source.0, &comparison))
    }

    /// How similar a pair is as wholes.
    fn similarity(&self, pair: &PathPair, comparer: &Comparer) -> Result<DocumentSimilarity, Unread> {
        Ok(comparer.similarity(self.get(&pair.submission.1)?, self.get(&pair.source.1)?))
    }
}
