//! `copytrace pairs`: all near-duplicate pairs of a corpus.

use super::Outcome;
use super::args::PairsOptions;
use super::console::Console;
use super::loading::build_index;
use copytrace::align::AlignSettings;
use copytrace::report::rows::{PAIRS_COLUMNS, PairRow};
use copytrace::report::tables::Table;
use copytrace::search::all_pairs::all_pairs;

pub fn run(options: &PairsOptions, console: &Console) -> anyhow::Result<Outcome> {
    let settings = options.sketch.settings(AlignSettings::default())?;
    let mut table = match &options.output {
        Some(path) => Table::create(path, PAIRS_COLUMNS)?,
        None => Table::on_standard_output(PAIRS_COLUMNS)?,
    };

    let corpus = build_index(&options.paths, &settings, console)?;
    let documents = corpus.index.len();
    anyhow::ensure!(documents > 0, "there is no readable document");

    let found = all_pairs(&corpus.index, &settings, |_, _| true)?;
    found.pairs.iter().try_for_each(|pair| table.write(&PairRow::new(pair)))?;
    table.finish()?;
    let written = options.output.as_ref().map(|path| format!(". Written to {}", path.display())).unwrap_or_default();
    console.done(&format!(
        "{documents} documents: {} pairs with a Jaccard similarity of {} or more, of {} candidates{written}",
        found.pairs.len(),
        settings.threshold,
        found.candidates,
    ));
    Ok(if corpus.failures > 0 { Outcome::SomeInputFailed } else { Outcome::Done })
}
