//! Documents that are alike by the sentences they share.

use crate::Outcome;
use crate::args::NearOptions;
use crate::console::{Console, shown};
use crate::output;
use copytrace::hamming::fingerprints::FingerprintFile;
use copytrace::search::sentences::{SentenceSet, SharedSentences};
use copytrace_messages::message;
use std::collections::HashMap;

const COLUMNS: &str = "query,match,query_sentences,match_sentences,query_shared,match_shared,query_share,match_share";

pub fn run(
    table: &FingerprintFile,
    queries: &FingerprintFile,
    options: &NearOptions,
    console: &Console,
) -> anyhow::Result<Outcome> {
    table.require_same_features(queries)?;
    let mut rows = output::table(options.output.as_deref(), COLUMNS)?;
    let (table, queries) = (FilesOfSentences::read(table)?, FilesOfSentences::read(queries)?);
    let mut count = 0u64;
    queries.sentences.share_with(&table.sentences, options.distance, |pair| -> anyhow::Result<()> {
        console.cancel.check()?;
        count += 1;
        let SharedSentences { query, matched, query_shared, matched_shared } = pair;
        let (query, query_sentences) = &queries.documents[query as usize];
        let (matched, match_sentences) = &table.documents[matched as usize];
        let shares = (share(query_shared, *query_sentences), share(matched_shared, *match_sentences));
        Ok(rows.write(&(query, matched, query_sentences, match_sentences, query_shared, matched_shared, shares))?)
    })?;
    rows.finish()?;
    let (distance, output) = (options.distance, options.output.as_deref().map(shown));
    console.done(&message!("near-sentences", pairs = count, distance = distance, output = output));
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
