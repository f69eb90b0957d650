//! How much of each text is compared as language, and what becomes of it when it is spoilt: the figures behind the limits of
//! `crates/text/src/prose`, and the tables of `docs/LANGUAGE.md`.
//!
//! ```text
//! cargo run --release -p copytrace-tools --bin language_shares -- [--spans | --tricks | --sum] PATH...
//! ```
//! For each text a line: what a reader sees, the share that is compared, the sums by cause, and milliseconds. `--spans` adds what was not
//! compared, `--tricks` prints instead what share is left after each trick, over all texts, and `--sum` the spread of shares alone.

#[path = "../../../../crates/text/src/prose/tricks.rs"]
mod tricks;

use copytrace::formats::input::{Inputs, ReadLimits};
use copytrace::text::normalise::Normalised;
use copytrace::text::prose::Compared;
use copytrace::text::script::is_han;
use copytrace::text::structure::Structure;
use copytrace::text::units::Units;
use copytrace::text::{Document, visible::visible};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (options, paths): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a.starts_with("--"));
    let option = |name: &str| options.iter().any(|option| option == name);
    let paths: Vec<PathBuf> = paths.into_iter().map(PathBuf::from).collect();
    let mut shares: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for read in Inputs::open(&paths, ReadLimits::default()) {
        let Ok(document) = read.and_then(|raw| raw.extract(&ReadLimits::default())) else { continue };
        if option("--tricks") {
            let han = document.text.chars().filter(|c| is_han(*c)).count();
            let is_chinese = 3 * han > document.text.chars().count();
            let tricks: &[tricks::Trick] = if is_chinese { &tricks::WITH_HAN } else { &tricks::WITH_WORDS };
            for (name, trick) in tricks {
                let spoilt = Document { text: trick(&document.text), ..Document::default() };
                shares.entry(name).or_default().push(compared(&spoilt).0.share());
            }
            continue;
        }
        let (compared, milliseconds) = compared(&document);
        shares.entry("all").or_default().push(compared.share());
        if !option("--sum") {
            let causes: Vec<String> =
                compared.by_cause().iter().map(|(cause, n)| format!("{} {n}", cause.as_str())).collect();
            let (id, seen, share) = (&document.id, compared.seen, compared.share());
            println!("{id}\t{seen}\t{share:.3}\t{}\t{milliseconds:.1}", causes.join(", "));
        }
        let characters: Vec<char> = document.text.chars().collect();
        for span in compared.spans.iter().filter(|_| option("--spans")) {
            let shown: String = characters[span.start as usize..span.end as usize].iter().take(200).collect();
            println!("    {} {} {:?}", span.cause.as_str(), span.count, shown);
        }
    }
    println!(
        "\n| texts | number | least | 5 % | 10 % | 25 % | half | 75 % | 95 % | most |\n|---|---|---|---|---|---|---|---|---|---|"
    );
    for (name, mut shares) in shares {
        shares.sort_by(f64::total_cmp);
        let at = |share: f64| shares[((share * shares.len() as f64) as usize).min(shares.len() - 1)];
        let row: Vec<String> =
            [0.0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.95, 1.0].into_iter().map(|s| format!("{:.2}", at(s))).collect();
        println!("| {name} | {} | {} |", shares.len(), row.join(" | "));
    }
    Ok(())
}

/// What of a text is compared, and how long it takes to tell.
fn compared(document: &Document) -> (Compared, f64) {
    let Document { text, layout, .. } = document;
    let seen = visible(text, layout);
    let normalised = Normalised::of(&seen).text;
    let (structure, units) = (Structure::find(text, layout), Units::from_text(&seen));
    let since = Instant::now();
    let compared = Compared::of(&seen, &normalised, layout, &structure, &units);
    (compared, since.elapsed().as_secs_f64() * 1000.0)
}
