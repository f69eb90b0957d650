//! What `copytrace pairs` and `copytrace tune` are told: a corpus, and the banding that finds its pairs.

use super::sketch::SketchOptions;
use super::values::size;
use super::{MORE, PATH_HELP};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = MORE, after_long_help = format!("{PATH_HELP}\n\nExamples:\n  \
    copytrace pairs essays/ -o pairs.csv\n  \
    copytrace pairs corpus.jsonl.zst --threshold 0.5 --shingle chars:9 > pairs.csv\n  \
    copytrace pairs crawl/ --clusters clusters.csv --memory 8GB\n  \
    copytrace pairs new.jsonl --against old.jsonl --keep kept.jsonl --removed removed.jsonl"))]
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

    /// Stop after N pairs, in the order of the ids, with a notice
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_pairs: Option<u64>,

    /// Write the corpus without its duplicates: JSON lines as they stood, other documents as JSON lines. Of similar documents
    /// the one with the smallest id stays
    #[arg(long, value_name = "FILE.jsonl", conflicts_with = "index")]
    pub keep: Option<PathBuf>,

    /// Write what --keep leaves out
    #[arg(long, value_name = "FILE.jsonl", conflicts_with = "index")]
    pub removed: Option<PathBuf>,

    /// Compare PATH with these documents too, but not these with each other; only pairs with a document of PATH (may be
    /// given several times)
    #[arg(long, value_name = "PATH", conflicts_with = "index")]
    pub against: Vec<PathBuf>,

    /// The field of a JSON line that holds the text
    #[arg(long, value_name = "NAME", default_value = "text")]
    pub text_field: String,

    /// The field of a JSON line that holds the id
    #[arg(long, value_name = "NAME", default_value = "id")]
    pub id_field: String,

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

    /// A file for a drawing of the curve (SVG)
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub sketch: SketchOptions,
}
