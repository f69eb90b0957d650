//! A check as a value of the library: what a service, another language or a cluster builds on.

use crate::program::project;
use copytrace::check::{CheckError, Checker, Collection, Comparer, Findings, LibraryBuilder, Report, Rules, Unread};
use copytrace::formats::input::{Input, Inputs, ReadLimits, Rows};
use copytrace::job::{Cancel, Job, Stage};
use copytrace::search::frequencies::Frequencies;
use copytrace::settings::{Settings, SketchSettings};
use copytrace::sketch::shingle::Shingling;
use copytrace::text::{Document, Metadata, NotCounted};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The documents of a folder of the demo.
fn demo(folder: &str) -> Vec<Document> {
    let path = project("corpora/demo").join(folder);
    let limits = ReadLimits::default();
    Inputs::open(&[path], limits.clone()).map(|raw| raw.unwrap().extract(&limits).unwrap()).collect()
}

fn checker(documents: Vec<Document>, settings: Settings) -> Checker {
    checker_with(documents, settings, Rules::default())
}

fn checker_with(documents: Vec<Document>, settings: Settings, rules: Rules) -> Checker {
    let mut library = LibraryBuilder::new(&settings.sketch).unwrap();
    assert_eq!(library.add(documents, &Job::default()).unwrap(), []);
    Checker::new(library.finish().unwrap().into(), settings, rules)
}

/// What a report says, as bytes.
fn said(findings: &Findings) -> String {
    serde_json::to_string(&findings.report()).unwrap()
}

/// A document whose words are written backwards, so that they must be restored.
fn spoilt(document: Document) -> Document {
    let backwards = |word: &str| word.chars().rev().collect::<String>();
    let text = document.text.split(' ').map(backwards).collect::<Vec<_>>().join(" ");
    Document { id: "spoilt".to_owned(), text, ..Document::default() }
}

#[test]
fn findings_of_any_partitions_merge_into_those_of_one_library() {
    let (sources, settings) = (demo("reference"), Settings::default());
    let whole = checker(sources.clone(), settings);
    for partitions in [1, 3, 7] {
        let parts: Vec<Checker> = (0..partitions)
            .map(|part| checker(sources.iter().skip(part).step_by(partitions).cloned().collect(), settings))
            .collect();
        for submission in demo("submissions").into_iter().chain([spoilt(demo("submissions").remove(0))]) {
            let expected = whole.check(submission.clone(), &Job::default()).unwrap();
            assert_eq!(expected.restored.is_some(), submission.id == "spoilt", "{}", submission.id);
            let found = parts.iter().map(|part| part.check(submission.clone(), &Job::default()).unwrap());
            // Sent to where they are merged, as a cluster would.
            let sent = found.map(|found| serde_json::from_str(&serde_json::to_string(&found).unwrap()).unwrap());
            let merged = sent.reduce(|a: Findings, b| a.merge(b).unwrap()).unwrap();
            assert_eq!(merged, expected, "{} of {partitions}", submission.id);
            assert_eq!(said(&merged), said(&expected));
        }
    }
}

#[test]
fn of_documents_with_one_id_in_several_partitions_the_first_counts() {
    let (settings, submission) = (Settings::default(), demo("submissions").remove(0));
    let first = checker(demo("reference"), settings).check(submission.clone(), &Job::default()).unwrap();
    let twice = first.clone().merge(first.clone()).unwrap();
    assert_eq!(twice.sources, first.sources);
    // Of candidates that are no sources nothing is known but their number.
    assert_eq!(twice.candidates, 2 * first.candidates - first.sources.len());
    let other = checker(demo("reference"), settings.with_threshold(0.5));
    let other = other.check(submission, &Job::default()).unwrap();
    assert!(first.merge(other).unwrap_err().to_string().starts_with("en-01-estuary-crossing.txt: "));
}

#[test]
fn checks_with_different_settings_side_by_side_say_what_they_say_one_after_the_other() {
    let strict = Settings::default().with_align(copytrace::align::AlignSettings::strict());
    let other = strict.with_sketch(SketchSettings::new(Shingling::default(), 64, 0.5)).with_threshold(0.5);
    let checkers = [Settings::default(), other].map(|settings| checker(demo("reference"), settings));
    let all = |checker: &Checker| -> Vec<String> {
        demo("submissions").into_iter().map(|s| said(&checker.check(s, &Job::default()).unwrap())).collect()
    };
    let one_after_the_other = [all(&checkers[0]), all(&checkers[1])];
    assert_ne!(one_after_the_other[0], one_after_the_other[1]);
    for _ in 0..3 {
        let side_by_side = std::thread::scope(|scope| {
            let running = checkers.each_ref().map(|checker| scope.spawn(|| all(checker)));
            running.map(|thread| thread.join().unwrap())
        });
        assert!(side_by_side == one_after_the_other);
    }
}

#[test]
fn a_report_can_be_read_back_and_says_the_same() {
    let checker = checker(demo("reference"), Settings::default());
    for submission in demo("submissions") {
        let report = checker.check(submission, &Job::default()).unwrap().report();
        let read: Report = serde_json::from_str(&report.to_json().unwrap()).unwrap();
        assert_eq!(read, report);
    }
}

#[test]
fn a_job_tells_its_progress_and_ends_where_it_is_cancelled() {
    let (cancel, checked) = (Cancel::default(), Arc::new(AtomicU64::new(0)));
    let checker = checker(demo("reference"), Settings::default());
    let job = {
        let (cancel, checked) = (cancel.clone(), checked.clone());
        Job::new(move |stage, steps| {
            if stage == Stage::Checking && checked.fetch_add(steps, Ordering::Relaxed) == 2 {
                cancel.cancel();
            }
        })
    };
    let job = job.with_cancel(cancel);
    let mut collection = Collection::new(&checker, true).unwrap();
    let batch: Vec<Result<Document, Unread>> = demo("submissions").into_iter().map(Ok).collect();
    let ended = collection.check(batch, &job, |_| ());
    assert!(matches!(ended, Err(CheckError::Cancelled(_))));
    assert!(checked.load(Ordering::Relaxed) >= 3);
    let submission = demo("submissions").remove(0);
    assert!(matches!(checker.check(submission, &job), Err(CheckError::Cancelled(_))));
    let mut library = LibraryBuilder::new(checker.library().settings()).unwrap();
    let inputs = Inputs::new(demo("reference"), ReadLimits::default());
    let missing = |unread| panic!("a document is not called missing because nobody wants it: {unread}");
    assert!(matches!(library.read(inputs, &job, missing), Err(CheckError::Cancelled(_))));
}

#[test]
fn own_work_is_told_by_the_author_given_with_the_bytes() {
    let known = Metadata { author: Some("A. Reed".to_owned()), ..Metadata::default() };
    let text =
        "Each tide leaves a thin layer of silt between the stems, and the surface grows by a few millimetres a year.";
    let limits = ReadLimits::default();
    let input = |name: &str| {
        let input = copytrace::formats::input::Input::reader(name, std::io::Cursor::new(text.as_bytes().to_vec()));
        let mut read = Inputs::new([input.with_metadata(known.clone())], limits.clone());
        read.next().unwrap().unwrap().extract(&limits).unwrap()
    };
    let checker = checker(vec![input("source.txt")], Settings::default());
    let report = checker.check(input("thesis.txt"), &Job::default()).unwrap().report();
    assert_eq!((report.ratios.all.ratio, report.ratios.without_own_work.ratio), (1.0, 0.0));
    assert!(report.sources[0].own_work);
}

#[test]
fn what_many_documents_hold_is_known_by_its_holders_and_counts_unless_common_text_is_ignored() {
    let declaration = "I declare that this thesis is my own work and that every source used in it has been named in full, \
                       and I agree that the library keeps a copy which readers may borrow and reproduce for study. ";
    let copied = "Grey herons wait along the narrow channel for young eels while the keeper of the sluice counts the boats \
                  that pass below his window on every spring morning of a long wet year. ";
    let own = |name: &str| (0..80).map(|at| format!("{name}{at} ")).collect::<String>();
    let document = |id: &str, text: String| Document { id: id.into(), text, ..Document::default() };
    let mut corpus: Vec<Document> =
        (0..6).map(|at| document(&format!("thesis {at}"), own(&format!("words{at}n")) + declaration)).collect();
    corpus[2].text += copied;
    let submission = document("mine", own("mine") + declaration + &own("more") + copied + &own("rest"));
    let checker = |ignore_common| {
        let rules = Rules { ignore_common, ..Rules::default() };
        checker_with(corpus.clone(), Settings::default(), rules)
    };
    let report = |ignore| checker(ignore).check(submission.clone(), &Job::default()).unwrap().report();

    let told = report(None);
    let holders: Vec<u32> = told.passages.iter().map(|passage| passage.holders).collect();
    assert_eq!(holders, [6, 6, 6, 6, 6, 6, 1]);
    assert!(told.passages.iter().all(|passage| passage.excluded.is_none()));

    let ignored = report(Some(6));
    let why: Vec<Option<NotCounted>> = ignored.passages.iter().map(|passage| passage.excluded).collect();
    assert_eq!(why, [vec![Some(NotCounted::Common); 6], vec![None]].concat());
    assert!(ignored.excluded.iter().any(|span| span.reason == NotCounted::Common));
    assert!(ignored.ratios.all.matched > 0 && ignored.ratios.all.matched < told.ratios.all.matched);
    assert_eq!(report(Some(7)).ratios, told.ratios);
}

#[test]
fn a_report_without_a_source_is_that_of_what_was_found_elsewhere() {
    let checker = checker(demo("reference"), Settings::default());
    let mut compared = 0;
    for submission in demo("submissions") {
        let mut findings = checker.check(submission, &Job::default()).unwrap();
        // What was found in short runs stays as it was found, in whichever document.
        findings.short_runs.clear();
        let report = findings.report();
        for lost in findings.sources.iter().map(|source| source.id.clone()) {
            let mut others = findings.clone();
            others.sources.retain(|source| source.id != lost);
            let (mut without, mut expected) = (report.without(&[&lost]), others.report());
            // The text stays cut where the lost passages ended.
            for report in [&mut without, &mut expected] {
                report.segments.clear();
                for passage in &mut report.passages {
                    passage.segments = 0..0;
                    passage.own_segments.clear();
                }
            }
            assert_eq!(without.number, expected.number);
            assert_eq!(without, expected);
            compared += 1;
        }
    }
    assert!(compared > 5);
}

#[test]
fn two_documents_that_are_compared_have_the_passages_that_a_check_finds() {
    let settings = Settings::default();
    let (comparer, mut sources) = (Comparer::new(settings), demo("reference"));
    let submission = demo("submissions").remove(0);
    let found = checker(sources.clone(), settings).check(submission.clone(), &Job::default()).unwrap();
    let submission = comparer.analyse(submission, &Job::default()).unwrap();
    assert!(!found.sources.is_empty());
    for expected in found.sources {
        let source = sources.remove(sources.iter().position(|source| source.id == expected.id).unwrap());
        let source = comparer.analyse(source, &Job::default()).unwrap();
        assert_eq!(comparer.findings(&submission, &source, &Job::default()).unwrap().sources, [expected]);
    }
}

/// Texts in memory that belong to somebody else.
struct Borrowed(Vec<&'static str>);

impl Rows for Borrowed {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn id(&self, row: usize) -> String {
        row.to_string()
    }

    fn bytes(&self, row: usize) -> u64 {
        self.0[row].len() as u64
    }

    fn document(&self, row: usize) -> Result<Document, String> {
        match self.0[row] {
            "" => Err("there is no text".to_owned()),
            text => Ok(Document { id: self.id(row), text: text.to_owned(), ..Document::default() }),
        }
    }
}

#[test]
fn rows_in_memory_are_read_in_their_order_and_a_bad_one_is_named() {
    let limits = ReadLimits::default();
    let mut inputs =
        Inputs::new([Input::rows(Arc::new(Borrowed(vec!["passed over", "a", "", "  ", "b"])))], limits.clone());
    assert!(inputs.pass_over());
    let read: Vec<_> = inputs.map(|raw| raw.unwrap().extract(&limits).map(|document| document.text)).collect();
    let said: Vec<String> = read.into_iter().map(|read| read.unwrap_or_else(|error| error.to_string())).collect();
    assert_eq!(said, ["a", "2: there is no text", "3: only white space in it", "b"]);
}

#[test]
fn partitions_that_know_what_all_of_them_counted_say_what_one_library_says() {
    // A passage in so many documents that an index looks at some of them only.
    let passage =
        "each tide leaves a thin layer of silt between the stems and the surface grows by a few millimetres a year";
    let own = |number: usize| (0..40).map(|at| format!("word{number}n{at} ")).collect::<String>();
    let document = |number: usize, text: String| Document { id: format!("{number:04}"), text, ..Document::default() };
    let sources: Vec<Document> = (0..300).map(|number| document(number, own(number) + passage)).collect();
    let submission = document(9999, (0..12).map(|number| own(9000 + number)).collect::<String>() + passage);
    let settings = Settings::default();
    let expected = checker(sources.clone(), settings).check(submission.clone(), &Job::default()).unwrap();
    assert!(expected.frequent_keys > 0);
    for partitions in [1, 3, 7] {
        let parts: Vec<Checker> = (0..partitions)
            .map(|part| checker(sources.iter().skip(part).step_by(partitions).cloned().collect(), settings))
            .collect();
        let mut all = Frequencies::default();
        parts.iter().for_each(|part| all.add(&part.frequencies(&submission, &Job::default()).unwrap()));
        let found = parts.iter().map(|part| part.check_among(submission.clone(), &all, &Job::default()).unwrap());
        let merged = found.reduce(|a, b| a.merge(b).unwrap()).unwrap();
        assert_eq!(merged, expected);
        assert_eq!(said(&merged), said(&expected));
    }
}
