//! `copytrace check`: submissions against a reference corpus.

use super::Outcome;
use super::args::CheckOptions;
use super::console::Console;
use super::index::now;
use super::loading::{InputFailure, Loaded, LoadedIndex, analyse_batch, build_index, for_each_batch};
use super::manifest::Manifest;
use copytrace::index::{Index, IndexError};
use copytrace::report::rows::{PASSAGES_COLUMNS, SOURCES_COLUMNS, SUMMARY_COLUMNS, SubmissionReport};
use copytrace::report::tables::Table;
use copytrace::search::filter::Filter;
use copytrace::search::submission;
use copytrace::settings::Settings;
use std::path::Path;

pub fn run(options: &CheckOptions, console: &Console) -> anyhow::Result<Outcome> {
    // Begun before the long work, so that a folder that cannot be written to is known at once.
    let tables = Tables::create(&options.output)?;

    let (corpus, settings) = reference(options, console)?;
    anyhow::ensure!(!corpus.index.is_empty(), "the corpus holds no readable document");
    let filter = options.filter.filter(now());
    let mut manifest = Manifest::read(options.metadata.manifest.as_deref())?;

    let mut reports = Vec::new();
    let counter = console.counter("checking submissions");
    let work = |loaded: Loaded| report(loaded, &corpus.index, &settings, &filter);
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

fn report(loaded: Loaded, index: &Index, settings: &Settings, filter: &Filter) -> Result<SubmissionReport, IndexError> {
    match loaded {
        Ok((document, analysis)) => {
            let findings =
                submission::check(index, &analysis, settings, |record| filter.admits(record, &document.metadata))?;
            SubmissionReport::new(&document, &analysis, &findings, index)
        }
        Err(InputFailure { id, reason }) => Ok(SubmissionReport::error(&id, reason)),
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
}

impl Tables {
    fn create(folder: &Path) -> anyhow::Result<Self> {
        let table = |name: &str, columns: &str| Table::create(&folder.join(name), columns);
        Ok(Tables {
            summary: table("summary.csv", SUMMARY_COLUMNS)?,
            sources: table("sources.csv", SOURCES_COLUMNS)?,
            passages: table("passages.csv", PASSAGES_COLUMNS)?,
        })
    }

    fn write(mut self, reports: &[SubmissionReport]) -> anyhow::Result<()> {
        for report in reports {
            self.summary.write(&report.summary)?;
            report.sources.iter().try_for_each(|row| self.sources.write(row))?;
            report.passages.iter().try_for_each(|row| self.passages.write(row))?;
        }
        self.sources.finish()?;
        self.passages.finish()?;
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
