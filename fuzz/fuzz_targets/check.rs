//! Any two texts: a report whose passages lie within them.
#![no_main]

use copytrace::check::{Checker, LibraryBuilder, Rules};
use copytrace::job::Job;
use copytrace::settings::Settings;
use copytrace::text::Document;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|texts: (&str, &str)| {
    let document = |id: &str, text: &str| Document { id: id.into(), text: text.into(), ..Document::default() };
    let settings = Settings::default();
    let mut library = LibraryBuilder::new(&settings.sketch).unwrap();
    library.add(vec![document("source", texts.1)], &Job::default()).unwrap();
    let checker = Checker::new(library.finish().unwrap().into(), settings, Rules::default());
    let Ok(findings) = checker.check(document("submission", texts.0), &Job::default()) else { return };
    let report = findings.report();
    let characters = texts.0.chars().count() as u32;
    assert!(report.passages.iter().all(|passage| passage.submission.start < passage.submission.end && passage.submission.end <= characters));
    assert!(report.ratios.all.matched <= report.ratios.all.characters);
});
