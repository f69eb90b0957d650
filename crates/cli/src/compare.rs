//! `copytrace compare`: two documents, or given pairs of documents, aligned.

use super::Outcome;
use super::args::CompareOptions;
use super::console::Console;
use super::loading::{InputFailure, Loaded, load_file};
use anyhow::Context;
use copytrace::align::{Aligner, Submission};
use copytrace::report::rows::{CharText, PASSAGES_COLUMNS, PassageRow, passage_row, sort_passages};
use copytrace::report::tables::Table;
use copytrace::search::DocumentSimilarity;
use copytrace::settings::Settings;
use copytrace::sketch::analysis::{Analyser, Analysis};
use copytrace::sketch::profile::Profile;
use copytrace::text::Document;
use copytrace::text::input::ReadLimits;
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub fn run(options: &CompareOptions, console: &Console) -> anyhow::Result<Outcome> {
    let settings = options.sketch.settings(options.align.settings())?;
    let mut table = match &options.output {
        Some(path) => Table::create(path, PASSAGES_COLUMNS)?,
        None => Table::on_standard_output(PASSAGES_COLUMNS)?,
    };
    let pairs = match (&options.list, &options.submission, &options.source) {
        (Some(list), _, _) => read_list(list, options.base.as_deref())?,
        (None, Some(a), Some(b)) => vec![PathPair::new(a, b)],
        _ => anyhow::bail!("two documents are needed, or --list"),
    };

    let paths = pairs.iter().flat_map(|pair| [&pair.submission.1, &pair.source.1]);
    let documents = Documents::load(paths, &options.reading.limits(), &settings, console);
    let bar = console.bar("aligning", pairs.len() as u64);
    let compared: Vec<_> = pairs
        .par_iter()
        .map_init(
            || Aligner::new(settings.align),
            |aligner, pair| {
                let result = documents.align(pair, aligner);
                bar.inc(1);
                result
            },
        )
        .collect();
    bar.finish_and_clear();

    let (mut passages, mut failed) = (0, 0);
    for (pair, result) in pairs.iter().zip(&compared) {
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

    let written = options.output.as_ref().map(|path| format!(". Written to {}", path.display())).unwrap_or_default();
    let whole = match pairs.as_slice() {
        [pair] if failed == 0 => describe(&documents.similarity(pair, &settings)?),
        _ => String::new(),
    };
    console.done(&format!("{} pairs compared: {passages} passages found{whole}{written}", pairs.len() - failed));
    Ok(if failed > 0 { Outcome::SomeInputFailed } else { Outcome::Done })
}

fn describe(similarity: &DocumentSimilarity) -> String {
    format!(
        "; Jaccard similarity {:.4} (estimated {:.4}), {:.1} % of the first in the second, {:.1} % of the second in \
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
struct Documents(BTreeMap<PathBuf, Loaded>);

impl Documents {
    fn load<'a>(
        paths: impl Iterator<Item = &'a PathBuf>,
        limits: &ReadLimits,
        settings: &Settings,
        console: &Console,
    ) -> Self {
        let mut paths: Vec<PathBuf> = paths.cloned().collect();
        paths.sort();
        paths.dedup();
        let bar = console.bar("reading", paths.len() as u64);
        let documents = paths
            .into_par_iter()
            .map_init(
                || Analyser::new(&settings.sketch),
                |analyser, path| {
                    let loaded = load_file(&path, limits, analyser);
                    bar.inc(1);
                    (path, loaded)
                },
            )
            .collect();
        bar.finish_and_clear();
        Documents(documents)
    }

    fn get(&self, path: &PathBuf) -> Result<&(Document, Analysis), InputFailure> {
        self.0[path].as_ref().map_err(InputFailure::clone)
    }

    /// The passages that a pair shares.
    fn align(&self, pair: &PathPair, aligner: &mut Aligner) -> Result<Vec<PassageRow>, InputFailure> {
        let ((submission, first), (source, second)) = (self.get(&pair.submission.1)?, self.get(&pair.source.1)?);
        let matches = aligner.align(&Submission::new(&first.units), &second.units);
        let (text, source_text) = (CharText::new(&submission.text), CharText::new(&source.text));
        let row = |m| passage_row(&pair.submission.0, &pair.source.0, m, &text, &source_text);
        let mut rows: Vec<PassageRow> = matches.iter().map(row).collect();
        sort_passages(&mut rows);
        Ok(rows)
    }

    /// How similar a pair is as wholes.
    fn similarity(&self, pair: &PathPair, settings: &Settings) -> anyhow::Result<DocumentSimilarity> {
        let profile = |path| self.get(path).map(|(_, analysis)| Profile::from(analysis)).map_err(anyhow::Error::msg);
        Ok(DocumentSimilarity::of(&profile(&pair.submission.1)?, &profile(&pair.source.1)?, settings))
    }
}
