//! What a worker does: a process that gets orders on standard input and tells its news on standard output, until the server
//! closes the pipe or kills it.

mod harvesting;

use super::protocol::{Changed, News, Order, Outcome, ReportColumns};
use super::why::Why;
use crate::reading::{self, ReadingError};
use crate::rounds::Counts;
use copytrace::check::{Addition, CheckError, Checker, Itself, Library, Reason, Rules, Unread};
use copytrace::formats::input::{Inputs, ReadLimits};
use copytrace::index::{Index, IndexError, IndexWriter, MergePolicy};
use copytrace::job::Job;
use copytrace::report::whole_file::WholeFile;
use copytrace::search::filter::Filter;
use copytrace::settings::Settings;
use copytrace::sketch::analysers::Analysers;
use copytrace::text::{Document, Metadata};
use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Ids of submissions in indexes begin with this; no file's does, for a file has an ending.
pub const SUBMISSION: &str = "submission-";

/// Documents that are put into an index together.
const BATCH: usize = 64;

/// Why an order is not carried out.
enum Failure {
    /// It never will be.
    Failed(&'static str, Why),
    /// The process that read the file died.
    Died,
    /// Another process is changing the index, the disk is full, or no process can be started: that passes.
    Later,
}

/// A failure to write something, which passes when the disk is full.
fn unwritten(error: &(dyn std::error::Error + 'static)) -> Failure {
    let mut cause = Some(error);
    while let Some(of) = cause {
        if of.downcast_ref::<std::io::Error>().is_some_and(|of| of.kind() == std::io::ErrorKind::StorageFull) {
            return Failure::Later;
        }
        cause = of.source();
    }
    Failure::Failed("disk", Why::failed(error))
}

impl From<IndexError> for Failure {
    fn from(error: IndexError) -> Self {
        match error {
            IndexError::Locked { .. } => Failure::Later,
            IndexError::Io { error, .. } if error.kind() == std::io::ErrorKind::StorageFull => Failure::Later,
            IndexError::Catalogue { error, .. } if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull) => {
                Failure::Later
            }
            error => Failure::Failed("index", Why::failed(error)),
        }
    }
}

impl From<ReadingError> for Failure {
    fn from(error: ReadingError) -> Self {
        match error {
            ReadingError::Unread(unread) => Failure::Failed("unreadable", unread.reason.into()),
            ReadingError::Died => Failure::Died,
            // Too many processes, or too little memory: that passes.
            ReadingError::Io(_) => Failure::Later,
        }
    }
}

impl From<CheckError> for Failure {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::Index(error) => error.into(),
            CheckError::TooShort(short) => Failure::Failed("unreadable", Reason::from(short).into()),
            CheckError::NothingLeft => Failure::Failed("unreadable", Reason::NothingLeft.into()),
            error => Failure::Failed("unreadable", Why::failed(error)),
        }
    }
}

/// Carries out orders until there are no more; reads scans if there is to be OCR.
///
/// # Errors
/// When a pipe breaks.
pub fn run(orders: impl BufRead, mut news: impl Write, ocr: bool) -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, set_parent_process_death_signal};
        // A worker that outlives its server would do work that the next server does again.
        set_parent_process_death_signal(Some(Signal::KILL))?;
    }
    let mut tell = |told: &News| -> std::io::Result<()> {
        serde_json::to_writer(&mut news, told)?;
        news.write_all(b"\n")?;
        news.flush()
    };
    tell(&News::Ready)?;
    for order in orders.lines() {
        let order: Order = serde_json::from_str(&order?)?;
        let last = match carry_out(order, ocr, &mut |percent| {
            // Without a server nobody waits for the work, and the next server does it again.
            if tell(&News::Progress(percent)).is_err() {
                std::process::exit(70);
            }
        }) {
            Ok(outcome) => News::Done(outcome),
            Err(Failure::Failed(code, why)) => News::Failed { code: code.to_owned(), why },
            Err(Failure::Later) => News::Later,
            // The server counts it against the job.
            Err(Failure::Died) => std::process::exit(70),
        };
        tell(&last)?;
    }
    Ok(())
}

fn carry_out(order: Order, ocr: bool, progress: &mut dyn FnMut(u8)) -> Result<Outcome, Failure> {
    match order {
        Order::Check { file, folders, templates, exclude, own_work, counts, output } => {
            let filter = Filter { exclude_ids: exclude, ..Filter::default() };
            // The student's versions are left out by their ids. Whoever hands in another's whole text must not get 0 %, as if
            // that were the submission itself.
            let Counts { count_all_parts, ignore_common } = counts;
            let rules = Rules { filter, own_work, itself: Itself::Source, count_all_parts, ignore_common };
            let document = reading::read(&file, ocr, &mut || progress(1))?;
            check(document, &folders, &templates, rules, &output, progress)
        }
        Order::Enter { file, folder, id, replaces } => {
            let read = reading::read(&file, ocr, &mut || progress(1))?;
            progress(50);
            // What a file says of its author would name a person.
            let metadata = Metadata { title: read.metadata.title.clone(), ..Metadata::default() };
            let document = Document { id, metadata, vouched_author: None, ..read };
            let mut writer = IndexWriter::open(&folder)?;
            for replaced in replaces {
                writer.remove(&replaced)?;
            }
            let mut filling = Filling::new(writer);
            filling.add(vec![Ok(document)])?;
            let mut changed = filling.finish()?;
            match changed.missing.pop() {
                Some(unread) => Err(Failure::Failed("unreadable", unread.reason.into())),
                None => Ok(Outcome::Changed(changed)),
            }
        }
        Order::Remove { folder, ids } => {
            let mut writer = IndexWriter::open(&folder)?;
            for id in ids {
                writer.remove(&id)?;
            }
            writer.commit()?;
            writer.compact(&MergePolicy::default())?;
            Ok(Outcome::Changed(Changed::default()))
        }
        Order::Harvest { folder, harvest } => harvesting::run(&folder, harvest, progress).map(Outcome::Changed),
        Order::Fill { folder, from, unread } => {
            let mut changed = fill(&folder, &from, ocr, progress)?;
            changed.missing.splice(..0, unread);
            Ok(Outcome::Changed(changed))
        }
    }
}

fn check(
    document: Document,
    folders: &[PathBuf],
    templates: &[PathBuf],
    rules: Rules,
    output: &Path,
    progress: &mut dyn FnMut(u8),
) -> Result<Outcome, Failure> {
    progress(30);
    let library = Library::open(folders)?;
    let own: Vec<&str> = rules.filter.exclude_ids.iter().map(String::as_str).collect();
    let mut left_out = BTreeSet::new();
    for folder in folders {
        left_out.extend(own.iter().zip(Index::holds(folder, &own)?).filter(|(_, holds)| *holds).map(|(id, _)| *id));
    }
    // A ratio of nothing, or of nothing but the submission itself, would read as a clean text.
    if library.len() <= left_out.len() {
        return Err(Failure::Failed("nothing_to_compare", Why::NothingToCompareWith));
    }
    let checker = Checker::new(Arc::new(library), Settings::default(), rules);
    let templates: Vec<Document> =
        templates.iter().map(|path| reading::read(path, false, &mut || {})).collect::<Result<_, _>>()?;
    let unusable = |error: CheckError| match error {
        CheckError::Unread(unread) => Failure::Failed("template", Why::BadTemplate { reason: unread.reason }),
        error => error.into(),
    };
    let checker = checker.with_templates(&templates, &Job::default()).map_err(unusable)?;
    let report = checker.check(document, &Job::default())?.report();
    progress(80);
    let ids: Vec<&str> = report.sources.iter().map(|source| source.id.as_str()).collect();
    let mut origins = vec![String::new(); ids.len()];
    for folder in folders {
        for (origin, holds) in origins.iter_mut().zip(Index::holds(folder, &ids)?) {
            // The first folder that holds an id is the one that was compared.
            if holds && origin.is_empty() {
                *origin = folder.display().to_string();
            }
        }
    }
    let meetings = report.sources.iter().filter(|source| source.id.starts_with(SUBMISSION));
    let columns = ReportColumns {
        number: report.number.clone(),
        copy_ratio: report.ratios.all.ratio,
        compared_share: report.compared.share(),
        passages: report.passages.len(),
        flags: report.flags.len(),
        characters: report.ratios.all.characters,
        origins,
        meetings: meetings.map(|source| (source.id.clone(), source.matched, source.ratio)).collect(),
    };
    let rendered = report.to_json().map_err(|error| unwritten(&error))?;
    WholeFile::write(output, rendered.as_bytes()).map_err(|error| unwritten(&error))?;
    Ok(Outcome::Report(columns))
}

/// Documents on their way into an index.
struct Filling {
    writer: IndexWriter,
    analysers: Analysers,
    changed: Changed,
}

impl Filling {
    fn new(writer: IndexWriter) -> Self {
        let analysers = Analysers::new(writer.settings());
        Filling { writer, analysers, changed: Changed::default() }
    }

    fn miss(&mut self, unread: &Unread) {
        if self.changed.missing.len() < 100 {
            self.changed.missing.push(unread.clone());
        }
    }

    fn add(&mut self, batch: Vec<Result<Document, Unread>>) -> Result<(), Failure> {
        for addition in self.writer.add_all(&self.analysers, batch, crate::store::now(), &Job::default())? {
            match addition {
                Addition::New(_) => self.changed.added += 1,
                Addition::Unread(unread) => self.miss(&unread),
                Addition::Replaced(_) | Addition::Unchanged(_) => {}
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Changed, Failure> {
        self.writer.commit()?;
        self.writer.merge_segments(&MergePolicy::default())?;
        Ok(self.changed)
    }
}

/// Puts all documents below a folder into an index: JSON lines are read here, all other files in a process of their own.
fn fill(folder: &Path, from: &Path, ocr: bool, progress: &mut dyn FnMut(u8)) -> Result<Changed, Failure> {
    let mut filling = Filling::new(IndexWriter::open(folder)?);
    let mut files = Vec::new();
    list(from, &mut files)
        .map_err(|error| Failure::Failed("unreadable", Why::failed(format!("{}: {error}", from.display()))))?;
    files.sort();
    let mut batch = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let name = file.strip_prefix(from).unwrap_or(file).to_string_lossy().replace('\\', "/");
        if [".jsonl", ".jsonl.gz", ".jsonl.zst"].iter().any(|ending| name.ends_with(ending)) {
            let limits = ReadLimits::default();
            for raw in Inputs::open(std::slice::from_ref(file), limits.clone()) {
                batch.push(raw.and_then(|raw| raw.extract(&limits)).map_err(Unread::from));
                if batch.len() == BATCH {
                    filling.add(std::mem::take(&mut batch))?;
                    // A sign of life: a file may hold a million documents.
                    progress((at * 90 / files.len()) as u8);
                }
            }
        } else {
            let percent = (at * 90 / files.len()) as u8;
            batch.push(match reading::read(file, ocr, &mut || progress(percent)) {
                Ok(document) => Ok(Document { id: name, ..document }),
                Err(ReadingError::Unread(unread)) => Err(Unread { id: name, ..unread }),
                Err(error) => Err(Unread::new(&name, error.to_string())),
            });
        }
        if batch.len() >= BATCH {
            filling.add(std::mem::take(&mut batch))?;
        }
        progress((at * 90 / files.len()) as u8);
    }
    filling.add(batch)?;
    filling.finish()
}

/// The files below a folder whose names do not begin with a dot. Links are not followed.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        if kind.is_dir() {
            list(&entry.path(), files)?;
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
    Ok(())
}
