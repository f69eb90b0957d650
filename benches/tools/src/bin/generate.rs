//! Writes a generated corpus as JSON lines: `cargo run --release -p copytrace-tools --bin generate -- english|chinese DOCUMENTS`.
#![allow(missing_docs)]

#[path = "../../../generator/mod.rs"]
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
    let mut generator = Generator::new(recipe);
    let mut number = 0;
    while let Some((text, original)) = generator.next_with_original() {
        let id = |number: usize| format!("doc-{number:07}");
        let mut document = serde_json::json!({ "id": id(number), "text": text });
        if let Some(original) = original {
            // The truth about near-duplicates; readers of documents pass over the field.
            document["of"] = id(original).into();
        }
        writeln!(out, "{document}")?;
        number += 1;
    }
    out.flush()
}
