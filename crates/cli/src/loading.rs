//! Reading what the paths of a command line stand for.

use super::console::{Console, Counter};
use super::manifest::Manifest;
use copytrace::check::{Library, LibraryBuilder, Reason, Unread};
use copytrace::formats::input::{Batches, BytesRead, Input, Inputs, ReadLimits};
use copytrace::job::Job;
use copytrace::settings::SketchSettings;
use copytrace::text::Document;
use copytrace_messages::{Message, message};
use std::path::{Path, PathBuf};

/// The path that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// What the paths of a command line stand for.
pub fn inputs(paths: &[PathBuf]) -> Vec<Input> {
    let input = |path: &PathBuf| match path.as_os_str() == STANDARD_INPUT {
        true => Input::reader(STANDARD_INPUT, std::io::stdin()),
        false => Input::path(path),
    };
    paths.iter().map(input).collect()
}

/// Reads what `paths` hold, each batch by all threads, and hands it on in the order of the inputs. Gives the ids of the files
/// that were left out because nothing is known of their kind.
pub fn for_each_batch(
    paths: &[PathBuf],
    limits: &ReadLimits,
    console: &Console,
    job: &Job,
    mut sink: impl FnMut(Vec<Result<Document, Unread>>) -> anyhow::Result<()>,
) -> anyhow::Result<Vec<String>> {
    let mut batches = Batches::new(Inputs::new(inputs(paths), limits.clone()), job);
    while let Some(batch) = batches.next_batch()? {
        sink(batch.into_iter().map(|read| read.map_err(Unread::from)).collect())?;
    }
    if batches.included() > 0 {
        console.notice(&message!("latex-parts", files = batches.included()));
    }
    tell_named(batches.hidden(), console, |named, more| message!("hidden-files", named = named, more = more));
    Ok(batches.unknown().to_vec())
}

/// A counter for the documents of these paths: with per cent and the time that is left where documents are files of their
/// own, else by the bytes that were read of them, which `limits` count.
pub fn counter_of(what: &'static str, paths: &[PathBuf], limits: &ReadLimits, console: &Console) -> Counter {
    match console.is_watched().then(|| count(paths)).flatten() {
        Some(documents) => console.bar(what, documents),
        None => counter_of_bytes(what, paths, 1, limits, console),
    }
}

/// A counter for the bytes of these paths, which are read `times` times.
pub fn counter_of_bytes(
    what: &'static str,
    paths: &[PathBuf],
    times: u64,
    limits: &ReadLimits,
    console: &Console,
) -> Counter {
    if !console.is_watched() || paths.iter().any(|path| path.as_os_str() == STANDARD_INPUT) {
        return console.counter(what);
    }
    console.counter_of_bytes(what, BytesRead::there_are_in(paths) * times, &limits.bytes_read)
}

/// How many documents the paths hold; none when some of them would have to be read for that.
fn count(paths: &[PathBuf]) -> Option<u64> {
    let is_folder_or_document = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        path.exists() && !["zip", "jsonl", "ndjson", "gz", "zst"].contains(&ending.as_str())
    };
    if !paths.iter().all(is_folder_or_document) {
        return None;
    }
    let mut inputs = Inputs::open(paths, ReadLimits::default());
    let mut documents = 0;
    while inputs.pass_over() {
        documents += 1;
    }
    Some(documents)
}

/// Reads documents into a library, and hands on those that are missing from it. Gives also the ids of the files that were left out
/// because nothing is known of their kind.
pub fn read_library(
    paths: &[PathBuf],
    limits: &ReadLimits,
    sketch: &SketchSettings,
    manifest: &mut Manifest,
    console: &Console,
    job: &Job,
    mut missing: impl FnMut(Unread),
) -> anyhow::Result<(Library, Vec<String>)> {
    let mut builder = LibraryBuilder::new(sketch)?;
    let unknown = for_each_batch(paths, limits, console, job, |batch| {
        Ok(builder.add_read(manifest.complete_all(batch), job, &mut missing)?)
    })?;
    Ok((builder.finish()?, unknown))
}

/// Names files that were left out because nothing is known of their kind.
pub fn tell_unknown(unknown: &[String], console: &Console) {
    tell_named(unknown, console, |named, more| message!("unknown-kinds", named = named, more = more));
}

/// Names the first files of those that were passed over, and says how many more there are.
fn tell_named(files: &[String], console: &Console, message: impl Fn(String, usize) -> Message) {
    const MOST_NAMED: usize = 5;
    if !files.is_empty() {
        let named = files.iter().take(MOST_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
        console.notice(&message(named, files.len().saturating_sub(MOST_NAMED)));
    }
}

/// Reads a path that must hold exactly one document.
pub fn read_one(path: &Path, limits: &ReadLimits) -> Result<Document, Unread> {
    let name = path.display().to_string();
    let mut inputs = Inputs::new(inputs(&[path.to_owned()]), limits.clone());
    let first = inputs.next().ok_or_else(|| Unread::new(&name, Reason::HoldsNone))?;
    if inputs.next().is_some() {
        return Err(Unread::new(&name, Reason::HoldsSeveral));
    }
    Ok(first.and_then(|raw| raw.extract(limits))?)
}
