//! `copytrace check`: submissions against a reference corpus.

use super::Outcome;
use super::args::CheckOptions;
use super::batch::Batch;
use super::console::Console;
use super::index::now;
use super::loading::{InputFailure, Loaded, LoadedIndex, analyse_batch, build_index, for_each_batch, load_file};
use super::manifest::Manifest;
use super::report_files::{PageFormats, Pages, ReportFiles};
use copytrace::align::{Aligner, Submission};
use copytrace::index::{Index, Record};
use copytrace::report::model::{Context, Corpus, Report};
use copytrace::report::rows::{Scope, SubmissionReport};
use copytrace::report::shared::Member;
use copytrace::score::exclusion;
use copytrace::search::filter::{Filter, same_author};
use copytrace::search::submission;
use copytrace::settings::Settings;
use copytrace::sketch::analysis::{Analyser, Analysis};
use copytrace::text::structure::Structure;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub fn run(options: &CheckOptions, console: &Console) -> anyhow::Result<Outcome> {
    // Begun before the long work, so that a folder that cannot be written to is known at once.
    let mut output = ReportFiles::create(&options.output, &options.formats)?;

    let (corpus, settings) = reference(options, console)?;
    anyhow::ensure!(!corpus.index.is_empty(), "the corpus holds no readable document");
    let filter = options.filter.filter(now());
    let mut manifest = Manifest::read(options.metadata.manifest.as_deref())?;

    let mut reports = Vec::new();
    let counter = console.counter("checking submissions");
    let known = corpus_facts(options, &corpus.index)?;
    let checker = Checker {
        corpus: &known,
        pages: output.pages(),
        index: &corpus.index,
        settings: &settings,
        filter: &filter,
        templates: templates(options, &settings)?,
        own_work: &options.scope.own_work,
        count_all_parts: options.scope.count_all_parts,
        checked: options.formats.date.as_deref(),
    };
    let work = |loaded: Loaded| checker.report(loaded);
    let mut batch = if options.no_shared { None } else { Some(Batch::new(&settings)?) };
    let mut ids = BTreeSet::new();
    for_each_batch(&options.submissions, &options.reading.limits(), console, |loaded| {
        let loaded = loaded.into_iter().map(|e| e.map(|document| manifest.complete(document))).collect();
        for checked in analyse_batch(loaded, &settings.sketch, work) {
            let Checked { report, pages, member } = checked?;
            if let (Some(batch), Some((member, analysis))) = (&mut batch, member)
                && ids.insert(member.id.clone())
            {
                batch.add(member, analysis)?;
            }
            if report.summary.status == "error" {
                console.input_failed(&format!("{}: {}", report.summary.submission, report.summary.message));
            }
            output.write_pages(&report.summary.submission, pages)?;
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
    let shared = match batch {
        Some(batch) => batch.compare(&settings, &reports, console)?,
        None => None,
    };
    let printed = output.finish(&reports, shared.as_deref(), &known, console)?;
    console.done(&conclusion(&reports, &corpus.index, &options.output));

    let failed = !printed || corpus.failures > 0 || reports.iter().any(|r| r.summary.status == "error");
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
        return Ok((build_index(&options.corpus, &options.reading.limits(), &settings, console)?, settings));
    }
    let index = Index::open(&options.index)?;
    let settings = options.sketch.settings_for_index(index.settings(), options.align.settings())?;
    Ok((LoadedIndex { index, failures: 0 }, settings))
}

/// The texts that do not count wherever they stand.
fn templates(options: &CheckOptions, settings: &Settings) -> anyhow::Result<Vec<Analysis>> {
    let mut analyser = Analyser::new(&settings.sketch);
    let limits = options.reading.limits();
    let load = |path: &PathBuf| match load_file(path, &limits, &mut analyser) {
        Ok((_, analysis)) => Ok(analysis),
        Err(failure) => anyhow::bail!("the template {failure}"),
    };
    options.scope.exclude_template.iter().map(load).collect()
}

/// What the reports say of the corpus.
fn corpus_facts(options: &CheckOptions, index: &Index) -> anyhow::Result<Corpus> {
    let paths = if options.index.is_empty() { &options.corpus } else { &options.index };
    let name = paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
    // A corpus that was read for this check has no latest addition worth telling.
    let added = if options.index.is_empty() { None } else { index.latest_added()? };
    let day = |seconds| Ok::<_, jiff::Error>(jiff::Timestamp::from_second(seconds)?.strftime("%Y-%m-%d").to_string());
    let updated = added.map(day).transpose()?;
    Ok(Corpus { name, documents: index.len(), updated })
}

/// What became of a submission: its rows, its pages when some are wanted, and what the others are compared with.
struct Checked {
    report: SubmissionReport,
    pages: Pages,
    member: Option<(Member, Analysis)>,
}

/// What every submission is checked against, and how.
struct Checker<'a> {
    corpus: &'a Corpus,
    pages: PageFormats,
    index: &'a Index,
    settings: &'a Settings,
    filter: &'a Filter,
    templates: Vec<Analysis>,
    own_work: &'a [String],
    count_all_parts: bool,
    checked: Option<&'a str>,
}

impl Checker<'_> {
    fn report(&self, loaded: Loaded) -> anyhow::Result<Checked> {
        let (document, analysis) = match loaded {
            Ok(loaded) => loaded,
            Err(InputFailure { id, reason }) => {
                let report = SubmissionReport::error(&id, reason);
                return Ok(Checked { report, pages: Pages::default(), member: None });
            }
        };
        let vouched = document.vouched();
        let admits = |record: &Record| self.filter.admits(record, &vouched);
        let findings = submission::check(self.index, &analysis, self.settings, admits)?;
        let structure = Structure::find(&document.text, &document.layout);
        let mut exclusions = Vec::new();
        if !self.count_all_parts {
            exclusions = exclusion::of_parts(&structure, &analysis.units);
        }
        if !self.templates.is_empty() {
            let (mut aligner, prepared) = (Aligner::new(self.settings.align), Submission::new(&analysis.units));
            for template in &self.templates {
                exclusions.extend(exclusion::of_template(&aligner.align(&prepared, &template.units)));
            }
        }
        let is_own = |record: &Record| self.own_work.contains(&record.id) || same_author(&record.metadata, &vouched);
        let exclusions = exclusion::apart(exclusions);
        let scope = Scope { structure: &structure, exclusions: &exclusions, is_own: &is_own };
        let report = SubmissionReport::new(&document, &analysis, &findings, self.index, &scope)?;
        let mut pages = Pages::default();
        if self.pages.any() {
            let context = Context { corpus: self.corpus, settings: self.settings, checked: self.checked };
            pages = self.pages.render(&Report::new(&document, &analysis, &findings, &report, &scope, &context))?;
        }
        let member = Member { id: document.id, exclusions };
        Ok(Checked { report, pages, member: Some((member, analysis)) })
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
