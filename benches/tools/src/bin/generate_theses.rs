//! Writes generated theses as JSON lines, for measuring at real size: `generate_theses FOLDER THESES [LEAST] [MOST] [FIRST]`.
//!
//! FOLDER holds the text files that an n-gram model is made of (some tens of megabytes of one language); theses have LEAST to
//! MOST bytes, 50,000 to 600,000 unless given, and numbers from FIRST on, 0 unless given. What was planted is told on standard error: thesis, source, first byte, end.

#[path = "../../../generator/mod.rs"]
mod generator;

use generator::theses::{Model, Theses};
use std::io::{BufWriter, Write};
use std::path::Path;

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, otherwise: usize| arguments.get(at).and_then(|n| n.parse().ok()).unwrap_or(otherwise);
    let folder = arguments.first().expect("a folder of texts");
    let theses = Theses::new(Model::train(Path::new(folder), 100 << 20)?, (number(2, 50_000), number(3, 600_000)));
    let (mut out, mut told) = (BufWriter::new(std::io::stdout().lock()), BufWriter::new(std::io::stderr().lock()));
    let first = number(4, 0);
    for at in first..first + number(1, 1000) {
        let thesis = theses.thesis(at);
        for (source, range) in thesis.planted {
            writeln!(told, "t{at:06},t{source:06},{},{}", range.start, range.end)?;
        }
        writeln!(out, "{}", serde_json::json!({ "id": format!("t{at:06}"), "text": thesis.text }))?;
    }
    Ok(())
}
