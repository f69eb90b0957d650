//! `copytrace check`: submissions against a reference corpus.

use super::Outcome;
use super::args::{CheckOptions, FormatOptions, ReportFormat};
use super::conclusion::Conclusion;
use super::console::{Console, Failure, shown};
use super::index::now;
use super::loading::{STANDARD_INPUT, counter_of, for_each_batch, read_library, read_one, tell_unknown};
use super::manifest::Manifest;
use super::printing::Printer;
use super::semantic::with_meanings;
use anyhow::ensure;
use copytrace::check::{
    Admitted, Certainty, CheckError, Checker, Collection, Itself, Library, Reason, Rules, Summary, Unread,
};
use copytrace::job::Stage;
use copytrace::report::batch::Batch;
use copytrace::report::folder::{FolderError, Formats, Rendered, ReportFolder};
use copytrace::settings::Settings;
use copytrace::text::Document;
use copytrace_messages::{Figure, Language, message};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub fn run(options: &CheckOptions, console: &Console) -> anyhow::Result<Outcome> {
    refuse_output_in_input(options)?;
    // Begun before the long work, so that a folder that cannot be written to is known at once.
    let formats = formats(&options.formats);
    let wants_pages = formats.html;
    let mut folder = ReportFolder::create(&options.output, formats, options.overwrite).map_err(hinted)?;
    let mut manifest = Manifest::read(options.basis.metadata.manifest.as_deref())?;

    let Against { library, settings, missing, each_other } = reference(options, &mut manifest, console)?;
    ensure!(!library.is_empty(), message!("empty-corpus"));
    let of_corpus = manifest.used().clone();
    let itself = match (each_other, options.basis.scope.keep_itself) {
        (true, _) => Itself::OneOfThem,
        (false, true) => Itself::Source,
        (false, false) => Itself::LeftOut,
    };
    let rules = options.basis.rules(now(), itself);
    let documents = admitted(&library, &rules, console)? - usize::from(each_other);
    let checker = Checker::new(Arc::new(library), settings, rules);
    let limits = options.basis.reading.limits();
    let counter = counter_of(console.words.checking, &options.submissions, &limits, console);
    let job = console.job(Stage::Checking, &counter);
    let checker = checker.with_templates(&templates(options)?, &job).map_err(|error| match error {
        CheckError::Unread(template) => of_template(template),
        error => error.into(),
    })?;
    let checker = match &options.semantic {
        Some(model) => with_meanings(checker, model, console)?,
        None => checker,
    };
    let collection = Collection::new(&checker, !options.no_shared)?;
    let mut collection = if wants_pages { collection.keeping_texts() } else { collection };
    let formats = folder.formats().clone();
    let mut outcomes = Vec::new();
    let mut add = |rendered: Rendered, outcomes: &mut Vec<_>| -> anyhow::Result<()> {
        if let Err(unread) = &rendered.outcome {
            console.error(unread);
        }
        outcomes.push(rendered.outcome.clone());
        Ok(folder.add(rendered)?)
    };
    let unknown = for_each_batch(&options.submissions, &limits, console, &job, |batch| {
        for rendered in collection.check(manifest.complete_all(batch), &job, |checked| formats.render(checked))? {
            add(rendered?, &mut outcomes)?;
        }
        Ok(())
    })?;
    // A file that was handed in is told of, whatever it is.
    for id in unknown {
        add(formats.render(Err(Unread::new(&id, Reason::UnknownKind)))?, &mut outcomes)?;
    }
    counter.finish_and_clear();
    let compared = outcomes.iter().flatten().count() as u64;
    let counter = console.share(console.words.comparing, 2 * compared);
    let job = console.job(Stage::Sharing, &counter);
    ensure!(!outcomes.is_empty(), message!("nothing-to-check"));
    tell_of_manifest(&manifest, &of_corpus, each_other, console);

    let shared = collection.shared_with_texts(&job)?;
    counter.finish_and_clear();
    if let Some(left_out) = shared.as_ref().map(|(shared, _)| shared.left_out).filter(|&left_out| left_out > 0) {
        console.notice(&message!("pairs-left-out", pairs = left_out));
    }
    folder.complete(&Batch {
        reference: Some(checker.library().reference()),
        shared: shared.as_ref().map(|(shared, _)| shared),
        texts: shared.as_ref().map(|(_, texts)| texts).filter(|_| wants_pages),
        affiliations: &manifest.affiliations,
        threshold: options.fail_above,
    })?;
    let printed = !options.formats.format.contains(&ReportFormat::Pdf) || print(&folder.pages(), console);
    job.check()?;
    folder.finish()?;
    let pages = wants_pages;
    console.done(&Conclusion { outcomes: &outcomes, documents, each_other, output: &options.output, pages });

    let failed = !printed || missing > 0 || outcomes.iter().any(Result::is_err);
    // What has no ratio may be above any limit.
    let is_above = |of: &Summary, limit| of.certainty() == Certainty::Unknown || of.ratios.all.ratio >= limit;
    let above = |limit: f64| outcomes.iter().flatten().any(|summary| is_above(summary, limit));
    Ok(match options.fail_above {
        Some(limit) if !failed && above(limit) => Outcome::AboveLimit,
        _ => Outcome::of(failed),
    })
}

/// How many documents of the library the rules let through; tells of what they leave out unasked, and of ids that are not there.
fn admitted(library: &Library, rules: &Rules, console: &Console) -> anyhow::Result<usize> {
    let Admitted { documents, undated } = library.admitted(&rules.filter)?;
    if rules.filter.asks_for_time() && undated > 0 {
        let all = library.len();
        ensure!(documents > 0, message!("no-dates", all = all));
        console.notice(&message!("undated", undated = undated, all = all));
    }
    ensure!(documents > 0, message!("filtered-out", all = library.len()));
    let asked = rules.own_work.iter().chain(&rules.filter.exclude_ids);
    let missing = library.missing_ids(asked.map(String::as_str))?;
    for id in missing {
        console.notice(&message!("no-such-reference", id = id));
    }
    Ok(documents)
}

/// Tells of rows of the manifest that no document had, and of those that two had.
fn tell_of_manifest(manifest: &Manifest, of_corpus: &BTreeSet<String>, each_other: bool, console: &Console) {
    for path in manifest.unused() {
        console.notice(&message!("manifest-row-unused", path = path));
    }
    // Where the submissions are the corpus, too, that is every row.
    let again: Vec<&str> = manifest.used_again(of_corpus).filter(|_| !each_other).collect();
    match again[..] {
        [] => {}
        [path] => console.notice(&message!("manifest-row-twice", path = path)),
        [path, ..] => console.notice(&message!("manifest-rows-twice", path = path, rows = again.len())),
    }
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
        let (output_path, input) = (shown(&options.output), shown(input));
        ensure!(
            !(folder.is_dir() && output.starts_with(&folder)),
            message!("output-in-input", output = output_path, input = input)
        );
    }
    Ok(())
}

/// An error of the folder, with the option that helps.
fn hinted(error: FolderError) -> anyhow::Error {
    match error {
        FolderError::HoldsReport { path } => message!("earlier-report", path = shown(&path)).into(),
        error => error.into(),
    }
}

fn formats(options: &FormatOptions) -> Formats {
    let wants = |format| options.format.contains(&format);
    Formats {
        csv: wants(ReportFormat::Csv),
        csv_mark: options.csv_bom || options.lang.is_some_and(|language| language != Language::ENGLISH),
        html: wants(ReportFormat::Html) || wants(ReportFormat::Pdf),
        json: wants(ReportFormat::Json),
        xlsx: wants(ReportFormat::Xlsx),
        language: options.language(),
        checked: options.date.clone(),
    }
}

/// What submissions are checked against.
struct Against {
    library: Library,
    /// What it is searched with.
    settings: Settings,
    /// How many of its inputs are missing.
    missing: usize,
    /// Whether it is the submissions themselves.
    each_other: bool,
}

/// The library: an index, a corpus that is read, both, or the submissions themselves.
fn reference(options: &CheckOptions, manifest: &mut Manifest, console: &Console) -> anyhow::Result<Against> {
    let names = |paths: &[PathBuf]| paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
    let kept = if options.index.is_empty() { None } else { Some(Library::open(&options.index)?) };
    let settings = match &kept {
        Some(library) => options.sketch.settings_for_index(library.settings(), options.align.settings())?,
        None => options.sketch.settings(options.align.settings())?,
    };
    let each_other = kept.is_none() && options.corpus.is_empty();
    let paths = if each_other { &options.submissions } else { &options.corpus };
    let kept = match kept {
        Some(library) if paths.is_empty() => return Ok(Against { library, settings, missing: 0, each_other }),
        kept => kept,
    };
    let standard_input = paths.iter().any(|path| path.as_os_str() == STANDARD_INPUT);
    ensure!(!(each_other && standard_input), message!("standard-input-alone"));
    let limits = options.basis.reading.limits();
    let counter = counter_of(console.words.reading_corpus, paths, &limits, console);
    let job = console.job(Stage::Reading, &counter);
    let (mut missing, mut not_yet_told) = (0, Vec::new());
    let fail = |unread: Unread| {
        if each_other {
            // It is told of when it is checked.
            not_yet_told.push(unread);
        } else {
            missing += 1;
            console.error(&unread);
        }
    };
    let (read, unknown) = read_library(paths, &limits, &settings.sketch, manifest, console, &job, fail)?;
    counter.finish_and_clear();
    if each_other {
        if read.len() <= 1 {
            not_yet_told.iter().for_each(|unread| console.error(unread));
            ensure!(!read.is_empty(), message!("nothing-to-check"));
            anyhow::bail!(message!("single-submission"));
        }
        return Ok(Against { library: read.named(""), settings, missing, each_other });
    }
    tell_unknown(&unknown, console);
    let read = read.named(names(&options.corpus));
    let library = match kept {
        Some(kept) => kept.with(read)?,
        None => read,
    };
    Ok(Against { library, settings, missing, each_other })
}

/// The texts that do not count wherever they stand.
fn templates(options: &CheckOptions) -> anyhow::Result<Vec<Document>> {
    let limits = options.basis.reading.limits();
    let read = |path: &PathBuf| read_one(path, &limits).map_err(of_template);
    options.basis.scope.exclude_template.iter().map(read).collect()
}

fn of_template(unread: Unread) -> anyhow::Error {
    message!("template-unread", unread = Figure::told(&unread)).into()
}

/// Prints each page to two PDF files beside it: the full report, and the summary sheet. One that cannot be printed is named, and the others are printed; gives whether
/// all were.
fn print(pages: &[PathBuf], console: &Console) -> bool {
    let printer = match Printer::find() {
        Ok(printer) => printer,
        Err(error) => {
            console.error(&Failure(error));
            return false;
        }
    };
    if printer.is_without_sandbox() {
        console.notice(&message!("no-sandbox"));
    }
    let counter = console.bar(console.words.printing, pages.len() as u64);
    let mut all = true;
    for page in pages {
        if console.cancel.is_cancelled() {
            return false;
        }
        for (sheet, ending) in [("full", "pdf"), ("brief", "brief.pdf")] {
            let state = format!("sheet={sheet}");
            if let Err(error) = printer.print(page, &state, &page.with_extension(ending)) {
                console.error(&Failure(error));
                all = false;
            }
        }
        counter.inc(1);
    }
    counter.finish_and_clear();
    all
}
