//! `copytrace fingerprint`: the SimHash fingerprints of documents or of their sentences.

use super::Outcome;
use super::args::FingerprintOptions;
use super::conclusion::counted;
use super::console::Console;
use super::loading::for_each_batch;
use anyhow::Context;
use copytrace::check::Unread;
use copytrace::hamming::fingerprints::Features;
use copytrace::hamming::fingerprints::{DOCUMENT_COLUMNS, SENTENCE_COLUMNS, describe, to_hexadecimal};
use copytrace::job::Stage;
use copytrace::report::tables::{Table, defused};
use copytrace::report::whole_file::WholeFile;
use copytrace::sketch::fingerprinter::{Fingerprinter, Sentence};
use copytrace::text::Document;
use rayon::prelude::*;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

pub fn run(options: &FingerprintOptions, console: &Console) -> anyhow::Result<Outcome> {
    let features = options.features.features()?;
    let mut outputs = Outputs::create(&options.output, features, options.sentences)?;
    let (mut documents, mut fingerprints, mut failed) = (0, 0, 0);
    let limits = options.reading.limits();
    let counter = console.counter_of("making fingerprints", &options.paths, &limits);
    let job = console.job(Stage::Reading, &counter);
    for_each_batch(&options.paths, &limits, console, &job, |batch| {
        for made in fingerprint_batch(batch, features, options.sentences) {
            counter.inc(1);
            match made {
                Ok(made) => {
                    documents += 1;
                    fingerprints += made.fingerprints().count();
                    if made.is_empty() {
                        console.notice(&format!("{}: no features; its fingerprint tells nothing", made.document()));
                    }
                    outputs.write(&made)?;
                }
                Err(failure) => {
                    failed += 1;
                    console.input_failed(&failure.to_string());
                }
            }
        }
        Ok(())
    })?;
    counter.finish_and_clear();
    outputs.finish()?;
    console.done(&format!(
        "{}: {} of {features}",
        counted(documents, "document", "documents"),
        counted(fingerprints, "fingerprint", "fingerprints")
    ));
    Ok(if failed > 0 { Outcome::SomeInputFailed } else { Outcome::Done })
}

/// The fingerprints made of one document.
enum Made {
    /// Of the whole document; `None` when it has no features.
    Whole(Document, Option<u64>),
    Sentences(Document, Vec<Sentence>),
}

impl Made {
    fn document(&self) -> &str {
        match self {
            Made::Whole(document, _) | Made::Sentences(document, _) => &document.id,
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Made::Whole(_, fingerprint) => fingerprint.is_none(),
            Made::Sentences(_, sentences) => sentences.is_empty(),
        }
    }

    /// In their order; a document without features has the fingerprint 0, so that every document has a row.
    fn fingerprints(&self) -> impl Iterator<Item = u64> {
        let (whole, sentences) = match self {
            Made::Whole(_, fingerprint) => (Some(fingerprint.unwrap_or(0)), &[][..]),
            Made::Sentences(_, sentences) => (None, &sentences[..]),
        };
        whole.into_iter().chain(sentences.iter().map(|sentence| sentence.fingerprint))
    }
}

fn fingerprint_batch(
    batch: Vec<Result<Document, Unread>>,
    features: Features,
    sentences: bool,
) -> Vec<Result<Made, Unread>> {
    let make = |fingerprinter: &mut Fingerprinter, extracted: Result<Document, Unread>| {
        let document = extracted?;
        Ok(if sentences {
            let sentences = fingerprinter.of_sentences(&document.text);
            Made::Sentences(document, sentences)
        } else {
            let fingerprint = fingerprinter.of_text(&document.text);
            Made::Whole(document, fingerprint)
        })
    };
    batch.into_par_iter().map_init(|| Fingerprinter::new(features), make).collect()
}

/// Where the fingerprints go: one or several files, or standard output.
struct Outputs {
    features: Features,
    tables: Vec<Table>,
    words: Vec<(PathBuf, BufWriter<WholeFile>)>,
}

impl Outputs {
    fn create(paths: &[PathBuf], features: Features, sentences: bool) -> anyhow::Result<Self> {
        let columns = if sentences { SENTENCE_COLUMNS } else { DOCUMENT_COLUMNS };
        let mut outputs = Outputs { features, tables: Vec::new(), words: Vec::new() };
        for path in paths {
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("csv") => outputs.tables.push(Table::create(path, columns)?),
                Some("u64") => outputs.words.push((path.clone(), BufWriter::new(WholeFile::create(path)?))),
                _ => anyhow::bail!("{}: fingerprints are written to a .csv or .u64 file", path.display()),
            }
        }
        if paths.is_empty() {
            outputs.tables.push(crate::output::table(columns)?);
        }
        Ok(outputs)
    }

    fn write(&mut self, made: &Made) -> anyhow::Result<()> {
        let (document, features) = (defused(made.document()), self.features.to_string());
        for table in &mut self.tables {
            match made {
                Made::Whole(_, fingerprint) => {
                    table.write(&(&document, &features, to_hexadecimal(fingerprint.unwrap_or(0))))?;
                }
                Made::Sentences(_, sentences) => {
                    for (number, Sentence { chars, fingerprint }) in sentences.iter().enumerate() {
                        let fingerprint = to_hexadecimal(*fingerprint);
                        table.write(&(&document, number, chars.start, chars.end, &features, fingerprint))?;
                    }
                }
            }
        }
        for (path, file) in &mut self.words {
            for fingerprint in made.fingerprints() {
                file.write_all(&fingerprint.to_le_bytes()).with_context(|| named(path))?;
            }
        }
        Ok(())
    }

    fn finish(self) -> anyhow::Result<()> {
        self.tables.into_iter().try_for_each(Table::finish)?;
        for (path, file) in self.words {
            file.into_inner().map_err(|error| error.into_error()).with_context(|| named(&path))?.finish()?;
            describe(&path, Some(self.features))?;
        }
        Ok(())
    }
}

fn named(path: &Path) -> String {
    path.display().to_string()
}
