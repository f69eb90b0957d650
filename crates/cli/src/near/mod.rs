//! `copytrace near`: fingerprints within k bits.

mod follow;
mod index;
mod sentences;
mod tables;

use super::Outcome;
use super::args::NearOptions;
use super::console::Console;
use copytrace::hamming::Error;
use copytrace::hamming::fingerprints::{Features, FingerprintFile};
use copytrace_messages::message;

/// The columns of matches.
const NEAR_COLUMNS: &str = "query,match,hamming";

pub fn run(options: &NearOptions, console: &Console) -> anyhow::Result<Outcome> {
    if options.follow {
        return follow::run(options, console);
    }
    if !options.index.is_empty() {
        return index::run(options, console);
    }
    let Some(table) = &options.table else {
        anyhow::bail!(message!("nothing-to-search"));
    };
    anyhow::ensure!(options.filter.filter(0).is_empty(), message!("filters-need-index"));
    let table = FingerprintFile::open(table)?;
    if let Some(path) = &options.build {
        return tables::build(&table, path, options, console);
    }
    let Some(queries) = &options.queries else {
        anyhow::bail!(message!("queries-missing"));
    };
    let queries = FingerprintFile::open(queries)?;
    if options.sentences {
        sentences::run(&table, &queries, options, console)
    } else {
        tables::run(&table, &queries, options, console)
    }
}

/// An index keeps fingerprints of terms.
fn require_terms(features: Features) -> anyhow::Result<()> {
    if features == Features::Terms {
        return Ok(());
    }
    Err(Error::FeaturesDiffer { first: Features::Terms, second: features }.into())
}

/// Sorts matches by distance, and by id where that is equal.
fn nearest_first(matches: &mut [(String, u8)]) {
    matches.sort_by(|(id, distance), (other, other_distance)| (distance, id).cmp(&(other_distance, other)));
}
