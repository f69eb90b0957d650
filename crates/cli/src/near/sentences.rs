//! Documents that are alike by the sentences they share.

use super::{output, written};
use crate::Outcome;
use crate::args::NearOptions;
use crate::console::Console;
use copytrace::hamming::fingerprints::FingerprintFile;
use copytrace::search::sentences::{SentenceSet, SharedSentences, share_sentences};
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
    table: &FingerprintFile,
    queries: &FingerprintFile,
    options: &NearOptions,
    console: &Console,
) -> anyhow::Result<Outcome> {
    table.require_same_features(queries)?;
    let mut rows = output(options, COLUMNS)?;
    let (table, queries) = (FilesOfSentences::read(table)?, FilesOfSentences::read(queries)?);
    let mut count = 0u64;
    share_sentences(&queries.sentences, &table.sentences, options.distance, |pair| -> anyhow::Result<()> {
        console.cancel.check()?;
        count += 1;
        let SharedSentences { query, matched, query_shared, matched_shared } = pair;
        let (query, query_sentences) = &queries.documents[query as usize];
        let (matched, match_sentences) = &table.documents[matched as usize];
        Ok(rows.write(&Row {
            query,
            matched,
            query_sentences: *query_sentences,
            match_sentences: *match_sentences,
            query_shared,
            match_shared: matched_shared,
            query_share: share(query_shared, *query_sentences),
            match_share: share(matched_shared, *match_sentences),
        })?)
    })?;
    rows.finish()?;
    let distance = options.distance;
    console.done(&format!("{count} pairs of documents share sentences within {distance} bits{}", written(options)));
    Ok(Outcome::Done)
}

fn share(part: u32, whole: u32) -> String {
    format!("{:.4}", f64::from(part) / f64::from(whole))
}

/// The sentences of a file, and its documents in their order with the number of their sentences.
#[derive(Default)]
struct FilesOfSentences {
    sentences: SentenceSet,
    documents: Vec<(String, u32)>,
}

impl FilesOfSentences {
    fn read(file: &FingerprintFile) -> anyhow::Result<Self> {
        let mut read = FilesOfSentences::default();
        let mut numbers: HashMap<String, u32> = HashMap::new();
        for row in file.sentences()? {
            let row = row?;
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
