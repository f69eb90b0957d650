//! Documents that are alike by the sentences they share.

use super::{FileArgument, output, written};
use crate::Outcome;
use crate::args::NearOptions;
use crate::console::Console;
use copytrace::hamming::sentences::{SentenceSet, share_sentences};
use serde::Serialize;
use std::collections::HashMap;

const COLUMNS: &str = "query,match,query_sentences,match_sentences,query_shared,match_shared,query_share,match_share";

#[derive(Serialize)]
struct Row<'a> {
    query: &'a str,
    matched: &'a str,
    query_sentences: u32,
    match_sentences: u32,
    query_shared: u32,
    match_shared: u32,
    query_share: String,
    match_share: String,
}

pub fn run(
    table: &FileArgument,
    queries: &FileArgument,
    options: &NearOptions,
    console: &Console,
) -> anyhow::Result<Outcome> {
    let mut rows = output(options, COLUMNS)?;
    let (table, queries) = (Documents::read(table)?, Documents::read(queries)?);
    let shared = share_sentences(&queries.sentences, &table.sentences, options.distance)?;
    for pair in &shared {
        let (query, query_sentences) = &queries.documents[pair.query as usize];
        let (matched, match_sentences) = &table.documents[pair.matched as usize];
        rows.write(&Row {
            query,
            matched,
            query_sentences: *query_sentences,
            match_sentences: *match_sentences,
            query_shared: pair.query_shared,
            match_shared: pair.matched_shared,
            query_share: share(pair.query_shared, *query_sentences),
            match_share: share(pair.matched_shared, *match_sentences),
        })?;
    }
    rows.finish()?;
    let (count, distance) = (shared.len(), options.distance);
    console.done(&format!("{count} pairs of documents share sentences within {distance} bits{}", written(options)));
    Ok(Outcome::Done)
}

fn share(part: u32, whole: u32) -> String {
    format!("{:.4}", f64::from(part) / f64::from(whole))
}

/// The sentences of a file, and its documents in their order with the number of their sentences.
#[derive(Default)]
struct Documents {
    sentences: SentenceSet,
    documents: Vec<(String, u32)>,
}

impl Documents {
    fn read(file: &FileArgument) -> anyhow::Result<Self> {
        let mut read = Documents::default();
        let mut numbers: HashMap<String, u32> = HashMap::new();
        for row in file.named(file.file.sentences())? {
            let row = file.named(row)?;
            let next = read.documents.len() as u32;
            let number = *numbers.entry(row.document).or_insert_with_key(|id| {
                read.documents.push((id.clone(), 0));
                next
            });
            read.documents[number as usize].1 += 1;
            read.sentences.fingerprints.push(row.fingerprint);
            read.sentences.documents.push(number);
        }
        Ok(read)
    }
}
