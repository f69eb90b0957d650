//! An index on disk: made, filled, opened again, and a submission checked against it.
//!
//! `cargo run --example index_and_check`; the program does the same by `copytrace index create`, `copytrace index add` and
//! `copytrace check --index`.

use copytrace::check::{Addition, Checker, Library, Rules};
use copytrace::index::IndexWriter;
use copytrace::job::Job;
use copytrace::settings::Settings;
use copytrace::sketch::analysers::Analysers;
use copytrace::text::Document;
use std::error::Error;

const TIDE: &str =
    "Each tide leaves a thin layer of silt between the stems, and the surface grows by a few millimetres a year.";

/// Makes an index in a folder that goes when this ends, and prints what a check against it finds.
pub fn main() -> Result<(), Box<dyn Error>> {
    let (settings, job, folder) = (Settings::default(), Job::default(), tempfile::tempdir()?);
    let folder = folder.path().join("index");

    // Texts may be left out of an index: its reports show no wording of the sources then.
    let keeps_texts = true;
    let mut writer = IndexWriter::create(&folder, &settings.sketch, keeps_texts)?;
    let documents = vec![
        document("marsh", &format!("The marsh rises with the sea. {TIDE} Dykes starve it.")),
        document("library", "Village libraries lend more novels in winter than in summer, as nine ledgers show."),
    ];
    // `Inputs` reads documents from files, folders and archives. What cannot be read is told and the rest is added.
    let batch = documents.into_iter().map(Ok).collect();
    let when = 0; // in seconds since 1970: checks may leave out what was added before or after a day
    for addition in writer.add_all(&Analysers::new(&settings.sketch), batch, when, &job)? {
        match addition {
            Addition::New(id) => println!("added {id}"),
            Addition::Replaced(id) => println!("replaced {id}"),
            Addition::Unchanged(id) => println!("{id} is there already"),
            Addition::Unread(unread) => eprintln!("{unread}"),
        }
    }
    // Whoever reads the index sees nothing of all this before it is committed.
    writer.commit()?;
    drop(writer);

    let checker = Checker::new(Library::open(&[folder])?.into(), settings, Rules::default());
    let thesis = document("thesis", &format!("We went to the estuary in May. {TIDE} Our own stakes show the same."));
    let summary = checker.check(thesis, &job)?.report().summary();
    let top = summary.top_source.as_deref().unwrap_or("nothing");
    println!("{:.1} % of {} is in sources, most of it in {top}", 100.0 * summary.ratios.all.ratio, summary.id);
    Ok(())
}

fn document(id: &str, text: &str) -> Document {
    Document { id: id.to_owned(), text: text.to_owned(), ..Document::default() }
}
