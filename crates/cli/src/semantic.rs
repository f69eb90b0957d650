//! `copytrace semantic` and `check --semantic`: models, and what they make of a library.

use super::Outcome;
use super::args::SemanticCommand;
use super::console::{Console, shown};
use copytrace::check::{Checker, Library, Meanings};
use copytrace::index::IndexWriter;
use copytrace::job::Stage;
use copytrace::semantic::Model;
use copytrace_messages::message;
use std::path::Path;
use std::sync::Arc;

pub fn run(command: &SemanticCommand, console: &Console) -> anyhow::Result<Outcome> {
    let SemanticCommand::Install { from, to } = command;
    let model = Model::install(from, to)?;
    console.done(&message!("model-installed", folder = shown(to), name = model.name()));
    Ok(Outcome::of(false))
}

/// A checker that looks for translated and retold passages too, with the model in a folder.
pub fn with_meanings(checker: Checker, model: &Path, console: &Console) -> anyhow::Result<Checker> {
    let model = Arc::new(Model::open(model)?);
    let library: &Library = checker.library();
    let counter = console.bar(console.words.reading_meanings, library.len() as u64);
    let meanings = Meanings::of(library, model, &console.job(Stage::Reading, &counter))?;
    counter.finish_and_clear();
    tell_missing(library.len() - meanings.documents(), library.len(), console);
    if meanings.unknown() > 0 {
        console.notice(&message!("sources-in-unknown-languages", missing = meanings.unknown(), all = library.len()));
    }
    Ok(checker.with_meanings(Arc::new(meanings)))
}

/// Keeps what a model makes of the documents of an index beside it.
pub fn keep_meanings(writer: &IndexWriter, folder: &Path, model: &Model, console: &Console) -> anyhow::Result<()> {
    let all = writer.documents()? as usize;
    let counter = console.bar(console.words.reading_meanings, all as u64);
    let kept = Meanings::keep(writer, folder, model, &console.job(Stage::Reading, &counter))?;
    counter.finish_and_clear();
    tell_missing(all - kept, all, console);
    console.done(&message!("meanings-kept", dir = shown(folder), documents = kept, name = model.name()));
    Ok(())
}

/// Names how many documents have no text that could be searched.
fn tell_missing(missing: usize, all: usize, console: &Console) {
    if missing > 0 {
        console.notice(&message!("texts-not-kept", missing = missing, all = all));
    }
}
