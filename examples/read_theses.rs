//! What the product makes of a folder of theses, as the table of `docs/FORMATS.md`.
//!
//! ```text
//! cargo run --release --example read_theses -- FOLDER [--titles] [ID...]
//! ```
//! The folder holds `theses.csv` and the files that it names, in `docs/` or beside it. Read of the CSV are the columns `id`,
//! `file`, `format`, `language`, `chapters found/true (rows)` (of which the number after the slash) and `references found`
//! (`none in it` or `–` where there are none to find). `--titles` lists each text's sections below its row.

use copytrace::settings::Settings;
use copytrace::sketch::analysis::Analyser;
use copytrace::text::input::{Inputs, ReadLimits};
use copytrace::text::manipulation::{self, FlagKind};
use copytrace::text::structure::{SectionKind, Structure};
use std::collections::BTreeMap;
use std::path::Path;

type Row = BTreeMap<String, String>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let titles = arguments.iter().position(|a| a == "--titles").map(|at| arguments.remove(at)).is_some();
    let Some((folder, wanted)) = arguments.split_first() else { return Err("which folder?".into()) };
    let folder = Path::new(folder);
    let mut theses = csv::Reader::from_path(folder.join("theses.csv"))?;
    let mut analyser = Analyser::new(&Settings::default().sketch);
    let mut sums = Sums::default();
    println!("| file | format | language | chapters / true | sections | references | contents | left out | flags |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for thesis in theses.deserialize() {
        let thesis: Row = thesis?;
        if !wanted.is_empty() && !wanted.contains(&thesis["id"]) {
            continue;
        }
        let file = [folder.join("docs"), folder.to_owned()].map(|folder| folder.join(&thesis["file"]));
        let file = file.into_iter().find(|file| file.exists()).ok_or_else(|| format!("no {}", thesis["file"]))?;
        let read = Inputs::open(&[file], ReadLimits::default()).next().ok_or("no input")?;
        let document = match read.and_then(|raw| raw.extract(&ReadLimits::default())) {
            Ok(document) => document,
            Err(error) => {
                println!(
                    "| {} | {} | {} | {} | | | | | |",
                    thesis["id"],
                    thesis["format"],
                    thesis["language"],
                    error.reason()
                );
                continue;
            }
        };
        let structure = Structure::find(&document.text, &document.layout);
        let analysis = analyser.analyse(&document.visible());
        let flags = manipulation::find(&document.text, &document.layout, &structure, &analysis.units);
        println!("{}", sums.row(&thesis, &document.text, &structure, &flags));
        if titles {
            for section in &structure.sections {
                let length = section.end - section.start;
                println!("    {:>7} {length:>7} {:<16} {}", section.start, section.kind.as_str(), section.title);
            }
        }
    }
    println!("\n{sums}");
    Ok(())
}

/// What the rows come to.
#[derive(Default)]
struct Sums {
    read: usize,
    with_known_chapters: usize,
    chapters_right: usize,
    with_references: usize,
    references_found: usize,
    flagged: usize,
}

impl Sums {
    fn row(&mut self, thesis: &Row, text: &str, structure: &Structure, flags: &[manipulation::Flag]) -> String {
        self.read += 1;
        let known = thesis["chapters found/true (rows)"].split_once('/').map(|(_, rest)| rest);
        let known: Option<usize> =
            known.and_then(|rest| rest.split([' ', '(']).next()?.trim_start_matches('~').parse().ok());
        let sections = &structure.sections;
        let chapters = sections.iter().filter(|s| s.kind == SectionKind::Chapter && !s.title.is_empty()).count();
        if let Some(known) = known {
            self.with_known_chapters += 1;
            self.chapters_right += usize::from((known..=known + 2).contains(&chapters));
        }
        let has = |kind| sections.iter().any(|section| section.kind == kind);
        let references = has(SectionKind::References);
        if !["none in it", "–"].contains(&thesis["references found"].as_str()) {
            self.with_references += 1;
            self.references_found += usize::from(references);
        }
        let characters: Vec<char> = text.chars().collect();
        let countable = |span: &[char]| span.iter().filter(|c| c.is_alphanumeric()).count();
        let total = countable(&characters).max(1) as f64;
        let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
        for section in sections.iter().filter(|section| !section.kind.counts()) {
            let span = &characters[section.start as usize..section.end as usize];
            *left_out.entry(section.kind.as_str()).or_default() += countable(span);
        }
        let left_out: Vec<String> =
            left_out.iter().map(|(kind, n)| format!("{kind} {:.1} %", *n as f64 / total * 100.0)).collect();
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for flag in flags.iter().filter(|flag| flag.kind != FlagKind::Picture) {
            *counts.entry(flag.kind.as_str()).or_default() += flag.count;
        }
        self.flagged += usize::from(!counts.is_empty());
        let counts: Vec<String> = counts.iter().map(|(kind, n)| format!("{kind} {n}")).collect();
        let yes = |found| if found { "yes" } else { "no" };
        format!(
            "| {} | {} | {} | {chapters} / {} | {} | {} | {} | {} | {} |",
            thesis["id"],
            thesis["format"],
            thesis["language"],
            known.map_or("?".to_owned(), |known| known.to_string()),
            sections.len(),
            yes(references),
            yes(has(SectionKind::Contents)),
            left_out.join(", "),
            counts.join(", ")
        )
    }
}

impl std::fmt::Display for Sums {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} files read; chapters right (all, and at most two more) in {} of {}; references found in {} of {}; flags other than \
             pictures in {}",
            self.read,
            self.chapters_right,
            self.with_known_chapters,
            self.references_found,
            self.with_references,
            self.flagged
        )
    }
}
