//! Near-duplicate pairs by gaoya: `peers-gaoya FILE.jsonl THRESHOLD HASHES BANDS SHINGLES > pairs.csv`.
//!
//! One thread; five-word shingles of lower-case words. SHINGLES is `strings` for those that gaoya's own function makes, or
//! `slices` for hashing slices of words without building a string for each, the fastest that its interface allows.

use gaoya::minhash::{MinHashIndex, MinHasher, MinHasher32};
use gaoya::text::shingle_tokens;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let (threshold, hashes, bands): (f64, usize, usize) =
        (arguments[2].parse()?, arguments[3].parse()?, arguments[4].parse()?);
    let hasher = MinHasher32::new(hashes);
    let mut index: MinHashIndex<u32, u32> = MinHashIndex::new_index(bands, hashes / bands, threshold);
    let mut ids: Vec<String> = Vec::new();
    for line in BufReader::with_capacity(1 << 20, File::open(&arguments[1])?).lines() {
        let document: serde_json::Value = serde_json::from_str(&line?)?;
        let text = document["text"].as_str().ok_or("no text")?.to_lowercase();
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        if words.len() >= 5 {
            let signature = match arguments[5].as_str() {
                "strings" => hasher.create_signature(shingle_tokens(&words, 5)),
                _ => hasher.create_signature(words.windows(5)),
            };
            index.insert(ids.len() as u32, signature);
        }
        ids.push(document["id"].as_str().ok_or("no id")?.to_owned());
    }
    let mut out = BufWriter::new(std::io::stdout().lock());
    writeln!(out, "first,second")?;
    for first in 0..ids.len() as u32 {
        let Some(signature) = index.get_signature(&first) else { continue };
        for second in index.query_owned(signature) {
            if first < second {
                writeln!(out, "{},{}", ids[first as usize], ids[second as usize])?;
            }
        }
    }
    Ok(out.flush()?)
}
