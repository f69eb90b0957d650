//! A corpus written anew without its duplicates.

use super::args::PairsOptions;
use super::console::Console;
use super::loading::{counter_of_bytes, inputs};
use copytrace::formats::input::{Inputs, RawDocument, ReadError};
use copytrace::report::whole_file::WholeFile;
use copytrace::search::all_pairs::{Clusters, Join};
use copytrace::text::Document;
use copytrace_messages::{Message, message};
use rayon::prelude::*;
use serde_json::json;
use std::collections::BTreeSet;
use std::io::{BufWriter, Write};

/// How many documents are read by all threads at a time.
const BATCH: usize = 256;

/// The ids of the documents of the corpus, without those it is compared with.
pub fn ids(options: &PairsOptions, console: &Console) -> anyhow::Result<BTreeSet<String>> {
    let mut ids = BTreeSet::new();
    for_each(console.words.reading_new, options, console, |document, _| {
        ids.insert(document.id);
        Ok(())
    })?;
    Ok(ids)
}

/// Writes what stays and what goes; gives both counts. `new` are the ids of the corpus where it was compared with another
/// one, whose documents stay in any case and are not written.
pub fn sort_out(
    options: &PairsOptions,
    join: &Join,
    clusters: Clusters,
    new: Option<&BTreeSet<String>>,
    console: &Console,
) -> anyhow::Result<Message> {
    let members = clusters.members();
    let mut duplicates = BTreeSet::new();
    for cluster in members.chunk_by(|a, b| a.0 == b.0) {
        let ids = || cluster.iter().map(|&(_, document)| join.id(document));
        let is_new = |id: &&str| new.is_none_or(|new| new.contains(*id));
        // One that an old document resembles goes; else the first stays.
        let stays = usize::from(ids().all(|id| is_new(&id)));
        duplicates.extend(ids().filter(is_new).skip(stays).map(str::to_owned));
    }
    let file = |path: &Option<std::path::PathBuf>| path.as_deref().map(WholeFile::create).transpose();
    let (mut keep, mut removed) =
        (file(&options.keep)?.map(BufWriter::new), file(&options.removed)?.map(BufWriter::new));
    let mut seen = BTreeSet::new();
    let mut counts = [0u64; 2];
    for_each(console.words.writing_corpus, options, console, |document, line| {
        // Of two with one id the first counts, and only that was compared.
        let goes = !seen.insert(document.id.clone()) || duplicates.contains(&document.id);
        counts[usize::from(goes)] += 1;
        if let Some(file) = if goes { &mut removed } else { &mut keep } {
            let written = file.write_all(&line).and_then(|()| file.write_all(b"\n"));
            written.map_err(|error| message!("corpus-unwritten").because(error))?;
        }
        Ok(())
    })?;
    for file in [keep, removed].into_iter().flatten() {
        file.into_inner().map_err(|error| error.into_error())?.finish()?;
    }
    Ok(message!("kept", kept = counts[0], removed = counts[1]))
}

/// Reads the corpus, and hands on each document that can be read, with the line that stands for it, in their order.
fn for_each(
    what: &'static str,
    options: &PairsOptions,
    console: &Console,
    mut sink: impl FnMut(Document, Vec<u8>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let limits = options.limits(console);
    let counter = counter_of_bytes(what, &options.paths, 1, &limits, console);
    let mut inputs = Inputs::new(inputs(&options.paths), limits.clone());
    loop {
        console.cancel.check()?;
        let batch: Vec<Result<RawDocument, ReadError>> = inputs.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            counter.finish_and_clear();
            return Ok(());
        }
        counter.inc(batch.len() as u64);
        let read = |raw: Result<RawDocument, ReadError>| {
            let raw = raw.ok()?;
            let line = raw.line().map(|line| line.trim_ascii().to_vec());
            let document = raw.extract(&limits).ok()?;
            let line = line.unwrap_or_else(|| as_line(&document).into_bytes());
            Some((document, line))
        };
        let read: Vec<_> = batch.into_par_iter().filter_map(read).collect();
        read.into_iter().try_for_each(|(document, line)| sink(document, line))?;
    }
}

/// A document as a JSON line.
fn as_line(document: &Document) -> String {
    let Document { id, text, metadata, .. } = document;
    let mut line = json!({ "id": id, "text": text });
    let known = [("title", &metadata.title), ("author", &metadata.author), ("date", &metadata.date)];
    for (name, value) in known.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?))) {
        line[name] = value.as_str().into();
    }
    line.to_string()
}
