//! What `copytrace compare` is told: two documents, or a list of pairs.

use super::passages::AlignOptions;
use super::reading::ReadingOptions;
use super::sketch::SketchOptions;
use clap::Args;
use std::path::PathBuf;

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
