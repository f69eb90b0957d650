//! The folder of a check's reports, which is there as a whole or not at all.
//!
//! It is written aside and put in its place in one step. A folder that holds anything but a report of ours is never
//! replaced, and a report only when that is asked for.

use super::batch::Batch;
use super::file_names::FileNames;
use super::html::pair::{self, PairPage};
use super::html::{batch, render_in_folder};
use super::messages::Messages;
use super::rows::{Cell, Rows};
use super::tables::Table;
use super::whole_file::{WholeFile, WriteError, free_name};
use super::xlsx;
use crate::check::{CheckError, Report, SharedReport, Summary, Unread};
use crate::formats::input::REPORT_MARKER;
use crate::messages::Language;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What is written of a check.
#[derive(Debug, Clone)]
pub struct Formats {
    /// The tables.
    pub csv: bool,
    /// Whether tables start with a byte-order mark, by which Excel knows that they are UTF-8.
    pub csv_mark: bool,
    /// A page for each submission, and one for all.
    pub html: bool,
    /// A JSON file for each submission.
    pub json: bool,
    /// One workbook with the main tables.
    pub xlsx: bool,
    /// The language of the pages.
    pub language: Language,
    /// The day of the check (ISO 8601), if it is to be told.
    pub checked: Option<String>,
}

/// Why a folder of reports could not be written. What stood there before stands still.
#[derive(Debug, thiserror::Error, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FolderError {
    /// There is a report already, and it was not to be replaced.
    #[error("{path}: holds the report of an earlier check")]
    HoldsReport {
        /// The folder.
        path: PathBuf,
    },
    /// There are files that are not ours.
    #[error("{path}: holds other files than a report; a report needs a folder of its own")]
    HoldsOthers {
        /// The folder.
        path: PathBuf,
    },
    /// No submission could be checked, which is no reason to replace a report.
    #[error("{path}: the earlier report was kept, because no submission could be checked")]
    NothingChecked {
        /// The folder.
        path: PathBuf,
    },
    /// The report there could not be moved out of the way. The new one is kept beside it.
    #[error(
        "{path}: the earlier report could not be moved away ({said}); on Windows that is so while another program has one of \
         its files open. The new report is in {kept}"
    )]
    NotReplaced {
        /// The folder.
        path: PathBuf,
        /// Where the new report is.
        kept: PathBuf,
        /// What the system says.
        said: String,
    },
    /// The disk is full or fails.
    #[error(transparent)]
    #[serde(skip)]
    Write(#[from] WriteError),
    /// The workbook could not be made.
    #[error("the workbook could not be made: {0}")]
    #[serde(skip)]
    Workbook(#[from] rust_xlsxwriter::XlsxError),
    /// A page or a JSON file could not be made, which should not happen.
    #[error("a report could not be written as JSON: {0}")]
    #[serde(skip)]
    Json(#[from] serde_json::Error),
    /// The texts of the submissions could not be read back.
    #[error(transparent)]
    #[serde(skip)]
    Texts(#[from] CheckError),
}

/// A folder of reports that is being written.
pub struct ReportFolder {
    target: PathBuf,
    staging: TempDir,
    formats: Formats,
    /// Whether a report is to be replaced.
    replaces: bool,
    names: FileNames,
    submissions: Vec<Written>,
}

/// What is kept of a submission until all are known.
struct Written {
    id: String,
    outcome: Result<Summary, Unread>,
    rows: Rows,
    /// The name of its page, without the ending.
    page: Option<String>,
}

/// The files and rows of one submission, not yet written.
pub struct Rendered {
    /// Its figures, or why it could not be checked.
    pub outcome: Result<Summary, Unread>,
    rows: Rows,
    html: Option<String>,
    json: Option<String>,
}

impl Formats {
    /// Renders what became of a submission, for a folder of these formats; on any thread.
    ///
    /// # Errors
    /// When a value cannot be written as JSON, which none should be.
    pub fn render(&self, checked: Result<Report, Unread>) -> Result<Rendered, FolderError> {
        match checked {
            Err(unread) => {
                Ok(Rendered { rows: Rows::of_unread(&unread), outcome: Err(unread), html: None, json: None })
            }
            Ok(mut report) => {
                report.checked.clone_from(&self.checked);
                let page = || render_in_folder(&report, Messages::of(self.language));
                let html = self.html.then(page).transpose()?;
                let json = self.json.then(|| report.to_json()).transpose()?;
                Ok(Rendered { rows: Rows::of(&report), outcome: Ok(report.summary()), html, json })
            }
        }
    }
}

impl ReportFolder {
    /// Begins a folder, so that one that cannot be written to is known at once. An earlier report is replaced if `overwrite`
    /// says so.
    ///
    /// # Errors
    /// When there is a report already or something else, or nothing can be written there.
    pub fn create(folder: &Path, formats: Formats, overwrite: bool) -> Result<Self, FolderError> {
        let path = || folder.to_owned();
        let replaces = match content(folder).map_err(|error| WriteError::new(folder, error))? {
            Content::Nothing => false,
            Content::Report if overwrite => true,
            Content::Report => return Err(FolderError::HoldsReport { path: path() }),
            Content::Others => return Err(FolderError::HoldsOthers { path: path() }),
        };
        let staging = stage(folder).map_err(|error| WriteError::new(folder, error))?;
        let submissions = Vec::new();
        Ok(ReportFolder { target: path(), staging, formats, replaces, names: FileNames::default(), submissions })
    }

    /// What is written.
    pub fn formats(&self) -> &Formats {
        &self.formats
    }

    /// Writes the files of a submission. Their names depend on the order of the submissions.
    ///
    /// # Errors
    /// When the disk is full or fails.
    pub fn add(&mut self, rendered: Rendered) -> Result<(), FolderError> {
        let Rendered { outcome, rows, html, json } = rendered;
        let id = outcome.as_ref().map_or_else(|unread| &unread.id, |summary| &summary.id).clone();
        let mut page = None;
        if html.is_some() || json.is_some() {
            let name = self.names.name(&id);
            for (content, ending) in [(&html, "html"), (&json, "json")] {
                if let Some(content) = content {
                    self.write(&format!("{name}.{ending}"), content.as_bytes())?;
                }
            }
            page = html.map(|_| name);
        }
        self.submissions.push(Written { id, outcome, rows, page });
        Ok(())
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), WriteError> {
        WholeFile::write(&self.staging.path().join(name), bytes)
    }

    /// Writes what is of all submissions, in the order of their ids.
    ///
    /// # Errors
    /// When no submission was checked and there is an earlier report, or the disk is full or fails.
    pub fn complete(&mut self, batch: &Batch<'_>) -> Result<(), FolderError> {
        if self.replaces && self.submissions.iter().all(|written| written.outcome.is_err()) {
            return Err(FolderError::NothingChecked { path: self.target.clone() });
        }
        // The sort is stable: of two with one id the one that was read first stays first.
        self.submissions.sort_by(|a, b| a.id.cmp(&b.id));
        let rows: Vec<&Rows> = self.submissions.iter().map(|written| &written.rows).collect();
        if self.formats.xlsx {
            let pages: BTreeMap<&str, &str> = self.named_pages().collect();
            let workbook = xlsx::render(&rows, batch.shared, &pages, Messages::of(self.formats.language))?;
            self.write("report.xlsx", &workbook)?;
        }
        if self.formats.html {
            let checked: Vec<batch::Entry> = self
                .submissions
                .iter()
                .filter_map(|w| Some(batch::Entry { summary: w.outcome.as_ref().ok()?, page: w.page.as_deref() }))
                .collect();
            let unread: Vec<&Unread> = self.submissions.iter().filter_map(|w| w.outcome.as_ref().err()).collect();
            let (day, words) = (self.formats.checked.as_deref(), Messages::of(self.formats.language));
            let pairs = pair_pages(batch, &mut self.names, words)?;
            let html = batch::render(&checked, &unread, &pairs, batch, day, words)?;
            self.write("index.html", html.as_bytes())?;
            for page in &pairs {
                self.write(&format!("{}.html", page.name), page.html.as_bytes())?;
            }
        }
        if self.formats.csv {
            self.write_tables(&rows, batch.shared)?;
        }
        Ok(())
    }

    fn write_tables(&self, rows: &[&Rows], shared: Option<&SharedReport>) -> Result<(), WriteError> {
        self.write_table("summary.csv", Rows::SUMMARY, rows.iter().map(|rows| &rows.summary))?;
        self.write_table("sources.csv", Rows::SOURCES, rows.iter().flat_map(|rows| &rows.sources))?;
        self.write_table("passages.csv", Rows::PASSAGES, rows.iter().flat_map(|rows| &rows.passages))?;
        if rows.iter().any(|rows| rows.resemblances.is_some()) {
            let found = rows.iter().flat_map(|rows| rows.resemblances.iter().flatten());
            self.write_table("resemblances.csv", Rows::RESEMBLANCES, found)?;
        }
        self.write_table("chapters.csv", Rows::CHAPTERS, rows.iter().flat_map(|rows| &rows.chapters))?;
        self.write_table("excluded.csv", Rows::EXCLUDED, rows.iter().flat_map(|rows| &rows.excluded))?;
        self.write_table("flags.csv", Rows::FLAGS, rows.iter().flat_map(|rows| &rows.flags))?;
        if let Some(shared) = shared {
            let rows: Vec<Vec<Cell>> = shared.pairs.iter().map(Rows::shared).collect();
            self.write_table("shared.csv", Rows::SHARED, rows.iter())?;
        }
        Ok(())
    }

    fn write_table<'a>(
        &self,
        name: &str,
        columns: &str,
        mut rows: impl Iterator<Item = &'a Vec<Cell>>,
    ) -> Result<(), WriteError> {
        let path = self.staging.path().join(name);
        let create = if self.formats.csv_mark { Table::create_with_mark } else { Table::create };
        let mut table = create(&path, columns)?;
        rows.try_for_each(|row| table.write(row))?;
        table.finish()
    }

    /// The pages of the submissions, which may be printed before the folder is finished: a PDF file beside each.
    pub fn pages(&self) -> Vec<PathBuf> {
        let names: BTreeMap<&str, &str> = self.named_pages().collect();
        names.values().map(|name| self.staging.path().join(format!("{name}.html"))).collect()
    }

    /// The ids of the submissions that have a page, each with the name of it.
    fn named_pages(&self) -> impl Iterator<Item = (&str, &str)> {
        self.submissions.iter().filter_map(|written| Some((written.id.as_str(), written.page.as_deref()?)))
    }

    /// Puts the folder in its place.
    ///
    /// # Errors
    /// When the file system fails; then what stood there before stands still. A report that was to replace another is kept
    /// beside it.
    pub fn finish(self) -> Result<(), FolderError> {
        let marker =
            "This folder was written by copytrace, which replaces it as a whole and never reads it as input.\n";
        self.write(REPORT_MARKER, marker.as_bytes())?;
        let ReportFolder { target, staging, replaces, .. } = self;
        put(staging, &target, replaces)
    }
}

/// The pages of the pairs with the largest shares.
fn pair_pages(batch: &Batch<'_>, names: &mut FileNames, words: &Messages) -> Result<Vec<PairPage>, FolderError> {
    let (Some(shared), Some(texts)) = (batch.shared, batch.texts) else { return Ok(Vec::new()) };
    let mut pages = Vec::new();
    for (number, pair) in (1..).zip(pair::ranked(shared).into_iter().take(pair::MOST_PAGES)) {
        if let (Some(first), Some(second)) = (texts.of(&pair.first)?, texts.of(&pair.second)?) {
            let html = pair::render(pair, &first, &second, words)?;
            let ids = (pair.first.clone(), pair.second.clone());
            pages.push(PairPage { ids, name: names.name(&format!("pair-{number:03}")), html });
        }
    }
    Ok(pages)
}

/// What stands in the place of a folder.
enum Content {
    /// Nothing, or an empty folder.
    Nothing,
    /// A report of ours.
    Report,
    /// Something else.
    Others,
}

fn content(folder: &Path) -> io::Result<Content> {
    if folder.join(REPORT_MARKER).is_file() {
        return Ok(Content::Report);
    }
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().transpose()?.map_or(Content::Nothing, |_| Content::Others)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Content::Nothing),
        Err(error) => Err(error),
    }
}

/// A folder to write in: beside the target, or in it where nothing can be written beside it.
fn stage(target: &Path) -> io::Result<TempDir> {
    let parent = match target.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(parent)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".copytrace-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o777));
    }
    match builder.tempdir_in(parent) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied && target.is_dir() => builder.tempdir_in(target),
        staged => staged,
    }
}

/// Puts a staged folder in its place, and takes away the report that stood there.
fn put(staging: TempDir, target: &Path, replaces: bool) -> Result<(), FolderError> {
    let failed = |error| FolderError::from(WriteError::new(target, error));
    if staging.path().parent() == Some(target) {
        return move_files(staging.path(), target).map_err(failed);
    }
    if replaces {
        // What stands there goes under the name of the staged folder, which is removed in the end.
        let aside = staging.path().with_extension("old");
        if let Err(error) = fs::rename(target, &aside) {
            let kept = free_name(target);
            let staged = staging.keep();
            let kept = if fs::rename(&staged, &kept).is_ok() { kept } else { staged };
            return Err(FolderError::NotReplaced { path: target.to_owned(), kept, said: error.to_string() });
        }
        if let Err(error) = fs::rename(staging.path(), target) {
            fs::rename(&aside, target).map_err(failed)?;
            return Err(failed(error));
        }
        // The new report is in its place; what is left of the old one harms nobody.
        let _ = fs::remove_dir_all(&aside);
        let _ = staging.keep();
        return Ok(());
    }
    match fs::rename(staging.path(), target) {
        Ok(()) => {
            let _ = staging.keep();
            Ok(())
        }
        // An empty folder that cannot be replaced, such as one on a file system of its own.
        Err(_) if target.is_dir() => move_files(staging.path(), target).map_err(failed),
        Err(error) => Err(failed(error)),
    }
}

/// Moves or copies files into an empty folder.
fn move_files(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if fs::rename(entry.path(), &target).is_err() {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Reference;

    fn formats() -> Formats {
        let language = Language::ENGLISH;
        Formats { csv: true, csv_mark: false, html: false, json: false, xlsx: false, language, checked: None }
    }

    fn write(folder: &Path, outcome: Result<Summary, Unread>, overwrite: bool) -> Result<(), FolderError> {
        let mut report = ReportFolder::create(folder, formats(), overwrite)?;
        report.add(Rendered { outcome, rows: Rows::of_unread(&Unread::new("a", "b")), html: None, json: None })?;
        let (reference, affiliations) = (Reference::default(), BTreeMap::new());
        let reference = Some(&reference);
        report.complete(&Batch {
            reference,
            shared: None,
            texts: None,
            affiliations: &affiliations,
            threshold: None,
        })?;
        report.finish()
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_report_takes_the_place_of_another_as_a_whole_and_only_when_asked_to() {
        let bench = tempfile::tempdir().unwrap();
        let folder = bench.path().join("deep/report");
        write(&folder, Ok(Summary::default()), false).unwrap();
        fs::write(folder.join("old.html"), "of the run before").unwrap();
        let before = names(&folder);
        assert!(matches!(write(&folder, Ok(Summary::default()), false), Err(FolderError::HoldsReport { .. })));
        assert_eq!(names(&folder), before);
        write(&folder, Ok(Summary::default()), true).unwrap();
        assert!(!names(&folder).contains(&"old.html".to_owned()));
        assert_eq!(names(folder.parent().unwrap()), ["report"], "nothing is left beside it");
    }

    #[test]
    fn a_report_is_not_replaced_by_one_in_which_nothing_was_checked() {
        let bench = tempfile::tempdir().unwrap();
        let folder = bench.path().join("report");
        write(&folder, Ok(Summary::default()), false).unwrap();
        fs::write(folder.join("good.html"), "").unwrap();
        let refused = write(&folder, Err(Unread::new("mistyped.pdf", "no such file")), true);
        assert!(matches!(refused, Err(FolderError::NothingChecked { .. })));
        assert!(names(&folder).contains(&"good.html".to_owned()));
        assert_eq!(names(bench.path()), ["report"]);
    }

    #[test]
    fn a_report_that_cannot_take_the_place_of_another_is_kept_beside_it() {
        let bench = tempfile::tempdir().unwrap();
        let folder = bench.path().join("report");
        write(&folder, Ok(Summary::default()), false).unwrap();
        let staging = stage(&folder).unwrap();
        fs::write(staging.path().join("new.html"), "").unwrap();
        // Nothing can be moved away that is not there, as nothing can on Windows that another program has open.
        fs::rename(&folder, bench.path().join("elsewhere")).unwrap();
        fs::create_dir(bench.path().join("report-2")).unwrap();
        match put(staging, &folder, true) {
            Err(FolderError::NotReplaced { kept, .. }) => assert_eq!(names(&kept), ["new.html"]),
            other => panic!("{other:?}"),
        }
        assert_eq!(names(bench.path()), ["elsewhere", "report-2", "report-3"]);
    }

    #[test]
    fn what_is_no_report_of_ours_is_never_replaced() {
        let bench = tempfile::tempdir().unwrap();
        fs::write(bench.path().join("thesis.txt"), "mine").unwrap();
        for overwrite in [false, true] {
            let refused = write(bench.path(), Ok(Summary::default()), overwrite);
            assert!(matches!(refused, Err(FolderError::HoldsOthers { .. })));
        }
        assert_eq!(names(bench.path()), ["thesis.txt"]);
    }
}
