//! What `copytrace fingerprint` is told, and what fingerprints are made of.

use super::PATH_HELP;
use super::reading::ReadingOptions;
use clap::Args;
use copytrace::hamming::fingerprints::{Features, Weights};
use std::path::PathBuf;

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
