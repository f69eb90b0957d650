//! Reading documents in parallel, a bounded batch at a time, in the order of the inputs.

use super::console::Console;
use clap::Args;
use copytrace::index::{Index, IndexError, IndexWriter};
use copytrace::settings::{Settings, SketchSettings};
use copytrace::sketch::analysis::{Analyser, Analysis};
use copytrace::text::Document;
use copytrace::text::input::{Input, Inputs, RawDocument, ReadError, ReadLimits};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A batch ends at so many documents, or when its documents have so many bytes.
const BATCH_DOCUMENTS: usize = 1024;
const BATCH_BYTES: u64 = 64 << 20;

/// How documents are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub struct ReadingOptions {
    /// Read PDF pages that have no text layer by OCR: pdftoppm and tesseract must be installed, and a page takes
    /// some seconds
    #[arg(long)]
    pub ocr: bool,
}

impl ReadingOptions {
    /// The limits these options stand for.
    pub fn limits(&self) -> ReadLimits {
        if self.ocr { ReadLimits::default().with_ocr() } else { ReadLimits::default() }
    }
}

/// A document that was read and analysed, or the reason why not.
pub type Loaded = Result<(Document, Analysis), InputFailure>;

/// A document that was read, or the reason why not.
pub type Extracted = Result<Document, InputFailure>;

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

/// The path that stands for standard input.
const STANDARD_INPUT: &str = "-";

/// What the paths of a command line stand for.
pub fn inputs(paths: &[PathBuf]) -> Vec<Input> {
    let input = |path: &PathBuf| match path.as_os_str() == STANDARD_INPUT {
        true => Input::reader(STANDARD_INPUT, std::io::stdin()),
        false => Input::path(path),
    };
    paths.iter().map(input).collect()
}

/// Reads what `paths` hold, each batch by all threads, and hands it on in the order of the inputs.
pub fn for_each_batch(
    paths: &[PathBuf],
    limits: &ReadLimits,
    console: &Console,
    mut sink: impl FnMut(Vec<Extracted>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(inputs(paths), limits.clone());
    loop {
        let mut batch = Vec::new();
        let mut bytes = 0;
        while batch.len() < BATCH_DOCUMENTS && bytes < BATCH_BYTES {
            let Some(input) = inputs.next() else { break };
            bytes += input.as_ref().map_or(0, RawDocument::approximate_bytes);
            batch.push(input);
        }
        if batch.is_empty() {
            if inputs.skipped() > 0 {
                console.notice(&format!("{} files of unknown kinds were passed over", inputs.skipped()));
            }
            if inputs.included() > 0 {
                console.notice(&format!(
                    "{} LaTeX files were read as parts of those that include them",
                    inputs.included()
                ));
            }
            return Ok(());
        }
        sink(batch.into_par_iter().map(|input| extract(input, limits)).collect())?;
    }
}

fn extract(input: Result<RawDocument, ReadError>, limits: &ReadLimits) -> Extracted {
    Ok(input?.extract(limits)?)
}

/// Analyses a batch by all threads and gives what `work` makes of it, in order.
pub fn analyse_batch<T: Send>(
    batch: Vec<Extracted>,
    settings: &SketchSettings,
    work: impl Fn(Loaded) -> T + Sync,
) -> Vec<T> {
    batch
        .into_par_iter()
        .map_init(|| Borrowed::new(settings), |analyser, extracted| work(analyse(extracted, analyser.get())))
        .collect()
}

/// Makes the fingerprint, which an index keeps: by the thread that analysed the document, because the one that writes the
/// index has enough to do.
pub fn fingerprinted(loaded: Loaded) -> Loaded {
    let (document, analysis) = loaded?;
    let fingerprint = analysis.fingerprint();
    Ok((document, analysis.with_fingerprint(fingerprint)))
}

/// Analysers remember words, so they are kept from batch to batch.
static ANALYSERS: Mutex<Vec<Analyser>> = Mutex::new(Vec::new());

/// An analyser taken from those that are kept, and given back when it is dropped.
struct Borrowed(Option<Analyser>);

impl Borrowed {
    fn new(settings: &SketchSettings) -> Self {
        let mut kept = ANALYSERS.lock().unwrap_or_else(PoisonError::into_inner);
        let fitting = kept.iter().position(|analyser| analyser.settings() == settings);
        Borrowed(Some(fitting.map_or_else(|| Analyser::new(settings), |at| kept.swap_remove(at))))
    }

    fn get(&mut self) -> &mut Analyser {
        self.0.as_mut().expect("it is there until it is dropped")
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        ANALYSERS.lock().unwrap_or_else(PoisonError::into_inner).extend(self.0.take());
    }
}

/// A text without a single shingle cannot be compared with anything.
fn analyse(extracted: Extracted, analyser: &mut Analyser) -> Loaded {
    let document = extracted?;
    let analysis = analyser.analyse(&document.visible());
    if analysis.shingles.is_empty() {
        let reason = format!("too short: the text has not one shingle ({})", analyser.settings().shingling);
        return Err(InputFailure { id: document.id, reason });
    }
    Ok((document, analysis))
}

/// Loads a path that must hold exactly one document.
pub fn load_file(path: &Path, limits: &ReadLimits, analyser: &mut Analyser) -> Loaded {
    let name = path.display().to_string();
    let mut inputs = Inputs::new(inputs(&[path.to_owned()]), limits.clone());
    let first = inputs.next().ok_or_else(|| InputFailure::new(&name, "holds no document"))?;
    if inputs.next().is_some() {
        return Err(InputFailure::new(&name, "holds several documents where one is needed"));
    }
    analyse(extract(first, limits), analyser)
}

/// An index in memory, and how many inputs are missing from it.
pub struct LoadedIndex {
    pub index: Index,
    pub failures: usize,
}

/// Builds an index of what `paths` hold. Inputs that fail are named on the console.
pub fn build_index(
    paths: &[PathBuf],
    limits: &ReadLimits,
    settings: &Settings,
    console: &Console,
) -> anyhow::Result<LoadedIndex> {
    let mut writer = IndexWriter::in_memory(&settings.sketch)?;
    let mut failures = 0;
    let counter = console.counter("reading the corpus");
    let mut fail = |message: String| {
        failures += 1;
        console.input_failed(&message);
    };
    for_each_batch(paths, limits, console, |batch| {
        for loaded in analyse_batch(batch, &settings.sketch, fingerprinted) {
            counter.inc(1);
            match loaded {
                Ok((document, analysis)) => match writer.add(&document, Vec::new(), 0, &analysis) {
                    Err(refused @ (IndexError::DuplicateId { .. } | IndexError::BadId { .. })) => {
                        fail(refused.to_string())
                    }
                    added => drop(added?),
                },
                Err(failure) => fail(failure.to_string()),
            }
        }
        Ok(())
    })?;
    counter.finish_and_clear();
    Ok(LoadedIndex { index: writer.into_index()?, failures })
}
