//! A check against documents that are held in memory, and its report as a page: nothing is kept on disk but the page.
//!
//! `cargo run --example library_in_memory`

use copytrace::check::{Checker, LibraryBuilder, Rules};
use copytrace::job::Job;
use copytrace::messages::Language;
use copytrace::report::messages::Messages;
use copytrace::settings::Settings;
use copytrace::text::Document;
use std::error::Error;

/// Prints the figures of a check and writes its page.
pub fn main() -> Result<(), Box<dyn Error>> {
    let copied =
        "Each tide leaves a thin layer of silt between the stems, and the surface grows by a few millimetres a year.";
    let sources = vec![
        document("marsh", &format!("The marsh rises with the sea. {copied} Dykes starve it.")),
        document("library", "Village libraries lend more novels in winter than in summer, as nine ledgers show."),
    ];

    // The library is built with settings, and whatever is checked against it is analysed by the same.
    let (settings, job) = (Settings::default(), Job::default());
    let mut library = LibraryBuilder::new(&settings.sketch)?;
    for unread in library.add(sources, &job)? {
        eprintln!("{unread}");
    }
    let checker = Checker::new(library.finish()?.into(), settings, Rules::default());

    // A checker takes any number of submissions, from any number of threads.
    let thesis = document("thesis", &format!("We went to the estuary in May. {copied} Our own stakes show the same."));
    let report = checker.check(thesis, &job)?.report();
    println!("{:.1} % is copied from {} source", 100.0 * report.ratios.all.ratio, report.sources.len());
    for passage in &report.passages {
        let source = &report.sources[passage.source].id;
        println!(
            "{} from {source}: {:?} of the thesis is {:?} there",
            passage.kind.as_str(),
            passage.submission,
            passage.source_span
        );
    }

    let path = std::env::temp_dir().join(format!("copytrace-example-{}.html", std::process::id()));
    std::fs::write(&path, report.to_html(Messages::of(Language::ENGLISH))?)?;
    println!("{}", path.display());
    Ok(())
}

fn document(id: &str, text: &str) -> Document {
    Document { id: id.to_owned(), text: text.to_owned(), ..Document::default() }
}
