//! What `copytrace check` is told: the documents, what of them counts, and the reports.

use super::basis::BasisOptions;
use super::passages::AlignOptions;
use super::sketch::SketchOptions;
use super::values::{day, share};
use super::{MORE, PATH_HELP};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use copytrace_messages::Language;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = MORE, after_long_help = format!("{PATH_HELP}\n\nExamples:\n  \
    copytrace check thesis.txt --corpus references/ -o report\n  \
    copytrace check submissions.zip --corpus a.jsonl.gz --corpus b/ -o report --fail-above 0.3\n  \
    copytrace check theses/ --index library/ --exclude-same-author -o report\n  \
    copytrace check essays/ -o report\n  \
    cat clue.txt | copytrace check - --corpus references/ -o report"))]
pub struct CheckOptions {
    /// The documents to be checked
    #[arg(required = true, value_name = "SUBMISSION")]
    pub submissions: Vec<PathBuf>,

    /// The reference corpus (may be given several times). Without --corpus and --index the submissions are compared with each other
    #[arg(long, value_name = "PATH")]
    pub corpus: Vec<PathBuf>,

    /// An index that holds the reference corpus; several, and a corpus besides, are searched as if they were one
    #[arg(long, value_name = "DIR")]
    pub index: Vec<PathBuf>,

    /// The folder for the reports
    #[arg(long, short, default_value = "report", value_name = "OUT_DIR")]
    pub output: PathBuf,

    /// Replace the report that OUT_DIR holds
    #[arg(long)]
    pub overwrite: bool,

    /// Exit with code 1 when a submission's overall similarity (copy_ratio) is at or above this, as 0.3 or 30%, or too much of it could not be compared; the
    /// index page marks those above
    #[arg(long, value_name = "RATIO", value_parser = share)]
    pub fail_above: Option<f64>,

    /// Do not compare the submissions with each other
    #[arg(long, hide_short_help = true)]
    pub no_shared: bool,

    /// Look also for passages that are translated or retold, with this model (see `copytrace semantic install`). What is found is told by itself and
    /// is in no ratio of copied text. Slow: some seconds for each megabyte of the corpus, but for what `copytrace index add --semantic` keeps
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub semantic: Option<PathBuf>,

    #[command(flatten)]
    pub formats: FormatOptions,

    #[command(flatten)]
    pub basis: BasisOptions,

    #[command(flatten)]
    pub sketch: SketchOptions,

    #[command(flatten)]
    pub align: AlignOptions,
}

/// What reports are written, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reports")]
pub struct FormatOptions {
    /// What to write, separated by commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "csv,html", value_name = "FORMAT,...")]
    pub format: Vec<ReportFormat>,

    /// Begin CSV files with a byte-order mark, so that Excel reads them as UTF-8; --lang zh does so anyway
    #[arg(long, hide_short_help = true)]
    pub csv_bom: bool,

    /// The day of the check, to be printed in the pages. Without it none is printed, so that the same check gives the same
    /// bytes on any day
    #[arg(long, value_name = "DATE", value_parser = day, hide_short_help = true)]
    pub date: Option<String>,

    /// The language of the pages and of messages: zh or en [default: that of the system]
    #[arg(long, value_parser = languages(), ignore_case = true, value_name = "LANGUAGE")]
    pub lang: Option<Language>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// Tables: summary.csv, sources.csv, passages.csv, chapters.csv, excluded.csv, flags.csv, and shared.csv of a batch
    Csv,
    /// A page for each submission, and index.html
    Html,
    /// A JSON file for each submission, as docs/report.schema.json describes it
    Json,
    /// A workbook with the main tables: report.xlsx
    Xlsx,
    /// Each page printed by Chromium, which must be installed: NAME.pdf in full, NAME.brief.pdf one sheet to sign
    Pdf,
}

impl FormatOptions {
    /// The language asked for, or that of the system.
    pub fn language(&self) -> Language {
        language(self.lang)
    }
}

/// The languages that there are messages in, by their codes and by their other names.
fn languages() -> impl TypedValueParser<Value = Language> {
    let value = |language: Language| {
        // Kept for good, as all that the parser is made of.
        let names = language.names().flat_map(|name| [name, name.replace('-', "_").leak()]);
        PossibleValue::new(language.code()).aliases(names.filter(|name| *name != language.code()))
    };
    let named = |name: String| Language::named(&name).ok_or("no language of this name");
    PossibleValuesParser::new(Language::all().map(value)).try_map(named)
}

/// The language asked for, or that of the system.
pub fn language(asked: Option<Language>) -> Language {
    asked.unwrap_or_else(|| {
        let set = |name: &&str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let set = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(set);
        // Windows and macOS tell it in another way.
        Language::of_locale(&set.or_else(sys_locale::get_locale).unwrap_or_default())
    })
}
