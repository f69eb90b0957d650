//! Documents, fingerprints, or a file of fingerprints against an index.

use super::{NEAR_COLUMNS, nearest_first, require_terms};
use crate::Outcome;
use crate::args::NearOptions;
use crate::console::{Console, shown};
use crate::index::now;
use crate::loading::for_each_batch;
use crate::output;
use copytrace::check::{Reason, Unread};
use copytrace::formats::input::ReadLimits;
use copytrace::hamming::fingerprints::Features;
use copytrace::hamming::fingerprints::FingerprintFile;
use copytrace::index::{Index, IndexError};
use copytrace::job::Job;
use copytrace::report::tables::Table;
use copytrace::search::filter::Filter;
use copytrace::sketch::fingerprinter::Fingerprinter;
use copytrace::text::Metadata;
use copytrace_messages::message;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Rows of a file that are searched for at a time: few, for each may be near to many documents.
const TOGETHER: usize = 1 << 7;

pub fn run(options: &NearOptions, console: &Console) -> anyhow::Result<Outcome> {
    require_terms(options.features.features()?)?;
    let index = Index::open(&options.index)?;
    let mut search = Search {
        index: &index,
        filter: options.filter.filter(now()),
        distance: options.distance,
        rows: output::table(options.output.as_deref(), NEAR_COLUMNS)?,
        queries: 0,
        matches: 0,
    };
    let mut failed = 0;
    match &options.queries {
        Some(path) => search.file(path)?,
        None => failed = search.arguments(&options.documents, console)?,
    }
    let Search { rows, queries, matches, .. } = search;
    rows.finish()?;
    let (documents, distance) = (index.len(), options.distance);
    console.done(
        &message!("near-index", queries = queries, documents = documents, matches = matches, distance = distance)
            .with("output", options.output.as_deref().map(shown)),
    );
    Ok(Outcome::of(failed > 0))
}

struct Search<'a> {
    index: &'a Index,
    filter: Filter,
    distance: u8,
    rows: Table,
    queries: u64,
    matches: u64,
}

/// Something to be searched for.
struct Query {
    name: String,
    fingerprint: u64,
    metadata: Metadata,
}

impl Search<'_> {
    /// Searches for all rows of a file, named by their numbers.
    fn file(&mut self, path: &Path) -> anyhow::Result<()> {
        let file = FingerprintFile::open(path)?;
        if let Some(features) = file.features {
            require_terms(features)?;
        }
        let mut rows = 0u64..;
        file.for_each_piece(|piece| -> anyhow::Result<()> {
            for words in piece.chunks(TOGETHER) {
                let query = |(&fingerprint, row): (&u64, u64)| Query {
                    name: row.to_string(),
                    fingerprint,
                    metadata: Metadata::default(),
                };
                let queries: Vec<Query> = words.iter().zip(rows.by_ref()).map(query).collect();
                self.queries(&queries)?;
            }
            Ok(())
        })
    }

    /// Searches for fingerprints and documents in the order in which they were given; gives how many could not be read.
    fn arguments(&mut self, arguments: &[String], console: &Console) -> anyhow::Result<u64> {
        let mut failed = 0;
        for argument in arguments {
            if let Some(fingerprint) = FingerprintFile::of_hexadecimal(argument) {
                self.queries(&[Query { name: argument.clone(), fingerprint, metadata: Metadata::default() }])?;
                continue;
            }
            let job = Job::default().with_cancel(console.cancel.clone());
            for_each_batch(&[PathBuf::from(argument)], &ReadLimits::default(), console, &job, |batch| {
                let made: Vec<Result<Query, Unread>> = batch
                    .into_par_iter()
                    .map_init(
                        || Fingerprinter::new(Features::Terms),
                        |fingerprinter, extracted| {
                            let document = extracted?;
                            let nothing = || Unread::new(&document.id, Reason::NoFeatures);
                            let fingerprint = fingerprinter.of_text(&document.text).ok_or_else(nothing)?;
                            Ok(Query { fingerprint, metadata: document.vouched(), name: document.id })
                        },
                    )
                    .collect();
                let (queries, failures): (Vec<_>, Vec<_>) = made.into_iter().partition(Result::is_ok);
                for failure in failures.into_iter().filter_map(Result::err) {
                    failed += 1;
                    console.error(&failure);
                }
                self.queries(&queries.into_iter().flatten().collect::<Vec<_>>())
            })?;
        }
        Ok(failed)
    }

    fn queries(&mut self, queries: &[Query]) -> anyhow::Result<()> {
        let find = |query: &Query| near(self.index, query.fingerprint, self.distance, &self.filter, &query.metadata);
        let found: Vec<Vec<(String, u8)>> = queries.par_iter().map(find).collect::<Result<_, _>>()?;
        for (query, matches) in queries.iter().zip(found) {
            for (id, distance) in matches {
                self.matches += 1;
                self.rows.write(&(Table::defused(&query.name), Table::defused(&id), distance))?;
            }
        }
        self.queries += queries.len() as u64;
        Ok(())
    }
}

/// The ids of the documents that are near and that the filter admits, nearest first.
pub fn near(
    index: &Index,
    fingerprint: u64,
    distance: u8,
    filter: &Filter,
    metadata: &Metadata,
) -> Result<Vec<(String, u8)>, IndexError> {
    let mut found = Vec::new();
    for (document, distance) in index.near(fingerprint, distance)? {
        let record = index.record(document)?;
        if filter.admits(&record, metadata) {
            found.push((record.id, distance));
        }
    }
    nearest_first(&mut found);
    Ok(found)
}
