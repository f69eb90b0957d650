//! `copytrace pairs`: all near-duplicate pairs of a corpus.

use super::Outcome;
use super::args::PairsOptions;
use super::console::Console;
use super::loading::{LoadedIndex, build_index};
use copytrace::align::AlignSettings;
use copytrace::index::Index;
use copytrace::report::rows::{PAIRS_COLUMNS, PairRow};
use copytrace::report::tables::Table;
use copytrace::search::all_pairs::all_pairs;
use copytrace::settings::Settings;

pub fn run(options: &PairsOptions, console: &Console) -> anyhow::Result<Outcome> {
    let mut table = match &options.output {
        Some(path) => Table::create(path, PAIRS_COLUMNS)?,
        None => Table::on_standard_output(PAIRS_COLUMNS)?,
    };
    let (corpus, settings) = corpus(options, console)?;
    let documents = corpus.index.len();
    anyhow::ensure!(documents > 0, "there is no readable document");

    let found = if options.new_only {
        let new = corpus.index.latest_addition()?;
        all_pairs(&corpus.index, &settings, |a, b| new.contains(&a) || new.contains(&b))?
    } else {
        all_pairs(&corpus.index, &settings, |_, _| true)?
    };
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

fn corpus(options: &PairsOptions, console: &Console) -> anyhow::Result<(LoadedIndex, Settings)> {
    let align = AlignSettings::default();
    let Some(folder) = &options.index else {
        let settings = options.sketch.settings(align)?;
        return Ok((build_index(&options.paths, &settings, console)?, settings));
    };
    let index = Index::open(std::slice::from_ref(folder))?;
    let settings = options.sketch.settings_for_index(index.settings(), align)?;
    Ok((LoadedIndex { index, failures: 0 }, settings))
}
