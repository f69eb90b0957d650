//! `copytrace check`: submissions against a reference corpus.

use super::Outcome;
use super::args::{CheckOptions, FormatOptions, ReportFormat};
use super::console::Console;
use super::index::now;
use super::loading::{for_each_batch, read_one};
use super::manifest::Manifest;
use super::printing::Printer;
use anyhow::Context;
use copytrace::check::{Checker, Collection, Library, LibraryBuilder, Rules, Summary, Unread};
use copytrace::job::Stage;
use copytrace::report::folder::{FolderError, Formats, Rendered, ReportFolder};
use copytrace::settings::Settings;
use copytrace::text::Document;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub fn run(options: &CheckOptions, console: &Console) -> anyhow::Result<Outcome> {
    refuse_output_in_input(options)?;
    // Begun before the long work, so that a folder that cannot be written to is known at once.
    let formats = formats(&options.formats);
    let mut folder = ReportFolder::create(&options.output, formats, options.overwrite).map_err(hinted)?;

    let (library, settings, missing) = reference(options, console)?;
    anyhow::ensure!(!library.is_empty(), "the corpus holds no readable document");
    let rules = Rules {
        filter: options.filter.filter(now()),
        own_work: options.scope.own_work.clone(),
        count_all_parts: options.scope.count_all_parts,
        ignore_common: options.scope.ignore_common,
    };
    let checker = Checker::new(Arc::new(library), settings, rules);
    let checker = checker.with_templates(&templates(options)?).map_err(|e| anyhow::anyhow!("the template {e}"))?;
    let mut manifest = Manifest::read(options.metadata.manifest.as_deref())?;

    let counter = console.counter("checking submissions");
    let job = console.job(Stage::Checking, &counter);
    let mut collection = Collection::new(&checker, !options.no_shared)?;
    let renderer = folder.renderer();
    let mut outcomes = Vec::new();
    for_each_batch(&options.submissions, &options.reading.limits(), console, &job, |batch| {
        let batch = batch.into_iter().map(|read| read.map(|document| manifest.complete(document))).collect();
        for rendered in collection.check(batch, &job, |checked| renderer.render(checked))? {
            let rendered: Rendered = rendered?;
            if let Err(unread) = &rendered.outcome {
                console.input_failed(&unread.to_string());
            }
            outcomes.push(rendered.outcome.clone());
            folder.add(rendered)?;
        }
        Ok(())
    })?;
    counter.finish_and_clear();
    anyhow::ensure!(!outcomes.is_empty(), "there is no submission to check");

    let shared = collection.shared(&job)?;
    if let Some(left_out) = shared.as_ref().map(|shared| shared.left_out).filter(|&left_out| left_out > 0) {
        console.notice(&format!(
            "{left_out} pairs of submissions were not compared: each is aligned with a limited number of others"
        ));
    }
    folder.complete(shared.as_ref(), checker.library().reference())?;
    let printed = !options.formats.format.contains(&ReportFormat::Pdf) || print(&folder.pages(), console);
    job.check()?;
    folder.finish()?;
    console.done(&conclusion(&outcomes, checker.library().len(), &options.output));

    let failed = !printed || missing > 0 || outcomes.iter().any(Result::is_err);
    let above = |limit: f64| outcomes.iter().flatten().any(|summary| summary.ratios.all.ratio >= limit);
    Ok(match options.fail_above {
        _ if failed => Outcome::SomeInputFailed,
        Some(limit) if above(limit) => Outcome::AboveLimit,
        _ => Outcome::Done,
    })
}

/// Refuses to write a report where submissions or the corpus are read: the next run would take it for one of them.
fn refuse_output_in_input(options: &CheckOptions) -> anyhow::Result<()> {
    let whole = |path: &Path| {
        let mut existing = path;
        let mut rest = PathBuf::new();
        loop {
            match existing.canonicalize() {
                Ok(whole) => return Some(whole.join(rest)),
                Err(_) => {
                    rest = Path::new(existing.file_name()?).join(rest);
                    existing = existing.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
                }
            }
        }
    };
    let Some(output) = whole(&options.output) else { return Ok(()) };
    for input in options.submissions.iter().chain(&options.corpus).chain(&options.index) {
        let Ok(folder) = input.canonicalize() else { continue };
        anyhow::ensure!(
            !(folder.is_dir() && output.starts_with(&folder)),
            "{}: lies in {}, which is read; give a folder outside (-o)",
            options.output.display(),
            input.display()
        );
    }
    Ok(())
}

/// An error of the folder, with the option that helps.
fn hinted(error: FolderError) -> anyhow::Error {
    match error {
        FolderError::HoldsReport { .. } => anyhow::anyhow!("{error}; --overwrite replaces it, -o names another folder"),
        error => error.into(),
    }
}

fn formats(options: &FormatOptions) -> Formats {
    let wants = |format| options.format.contains(&format);
    Formats {
        csv: wants(ReportFormat::Csv),
        csv_mark: options.csv_bom,
        html: wants(ReportFormat::Html) || wants(ReportFormat::Pdf),
        json: wants(ReportFormat::Json),
        xlsx: wants(ReportFormat::Xlsx),
        language: options.language(),
        checked: options.date.clone(),
    }
}

/// The reference: a library built of a corpus, or opened; the settings to search it with; and how many of its inputs are
/// missing.
fn reference(options: &CheckOptions, console: &Console) -> anyhow::Result<(Library, Settings, usize)> {
    let names = |paths: &[PathBuf]| paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
    if !options.index.is_empty() {
        let library = Library::open(&options.index)?;
        let settings = options.sketch.settings_for_index(library.settings(), options.align.settings())?;
        return Ok((library, settings, 0));
    }
    let settings = options.sketch.settings(options.align.settings())?;
    let counter = console.counter("reading the corpus");
    let job = console.job(Stage::Reading, &counter);
    let mut builder = LibraryBuilder::new(&settings.sketch)?;
    let mut missing = 0;
    for_each_batch(&options.corpus, &options.reading.limits(), console, &job, |batch| {
        builder.add_read(batch, &job, |unread| {
            missing += 1;
            console.input_failed(&unread.to_string());
        })?;
        Ok(())
    })?;
    counter.finish_and_clear();
    Ok((builder.finish()?.named(names(&options.corpus)), settings, missing))
}

/// The texts that do not count wherever they stand.
fn templates(options: &CheckOptions) -> anyhow::Result<Vec<Document>> {
    let limits = options.reading.limits();
    let read = |path: &PathBuf| read_one(path, &limits).map_err(|unread| anyhow::anyhow!("the template {unread}"));
    options.scope.exclude_template.iter().map(read).collect()
}

/// Prints each page to a PDF file beside it. One that cannot be printed is named, and the others are printed; gives whether
/// all were.
fn print(pages: &[PathBuf], console: &Console) -> bool {
    let printer = match Printer::find() {
        Ok(printer) => printer,
        Err(error) => {
            console.error(&format!("{error:#}"));
            return false;
        }
    };
    if printer.is_without_sandbox() {
        console.notice("this process is root's, so Chromium prints the pages without its sandbox");
    }
    let counter = console.counter("printing");
    let mut all = true;
    for page in pages {
        if console.cancel.is_cancelled() {
            return false;
        }
        let name = || page.file_name().unwrap_or_default().display().to_string();
        if let Err(error) = printer.print(page, &page.with_extension("pdf")).with_context(name) {
            console.error(&format!("{error:#}"));
            all = false;
        }
        counter.inc(1);
    }
    counter.finish_and_clear();
    all
}

fn conclusion(outcomes: &[Result<Summary, Unread>], documents: usize, output: &Path) -> String {
    let checked: Vec<&Summary> = outcomes.iter().flatten().collect();
    let with = checked.iter().filter(|summary| summary.passages > 0).count();
    let passages: usize = checked.iter().map(|summary| summary.passages).sum();
    let by_ratio =
        |a: &&&Summary, b: &&&Summary| a.ratios.all.ratio.total_cmp(&b.ratios.all.ratio).then_with(|| b.id.cmp(&a.id));
    let highest = match checked.iter().max_by(by_ratio) {
        Some(Summary { id, passages, ratios, .. }) if *passages > 0 => {
            format!("; the highest copy ratio is {:.1} % ({id})", ratios.all.ratio * 100.0)
        }
        _ => String::new(),
    };
    let failed = match outcomes.len() - checked.len() {
        0 => String::new(),
        n => format!(", {n} could not be"),
    };
    format!(
        "{} submissions checked against {documents} documents{failed}: {passages} passages found in {with} of them{highest}. Written to {}",
        checked.len(),
        output.display()
    )
}
