//! The arguments as they are typed, and the settings they stand for.

use super::loading::ReadingOptions;
use clap::{Args, Parser, Subcommand, ValueEnum};
use copytrace::align::AlignSettings;
use copytrace::hamming::Engine;
use copytrace::lsh::banding::Banding;
use copytrace::report::messages::Language;
use copytrace::search::filter::{Filter, seconds_of, seconds_of_age};
use copytrace::settings::{DEFAULT_HASHES, DEFAULT_THRESHOLD, Settings, SketchSettings};
use copytrace::sketch::features::{Features, Weights};
use copytrace::sketch::shingle::Shingling;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Finds which passages of a text stand in other texts too: where, how much, how sure.
///
/// It measures similarity. Whether something is plagiarism, only a person decides.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, max_term_width = 110, after_help = EXIT_CODES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,

    /// Threads to work with [default: one per processor]
    #[arg(long, global = true, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// Say nothing but errors
    #[arg(long, short, global = true)]
    pub quiet: bool,

    /// How messages on standard error are written
    #[arg(long, global = true, value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,
}

const EXIT_CODES: &str = "Exit codes: 0 done; 1 done, and a submission is at or above --fail-above; 2 an error, or \
some input could not be read (everything else was still done and written).";

const PATH_HELP: &str = "A PATH is a file (.txt .md .html .pdf .docx .odt .epub .rtf .tex .doc), a folder (read recursively), a .zip, a .jsonl whose \
lines hold `id` and `text` (also .jsonl.gz, .jsonl.zst), or - for standard input.";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Lines for people
    Text,
    /// One JSON object a line
    Json,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check submissions against a reference corpus: the main job
    Check(CheckOptions),
    /// Find all near-duplicate pairs of documents within a corpus
    Pairs(PairsOptions),
    /// Show which pairs a banding makes candidates, and what that means for a corpus
    Tune(TuneOptions),
    /// Align two documents, or given pairs of documents
    Compare(CompareOptions),
    /// Print the SimHash fingerprints of documents or of their sentences
    Fingerprint(FingerprintOptions),
    /// Find fingerprints that differ in at most k bits
    Near(NearOptions),
    /// Make, fill, look at and tidy a reference index that is kept on disk
    #[command(subcommand)]
    Index(IndexCommand),
    /// Print the text of a PDF file, for a process that protects itself from what it may hold
    #[command(hide = true)]
    ReadPdf {
        /// The file
        file: PathBuf,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, Args)]
#[command(after_help = format!("{PATH_HELP}\n\nExamples:\n  \
    copytrace check thesis.txt --corpus references/ -o report\n  \
    copytrace check submissions.zip --corpus a.jsonl.gz b/ -o report --fail-above 0.3\n  \
    copytrace check theses/ --index library/ --exclude-same-author -o report\n  \
    cat clue.txt | copytrace check - --corpus references/ -o report"))]
pub struct CheckOptions {
    /// The documents to be checked
    #[arg(required = true, value_name = "SUBMISSION")]
    pub submissions: Vec<PathBuf>,

    /// The reference corpus
    #[arg(long, required_unless_present = "index", num_args = 1.., value_name = "PATH")]
    pub corpus: Vec<PathBuf>,

    /// An index that holds the reference corpus; several are searched as if they were one
    #[arg(long, conflicts_with = "corpus", value_name = "DIR")]
    pub index: Vec<PathBuf>,

    /// The folder for the reports
    #[arg(long, short, default_value = "report", value_name = "OUT_DIR")]
    pub output: PathBuf,

    /// Exit with code 1 when a submission's copy ratio is at or above this
    #[arg(long, value_name = "RATIO", value_parser = share)]
    pub fail_above: Option<f64>,

    /// Do not compare the submissions with each other
    #[arg(long)]
    pub no_shared: bool,

    #[command(flatten)]
    pub formats: FormatOptions,

    #[command(flatten)]
    pub scope: ScopeOptions,

    #[command(flatten)]
    pub reading: ReadingOptions,

    #[command(flatten)]
    pub metadata: MetadataOptions,

    #[command(flatten)]
    pub filter: FilterOptions,

    #[command(flatten)]
    pub sketch: SketchOptions,

    #[command(flatten)]
    pub align: AlignOptions,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{PATH_HELP}\n\nExamples:\n  \
    copytrace pairs essays/ -o pairs.csv\n  \
    copytrace pairs corpus.jsonl.zst --threshold 0.5 --shingle chars:9 > pairs.csv\n  \
    copytrace pairs crawl/ --clusters clusters.csv --memory 8GB"))]
pub struct PairsOptions {
    /// The documents to be compared with each other
    #[arg(required_unless_present = "index", value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Compare the documents of an index with each other instead
    #[arg(long, conflicts_with = "paths", value_name = "DIR")]
    pub index: Option<PathBuf>,

    /// Only pairs with a document that the latest addition to the index brought
    #[arg(long, requires = "index")]
    pub new_only: bool,

    /// The file for the pairs [default: standard output, unless --clusters is given]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// A CSV file for the clusters that similar documents form, each with its representative, the smallest id. Without
    /// --output no pairs are written, and a crowd of near-copies costs time linear in its size
    #[arg(long, value_name = "FILE")]
    pub clusters: Option<PathBuf>,

    /// Stop after so many pairs, in the order of the ids, with a notice
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_pairs: Option<u64>,

    /// Memory to use, such as 500MB or 8GB; what does not fit goes to a temporary file [default: half the machine's]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,

    #[command(flatten)]
    pub sketch: SketchOptions,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{PATH_HELP}\n\nExamples:\n  \
    copytrace tune --threshold 0.5\n  \
    copytrace tune corpus.jsonl.zst --bands 42 --rows 6 -o curve.svg"))]
pub struct TuneOptions {
    /// The corpus, of which some documents are sampled [default: the curve alone]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// The file for the drawing (SVG)
    #[arg(long, short, default_value = "s-curve.svg", value_name = "FILE")]
    pub output: PathBuf,

    #[command(flatten)]
    pub sketch: SketchOptions,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    copytrace compare thesis.txt source.txt\n  \
    copytrace compare --list pairs.csv --base corpus/ -o passages.csv\n\n\
    The list is a CSV file with the columns `submission` and `source`: paths below the folder given by --base.")]
pub struct CompareOptions {
    /// The document whose passages are looked for
    #[arg(required_unless_present = "list", requires = "source", value_name = "A")]
    pub submission: Option<PathBuf>,

    /// The document they may stand in
    #[arg(value_name = "B")]
    pub source: Option<PathBuf>,

    /// A CSV file of pairs to compare instead
    #[arg(long, value_name = "PAIRS.csv", conflicts_with_all = ["submission", "source"])]
    pub list: Option<PathBuf>,

    /// The folder that the paths in the list are relative to [default: the list's own]
    #[arg(long, value_name = "DIR", requires = "list")]
    pub base: Option<PathBuf>,

    /// The file for the passages [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub reading: ReadingOptions,

    #[command(flatten)]
    pub sketch: SketchOptions,

    #[command(flatten)]
    pub align: AlignOptions,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{PATH_HELP}\n\n{FINGERPRINT_HELP}\n\nExamples:\n  \
    copytrace fingerprint essays/\n  \
    copytrace fingerprint corpus.jsonl.zst --features keywords:50 --weights levels -o corpus.u64 -o corpus.csv\n  \
    copytrace fingerprint theses/ --sentences --features chars:4 -o sentences.csv"))]
pub struct FingerprintOptions {
    /// The documents
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// A fingerprint for each sentence instead of each document
    #[arg(long)]
    pub sentences: bool,

    /// The file for the fingerprints, .csv or .u64; may be given twice [default: CSV on standard output]
    #[arg(long, short, value_name = "FILE")]
    pub output: Vec<PathBuf>,

    #[command(flatten)]
    pub reading: ReadingOptions,

    #[command(flatten)]
    pub features: FeatureOptions,
}

const FINGERPRINT_HELP: &str = "A fingerprint has 64 bits, written as 16 hexadecimal digits; a .u64 file holds them as \
little-endian words in the order of the documents. A text without features has the fingerprint 0.";

/// What fingerprints are made of.
#[derive(Debug, Args)]
#[command(next_help_heading = "Features")]
pub struct FeatureOptions {
    /// terms (as an index keeps them), chars:K (runs of K characters), words, or keywords:K (the heaviest K by TF-IDF)
    #[arg(long, default_value_t = Features::Terms, value_name = "OF")]
    pub features: Features,

    /// How words and keywords weigh: equal, levels (1 to 5) or real [default: real]
    #[arg(long, value_name = "HOW")]
    pub weights: Option<Weights>,
}

impl FeatureOptions {
    /// The features these options stand for.
    pub fn features(&self) -> anyhow::Result<Features> {
        match self.weights {
            None => Ok(self.features),
            Some(weights) => {
                self.features.with_weights(weights).map_err(|reason| anyhow::anyhow!("--weights: {reason}"))
            }
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = NEAR_HELP)]
pub struct NearOptions {
    /// A document, or a fingerprint of 16 hexadecimal digits, to be searched for in the index (a file of such a name: ./NAME)
    #[arg(value_name = "QUERY", requires = "index", required_unless_present_any = ["queries", "follow"])]
    pub documents: Vec<String>,

    /// The index that is searched; several are searched as if they were one
    #[arg(long, value_name = "DIR")]
    pub index: Vec<PathBuf>,

    /// A file of fingerprints that is searched instead
    #[arg(long, value_name = "FILE", conflicts_with = "index", requires = "queries")]
    pub table: Option<PathBuf>,

    /// A file of fingerprints that are searched for
    #[arg(long, value_name = "FILE", conflicts_with = "documents")]
    pub queries: Option<PathBuf>,

    /// Read documents from standard input, a JSON line each; tell what is near among the earlier ones (and in the index),
    /// then add it (to the index too)
    #[arg(long, conflicts_with_all = ["table", "queries", "documents", "output"])]
    pub follow: bool,

    /// The bits that may differ, 0 to 7
    #[arg(long, short = 'k', default_value_t = 3, value_name = "K", value_parser = clap::value_parser!(u8).range(0..=7))]
    pub distance: u8,

    /// How the table is searched: auto, blocks, multi-index, permuted, compressed, compressed-huffman or scan; all find
    /// the same
    #[arg(long, default_value_t = Engine::Auto, value_name = "ENGINE", requires = "table")]
    pub engine: Engine,

    /// Compare documents by the sentences they share; the files are of `copytrace fingerprint --sentences -o FILE.csv`
    #[arg(long, conflicts_with = "engine", requires = "table")]
    pub sentences: bool,

    /// The file for the matches [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub features: FeatureOptions,

    #[command(flatten)]
    pub filter: FilterOptions,
}

const NEAR_HELP: &str = "\
Two files of fingerprints (.u64, or .csv with a column `fingerprint`) give the row numbers, from 0, of all pairs within k \
bits. An index gives ids, the nearest first. With --follow each line is answered by a line: \
{\"id\":...,\"matches\":[{\"id\":...,\"hamming\":...}]}.

Examples:
  copytrace near --table corpus.u64 --queries new.u64 -k 3 -o near.csv
  copytrace near --sentences --table sentences.csv --queries thesis.csv
  copytrace near --index library/ thesis.txt 1f3870be274f6c49
  tail -f news.jsonl | copytrace near --follow --max-age 7d --exclude-same-author";

#[derive(Debug, Subcommand)]
pub enum IndexCommand {
    /// Make an empty index
    Create {
        /// Its folder, which must not exist or be empty
        dir: PathBuf,
        /// Keep hashed tokens instead of the texts (what that protects, and what not, stands in docs/FORMAT.md)
        #[arg(long)]
        no_text: bool,
        #[command(flatten)]
        sketch: SketchOptions,
    },
    /// Add documents; a changed one takes the place of its old self, an unchanged one is passed over
    #[command(after_help = PATH_HELP)]
    Add {
        /// The index
        dir: PathBuf,
        /// The documents
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        #[command(flatten)]
        reading: ReadingOptions,
        #[command(flatten)]
        metadata: MetadataOptions,
    },
    /// Remove documents
    Remove {
        /// The index
        dir: PathBuf,
        /// Ids of the documents
        #[arg(required_unless_present = "matching", value_name = "ID")]
        ids: Vec<String>,
        /// All documents whose title, author, date or collection is exactly this, as in author=...
        #[arg(long = "where", value_name = "FIELD=VALUE", id = "matching")]
        matching: Option<Condition>,
    },
    /// List the documents as CSV
    List {
        /// The index
        dir: PathBuf,
    },
    /// Tell what the index holds and how its bytes are spent
    Stats {
        /// The index
        dir: PathBuf,
    },
    /// Read every byte and check every checksum and reference
    Verify {
        /// The index
        dir: PathBuf,
    },
    /// Merge all segments, and let removed documents leave for good
    Compact {
        /// The index
        dir: PathBuf,
    },
    /// Take in all documents of other indexes, which must have equal settings
    Merge {
        /// The index
        dir: PathBuf,
        /// The others
        #[arg(required = true, value_name = "FROM")]
        from: Vec<PathBuf>,
    },
    /// Remove documents that are too old, by their date or, without one, by when they were added
    Expire {
        /// The index
        dir: PathBuf,
        /// The age, such as 7d, 12h or 4w
        #[arg(long, value_name = "AGE", value_parser = age)]
        older_than: i64,
    },
}

/// A field of the metadata and the value it must have.
#[derive(Debug, Clone)]
pub struct Condition {
    pub field: String,
    pub value: String,
}

impl std::str::FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((field @ ("title" | "author" | "date" | "collection"), value)) => {
                Ok(Condition { field: field.to_owned(), value: value.to_owned() })
            }
            _ => Err("write title=..., author=..., date=... or collection=...".to_owned()),
        }
    }
}

/// What is known of the documents besides their texts.
#[derive(Debug, Args)]
#[command(next_help_heading = "Metadata")]
pub struct MetadataOptions {
    /// A CSV file with the columns path (as the id would be), id, title, author, date, collection; all but path optional
    #[arg(long, value_name = "FILE.csv")]
    pub manifest: Option<PathBuf>,
}

/// Which documents of the reference are compared.
#[derive(Debug, Args)]
#[command(next_help_heading = "Filters on the reference")]
pub struct FilterOptions {
    /// Only documents of this date or later (ISO 8601); without a date a document counts from when it was added
    #[arg(long, value_name = "DATE", value_parser = date)]
    pub since: Option<i64>,

    /// Only documents of before this date
    #[arg(long, value_name = "DATE", value_parser = date)]
    pub until: Option<i64>,

    /// Only documents no older than this, such as 7d, 12h or 4w
    #[arg(long, value_name = "AGE", value_parser = age, conflicts_with = "since")]
    pub max_age: Option<i64>,

    /// Only documents of this collection (may be given several times)
    #[arg(long, value_name = "NAME")]
    pub collection: Vec<String>,

    /// No documents of the submission's own author
    #[arg(long)]
    pub exclude_same_author: bool,

    /// Not the document with this id (may be given several times)
    #[arg(long, value_name = "ID")]
    pub exclude: Vec<String>,
}

impl FilterOptions {
    /// The filter these options stand for; `now` in seconds since 1970 (UTC).
    pub fn filter(&self, now: i64) -> Filter {
        Filter {
            since: self.since.or(self.max_age.map(|age| now - age)),
            until: self.until,
            collections: self.collection.clone(),
            exclude_same_author: self.exclude_same_author,
            exclude_ids: self.exclude.clone(),
        }
    }
}

fn date(text: &str) -> Result<i64, String> {
    seconds_of(text).ok_or_else(|| "expected a date as 2026-03-31".to_owned())
}

fn day(text: &str) -> Result<String, String> {
    let day: Result<jiff::civil::Date, _> = text.parse();
    day.map(|day| day.to_string()).map_err(|_| "expected a date as 2026-03-31".to_owned())
}

fn age(text: &str) -> Result<i64, String> {
    seconds_of_age(text).ok_or_else(|| "expected a number and m, h, d or w, as in 7d".to_owned())
}

/// What reports are written, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reports")]
pub struct FormatOptions {
    /// What to write, between commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "csv,html", value_name = "FORMAT,...")]
    pub format: Vec<ReportFormat>,

    /// Begin CSV files with a byte-order mark, so that Excel reads them as UTF-8
    #[arg(long)]
    pub csv_bom: bool,

    /// The day of the check, to be printed in the pages. None is, unless given: then the same check gives the same bytes on
    /// any day
    #[arg(long, value_name = "DATE", value_parser = day)]
    pub date: Option<String>,

    /// The language of the pages [default: that of the locale]
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub lang: Option<ReportLanguage>,
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
    /// Each page printed by Chromium, which must be installed
    Pdf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportLanguage {
    /// Chinese
    Zh,
    /// English
    En,
}

impl FormatOptions {
    /// The language asked for, or that of the locale.
    pub fn language(&self) -> Language {
        match self.lang {
            Some(ReportLanguage::Zh) => Language::Chinese,
            Some(ReportLanguage::En) => Language::English,
            None => {
                let set = |name: &&str| std::env::var(name).ok().filter(|value| !value.is_empty());
                Language::of_locale(&["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(set).unwrap_or_default())
            }
        }
    }
}

/// What of a submission counts in its ratios.
#[derive(Debug, Args)]
#[command(next_help_heading = "What counts")]
pub struct ScopeOptions {
    /// A file whose text does not count, such as the university's form or the assignment (may be given several times)
    #[arg(long, value_name = "FILE")]
    pub exclude_template: Vec<PathBuf>,

    /// Ids of the author's own earlier works, which copy_ratio_without_own_work leaves out; works whose author is the
    /// submission's are taken for such anyway
    #[arg(long, value_name = "ID", num_args = 1..)]
    pub own_work: Vec<String>,

    /// Count title page, contents, references, acknowledgements and unseen text too
    #[arg(long)]
    pub count_all_parts: bool,
}

/// How documents are compared as wholes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Whole documents")]
pub struct SketchOptions {
    /// Jaccard similarity from which two documents are similar as wholes [default: 0.7]
    #[arg(long, value_name = "J", value_parser = positive_share)]
    pub threshold: Option<f64>,

    /// What a shingle is: units:K, chars:K or words:K (a unit is a Han character or a word of another script)
    /// [default: units:5, or the index's]
    #[arg(long, value_name = "OF:K")]
    pub shingle: Option<Shingling>,

    /// MinHash functions, 16 to 1024 [default: 256, or the index's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(16..=1024))]
    pub hashes: Option<u32>,

    /// Bands of the signature, with --rows, instead of the banding chosen for --threshold
    #[arg(long, value_name = "B", requires = "rows", value_parser = clap::value_parser!(u32).range(1..))]
    pub bands: Option<u32>,

    /// Values in a band, with --bands
    #[arg(long, value_name = "R", requires = "bands", value_parser = clap::value_parser!(u32).range(1..))]
    pub rows: Option<u32>,

    /// Bits in which SimHash fingerprints may differ to agree that two documents are similar
    #[arg(long, default_value_t = 3, value_name = "BITS", value_parser = clap::value_parser!(u32).range(0..=64))]
    pub hamming: u32,
}

/// Which passages are reported.
#[derive(Debug, Args)]
#[command(next_help_heading = "Passages")]
pub struct AlignOptions {
    /// Which passages count
    #[arg(long, value_enum, default_value_t = Preset::Balanced)]
    pub preset: Preset,

    /// Shortest passage reported, in characters of the submission [default: the preset's]
    #[arg(long, value_name = "CHARS")]
    pub min_match: Option<u32>,

    /// Shortest passage reported, in characters of the source [default: the preset's]
    #[arg(long, value_name = "CHARS")]
    pub min_match_source: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// Every kind of passage, with hardly any false alarm
    Balanced,
    /// Verbatim runs of at least 13 countable characters, and nothing else
    Strict,
    /// Weaker evidence too: more is found, and more of it by chance
    Sensitive,
}

impl SketchOptions {
    /// The settings these options stand for, with the given ones for passages.
    pub fn settings(&self, align: AlignSettings) -> anyhow::Result<Settings> {
        let hashes = self.hashes.unwrap_or(DEFAULT_HASHES);
        let threshold = self.threshold.unwrap_or(DEFAULT_THRESHOLD);
        let mut sketch = SketchSettings::new(self.shingle.unwrap_or_default(), hashes, threshold);
        if let (Some(bands), Some(rows)) = (self.bands, self.rows) {
            let values = u64::from(bands) * u64::from(rows);
            anyhow::ensure!(
                values <= u64::from(hashes),
                "--bands {bands} × --rows {rows} needs {values} hash functions, and there are {hashes} (--hashes)"
            );
            sketch.banding = Banding { bands, rows };
        }
        Ok(Settings { sketch, threshold, hamming_threshold: self.hamming, align, ..Settings::default() })
    }

    /// The settings for searching an index made with `sketch`. Options that would need another index are refused.
    pub fn settings_for_index(&self, sketch: &SketchSettings, align: AlignSettings) -> anyhow::Result<Settings> {
        if let Some(shingle) = self.shingle {
            anyhow::ensure!(
                shingle == sketch.shingling,
                "--shingle {shingle}: the index was made with {}",
                sketch.shingling
            );
        }
        if let Some(hashes) = self.hashes {
            anyhow::ensure!(hashes == sketch.hashes, "--hashes {hashes}: the index was made with {}", sketch.hashes);
        }
        if let (Some(bands), Some(rows)) = (self.bands, self.rows) {
            let banding = sketch.banding;
            anyhow::ensure!(
                banding == Banding { bands, rows },
                "--bands {bands} --rows {rows}: the index was made with {} bands of {} rows",
                banding.bands,
                banding.rows
            );
        }
        let threshold = self.threshold.unwrap_or(DEFAULT_THRESHOLD);
        Ok(Settings { sketch: *sketch, threshold, hamming_threshold: self.hamming, align, ..Settings::default() })
    }
}

impl AlignOptions {
    /// The settings these options stand for.
    pub fn settings(&self) -> AlignSettings {
        let preset = match self.preset {
            Preset::Balanced => AlignSettings::balanced(),
            Preset::Strict => AlignSettings::strict(),
            Preset::Sensitive => AlignSettings::sensitive(),
        };
        AlignSettings {
            min_match: self.min_match.unwrap_or(preset.min_match),
            min_match_source: self.min_match_source.unwrap_or(preset.min_match_source),
            ..preset
        }
    }
}

/// Bytes, from a number and kB, MB, GB or TB.
fn size(text: &str) -> Result<u64, String> {
    let unit = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(unit);
    let factor = match unit.to_ascii_uppercase().as_str() {
        "" | "B" => 1.0,
        "K" | "KB" => 1e3,
        "M" | "MB" => 1e6,
        "G" | "GB" => 1e9,
        "T" | "TB" => 1e12,
        _ => return Err("expected a number and kB, MB, GB or TB, as in 500MB".to_owned()),
    };
    match number.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok((number * factor) as u64),
        _ => Err("expected a number and kB, MB, GB or TB, as in 500MB".to_owned()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

fn positive_share(text: &str) -> Result<f64, String> {
    match share(text) {
        Ok(value) if value > 0.0 => Ok(value),
        _ => Err("expected a number above 0, at most 1".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn sizes_are_a_number_and_a_unit() {
        for (text, bytes) in [("500MB", 500_000_000), ("1.5 GB", 1_500_000_000), ("7", 7), ("2tb", 2_000_000_000_000)] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for wrong in ["", "MB", "-1GB", "0", "5 apples", "1e400"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
