//! How long work goes on after it was cancelled: the longest of many tries, each cancelled at another moment. Prints a table.
//!
//! `cargo bench --bench cancel -- [FILE…]`; files, such as theses in PDF, are read too. The bar is 100 ms.

mod generator;

use copytrace::check::{Checker, LibraryBuilder, Rules};
use copytrace::formats::extract::Format;
use copytrace::formats::input::ReadLimits;
use copytrace::job::{Cancel, Job};
use copytrace::settings::Settings;
use copytrace::text::Document;
use generator::{Generator, Random, Recipe};
use std::time::{Duration, Instant};

const TRIES: u64 = 40;

fn main() {
    println!("{:52} {:>9} {:>9} {:>9}", "work", "whole ms", "cancelled", "at most");
    let english = |seed, kilobytes| text(Recipe { seed, ..Recipe::english(1) }, kilobytes << 10);
    let chinese = |seed, kilobytes| text(Recipe { seed, ..Recipe::chinese(1) }, kilobytes << 10);
    for (name, make, kilobytes) in [
        ("English", &english as &dyn Fn(u64, usize) -> String, 600),
        ("English", &english, 6_000),
        ("Chinese", &chinese, 600),
        ("Chinese", &chinese, 6_000),
    ] {
        let source = make(1, kilobytes);
        measure(&format!("adding {kilobytes} kB of {name}"), |cancel| {
            _ = library(std::slice::from_ref(&source), cancel)
        });
        let thesis = [&make(2, kilobytes / 2)[..], &source[..border(&source, source.len() / 2)]].concat();
        let Some(checker) = library(std::slice::from_ref(&source), &Cancel::default()) else { return };
        measure(&format!("checking {kilobytes} kB of {name}, half of it copied"), |cancel| {
            check(&checker, &thesis, cancel)
        });
    }
    let sources: Vec<String> = (0..40).map(|i| english(i, 300)).collect();
    if let Some(checker) = library(&sources, &Cancel::default()) {
        let thesis = sources.iter().map(|source| &source[..border(source, 10_000)]).collect::<String>();
        measure("checking 400 kB taken from 40 sources of 300 kB", |cancel| check(&checker, &thesis, cancel));
    }
    for name in std::env::args().skip(1).filter(|arg| !arg.starts_with("--")) {
        let (Ok(bytes), Some(format)) = (std::fs::read(&name), Format::of_name(&name)) else { continue };
        measure(&format!("reading {}", name.rsplit('/').next().unwrap_or(&name)), |cancel| {
            _ = format.extract(&bytes, None, &ReadLimits { cancel: cancel.clone(), ..ReadLimits::default() });
        });
    }
}

fn text(recipe: Recipe, bytes: usize) -> String {
    let recipe = Recipe { length: bytes / 2, duplicate_every: 0, boilerplate_every: 0, ..recipe };
    let mut text: String = Generator::new(recipe).take(1).collect();
    text.truncate(border(&text, bytes));
    text
}

/// The last border between characters at or before a byte.
fn border(text: &str, byte: usize) -> usize {
    (0..=byte.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn library(texts: &[String], cancel: &Cancel) -> Option<Checker> {
    let settings = Settings::default();
    let document =
        |(i, text): (usize, &String)| Document { id: format!("source {i}"), text: text.clone(), ..Document::default() };
    let mut library = LibraryBuilder::new(&settings.sketch).ok()?;
    library.add(texts.iter().enumerate().map(document).collect(), &Job::default().with_cancel(cancel.clone())).ok()?;
    Some(Checker::new(library.finish().ok()?.into(), settings, Rules::default()))
}

fn check(checker: &Checker, text: &str, cancel: &Cancel) {
    let thesis = Document { id: "thesis".into(), text: text.to_owned(), ..Document::default() };
    _ = checker.check(thesis, &Job::default().with_cancel(cancel.clone()));
}

/// Does the work once whole, then over and over, each time cancelled at another moment of it.
fn measure(name: &str, work: impl Fn(&Cancel) + Sync) {
    let clock = Instant::now();
    work(&Cancel::default());
    let whole = clock.elapsed();
    let mut random = Random::new(1);
    let (mut most, mut cancelled) = (Duration::ZERO, 0);
    for _ in 0..TRIES {
        let cancel = Cancel::default();
        let moment = whole.mul_f64(random.below(1000) as f64 / 1000.0);
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                work(&cancel);
                Instant::now()
            });
            std::thread::sleep(moment);
            let asked = Instant::now();
            cancel.cancel();
            if let Ok(ended) = worker.join()
                && let Some(after) = ended.checked_duration_since(asked)
            {
                cancelled += 1;
                most = most.max(after);
            }
        });
    }
    println!("{name:52} {:>9.0} {cancelled:>9} {:>7.0} ms", whole.as_secs_f64() * 1e3, most.as_secs_f64() * 1e3);
}
