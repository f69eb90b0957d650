//! Reading what the paths of a command line stand for.

use super::console::Console;
use clap::Args;
use copytrace::check::Unread;
use copytrace::job::Job;
use copytrace::text::Document;
use copytrace::text::input::{Batches, Input, Inputs, ReadLimits};
use std::path::{Path, PathBuf};

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
    job: &Job,
    mut sink: impl FnMut(Vec<Result<Document, Unread>>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut batches = Batches::new(Inputs::new(inputs(paths), limits.clone()), job);
    while let Some(batch) = batches.next_batch()? {
        sink(batch.into_iter().map(|read| read.map_err(Unread::from)).collect())?;
    }
    if batches.skipped() > 0 {
        console.notice(&format!("{} files of unknown kinds were passed over", batches.skipped()));
    }
    if batches.included() > 0 {
        console.notice(&format!("{} LaTeX files were read as parts of those that include them", batches.included()));
    }
    Ok(())
}

/// Reads a path that must hold exactly one document.
pub fn read_one(path: &Path, limits: &ReadLimits) -> Result<Document, Unread> {
    let name = path.display().to_string();
    let mut inputs = Inputs::new(inputs(&[path.to_owned()]), limits.clone());
    let first = inputs.next().ok_or_else(|| Unread::new(&name, "holds no document"))?;
    if inputs.next().is_some() {
        return Err(Unread::new(&name, "holds several documents where one is needed"));
    }
    Ok(first.and_then(|raw| raw.extract(limits))?)
}
