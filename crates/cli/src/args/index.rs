//! The commands of `copytrace index`, and what is told of the documents besides their texts.

use super::PATH_HELP;
use super::reading::ReadingOptions;
use super::sketch::SketchOptions;
use super::values::age;
use clap::{Args, Subcommand};
use std::path::PathBuf;

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
        #[arg(required_unless_present = "semantic", value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// Remove every document that these paths do not hold any more, but for those that `harvest` put there
        #[arg(long, requires = "paths")]
        prune: bool,
        /// Keep what this model makes of the documents of the index, new and old, so that `check --semantic` need not read them again: some
        /// seconds for each megabyte of text, and half as many bytes as that has
        #[arg(long, value_name = "DIR")]
        semantic: Option<PathBuf>,
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
        /// All documents whose title, author, date, collection or licence is exactly this, as in author=...
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
            Some((field @ ("title" | "author" | "date" | "collection" | "licence"), value)) => {
                Ok(Condition { field: field.to_owned(), value: value.to_owned() })
            }
            _ => Err("write title=..., author=..., date=..., collection=... or licence=...".to_owned()),
        }
    }
}

/// What is known of the documents besides their texts.
#[derive(Debug, Args)]
#[command(next_help_heading = "Metadata")]
pub struct MetadataOptions {
    /// A table (CSV or XLSX) with a column path (as the id would be; 文件名), and any of id, title, author, date, collection,
    /// url, licence, department, supervisor
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,
}
