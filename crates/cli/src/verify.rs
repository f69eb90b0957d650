//! `copytrace verify-report`: whether a report is what the program wrote.

use super::Outcome;
use super::args::VerifyOptions;
use super::console::Console;
use super::index::now;
use super::loading::{read_library, read_one};
use super::manifest::Manifest;
use anyhow::{Context, bail, ensure};
use copytrace::check::{Checker, Itself, Library, Told, Unread};
use copytrace::job::Job;
use copytrace::settings::SketchSettings;
use std::path::Path;
use std::sync::Arc;

pub fn run(options: &VerifyOptions, console: &Console) -> anyhow::Result<Outcome> {
    let mut failed = false;
    for file in &options.files {
        match verified(file, options, console) {
            Ok(sound) => console.done(&console.said(&sound)),
            Err(error) => {
                failed = true;
                console.input_failed(&format!("{}: {error:#}", file.display()));
            }
        }
    }
    Ok(Outcome::of(failed))
}

/// What was found to be in order.
fn verified(file: &Path, options: &VerifyOptions, console: &Console) -> anyhow::Result<String> {
    let told = told(file)?;
    told.verify()?;
    let ratio = told.ratios.all.ratio * 100.0;
    let (name, number) = (file.display(), &told.number);
    let Some(submission) = &options.submission else {
        return Ok(format!("{name}: report {number} agrees with itself: {ratio:.1}%, computed anew from its passages"));
    };
    let limits = options.basis.reading.limits();
    let mut manifest = Manifest::read(options.basis.metadata.manifest.as_deref())?;
    let mut document = manifest.complete(read_one(submission, &limits)?);
    let library = library(&told.settings.sketch, options, &mut manifest, console)?.named(told.corpus.name.clone());
    // The report may call it by its path in a folder.
    document.id.clone_from(&told.submission.id);
    let checker = Checker::new(Arc::new(library), told.settings, options.basis.rules(now(), Itself::LeftOut));
    let templates = options.basis.scope.exclude_template.iter().map(|path| read_one(path, &limits));
    let job = Job::default().with_cancel(console.cancel.clone());
    let checker = checker.with_templates(&templates.collect::<Result<Vec<_>, _>>()?, &job)?;
    let report = checker.check(document, &job)?.report();
    let (ours, theirs) = (&report.submission, &told.submission);
    ensure!(
        (&ours.file_sha256, &ours.text_sha256) == (&theirs.file_sha256, &theirs.text_sha256),
        "it is the report on another file than {} (SHA-256)",
        submission.display()
    );
    ensure!(
        report.corpus == told.corpus,
        "it was checked against another state of the corpus: of documents there were {} (last addition {}), and are {} now (last \
         addition {})",
        told.corpus.documents,
        told.corpus.updated.as_deref().unwrap_or("unknown"),
        report.corpus.documents,
        report.corpus.updated.as_deref().unwrap_or("unknown")
    );
    ensure!(
        report.number == *number,
        "checked anew it has the number {} and the ratio {:.1}%, not {number} and {ratio:.1}%; were the options the same?",
        report.number,
        report.ratios.all.ratio * 100.0
    );
    Ok(format!("{name}: report {number} is what a new check of {} gives: {ratio:.1}%", submission.display()))
}

/// What a JSON file or a page tells.
fn told(file: &Path) -> anyhow::Result<Told> {
    let text = std::fs::read_to_string(file).context("cannot be read")?;
    let Some(start) = text.find(PAGE_DATA) else {
        return serde_json::from_str(&text).context("neither a page nor a JSON file of a report of this version");
    };
    let data = &text[start + PAGE_DATA.len()..];
    let data = &data[..data.find("</script>").unwrap_or(data.len())];
    let mut data: serde_json::Value = serde_json::from_str(data).context("not a page of a report")?;
    if data["report"].is_null() {
        bail!("it is not the page of one submission");
    }
    let script = copytrace::report::html::page::script();
    let told: Told = serde_json::from_value(data["report"].take()).context("not a page of a report of this version")?;
    ensure!(
        told.program.version != env!("CARGO_PKG_VERSION") || text.contains(script),
        "the page's script is not the program's, so it may show other figures than it holds"
    );
    Ok(told)
}

/// What stands before the data of a page.
const PAGE_DATA: &str = "<script type=\"application/json\" id=\"data\">";

fn library(
    sketch: &SketchSettings,
    options: &VerifyOptions,
    manifest: &mut Manifest,
    console: &Console,
) -> anyhow::Result<Library> {
    if options.corpus.is_empty() {
        ensure!(!options.index.is_empty(), "--submission is checked anew: give --corpus or --index too");
        return Ok(Library::open(&options.index)?);
    }
    let limits = options.basis.reading.limits();
    let fail = |unread: Unread| console.input_failed(&unread.to_string());
    let (read, _) = read_library(&options.corpus, &limits, sketch, manifest, console, &Job::default(), fail)?;
    Ok(if options.index.is_empty() { read } else { Library::open(&options.index)?.with(read)? })
}
