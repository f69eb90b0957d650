//! `copytrace harvest`: fills an index from where texts are.

use super::Outcome;
use super::args::HarvestOptions;
use super::console::{Console, shown};
use super::index::open;
use anyhow::{Context, bail};
use copytrace::formats::extract::JsonFields;
use copytrace::index::{IndexError, IndexWriter};
use copytrace::job::{Job, Stage};
use copytrace::report::tables::Table;
use copytrace::settings::Settings;
use copytrace::text::{Document, Metadata};
use copytrace_harvest::{CorpusFile, Kept, Options, Seen, Sink, Source, SourceState, Store, harvest};
use copytrace_messages::message;
use copytrace_serve::harvests::sink::{IndexSink, state_folder};
use std::error::Error;
use std::path::Path;

pub fn run(options: &HarvestOptions, console: &Console) -> anyhow::Result<Outcome> {
    let sources: Vec<Source> = options.sources.iter().chain(&options.named).cloned().collect();
    if let (true, Some(index)) = (options.state, &options.index) {
        return state(index);
    }
    anyhow::ensure!(!sources.is_empty(), message!("nothing-to-harvest"));
    let invited = !sources.iter().any(Source::is_remote) || !options.web.contact.is_empty();
    anyhow::ensure!(invited, message!("harvest-needs-contact"));
    let harvesting = Harvesting { sources: &sources, options: settings(options), console };
    match (&options.index, &options.output) {
        _ if options.dry_run => {
            let folder = options.index.as_deref().map(state_folder).unwrap_or_default();
            let mut store = Store::open(&folder).with_context(|| shown(&folder))?;
            harvesting
                .into(&mut Nowhere, &mut store)
                .map(|states| Outcome::of(states.iter().any(|state| !state.errors.is_empty())))
        }
        (Some(index), _) => {
            match IndexWriter::create(index, &Settings::default().sketch, !options.no_text) {
                Ok(_) | Err(IndexError::AlreadyThere { .. }) => {}
                Err(error) => return Err(error.into()),
            }
            let mut store = Store::open(&state_folder(index)).with_context(|| shown(index))?;
            let writer = open(index, console)?;
            let mut alive = || {};
            let mut sink = IndexSink::new(writer, &mut alive);
            let states = harvesting.into(&mut sink, &mut store)?;
            console.done(&message!("harvest-holds", dir = shown(index), holds = sink.finish()?));
            Ok(Outcome::of(states.iter().any(is_partial)))
        }
        (None, Some(file)) => {
            let (mut sink, mut store) = CorpusFile::open(file).with_context(|| shown(file))?;
            let states = harvesting.into(&mut sink, &mut store)?;
            match states.iter().all(|state| state.finished) {
                true => sink.finish(&mut store).with_context(|| shown(file))?,
                false => console.notice(&message!("harvest-part", file = shown(file))),
            }
            Ok(Outcome::of(states.iter().any(is_partial)))
        }
        (None, None) => bail!(message!("harvest-needs-place")),
    }
}

fn is_partial(state: &SourceState) -> bool {
    !state.errors.is_empty() || !state.finished
}

fn settings(options: &HarvestOptions) -> Options {
    let mut limits = options.reading.limits();
    let fields = JsonFields::default().with("id", &options.id_field).with("text", &options.text_field);
    limits.json_fields = options.fields.iter().fold(fields, |fields, (field, name)| fields.with(field, name));
    let (collection, licence) = (options.collection.clone(), options.licence.clone());
    let known = Metadata { collection, licence, ..Metadata::default() };
    let (web, languages) = (options.web.settings(), options.language.clone());
    Options {
        limits,
        web,
        known,
        again: options.again,
        dry: options.dry_run,
        languages,
        arxiv_metadata: options.arxiv_metadata.clone(),
        reader: None,
    }
}

struct Harvesting<'a> {
    sources: &'a [Source],
    options: Options,
    console: &'a Console,
}

impl Harvesting<'_> {
    /// Harvests all sources, and tells what each gave.
    fn into(self, sink: &mut dyn Sink, store: &mut Store) -> anyhow::Result<Vec<SourceState>> {
        let Harvesting { sources, options, console } = self;
        let counter = console.counter(console.words.reading);
        let job = console.job(Stage::Reading, &counter);
        let states = harvest(sources, sink, store, &options, &job, &mut |seen| match seen {
            Seen::Failed(failure) => console.error(failure),
            Seen::Stopped(source, failure) => console.error(&message!(
                "harvest-stopped",
                source = source,
                reason = copytrace_messages::Figure::told(&failure.reason)
            )),
        })?;
        counter.finish_and_clear();
        for (source, state) in sources.iter().zip(&states) {
            let failed: u64 = state.errors.values().map(|errors| errors.count).sum();
            console.done(
                &message!("harvested", source = source.to_string(), new = state.new, replaced = state.replaced)
                    .with("unchanged", state.unchanged)
                    .with("removed", state.removed)
                    .with("left", state.left_out.values().sum::<u64>())
                    .with("failed", failed),
            );
        }
        Ok(states)
    }
}

/// What was harvested into an index, a row for each source.
fn state(index: &Path) -> anyhow::Result<Outcome> {
    let store = Store::open(&state_folder(index)).with_context(|| shown(index))?;
    let columns = "source,last_run,finished,documents,new,replaced,unchanged,removed,bytes,left_out,errors,reasons";
    let mut table = crate::output::table(None, columns)?;
    for (name, state) in store.sources() {
        let errors: u64 = state.errors.values().map(|errors| errors.count).sum();
        let left_out = state.left_out.iter().map(|(code, count)| format!("{code}: {count}"));
        let reasons = state.errors.iter().map(|(code, errors)| {
            let such_as = if errors.examples.is_empty() { "" } else { &format!(" ({})", errors.examples.join(", ")) };
            format!("{code}: {}{such_as}", errors.count)
        });
        let [left_out, reasons] = [left_out.collect::<Vec<_>>(), reasons.collect()].map(|cells| cells.join("; "));
        let counts = (state.documents, state.new, state.replaced, state.unchanged, state.removed, state.bytes);
        table.write(&(Table::defused(name), &state.last_run, state.finished, counts, left_out, errors, reasons))?;
    }
    table.finish()?;
    Ok(Outcome::Done)
}

/// Nothing is kept.
struct Nowhere;

impl Sink for Nowhere {
    fn put(&mut self, _documents: Vec<Document>, _job: &Job) -> Result<Vec<Kept>, Box<dyn Error + Send + Sync>> {
        Ok(Vec::new())
    }

    fn remove(&mut self, _id: &str) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(())
    }

    fn commit(&mut self) -> Result<u64, Box<dyn Error + Send + Sync>> {
        Ok(0)
    }
}
