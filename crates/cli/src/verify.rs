//! `copytrace verify-report`: whether a report is what the program wrote.

use super::Outcome;
use super::args::VerifyOptions;
use super::console::{Console, Failure, shown};
use super::index::now;
use super::loading::{read_library, read_one};
use super::manifest::Manifest;
use anyhow::{bail, ensure};
use copytrace::check::{Certainty, Checker, Itself, Library, Ratio, Told, Unread};
use copytrace::job::Job;
use copytrace::report::html::figures;
use copytrace::report::messages::Messages;
use copytrace::settings::SketchSettings;
use copytrace_messages::{Language, Message, message};
use std::path::Path;
use std::sync::Arc;

pub fn run(options: &VerifyOptions, console: &Console) -> anyhow::Result<Outcome> {
    let mut failed = false;
    for file in &options.files {
        match verified(file, options, console) {
            Ok(sound) => console.done(&sound),
            Err(error) => {
                failed = true;
                console.error(&Failure(error.context(shown(file))));
            }
        }
    }
    Ok(Outcome::of(failed))
}

/// What was found to be in order.
fn verified(file: &Path, options: &VerifyOptions, console: &Console) -> anyhow::Result<Message> {
    let told = told(file)?;
    told.verify()?;
    let ratio = percent(told.ratios.all);
    let (name, number) = (shown(file), told.number.as_str());
    let Some(submission) = &options.submission else {
        return Ok(message!("sound-report", file = name, number = number, ratio = ratio));
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
        message!("other-file", submission = shown(submission))
    );
    let (then, now) = (&told.corpus, &report.corpus);
    ensure!(
        then == now,
        message!("other-corpus", documents = then.documents, updated = then.updated.clone())
            .with("documents-now", now.documents)
            .with("updated-now", now.updated.clone())
    );
    ensure!(
        report.number == number,
        message!("other-result", number = number, ratio = ratio)
            .with("number-now", report.number.as_str())
            .with("ratio-now", percent(report.ratios.all))
    );
    Ok(message!("confirmed-report", file = name, number = number, submission = shown(submission), ratio = ratio))
}

fn percent(ratio: Ratio) -> String {
    format!("{:.1}%", ratio.ratio * 100.0)
}

/// What a JSON file or a page tells.
fn told(file: &Path) -> anyhow::Result<Told> {
    let text = std::fs::read_to_string(file).map_err(|error| message!("file-unreadable").because(error))?;
    let Some(start) = text.find(PAGE_DATA) else {
        return serde_json::from_str(&text).map_err(|error| message!("not-a-report").because(error).into());
    };
    let data = &text[start + PAGE_DATA.len()..];
    let data = &data[..data.find("</script>").unwrap_or(data.len())];
    let mut data: serde_json::Value =
        serde_json::from_str(data).map_err(|error| message!("not-a-page").because(error))?;
    let left_out = serde_json::from_value(data["left_out"].take()).unwrap_or_default();
    if data["report"].is_null() {
        bail!(message!("not-one-submission"));
    }
    let script = copytrace::report::html::SCRIPT;
    let told: Told = serde_json::from_value(data["report"].take())
        .map_err(|error| message!("page-of-other-version").because(error))?;
    ensure!(told.program.version != env!("CARGO_PKG_VERSION") || text.contains(script), message!("other-script"));
    if told.program.version == env!("CARGO_PKG_VERSION") {
        ensure!(shows(&text, &told, left_out), message!("other-figures"));
    }
    Ok(told)
}

/// Whether a page shows the number and figures of its data, to readers whose browser runs no script too. It is in one of the languages.
fn shows(page: &str, told: &Told, left_out: Vec<usize>) -> bool {
    let ratios = if left_out.is_empty() { told.ratios } else { told.ratios_without(&left_out) };
    let shown = |language, certainty| {
        let words = Messages::of(language);
        page.contains(&figures(&ratios, &told.ratios, certainty, words).into_string())
    };
    let certainties = [Certainty::Whole, Certainty::AtLeast, Certainty::Unknown];
    let is_said = |certainty: &Certainty| page.contains(&format!("data-certainty=\"{}\"", certainty.as_str()));
    let certainty = certainties.into_iter().find(is_said);
    certainty.is_some_and(|certainty| Language::all().any(|language| shown(language, certainty)))
        && page.contains(&format!("<dd id=\"number\">{}</dd>", told.number))
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
        ensure!(!options.index.is_empty(), message!("nothing-to-verify-with"));
        return Ok(Library::open(&options.index)?);
    }
    let limits = options.basis.reading.limits();
    let fail = |unread: Unread| console.error(&unread);
    let (read, _) = read_library(&options.corpus, &limits, sketch, manifest, console, &Job::default(), fail)?;
    Ok(if options.index.is_empty() { read } else { Library::open(&options.index)?.with(read)? })
}
