//! `copytrace pairs`: all near-duplicate pairs of a corpus.

use super::Outcome;
use super::args::PairsOptions;
use super::console::{Console, Counter, Words, shown};
use super::keep;
use super::loading::{counter_of_bytes, inputs};
use copytrace::align::AlignSettings;
use copytrace::check::{Reason, Unread};
use copytrace::formats::extract::JsonFields;
use copytrace::formats::input::ReadLimits;
use copytrace::index::Index;
use copytrace::report::rows::Rows;
use copytrace::report::tables::Table;
use copytrace::search::all_pairs::{Clusters, Corpus, Join, Summary, Watcher};
use copytrace::settings::Settings;
use copytrace_messages::{Figure, Language, Message, Tell, message};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

pub fn run(options: &PairsOptions, console: &Console) -> anyhow::Result<Outcome> {
    let standard_input = options.paths.iter().any(|path| path.as_os_str() == "-");
    let reads_again = options.keep.is_some() || options.removed.is_some() || !options.against.is_empty();
    anyhow::ensure!(!(standard_input && reads_again), message!("reads-again"));
    let new = if options.against.is_empty() { None } else { Some(keep::ids(options, console)?) };
    let memory = options.memory.unwrap_or_else(super::memory::half_of_it);
    let (join, failures) = match &options.index {
        Some(folder) => {
            let index = Index::open(std::slice::from_ref(folder))?;
            let settings = options.sketch.settings_for_index(index.settings(), AlignSettings::default())?;
            let new = if options.new_only { Some(index.latest_addition()?) } else { None };
            let mut join = Join::of_index(&index, &settings, new.as_ref(), memory)?;
            join.cancel = console.cancel.clone();
            (join, 0)
        }
        None => {
            let settings = options.sketch.settings(AlignSettings::default())?;
            let (mut join, failures) = of_paths(options, &settings, memory, console)?;
            if let Some(new) = &new {
                join.only_with(|id| new.contains(id));
            }
            (join, failures)
        }
    };
    anyhow::ensure!(join.total > 0, message!("nothing-readable"));

    let sorts_out = options.keep.is_some() || options.removed.is_some();
    let mut clusters = (options.clusters.is_some() || sorts_out).then(|| Clusters::new(join.documents()));
    let only_clusters = clusters.is_some() && options.output.is_none();
    let found = match clusters.as_mut().filter(|_| only_clusters) {
        Some(clusters) => Found::Clusters(join.cluster(clusters)?),
        None => Found::Pairs(write_pairs(options, &join, clusters.as_mut(), console)?),
    };
    let mut told = vec![found.message(&join)];
    if sorts_out && let Some(clusters) = clusters.clone() {
        told.push(keep::sort_out(options, &join, clusters, new.as_ref(), console)?);
    }
    if let (Some(clusters), Some(path)) = (clusters, &options.clusters) {
        let members = clusters.members();
        let mut table = Table::create(path, Rows::CLUSTERS)?;
        for &(representative, document) in &members {
            table.write(&Rows::cluster(join.id(representative), join.id(document)))?;
        }
        table.finish()?;
        let count = members.chunk_by(|a, b| a.0 == b.0).count();
        told.push(message!("clusters-written", clusters = count, documents = members.len(), path = shown(path)));
    }
    console.done(&Sentences(told));
    Ok(Outcome::of(failures > 0))
}

/// Several messages in a row.
struct Sentences(Vec<Message>);

impl Tell for Sentences {
    fn code(&self) -> Option<String> {
        self.0.first()?.code()
    }

    fn tell(&self, language: Language) -> String {
        let told: Vec<String> = self.0.iter().map(|message| message.tell(language)).collect();
        told.join(Words::of(language).full_stop)
    }
}

impl fmt::Display for Sentences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tell(Language::ENGLISH))
    }
}

/// What was looked for and found.
enum Found {
    Pairs(Summary),
    /// Clusters, and how many candidates were compared for them.
    Clusters(u64),
}

impl Found {
    fn message(&self, join: &Join) -> Message {
        let (message, candidates) = match *self {
            Found::Pairs(Summary { pairs, candidates, .. }) => (message!("pairs-found", pairs = pairs), candidates),
            Found::Clusters(candidates) => (message!("clusters-found"), candidates),
        };
        let threshold = join.threshold().to_string();
        message.with("documents", join.total).with("threshold", threshold).with("candidates", candidates)
    }
}

fn write_pairs(
    options: &PairsOptions,
    join: &Join,
    clusters: Option<&mut Clusters>,
    console: &Console,
) -> anyhow::Result<Summary> {
    let mut table = crate::output::table(options.output.as_deref(), Rows::PAIRS)?;
    let counter = console.counter(console.words.verifying);
    let most = options.max_pairs.unwrap_or(u64::MAX);
    let summary = join.for_each(most, clusters, |pair| -> anyhow::Result<()> {
        counter.inc(1);
        console.cancel.check()?;
        Ok(table.write(&Rows::pair(pair))?)
    })?;
    table.finish()?;
    counter.finish_and_clear();
    if summary.cut_short {
        console.notice(&message!("more-pairs", most = most));
    }
    Ok(summary)
}

/// Prepares what the paths hold; gives also how many inputs failed.
pub fn of_paths(
    options: &PairsOptions,
    settings: &Settings,
    memory: u64,
    console: &Console,
) -> anyhow::Result<(Join, usize)> {
    let mut paths = options.paths.clone();
    paths.extend_from_slice(&options.against);
    let limits = options.limits(console);
    let reading = Reading::new(console, &paths, &limits);
    let corpus = Corpus::open(inputs(&paths), limits)?;
    let join = corpus.prepare(settings, memory, &reading)?;
    Ok((join, reading.finish()))
}

impl PairsOptions {
    /// How documents are read.
    pub fn limits(&self, console: &Console) -> ReadLimits {
        let json_fields = JsonFields::default().with("id", &self.id_field).with("text", &self.text_field);
        ReadLimits { json_fields, cancel: console.cancel.clone(), ..ReadLimits::default() }
    }
}

/// Shows the progress of reading and names what fails: of each reason the first documents, then how many more there are.
pub struct Reading<'a> {
    console: &'a Console,
    counter: Counter,
    /// How many documents failed for each reason.
    failures: Mutex<BTreeMap<String, (Reason, usize)>>,
}

/// The corpus is read twice.
const PASSES: u64 = 2;

/// Of each reason this many documents are named.
const MOST_NAMED: usize = 3;

impl<'a> Reading<'a> {
    pub fn new(console: &'a Console, paths: &[PathBuf], limits: &ReadLimits) -> Self {
        let counter = counter_of_bytes(console.words.reading_corpus, paths, PASSES, limits, console);
        Reading { console, counter, failures: Mutex::default() }
    }

    /// How many inputs failed.
    pub fn finish(self) -> usize {
        self.counter.finish_and_clear();
        let failures = self.failures.into_inner().unwrap_or_else(PoisonError::into_inner);
        for (reason, count) in failures.values().filter(|(_, count)| *count > MOST_NAMED) {
            let reason = Figure::told(reason);
            self.console.error(&message!("more-of-these", count = count - MOST_NAMED, reason = reason));
        }
        failures.values().map(|(_, count)| count).sum()
    }
}

impl Watcher for Reading<'_> {
    fn read(&self, documents: usize) {
        self.counter.inc(documents as u64);
    }

    fn failed(&self, unread: &Unread) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, count) = failures.entry(unread.message()).or_insert_with(|| (unread.reason.clone(), 0));
        *count += 1;
        if *count <= MOST_NAMED {
            self.console.error(unread);
        }
    }

    fn passed_over(&self, files: u64) {
        self.console.notice(&message!("passed-over", files = files));
    }
}
