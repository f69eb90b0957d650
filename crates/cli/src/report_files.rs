//! The files that `copytrace check` writes: tables, pages and workbooks, each whole or not at all.

use super::args::{FormatOptions, ReportFormat};
use super::console::Console;
use super::printing::Printer;
use copytrace::report::file_names::FileNames;
use copytrace::report::html::{batch, page};
use copytrace::report::json;
use copytrace::report::messages::Messages;
use copytrace::report::model::{Corpus, Report};
use copytrace::report::parts::{CHAPTERS_COLUMNS, EXCLUDED_COLUMNS, FLAGS_COLUMNS};
use copytrace::report::rows::{PASSAGES_COLUMNS, SOURCES_COLUMNS, SUMMARY_COLUMNS, SubmissionReport};
use copytrace::report::shared::{SHARED_COLUMNS, SharedRow};
use copytrace::report::tables::{Table, WriteError};
use copytrace::report::whole_file::WholeFile;
use copytrace::report::xlsx;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Which files each submission gets, and in what language.
#[derive(Clone, Copy)]
pub struct PageFormats {
    html: bool,
    json: bool,
    words: &'static Messages,
}

/// The files of one submission, not yet written.
#[derive(Default)]
pub struct Pages {
    html: Option<String>,
    json: Option<String>,
}

impl PageFormats {
    /// Whether a submission gets a file at all.
    pub fn any(self) -> bool {
        self.html || self.json
    }

    /// The files of one submission.
    pub fn render(self, report: &Report) -> Result<Pages, serde_json::Error> {
        let html = self.html.then(|| page::render(report, self.words)).transpose()?;
        let json = self.json.then(|| json::render(report)).transpose()?;
        Ok(Pages { html, json })
    }
}

/// The folder of the reports, with what is begun in it.
pub struct ReportFiles {
    folder: PathBuf,
    tables: Option<Tables>,
    pages: PageFormats,
    workbook: bool,
    pdf: bool,
    /// The day of the check, if it is to be told.
    checked: Option<String>,
    names: FileNames,
    /// The name of each submission's files, by its id.
    named: BTreeMap<String, String>,
}

impl ReportFiles {
    /// Begins the reports, so that a folder that cannot be written to is known at once.
    pub fn create(folder: &Path, options: &FormatOptions) -> anyhow::Result<Self> {
        let wants = |format| options.format.contains(&format);
        let tables = if wants(ReportFormat::Csv) { Some(Tables::create(folder, options.csv_bom)?) } else { None };
        let pdf = wants(ReportFormat::Pdf);
        let html = wants(ReportFormat::Html) || pdf;
        let pages = PageFormats { html, json: wants(ReportFormat::Json), words: options.language().messages() };
        let workbook = wants(ReportFormat::Xlsx);
        Ok(ReportFiles {
            folder: folder.to_owned(),
            tables,
            pages,
            workbook,
            pdf,
            checked: options.date.clone(),
            names: FileNames::default(),
            named: BTreeMap::new(),
        })
    }

    /// Which files each submission gets.
    pub fn pages(&self) -> PageFormats {
        self.pages
    }

    /// Writes the files of one submission. Of two with one id the first counts.
    pub fn write_pages(&mut self, id: &str, pages: Pages) -> Result<(), WriteError> {
        if self.named.contains_key(id) || pages.html.is_none() && pages.json.is_none() {
            return Ok(());
        }
        let name = self.names.name(id);
        for (content, ending) in [(pages.html, "html"), (pages.json, "json")] {
            if let Some(content) = content {
                WholeFile::write(&self.folder.join(format!("{name}.{ending}")), content.as_bytes())?;
            }
        }
        self.named.insert(id.to_owned(), name);
        Ok(())
    }

    /// Writes what is of all submissions, in the order of their ids. Gives whether every page was printed that was to be.
    pub fn finish(
        self,
        reports: &[SubmissionReport],
        shared: Option<&[SharedRow]>,
        corpus: &Corpus,
        console: &Console,
    ) -> anyhow::Result<bool> {
        if self.workbook {
            xlsx::write(&self.folder.join("report.xlsx"), reports)?;
        }
        if self.pages.html {
            let page = |report: &SubmissionReport| {
                let named = self.named.get(&report.summary.submission).filter(|_| report.summary.status == "ok");
                named.map(String::as_str)
            };
            let entries: Vec<batch::Entry> =
                reports.iter().map(|report| batch::Entry { report, page: page(report) }).collect();
            let html = batch::render(&entries, shared, corpus, self.checked.as_deref(), self.pages.words)?;
            WholeFile::write(&self.folder.join("index.html"), html.as_bytes())?;
        }
        if let Some(tables) = self.tables {
            if let Some(rows) = shared {
                tables.write_shared(&self.folder, rows)?;
            }
            tables.write(reports)?;
        }
        let pages: Vec<PathBuf> = self.named.values().map(|name| self.folder.join(format!("{name}.html"))).collect();
        Ok(!self.pdf || print(&pages, console))
    }
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
        if let Err(error) = printer.print(page, &page.with_extension("pdf")) {
            console.error(&format!("{}: {error:#}", page.display()));
            all = false;
        }
        counter.inc(1);
    }
    counter.finish_and_clear();
    all
}

/// The CSV tables, begun together and put in their places together.
struct Tables {
    create: fn(&Path, &str) -> Result<Table, WriteError>,
    summary: Table,
    sources: Table,
    passages: Table,
    chapters: Table,
    excluded: Table,
    flags: Table,
}

impl Tables {
    fn create(folder: &Path, mark: bool) -> Result<Self, WriteError> {
        let create: fn(&Path, &str) -> Result<Table, WriteError> =
            if mark { Table::create_with_mark } else { Table::create };
        let table = |name: &str, columns: &str| create(&folder.join(name), columns);
        Ok(Tables {
            create,
            summary: table("summary.csv", SUMMARY_COLUMNS)?,
            sources: table("sources.csv", SOURCES_COLUMNS)?,
            passages: table("passages.csv", PASSAGES_COLUMNS)?,
            chapters: table("chapters.csv", CHAPTERS_COLUMNS)?,
            excluded: table("excluded.csv", EXCLUDED_COLUMNS)?,
            flags: table("flags.csv", FLAGS_COLUMNS)?,
        })
    }

    /// The table of a batch whose submissions were compared with each other.
    fn write_shared(&self, folder: &Path, rows: &[SharedRow]) -> Result<(), WriteError> {
        let mut table = (self.create)(&folder.join("shared.csv"), SHARED_COLUMNS)?;
        rows.iter().try_for_each(|row| table.write(row))?;
        table.finish()
    }

    fn write(mut self, reports: &[SubmissionReport]) -> Result<(), WriteError> {
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
