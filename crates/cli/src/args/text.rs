//! What `copytrace text` is told.

use super::PATH_HELP;
use super::reading::ReadingOptions;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = format!("{PATH_HELP}\n\n{TEXT_HELP}\n\nExamples:\n  \
    copytrace text thesis.pdf\n  \
    copytrace text theses/ --format json > texts.jsonl"))]
pub struct TextOptions {
    /// The documents
    #[arg(required = true, value_name = "FILE")]
    pub paths: Vec<PathBuf>,

    /// How the text is written
    #[arg(long, value_enum, default_value_t = TextFormat::Plain)]
    pub format: TextFormat,

    #[command(flatten)]
    pub reading: ReadingOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TextFormat {
    /// The text as it is compared; of several documents each below a line with its name
    Plain,
    /// An object a line and document: its parts, headings, pages, flags, what of the file is not in it, and the text
    Json,
}

const TEXT_HELP: &str = "Plain text leaves out what no reader sees. In JSON the text has it, and offsets are characters of that \
text, the end exclusive.";
