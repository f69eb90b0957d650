//! Reading documents in parallel, a bounded batch at a time, in the order of the inputs.

use super::console::Console;
use copytrace::index::{Index, IndexError, IndexWriter};
use copytrace::settings::{Settings, SketchSettings};
use copytrace::sketch::analysis::{Analyser, Analysis};
use copytrace::sketch::shingle::Shingling;
use copytrace::text::Document;
use copytrace::text::input::{Inputs, RawDocument, ReadError, ReadLimits};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// A batch ends at so many documents, or when its documents have so many bytes.
const BATCH_DOCUMENTS: usize = 1024;
const BATCH_BYTES: u64 = 64 << 20;

/// A document that was read and analysed, or the reason why not.
pub type Loaded = Result<(Document, Analysis), InputFailure>;

/// Why a document is missing from the results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputFailure {
    /// The document's id, or the path that could not be read.
    pub id: String,
    /// The reason, a sentence without the id.
    pub reason: String,
}

impl InputFailure {
    pub fn new(id: &str, reason: impl Into<String>) -> Self {
        InputFailure { id: id.to_owned(), reason: reason.into() }
    }
}

impl From<ReadError> for InputFailure {
    fn from(error: ReadError) -> Self {
        InputFailure { id: error.id().to_owned(), reason: error.reason().to_owned() }
    }
}

impl std::fmt::Display for InputFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.id, self.reason)
    }
}

/// Reads what `paths` hold, in batches; each batch is worked on by all threads, and `sink` gets the results of `work`
/// in the order of the inputs.
pub fn for_each_document<T: Send>(
    paths: &[PathBuf],
    settings: &SketchSettings,
    work: impl Fn(Loaded) -> T + Sync,
    mut sink: impl FnMut(T) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut inputs = Inputs::open(paths, ReadLimits::default());
    loop {
        let mut batch = Vec::new();
        let mut bytes = 0;
        while batch.len() < BATCH_DOCUMENTS && bytes < BATCH_BYTES {
            let Some(input) = inputs.next() else { break };
            bytes += input.as_ref().map_or(0, RawDocument::approximate_bytes);
            batch.push(input);
        }
        if batch.is_empty() {
            return Ok(());
        }
        let results: Vec<T> = batch
            .into_par_iter()
            .map_init(|| Loader::new(settings), |loader, input| work(loader.load(input)))
            .collect();
        results.into_iter().try_for_each(&mut sink)?;
    }
}

/// Extracts and analyses inputs. One per thread.
pub struct Loader {
    analyser: Analyser,
    shingling: Shingling,
    limits: ReadLimits,
}

impl Loader {
    pub fn new(settings: &SketchSettings) -> Self {
        Loader { analyser: Analyser::new(settings), shingling: settings.shingling, limits: ReadLimits::default() }
    }

    fn load(&mut self, input: Result<RawDocument, ReadError>) -> Loaded {
        let document = input?.extract(&self.limits)?;
        let analysis = self.analyser.analyse(&document.text);
        if analysis.shingles.is_empty() {
            let reason = format!("too short: the text has not one shingle ({})", self.shingling);
            return Err(InputFailure { id: document.id, reason });
        }
        Ok((document, analysis))
    }

    /// Loads a path that must hold exactly one document.
    pub fn load_file(&mut self, path: &Path) -> Loaded {
        let name = path.display().to_string();
        let mut inputs = Inputs::open(&[path.to_owned()], self.limits.clone());
        let first = inputs.next().ok_or_else(|| InputFailure::new(&name, "holds no document"))?;
        if inputs.next().is_some() {
            return Err(InputFailure::new(&name, "holds several documents where one is needed"));
        }
        self.load(first)
    }
}

/// An index in memory, and how many inputs are missing from it.
pub struct LoadedIndex {
    pub index: Index,
    pub failures: usize,
}

/// Builds an index of what `paths` hold. Inputs that fail are named on the console.
pub fn build_index(paths: &[PathBuf], settings: &Settings, console: &Console) -> anyhow::Result<LoadedIndex> {
    let mut writer = IndexWriter::in_memory(&settings.sketch)?;
    let mut failures = 0;
    let counter = console.counter("reading the corpus");
    let mut fail = |message: String| {
        failures += 1;
        console.input_failed(&message);
    };
    for_each_document(
        paths,
        &settings.sketch,
        |loaded| loaded,
        |loaded| {
            counter.inc(1);
            match loaded {
                Ok((document, analysis)) => match writer.add(&document, Vec::new(), 0, &analysis) {
                    Err(duplicate @ IndexError::DuplicateId { .. }) => fail(duplicate.to_string()),
                    added => drop(added?),
                },
                Err(failure) => fail(failure.to_string()),
            }
            Ok(())
        },
    )?;
    counter.finish_and_clear();
    Ok(LoadedIndex { index: writer.into_index()?, failures })
}
