//! `copytrace pairs`: all near-duplicate pairs of a corpus.

use super::Outcome;
use super::args::PairsOptions;
use super::console::Console;
use super::loading::inputs;
use copytrace::align::AlignSettings;
use copytrace::index::Index;
use copytrace::report::rows::{self, CLUSTERS_COLUMNS, PAIRS_COLUMNS};
use copytrace::report::tables::Table;
use copytrace::search::all_pairs::{Clusters, Corpus, Join, Summary, Watcher};
use copytrace::settings::Settings;
use copytrace::text::input::ReadLimits;
use indicatif::ProgressBar;
use std::sync::atomic::{AtomicUsize, Ordering};

pub fn run(options: &PairsOptions, console: &Console) -> anyhow::Result<Outcome> {
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
            of_paths(options, &settings, memory, console)?
        }
    };
    anyhow::ensure!(join.total > 0, "there is no readable document");

    let mut clusters = options.clusters.is_some().then(|| Clusters::new(join.documents.len()));
    let only_clusters = clusters.is_some() && options.output.is_none();
    let found = match clusters.as_mut().filter(|_| only_clusters) {
        Some(clusters) => Found::Clusters(join.cluster(clusters)?),
        None => Found::Pairs(write_pairs(options, &join, clusters.as_mut(), console)?),
    };
    let mut message = found.message(&join);
    if let (Some(clusters), Some(path)) = (clusters, &options.clusters) {
        let members = clusters.members();
        let mut table = Table::create(path, CLUSTERS_COLUMNS)?;
        for &(representative, document) in &members {
            table.write(&rows::cluster(join.documents.id(representative), join.documents.id(document)))?;
        }
        table.finish()?;
        let count = members.chunk_by(|a, b| a.0 == b.0).count();
        message += &format!(". Clusters: {count}, of {} documents, written to {}", members.len(), path.display());
    }
    console.done(&message);
    Ok(if failures > 0 { Outcome::SomeInputFailed } else { Outcome::Done })
}

/// What was looked for and found.
enum Found {
    Pairs(Summary),
    /// After so many candidates.
    Clusters(u64),
}

impl Found {
    fn message(&self, join: &Join) -> String {
        let (documents, threshold) = (join.total, join.threshold());
        match self {
            Found::Pairs(Summary { pairs, candidates, .. }) => format!(
                "{documents} documents: {pairs} pairs with a Jaccard similarity of {threshold} or more, of {candidates} \
                 candidates"
            ),
            Found::Clusters(candidates) => {
                format!(
                    "{documents} documents joined at a Jaccard similarity of {threshold} or more, by {candidates} candidates"
                )
            }
        }
    }
}

fn write_pairs(
    options: &PairsOptions,
    join: &Join,
    clusters: Option<&mut Clusters>,
    console: &Console,
) -> anyhow::Result<Summary> {
    let mut table = match &options.output {
        Some(path) => Table::create(path, PAIRS_COLUMNS)?,
        None => crate::output::table(PAIRS_COLUMNS)?,
    };
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
    let corpus =
        Corpus::open(inputs(&options.paths), ReadLimits { cancel: console.cancel.clone(), ..ReadLimits::default() })?;
    let reading = Reading::new(console);
    let join = corpus.prepare(settings, memory, &reading)?;
    Ok((join, reading.finish()))
}

/// Shows the progress of reading and names what fails.
pub struct Reading<'a> {
    console: &'a Console,
    counter: ProgressBar,
    failures: AtomicUsize,
}

impl<'a> Reading<'a> {
    pub fn new(console: &'a Console) -> Self {
        Reading { console, counter: console.counter("reading the corpus"), failures: AtomicUsize::new(0) }
    }

    /// How many inputs failed.
    pub fn finish(self) -> usize {
        self.counter.finish_and_clear();
        self.failures.into_inner()
    }
}

impl Watcher for Reading<'_> {
    fn read(&self, documents: usize) {
        self.counter.inc(documents as u64);
    }

    fn failed(&self, message: &str) {
        self.failures.fetch_add(1, Ordering::Relaxed);
        self.console.input_failed(message);
    }

    fn notice(&self, message: &str) {
        self.console.notice(message);
    }
}
