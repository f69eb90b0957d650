//! The arguments as they are typed, and the settings they stand for.

use clap::{Args, Parser, Subcommand, ValueEnum};
use copytrace::align::AlignSettings;
use copytrace::lsh::banding::Banding;
use copytrace::settings::{DEFAULT_THRESHOLD, Settings, SketchSettings};
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

const PATH_HELP: &str = "A PATH is a file (.txt .md .html), a folder (read recursively), a .zip, a .jsonl whose \
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
    /// Align two documents, or given pairs of documents
    Compare(CompareOptions),
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
    cat clue.txt | copytrace check - --corpus references/ -o report"))]
pub struct CheckOptions {
    /// The documents to be checked
    #[arg(required = true, value_name = "SUBMISSION")]
    pub submissions: Vec<PathBuf>,

    /// The reference corpus
    #[arg(long, required = true, num_args = 1.., value_name = "PATH")]
    pub corpus: Vec<PathBuf>,

    /// The folder for summary.csv, sources.csv and passages.csv
    #[arg(long, short, default_value = "report", value_name = "OUT_DIR")]
    pub output: PathBuf,

    /// Exit with code 1 when a submission's copy ratio is at or above this
    #[arg(long, value_name = "RATIO", value_parser = share)]
    pub fail_above: Option<f64>,

    #[command(flatten)]
    pub sketch: SketchOptions,

    #[command(flatten)]
    pub align: AlignOptions,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{PATH_HELP}\n\nExamples:\n  \
    copytrace pairs essays/ -o pairs.csv\n  \
    copytrace pairs corpus.jsonl.zst --threshold 0.5 --shingle chars:9 > pairs.csv"))]
pub struct PairsOptions {
    /// The documents to be compared with each other
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// The file for the pairs [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

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
    pub sketch: SketchOptions,

    #[command(flatten)]
    pub align: AlignOptions,
}

/// How documents are compared as wholes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Whole documents")]
pub struct SketchOptions {
    /// Jaccard similarity from which two documents are similar as wholes
    #[arg(long, default_value_t = DEFAULT_THRESHOLD, value_name = "J", value_parser = positive_share)]
    pub threshold: f64,

    /// What a shingle is: units:K, chars:K or words:K (a unit is a Han character or a word of another script)
    #[arg(long, default_value_t = Shingling::default(), value_name = "OF:K")]
    pub shingle: Shingling,

    /// MinHash functions, 16 to 1024
    #[arg(long, default_value_t = 256, value_name = "N", value_parser = clap::value_parser!(u32).range(16..=1024))]
    pub hashes: u32,

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
        let mut sketch = SketchSettings::new(self.shingle, self.hashes, self.threshold);
        if let (Some(bands), Some(rows)) = (self.bands, self.rows) {
            let values = u64::from(bands) * u64::from(rows);
            anyhow::ensure!(
                values <= u64::from(self.hashes),
                "--bands {bands} × --rows {rows} needs {values} hash functions, and there are {} (--hashes)",
                self.hashes
            );
            sketch.banding = Banding { bands, rows };
        }
        Ok(Settings {
            sketch,
            threshold: self.threshold,
            hamming_threshold: self.hamming,
            align,
            ..Settings::default()
        })
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
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
