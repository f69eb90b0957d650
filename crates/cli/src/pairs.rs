//! `copytrace pairs`: all near-duplicate pairs of a corpus.

use super::Outcome;
use super::args::PairsOptions;
use super::conclusion::counted;
use super::console::{Console, Counter};
use super::keep;
use super::loading::{counter_of_bytes, inputs};
use copytrace::align::AlignSettings;
use copytrace::formats::extract::JsonFields;
use copytrace::formats::input::ReadLimits;
use copytrace::index::Index;
use copytrace::report::rows::{self, CLUSTERS_COLUMNS, PAIRS_COLUMNS};
use copytrace::report::tables::Table;
use copytrace::search::all_pairs::{Clusters, Corpus, Join, Summary, Watcher};
use copytrace::settings::Settings;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

pub fn run(options: &PairsOptions, console: &Console) -> anyhow::Result<Outcome> {
    let standard_input = options.paths.iter().any(|path| path.as_os_str() == "-");
    let reads_again = options.keep.is_some() || options.removed.is_some() || !options.against.is_empty();
    anyhow::ensure!(
        !(standard_input && reads_again),
        "--keep, --removed and --against read the corpus a second time, which standard input cannot be"
    );
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
    anyhow::ensure!(join.total > 0, "there is no readable document");

    let sorts_out = options.keep.is_some() || options.removed.is_some();
    let mut clusters = (options.clusters.is_some() || sorts_out).then(|| Clusters::new(join.documents.len()));
    let only_clusters = clusters.is_some() && options.output.is_none();
    let found = match clusters.as_mut().filter(|_| only_clusters) {
        Some(clusters) => Found::Clusters(join.cluster(clusters)?),
        None => Found::Pairs(write_pairs(options, &join, clusters.as_mut(), console)?),
    };
    let mut message = found.message(&join);
    if sorts_out && let Some(clusters) = clusters.clone() {
        message += &format!(". {}", keep::sort_out(options, &join, clusters, new.as_ref(), console)?);
    }
    if let (Some(clusters), Some(path)) = (clusters, &options.clusters) {
        let members = clusters.members();
        let mut table = Table::create(path, CLUSTERS_COLUMNS)?;
        for &(representative, document) in &members {
            table.write(&rows::cluster(join.documents.id(representative), join.documents.id(document)))?;
        }
        table.finish()?;
        let count = members.chunk_by(|a, b| a.0 == b.0).count();
        let members = counted(members.len(), "document", "documents");
        message += &format!(". Clusters: {count}, of {members}, written to {}", path.display());
    }
    console.done(&message);
    Ok(Outcome::of(failures > 0))
}

/// What was looked for and found.
enum Found {
    Pairs(Summary),
    /// Clusters, and how many candidates were compared for them.
    Clusters(u64),
}

impl Found {
    fn message(&self, join: &Join) -> String {
        let (documents, threshold) = (counted(join.total, "document", "documents"), join.threshold());
        let compared =
            |candidates: u64| counted(candidates as usize, "pair of different texts", "pairs of different texts");
        match self {
            Found::Pairs(Summary { pairs, candidates, .. }) => format!(
                "{documents}: {} with a Jaccard similarity of {threshold} or more ({} compared; equal texts need no comparison)",
                counted(*pairs as usize, "pair", "pairs"),
                compared(*candidates)
            ),
            Found::Clusters(candidates) => format!(
                "{documents} joined at a Jaccard similarity of {threshold} or more ({} compared)",
                compared(*candidates)
            ),
        }
    }
}

fn write_pairs(
    options: &PairsOptions,
    join: &Join,
    clusters: Option<&mut Clusters>,
    console: &Console,
) -> anyhow::Result<Summary> {
    let mut table = crate::output::table(options.output.as_deref(), PAIRS_COLUMNS)?;
    let counter = console.counter("verifying pairs");
    let most = options.max_pairs.unwrap_or(u64::MAX);
    let summary = join.for_each(most, clusters, |pair| -> anyhow::Result<()> {
        counter.inc(1);
        console.cancel.check()?;
        Ok(table.write(&rows::pair(pair))?)
    })?;
    table.finish()?;
    counter.finish_and_clear();
    if summary.cut_short {
        console.notice(&format!(
            "THERE ARE MORE PAIRS: only the first {most} in the order of the ids were written (--max-pairs)"
        ));
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
        let json_fields = JsonFields { id: self.id_field.clone(), text: self.text_field.clone() };
        ReadLimits { json_fields, cancel: console.cancel.clone(), ..ReadLimits::default() }
    }
}

/// Shows the progress of reading and names what fails: of each reason the first documents, then how many more there are.
pub struct Reading<'a> {
    console: &'a Console,
    counter: Counter,
    /// How many documents failed for each reason.
    failures: Mutex<BTreeMap<String, usize>>,
}

/// The corpus is read twice.
const PASSES: u64 = 2;

/// Of each reason this many documents are named.
const MOST_NAMED: usize = 3;

impl<'a> Reading<'a> {
    pub fn new(console: &'a Console, paths: &[PathBuf], limits: &ReadLimits) -> Self {
        let counter = counter_of_bytes("reading the corpus", paths, PASSES, limits, console);
        Reading { console, counter, failures: Mutex::default() }
    }

    /// How many inputs failed.
    pub fn finish(self) -> usize {
        self.counter.finish_and_clear();
        let failures = self.failures.into_inner().unwrap_or_else(PoisonError::into_inner);
        for (reason, count) in failures.iter().filter(|(_, count)| **count > MOST_NAMED) {
            self.console.input_failed(&format!("{} more: {reason}", count - MOST_NAMED));
        }
        failures.values().sum()
    }
}

impl Watcher for Reading<'_> {
    fn read(&self, documents: usize) {
        self.counter.inc(documents as u64);
    }

    fn failed(&self, message: &str) {
        let reason = message.split_once(": ").map_or(message, |(_, reason)| reason);
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let count = failures.entry(reason.to_owned()).or_default();
        *count += 1;
        if *count <= MOST_NAMED {
            self.console.input_failed(message);
        }
    }

    fn notice(&self, message: &str) {
        self.console.notice(message);
    }
}
