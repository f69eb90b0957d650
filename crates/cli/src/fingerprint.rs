//! `copytrace fingerprint`: the SimHash fingerprints of documents or of their sentences.

use super::Outcome;
use super::args::FingerprintOptions;
use super::console::{Console, shown};
use super::loading::{counter_of, for_each_batch};
use anyhow::Context;
use copytrace::check::Unread;
use copytrace::hamming::fingerprints::{Features, FingerprintFile};
use copytrace::job::Stage;
use copytrace::report::tables::Table;
use copytrace::report::whole_file::WholeFile;
use copytrace::sketch::fingerprinter::{Fingerprinter, Sentence};
use copytrace::text::Document;
use copytrace_messages::message;
use rayon::prelude::*;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::PathBuf;

pub fn run(options: &FingerprintOptions, console: &Console) -> anyhow::Result<Outcome> {
    let features = options.features.features()?;
    let mut outputs = Outputs::create(&options.output, features, options.sentences)?;
    let (mut documents, mut fingerprints, mut failed) = (0, 0, 0);
    let limits = options.reading.limits();
    let counter = counter_of(console.words.fingerprinting, &options.paths, &limits, console);
    let job = console.job(Stage::Reading, &counter);
    for_each_batch(&options.paths, &limits, console, &job, |batch| {
        for made in fingerprint_batch(batch, features, options.sentences) {
            counter.inc(1);
            match made {
                Ok(made) => {
                    documents += 1;
                    fingerprints += made.rows.len();
                    if made.is_empty {
                        console.notice(&message!("empty-fingerprint", id = made.document.as_str()));
                    }
                    outputs.write(&made)?;
                }
                Err(failure) => {
                    failed += 1;
                    console.error(&failure);
                }
            }
        }
        Ok(())
    })?;
    counter.finish_and_clear();
    outputs.finish()?;
    let features = features.to_string();
    console.done(&message!("fingerprinted", documents = documents, fingerprints = fingerprints, features = features));
    Ok(Outcome::of(failed > 0))
}

/// The fingerprints made of one document.
struct Made {
    /// The document's id.
    document: String,
    /// Whether it has no features, so that its fingerprint is 0, or it has no sentences.
    is_empty: bool,
    /// In their order: where the sentence is, none for the whole document, and the fingerprint.
    rows: Vec<(Option<Range<u32>>, u64)>,
}

fn fingerprint_batch(
    batch: Vec<Result<Document, Unread>>,
    features: Features,
    sentences: bool,
) -> Vec<Result<Made, Unread>> {
    let make = |fingerprinter: &mut Fingerprinter, extracted: Result<Document, Unread>| {
        let Document { id: document, text, .. } = extracted?;
        Ok(if sentences {
            let row = |sentence: Sentence| (Some(sentence.chars), sentence.fingerprint);
            let rows: Vec<_> = fingerprinter.of_sentences(&text).into_iter().map(row).collect();
            Made { document, is_empty: rows.is_empty(), rows }
        } else {
            let fingerprint = fingerprinter.of_text(&text);
            // Every document has a row.
            Made { document, is_empty: fingerprint.is_none(), rows: vec![(None, fingerprint.unwrap_or(0))] }
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
        let columns = if sentences { FingerprintFile::SENTENCE_COLUMNS } else { FingerprintFile::DOCUMENT_COLUMNS };
        let mut outputs = Outputs { features, tables: Vec::new(), words: Vec::new() };
        for path in paths {
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("csv") => outputs.tables.push(Table::create(path, columns)?),
                Some("u64") => outputs.words.push((path.clone(), BufWriter::new(WholeFile::create(path)?))),
                _ => anyhow::bail!(message!("not-a-fingerprint-file", path = shown(path))),
            }
        }
        if paths.is_empty() {
            outputs.tables.push(crate::output::table(None, columns)?);
        }
        Ok(outputs)
    }

    fn write(&mut self, made: &Made) -> anyhow::Result<()> {
        let (document, features) = (Table::defused(&made.document), self.features.to_string());
        for (number, (sentence, fingerprint)) in made.rows.iter().enumerate() {
            let digits = FingerprintFile::to_hexadecimal(*fingerprint);
            for table in &mut self.tables {
                match sentence {
                    None => table.write(&(&document, &features, &digits))?,
                    Some(chars) => table.write(&(&document, number, chars.start, chars.end, &features, &digits))?,
                }
            }
            for (path, file) in &mut self.words {
                file.write_all(&fingerprint.to_le_bytes()).with_context(|| shown(path))?;
            }
        }
        Ok(())
    }

    fn finish(self) -> anyhow::Result<()> {
        self.tables.into_iter().try_for_each(Table::finish)?;
        for (path, file) in self.words {
            file.into_inner().map_err(|error| error.into_error()).with_context(|| shown(&path))?.finish()?;
            FingerprintFile::describe(&path, Some(self.features))?;
        }
        Ok(())
    }
}
