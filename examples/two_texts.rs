//! What two texts share: the passages, how alike the wordings are, and how similar the texts are as wholes.
//!
//! `cargo run --example two_texts`; the program does the same by `copytrace compare`.

use copytrace::check::Comparer;
use copytrace::job::Job;
use copytrace::settings::Settings;
use copytrace::text::Document;
use std::error::Error;

const THESIS: &str = "We went to the estuary in May. Each tide leaves a thin layer of silt between the stems, and the surface \
    grows by a few millimetres a year. Our own stakes show the same.";
const SOURCE: &str = "The marsh rises with the sea. Each tide leaves a thin layer of silt between the stems, and its surface \
    grows by a few millimetres in a year, as long as no dyke stands in front of it.";

/// Prints what the two texts share.
pub fn main() -> Result<(), Box<dyn Error>> {
    // A comparer may be used by many threads at once, and what is analysed may be compared any number of times.
    let (comparer, job) = (Comparer::new(Settings::default()), Job::default());
    // A text that is too short to be compared is an error, as is a job that was cancelled.
    let thesis = comparer.analyse(document("thesis", THESIS), &job)?;
    let source = comparer.analyse(document("source", SOURCE), &job)?;

    let similarity = comparer.similarity(&thesis, &source);
    println!("Jaccard similarity of the wholes: {:.3}", similarity.jaccard);
    for shared in comparer.compare(&thesis, &source, &job)? {
        // Places count characters, which are not bytes.
        let place = &shared.place.submission_chars;
        let wording: String = THESIS.chars().skip(place.start as usize).take(place.len()).collect();
        println!("{}, {:.0} % alike: {wording}", shared.place.kind.as_str(), 100.0 * shared.place.similarity);
    }
    Ok(())
}

fn document(id: &str, text: &str) -> Document {
    Document { id: id.to_owned(), text: text.to_owned(), ..Document::default() }
}
