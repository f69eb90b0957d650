//! A stream of texts in which each is told whether one of the last week is nearly the same, without comparing it to them all.
//!
//! `cargo run --example near_duplicates`; the program does the same by `copytrace near --follow`.

use copytrace::hamming::Window;
use copytrace::hamming::fingerprints::Features;
use copytrace::sketch::fingerprinter::Fingerprinter;
use std::error::Error;

/// Fingerprints of edited copies differ in a few of their 64 bits, those of unrelated texts in about half.
const WITHIN_BITS: u8 = 6;
/// Times are of any unit; here they are hours.
const WEEK: i64 = 7 * 24;

const NEWS: [(i64, &str); 4] = [
    (
        0,
        "The harbour will close for repairs on Monday, the mayor said, and ferries will leave from the old quay until the end of \
         the month; travellers should allow an hour more than the timetable says, and lorries will not be carried at all.",
    ),
    (
        5,
        "Nine ledgers show that village libraries lend more novels in winter than in summer, and that nobody has returned the \
         atlas since the flood; the county will pay for a new one if the readers of three villages sign for it by Easter.",
    ),
    (
        30,
        "The harbour will close for repairs on Monday, the mayor said, and ferries will leave from the old quay until the end of \
          the month; travellers should allow an hour more than the timetable says, and lorries will not be carried.",
    ),
    (
        400,
        "The harbour will close for repairs on Monday, the mayor said, and ferries will leave from the old quay until the end of \
           the month; travellers should allow an hour more than the timetable says, and lorries will not be carried at all.",
    ),
];

/// Prints a line for each text of the stream.
pub fn main() -> Result<(), Box<dyn Error>> {
    // One fingerprinter for each thread: it remembers the words that it has seen.
    let mut fingerprinter = Fingerprinter::new(Features::default());
    let mut window = Window::new(WITHIN_BITS)?;
    for (hour, text) in NEWS {
        let Some(fingerprint) = fingerprinter.of_text(text) else {
            println!("hour {hour}: no words in it");
            continue;
        };
        let since = hour - WEEK;
        window.expire(since);
        match window.find(fingerprint, since)?.first() {
            Some(hit) => println!("hour {hour}: text {} again, {} bits away", hit.row, hit.distance),
            None => println!("hour {hour}: new"),
        }
        // Numbers count what was inserted, from 0.
        window.insert(fingerprint, hour)?;
    }
    Ok(())
}
