//! `copytrace harvest`: fills an index from where texts are.

use super::Outcome;
use super::args::HarvestOptions;
use super::console::Console;
use super::index::{now, open};
use super::loading::shown;
use anyhow::{Context, bail};
use copytrace::check::{Addition, Unread};
use copytrace::hamming::fingerprints::Features;
use copytrace::index::{IndexError, IndexWriter, MergePolicy};
use copytrace::job::{Job, Stage};
use copytrace::report::tables::Table;
use copytrace::settings::Settings;
use copytrace::sketch::analysers::Analysers;
use copytrace::sketch::fingerprinter::Fingerprinter;
use copytrace::text::{Document, Metadata};
use copytrace_harvest::{CorpusFile, Kept, Options, Seen, Sink, Source, SourceState, Store, harvest};
use copytrace_messages::message;
use std::cell::RefCell;
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
            harvesting.into(&mut Nowhere, &mut store).map(|states| Outcome::of(states.iter().any(is_partial)))
        }
        (Some(index), _) => {
            match IndexWriter::create(index, &Settings::default().sketch, !options.no_text) {
                Ok(_) | Err(IndexError::AlreadyThere { .. }) => {}
                Err(error) => return Err(error.into()),
            }
            let mut store = Store::open(&state_folder(index)).with_context(|| shown(index))?;
            let writer = open(index, console)?;
            let mut sink = IndexSink { analysers: Analysers::new(writer.settings()), writer };
            let states = harvesting.into(&mut sink, &mut store)?;
            sink.writer.merge_segments(&MergePolicy::default())?;
            console.done(&message!("harvest-holds", dir = shown(index), holds = sink.writer.documents()?));
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

/// Where an index keeps what was harvested into it.
fn state_folder(index: &Path) -> std::path::PathBuf {
    index.join("harvest")
}

fn is_partial(state: &SourceState) -> bool {
    !state.errors.is_empty()
}

fn settings(options: &HarvestOptions) -> Options {
    let mut limits = options.reading.limits();
    limits.json_fields.id.clone_from(&options.id_field);
    limits.json_fields.text.clone_from(&options.text_field);
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
        fingerprint: Some(fingerprint),
    }
}

thread_local! {
    static FINGERPRINTER: RefCell<Fingerprinter> = RefCell::new(Fingerprinter::new(Features::Terms));
}

/// The fingerprint that an index keeps of a text.
fn fingerprint(text: &str) -> Option<u64> {
    FINGERPRINTER.with_borrow_mut(|fingerprinter| fingerprinter.of_text(text))
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

/// An index that takes documents.
struct IndexSink {
    writer: IndexWriter,
    analysers: Analysers,
}

impl Sink for IndexSink {
    fn put(&mut self, documents: Vec<Document>, job: &Job) -> Result<Vec<Kept>, Box<dyn Error + Send + Sync>> {
        let batch = documents.into_iter().map(Ok::<_, Unread>).collect();
        // Documents are counted as records of their source.
        let quiet = Job::default().with_cancel(job.cancel.clone());
        let added = self.writer.add_all(&self.analysers, batch, now(), &quiet)?;
        let kept = added.into_iter().map(|addition| match addition {
            Addition::New(_) => Kept::New,
            Addition::Replaced(_) => Kept::Replaced,
            Addition::Unchanged(_) => Kept::Unchanged,
            Addition::Unread(unread) => Kept::Refused(unread.message()),
        });
        Ok(kept.collect())
    }

    fn remove(&mut self, id: &str) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.writer.remove(id)?;
        Ok(())
    }

    fn commit(&mut self) -> Result<u64, Box<dyn Error + Send + Sync>> {
        self.writer.commit()?;
        Ok(0)
    }
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
