//! `copytrace check`: submissions against a reference corpus.

use super::Outcome;
use super::args::CheckOptions;
use super::console::Console;
use super::index::now;
use super::loading::{InputFailure, Loaded, LoadedIndex, analyse_batch, build_index, for_each_batch, load_file};
use super::manifest::Manifest;
use copytrace::index::{Index, IndexError, Record};
use copytrace::report::parts::{CHAPTERS_COLUMNS, EXCLUDED_COLUMNS, FLAGS_COLUMNS};
use copytrace::report::rows::{PASSAGES_COLUMNS, SOURCES_COLUMNS, SUMMARY_COLUMNS, Scope, SubmissionReport};
use copytrace::report::tables::Table;
use copytrace::score::exclusion;
use copytrace::search::filter::{Filter, same_author};
use copytrace::search::submission;
use copytrace::settings::Settings;
use copytrace::sketch::analysis::{Analyser, Analysis};
use copytrace::text::structure::Structure;
use std::path::{Path, PathBuf};

pub fn run(options: &CheckOptions, console: &Console) -> anyhow::Result<Outcome> {
    // Begun before the long work, so that a folder that cannot be written to is known at once.
    let tables = Tables::create(&options.output)?;

    let (corpus, settings) = reference(options, console)?;
    anyhow::ensure!(!corpus.index.is_empty(), "the corpus holds no readable document");
    let filter = options.filter.filter(now());
    let mut manifest = Manifest::read(options.metadata.manifest.as_deref())?;

    let mut reports = Vec::new();
    let counter = console.counter("checking submissions");
    let checker = Checker {
        index: &corpus.index,
        settings: &settings,
        filter: &filter,
        templates: templates(&options.scope.exclude_template, &settings)?,
        own_work: &options.scope.own_work,
        count_all_parts: options.scope.count_all_parts,
    };
    let work = |loaded: Loaded| checker.report(loaded);
    for_each_batch(&options.submissions, console, |batch| {
        let batch = batch.into_iter().map(|e| e.map(|document| manifest.complete(document))).collect();
        for report in analyse_batch(batch, &settings.sketch, work) {
            let report = report?;
            if report.summary.status == "error" {
                console.input_failed(&format!("{}: {}", report.summary.submission, report.summary.message));
            }
            reports.push(report);
            counter.inc(1);
        }
        Ok(())
    })?;
    counter.finish_and_clear();
    anyhow::ensure!(!reports.is_empty(), "there is no submission to check");

    // The sort is stable: of two submissions with one id the one read first stays first.
    reports.sort_by(|a, b| a.summary.submission.cmp(&b.summary.submission));
    refuse_repeated_ids(&mut reports, console);
    tables.write(&reports)?;
    console.done(&conclusion(&reports, &corpus.index, &options.output));

    let failed = corpus.failures > 0 || reports.iter().any(|r| r.summary.status == "error");
    let above = |limit: f64| reports.iter().any(|r| r.summary.status == "ok" && r.summary.copy_ratio >= limit);
    Ok(match options.fail_above {
        _ if failed => Outcome::SomeInputFailed,
        Some(limit) if above(limit) => Outcome::AboveLimit,
        _ => Outcome::Done,
    })
}

/// The reference: an index built of a corpus, or opened, and the settings to search it with.
fn reference(options: &CheckOptions, console: &Console) -> anyhow::Result<(LoadedIndex, Settings)> {
    if options.index.is_empty() {
        let settings = options.sketch.settings(options.align.settings())?;
        return Ok((build_index(&options.corpus, &settings, console)?, settings));
    }
    let index = Index::open(&options.index)?;
    let settings = options.sketch.settings_for_index(index.settings(), options.align.settings())?;
    Ok((LoadedIndex { index, failures: 0 }, settings))
}

/// The texts that do not count wherever they stand.
fn templates(paths: &[PathBuf], settings: &Settings) -> anyhow::Result<Vec<Analysis>> {
    let mut analyser = Analyser::new(&settings.sketch);
    let load = |path: &PathBuf| match load_file(path, &mut analyser) {
        Ok((_, analysis)) => Ok(analysis),
        Err(failure) => anyhow::bail!("the template {failure}"),
    };
    paths.iter().map(load).collect()
}

/// What every submission is checked against, and how.
struct Checker<'a> {
    index: &'a Index,
    settings: &'a Settings,
    filter: &'a Filter,
    templates: Vec<Analysis>,
    own_work: &'a [String],
    count_all_parts: bool,
}

impl Checker<'_> {
    fn report(&self, loaded: Loaded) -> Result<SubmissionReport, IndexError> {
        let (document, analysis) = match loaded {
            Ok(loaded) => loaded,
            Err(InputFailure { id, reason }) => return Ok(SubmissionReport::error(&id, reason)),
        };
        let admits = |record: &Record| self.filter.admits(record, &document.metadata);
        let findings = submission::check(self.index, &analysis, self.settings, admits)?;
        let structure = Structure::find(&document.text, &document.layout);
        let mut exclusions = Vec::new();
        if !self.count_all_parts {
            exclusions = exclusion::of_parts(&structure, &document.layout, &analysis.units);
        }
        for template in &self.templates {
            let (_, matches) = submission::compare_two(&analysis, template, self.settings);
            exclusions.extend(exclusion::of_template(&matches));
        }
        let is_own =
            |record: &Record| self.own_work.contains(&record.id) || same_author(&record.metadata, &document.metadata);
        let scope = Scope { structure: &structure, exclusions: &exclusion::apart(exclusions), is_own: &is_own };
        SubmissionReport::new(&document, &analysis, &findings, self.index, &scope)
    }
}

/// Rows are told apart by the submission's id, so the second of two equal ids is reported as an error.
fn refuse_repeated_ids(reports: &mut [SubmissionReport], console: &Console) {
    for i in 1..reports.len() {
        let id = reports[i].summary.submission.clone();
        if reports[i - 1].summary.submission == id && reports[i].summary.status == "ok" {
            let reason = "another submission has this id already; only the first is checked";
            console.input_failed(&format!("{id}: {reason}"));
            reports[i] = SubmissionReport::error(&id, reason.to_owned());
        }
    }
}

struct Tables {
    summary: Table,
    sources: Table,
    passages: Table,
    chapters: Table,
    excluded: Table,
    flags: Table,
}

impl Tables {
    fn create(folder: &Path) -> anyhow::Result<Self> {
        let table = |name: &str, columns: &str| Table::create(&folder.join(name), columns);
        Ok(Tables {
            summary: table("summary.csv", SUMMARY_COLUMNS)?,
            sources: table("sources.csv", SOURCES_COLUMNS)?,
            passages: table("passages.csv", PASSAGES_COLUMNS)?,
            chapters: table("chapters.csv", CHAPTERS_COLUMNS)?,
            excluded: table("excluded.csv", EXCLUDED_COLUMNS)?,
            flags: table("flags.csv", FLAGS_COLUMNS)?,
        })
    }

    fn write(mut self, reports: &[SubmissionReport]) -> anyhow::Result<()> {
        for report in reports {
            self.summary.write(&report.summary)?;
            report.sources.iter().try_for_each(|row| self.sources.write(row))?;
            report.passages.iter().try_for_each(|row| self.passages.write(row))?;
            report.chapters.iter().try_for_each(|row| self.chapters.write(row))?;
            report.excluded.iter().try_for_each(|row| self.excluded.write(row))?;
            report.flags.iter().try_for_each(|row| self.flags.write(row))?;
        }
        for table in [self.sources, self.passages, self.chapters, self.excluded, self.flags] {
            table.finish()?;
        }
        // Last, because who finds a summary expects the others beside it.
        self.summary.finish()?;
        Ok(())
    }
}

fn conclusion(reports: &[SubmissionReport], index: &Index, output: &Path) -> String {
    let checked = reports.iter().filter(|r| r.summary.status == "ok").count();
    let with = reports.iter().filter(|r| r.summary.passages > 0).count();
    let passages: usize = reports.iter().map(|r| r.summary.passages).sum();
    let highest = reports.iter().rev().max_by(|a, b| a.summary.copy_ratio.total_cmp(&b.summary.copy_ratio));
    let highest = match highest {
        Some(r) if r.summary.passages > 0 => {
            format!("; the highest copy ratio is {:.1} % ({})", r.summary.copy_ratio * 100.0, r.summary.submission)
        }
        _ => String::new(),
    };
    let failed = match reports.len() - checked {
        0 => String::new(),
        n => format!(", {n} could not be"),
    };
    format!(
        "{checked} submissions checked against {} documents{failed}: {passages} passages found in {with} of them{highest}. Written to {}",
        index.len(),
        output.display()
    )
}
