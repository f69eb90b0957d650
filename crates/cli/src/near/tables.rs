//! A file of fingerprints against another.

use super::{FileArgument, NEAR_COLUMNS, output, written};
use crate::Outcome;
use crate::args::NearOptions;
use crate::console::Console;
use copytrace::hamming::{Batch, Engine, Table, read_words};
use rayon::prelude::*;

pub fn run(
    table: &FileArgument,
    queries: &FileArgument,
    options: &NearOptions,
    console: &Console,
) -> anyhow::Result<Outcome> {
    let mut rows = output(options, NEAR_COLUMNS)?;
    let found = match options.engine {
        Engine::Auto => by_batch(table, queries, options.distance)?,
        engine => by_engine(table, queries, options.distance, engine)?,
    };
    found.iter().try_for_each(|row| rows.write(row))?;
    rows.finish()?;
    console.done(&format!("{} pairs within {} bits{}", found.len(), options.distance, written(options)));
    Ok(Outcome::Done)
}

/// A row of the output: query, match, Hamming distance.
type Row = (u64, u64, u8);

/// The smaller file becomes the tables, the larger one streams past.
fn by_batch(table: &FileArgument, queries: &FileArgument, distance: u8) -> anyhow::Result<Vec<Row>> {
    let queries_are_few = queries.file.bytes <= table.file.bytes;
    let (small, large) = if queries_are_few { (queries, table) } else { (table, queries) };
    let words = small.named(small.file.words().and_then(|mut source| read_words(&mut *source)))?;
    let batch = Batch::new(&words, distance)?;
    let pairs = large.named(large.file.words().and_then(|mut source| batch.pairs_of_source(&mut *source)))?;
    let row = |small: u32, large: u64, distance| match queries_are_few {
        true => (u64::from(small), large, distance),
        false => (large, u64::from(small), distance),
    };
    let mut rows: Vec<Row> = pairs.iter().map(|pair| row(pair.query, pair.stored, pair.distance)).collect();
    if !queries_are_few {
        rows.par_sort_unstable();
    }
    Ok(rows)
}

/// The table as the engine builds it, asked query by query.
fn by_engine(table: &FileArgument, queries: &FileArgument, distance: u8, engine: Engine) -> anyhow::Result<Vec<Row>> {
    let fingerprints = table.named(table.file.words().and_then(|mut source| read_words(&mut *source)))?;
    let built = Table::build(&fingerprints, distance, engine)?;
    drop(fingerprints);
    let mut source = queries.named(queries.file.words())?;
    let (mut rows, mut piece, mut first) = (Vec::new(), Vec::new(), 0u64);
    loop {
        queries.named(source.next_piece(&mut piece))?;
        if piece.is_empty() {
            return Ok(rows);
        }
        let find = |(position, &query): (usize, &u64)| {
            let hits = built.find(query, distance)?;
            let row = first + position as u64;
            Ok(hits.into_iter().map(move |hit| (row, u64::from(hit.row), hit.distance)).collect())
        };
        let found: Vec<Vec<Row>> =
            piece.par_iter().enumerate().map(find).collect::<Result<_, copytrace::hamming::Error>>()?;
        rows.extend(found.into_iter().flatten());
        first += piece.len() as u64;
    }
}
