//! Writes a generated corpus as JSON lines: `cargo run --release --example generate -- english|chinese DOCUMENTS`.
#![allow(missing_docs)]

#[path = "../benches/generator/mod.rs"]
mod generator;

use generator::{Generator, Recipe};
use std::io::{BufWriter, Write};

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [language, documents] = arguments.as_slice() else {
        eprintln!("usage: generate english|chinese DOCUMENTS");
        std::process::exit(2);
    };
    let documents = documents.parse().unwrap_or(1000);
    let recipe = if language == "chinese" { Recipe::chinese(documents) } else { Recipe::english(documents) };
    let mut out = BufWriter::new(std::io::stdout().lock());
    for (i, text) in Generator::new(recipe).enumerate() {
        writeln!(out, "{}", serde_json::json!({ "id": format!("doc-{i:07}"), "text": text }))?;
    }
    out.flush()
}
