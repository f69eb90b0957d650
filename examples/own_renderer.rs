//! A report in a form of your own: here Markdown, with the passages beside the wording of their sources.
//!
//! `cargo run --example own_renderer`

use copytrace::check::{Checker, LibraryBuilder, Report, Rules};
use copytrace::job::Job;
use copytrace::settings::Settings;
use copytrace::text::Document;
use std::error::Error;
use std::fmt::Write;
use std::ops::Range;

/// Renders a report. Everything that a page of the program shows is a field of [`Report`], so a renderer computes nothing anew.
fn markdown(report: &Report) -> String {
    let mut out = format!("# {}\n\n", report.submission.title.as_ref().unwrap_or(&report.submission.id));
    let all = &report.ratios.all;
    // Writing to a string cannot fail.
    let _ =
        writeln!(out, "{:.1} % ({} of {} characters) is in sources.\n", 100.0 * all.ratio, all.matched, all.characters);
    for (number, source) in (1..).zip(&report.sources) {
        let _ = writeln!(out, "{number}. {}: {:.1} %", source.id, 100.0 * source.ratio);
    }
    for passage in report.passages.iter().filter(|passage| passage.excluded.is_none()) {
        let (number, kind) = (passage.source + 1, passage.kind.as_str());
        let _ = writeln!(out, "\n> {}\n\n[{number}], {kind}:", characters(&report.text, &passage.submission));
        // The source's wording is known where the library keeps its texts.
        let _ = writeln!(out, "\n> {}", passage.source_text.as_deref().unwrap_or("(not kept)"));
    }
    out
}

/// What stands at a place of a text. Places count characters, which are not bytes.
fn characters(text: &str, place: &Range<u32>) -> String {
    text.chars().skip(place.start as usize).take(place.len()).collect()
}

/// Prints a report as Markdown.
pub fn main() -> Result<(), Box<dyn Error>> {
    let document = |id: &str, text: &str| Document { id: id.into(), text: text.into(), ..Document::default() };
    let tide =
        "Each tide leaves a thin layer of silt between the stems, and the surface grows by a few millimetres a year.";
    let (settings, job) = (Settings::default(), Job::default());
    let mut library = LibraryBuilder::new(&settings.sketch)?;
    library.add(vec![document("marsh", &format!("The marsh rises. {tide}"))], &job)?;
    let checker = Checker::new(library.finish()?.into(), settings, Rules::default());

    let report = checker.check(document("thesis", &format!("We measured it in May. {tide}")), &job)?.report();
    print!("{}", markdown(&report));

    // A report is data: what a program wrote as JSON is read back and rendered elsewhere.
    let sent = serde_json::to_string(&report)?;
    assert_eq!(markdown(&serde_json::from_str(&sent)?), markdown(&report));
    Ok(())
}
