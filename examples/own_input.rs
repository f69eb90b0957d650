//! Documents from a place of your own, such as the rows of a database: they are asked for one by one, as a check needs them.
//!
//! `cargo run --example own_input`

use copytrace::check::{Checker, LibraryBuilder, Rules};
use copytrace::formats::input::{Input, Inputs, ReadLimits, Rows};
use copytrace::job::Job;
use copytrace::settings::Settings;
use copytrace::text::{Document, Metadata};
use std::error::Error;
use std::sync::Arc;

/// A table of author, title and text. Threads share it, so it is asked by `&self` only.
struct Table(Vec<(&'static str, &'static str, &'static str)>);

impl Rows for Table {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn id(&self, row: usize) -> String {
        format!("row {row}")
    }

    /// About how large a row is: batches are bounded by bytes.
    fn bytes(&self, row: usize) -> u64 {
        self.0[row].2.len() as u64
    }

    /// The error is a reason that whoever runs the check can read; the other rows are not touched by it.
    fn document(&self, row: usize) -> Result<Document, String> {
        let (author, title, text) = self.0[row];
        if text.is_empty() {
            return Err("there is no text in this row".to_owned());
        }
        let metadata = Metadata { author: Some(author.into()), title: Some(title.into()), ..Metadata::default() };
        Ok(Document { id: self.id(row), text: text.to_owned(), metadata, ..Document::default() })
    }
}

const TIDE: &str =
    "Each tide leaves a thin layer of silt between the stems, and the surface grows by a few millimetres a year.";

/// Checks the second table against the first.
pub fn main() -> Result<(), Box<dyn Error>> {
    let archive = Table(vec![("Lin", "Marshes", TIDE), ("Ode", "Lost", "")]);
    let theses =
        Table(vec![("Bo", "Estuaries", TIDE), ("Cy", "Ledgers", "Village libraries lend more novels in winter.")]);
    let (settings, job, limits) = (Settings::default(), Job::default(), ReadLimits::default());
    let inputs = |table: Table| Inputs::new([Input::rows(Arc::new(table))], ReadLimits::default());

    let mut library = LibraryBuilder::new(&settings.sketch)?;
    library.read(inputs(archive), &job, |unread| eprintln!("{unread}"))?;
    let checker = Checker::new(library.finish()?.into(), settings, Rules::default());
    for raw in inputs(theses) {
        let report = checker.check(raw?.extract(&limits)?, &job)?.report();
        let title = report.submission.title.as_deref().unwrap_or_default();
        println!("{title}: {:.0} %", 100.0 * report.ratios.all.ratio);
    }
    Ok(())
}
