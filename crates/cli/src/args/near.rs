//! What `copytrace near` is told: what is searched for, where, and how.

use super::filter::FilterOptions;
use super::fingerprint::FeatureOptions;
use clap::Args;
use copytrace::hamming::Engine;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = NEAR_HELP)]
pub struct NearOptions {
    /// A document, or a fingerprint of 16 hexadecimal digits, to be searched for in the index (a file of such a name: ./NAME)
    #[arg(value_name = "QUERY", requires = "index", required_unless_present_any = ["queries", "follow", "build"])]
    pub documents: Vec<String>,

    /// The index that is searched; several are searched as if they were one
    #[arg(long, value_name = "DIR")]
    pub index: Vec<PathBuf>,

    /// A file of fingerprints that is searched instead: .u64, .csv, or .tables made by --build
    #[arg(long, value_name = "FILE", conflicts_with = "index")]
    pub table: Option<PathBuf>,

    /// Write the tables of --table to this .tables file, so that later searches need not build them
    #[arg(long, value_name = "FILE", requires = "table", conflicts_with_all = ["queries", "sentences", "output"])]
    pub build: Option<PathBuf>,

    /// A file of fingerprints that are searched for
    #[arg(long, value_name = "FILE", conflicts_with = "documents")]
    pub queries: Option<PathBuf>,

    /// Read documents from standard input, a JSON line each; tell what is near among the earlier ones (and in the index),
    /// then add it (to the index too)
    #[arg(long, conflicts_with_all = ["table", "build", "queries", "documents", "output"])]
    pub follow: bool,

    /// The bits that may differ, 0 to 7
    #[arg(long, short = 'k', default_value_t = 3, value_name = "K", value_parser = clap::value_parser!(u8).range(0..=7))]
    pub distance: u8,

    /// How the tables are built: auto, blocks, multi-index, permuted, compressed (the smallest), compressed-huffman or scan;
    /// all find the same
    #[arg(long, default_value_t = Engine::Auto, value_name = "ENGINE", conflicts_with_all = ["queries", "documents", "follow"])]
    pub engine: Engine,

    /// Compare documents by the sentences they share; the files are of `copytrace fingerprint --sentences -o FILE.csv`
    #[arg(long, requires = "table")]
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
  copytrace near --table corpus.u64 --build corpus.tables --engine compressed
  copytrace near --table corpus.tables --queries new.u64
  copytrace near --sentences --table sentences.csv --queries thesis.csv
  copytrace near --index library/ thesis.txt 1f3870be274f6c49
  tail -f news.jsonl | copytrace near --follow --max-age 7d --exclude-same-author";
